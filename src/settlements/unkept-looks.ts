/** When an answer about the batch of an order may have come that was not kept (docs/reliability.md 2.3 a). */
import { sql } from 'kysely';
import type { Instant } from '../core/time.ts';
import { isDueOfBatch } from '../store/orders/batch-numbers.ts';

/** Of the order `o`, by either number that its batch may be listed under; null: no such look is known. */
export const unkeptAt = sql<Instant | null>`(select max(d.may_have_shown_at) from order_due d
  where ${isDueOfBatch(sql.ref('o.out_batch_no'))})`;
