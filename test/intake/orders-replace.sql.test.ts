/** `orders import --replace` puts a registration right, and what it said before is kept. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { listRegisteredOrders } from '../../src/store/orders/registered-orders.ts';
import { scheduleOrderQueries } from '../../src/store/orders/schedule-order-queries.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { testDatabase } from '../helpers/database.ts';
import { IMPORTED_AT } from './books.ts';
import { testFolder } from './in-folder.ts';
import { registryOf, sumsOf, takeOrders } from './order-files.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
beforeEach(async () => {
  await db.deleteFrom('registration_change').execute();
  await db.deleteFrom('order_registry').execute();
  await db.deleteFrom('order_alias').execute();
  await db.deleteFrom('order_due').execute();
});

const HEADER = 'kind,out_batch_no,out_order_no,order_no,payer_account_no,payee_account_no,amount_yuan\n';
const take = async (rows: string, name = 'orders.csv') =>
  takeOrders(db, { path: await folder.write(name, HEADER + rows) });
const replace = async (rows: string, name = 'right.csv') =>
  takeOrders(db, { path: await folder.write(name, HEADER + rows), replace: true });
const registry = () => registryOf(db);

/** Every change, as `order: member before → after, file or role`. */
async function changes(): Promise<string[]> {
  const orders = await listRegisteredOrders(db, { accountNo: undefined, onlyOpen: false, limit: undefined });
  return orders.flatMap((order) =>
    order.changes.map(
      ({ member, before, after, file }) =>
        `${order.outOrderNo || order.orderNo}: ${member} ${before} → ${after}, ${file || 'SQL'}`,
    ),
  );
}

describe('orders import --replace', () => {
  test('puts amount and parties right, says what each was, and keeps it', async () => {
    await take('transfer,B1,T1,,62001,62002,1.00\nwithdrawal,,W1,,62001,,2.00\n');
    const result = await replace('transfer,B1,T1,,62001,62003,1.50\nwithdrawal,,W1,,62001,,2.00\n');
    expect(sumsOf(result)).toBe('2: 0 + 1 + 1');
    expect([result.corrections, result.correctionCount]).toEqual([
      [
        { row: 2, order: 'T1', column: 'amount_yuan', before: '1.00', now: '1.50', stated: '' },
        { row: 2, order: 'T1', column: 'payee_account_no', before: '62002', now: '62003', stated: '' },
      ],
      2,
    ]);
    expect(await registry()).toEqual([
      'transfer: outBatch B1, out T1, from 62001, to 62003, 150 fen, unknown',
      'withdrawal: out W1, from 62001, 200 fen, unknown',
    ]);
    expect(await changes()).toEqual([
      'T1: payee_account_no 62002 → 62003, right.csv',
      'T1: amount_fen 100 → 150, right.csv',
    ]);
  });

  test('the same file again changes nothing and adds no trace', async () => {
    await take('withdrawal,,W1,,62001,,2.00\n');
    await replace('withdrawal,,W1,,62001,,3.00\n');
    const again = await replace('withdrawal,,W1,,62001,,3.00\n');
    expect([sumsOf(again), again.corrections, again.correctionCount]).toEqual(['1: 0 + 0 + 1', [], 0]);
    expect(await changes()).toEqual(['W1: amount_fen 200 → 300, right.csv']);
    const kept = await db.selectFrom('registration_change').select('at').executeTakeFirstOrThrow();
    expect(kept.at).toBe(IMPORTED_AT);
  });

  test('back and forth: every step is kept, also under a file that was there before', async () => {
    await take('withdrawal,,W1,,62001,,2.00\n');
    await replace('withdrawal,,W1,,62001,,3.00\n');
    await replace('withdrawal,,W1,,62001,,2.00\n', 'orders.csv');
    expect(await registry()).toEqual(['withdrawal: out W1, from 62001, 200 fen, unknown']);
    expect(await changes()).toEqual([
      'W1: amount_fen 200 → 300, right.csv',
      'W1: amount_fen 300 → 200, orders.csv',
    ]);
  });

  test('an order registered under both its numbers, each otherwise, becomes one', async () => {
    await take('withdrawal,,W1,,62001,,1.00\nwithdrawal,,,P1,62001,,2.00\n');
    expect(sumsOf(await replace('withdrawal,,W1,P1,62001,,3.00\n'))).toBe('1: 0 + 1 + 0');
    expect(await registry()).toEqual(['withdrawal: out W1, order P1, from 62001, 300 fen, unknown']);
    expect(await changes()).toEqual([
      'W1: amount_fen 100 → 300, right.csv',
      'W1: amount_fen 200 → 300, right.csv',
    ]);
  });

  test('where they contradict in what the file does not say, both stay', async () => {
    await take('withdrawal,,W1,,62001,,1.00\nwithdrawal,,,P1,62002,,2.00\n');
    await replace('withdrawal,,W1,P1,,,3.00\n');
    expect(await registry()).toEqual([
      'withdrawal: out W1, order P1, from 62001, 300 fen, unknown',
      'withdrawal: order P1, from 62002, 300 fen, unknown',
    ]);
  });

  test('rows that contradict each other, and unreadable cells, change nothing', async () => {
    await take('withdrawal,,W1,,62001,,1.00\n');
    const result = await replace('withdrawal,,W1,,62001,,3.00\nwithdrawal,,W1,,62001,,4.00\n');
    expect([result.stored, result.corrections, result.faultCount]).toEqual([false, [], 1]);
    expect(await registry()).toEqual(['withdrawal: out W1, from 62001, 100 fen, unknown']);
    expect(await changes()).toEqual([]);
  });

  test('an order the platform answered keeps what it states, which is told where the file says otherwise', async () => {
    const orders = new OrderBooks(db);
    await orders.withdrawal({ out: 'W1', account: '62001', amountFen: 900n, finalAt: '2026-03-02 02:00:00' });
    await orders.transfer({
      out: 'T1',
      batch: 'B1',
      payer: '62001',
      payee: '62002',
      amountFen: 100n,
      feeFen: 0n,
    });
    await take('transfer,B1,T1,,62001,62002,2.00\nwithdrawal,,W1,,62001,,1.00\n');
    const { corrections } = await replace('transfer,B1,T1,,62009,62002,1.00\nwithdrawal,,W1,,62001,,3.00\n');
    expect(corrections.map(({ order, column, now, stated }) => [order, column, now, stated])).toEqual([
      ['T1', 'amount_yuan', '1.00', ''],
      ['T1', 'payer_account_no', '62009', '62001'],
      ['W1', 'amount_yuan', '3.00', '9.00'],
    ]);
    const stated = await db.selectFrom('withdrawal').select(['account_no', 'amount_fen']).execute();
    expect(stated).toEqual([{ account_no: '62001', amount_fen: 900n }]);
  });

  test('whoever changes an order by SQL leaves what it said, and has it asked for anew', async () => {
    await take('withdrawal,,W1,P1,62001,,1.00\n');
    await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
    await db.updateTable('order_due').set({ next_day: null }).execute();
    await db.updateTable('order_registry').set({ amount_fen: 101n, payer_account_no: '' }).execute();
    expect(await changes()).toEqual(['W1: payer_account_no 62001 → , SQL', 'W1: amount_fen 100 → 101, SQL']);
    expect(await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z')).toEqual({
      registered: 1,
      ledgerOnly: 0,
    });
    expect(await db.selectFrom('order_due').select('next_day').execute()).toEqual([{ next_day: '' }]);
    await scheduleOrderQueries(db, '2026-03-04T02:00:00.000Z');
    const dated = await db.selectFrom('registration_change').select('at').execute();
    expect(dated).toEqual([{ at: '2026-03-03T02:00:00.000Z' }, { at: '2026-03-03T02:00:00.000Z' }]);
  });

  test('what becomes known is no change, and enrolling is none', async () => {
    await take('withdrawal,,W1,,,,1.00\n');
    await replace('withdrawal,,W1,P1,62001,,\n');
    await scheduleOrderQueries(db, '2026-03-03T02:00:00.000Z');
    expect(await changes()).toEqual([]);
  });
});
