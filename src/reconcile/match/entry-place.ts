/**
 * Where a ledger entry belongs: the family it is compared with and the reference it carries. The books may name
 * an order by the platform's number or the company's; it is known here by the company's. Deposits have only the
 * platform's.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';

/** The family of entry `e` by its kind; a fee has none of its own. */
export const FAMILY_OF_KIND = sql`case e.kind
  when 'transfer_in' then 'transfer' when 'transfer_out' then 'transfer'
  when 'refund_in' then 'refund' when 'refund_out' then 'refund'
  when 'fee' then 'deposit'
  else e.kind end`;

/** The company's number of the order that entry `e` names; needs ALIAS_OF_ENTRY in the from clause. */
export const REFERENCE_OF_ENTRY = sql`coalesce(a.out_order_no, e.reference)`;
export const ALIAS_OF_ENTRY = aliasOf('e');

/**
 * Joins, as `a`, the order that an entry names by the platform's number. The company may have called an order what the
 * platform calls another one: on the accounts of its own the number is the company's.
 */
export function aliasOf(entry: string): RawBuilder<unknown> {
  const [account, kind, reference] = ['account_no', 'kind', 'reference'].map((name) =>
    sql.ref(`${entry}.${name}`),
  );
  return sql`left join order_alias a on a.order_no = ${reference} and ${kind} <> 'deposit'
    and not exists (select from transfer_order o where o.account_no = ${account} and o.out_order_no = ${reference})
    and not exists (select from transfer_order o where o.payee_account_no = ${account} and o.out_order_no = ${reference})
    and not exists (select from withdrawal o where o.account_no = ${account} and o.out_order_no = ${reference})`;
}

/** Entry `e` and movement `m` carry one reference; needs ALIAS_OF_ENTRY in the from clause. */
export const HAS_ITS_REFERENCE = sql`(m.reference = ${REFERENCE_OF_ENTRY}
  and (m.family = ${FAMILY_OF_KIND} or e.kind = 'fee'))`;

/** Families in the order in which their movements follow each other: the first of a reference is the least. */
export function familyOrder(family: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`array_position(array['transfer', 'settlement', 'refund', 'withdrawal', 'deposit'], ${family})`;
}

/**
 * Makes the temporary table `entry_place` (entry_no, family, reference) of all ledger entries the matching left
 * over. A fee no movement carries belongs to what the books themselves have open under its reference, else to
 * the order that is known by it, else to a deposit.
 */
export async function placeOpenEntries(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table entry_place on commit drop as
    select e.entry_no, e.account_no, e.kind, ${FAMILY_OF_KIND} as family,
      case e.kind when 'fee' then e.reference else ${REFERENCE_OF_ENTRY} end as reference,
      ${REFERENCE_OF_ENTRY} as order_reference
    from unmatched u join ledger_entry e on e.entry_no = u.item_key::bigint ${ALIAS_OF_ENTRY}
    where u.side = 'ledger'`.execute(trx);
  await sql`analyze entry_place`.execute(trx);
  await sql`
    update entry_place f set family = p.family, reference = p.reference
    from (
      select distinct on (f.entry_no) f.entry_no, o.family, o.reference
      from entry_place f
      cross join lateral (values (true, f.reference), (false, f.order_reference)) n (of_deposit, reference)
      join entry_place o on o.account_no = f.account_no and o.reference = n.reference
        and (o.family = 'deposit') = n.of_deposit and o.kind <> 'fee'
      where f.kind = 'fee' and f.reference <> ''
      order by f.entry_no, ${familyOrder(sql`o.family`)}
    ) p
    where p.entry_no = f.entry_no`.execute(trx);
  await sql`
    update entry_place f set family = o.family, reference = f.order_reference
    from (
      select f.entry_no, ${familyOfKnownOrder()} as family from entry_place f
      where f.kind = 'fee' and f.reference <> '' and f.family = 'deposit'
        and not exists (select from entry_place d where d.account_no = f.account_no and d.kind = 'deposit'
          and d.reference = f.reference)
    ) o
    where o.entry_no = f.entry_no and o.family is not null`.execute(trx);
}

function familyOfKnownOrder(): RawBuilder<unknown> {
  return sql`case
    when exists (select from transfer_order t
        where t.account_no = f.account_no and t.out_order_no = f.order_reference)
      or exists (select from transfer_order t
        where t.payee_account_no = f.account_no and t.out_order_no = f.order_reference)
      or exists (select from order_registry r
        where r.kind = 'transfer' and r.registered_as = f.order_reference) then 'transfer'
    when exists (select from withdrawal w
        where w.account_no = f.account_no and w.out_order_no = f.order_reference)
      or exists (select from order_registry r
        where r.kind = 'withdrawal' and r.registered_as = f.order_reference) then 'withdrawal' end`;
}
