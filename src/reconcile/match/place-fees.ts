/**
 * Fee entries find the movements they belong to. A fee belongs to the kind whose fee it equals, else to the
 * first of its reference that is not matched (docs/architecture.md 5.4). Of several kinds with that fee it
 * is the one that lacks it in the books, and of several such fees each takes its own. A fee that no kind lacks goes where
 * one of the other sign goes, so that what was taken and given back evens out.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { aliasOf, familyOrder } from './entry-place.ts';

/**
 * Sets family and reference of the fee entries in `left_entry`; what has no movement stays with the deposits. To
 * be called when all that carries their references is unmatched.
 */
export async function placeFees(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table fee_entry on commit drop as
    select l.entry_no, l.account_no, l.amount_fen, l.reference,
      coalesce(a.out_order_no, l.reference) as order_reference,
      row_number() over (partition by l.account_no, coalesce(a.out_order_no, l.reference), l.amount_fen
        order by l.booked_at, l.entry_no) as nth
    from left_entry l ${aliasOf('l')}
    where l.kind = 'fee' and l.reference <> ''`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from fee_entry) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`analyze fee_entry`.execute(trx);
  await listCandidates(trx);
  await sql`
    update left_entry l set family = c.family, reference = c.reference
    from fee_claim c where c.entry_no = l.entry_no and not c.contested`.execute(trx);
  await placeContestedFees(trx);
}

/** The movements under the reference of each fee entry of an order, and whether several kinds are among them. */
async function listCandidates(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table fee_candidate on commit drop as
    select f.entry_no, p.family, p.reference, p.dedup_key, p.fee_fen = -f.amount_fen as equal
    from fee_entry f join pool_movement p on p.account_no = f.account_no and p.reference = f.order_reference
    where p.family <> 'deposit'`.execute(trx);
  await sql`
    insert into fee_candidate
    select f.entry_no, p.family, p.reference, p.dedup_key, p.fee_fen = -f.amount_fen
    from fee_entry f join pool_movement p on p.account_no = f.account_no and p.reference = f.reference
    where p.family = 'deposit' and f.entry_no in (select entry_no from fee_candidate)`.execute(trx);
  await sql`
    create temporary table fee_claim on commit drop as
    select entry_no, min(family) as family, min(reference) as reference, min(family) <> max(family) as contested,
      case when min(family) filter (where equal) = max(family) filter (where equal)
        then min(family) filter (where equal) end as equal_family,
      min(reference) filter (where equal) as equal_reference
    from fee_candidate group by entry_no`.execute(trx);
}

async function placeContestedFees(trx: Transaction<Tables>): Promise<void> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from fee_claim where contested) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await findGaps(trx);
  await sql`
    with slot as (
      select c.*, e.account_no, e.amount_fen, e.nth as entry_nth, row_number() over (
        partition by c.entry_no, c.equal, c.family order by c.dedup_key) as family_nth,
        min(e.amount_fen) filter (where c.goes_there) over alike
          < max(e.amount_fen) filter (where c.goes_there) over alike as evened
      from (
        select *, equal or not bool_or(equal) over (partition by entry_no) as goes_there from fee_candidate) c
      join fee_entry e using (entry_no) join fee_claim f using (entry_no)
      where f.contested
      window alike as (partition by e.account_no, e.order_reference, c.family, abs(e.amount_fen))
    ), candidate as (
      select s.*, coalesce(g.gap_fen, 0) <> 0 as open, coalesce(case
        when s.equal then g.gap_fen / nullif(s.amount_fen, 0) >= s.family_nth
        else g.gap_fen = s.amount_fen end, false) as lacks
      from slot s
      left join fee_gap g on g.account_no = s.account_no and g.family = s.family and g.reference = s.reference
    ), ranked as (
      select *, row_number() over (partition by entry_no, equal
        order by lacks desc, evened desc, open desc, ${familyOrder(sql`family`)}, dedup_key) as nth
      from candidate
    ), chosen as (
      select distinct on (entry_no) entry_no, family, reference from ranked
      order by entry_no, equal desc, (equal and nth = entry_nth) desc, nth
    )
    update left_entry l set family = c.family, reference = c.reference
    from chosen c where c.entry_no = l.entry_no`.execute(trx);
}

/** What each of the kinds that could have a fee still lacks in the books, fees that are clear counted. */
async function findGaps(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table fee_gap on commit drop as
    with choice as (
      select distinct f.account_no, c.family, c.reference
      from fee_candidate c join fee_entry f using (entry_no) join fee_claim k using (entry_no)
      where k.contested
    )
    select account_no, family, reference, sum(fen) as gap_fen
    from (
      select account_no, family, reference, p.delta_fen as fen
      from pool_movement p join choice using (account_no, family, reference)
      union all
      select account_no, family, reference, -p.amount_fen
      from pool_entry p join choice using (account_no, family, reference) where p.kind <> 'fee'
      union all
      select f.account_no, k.equal_family, k.equal_reference, -f.amount_fen
      from fee_claim k join fee_entry f using (entry_no) where k.equal_family is not null
    ) x
    group by account_no, family, reference`.execute(trx);
}
