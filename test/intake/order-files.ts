/** Files of orders for a test: taken in, and the registry as plain rows afterwards. */
import type { Log } from '../../src/core/ports.ts';
import { importOrders } from '../../src/intake/import-orders.ts';
import type { OrdersImportResult } from '../../src/intake/import-orders.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { quietLog } from '../helpers/log.ts';
import { IMPORTED_AT, shanghai } from './books.ts';

const clock = {
  wall: () => IMPORTED_AT,
  monoMs: () => 0,
  sleep: () => Promise.reject(new Error('nothing here sleeps')),
};

interface OrdersWish {
  path: string;
  replace?: boolean;
  log?: Log;
  progress?: (rows: number) => void;
}

export function takeOrders(db: Db, wish: OrdersWish): Promise<OrdersImportResult> {
  return importOrders({ db, zone: shanghai, clock, log: quietLog, ...wish });
}

/** `rows: added + changed + unchanged`. */
export function sumsOf({ stored, rows, added, replaced, unchanged }: OrdersImportResult): string {
  return `${stored ? '' : 'refused, '}${rows}: ${added} + ${replaced} + ${unchanged}`;
}

/** Each registered order as `kind: what it says`, without what is empty, by kind and number. */
export async function registryOf(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('order_registry')
    .selectAll()
    .orderBy('kind')
    .orderBy('registered_as')
    .execute();
  return rows.map((row) => {
    const said = [
      row.out_batch_no && `outBatch ${row.out_batch_no}`,
      row.out_order_no && `out ${row.out_order_no}`,
      row.batch_no && `batch ${row.batch_no}`,
      row.order_no && `order ${row.order_no}`,
      row.payer_account_no && `from ${row.payer_account_no}`,
      row.payee_account_no && `to ${row.payee_account_no}`,
      row.amount_fen !== null && `${row.amount_fen} fen`,
      row.submitted_at !== null && `at ${row.submitted_at}`,
      row.outcome,
      row.enrolled && 'enrolled',
    ];
    return `${row.kind}: ${said.filter(Boolean).join(', ')}`;
  });
}
