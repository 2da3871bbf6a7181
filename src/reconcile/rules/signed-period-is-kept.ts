/**
 * What was signed off of a day or a month is still what books and platform state of it (docs/reconciliation.md 3.14).
 * Nothing of it reaches a verdict: that a period is to be signed anew says nothing of whether both sides agree.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { addDays } from '../../core/time.ts';
import { copyKeyed, stageOf } from '../../store/database/bulk.ts';
import { NAMED_MAX, changedBookings } from '../../store/periods/changed-bookings.ts';
import { listKeptPeriods } from '../../store/periods/kept-periods.ts';
import { booksOf } from '../../store/periods/period-books.ts';
import type { BooksSide } from '../../store/periods/period-books.ts';
import type { Tables } from '../../store/schema/schema.ts';
import { knownBefore } from '../balance/known-before.ts';
import type { FindingRun } from '../balance/proof-request.ts';

const KEPT = stageOf('kept_period', {
  name: 'text',
  last_day: 'text',
  from_at: 'timestamptz',
  to_at: 'timestamptz',
  rows_no: 'bigint',
  written_no: 'bigint',
  in_force: 'boolean',
});

/**
 * `period_changed`, for attention: entries or movements of an account in a period that was signed before the run's last
 * day are others than were signed. The newest proof of the account tells it, of what was written since the one before;
 * it is told for as long as that is so, also where the sign-off was taken back and no other one took its place.
 */
export async function signedPeriodIsKept(trx: Transaction<Tables>, run: FindingRun): Promise<void> {
  const kept = await listKeptPeriods(trx, run.toDay);
  if (kept.length === 0) return;
  await copyKeyed(
    trx,
    KEPT,
    kept.map(({ period, rowsNo, writtenNo, inForce }) => ({
      name: period.name,
      last_day: period.to,
      from_at: run.zone.dayStart(period.from),
      to_at: run.zone.dayStart(addDays(period.to, 1)),
      rows_no: rowsNo,
      written_no: writtenNo,
      in_force: inForce,
    })),
  );
  await sql`drop table if exists touched_period`.execute(trx);
  await sql`
    create temporary table touched_period on commit drop as
    ${writtenSince(run)} union ${toldBefore(run)}`.execute(trx);
  for (const side of ['ledger', 'platform'] as const) await findChanged(trx, side);
}

/** @param period an alias with `name` and `rows_no` */
const keyOf = (period: string, side: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`concat('signed:', ${sql.ref(`${period}.name`)}, ':', ${side}, ':', ${sql.ref(`${period}.rows_no`)})`;

/**
 * Periods with something that was written after they were signed, of an account that was part of them, or that was
 * proven before and had left by then. Of what left a period only the earliest instant is kept at which it, or anything
 * taken back with it, ever counted: it may have left each since.
 */
const writtenSince = (run: FindingRun): RawBuilder<unknown> => sql`
  (with part as materialized (
    select distinct w.trail_no as rows_no, ${ACCOUNT_OF_ROW} as account_no
    from ${sql.table(KEPT.name)} p join signed_row w on w.trail_no = p.rows_no and w.kind = 'account'
    where p.in_force
  ), known as materialized (${knownBefore(
    sql`select account_no from stage_scope s
      where exists (select from part) and not exists (${newerProof(run)})`,
    run.span,
  )}),
  least as materialized (select coalesce(min(no), 0) as no from known),
  news as materialized (
    select account_no, 'ledger' as side, booked_at as at, false as or_later, written_no from ledger_entry
    where written_no > (select no from least)
    union all
    select account_no, 'platform', effective_from, false, written_no from movement
    where written_no > (select no from least)
    union all
    select account_no, 'platform', formerly_from, true, written_no from movement
    where written_no > (select no from least) and formerly_from is not null
    union all
    select account_no, 'platform', counted_from, true, written_no from movement_taken_back
    where written_no > (select no from least)
  )
  select distinct p.name, p.rows_no, n.side, n.account_no
  from ${sql.table(KEPT.name)} p
  join news n on (n.at >= p.from_at or n.or_later) and n.at < p.to_at and n.written_no > p.written_no
  join known k on k.account_no = n.account_no and n.written_no > k.no
  left join part on part.rows_no = p.rows_no and part.account_no = n.account_no
  where p.in_force and (part.account_no is not null or k.no > 0))`;

/** The account of row `w` of a day of the period: the first of two runs that end on it names itself. */
const ACCOUNT_OF_ROW = sql`case when w.key like '% of %' then regexp_replace(w.key, ' of (nightly|backfill)-[^ ]+$', '')
  else w.key end`;

/** Of account `s`: a later day that proved it, or is about to, because this one is proven again on the way there. */
const newerProof = ({ runId, toDay }: FindingRun): RawBuilder<unknown> => sql`
  select from run mine join run r on r.superseded_by is null and r.to_day > ${toDay}
  left join run_account l on l.run_id = r.run_id and l.account_no = s.account_no and l.chained
  where mine.run_id = ${runId} and (l.run_id is not null or (r.state = 'open' and r.fence = mine.fence
    and (r.accounts = '' or s.account_no = any(string_to_array(r.accounts, ',')))))`;

/** Those of which a break was open on the run's last day. */
const toldBefore = ({ toDay }: FindingRun): RawBuilder<unknown> => sql`
  select p.name, p.rows_no, s.side, b.account_no
  from ${sql.table(KEPT.name)} p cross join (values ('ledger'), ('platform')) s (side)
  join break b on b.item_key = ${keyOf('p', sql`s.side`)}
  join stage_scope t on t.account_no = b.account_no
  where b.class = 'period_changed' and b.first_day <= ${toDay} and (b.status = 'open' or b.closed_day > ${toDay})`;

async function findChanged(trx: Transaction<Tables>, side: BooksSide): Promise<void> {
  const of = {
    accountNo: sql`t.account_no`,
    from: sql`p.from_at`,
    to: sql`p.to_at`,
    signedNo: sql`p.written_no`,
  };
  const fen = (figures: 's' | 'a'): RawBuilder<unknown> =>
    sql`coalesce((${sql.ref(`${figures}.figures`)} ->> 'sumFen')::bigint, 0)`;
  const records = (figures: 's' | 'a'): RawBuilder<unknown> =>
    sql`coalesce(${sql.ref(`${figures}.figures`)} ->> 'records', '0')`;
  const isLedger = side === 'ledger';
  const change = isLedger ? sql`${fen('s')} - ${fen('a')}` : sql`${fen('a')} - ${fen('s')}`;
  const what = sql.lit(isLedger ? 'entries' : 'records');
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen, difference_fen,
      line, note)
    select t.account_no, ${keyOf('p', sql`t.side`)}, 'period_changed', 'attention', p.name,
      ${isLedger ? sql`null` : fen('a')}, ${isLedger ? fen('a') : sql`null`}, ${change}, false,
      concat('signed off: ', ${what}, ' ', ${records('s')}, ', sum ', ${fen('s')}, ' fen; now: ', ${what}, ' ',
        ${records('a')}, ', sum ', ${fen('a')}, ' fen', c.text)
    from touched_period t join ${sql.table(KEPT.name)} p on p.name = t.name and p.rows_no = t.rows_no
    left join signed_row s on s.trail_no = p.rows_no and s.kind = ${side} and s.day = p.last_day
      and s.key = t.account_no
    left join lateral (${booksOf[side](of)}) a on true
    cross join lateral (
      select concat(string_agg(concat('; ', case when source is null then 'record ' else 'entry ' end, name, ' of ', fen,
          ' fen was ', became, ' since'), '' order by place) filter (where place <= ${sql.lit(NAMED_MAX)}),
        case when count(*) > ${sql.lit(NAMED_MAX)} then concat('; and ', count(*) - ${sql.lit(NAMED_MAX)}, ' more') end) as text
      from (${changedBookings[side](of)}) r) c
    where t.side = ${side} and s.figures is distinct from a.figures`.execute(trx);
}
