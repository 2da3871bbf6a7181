/** When an answer about the batch of an order may have come that was not kept (docs/reliability.md 2.3 a). */
import { sql } from 'kysely';
import type { Instant } from '../core/time.ts';

/** Of the order `o`, by either number that its batch may be listed under; null: no such look is known. */
export const unkeptAt = sql<Instant | null>`(select max(d.may_have_shown_at) from order_due d
  where d.kind = 'batch' and d.number_kind in ('out', 'platform')
    and d.number in (o.out_batch_no, (select b.batch_no from transfer_batch b
      where b.account_no = o.account_no and b.out_batch_no = o.out_batch_no)))`;
