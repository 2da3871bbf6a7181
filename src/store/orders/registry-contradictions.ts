/** What rows of an orders file contradict: each other, or what is registered of their order already. */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Tables } from '../schema/schema.ts';
import { REGISTERED_AS } from './order-registry.ts';

/** Two rows of a file that cannot both be true. */
export interface Contradiction {
  row: number;
  /** `amount` stands for either of its columns. */
  column: string;
  /** Instants are in UTC, amounts in fen. */
  value: string;
  firstRow: number;
  firstValue: string;
  /** What both rows speak of: `order`, or the column of a number that both have. */
  same: string;
}

/** What a row says of its order, and which of two numbers that belong together it pairs. */
const STATEMENTS = sql`
  select n.row_no, n.kind || ' ' || ${REGISTERED_AS} as key, 'order' as same, c.name, c.value
  from stage_order n
  cross join lateral (values ('out_batch_no', n.out_batch_no), ('batch_no', n.batch_no), ('order_no', n.order_no),
    ('payer_account_no', n.payer_account_no), ('payee_account_no', n.payee_account_no),
    ('amount', n.amount_fen::text), ('outcome', n.outcome),
    ('submitted_at', to_char(n.submitted_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) c (name, value)
  where n.kind is not null and c.value <> ''
  union all
  select n.row_no, n.kind || ' ' || c.number, c.same, c.name, c.value
  from stage_order n
  cross join lateral (values ('order_no', n.order_no, 'out_order_no', n.out_order_no),
    ('batch_no', n.batch_no, 'out_batch_no', n.out_batch_no),
    ('out_batch_no', n.out_batch_no, 'batch_no', n.batch_no)) c (same, number, name, value)
  where n.kind is not null and c.number <> '' and c.value <> ''`;

/** Rows that an earlier row contradicts: the first of them, and how many there are. */
export async function contradictingOrders(
  trx: Transaction<Tables>,
  limit: number,
): Promise<{ first: Contradiction[]; count: number }> {
  const { rows } = await sql<Contradiction & { count: number }>`
    with compared as (
      select said.*, first_value(row_no) over earlier as first_row, first_value(value) over earlier as first_value
      from (${STATEMENTS}) said window earlier as (partition by same, key, name order by row_no)
    ), contradicting as (
      select distinct on (row_no, name) * from compared where value <> first_value
      order by row_no, name, same desc
    )
    select row_no as "row", name as "column", value, first_row as "firstRow", first_value as "firstValue", same,
      (count(*) over ())::integer as count
    from contradicting order by row_no, name limit ${limit}`.execute(trx);
  return { first: rows.map(({ count: _count, ...found }) => found), count: rows[0]?.count ?? 0 };
}

/** A row of a file against what is registered of its order. */
export interface RegisteredOtherwise {
  row: number;
  /** `amount` stands for either of its columns. */
  column: string;
  /** Amounts are in fen. */
  value: string;
  registered: string;
}

/** What rows of the stage state of their orders and the registry, by whichever name it has them, says otherwise. */
export const STATED_OTHERWISE = sql`(
  with named as (
    select *, ${REGISTERED_AS} as name from stage_order
    union
    select *, 'order:' || order_no from stage_order where order_no <> ''
    union
    select *, 'batchNo:' || batch_no from stage_order
    where batch_no <> '' and out_order_no = '' and order_no = ''
  )
  select n.row_no, n.kind, n.out_order_no, n.order_no, r.registered_as, c.*
  from named n
  join order_registry r on r.kind = n.kind and r.registered_as = n.name
  cross join lateral (values ('payer_account_no', n.payer_account_no, r.payer_account_no),
    ('payee_account_no', n.payee_account_no, r.payee_account_no),
    ('amount', n.amount_fen::text, r.amount_fen::text)) c (name, value, registered)
  where c.value <> '' and c.registered <> '' and c.value <> c.registered)`;

/**
 * Rows that state another amount or party than is registered of their order, by whichever of its numbers: what a
 * payment is checked against is not changed by whoever registers it once more. The first of them, and how many.
 */
export async function registeredOtherwise(
  trx: Transaction<Tables>,
  limit: number,
): Promise<{ first: RegisteredOtherwise[]; count: number }> {
  const { rows } = await sql<RegisteredOtherwise & { count: number }>`
    select n.row_no as "row", n.name as "column", n.value, string_agg(distinct n.registered, ' and ') as registered,
      (count(*) over ())::integer as count
    from ${STATED_OTHERWISE} n
    group by n.row_no, n.name, n.value
    order by n.row_no, n.name limit ${limit}`.execute(trx);
  return { first: rows.map(({ count: _count, ...found }) => found), count: rows[0]?.count ?? 0 };
}
