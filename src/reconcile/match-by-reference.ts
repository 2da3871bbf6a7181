/**
 * What carries the same reference belongs together: per account, family and reference, the sum of the
 * movements against the sum of the entries (architecture 5, "Intake files"; spec/reconciliation.md 3.2).
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../store/schema.ts';

/**
 * Pairs what it can, takes the paired out of the pool and leaves the rest there. Where the sums differ the
 * outcome says what an accountant would call it:
 * pending — the entries are not posted yet; duplicate — each of several entries alone would be right;
 * fee — without fees both sides agree; amount — anything else.
 */
export async function matchByReference(trx: Transaction<Tables>): Promise<void> {
  await sumGroups(trx);
  await saveSimplePairs(trx);
  await saveWiderGroups(trx);
  await dropPaired(trx);
}

async function sumGroups(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table group_sum on commit drop as
    select account_no, family, reference, m.members as movement_count, e.members as entry_count,
      m.dedup_key, e.entry_no,
      case
        when e.pending_count = 0 and m.net_fen = e.posted_fen then 'equal'
        when e.posted_count = 0 then 'pending'
        when e.principal_count > 1 and e.principal_min = e.principal_max
          and e.principal_min in (m.net_fen, m.gross_fen) then 'duplicate'
        when e.principal_fen in (m.net_fen, m.gross_fen) then 'fee'
        else 'amount'
      end as outcome
    from (
      select account_no, family, reference, count(*) as members, min(dedup_key) as dedup_key,
        sum(delta_fen)::bigint as net_fen, sum(delta_fen + fee_fen)::bigint as gross_fen
      from pool_movement group by account_no, family, reference
    ) m
    join (
      select account_no, family, reference, count(*) as members, min(entry_no) as entry_no,
        coalesce(sum(amount_fen) filter (where status = 'posted'), 0)::bigint as posted_fen,
        count(*) filter (where status = 'posted') as posted_count,
        count(*) filter (where status = 'pending') as pending_count,
        coalesce(sum(amount_fen) filter (where status = 'posted' and kind <> 'fee'), 0)::bigint as principal_fen,
        count(*) filter (where status = 'posted' and kind <> 'fee') as principal_count,
        min(amount_fen) filter (where status = 'posted' and kind <> 'fee') as principal_min,
        max(amount_fen) filter (where status = 'posted' and kind <> 'fee') as principal_max
      from pool_entry where reference <> '' group by account_no, family, reference
    ) e using (account_no, family, reference)`.execute(trx);
}

async function saveSimplePairs(trx: Transaction<Tables>): Promise<void> {
  await sql`
    insert into match (account_no, group_key, line_no, dedup_key, entry_no, rule, outcome)
    select account_no, family || ':' || reference, 1, dedup_key, entry_no, 'reference', outcome
    from group_sum where movement_count = 1 and entry_count = 1`.execute(trx);
}

/** Groups of several members: they are laid side by side in a fixed order, the longer side with blanks. */
async function saveWiderGroups(trx: Transaction<Tables>): Promise<void> {
  await sql`
    insert into match (account_no, group_key, line_no, dedup_key, entry_no, rule, outcome)
    select account_no, family || ':' || reference, line_no, m.dedup_key, e.entry_no, 'reference', g.outcome
    from (
      select p.account_no, p.family, p.reference, p.dedup_key,
        row_number() over (partition by p.account_no, p.family, p.reference
          order by p.kind = 'fee', p.dedup_key) as line_no
      from pool_movement p join group_sum g using (account_no, family, reference)
      where g.movement_count > 1 or g.entry_count > 1
    ) m
    full join (
      select p.account_no, p.family, p.reference, p.entry_no,
        row_number() over (partition by p.account_no, p.family, p.reference
          order by p.kind = 'fee', p.booked_at, p.entry_no) as line_no
      from pool_entry p join group_sum g using (account_no, family, reference)
      where g.movement_count > 1 or g.entry_count > 1
    ) e using (account_no, family, reference, line_no)
    join group_sum g using (account_no, family, reference)`.execute(trx);
}

async function dropPaired(trx: Transaction<Tables>): Promise<void> {
  await sql`
    delete from pool_movement p using group_sum g
    where p.account_no = g.account_no and p.family = g.family and p.reference = g.reference`.execute(trx);
  await sql`
    delete from pool_entry p using group_sum g
    where p.account_no = g.account_no and p.family = g.family and p.reference = g.reference`.execute(trx);
}
