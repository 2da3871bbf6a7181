import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { numbersOf, openMarchIn } from '../orders-in-march.ts';

/** Timing is for what agrees: a wrong amount is said at once, whatever day or status its entries have. */

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'A1');
});
afterEach(() => database.close());

async function millionsCame(at = '2026-03-01 10:00:00'): Promise<void> {
  await books.deposits('A1', [{ orderNo: 'D1', at, amountFen: 5_000_000n }]);
  await books.balance('A1', { at: '2026-03-02 02:00:05', fen: 5_100_000n });
}

async function book(...lines: { fen: bigint; at?: string; status?: 'posted' | 'pending' }[]): Promise<void> {
  await books.entries(
    'A1',
    lines.map(({ fen, at = '2026-03-01 11:00:00', ...line }, place) => ({
      id: `E${place}`,
      amountFen: fen,
      reference: 'D1',
      at,
      ...line,
    })),
  );
}

test('a deposit of 5,000,000 against a pending entry of 1 is an amount break of all but 1', async () => {
  await millionsCame();
  await book({ fen: 1n, status: 'pending' });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('breaks');
  expect(await books.found(proof.runId)).toEqual(['amount A1 D1 4999999', 'pending A1 D1 1']);
  expect(numbersOf(proof, 'A1')).toMatchObject({ differenceFen: 5_000_000n, lineDifferenceFen: 5_000_000n });
});

test('a deposit of 5,000,000 against 1 booked at 00:30 is an amount break of all but 1', async () => {
  await millionsCame();
  await book({ fen: 1n, at: '2026-03-02 00:30:00' });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['amount A1 D1 4999999', 'late A1 D1 1']);
  expect(numbersOf(proof, 'A1')).toMatchObject({ differenceFen: 5_000_000n });
});

test('a deposit of 00:30 against an entry of the day before for another amount is no mere timing', async () => {
  await millionsCame('2026-03-02 00:30:00');
  await book({ fen: 1n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['amount A1 D1 4999999', 'late A1 D1 -5000000']);
  expect(numbersOf(proof, 'A1')).toMatchObject({ differenceFen: -1n });
});

test('what is partly posted, partly pending and partly booked at 00:30 is timing when its sum agrees', async () => {
  await millionsCame();
  await book(
    { fen: 1_000_000n },
    { fen: 1_500_000n, at: '2026-03-02 00:30:00' },
    { fen: 2_500_000n, status: 'pending' },
  );
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('reconciled_with_timing');
  expect(await books.found(proof.runId)).toEqual(['pending A1 D1 4000000']);
});

test('a second entry of 00:40 makes a late booking a duplicate at once', async () => {
  await millionsCame();
  await book({ fen: 5_000_000n, at: '2026-03-02 00:30:00' }, { fen: 5_000_000n, at: '2026-03-02 00:40:00' });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['duplicate A1 D1 -5000000', 'late A1 D1 10000000']);
});

test('what happens to an order after the cut does not make a late booking before it wrong', async () => {
  const moved = { out: 'W1', account: 'A1', amountFen: 500n, finalAt: '2026-03-01 13:00:00' } as const;
  await orders.withdrawal({
    ...moved,
    returned: { lastOpenAt: '2026-03-02 00:50:00', finalAt: '2026-03-02 01:00:00' },
  });
  await books.entries('A1', [
    { id: 'w', kind: 'withdrawal', amountFen: -500n, at: '2026-03-02 00:30:00', reference: 'W1' },
  ]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 99_500n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['late A1 W1 -500']);
});

test('nothing is said of a wrong amount of which neither side lies before the cut', async () => {
  await millionsCame('2026-03-02 00:30:00');
  await book({ fen: 1n, at: '2026-03-02 00:40:00' });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual([]);
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 5_100_000n });
  expect(await books.found((await books.night('2026-03-02')).runId)).toEqual(['amount A1 D1 4999999']);
});

test('a pending entry that is alike but lacks the fee is a fee break at once', async () => {
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 1_000n, feeFen: 7n, payerName: 'P' },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 1_000n, at: '2026-03-01 11:00:00', counterparty: 'P', status: 'pending' },
  ]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_993n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['fee A1 D1 -7', 'pending A1 D1 1000']);
});

test('a pending rest is a state break after agingDays, the wrong amount stays the break it was', async () => {
  await millionsCame();
  await book({ fen: 1n, status: 'pending' });
  await books.night('2026-03-01');
  await books.balance('A1', { at: '2026-03-06 00:00:05', fen: 5_100_000n });
  const last = await books.night('2026-03-05');
  expect(await books.found(last.runId)).toEqual(['amount A1 D1 4999999', 'state A1 D1 1']);
  const breaks = await database.db.selectFrom('break').select(['status', 'first_day']).execute();
  expect(breaks).toEqual([
    { status: 'open', first_day: '2026-03-01' },
    { status: 'open', first_day: '2026-03-01' },
  ]);
  await book({ fen: 5_000_000n, at: '2026-03-06 09:00:00' });
  await books.balance('A1', { at: '2026-03-07 00:00:05', fen: 5_100_000n });
  expect((await books.night('2026-03-06')).verdict).toBe('reconciled');
  const closed = await database.db.selectFrom('break').select(['status', 'cleared_by']).execute();
  expect(closed).toEqual([
    { status: 'closed', cleared_by: 'E0' },
    { status: 'closed', cleared_by: 'E0' },
  ]);
});

test('an entry that is dated anew after every cut is late for agingDays and then a break', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  const found: string[] = [];
  for (const day of [1, 2, 3, 4, 5]) {
    await book({ fen: 500n, at: `2026-03-0${day + 1} 01:00:00` });
    await books.balance('A1', { at: `2026-03-0${day + 1} 00:00:05`, fen: 100_500n });
    found.push(...(await books.found((await books.night(`2026-03-0${day}`)).runId)));
  }
  expect(found).toEqual([...Array<string>(3).fill('late A1 D1 500'), 'state A1 D1 500', 'state A1 D1 500']);
  await book({ fen: 500n, at: '2026-03-06 01:00:00' });
  await books.balance('A1', { at: '2026-03-07 00:00:05', fen: 100_500n });
  expect((await books.night('2026-03-06')).verdict).toBe('reconciled');
});
