/**
 * All that was registered of orders: what stands in the registry, and what a program registered of an order once more
 * and otherwise, which the registry dropped and the database kept (migration 0049). The platform is held against both.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { firstOfCompany } from './told-on.ts';

/** Whether the kept row `c` says what the registry's row does not; `r` is null where that is gone. */
export const SAYS_OTHERWISE = sql`((c.out_batch_no <> '' and c.out_batch_no is distinct from r.out_batch_no)
  or (c.batch_no <> '' and c.batch_no is distinct from r.batch_no)
  or (c.order_no <> '' and c.order_no is distinct from r.order_no)
  or (c.payer_account_no <> '' and c.payer_account_no is distinct from r.payer_account_no)
  or (c.payee_account_no <> '' and c.payee_account_no is distinct from r.payee_account_no)
  or (c.amount_fen is not null and c.amount_fen is distinct from r.amount_fen))`;

/** Whether `c` is of the order `r`, which may have got its own number since; each way by an index of its own. */
export const OF_ONE_ORDER = sql`((r.kind = c.kind and r.registered_as = c.registered_as)
  or (r.order_no <> '' and r.order_no = c.order_no and r.kind = c.kind and c.out_order_no = '')
  or (r.kind = 'transfer' and r.batch_no <> '' and r.batch_no = c.batch_no and r.kind = c.kind
    and c.out_order_no = '' and c.order_no = '' and r.out_order_no = '' and r.order_no = ''))`;

/** Rows as of `order_registry`. */
export const REGISTRATIONS: RawBuilder<unknown> = sql`(
  select kind, out_batch_no, out_order_no, batch_no, order_no, payer_account_no, payee_account_no, amount_fen,
    submitted_at, outcome, registered_as, true as stands
  from order_registry
  union all
  select c.kind, c.out_batch_no, c.out_order_no, c.batch_no, c.order_no, c.payer_account_no, c.payee_account_no,
    c.amount_fen, r.submitted_at, coalesce(r.outcome, 'unknown'), c.registered_as, false
  from order_contradiction c
  left join lateral (
    select r.* from order_registry r where ${OF_ONE_ORDER} order by r.registered_as limit 1
  ) r on true
  where c.settled_at is null and ${SAYS_OTHERWISE})`;

/** Whether registration `r` is of the withdrawal `w`, by either number: one of the two may be wrong. */
export const OF_WITHDRAWAL = sql`(r.registered_as = w.out_order_no or (r.order_no <> '' and r.order_no = w.order_no))`;

/** The company's number of the batch of order `r` of the registry, where it is known. */
const OWN_BATCH_NO = sql`coalesce(nullif(r.out_batch_no, ''),
  (select min(b.out_batch_no) from transfer_batch b where b.batch_no = r.batch_no and r.batch_no <> ''), '')`;

/**
 * What a program registered of an order once more and otherwise and no file has put right, one row a `member`: its
 * `value`, and what `stands`. Of a transfer `number` is that of the batch which was said last, else that of the order.
 * Told on the first of the company's accounts among those who are registered to pay and to be paid.
 */
export const REGISTERED_TWICE: RawBuilder<unknown> = sql`(
  select t.account_no, c.kind, r.payer_account_no, r.submitted_at, n.order_no,
    case c.kind when 'transfer' then coalesce(nullif(c.out_batch_no, ''), (select min(b.out_batch_no)
      from transfer_batch b where b.batch_no = c.batch_no), c.batch_no) else n.order_no end as number,
    m.name as member, m.value, m.stands
  from order_contradiction c
  cross join lateral (
    select r.* from order_registry r where ${OF_ONE_ORDER} order by r.registered_as limit 1
  ) r
  cross join lateral (select coalesce(nullif(r.out_order_no, ''), nullif(r.order_no, ''), '') as order_no) n
  cross join lateral (${firstOfCompany(sql`
    select p.* from (values (1, r.payer_account_no), (2, c.payer_account_no), (3, r.payee_account_no),
      (4, c.payee_account_no)) p (rank, account_no)`)}) t
  cross join lateral (values ('batch', c.out_batch_no, ${OWN_BATCH_NO}), ('batch', c.batch_no, r.batch_no),
    ('payer', c.payer_account_no, r.payer_account_no), ('payee', c.payee_account_no, r.payee_account_no),
    ('amount', c.amount_fen::text, r.amount_fen::text)) m (name, value, stands)
  where c.settled_at is null and m.value <> '' and m.stands <> '' and m.value <> m.stands)`;
