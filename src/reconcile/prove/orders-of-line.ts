/** What the platform shows of the order of an open line, and whose it is. */
import { sql } from 'kysely';
import { NO_ACCOUNT } from '../../store/orders/told-on.ts';

/** What the platform shows as line `b` of name `n`: an order of its family on its account. */
export const ORDERS_OF_LINE = sql`
  select account_no, out_order_no, written_no from transfer_order
  where l.family <> 'withdrawal' and account_no = b.account_no and out_order_no = n.name
  union all
  select account_no, out_order_no, written_no from transfer_order
  where l.family <> 'withdrawal' and payee_account_no = b.account_no and out_order_no = n.name
  union all
  select account_no, out_order_no, written_no from withdrawal
  where l.family = 'withdrawal' and account_no = b.account_no and out_order_no = n.name
  union all
  select account_no, out_order_no, written_no from transfer_order
  where l.family <> 'withdrawal' and b.account_no = ${NO_ACCOUNT} and out_order_no = n.name
  union all
  select account_no, out_order_no, written_no from withdrawal
  where l.family = 'withdrawal' and b.account_no = ${NO_ACCOUNT} and out_order_no = n.name`;

/**
 * Line `b` is the run's own because nobody knew who pays its order, and the platform shows it by now on an account of the
 * list that this run does not prove: what became of it there another one tells.
 */
export const IS_OF_OTHERS = sql`(b.account_no = ${NO_ACCOUNT} and exists (
  select from lapsed l join name_of_line n using (break_id) cross join lateral (${ORDERS_OF_LINE}) o
  join account a on a.account_no = o.account_no
  where l.break_id = b.break_id and a.account_no not in (select account_no from stage_scope)))`;
