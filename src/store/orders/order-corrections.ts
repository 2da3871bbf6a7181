/**
 * `orders import --replace`: what is registered of an order becomes what the file states. What it said before is kept
 * by the database (migration 0048), and what the platform stated of it stays as it is.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Tables } from '../schema/schema.ts';
import { REGISTERED_AS } from './order-registry.ts';
import { OF_ONE_ORDER, SAYS_OTHERWISE } from './registrations.ts';
import { STATED_OTHERWISE } from './registry-contradictions.ts';
import type { RegisteredOtherwise } from './registry-contradictions.ts';

export interface Correction extends RegisteredOtherwise {
  /** The company's number of the order, else the platform's, else that of its batch. */
  order: string;
  /** What the platform states where that is not what the file says either; else empty. */
  stated: string;
}

/** Which file, and when it came. */
export interface ByFile {
  fileId: string;
  at: Instant;
}

/** From here on what this transaction changes in the registry is kept as said by the file. */
export async function changeInTheNameOf(trx: Transaction<Tables>, { fileId, at }: ByFile): Promise<void> {
  await sql`select set_config('recon.file_id', ${fileId}, true), set_config('recon.changed_at', ${at}, true)`.execute(
    trx,
  );
}

/** What the platform states of the order of `corrected_order`, by the column of the registry. */
const PLATFORM_STATES = sql`
  select distinct s.value from (
    select o.account_no as payer, o.payee_account_no as payee, o.amount_fen from transfer_order o
    where c.kind = 'transfer' and c.out_order_no <> '' and o.out_order_no = c.out_order_no
    union
    select o.account_no, o.payee_account_no, o.amount_fen from transfer_order o
    where c.kind = 'transfer' and c.order_no <> '' and o.order_no = c.order_no
    union
    select w.account_no, '', w.amount_fen from withdrawal w
    where c.kind = 'withdrawal' and c.out_order_no <> '' and w.out_order_no = c.out_order_no
    union
    select w.account_no, '', w.amount_fen from withdrawal w
    where c.kind = 'withdrawal' and c.order_no <> '' and w.order_no = c.order_no
  ) p
  cross join lateral (values ('payer_account_no', p.payer), ('payee_account_no', p.payee),
    ('amount', p.amount_fen::text)) s (name, value)
  where s.name = c.name and s.value <> '' and s.value <> c.value`;

/**
 * Makes the registry say what the stage states, under each name it has an order by, and leaves `corrected_order`: one
 * row a member that said otherwise.
 * @returns the first of them, and how many there are
 */
export async function correctRegistered(
  trx: Transaction<Tables>,
  by: ByFile,
  limit: number,
): Promise<{ first: Correction[]; count: number }> {
  await sql`create temporary table corrected_order on commit drop as select * from ${STATED_OTHERWISE} n`.execute(
    trx,
  );
  await sql`
    update order_registry r set payer_account_no = coalesce(c.payer, r.payer_account_no),
      payee_account_no = coalesce(c.payee, r.payee_account_no), amount_fen = coalesce(c.amount_fen, r.amount_fen)
    from (
      select kind, registered_as, max(value) filter (where name = 'payer_account_no') as payer,
        max(value) filter (where name = 'payee_account_no') as payee,
        (max(value) filter (where name = 'amount'))::bigint as amount_fen
      from corrected_order group by kind, registered_as
    ) c
    where r.kind = c.kind and r.registered_as = c.registered_as`.execute(trx);
  await settleContradictions(trx, by);
  const { rows } = await sql<Correction & { count: number }>`
    select c.row_no as "row", c.name as "column", c.value, c.registered, c.count,
      coalesce(nullif(c.out_order_no, ''), nullif(c.order_no, ''),
        regexp_replace(c.registered_as, '^(batch|batchNo):', '')) as "order",
      coalesce((select string_agg(value, ' and ' order by value) from (${PLATFORM_STATES}) s), '') as stated
    from (
      select row_no, kind, out_order_no, order_no, name, value,
        string_agg(distinct registered, ' and ' order by registered) as registered, min(registered_as) as registered_as,
        (count(*) over ())::integer as count
      from corrected_order group by row_no, kind, out_order_no, order_no, name, value
    ) c
    order by row_no, name limit ${limit}`.execute(trx);
  return { first: rows.map(({ count: _count, ...found }) => found), count: rows[0]?.count ?? 0 };
}

/**
 * What a program registered otherwise is settled by a file that states all in which it contradicts what is registered
 * now; it joins `corrected_order`. What the file leaves open stays as it is.
 */
async function settleContradictions(trx: Transaction<Tables>, { fileId, at }: ByFile): Promise<void> {
  const member = sql`(values ('out_batch_no', c.out_batch_no, r.out_batch_no, n.out_batch_no),
    ('batch_no', c.batch_no, r.batch_no, n.batch_no), ('order_no', c.order_no, r.order_no, n.order_no),
    ('payer_account_no', c.payer_account_no, r.payer_account_no, n.payer_account_no),
    ('payee_account_no', c.payee_account_no, r.payee_account_no, n.payee_account_no),
    ('amount', c.amount_fen::text, r.amount_fen::text, n.amount_fen::text)) m (name, registered, stands, value)`;
  await sql`
    with answered as (
      select c.contradiction_no, n.row_no, n.kind, n.out_order_no, n.order_no, r.registered_as
      from order_contradiction c
      join order_registry r on ${OF_ONE_ORDER}
      join (select *, ${REGISTERED_AS} as name from stage_order) n on n.kind = r.kind and n.name = r.registered_as
      where c.settled_at is null and ${SAYS_OTHERWISE} and not exists (
        select from ${member}
        where m.registered <> '' and m.registered is distinct from m.stands and coalesce(m.value, '') = '')
    ), settled as (
      update order_contradiction c set settled_at = ${at}, settled_file_id = ${fileId}
      from (select distinct contradiction_no from answered) a where a.contradiction_no = c.contradiction_no
    ), put_before_the_job as (
      update order_registry r set enrolled = false
      from (select distinct kind, registered_as from answered) a
      where r.kind = a.kind and r.registered_as = a.registered_as
    )
    insert into corrected_order (row_no, kind, out_order_no, order_no, registered_as, name, value, registered)
    select a.row_no, a.kind, a.out_order_no, a.order_no, a.registered_as, m.name, m.value, m.registered
    from answered a
    join order_contradiction c using (contradiction_no)
    join order_registry r on r.kind = a.kind and r.registered_as = a.registered_as
    join stage_order n on n.row_no = a.row_no
    cross join lateral (select * from ${member}) m
    where m.registered <> '' and m.value <> '' and m.registered <> m.value`.execute(trx);
}
