/**
 * What carries the same reference belongs together: per account, family and reference, the sum of the
 * movements against the sum of the entries (docs/architecture.md 5.4; docs/reconciliation.md 3.2).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';

/**
 * Pairs what it can; what it cannot goes to the tables `open_movement` and `open_entry`. Where the sums differ
 * the outcome says what an accountant would call it:
 * pending — they agree, but not all entries are posted yet; duplicate — each of several entries alone would be right;
 * fee — without fees both sides agree; amount — anything else, a sum that agrees while its parts do not included.
 */
export async function matchByReference(trx: Transaction<Tables>): Promise<void> {
  await sumGroups(trx);
  await holdPartsApart(trx);
  await findRepeated(trx);
  await saveRegularGroups(trx);
  await saveWiderGroups(trx);
  await keepTheRest(trx);
}

/**
 * Every reference of either side; those of one side alone have no outcome, and are neither regular nor not. Sums are of
 * any size: what one account's file adds up to must not stop the matching of all.
 */
async function sumGroups(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table group_sum on commit drop as
    select account_no, family, reference, m.principal_key, m.fee_key, e.principal_no, e.fee_no,
      case when m.members is not null and e.members is not null
        then m.members = (m.principal_key is not null)::integer + (m.fee_key is not null)::integer
          and e.members = (e.principal_no is not null)::integer + (e.fee_no is not null)::integer end as regular,
      case
        when m.members is null or e.members is null then null
        when m.net_fen = e.net_fen and (e.net_fen = e.principal_fen or e.principal_fen = m.gross_fen)
          then case e.pending_count when 0 then 'equal' else 'pending' end
        when m.net_fen = e.net_fen then 'amount'
        when e.principal_count > 1 and e.principal_min = e.principal_max
          and e.principal_min in (m.net_fen, m.gross_fen) then 'duplicate'
        when e.principal_fen in (m.net_fen, m.gross_fen) then 'fee'
        else 'amount'
      end as outcome
    from (
      select account_no, family, reference, count(*)::integer as members,
        min(dedup_key) filter (where kind <> 'fee') as principal_key,
        min(dedup_key) filter (where kind = 'fee') as fee_key,
        sum(delta_fen) as net_fen, sum(delta_fen + fee_fen) as gross_fen
      from pool_movement group by account_no, family, reference
    ) m
    full join (
      select account_no, family, reference, count(*)::integer as members,
        min(entry_no) filter (where kind <> 'fee') as principal_no,
        min(entry_no) filter (where kind = 'fee') as fee_no,
        sum(amount_fen) as net_fen,
        count(*) filter (where status = 'pending') as pending_count,
        coalesce(sum(amount_fen) filter (where kind <> 'fee'), 0) as principal_fen,
        count(*) filter (where kind <> 'fee') as principal_count,
        min(amount_fen) filter (where kind <> 'fee') as principal_min,
        max(amount_fen) filter (where kind <> 'fee') as principal_max
      from pool_entry where reference <> '' group by account_no, family, reference
    ) e using (account_no, family, reference)`.execute(trx);
  await sql`analyze group_sum (account_no, family, reference, regular, outcome)`.execute(trx);
}

/**
 * Both sides of a transfer to oneself, and orders that different payers gave one number, are compared each by
 * itself: errors in one do not make up for errors in another. What an account pays and what it is paid must agree
 * by kind; of several orders every amount must have its own.
 */
async function holdPartsApart(trx: Transaction<Tables>): Promise<void> {
  const group = sql`account_no, family, reference`;
  await sql`
    create temporary table several on commit drop as
    select ${group}, orders > 1 as of_orders from (
      select ${group}, count(distinct (p.kind, m.order_account)) as parts, count(distinct m.order_account) as orders
      from pool_movement p join group_sum g using (${group})
      join (select account_no, dedup_key, order_account from movement) m using (account_no, dedup_key)
      where p.kind <> 'fee' and g.outcome in ('equal', 'pending') and not g.regular
      group by ${group}
    ) n where parts > 1`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from several) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`
    update group_sum g set outcome = 'amount' from several s
    where (g.account_no, g.family, g.reference) = (s.account_no, s.family, s.reference) and not exists (
      select from (values (false, ''), (true, ''), (false, 'pays'), (false, 'is paid')) way (before_fees, fees_with)
      where (${partsOf(movementParts)}) = (${partsOf(entryParts)}))`.execute(trx);
}

const SAME_GROUP = sql`(p.account_no, p.family, p.reference) = (s.account_no, s.family, s.reference)`;

/** Amounts before or after the fees inside them; fees beside them apart, or with the side that bears them. */
const movementParts = sql`
  select case when p.kind <> 'fee' then p.kind else p.family || case when (p.family = 'transfer')
      = (way.fees_with = 'pays') then '_out' else '_in' end end,
    p.delta_fen + case when way.before_fees then p.fee_fen else 0 end
  from pool_movement p where ${SAME_GROUP} and (p.kind <> 'fee' or way.fees_with <> '')`;

const entryParts = sql`
  select p.kind, p.amount_fen from pool_entry p where ${SAME_GROUP} and p.kind <> 'fee'`;

/** The amounts of each kind: their sum, or one by one where they are of several orders. */
function partsOf(amounts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select coalesce(array_agg(kind || ' ' || fen order by kind, fen), '{}') from (
      select kind, sum(fen) as fen from (
        select kind, fen, case when s.of_orders then row_number() over () end as nth from (${amounts}) a (kind, fen)
      ) n group by kind, nth
    ) k where fen <> 0`;
}

/**
 * Where one reference has several movements (refunds, a settlement that came back, both sides of a transfer to
 * oneself), entries are duplicates when every movement has its own and the others repeat one that has.
 */
async function findRepeated(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table uneven on commit drop as
    select account_no, family, reference from group_sum
    where outcome = 'amount' and not regular`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from uneven) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`analyze uneven`.execute(trx);
  await sql`
    create temporary table uneven_amount on commit drop as
    select account_no, family, reference, p.delta_fen as net_fen, p.delta_fen + p.fee_fen as gross_fen, 1 as side
    from pool_movement p join uneven using (account_no, family, reference) where p.kind <> 'fee'
    union all
    select account_no, family, reference, p.amount_fen, p.amount_fen, -1
    from pool_entry p join uneven using (account_no, family, reference)
    where p.kind <> 'fee'`.execute(trx);
  for (const amount of ['net_fen', 'gross_fen']) {
    await sql`
      update group_sum g set outcome = 'duplicate'
      from (
        select account_no, family, reference
        from (
          select account_no, family, reference, count(*) filter (where side = 1) as movements,
            count(*) filter (where side = -1) as entries
          from uneven_amount group by account_no, family, reference, ${sql.ref(amount)}
        ) n
        group by account_no, family, reference
        having bool_and(movements > 0 and entries >= movements) and sum(entries) > sum(movements)
      ) d
      where (g.account_no, g.family, g.reference) = (d.account_no, d.family, d.reference)`.execute(trx);
  }
}

/**
 * At most one principal and one fee on either side: a line for each. In the order of the books, which is sorted by a number
 * and fills one index at its end: by the long keys of the other one, sorting took more than it saved.
 */
async function saveRegularGroups(trx: Transaction<Tables>): Promise<void> {
  await sql`
    insert into match (account_no, group_key, line_no, dedup_key, entry_no, rule, outcome)
    select account_no, family || ':' || reference, line_no, dedup_key, entry_no, 'reference', outcome
    from group_sum
    cross join lateral (
      values (1, principal_key, principal_no), (2, fee_key, fee_no)
    ) line (line_no, dedup_key, entry_no)
    where regular and (dedup_key is not null or entry_no is not null)
    order by entry_no`.execute(trx);
}

/** Groups of more members: they are laid side by side in a fixed order, the longer side with blanks. */
async function saveWiderGroups(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table wide on commit drop as
    select account_no, family, reference, outcome from group_sum where not regular`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from wide) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`analyze wide`.execute(trx);
  await sql`
    insert into match (account_no, group_key, line_no, dedup_key, entry_no, rule, outcome)
    select account_no, family || ':' || reference, line_no, m.dedup_key, e.entry_no, 'reference', w.outcome
    from (
      select p.account_no, p.family, p.reference, p.dedup_key,
        row_number() over (partition by p.account_no, p.family, p.reference
          order by p.kind = 'fee', p.dedup_key) as line_no
      from pool_movement p join wide using (account_no, family, reference)
    ) m
    full join (
      select p.account_no, p.family, p.reference, p.entry_no,
        row_number() over (partition by p.account_no, p.family, p.reference
          order by p.kind = 'fee', p.booked_at, p.entry_no) as line_no
      from pool_entry p join wide using (account_no, family, reference)
    ) e using (account_no, family, reference, line_no)
    join wide w using (account_no, family, reference)`.execute(trx);
}

/** What has no reference is in no group. */
async function keepTheRest(trx: Transaction<Tables>): Promise<void> {
  const ofOneSide = sql`group_sum g on g.outcome is null
      and g.account_no = p.account_no and g.reference = p.reference and g.family = p.family`;
  await sql`
    create temporary table open_movement on commit drop as
    select p.* from pool_movement p join ${ofOneSide}`.execute(trx);
  await sql`
    create temporary table open_entry on commit drop as
    select p.* from pool_entry p left join ${ofOneSide}
    where p.reference = '' or g.account_no is not null`.execute(trx);
  await sql`analyze open_movement`.execute(trx);
  await sql`analyze open_entry`.execute(trx);
}
