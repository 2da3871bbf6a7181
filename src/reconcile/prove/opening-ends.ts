/**
 * What ends a difference of the openings (docs/reconciliation.md 3.11): what was stated or booked of them since it was
 * last found, what lies across them now or lay across them then, and what moved where the proof begins.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FindingRun } from '../balance/proof-request.ts';
import { ALIAS_OF_ENTRY, HAS_ITS_REFERENCE, REFERENCE_OF_ENTRY } from '../match/entry-place.ts';
import { OPENINGS } from '../match/opening-eras.ts';
import { BOOKED, COUNTED, LAST_FOUND_AT, cameSince, cutThen } from './came-since.ts';

/** Entries and movements count in an opening whatever the cut is. */
const WRITTEN = { entry: { no: sql`e.written_no` }, movement: { no: sql`m.written_no` } };

/**
 * What can have ended break `b`, an `opening` or a `period_changed`; of several what is nearest, of that amount where
 * there is one. Needs `stage_scope` and `split`.
 */
export const causesOfOpening = (run: FindingRun): RawBuilder<unknown> => sql`
  select cause, cleared_by from (
    select 0 as rank, 'entry' as cause, e.entry_id as cleared_by, abs(e.amount_fen) = abs(b.difference_fen) as is_of_it,
      e.written_no
    from ledger_entry e
    where e.account_no = b.account_no and e.kind = 'opening' and b.item_key <> 'period_changed'
      and (${cameSince(run, WRITTEN.entry)} or (e.current and e.booked_at > ${LAST_FOUND_AT}))
    union all
    select 1, 'statement', i.name, false, 0 from account a join intake_file i on i.file_id = a.opening_file_id
    where a.account_no = b.account_no and a.opening_since >= ${LAST_FOUND_AT}
      and (b.item_key = 'period_changed' or (b.item_key = 'opening' and ${IS_UNPROVEN}))
    union all
    select 2, 'entry', e.entry_id, false, e.written_no
    from split s join match x using (account_no, group_key) join ledger_entry e on e.entry_no = x.entry_no
    where s.account_no = b.account_no and s.carried_fen <> 0 and b.item_key <> 'period_changed'
      and ${cameSince(run, BOOKED)}
    union all
    ${entriesGone(run)}
    union all
    ${ofToldAcross(run)}
    union all
    select 3, 'record', m.reference, false, m.written_no
    from split s join match x using (account_no, group_key)
    join movement m on m.account_no = x.account_no and m.dedup_key = x.dedup_key
    where s.account_no = b.account_no and s.carried_fen <> 0 and b.item_key <> 'period_changed'
      and ${cameSince(run, COUNTED)}
    union all
    ${recordsGone(run)}
    union all
    ${entriesBetween(run)}
    union all
    ${recordsMoving(run)}
  ) o
  order by rank, is_of_it desc, written_no desc, cleared_by limit 1`;

/** Until an account is proven the list may state what it begins with. */
const IS_UNPROVEN = sql`not exists (select from proven_opening p where p.account_no = b.account_no)`;

/**
 * Entries that lay across the openings in a run that found the difference, by their reference alone, and were taken out
 * of the books since, or changed in what put them there.
 */
const entriesGone = (run: FindingRun): RawBuilder<unknown> => sql`
  select 2, 'entry', e.entry_id, abs(e.amount_fen) = abs(b.difference_fen), e.written_no
  from stage_scope s
  join ledger_entry e on e.account_no = s.account_no and not e.current and e.status = 'posted'
  join intake_file i on i.file_id = e.file_id ${ALIAS_OF_ENTRY}
  cross join lateral (select e.booked_at < s.ledger_from as is_before) l
  where s.account_no = b.account_no and b.item_key = 'opening' and ${cameSince(run, WRITTEN.entry)}
    and exists (
      select from break_found k join movement m on m.account_no = e.account_no and ${HAS_ITS_REFERENCE}
      where k.break_id = b.break_id and (m.effective_from < s.baseline_at) <> l.is_before
        and greatest(e.booked_at, m.effective_from) < ${cutThen(run)} and i.imported_at <= k.found_at
        and not exists (select from ledger_entry p where p.source = e.source and p.entry_id = e.entry_id
          and p.version < e.version and p.written_no > k.known_no))
    and not exists (select from ledger_entry c where c.source = e.source and c.entry_id = e.entry_id and c.current
      and (c.account_no, c.kind, c.amount_fen, c.reference, c.status) = (e.account_no, e.kind, e.amount_fen, e.reference, e.status)
      and (c.booked_at < s.ledger_from) = l.is_before)`;

/** Entries and records of what a proof had across an assumed opening, put back or changed. */
const ofToldAcross = (run: FindingRun): RawBuilder<unknown> => sql`
  select 2, 'entry', e.entry_id, abs(e.amount_fen) = abs(b.difference_fen), e.written_no
  from assumed_across g join ledger_entry e on e.account_no = g.account_no ${ALIAS_OF_ENTRY}
  where g.account_no = b.account_no and b.item_key = 'period_changed:ledger' and g.reference = ${REFERENCE_OF_ENTRY}
    and ${cameSince(run, WRITTEN.entry)}
  union all
  select 3, 'record', m.reference, abs(m.delta_fen) = abs(b.difference_fen), m.written_no
  from assumed_across g join movement m on m.account_no = g.account_no and m.reference = g.reference
  where g.account_no = b.account_no and b.item_key = 'period_changed:ledger' and ${cameSince(run, WRITTEN.movement)}`;

/**
 * Records that lay across the openings from an entry that a run which found the difference knew, and that were dated to
 * its side since. A side that only a balance decided is an assumption, and ends nothing.
 */
const recordsGone = (run: FindingRun): RawBuilder<unknown> => sql`
  select 3, 'record', m.reference, abs(m.delta_fen) = abs(b.difference_fen), m.written_no
  from stage_scope s
  join movement m on m.account_no = s.account_no and m.formerly_from is not null and not m.placed
  cross join lateral (select m.effective_from < s.baseline_at as is_before) l
  cross join lateral (values (m.formerly_from), (m.formerly_to)) f (at)
  where s.account_no = b.account_no and b.item_key = 'opening' and (f.at < s.baseline_at) <> l.is_before
    and ${cameSince(run, WRITTEN.movement)}
    and exists (
      select from break_found k
      join ledger_entry e on e.account_no = m.account_no and e.current and e.status = 'posted' ${ALIAS_OF_ENTRY}
      where k.break_id = b.break_id and e.written_no <= k.known_no and ${HAS_ITS_REFERENCE}
        and (e.booked_at < s.ledger_from) = l.is_before
        and greatest(e.booked_at, f.at) < ${cutThen(run)})`;

/** Entries that lie between the opening of the books in force and the one that they state now, where that counts. */
const entriesBetween = (run: FindingRun): RawBuilder<unknown> => sql`
  select 4, 'entry', e.entry_id, abs(e.amount_fen) = abs(b.difference_fen), e.written_no
  from stage_scope s
  cross join lateral (
    select coalesce(max(o.booked_at), s.baseline_at) as at from ledger_entry o
    where o.account_no = s.account_no and o.kind = 'opening' and o.current and o.status = 'posted'
      and o.booked_at <= ${run.at}) stated
  join ledger_entry e on e.account_no = s.account_no and e.kind <> 'opening'
    and e.booked_at >= least(s.ledger_from, stated.at) and e.booked_at < greatest(s.ledger_from, stated.at)
  where s.account_no = b.account_no and ${cameSince(run, WRITTEN.entry)}
    and (b.item_key = 'period_changed:ledger' or (b.item_key = 'opening' and exists (
      select from ledger_opening u where u.account_no = b.account_no and u.amount_fen is null)))`;

/**
 * Records that moved what the proof begins with: those that the first balance is rolled back over, where that is the
 * opening, and orders that were under way then; or those between the opening in force and the one of the list.
 */
const recordsMoving = (run: FindingRun): RawBuilder<unknown> => sql`
  select 5, 'record', r.reference, coalesce(abs(r.fen) = abs(b.difference_fen), false), r.written_no
  from (${MOVING_SPANS}) span
  cross join lateral (
    select m.reference, m.delta_fen as fen, m.written_no from movement m
    where m.account_no = b.account_no and ${cameSince(run, WRITTEN.movement)}
      and greatest(m.effective_from, m.formerly_to) >= span.from_at
      and least(m.effective_from, m.effective_to, m.formerly_from) <= span.to_at
    union all
    select t.reference, null, t.written_no from movement_taken_back t
    where t.account_no = b.account_no and t.counted_from <= span.to_at and t.reference <> ''
      and ${cameSince(run, { no: sql`t.written_no` })}
    union all
    select o.out_order_no, null, o.written_no
    from (
      select account_no, out_order_no, written_no from transfer_order
      where b.account_no in (account_no, payee_account_no)
      union all
      select account_no, out_order_no, written_no from withdrawal where account_no = b.account_no
    ) o join order_state_seen s using (account_no, out_order_no)
    where coalesce(s.since, s.open_since, s.first_final_at) <= span.to_at
      and coalesce(s.first_final_at, 'infinity') >= span.to_at and ${cameSince(run, { no: sql`o.written_no` })}
  ) r`;

const MOVING_SPANS = sql`
  select f.at as from_at, f.snapshot_closed_at as to_at
  from account_baseline f join (${OPENINGS}) o using (account_no)
  where f.account_no = b.account_no and o.stated_at is null and b.item_key <> 'period_changed:ledger'
  union all
  select least(s.baseline_at, a.opening_at), greatest(s.baseline_at, a.opening_at)
  from stage_scope s join account a using (account_no)
  where s.account_no = b.account_no and b.item_key = 'period_changed' and a.opening_at is not null`;
