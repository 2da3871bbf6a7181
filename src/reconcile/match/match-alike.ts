/**
 * Deposits whose entries carry no reference: one to one by account, amount, payer and date within a day, as a
 * multiset. Records alike in everything that matters are interchangeable; a tie whose pairing would make a
 * difference is marked ambiguous and never guessed (docs/reconciliation.md 3.2).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';
import { LIKENESSES } from './likenesses.ts';
import type { Likeness } from './likenesses.ts';
import { OPENINGS, eraOf } from './opening-eras.ts';

/** What look-alikes share. */
const CLASS = sql`account_no, amount_fen, who, era`;

export async function matchAlike(trx: Transaction<Tables>, timeZone: string): Promise<void> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from open_entry where reference = '' and kind = 'deposit')
      and exists (select from open_movement where family = 'deposit') as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await makeCandidates(trx, timeZone);
  await listFormer(trx);
  for (const likeness of LIKENESSES) await matchOneWay(trx, likeness);
  await sql`
    delete from open_movement p using taken t
    where t.side = 'm' and p.account_no = t.account_no and p.family = 'deposit'
      and p.family || ':' || p.reference = t.item_key`.execute(trx);
  await sql`delete from open_entry p using taken t where t.side = 'e' and p.entry_no::text = t.item_key`.execute(
    trx,
  );
}

/** One candidate a deposit (with its fee) and one an entry; `taken` and `tied` collect what is decided. */
async function makeCandidates(trx: Transaction<Tables>, timeZone: string): Promise<void> {
  await sql`
    create temporary table alike_deposit on commit drop as
    select p.account_no, 'deposit:' || p.reference as item_key, min(p.reference) as order_no,
      sum(p.delta_fen)::bigint as net_fen, sum(p.delta_fen + p.fee_fen)::bigint as gross_fen,
      (min(p.effective_from) at time zone ${timeZone})::date as day, min(p.effective_from) as at,
      min(d.payer_name) as payer_name, min(d.payer_bank_no) as payer_bank_no,
      min(d.payer_acct_no) as payer_acct_no, ${eraOf(sql`min(p.effective_from)`)} as era
    from open_movement p
    left join deposit d on d.account_no = p.account_no and d.order_no = p.reference
    left join (${OPENINGS}) o on o.account_no = p.account_no
    where p.family = 'deposit'
    group by p.account_no, p.reference, o.baseline_at, o.ledger_from`.execute(trx);
  await sql`
    create temporary table alike_entry on commit drop as
    select e.account_no, entry_no::text as item_key, entry_no, amount_fen, counterparty, status,
      (booked_at at time zone ${timeZone})::date as day, booked_at as at, ${eraOf(sql`booked_at`)} as era
    from open_entry e left join (${OPENINGS}) o on o.account_no = e.account_no
    where reference = '' and kind = 'deposit'`.execute(trx);
  await sql`create temporary table taken (account_no text collate "C", side text, item_key text collate "C")
    on commit drop`.execute(trx);
  await sql`create temporary table tied (account_no text collate "C", side text, item_key text collate "C")
    on commit drop`.execute(trx);
}

/** `former`: deposits that were paired before and may be again, and how. What says more of them does not take them. */
async function listFormer(trx: Transaction<Tables>): Promise<void> {
  await sql`create temporary table former (account_no text collate "C", item_key text collate "C", amount text, rule text)
    on commit drop`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from former_pair) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  for (const likeness of LIKENESSES) {
    await listItems(trx, likeness);
    await sql`
      insert into former select account_no, m_key, ${likeness.amount}, ${likeness.rule}
      from (${FORMER_PAIRS}) p`.execute(trx);
  }
  await sql`analyze former`.execute(trx);
}

async function matchOneWay(trx: Transaction<Tables>, likeness: Likeness): Promise<void> {
  await listItems(trx, likeness);
  const { rows } = await sql<{ any: boolean; former: boolean }>`
    select exists (select from item) as any, exists (select from item where kept <> 0) as former`.execute(
    trx,
  );
  if (rows[0]?.any !== true) return;
  const { former } = rows[0];
  await clusterItems(trx);
  if (former) await pairWholeClusters(trx, likeness, sql`kept`);
  await pairWholeClusters(trx, likeness);
  // Some are left over however they are paired.
  if (former) await savePairs(trx, likeness, FORMER_PAIRS);
  await pairSameDay(trx, likeness);
  await pairWholeClusters(trx, likeness);
  await pairNeighbouringDays(trx, likeness);
  await markTies(trx);
}

/** The still open items of this likeness, where both sides have some of the same account, amount and payer. */
async function listItems(trx: Transaction<Tables>, { payer, amount, rule }: Likeness): Promise<void> {
  const who = payer === 'anyone' ? sql`''` : sql`d.${sql.ref(payer)}`;
  const claim = payer === 'anyone' ? sql`e.counterparty = ''` : sql`e.counterparty <> ''`;
  const feeOnly = amount === 'gross_fen' ? sql`and d.gross_fen <> d.net_fen` : sql``;
  await sql`drop table if exists item`.execute(trx);
  await sql`
    create temporary table item on commit drop as
    with m as (
      select d.account_no, d.${sql.ref(amount)} as amount_fen, ${who} as who, d.era, d.day, d.at,
        d.item_key,
        d.payer_name || '/' || d.payer_bank_no || '/' || d.payer_acct_no as payer
      from alike_deposit d
      where not exists (select from taken t where t.side = 'm' and t.account_no = d.account_no and t.item_key = d.item_key)
        and not exists (select from tied t where t.side = 'm' and t.account_no = d.account_no and t.item_key = d.item_key)
        and not exists (select from former f where f.account_no = d.account_no and f.item_key = d.item_key
          and f.amount = ${amount} and f.rule <> ${rule})
        ${feeOnly}
    ), e as (
      select e.account_no, e.amount_fen, case when ${payer === 'anyone'} then '' else e.counterparty end as who,
        e.era, e.day, e.at, e.item_key, e.status
      from alike_entry e
      where ${claim}
        and not exists (select from taken t where t.side = 'e' and t.account_no = e.account_no and t.item_key = e.item_key)
        and not exists (select from tied t where t.side = 'e' and t.account_no = e.account_no and t.item_key = e.item_key)
    ), class as (
      select ${CLASS} from m intersect select ${CLASS} from e
    )
    select 'm' as side, ${CLASS}, day, at, item_key, payer, '' as status, 0 as cluster, 0 as kept
    from m join class using (${CLASS})
    union all
    select 'e', ${CLASS}, day, at, item_key, '', status, 0, 0
    from e join class using (${CLASS})`.execute(trx);
  await keepFormerPairs(trx);
}

/** Items of one class that a chain of days with no gap above one day connects share a cluster. */
async function clusterItems(trx: Transaction<Tables>): Promise<void> {
  await sql`
    delete from item i using taken t
    where t.side = i.side and t.account_no = i.account_no and t.item_key = i.item_key`.execute(trx);
  await sql`
    update item i set cluster = c.cluster from (
      select side, account_no, item_key,
        sum(case when day - before > 1 then 1 else 0 end)
          over (partition by ${CLASS} order by day, side, item_key)::integer as cluster
      from (select *, lag(day) over (partition by ${CLASS} order by day, side, item_key) as before
            from item) x
    ) c
    where c.side = i.side and c.account_no = i.account_no and c.item_key = i.item_key`.execute(trx);
}

/**
 * Which of what is alike is left over must not change with every entry that is written anew: items that were paired
 * before, and may be, share a number.
 */
async function keepFormerPairs(trx: Transaction<Tables>): Promise<void> {
  await sql`
    with pair as (
      select f.account_no, m.item_key as m_key, e.item_key as e_key,
        (row_number() over (order by m.account_no, m.at, m.item_key))::integer as nth
      from former_pair f
      join item m on m.side = 'm' and m.account_no = f.account_no and m.item_key = f.deposit_key
      join item e on e.side = 'e' and e.account_no = f.account_no and e.item_key = f.entry_no::text
        and (e.amount_fen, e.who, e.era) = (m.amount_fen, m.who, m.era) and abs(e.day - m.day) <= 1
    )
    update item i set kept = p.nth from pair p
    where i.account_no = p.account_no and i.item_key = case i.side when 'm' then p.m_key else p.e_key end`.execute(
    trx,
  );
}

/**
 * Where each deposit of a cluster has an entry: the first the first, the second the second … within a day.
 * @param apart SQL: what is to be paired with its like only, each within itself
 */
async function pairWholeClusters(
  trx: Transaction<Tables>,
  likeness: Likeness,
  apart: RawBuilder<unknown> = sql`0`,
): Promise<void> {
  await savePairs(
    trx,
    likeness,
    sql`
    with ranked as (
      select *, ${apart} as part, row_number() over (partition by side, ${CLASS}, cluster, ${apart}
        order by day, at, item_key) as rank from item
    ), paired as (
      select ${CLASS}, cluster, m.item_key as m_key, e.item_key as e_key, e.status, abs(m.day - e.day) as apart
      from (select * from ranked where side = 'm') m
      left join (select * from ranked where side = 'e') e using (${CLASS}, cluster, part, rank)
    ), whole as (
      select ${CLASS}, cluster from paired group by ${CLASS}, cluster
      having bool_and(coalesce(apart <= 1, false))
    )
    select p.account_no, p.m_key, p.e_key, p.status from paired p
    join whole using (${CLASS}, cluster)`,
  );
}

/** Days of which what is paired makes no difference, whichever deposits and entries they are. */
const CLEAR_DAYS = sql`
  select ${CLASS}, day from item group by ${CLASS}, day
  having count(*) filter (where side = 'e') >= count(*) filter (where side = 'm')
    or count(distinct payer) filter (where side = 'm') = 1 or min(who) <> ''
    or bool_and(kept <> 0) filter (where side = 'm')`;

/** Those that were paired before, where it makes no difference. */
const FORMER_PAIRS = sql`
  select m.account_no, m.item_key as m_key, e.item_key as e_key, e.status
  from (select * from item where side = 'm') m join (${CLEAR_DAYS}) clear using (${CLASS}, day)
  join item e on e.side = 'e' and e.kept = m.kept and e.kept <> 0`;

/**
 * Of one day, as many as both sides have. Deposits of several payers that only "anyone" makes alike are not
 * interchangeable: they are paired only when none of them is left over.
 */
async function pairSameDay(trx: Transaction<Tables>, likeness: Likeness): Promise<void> {
  await savePairs(
    trx,
    likeness,
    sql`
    with ranked as (
      select *, row_number() over (partition by side, ${CLASS}, day order by at, item_key) as rank from item
    )
    select m.account_no, m.item_key as m_key, e.item_key as e_key, e.status
    from (select * from ranked where side = 'm') m
    join (select * from ranked where side = 'e') e using (${CLASS}, day, rank)
    join (${CLEAR_DAYS}) clear using (${CLASS}, day)`,
  );
}

/** What is left lies on one day here and on the next day there: again as many as both sides have. */
async function pairNeighbouringDays(trx: Transaction<Tables>, likeness: Likeness): Promise<void> {
  await savePairs(
    trx,
    likeness,
    sql`
    with ranked as (
      select *, row_number() over (partition by side, ${CLASS}, cluster
        order by at, item_key) as rank from item
    ), clear as (
      select ${CLASS}, cluster from item group by ${CLASS}, cluster
      having count(distinct day) filter (where side = 'm') = 1 and count(distinct day) filter (where side = 'e') = 1
        and (count(distinct payer) filter (where side = 'm') = 1 or min(who) <> ''
          or count(*) filter (where side = 'e') >= count(*) filter (where side = 'm'))
        and min(day) filter (where side = 'm') <> min(day) filter (where side = 'e')
    )
    select m.account_no, m.item_key as m_key, e.item_key as e_key, e.status
    from ranked m join ranked e using (${CLASS}, cluster, rank)
    join clear using (${CLASS}, cluster)
    where m.side = 'm' and e.side = 'e'`,
  );
}

/**
 * Pairs go to `match` with the group of their deposit; a fee movement of the deposit goes along. What is left is
 * clustered anew.
 */
async function savePairs(
  trx: Transaction<Tables>,
  { rule, amount }: Likeness,
  pairs: RawBuilder<unknown>,
): Promise<void> {
  const outcome =
    amount === 'gross_fen' ? sql`'fee'` : sql`case p.status when 'pending' then 'pending' else 'equal' end`;
  await sql`drop table if exists pair`.execute(trx);
  await sql`create temporary table pair on commit drop as ${pairs}`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from pair) as any`.execute(trx);
  if (rows[0]?.any !== true) return;
  await sql`
    insert into match (account_no, group_key, line_no, dedup_key, entry_no, rule, outcome)
    select p.account_no, p.m_key, row_number() over (partition by m.account_no, p.m_key order by m.kind = 'fee', m.dedup_key),
      m.dedup_key, case when m.kind = 'fee' then null else p.e_key::bigint end, ${rule},
      ${outcome}
    from pair p join open_movement m
      on m.account_no = p.account_no and m.family = 'deposit' and 'deposit:' || m.reference = p.m_key`.execute(
    trx,
  );
  await sql`
    insert into taken select account_no, 'm', m_key from pair
    union all select account_no, 'e', e_key from pair`.execute(trx);
  await clusterItems(trx);
}

/** What still shares a cluster could be paired in more than one way, and which one makes a difference. */
async function markTies(trx: Transaction<Tables>): Promise<void> {
  await sql`
    insert into tied
    select i.account_no, i.side, i.item_key from item i
    join (select ${CLASS}, cluster from item group by ${CLASS}, cluster
          having count(distinct side) = 2) c using (${CLASS}, cluster)`.execute(trx);
}
