/** What the run found: breaks, items for attention and timing items, with the line of the statement each is on. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Fen } from '../../src/core/fen.ts';
import type { Day, Instant } from '../../src/core/time.ts';
import { lastEndOf } from '../../src/store/runs/breaks.ts';
import type { BreakClass, Db, TimingClass } from '../../src/store/schema/schema.ts';
import { CLUES, CLUE_COLUMNS, stageClues } from './read-clues.ts';
import type { ItemClues } from './read-clues.ts';
import type { RunHead } from './read-run.ts';
import { stagePairs } from './read-pairs.ts';
import { workOfItems } from './read-work.ts';
import type { ItemWork, SeenAt } from './read-work.ts';
import { dropStage, indexStage, layAside, staging } from './stage.ts';
import type { Stage } from './stage.ts';
import type { ItemState, SideLine } from '../words/terms.ts';

export type ItemClass = BreakClass | TimingClass;

/** A line with items of one side only; `error`: a line of its own class on the company's side; `none`: no line. */
export type StatementLine = SideLine | 'error' | 'none';

/**
 * open: timing items of this run · cleared: timing items of the run before that it no longer finds ·
 * break and attention: as found.
 */
export type ItemList = 'break' | 'attention' | 'open' | 'cleared';

export interface ItemRow extends ItemWork, ItemClues {
  n: bigint;
  list: ItemList;
  account_index: number;
  account_no: string;
  account_name: string;
  /** Breaks of one cause have the same number and stand together; null: it stands alone. */
  group_no: number | null;
  break_id: string;
  class: ItemClass;
  statement_line: StatementLine;
  reference: string;
  platform_fen: Fen | null;
  ledger_fen: Fen | null;
  difference_fen: Fen;
  platform_ref: string;
  platform_state: string;
  platform_at: Instant | null;
  ledger_ref: string;
  ledger_state: string;
  ledger_at: Instant | null;
  counterparty: string;
  note: string;
  first_day: Day;
  age_days: number;
  /** For timing items: new in this run, or known to the run before. */
  item_state: ItemState;
  cleared_day: Day | null;
  cleared_by: string | null;
}

export const ITEMS: Stage<ItemRow> = { name: 'report_item' };

/**
 * The line of the statement. Items that only one side has stand on the line of that side and its sign, so that
 * the four lines stay pure; what both sides have, but not alike, is an error on a line of its own.
 */
const STATEMENT_LINE = sql`case
  when not f.line or f.difference_fen = 0 then 'none'
  when f.severity <> 'timing' and f.class not in ('platform_only', 'ledger_only') then 'error'
  when f.class = 'platform_only' or (f.class <> 'ledger_only' and (f.ledger_fen is null
      or f.difference_fen = f.platform_fen
      or (f.platform_fen is not null and f.difference_fen <> -f.ledger_fen and f.platform_at <= f.ledger_at)))
    then case when f.difference_fen > 0 then 'platform_received' else 'platform_paid' end
  else case when f.difference_fen < 0 then 'ledger_received' else 'ledger_paid' end
end`;

const SHOWN = sql`f.account_no, f.break_id, f.class, ${STATEMENT_LINE} as statement_line, f.reference,
  f.platform_fen, f.ledger_fen, f.difference_fen, f.platform_ref, f.platform_state, f.platform_at, f.ledger_ref,
  f.ledger_state, f.ledger_at, f.counterparty, f.note, f.first_day, f.age_days`;

/**
 * Numbers the items: list by list, account by account, the oldest first; what has one cause stands where the first
 * of it stands. With what people had said when the proof was stored, or by another moment.
 */
export async function stageItems(
  session: Db,
  head: ItemsHead,
  seenAt: SeenAt = storedAt(head),
): Promise<void> {
  await staging(session, async (trx) => {
    await layAside(trx, BEFORE, timingBefore(head.runId));
    await stageClues(trx, [head.runId]);
    await stagePairs(trx, head.runId);
    await layAside(trx, ITEMS, numberedItems(head, seenAt));
    await indexStage(trx, ITEMS);
    await dropStage(trx, BEFORE);
    await dropStage(trx, CLUES);
  });
}

export type ItemsHead = Pick<RunHead, 'runId' | 'trailNo' | 'toDay'>;

function storedAt({ trailNo, toDay }: ItemsHead): SeenAt {
  return { trailNo, today: toDay };
}

const BEFORE = { name: 'report_before' };

/** The timing items of the runs whose closings are the openings of this one. */
function timingBefore(runId: string): RawBuilder<unknown> {
  return sql`
    select f.* from run_account a join finding f on f.run_id = a.opening_run and f.account_no = a.account_no
    where a.run_id = ${runId} and f.severity = 'timing'`;
}

/**
 * What tells of one cause: the same order, entries and records that cannot be told apart, or two that cancel out
 * within an account.
 */
const CAUSE = sql`case
  when i.list not in ('break', 'attention') then i.break_id
  when i.reference <> i.account_no and count(*) over (partition by i.list, i.reference) > 1 then 'order ' || i.reference
  when i.class = 'ambiguous' then 'alike ' || i.account_no || ' ' || abs(i.difference_fen)
  when p.plus_id is not null then 'pair ' || p.plus_id
  else i.break_id
end`;

function numberedItems(head: ItemsHead, seenAt: SeenAt): RawBuilder<unknown> {
  const { runId, toDay, trailNo } = head;
  const { columns, joins } = workOfItems(head, seenAt);
  const upTo = trailNo === null ? undefined : sql`${trailNo}::bigint`;
  return sql`
    with item as (
      select case f.severity when 'timing' then 'open' else f.severity end as list, ${SHOWN},
        case when f.severity = 'timing' and p.break_id is null then 'new' when f.severity = 'timing' then 'carried'
          when p.break_id is not null then 'moved' else 'new' end as item_state,
        p.difference_fen as before_fen, e.closed_day as cleared_day, e.details ->> 'clearedBy' as cleared_by,
        ${CLUE_COLUMNS}, ${columns}
      from finding f left join report_before p on p.break_id = f.break_id
        left join lateral (
          select x.event, x.details, x.details ->> 'closedDay' as closed_day
          from (${lastEndOf(sql`f.break_id`, upTo)}) x where f.severity = 'timing'
        ) e on e.event = 'closed' and e.closed_day > ${toDay}
        left join ${sql.table(CLUES.name)} c on c.break_id = f.break_id ${joins}
      where f.run_id = ${runId}
      union all
      select 'cleared', ${SHOWN}, 'cleared', f.difference_fen, coalesce(e.details ->> 'closedDay', r.to_day),
        e.details ->> 'clearedBy', ${CLUE_COLUMNS}, ${columns}
      from report_before f
      left join lateral (${lastEndOf(sql`f.break_id`, upTo)}) e on e.event = 'closed'
      left join run r on r.run_id = e.run_id
        left join ${sql.table(CLUES.name)} c on c.break_id = f.break_id ${joins}
      where not exists (select from finding g where g.run_id = ${runId} and g.break_id = f.break_id)
    )
    , paired as (
      select plus_id as break_id, plus_id from report_pair where kind = 'account'
      union all select minus_id, plus_id from report_pair where kind = 'account'
    ), ranked as (
      select i.*, ${CAUSE} as cause,
        row_number() over (order by array_position(array['break', 'attention', 'open', 'cleared'], i.list),
          i.account_no, i.first_day, i.class, i.reference, i.break_id) as place
      from item i left join paired p on p.break_id = i.break_id
    ), led as (
      select r.*, min(place) over one_cause as leader, count(*) over one_cause > 1 as is_group
      from ranked r window one_cause as (partition by list, cause)
    )
    select row_number() over (order by i.leader, i.place) as n,
      case when i.is_group then dense_rank() over (partition by i.list, i.is_group order by i.leader) end::integer
        as group_no,
      coalesce(o.account_index, 0) as account_index, coalesce(a.name, '') as account_name, i.*
    from led i
    left join account a on a.account_no = i.account_no
    left join (
      select account_no, row_number() over (order by account_no)::integer as account_index
      from run_account where run_id = ${runId}
    ) o on o.account_no = i.account_no`;
}

/** Items that are alike in everything the sheets sum by. */
export interface ItemSum {
  list: ItemList;
  accountIndex: number;
  class: ItemClass;
  line: StatementLine;
  state: ItemState;
  count: number;
  netFen: Fen;
  grossFen: Fen;
  /** The amounts themselves, whatever they differ by: what is in flight differs by nothing. */
  amountFen: Fen;
  /** What the same items differed by in the run before. */
  beforeFen: Fen;
}

export async function sumItems(session: Db): Promise<ItemSum[]> {
  const { rows } = await sql<ItemSum>`
    select list, account_index as "accountIndex", class, statement_line as line, item_state as state,
      count(*)::integer as count, sum(difference_fen)::bigint as "netFen",
      sum(abs(difference_fen))::bigint as "grossFen",
      coalesce(sum(abs(coalesce(platform_fen, ledger_fen))), 0)::bigint as "amountFen", coalesce(sum(before_fen), 0)::bigint as "beforeFen"
    from report_item group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`.execute(session);
  return rows;
}
