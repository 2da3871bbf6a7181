/** Errors under one reference do not cancel each other. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { nightOfThree } from '../night-of-three.ts';
import { T1, openMarchIn } from '../orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P', 'Q', 'R');
});
afterEach(() => database.close());

const FREE = { ...T1, feeFen: 0n } as const;
const AT = '2026-03-01 09:05:00';
const out = (id: string, amountFen = -10_000n) =>
  ({ id, kind: 'transfer_out', amountFen, at: AT, reference: 'T1' }) as const;
const into = (id: string, amountFen = 10_000n) =>
  ({ id, kind: 'transfer_in', amountFen, at: AT, reference: 'T1' }) as const;

const night = (held: Record<string, bigint>): Promise<string[]> => nightOfThree({ books, database }, held);

test('a payment booked twice and the payee’s entry on the payer are two breaks, not a difference of zero', async () => {
  await orders.transfer(FREE);
  await books.entries('P', [out('p1'), out('p2'), into('q1')]);
  expect(await night({ P: 90_000n, Q: 110_000n })).toEqual([
    'account P T1 -10000',
    'duplicate P T1 10000',
    'account Q T1 10000',
  ]);
  await books.entries('Q', [{ ...into('q2'), at: '2026-03-01 09:06:00' }]);
  expect(await night({ P: 90_000n, Q: 110_000n })).toEqual([
    'duplicate P T1 10000',
    'ledger_only P T1 -10000',
  ]);
});

test('the payer’s entry on the payee and the payee’s booked twice are two breaks as well', async () => {
  await orders.transfer(FREE);
  await books.entries('Q', [into('q1'), into('q2'), out('p1')]);
  expect(await night({ P: 90_000n, Q: 110_000n })).toEqual([
    'account P T1 -10000',
    'account Q T1 10000',
    'duplicate Q T1 -10000',
  ]);
});

test('both sides of a transfer booked on a third account are each told there', async () => {
  await orders.transfer(FREE);
  await books.entries('R', [out('p1'), into('q1')]);
  expect(await night({ P: 90_000n, Q: 110_000n })).toEqual([
    'account P T1 -10000',
    'account Q T1 10000',
    'account R T1 10000',
    'account R T1 -10000',
  ]);
});

test('an entry and its reversal of the same kind still cancel', async () => {
  await orders.transfer(FREE);
  await books.entries('P', [out('p1'), out('p2'), out('p3', 10_000n)]);
  await books.entries('Q', [into('q1')]);
  expect(await night({ P: 90_000n, Q: 110_000n })).toEqual([]);
});

test('a refund booked on the wrong side does not make up for a second one', async () => {
  await orders.transfer({ ...FREE, refunds: [{ amountFen: 4_000n, finalAt: '2026-03-02 02:00:00' }] });
  const refund = (id: string, kind: 'refund_in' | 'refund_out', amountFen: bigint) =>
    ({ id, kind, amountFen, at: '2026-03-01 20:00:00', reference: 'T1' }) as const;
  await books.entries('P', [
    out('p1'),
    refund('p2', 'refund_in', 4_000n),
    refund('p3', 'refund_in', 4_000n),
    refund('p4', 'refund_out', -4_000n),
  ]);
  await books.entries('Q', [into('q1')]);
  expect(await night({ P: 94_000n, Q: 106_000n })).toEqual([
    'account P T1 4000',
    'duplicate P T1 -4000',
    'account Q T1 -4000',
  ]);
});

test('an entry of the same reference on another account, of the other direction, is no account break', async () => {
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('Q', [{ id: 'E1', amountFen: -500n, at: '2026-03-01 10:00:00', reference: 'D1' }]);
  expect(await night({ P: 100_500n })).toEqual(['platform_only P D1 500', 'ledger_only Q D1 500']);
});

test('a transfer to oneself booked wrong on both sides by the same amount is a break', async () => {
  await orders.transfer({ ...FREE, payee: 'P' });
  await books.entries('P', [out('p1', -9_000n), into('p2', 9_000n)]);
  expect(await night({})).toEqual(['amount P T1 0']);
  await books.entries('P', [out('p1'), into('p2')]);
  expect(await night({})).toEqual([]);
  const closed = await database.db.selectFrom('break').select(['status', 'cleared_by']).execute();
  expect(closed).toEqual([{ status: 'closed', cleared_by: 'p1' }]);
});

test('what an account pays and is paid under one number by two payers does not make up for each other', async () => {
  await orders.transfer(FREE);
  await orders.transfer({ ...FREE, orderNo: 'N2', payer: 'Q', payee: 'P', amountFen: 4_000n });
  await books.entries('P', [out('p1', -9_000n), into('p2', 3_000n)]);
  await books.entries('Q', [into('q1'), out('q2', -4_000n)]);
  expect(await night({ P: 94_000n, Q: 106_000n })).toEqual(['amount P T1 0']);
});

test('orders that two payers gave one number do not make up for each other', async () => {
  await orders.transfer({ ...FREE, payee: 'R' });
  await orders.transfer({ ...FREE, orderNo: 'N2', payer: 'Q', payee: 'R', amountFen: 20_000n });
  await books.entries('P', [out('p1')]);
  await books.entries('Q', [out('q1', -20_000n)]);
  await books.entries('R', [into('r1', 15_000n), into('r2', 15_000n)]);
  const held = { P: 90_000n, Q: 80_000n, R: 130_000n };
  expect(await night(held)).toEqual(['amount R T1 0']);
  await books.entries('R', [into('r1', 20_000n), into('r2', 10_000n)]);
  expect(await night(held)).toEqual([]);
});

const keys = async () =>
  (await database.db.selectFrom('break').select('item_key').orderBy('item_key').execute()).map(
    (row) => row.item_key,
  );

test('neither side of a transfer to oneself being booked is two breaks', async () => {
  await orders.transfer({ ...FREE, payee: 'P' });
  expect(await night({})).toEqual(['platform_only P T1 -10000', 'platform_only P T1 10000']);
  expect(await keys()).toEqual(['line:transfer:T1', 'line:transfer_in:T1']);
});

test('orders of two payers that share a number and are not booked do not make up for each other', async () => {
  await orders.transfer(FREE);
  const later = { ...FREE, payee: 'P', finalAt: '2026-03-02 02:00:01' };
  await orders.transfer({ ...later, orderNo: 'N2', payer: 'Q' });
  await orders.transfer({ ...later, orderNo: 'N3', payer: 'A', amountFen: 500n });
  expect(await night({ P: 100_500n })).toEqual([
    'platform_only P T1 500',
    'platform_only P T1 10000',
    'platform_only P T1 -10000',
    'platform_only Q T1 -10000',
    'platform_only Q T1 10000',
  ]);
  const own = await database.db
    .selectFrom('break')
    .selectAll()
    .where('difference_fen', '=', -10_000n)
    .execute();
  expect(own.map((row) => `${row.account_no} ${row.item_key}`).sort()).toEqual([
    'P line:transfer:T1',
    'Q line:transfer/Q:T1',
  ]);
  await books.entries('P', [out('p1'), into('p2', 10_500n)]);
  await books.entries('Q', [into('q1'), out('q2')]);
  expect(await night({ P: 100_500n })).toEqual(['amount P T1 0']);
  await books.entries('P', [into('p2'), into('p3', 500n)]);
  expect(await night({ P: 100_500n })).toEqual([]);
  expect(await database.db.selectFrom('break').select('status').distinct().execute()).toEqual([
    { status: 'closed' },
  ]);
});

const UNDER_WAY = {
  ...FREE,
  state: 'open',
  lastOpenAt: '2026-03-02 02:00:05',
  payee: 'R',
} as const;

test('orders under way that share a number do not make up for each other', async () => {
  await orders.transfer(UNDER_WAY);
  await orders.transfer({ ...UNDER_WAY, orderNo: 'N2', payer: 'Q', amountFen: 20_000n });
  await books.entries('R', [into('r1', 15_000n), into('r2', 15_000n)]);
  const onR = async () => (await night({})).filter((line) => line.includes(' R '));
  expect(await onR()).toEqual(['amount R T1 0', 'pending R T1 -30000']);
  await books.entries('R', [into('r1', 20_000n), into('r2', 10_000n)]);
  expect(await onR()).toEqual(['pending R T1 -30000']);
});

test('an order that ended without a movement ends no other of its number', async () => {
  await orders.transfer({ ...UNDER_WAY, state: 'failed' });
  await orders.transfer({ ...UNDER_WAY, orderNo: 'N2', payer: 'Q', amountFen: 20_000n });
  await orders.transfer({ ...UNDER_WAY, orderNo: 'N3', payer: 'S', state: 'failed' });
  await books.entries('R', [into('r1', 20_000n)]);
  expect((await night({})).filter((line) => line.includes(' R '))).toEqual(['pending R T1 -20000']);
});

test('both sides of a transfer to oneself under way are held each against its own', async () => {
  await orders.transfer({ ...UNDER_WAY, payee: 'P' });
  await books.entries('P', [out('p1', -9_000n), into('p2', 9_000n)]);
  expect((await night({})).filter((line) => line.startsWith('amount'))).toEqual([
    'amount P T1 -1000',
    'amount P T1 1000',
  ]);
});

test('a wrong entry is no cure of its own break, whatever is booked on the other side of its reference', async () => {
  await books.entries('P', [out('p1')]);
  expect(await night({})).toEqual(['ledger_only P T1 10000']);
  await books.entries('P', [into('p2')]);
  expect(await night({})).toEqual(['ledger_only P T1 10000', 'ledger_only P T1 -10000']);
  expect(await night({})).toHaveLength(2);
  const states = () => database.db.selectFrom('break').select('status').distinct().execute();
  expect(await states()).toEqual([{ status: 'open' }]);
  await books.withdraw('p1');
  await books.withdraw('p2');
  expect(await night({})).toEqual([]);
  expect(await states()).toEqual([{ status: 'closed' }]);
});

test('a break stays what it is when the other side of its reference is booked, and when it is the only one left', async () => {
  await books.entries('P', [into('p1')]);
  await night({});
  const broken = () =>
    database.db
      .selectFrom('break')
      .select(['break_id', 'item_key', 'difference_fen', 'status'])
      .orderBy('item_key')
      .execute();
  const [first] = await broken();
  expect(first).toMatchObject({ item_key: 'line:transfer:T1', difference_fen: -10_000n });
  await books.entries('P', [out('p2', -700n)]);
  await night({});
  const [same, second] = await broken();
  expect(same).toEqual(first);
  expect(second).toMatchObject({ item_key: 'line:transfer_out:T1', difference_fen: 700n });
  await books.withdraw('p1');
  expect(await night({})).toEqual(['ledger_only P T1 700']);
  expect((await broken())[1]).toEqual(second);
});

test('an entry on the wrong side does not become one with the movement that is not booked', async () => {
  await orders.transfer(FREE);
  await books.entries('P', [into('p1', -10_000n)]);
  await books.entries('Q', [into('q1')]);
  expect(await night({ P: 90_000n, Q: 110_000n })).toEqual([
    'ledger_only P T1 10000',
    'platform_only P T1 -10000',
  ]);
});

test('a fee booked beside too small an amount does not make it right', async () => {
  await orders.transfer({ ...FREE, amountFen: 10_700n });
  await books.entries('P', [out('p1'), { ...out('f1', -700n), kind: 'fee' }]);
  await books.entries('Q', [into('q1', 10_700n)]);
  const held = { P: 89_300n, Q: 110_700n };
  expect(await night(held)).toEqual(['amount P T1 0']);
  await books.entries('P', [out('p1', -10_700n)]);
  await books.withdraw('f1');
  expect(await night(held)).toEqual([]);
});

test('a deposit with its fee booked as too small an amount and too small a fee is a break', async () => {
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 1_000n, feeFen: 30n }]);
  const booked = { at: '2026-03-01 10:00:00', reference: 'D1' } as const;
  await books.entries('P', [
    { ...booked, id: 'd1', amountFen: 980n },
    { ...booked, id: 'f1', kind: 'fee', amountFen: -10n },
  ]);
  expect(await night({ P: 100_970n })).toEqual(['amount P D1 0']);
});

test('a fee as large as its order, which the platform has not stated, is no timing', async () => {
  await orders.transfer({
    ...FREE,
    state: 'open',
    feeFen: null,
    realFen: null,
    lastOpenAt: '2026-03-02 02:00:05',
  });
  await books.entries('P', [out('p1'), { ...out('f1'), kind: 'fee' }]);
  await books.entries('Q', [into('q1')]);
  expect(await night({})).toEqual([
    'fee P T1 10000',
    'frozen P P -10000',
    'pending P T1 10000',
    'pending Q T1 -10000',
  ]);
});
