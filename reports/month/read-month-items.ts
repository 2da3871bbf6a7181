/** The breaks that were open in a month, and what is open at its end. */
import { sql } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day } from '../../src/core/time.ts';
import { lastEndOf } from '../../src/store/runs/breaks.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { BreakClass, ClearingCause, Db, TimingClass } from '../../src/store/schema/schema.ts';
import { indexStage, layAside, staging } from '../read/stage.ts';
import type { Stage } from '../read/stage.ts';

/** Breaks of the whole month; of the others what is open at its end. */
export const MONTH_LISTS = ['break', 'attention', 'timing'] as const;

export type MonthList = (typeof MONTH_LISTS)[number];

export interface MonthItem {
  n: bigint;
  list: MonthList;
  break_id: string;
  class: BreakClass | TimingClass;
  account_no: string;
  name: string;
  reference: string;
  difference_fen: Fen;
  first_day: Day;
  at_start: number;
  opened: number;
  closed: number;
  at_end: number;
  closed_day: Day | null;
  cause: ClearingCause | null;
  cleared_by: string | null;
}

export const MONTH_ITEMS: Stage<MonthItem> = { name: 'month_item' };
export const MONTH_MEMBERS = { name: 'month_member' };

/**
 * Which breaks stand after which run: those that it found, and those that it could not find, because their account, or of
 * those of none the run, was incomplete, or their account no part of it, and that nothing had ended by then.
 */
export async function stageMonthItems(session: Db, last: Run): Promise<void> {
  const upTo = last.trail_no === null ? undefined : sql`${last.trail_no}::bigint`;
  await staging(session, async (trx) => {
    const seen = sql`select r.n, f.break_id, f.severity from month_run r join finding f using (run_id)`;
    await layAside(trx, MONTH_MEMBERS, seen);
    await sql`create index on month_member (break_id, n)`.execute(trx);
    await sql`
      insert into month_member
      select r.n, b.break_id, w.severity
      from (select break_id, min(n) as n from month_member group by break_id) f
      join break b using (break_id) join month_run r on r.n > f.n
      join run o on o.run_id = r.run_id
      left join run_account a on a.run_id = r.run_id and a.account_no = b.account_no
      cross join lateral (
        select severity from month_member s where s.break_id = b.break_id and s.n < r.n order by s.n desc limit 1) w
      where case when b.account_no = '' then o.state = 'incomplete'
          else a.run_id is null or a.verdict = 'incomplete' end
        and (b.status = 'open' or b.closed_day > r.day)
        and not exists (select from month_member s where s.break_id = b.break_id and s.n = r.n)`.execute(trx);
    await layAside(
      trx,
      MONTH_ITEMS,
      sql`
        with told as (
          select distinct on (f.break_id) f.* from month_run r join finding f using (run_id)
          order by f.break_id, r.n desc
        ), item as (
          select break_id, bool_or(severity = 'break') as ever,
            bool_or(severity = 'break' and n = 0) as at_start,
            bool_or(severity = 'break' and n = l.n_last) as at_end,
            max(severity) filter (where n = l.n_last) as severity
          from month_member cross join (select max(n) as n_last from month_run) l group by break_id
        ), listed as (
          select i.*, case when ever then 'break' else severity end as list from item i where ever or severity is not null
        )
        select row_number() over (order by array_position(array['break', 'attention', 'timing'], l.list), t.account_no,
            t.first_day, t.class, t.reference, t.break_id) as n,
          l.list, t.break_id, t.class, t.account_no, coalesce(a.name, '') as name, t.reference, t.difference_fen,
          t.first_day, (l.at_start)::integer as at_start,
          (l.list = 'break' and not l.at_start)::integer as opened,
          (l.list = 'break' and not l.at_end)::integer as closed,
          (l.at_end or l.list <> 'break')::integer as at_end,
          case when e.event = 'closed' then e.details ->> 'closedDay' end as closed_day,
          case when e.event = 'closed' then e.details ->> 'cause' end as cause,
          case when e.event = 'closed' then e.details ->> 'clearedBy' end as cleared_by
        from listed l join told t using (break_id)
        left join account a on a.account_no = t.account_no
        left join lateral (${lastEndOf(sql`l.break_id`, upTo)}) e on not l.at_end and l.list = 'break'`,
    );
    await indexStage(trx, MONTH_ITEMS);
  });
}

export interface ItemSums {
  rows: number;
  atStart: number;
  opened: number;
  closed: number;
  atEnd: number;
  atStartFen: Fen;
  openedFen: Fen;
  closedFen: Fen;
  atEndFen: Fen;
}

export type ItemTotals = Readonly<Record<MonthList, ItemSums>>;

export async function sumMonthItems(session: Db): Promise<ItemTotals> {
  const { rows } = await sql<ItemSums & { list: MonthList }>`
    select list, count(*)::integer as rows, sum(at_start)::integer as "atStart", sum(opened)::integer as opened,
      sum(closed)::integer as closed, sum(at_end)::integer as "atEnd",
      sum(difference_fen * at_start)::bigint as "atStartFen", sum(difference_fen * opened)::bigint as "openedFen",
      sum(difference_fen * closed)::bigint as "closedFen", sum(difference_fen * at_end)::bigint as "atEndFen"
    from month_item group by list`.execute(session);
  const of = (list: MonthList): ItemSums => rows.find((row) => row.list === list) ?? NONE;
  return { break: of('break'), attention: of('attention'), timing: of('timing') };
}

const NONE: ItemSums = {
  rows: 0,
  atStart: 0,
  opened: 0,
  closed: 0,
  atEnd: 0,
  atStartFen: 0n,
  openedFen: 0n,
  closedFen: 0n,
  atEndFen: 0n,
};
