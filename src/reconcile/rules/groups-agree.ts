/** What belongs together has the same amount on both sides of the cut. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../../store/schema/schema.ts';
import type { ProofSpan } from '../balance/scope.ts';
import { namesOfEntries } from '../../store/runs/entry-names.ts';

/** Entries booked after the moment of the run do not exist for it yet. */
export interface ProofMoment extends ProofSpan {
  at: Instant;
}

/**
 * Of matched groups only those can differ at the cut that are unequal or whose members lie on both sides of it
 * (or of an opening). Timing is for what agrees: all known entries, of whatever day or status, are held against the
 * movements, and where they differ that is `amount`, `fee` or `duplicate` at once. Only the rest is `late`, or
 * `pending` where it is not posted yet, and `state` once the older side is older than agingDays: books that date
 * their entry anew before every night put nothing off. Entries that are dated after
 * the run itself do not count: the movement is `platform_only`. An opening is crossed by equal groups of one
 * reference and by nothing else. A group whose sum agrees while its parts do not is a break of no difference. What
 * does not agree has the key of the group; what only lies apart stands beside it, or has that key where it is alone.
 */
export async function groupsAgree(
  trx: Transaction<Tables>,
  span: ProofMoment,
  agingDays: number,
): Promise<void> {
  await listGroupsThatMayDiffer(trx, span);
  await weighGroups(trx, span);
  await splitDifferences(trx);
  await sql`
    insert into found (account_no, item_key, class, severity, reference, platform_fen, ledger_fen,
      difference_fen, line, platform_ref, platform_state, platform_at, ledger_ref, ledger_state, ledger_at,
      counterparty, note)
    select account_no, key_head || group_key, class,
      case when class in ('late', 'pending') then 'timing' else 'break' end,
      reference, platform_fen, ledger_fen, difference_fen, true, reference, 'SUCCESS', platform_at,
      ledger_ref, ledger_state, ledger_at, counterparty, note
    from (
      select s.*, 'line:' as key_head, unequal_fen as difference_fen,
        case when unequal_fen = 0 then case when outcome = 'fee' or (outcome = 'duplicate' and apart_fen <> 0)
            then outcome else 'amount' end
          when ledger_known = 0 or (not is_exact and crossing_fen <> 0 and platform_cut_fen <> 0)
            then 'platform_only'
          when not is_exact and crossing_fen <> 0 then 'ledger_only'
          when outcome in ('duplicate', 'fee') then outcome
          else 'amount' end as class,
        case when unequal_fen = 0 and apart_fen = 0 then 'agrees in sum, but not in its parts'
          when unequal_fen = 0 then 'agrees since the opening; what the books have of it before is too much'
          when crossing_fen <> 0 then 'one side lies before the opening' else '' end as note
      from split s
      where disagrees
      union all
      select s.*, case when disagrees then 'line:rest:' else 'line:' end, rest_fen,
        case
          when is_aged then 'state'
          when pending_fen = 0 then 'late'
          else 'pending' end,
        case when is_aged and pending_fen = 0 then 'its two sides lie apart by the cut for too long' else '' end
      from split s
      cross join lateral (select least(platform_at, ledger_at)
        < ${span.cut}::timestamptz - make_interval(days => ${agingDays}) as is_aged) a
      where rest_fen <> 0
    ) x`.execute(trx);
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
    where e.booked_at >= ${span.cut}
    union
    select x.account_no, x.group_key from movement m join stage_scope s using (account_no)
      join match x on x.account_no = m.account_no and x.group_key = m.family || ':' || m.reference
    where m.effective_from >= ${span.cut}
    union
    ${beforeOpenings}`.execute(trx);
  await sql`analyze doubtful`.execute(trx);
}

/**
 * The groups of what lies before an opening: of an account mostly none, however much there is after it. Each account is
 * looked up for itself (`offset 0`), because how many there are cannot be guessed from all accounts together.
 */
const beforeOpenings = sql`
    select x.account_no, x.group_key from stage_scope s
      cross join lateral (select e.entry_no from ledger_entry e
        where e.account_no = s.account_no and e.booked_at < s.ledger_from offset 0) e
      cross join lateral (select x.account_no, x.group_key from match x where x.entry_no = e.entry_no offset 0) x
    union
    select x.account_no, x.group_key from stage_scope s
      cross join lateral (select m.family || ':' || m.reference as group_key from movement m
        where m.account_no = s.account_no and m.effective_from < s.baseline_at offset 0) m
      cross join lateral (select x.account_no, x.group_key from match x
        where x.account_no = s.account_no and x.group_key = m.group_key offset 0) x`;

/** Per group: what counts at the cut, what lies beyond it or before the openings, and what to show. */
async function weighGroups(trx: Transaction<Tables>, span: ProofMoment): Promise<void> {
  await sql`drop table if exists weighed`.execute(trx);
  const known = sql`e.booked_at <= ${span.at}`;
  await sql`
    create temporary table weighed on commit drop as
    select x.account_no, x.group_key, max(x.outcome) as outcome, bool_and(x.rule = 'reference') as is_exact,
      max(m.reference) as reference,
      sum(m.delta_fen)::bigint as platform_fen,
      coalesce(sum(e.amount_fen) filter (where ${known}), 0)::bigint as ledger_fen,
      coalesce(sum(m.delta_fen) filter (where m.effective_from >= s.baseline_at
        and m.effective_from < ${span.cut}), 0)::bigint as platform_cut_fen,
      coalesce(sum(e.amount_fen) filter (where e.status = 'posted' and e.booked_at >= s.ledger_from
        and e.booked_at < ${span.cut}), 0)::bigint as ledger_cut_fen,
      coalesce(sum(m.delta_fen) filter (where m.effective_from >= ${span.cut}), 0)::bigint as platform_beyond_fen,
      coalesce(sum(e.amount_fen) filter (where e.status = 'pending' and ${known}), 0)::bigint as pending_fen,
      (coalesce(sum(e.amount_fen) filter (where e.status = 'posted' and e.booked_at < s.ledger_from), 0)
        - coalesce(sum(m.delta_fen) filter (where m.effective_from < s.baseline_at), 0))::bigint as crossing_fen,
      coalesce(bool_or(m.effective_from < s.baseline_at), false) as moved_before,
      bool_or(m.effective_from < ${span.cut}) as has_come,
      max(x.outcome) in ('amount', 'fee', 'duplicate') and coalesce(sum(m.delta_fen), 0) = coalesce(sum(e.amount_fen), 0)
        and bool_and(e.entry_no is null or ${known}) as sum_agrees,
      coalesce(bool_or(m.effective_from >= s.baseline_at and m.effective_from < ${span.cut}), false)
        or coalesce(bool_or(e.status = 'posted' and e.booked_at >= s.ledger_from
          and e.booked_at < ${span.cut}), false) as is_at_cut, count(*) filter (where ${known}) as ledger_known,
      min(m.effective_from) as platform_at, min(e.booked_at) as ledger_at,
      coalesce(${namesOfEntries()}, '') as ledger_ref,
      coalesce(min(e.status), '') as ledger_state, coalesce(min(d.payer_name), '') as counterparty
    from doubtful g
    join stage_scope s using (account_no)
    join match x on x.account_no = g.account_no and x.group_key = g.group_key
    left join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
    left join ledger_entry e on e.entry_no = x.entry_no
    left join deposit d on d.account_no = m.account_no and d.order_no = m.reference and m.family = 'deposit'
    group by x.account_no, x.group_key`.execute(trx);
}

/**
 * The difference at the cut in its parts: what the entries lack of the movements, those before the cut or all of
 * them, whichever is nearer; what crosses an opening; the rest, which only lies on two sides of the cut. The parts may
 * cancel at the cut: what is booked once too often is told although the second entry is not posted, or not yet dated
 * there, or is dated before the opening, where nothing of it moved (`booked_before`). Of a group with nothing at the cut
 * nothing is said.
 */
async function splitDifferences(trx: Transaction<Tables>): Promise<void> {
  await sql`drop table if exists split`.execute(trx);
  await sql`
    create temporary table split on commit drop as
    select *, gap_fen - unequal_fen - carried_fen as rest_fen,
      unequal_fen <> 0 or sum_agrees or booked_before as disagrees
    from (
      select a.*, case when crosses then crossing_fen else 0 end as carried_fen,
        case when crosses then 0 else apart_fen + crossing_fen end as unequal_fen,
        apart_fen <> 0 and crossing_fen <> 0 and not moved_before as booked_before
      from (
        select w.*, d.*, apart_fen = 0 and is_exact as crosses
        from weighed w cross join lateral (
          select platform_cut_fen - ledger_cut_fen as gap_fen,
            case when has_come and (ledger_known = 0 or abs(lack_fen - platform_beyond_fen) < abs(lack_fen))
              then lack_fen - platform_beyond_fen else lack_fen end as apart_fen
          from (select coalesce(platform_fen, 0) - ledger_fen as lack_fen) k
        ) d
      ) a
    ) p
    where gap_fen <> 0 or (is_at_cut and (unequal_fen <> 0 or sum_agrees or booked_before))`.execute(trx);
}
