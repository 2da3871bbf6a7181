import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { T1, bookedT1, numbersOf, openMarchIn } from '../orders-in-march.ts';

/** Books that are ahead of an order are timing as far as they agree with it, and no further. */

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P', 'Q');
});
afterEach(() => database.close());

const OPEN = { state: 'open', lastOpenAt: '2026-03-02 02:00:05' } as const;
const READ = '2026-03-02 02:00:05';
let nights = 0;

/** The night of 1 March, with what is frozen on P. */
async function night(frozenFen = 0n): Promise<{ found: string[]; verdict: string }> {
  const runId = `read-${(nights += 1)}`;
  await books.balance('P', { at: READ, fen: 100_000n, frozenFen, runId });
  await books.balance('Q', { at: READ, fen: 100_000n, runId });
  const proof = await books.night('2026-03-01');
  const { differenceFen, lineDifferenceFen } = numbersOf(proof, 'P') ?? {};
  expect(differenceFen).toBe(lineDifferenceFen);
  return { found: await books.found(proof.runId), verdict: proof.verdict };
}

const W1 = { out: 'W1', account: 'P', amountFen: 100n, submittedAt: '2026-03-01 09:00:00' } as const;
const paid = (id: string, amountFen: bigint, more: { at?: string; status?: 'posted' | 'pending' } = {}) => ({
  id,
  kind: 'withdrawal' as const,
  amountFen,
  at: '2026-03-01 12:00:00',
  reference: 'W1',
  ...more,
});

test('an open withdrawal of 100 against posted −9,000,000 is an amount break of all but 100', async () => {
  await orders.withdrawal({ ...W1, ...OPEN });
  await books.entries('P', [paid('p1', -9_000_000n)]);
  expect(await night(100n)).toEqual({
    found: ['amount P W1 8999900', 'pending P W1 100'],
    verdict: 'breaks',
  });
});

test('an open withdrawal of 100 against a pending −9,000,000 is an amount break at once', async () => {
  await orders.withdrawal({ ...W1, ...OPEN });
  await books.entries('P', [paid('p1', -9_000_000n, { status: 'pending' })]);
  expect(await night(100n)).toEqual({
    found: ['amount P W1 8999900', 'pending P W1 -8999900'],
    verdict: 'breaks',
  });
});

test('what is booked of an open order in several entries and days is timing when its sum agrees', async () => {
  await orders.withdrawal({ ...W1, ...OPEN });
  await books.entries('P', [paid('p1', -60n), paid('p2', -40n, { at: '2026-03-02 00:30:00' })]);
  expect(await night(100n)).toEqual({ found: ['pending P W1 60'], verdict: 'reconciled_with_timing' });
});

test('an open order that the books have twice is an amount break of the second', async () => {
  await orders.withdrawal({ ...W1, ...OPEN });
  await books.entries('P', [paid('p1', -100n), paid('p2', -100n)]);
  expect((await night(100n)).found).toEqual(['amount P W1 100', 'pending P W1 100']);
});

test('a pending entry that agrees with its open order leaves it in flight', async () => {
  await orders.withdrawal({ ...W1, ...OPEN });
  await books.entries('P', [paid('p1', -100n, { status: 'pending' })]);
  expect(await night(100n)).toEqual({ found: ['in_flight P W1 0'], verdict: 'reconciled_with_timing' });
});

test('an open transfer is held against each of its accounts, its fee included', async () => {
  await orders.transfer({ ...T1, ...OPEN });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [{ ...bookedT1.Q, amountFen: 10_000n }]);
  expect((await night(10_000n)).found).toEqual(['pending P T1 10000', 'fee Q T1 -30', 'pending Q T1 -9970']);
});

test('a fee booked for an open order whose fee is another is a fee break at once', async () => {
  await orders.transfer({ ...T1, feeType: 'ACCOUNT', ...OPEN });
  await books.entries('P', [
    bookedT1.P,
    { id: 'p2', kind: 'fee', amountFen: -50n, at: '2026-03-01 09:05:00', reference: 'T1' },
  ]);
  expect((await night(10_030n)).found).toEqual(['fee P T1 20', 'pending P T1 10030']);
});

test('a fee that nobody has stated yet agrees with nothing, however small it is', async () => {
  await orders.withdrawal({ ...W1, ...OPEN, feeFen: null, realFen: null });
  const fee = { id: 'p2', kind: 'fee' as const, at: '2026-03-01 12:00:00', reference: 'W1' };
  await books.entries('P', [paid('p1', -100n), { ...fee, amountFen: -2n }]);
  expect((await night(100n)).found).toEqual(['fee P W1 2', 'pending P W1 100']);
  await books.entries('P', [{ ...fee, amountFen: -9_000_000n }]);
  expect((await night(100n)).found).toEqual(['fee P W1 9000000', 'pending P W1 100']);
});

test('an entry on the wrong side of an open order is nothing on its way', async () => {
  await orders.transfer({ ...T1, ...OPEN });
  await books.entries('P', [{ ...bookedT1.Q, id: 'p1' }]);
  expect(await night(10_000n)).toEqual({ found: ['ledger_only P T1 -9970'], verdict: 'breaks' });
});

test('an open settlement against another amount is no mere timing', async () => {
  await orders.transfer({ ...T1, settle: { state: 'open', lastOpenAt: '2026-03-02 02:00:05' } });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [
    bookedT1.Q,
    { id: 'q2', kind: 'settlement', amountFen: -70_000n, at: '2026-03-01 23:00:00', reference: 'T1' },
  ]);
  await books.balance('P', { at: READ, fen: 90_000n });
  await books.balance('Q', { at: READ, fen: 109_970n, frozenFen: 9_970n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['amount Q T1 60030', 'pending Q T1 9970']);
});

async function unknown(line: { amountFen?: bigint; payer?: string }): Promise<void> {
  await orders.registered({
    out: 'T9',
    batch: 'B9',
    payer: 'P',
    payee: 'Q',
    submittedAt: '2026-03-01 22:00:00',
    ...line,
  });
  await orders.due({ number: 'B9', account: 'P', state: 'not_found' });
}

const sent = (amountFen: bigint, reference = 'T9') => ({
  id: 'p9',
  kind: 'transfer_out' as const,
  amountFen,
  at: '2026-03-01 22:01:00',
  reference,
});

test('an order of 100 that the platform does not know against posted −9,000,000 is an amount break', async () => {
  await unknown({ amountFen: 100n });
  await books.entries('P', [sent(-9_000_000n)]);
  expect(await night()).toEqual({
    found: ['amount P T9 8999900', 'unknown_not_found P T9 100'],
    verdict: 'breaks',
  });
});

test('an order registered for another payer, or without an amount, explains no entry', async () => {
  await unknown({ amountFen: 100n, payer: 'Q' });
  await books.entries('P', [sent(-100n)]);
  expect((await night()).found).toContain('ledger_only P T9 100');
  await database.db.updateTable('order_registry').set({ payer_account_no: 'P', amount_fen: null }).execute();
  expect((await night()).found).toEqual(['ledger_only P T9 100']);
});
