/** What one batch goes by: the list of what is due may have it by the company's number, by the platform's, or by both. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Whether the row `d` of `order_due` is of the batch that has this number of either kind, whoever pays its orders. */
export function isDueOfBatch(number: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(d.kind = 'batch' and d.number_kind in ('out', 'platform') and d.number = any (array(
    select ${number}
    union all select b.batch_no from transfer_batch b where b.out_batch_no = ${number}
    union all select b.out_batch_no from transfer_batch b where b.batch_no = ${number} and b.batch_no <> '')))`;
}
