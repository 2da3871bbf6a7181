/** What one batch goes by: the list of what is due may have it by the company's number, by the platform's, or by both. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * A batch under both of its numbers, as it is known, as the company registered it, and as it was answered by a number that it
 * is not known by: the company may call it what the platform does not.
 */
const PAIRS = sql`(select out_batch_no, batch_no from transfer_batch where batch_no <> ''
  union all select out_batch_no, batch_no from order_registry
    where kind = 'transfer' and batch_no <> '' and out_batch_no <> ''
  union all select number, batch_no from order_due where kind = 'batch' and number_kind = 'out' and batch_no <> '')`;

/**
 * Whether the row `d` of `order_due` is of the batch that has this number of either kind, whoever pays its orders. Each number
 * counts once: each order of a batch may be registered with both. One that is not stated is that of none.
 */
export function isDueOfBatch(number: RawBuilder<unknown>): RawBuilder<boolean> {
  const platforms = sql`(select ${number} as number
    union select p.batch_no from ${PAIRS} p where p.out_batch_no = ${number})`;
  return sql`(d.kind = 'batch' and d.number_kind in ('out', 'platform') and d.number = any (array(
    select k.number from ${platforms} k
    union select p.out_batch_no from ${platforms} k
      cross join lateral (select * from ${PAIRS} p where p.batch_no = k.number offset 0) p)))`;
}
