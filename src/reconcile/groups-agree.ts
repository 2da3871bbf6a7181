/** What belongs together has the same amount on both sides of the cut. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Instant } from '../core/time.ts';
import type { Tables } from '../store/schema.ts';
import type { ProofSpan } from './scope.ts';

/** Entries booked after the moment of the run do not exist for it yet. */
export interface ProofMoment extends ProofSpan {
  at: Instant;
}

/**
 * Of matched groups only those can differ at the cut that are unequal or whose members lie on both sides of it
 * (or of the baseline). Both sides present and unequal: `amount`, `fee` or `duplicate`; one side beyond the
 * cut: `late`; entries not posted yet: `pending`, and `state` once older than agingDays; entries that are dated
 * after the run itself: the movement is `platform_only`.
 */
export async function groupsAgree(
  trx: Transaction<Tables>,
  span: ProofMoment,
  agingDays: number,
): Promise<void> {
  await listGroupsThatMayDiffer(trx, span);
  await weighGroups(trx, span);
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, ledger_ref, ledger_state, ledger_at,
      counterparty, note)
    select account_no, 'line:' || group_key, class,
      case when class in ('late', 'pending') then 'timing' else 'break' end,
      reference, platform_fen, ledger_fen, difference_fen, true, reference, 'SUCCESS', platform_at,
      ledger_ref, ledger_state, ledger_at, counterparty, ''
    from (
      select w.*,
        case
          when outcome = 'pending' and platform_at < ${span.cut}::timestamptz - make_interval(days => ${agingDays})
            then 'state'
          when outcome = 'pending' then 'pending'
          when ledger_known = 0 then 'platform_only'
          when platform_count > 0 and ledger_count > 0 and outcome <> 'equal'
            and platform_beyond = 0 and ledger_beyond = 0 then outcome
          else 'late'
        end as class,
        platform_cut_fen - ledger_cut_fen as difference_fen
      from weighed w
    ) x
    where difference_fen <> 0`.execute(trx);
}

async function listGroupsThatMayDiffer(trx: Transaction<Tables>, span: ProofSpan): Promise<void> {
  await sql`drop table if exists doubtful`.execute(trx);
  await sql`
    create temporary table doubtful on commit drop as
    select x.account_no, x.group_key from match x join stage_scope s using (account_no)
    where x.outcome <> 'equal'
    union
    select x.account_no, x.group_key from ledger_entry e join stage_scope s using (account_no)
      join match x on x.entry_no = e.entry_no
    where e.booked_at >= ${span.cut} or e.booked_at < s.ledger_from
    union
    select x.account_no, x.group_key from movement m join stage_scope s using (account_no)
      join match x on x.account_no = m.account_no and x.group_key = m.family || ':' || m.reference
    where m.effective_from >= ${span.cut} or m.effective_from < s.baseline_at`.execute(trx);
}

/** Per group: what counts at the cut, what lies beyond it, and what to show. */
async function weighGroups(trx: Transaction<Tables>, span: ProofMoment): Promise<void> {
  await sql`drop table if exists weighed`.execute(trx);
  await sql`
    create temporary table weighed on commit drop as
    select x.account_no, x.group_key, max(x.outcome) as outcome,
      max(m.reference) as reference,
      sum(m.delta_fen)::bigint as platform_fen,
      coalesce(sum(e.amount_fen), 0)::bigint as ledger_fen,
      coalesce(sum(m.delta_fen) filter (where m.effective_from >= s.baseline_at
        and m.effective_from < ${span.cut}), 0)::bigint as platform_cut_fen,
      coalesce(sum(e.amount_fen) filter (where e.status = 'posted' and e.booked_at >= s.ledger_from
        and e.booked_at < ${span.cut}), 0)::bigint as ledger_cut_fen,
      count(*) filter (where m.effective_from < ${span.cut}) as platform_count,
      count(*) filter (where e.booked_at < ${span.cut} and e.status = 'posted') as ledger_count,
      count(*) filter (where m.effective_from >= ${span.cut}) as platform_beyond,
      count(*) filter (where e.booked_at >= ${span.cut} and e.booked_at <= ${span.at}) as ledger_beyond,
      count(*) filter (where e.booked_at <= ${span.at}) as ledger_known,
      bool_or(m.effective_from < s.baseline_at or e.booked_at < s.ledger_from) as before_baseline,
      min(m.effective_from) as platform_at, min(e.booked_at) as ledger_at,
      coalesce(left(string_agg(e.entry_id, ', ' order by e.entry_id), 200), '') as ledger_ref,
      coalesce(min(e.status), '') as ledger_state, coalesce(min(d.payer_name), '') as counterparty
    from doubtful g
    join stage_scope s using (account_no)
    join match x on x.account_no = g.account_no and x.group_key = g.group_key
    left join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
    left join ledger_entry e on e.entry_no = x.entry_no
    left join deposit d on d.account_no = m.account_no and d.order_no = m.reference and m.family = 'deposit'
    group by x.account_no, x.group_key`.execute(trx);
  await sql`
    create temporary table if not exists carried (account_no text collate "C", difference_fen bigint)
    on commit drop`.execute(trx);
  await sql`delete from carried`.execute(trx);
  await sql`
    with crossing as (
      delete from weighed where before_baseline returning account_no, platform_cut_fen - ledger_cut_fen as fen
    )
    insert into carried select account_no, sum(fen)::bigint from crossing group by account_no`.execute(trx);
}

/**
 * Differences of groups that lie across the baseline: part of the opening difference, because one side of them
 * belongs to the time before the proof begins. By account.
 */
export async function crossingTheBaseline(trx: Transaction<Tables>): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ account_no: string; difference_fen: bigint }>`
    select account_no, difference_fen from carried`.execute(trx);
  return new Map(rows.map((row) => [row.account_no, row.difference_fen]));
}
