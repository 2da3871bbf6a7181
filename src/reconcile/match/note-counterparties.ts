/** The books may name one account as the counterparty of an entry and, by its reference, an order with another. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../../store/schema/schema.ts';

/**
 * Notes with each entry matched now which other account of the list it names, where no order of its reference has that
 * account, or one that it replaced or that replaced it, on its other side. A name that is no account's, and an order
 * that states no other side, contradict nothing.
 */
export async function noteCounterparties(trx: Transaction<Tables>): Promise<void> {
  await sql`
    create temporary table booked_otherwise on commit drop as
    select n.entry_no, n.named
    from (
      select p.entry_no, p.account_no, p.reference, c.account_no as named, c.replaced_by
      from pool_entry p join account c on c.account_no = p.counterparty collate "C"
      where p.kind in ('transfer_in', 'transfer_out', 'refund_in', 'refund_out') and p.reference <> ''
        and c.account_no <> p.account_no
    ) n
    join transfer_order t on t.out_order_no = n.reference and n.account_no in (t.account_no, t.payee_account_no)
    cross join lateral (
      select case when t.account_no = n.account_no then t.payee_account_no else t.account_no end as account_no) o
    left join account r on r.account_no = o.account_no
    group by n.entry_no, n.named, n.replaced_by
    having bool_and(o.account_no not in ('', n.named, coalesce(n.replaced_by, ''))
      and r.replaced_by is distinct from n.named)`.execute(trx);
  const { rows } = await sql<{ any: boolean }>`select exists (select from booked_otherwise) as any`.execute(
    trx,
  );
  if (rows[0]?.any !== true) return;
  await sql`analyze booked_otherwise`.execute(trx);
  await sql`
    update match x set booked_with = b.named from booked_otherwise b
    where x.entry_no = b.entry_no and x.rule = 'reference'`.execute(trx);
}
