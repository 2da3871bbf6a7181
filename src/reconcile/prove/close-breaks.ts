/**
 * What ends a break (docs/reconciliation.md 3.11): nothing closes by itself. A break that a proof no longer finds is
 * closed by what can be named; where nothing can, it stays open.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Day } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ClearedPair } from '../balance/adjustments.ts';
import { gatherEvents } from '../../store/runs/audit-trail.ts';
import { NO_ACCOUNT, firstOfCompany } from '../../store/orders/told-on.ts';
import { ARE_ONE_WRONG, IS_TIMING_BY_NOW } from './break-keeps-its-id.ts';
import { NAMED_OTHERS, cameSince } from './came-since.ts';
import { endsInTime, matchedEntry } from './ends-in-time.ts';
import { causesOfOpening } from './opening-ends.ts';
import { causesOfSigned } from './signed-period-ends.ts';
import { IS_OF_OTHERS, ORDERS_OF_LINE } from './orders-of-line.ts';
import type { FindingRun } from '../balance/proof-request.ts';

/** What may end a break that a proof no longer finds. */
export interface BreakEnds {
  /** Accounts whose numbers are complete enough to call a break cured. */
  closable: readonly string[];
  /** Accounts of which a break that is open is shown, found or not: those, and such as the next proof begins at. */
  shown: readonly string[];
  /** Accounts on which no assumption decides what is unexplained, or one that a later balance confirms. */
  explained: readonly string[];
  /** Accounts of which this run tells all that is unexplained. */
  weighed: readonly string[];
  /** Accounts whose balance nothing keeps from being proven. */
  provable: readonly string[];
  /** Accounts on which an assumption no more decides anything, and of which nothing is unexplained. */
  settled: readonly string[];
  /** Accounts whose balance says how much of it is available. */
  free: readonly string[];
  /** Those, and such as say how much is frozen. */
  held: readonly string[];
  /** The profile states how amounts in flight are held. */
  isModelStated: boolean;
  /** Days before the last at whose balance the proof is split. */
  splitDays: readonly { accountNo: string; day: Day }[];
  cleared: readonly ClearedPair[];
}

/**
 * Closes what the run covers and no longer finds (`unfound`) where an end of it can be named. A nightly looks at all
 * that is open; a backfill covers only its own days. Neither closes what a later run that stands still finds.
 */
export async function closeBreaks(trx: Transaction<Tables>, run: FindingRun, ends: BreakEnds): Promise<void> {
  if (!(await mayEnd(trx, run))) return;
  const covered =
    run.job === 'nightly' ? sql`true` : sql`b.first_day >= ${run.fromDay} and b.first_day <= ${run.toDay}`;
  await sql`drop table if exists gone`.execute(trx);
  await sql`
    create temporary table gone on commit drop as
    select b.break_id, ${run.toDay}::text as closed_day, u.cause, u.cleared_by
    from unfound u join break b using (break_id)
    where u.cause is not null and b.account_no = any(${ends.closable}::text[]) and ${covered}
      and not exists (select from named n where n.break_id = b.break_id)
      and (b.item_key like 'unexplained:%' or not exists (
        select from finding f join run r on r.run_id = f.run_id
        where f.break_id = b.break_id and r.superseded_by is null and r.to_day > ${run.toDay}))
    union all
    select n.break_id, later.to_day, c.cause, c.cleared_by from named n
    join break b on b.break_id = n.break_id and b.status = 'open'
    cross join lateral (${firstProofAfter(run)}) later
    cross join lateral (${causesOfEnd(run, ends, endsInTime(run))}) c
    where n.item_key like 'line:%' and not exists (
      select from finding f join run r on r.run_id = f.run_id
      where f.break_id = n.break_id and r.superseded_by is null and r.to_day > ${run.toDay})`.execute(trx);
  await sql`
    update break b set status = 'closed', closed_day = g.closed_day, closed_run = ${run.runId},
      cleared_cause = g.cause, cleared_by = g.cleared_by
    from gone g where b.break_id = g.break_id`.execute(trx);
  await gatherEvents(
    trx,
    sql`
      select break_id, 'closed', jsonb_build_object('clearedBy', b.cleared_by, 'cause', b.cleared_cause,
        'closedDay', b.closed_day), null::jsonb
      from break b where b.break_id in (select break_id from gone) order by break_id`,
  );
}

/** Nothing does where all that is open was found, and no later proof has seen the end of what was found. */
async function mayEnd(trx: Transaction<Tables>, run: FindingRun): Promise<boolean> {
  const { rows } = await sql<{ may_end: boolean }>`
    select exists (select from unfound)
      or exists (select from run r where r.superseded_by is null and r.to_day > ${run.toDay}) as may_end`.execute(
    trx,
  );
  return rows[0]?.may_end ?? false;
}

/**
 * A run of days long past may find a line of which later proofs of the account have seen the end; one whose books were not
 * complete saw no end. They saw none of what is wrong with a record or with the account itself: it was not known yet, or
 * judged by other rules.
 */
const firstProofAfter = (run: FindingRun) => sql`
  select r.to_day from run_account a join run r on r.run_id = a.run_id
  where a.account_no = n.account_no and a.chained and a.verdict <> 'incomplete' and r.superseded_by is null
    and r.to_day > ${run.toDay}
  order by r.to_day limit 1`;

/**
 * What can be named as the end of break `b`, the nearest cause only. Needs `found`, `stage_cleared`, `still_moved` and
 * what breakKeepsItsId lays out.
 */
export const causesOfEnd = (
  run: FindingRun,
  ends: BreakEnds,
  ofLine: RawBuilder<unknown> = causesOfLine(run),
) => sql`
  select x.cause, x.cleared_by from (
    select 1 as rank, 'adjustment' as cause, (select min(c.entry_id) from stage_cleared c
      where c.account_no = b.account_no
        and (c.item_key = b.item_key or b.item_key = 'line:adjustment:entry:' || c.source || '/' || c.entry_id)) as cleared_by
    union all
    select 2, 'restatement', (${restatedProof(run, ends)})
    where b.item_key like 'unexplained:%' and b.account_no = any(${ends.explained}::text[])
    union all
    select 3, x.cause, x.cleared_by from (${causesOfOpening(run)}) x
    where b.item_key in ('opening', 'period_changed', 'period_changed:ledger')
    union all
    select 3, x.cause, x.cleared_by from (${causesOfSigned(run)}) x where b.item_key like 'signed:%'
    union all
    select 4 + l.rank, l.cause, l.cleared_by from (${ofLine}) l where b.item_key like 'line:%'
    union all
    select 9, 'statement', 'inflight.model'
    where b.item_key = 'frozen:model' and ${ends.isModelStated} and b.account_no = any(${ends.provable}::text[])
    union all
    select 10, 'reading', case when b.reference in ('', b.account_no) then ${run.runId} else b.reference end
    where b.item_key not like 'line:%' and b.item_key not like 'unexplained:%' and b.class <> 'period_changed'
      and b.item_key not in ('opening', 'frozen:model')
      and (b.item_key <> 'timing' or (b.account_no = any(${ends.settled}::text[]) and not exists (
        select from break u where u.account_no = b.account_no and u.item_key like 'unexplained:%'
          and u.status = 'open' and u.first_day >= b.first_day)))
      and (b.class <> 'frozen' or (b.account_no = any(${ends.provable}::text[]) and b.account_no = any(
        case b.item_key when 'frozen:available' then ${ends.free}::text[] else ${ends.held}::text[] end)))
      and not exists (select from told_elsewhere f where ${ARE_ONE_WRONG})
  ) x
  where x.cleared_by <> ''
  order by x.rank limit 1`;

/**
 * The proof that stands for the very day of an unexplained amount, this one included, where it explains that amount, and
 * no later one has found it to be its own. One that only spans the day says nothing of it: it may set it off against
 * what arose on another.
 */
const restatedProof = (run: FindingRun, { weighed, splitDays }: BreakEnds) => sql`
  select s.run_id from (
    select r.run_id from run r
    cross join lateral (
      select case when b.item_key ~ '^unexplained:[0-9]{4}-[0-9]{2}-[0-9]{2}' then substr(b.item_key, 13, 10) end as day
    ) k
    where (exists (select from run_account a
        where a.run_id = r.run_id and a.account_no = b.account_no and a.chained and r.superseded_by is null)
        or (r.run_id = ${run.runId} and b.account_no = any(${weighed}::text[])))
      and (r.to_day = k.day or (k.day is null and r.to_day >= ${run.fromDay})
        or (r.run_id = ${run.runId} and exists (
          select from unnest(${splitDays.map(({ accountNo }) => accountNo)}::text[],
            ${splitDays.map(({ day }) => day)}::text[]) split (account_no, day)
          where split.account_no = b.account_no and split.day = k.day)))
    order by r.to_day, r.job desc, r.version desc limit 1
  ) s
  where case s.run_id when ${run.runId}
    then not exists (select from found f where f.account_no = b.account_no and f.item_key = b.item_key)
    else not exists (select from run_unexplained u
      where u.run_id = s.run_id and u.account_no = b.account_no and u.item_key = b.item_key) end
    and not exists (select from run_unexplained u
      join run_account a on a.run_id = u.run_id and a.account_no = u.account_no
      join run r on r.run_id = u.run_id
      where u.account_no = b.account_no and u.item_key = b.item_key and a.chained and r.superseded_by is null
        and r.to_day > ${run.toDay})`;

/**
 * Records of the order of line `b` that the platform stated otherwise, or first, since it was last found; or whose
 * movements, that came since, leave nothing of it; or that came to be shown, or failed, since; or whose movement on its account, a fee that
 * another bears for instance, was taken back since, and none is left of it.
 */
const recordsSince = (run: FindingRun) => sql`
  select n.name from name_of_line n join lapsed l using (break_id)
  cross join lateral (
    select written_no, '-infinity'::timestamptz as counts_from from deposit
    where account_no = b.account_no and order_no = n.name
    union all
    select t.written_no, e.shown_at from transfer_batch t
    cross join lateral (
      select '-infinity'::timestamptz as shown_at
      union all
      select s.since from transfer_order o join order_state_seen s using (account_no, out_order_no)
      where o.account_no = t.account_no and o.out_batch_no = t.out_batch_no and s.subject = 'transfer'
        and s.change_no = 1 and s.since < ${run.span.cut}) e
    where l.family = 'transfer' and b.class in ('unknown_not_found', 'in_flight', 'state')
      and n.name in (t.out_batch_no, t.batch_no) and (b.account_no in (t.account_no, ${NO_ACCOUNT}) or exists (
        select from order_registry r where r.kind = 'transfer' and n.name in (r.out_batch_no, r.batch_no)
          and r.payer_account_no in ('', t.account_no) and r.payee_account_no = b.account_no))
    union all
    select o.written_no, e.ended_at from (${ORDERS_OF_LINE}) o
    cross join lateral (
      select '-infinity'::timestamptz as ended_at
      union all
      select s.since from order_state_seen s
      where s.account_no = o.account_no and s.out_order_no = o.out_order_no and s.subject = l.family
        and s.change_no = 1 and s.since < ${run.span.cut}
      union all
      select s.last_open_at from order_state_seen s
      where s.account_no = o.account_no and s.out_order_no = o.out_order_no and s.subject = l.family
        and s.state = 'failed' and s.last_open_at < ${run.span.cut}) e
    union all
    select m.written_no, m.effective_from from open_movement m
    where m.account_no = b.account_no and m.family = l.family and m.reference = n.name
      and m.effective_from < ${run.span.cut}
    union all
    select t.written_no, t.counted_from from movement_taken_back t
    where t.account_no = b.account_no and b.platform_fen is not null
      and not exists (select from still_moved o where o.break_id = b.break_id)
  ) r
  where n.break_id = b.break_id
    and ${cameSince(run, { no: sql`r.written_no`, from: sql`r.counts_from` })}`;

/** The registrations of line `b` of family `l`: by the number that it has, and by one that they had. */
const REGISTRATIONS_OF_LINE = sql`
  select r.*, true as has_number from order_registry r
  where r.kind = l.family and b.reference <> ''
    and ((r.out_order_no <> '' and r.out_order_no = b.reference) or (r.order_no <> '' and r.order_no = b.reference)
      or (r.kind = 'transfer' and r.out_order_no = '' and r.order_no = ''
        and (r.out_batch_no = b.reference or (r.batch_no <> '' and r.batch_no = b.reference))))
  union all
  select r.*, b.reference in (r.out_order_no, r.order_no) from registration_change c
  join order_registry r on r.kind = c.kind and r.registered_as = c.registered_as
  where c.kind = l.family and c.before = b.reference
    and c.member in ('out_order_no', 'order_no', 'out_batch_no', 'batch_no')`;

/**
 * The registration that sent line `b` on its way: it was refused since; or, of what the platform has never shown on its
 * account, it is told on another account now, not because of the account list alone, or under another number.
 */
const REGISTERED_OTHERWISE = sql`
  select min(r.registered_as) from lapsed l
  cross join lateral (${REGISTRATIONS_OF_LINE}) r
  cross join lateral (${firstOfCompany(sql`
    select 1 as rank, r.payer_account_no as account_no union all select 2, r.payee_account_no`)}) t
  where l.break_id = b.break_id
    and ((r.outcome = 'refused' and b.class <> 'in_flight' and r.has_number)
      or (((t.account_no <> b.account_no and ${NAMED_OTHERS}) or not r.has_number) and not exists (
        select from name_of_line n cross join lateral (${ORDERS_OF_LINE}) o where n.break_id = b.break_id)))`;

/** What the platform had of break `b` lives on behind the cut, where nobody has booked it: a run of a later day tells it. */
const movesBehindTheCut = (
  run: FindingRun,
) => sql`(b.severity = 'break' and b.platform_fen is not null and exists (
  select from lapsed l join name_of_line n using (break_id)
  join open_movement m on m.account_no = b.account_no and m.family = l.family and m.reference = n.name
  where l.break_id = b.break_id and m.effective_from >= ${run.span.cut}))`;

/**
 * How a lapsed line ended: its entries are matched, in its own group or elsewhere, or were taken out of the books or back
 * since; else its record was written since. Not while an entry of it lives on or it is another run's to tell, nor, unless
 * its group is matched, while its movement or another item does; but a break whose entries were put right since, and agree
 * with what is only timing.
 */
const causesOfLine = (run: FindingRun) => sql`
  select rank, cause, cleared_by from (
    select 0 as rank, 'entry' as cause, ${matchedEntry(run)} as cleared_by
    union all
    select 1, 'record', (select min(substr(k.group_key, strpos(k.group_key, ':') + 1)) from entry_now k
      where k.break_id = b.break_id and k.since)
    union all
    select 2, 'entry', (select min(k.entry_id) from entry_now k where k.break_id = b.break_id and k.since)
    union all
    select 3, 'record', (select min(r.name) from (${recordsSince(run)}) r)
    union all
    select 4, 'statement', (${REGISTERED_OTHERWISE}) where b.class in ('unknown_not_found', 'in_flight', 'state')
  ) c
  where (not exists (select from entry_now k where k.break_id = b.break_id and k.lives) and not ${IS_OF_OTHERS}
      and (rank = 0 or not (exists (select from lives_on l where l.break_id = b.break_id) or ${movesBehindTheCut(run)})))
    or (rank = 2 and ${IS_TIMING_BY_NOW})`;
