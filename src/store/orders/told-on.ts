/** Whoever pays an order, what is wrong with it is told on one account of the company, else by the run itself. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** The account of what concerns the run as a whole. */
export const NO_ACCOUNT = '';

/**
 * A query of one row, `account_no`: the first of these accounts that is on the company's list; else NO_ACCOUNT.
 * @param accounts SQL: rows of `rank` and `account_no`, the nearest first
 */
export function firstOfCompany(accounts: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select coalesce((array_agg(a.account_no order by c.rank, a.account_no) filter (where a.account_no is not null))[1],
      ${NO_ACCOUNT}) as account_no
    from (${accounts}) c left join account a on a.account_no = c.account_no`;
}

/**
 * The same for an order or batch that the platform shows (docs/reconciliation.md 3.9): its payer; who was registered
 * to pay, then to be paid; who is paid.
 * @param order SQL: `kind` is transfer or withdrawal, `account` the payer as stated, `number` the company's number of the
 *   order or of its batch
 * @param nearest SQL: an account that comes before all of them, or null
 */
export function toldOn(
  order: Record<'kind' | 'account' | 'number', RawBuilder<unknown>>,
  nearest: RawBuilder<unknown> = sql`null`,
): RawBuilder<unknown> {
  const { kind, account, number } = order;
  return sql`
    with n as (select ${kind} as kind, ${account} as account_no, ${number} as number, ${nearest} as nearest),
    r as (
      select r.payer_account_no, r.payee_account_no from n
      join order_registry r on r.kind = n.kind and r.registered_as = n.number
      union all
      select r.payer_account_no, r.payee_account_no from n
      join order_registry r on r.kind = 'transfer' and r.out_batch_no = n.number
      where n.kind = 'transfer'
      union all
      select r.payer_account_no, r.payee_account_no from n
      join transfer_order o on o.account_no = n.account_no and o.out_order_no = n.number
      join order_registry r on r.kind = 'transfer' and r.registered_as = 'order:' || o.order_no
      where n.kind = 'transfer'
      union all
      select r.payer_account_no, r.payee_account_no from n
      join transfer_batch b on b.account_no = n.account_no and b.out_batch_no = n.number
      join order_registry r on r.kind = 'transfer' and r.batch_no = b.batch_no and r.batch_no <> ''
      where n.kind = 'transfer'
      union all
      select r.payer_account_no, r.payee_account_no from n
      join withdrawal w on w.account_no = n.account_no and w.out_order_no = n.number
      join order_registry r on r.kind = 'withdrawal' and r.registered_as = 'order:' || w.order_no
      where n.kind = 'withdrawal'
    ), paid as (
      select o.payee_account_no as account_no from n
      join transfer_order o on o.account_no = n.account_no and o.out_order_no = n.number
      where n.kind = 'transfer'
      union all
      select o.payee_account_no from n
      join transfer_order o on o.account_no = n.account_no and o.out_batch_no = n.number
      where n.kind = 'transfer'
    )
    ${firstOfCompany(sql`
      select 0 as rank, nearest as account_no from n
      union all select 1, account_no from n
      union all select 2, payer_account_no from r
      union all select 3, payee_account_no from r
      union all select 4, account_no from paid`)}`;
}

/**
 * Once a transfer has moved, a word of its settlement that nobody knows is about money on the payee's account: the payee
 * of fault `f` of order `o`, else null. The note names the member, because the class does not tell it from a word of the
 * transfer itself.
 */
export const PAYEE_CONCERNED = sql`case when f.class = 'unknown_state' and o.effective_state = 'moved'
  and f.note like 'settleState %' then o.payee_account_no end`;
