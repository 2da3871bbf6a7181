/**
 * What there is to match: movements and ledger entries written since the last time, what was left over then,
 * and the members of groups that something new touches. Everything else stays matched and is not looked at.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';

export interface PoolRange {
  after: bigint;
  upTo: bigint;
}

/** The families a ledger kind is compared with; fees find theirs by reference. */
const FAMILY_OF_KIND = sql`case e.kind
  when 'transfer_in' then 'transfer' when 'transfer_out' then 'transfer'
  when 'refund_in' then 'refund' when 'refund_out' then 'refund'
  else e.kind end`;

/** Fills the temporary tables `pool_movement` and `pool_entry`. */
export async function fillPool(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  await collectEntries(trx, range);
  await collectMovements(trx, range);
  await assignFees(trx);
  await reopenGroups(trx, range);
  await sql`analyze pool_movement`.execute(trx);
  await sql`analyze pool_entry`.execute(trx);
}

async function collectEntries(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  await sql`
    create temporary table pool_entry on commit drop as
    select e.entry_no, e.account_no, ${FAMILY_OF_KIND} as family, e.kind, e.amount_fen, e.reference,
      e.counterparty, e.booked_at, e.status
    from ledger_entry e
    where e.written_no > ${range.after} and e.written_no <= ${range.upTo}
      and e.current and e.kind not in ('opening', 'adjustment')`.execute(trx);
  await sql`
    insert into pool_entry
    select e.entry_no, e.account_no, ${FAMILY_OF_KIND}, e.kind, e.amount_fen, e.reference,
      e.counterparty, e.booked_at, e.status
    from unmatched u join ledger_entry e on e.entry_no = u.item_key::bigint
    where u.side = 'ledger' and e.current and e.written_no <= ${range.after}`.execute(trx);
}

async function collectMovements(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  await sql`
    create temporary table pool_movement on commit drop as
    select m.account_no, m.dedup_key, m.family, m.kind, m.delta_fen, m.fee_fen, m.reference, m.effective_from
    from movement m
    where m.written_no > ${range.after} and m.written_no <= ${range.upTo}`.execute(trx);
  await sql`
    insert into pool_movement
    select m.account_no, m.dedup_key, m.family, m.kind, m.delta_fen, m.fee_fen, m.reference, m.effective_from
    from unmatched u join movement m on m.account_no = u.account_no and m.dedup_key = u.item_key
    where u.side = 'platform' and m.written_no <= ${range.after}`.execute(trx);
  await sql`delete from unmatched`.execute(trx);
}

/** A fee entry belongs to the kind whose fee it equals, else to the first of its reference. */
async function assignFees(trx: Transaction<Tables>): Promise<void> {
  await sql`
    update pool_entry e set family = coalesce((
      select m.family from movement m
      where m.account_no = e.account_no and m.dedup_key = any(array[
          'deposit:' || e.reference, 'transfer_out:' || e.reference, 'transfer_in:' || e.reference,
          'settlement:' || e.reference, 'withdrawal:' || e.reference])
      order by (m.fee_fen = abs(e.amount_fen)) desc, m.family limit 1), 'deposit')
    where e.kind = 'fee'`.execute(trx);
}

/**
 * Groups that are not equal, that lost a member or changed one, or whose reference something new carries,
 * give their members back.
 */
async function reopenGroups(trx: Transaction<Tables>, range: PoolRange): Promise<void> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from match) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`
    create temporary table reopened on commit drop as
    select account_no, group_key from match where outcome <> 'equal'
    union
    select x.account_no, x.group_key from match x join ledger_entry e on e.entry_no = x.entry_no
      and not e.current and e.written_no > ${range.after}
    union
    select x.account_no, x.group_key from pool_movement p
      join match x on x.account_no = p.account_no and x.group_key = p.family || ':' || p.reference
    union
    select x.account_no, x.group_key from pool_entry p
      join match x on x.account_no = p.account_no and x.group_key = p.family || ':' || p.reference
    where p.reference <> ''`.execute(trx);
  await sql`
    with gone as (
      delete from match x using reopened r
      where x.account_no = r.account_no and x.group_key = r.group_key
      returning x.account_no, x.dedup_key, x.entry_no
    ), movements as (
      insert into pool_movement
      select m.account_no, m.dedup_key, m.family, m.kind, m.delta_fen, m.fee_fen, m.reference, m.effective_from
      from gone g join movement m on m.account_no = g.account_no and m.dedup_key = g.dedup_key
      where not exists (select from pool_movement p
        where p.account_no = m.account_no and p.dedup_key = m.dedup_key)
    )
    insert into pool_entry
    select e.entry_no, e.account_no, ${FAMILY_OF_KIND}, e.kind, e.amount_fen, e.reference, e.counterparty,
      e.booked_at, e.status
    from gone g join ledger_entry e on e.entry_no = g.entry_no
    where e.current and not exists (select from pool_entry p where p.entry_no = e.entry_no)`.execute(trx);
  await assignFees(trx);
}
