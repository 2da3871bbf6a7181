/** What may have been shown of an order by answers that are not kept, or not yet (docs/reliability.md 2.3 a). */
import { sql } from 'kysely';
import type { Instant } from '../core/time.ts';
import { isDueOfBatch } from '../store/orders/batch-numbers.ts';

const isOfOrder = isDueOfBatch(sql.ref('o.out_batch_no'));

/** When, of the order `o`, by either number that its batch may be listed under; null: no such look is known. */
export const unkeptAt = sql<Instant | null>`(select max(d.may_have_shown_at) from order_due d
  where ${isOfOrder})`;

/** Whether somebody asks for it, or died asking. */
export const isAskedFor = sql<boolean>`exists (select from order_due d
  where d.claim_until is not null and ${isOfOrder})`;
