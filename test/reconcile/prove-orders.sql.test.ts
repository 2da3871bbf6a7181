import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, bookedT1, numbersOf, openMarchIn } from './orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
});
afterEach(() => database.close());

const openMarch = (...accounts: string[]): Promise<void> => openMarchIn(books, ...accounts);

test('E2: a transfer both sides have is reconciled on both accounts, on the day it was submitted', async () => {
  await openMarch('P', 'Q');
  await orders.transfer(T1);
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [bookedT1.Q]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 90_000n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 109_970n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual([]);
  expect(proof.verdict).toBe('reconciled');
  expect(numbersOf(proof, 'P')).toMatchObject({
    differenceFen: 0n,
    numbers: { source: 'derived', platformFen: 90_000n, movements: { netFen: -10_000n } },
  });
  expect(numbersOf(proof, 'Q')).toMatchObject({
    numbers: { platformFen: 109_970n, movements: { netFen: 9_970n, feeFen: 30n } },
  });
});

test('3.5: an open order is in flight, frozen as the platform says, and no difference', async () => {
  await openMarch('P', 'Q');
  await orders.transfer({ ...T1, state: 'open', lastOpenAt: '2026-03-02 02:00:05' });
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 100_000n, frozenFen: 10_000n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('reconciled_with_timing');
  expect(await books.found(proof.runId)).toEqual(['in_flight P T1 0']);
  expect(numbersOf(proof, 'P')).toMatchObject({
    inflightModel: 'frozen',
    differenceFen: 0n,
    numbers: { inFlightFen: 10_000n, frozenFen: 10_000n, unexplainedFen: 0n },
  });
});

test('3.5: the same order debited at once is in flight, the balance counts it as there, and that is an assumption', async () => {
  await openMarch('P', 'Q');
  await orders.transfer({ ...T1, state: 'open', lastOpenAt: '2026-03-02 02:00:05' });
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 90_000n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('reconciled_with_timing');
  expect(await books.found(proof.runId)).toEqual(['in_flight P T1 0']);
  expect(numbersOf(proof, 'P')).toMatchObject({
    inflightModel: 'debited',
    assumptions: ['debited_inferred:10000 fen'],
    numbers: { platformFen: 100_000n, inFlightFen: 10_000n, unexplainedFen: 0n },
  });
});

test('3.5: books that post at submission are pending, and a state break of the same id after agingDays', async () => {
  await openMarch('P', 'Q');
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [bookedT1.Q]);
  for (const day of ['02', '03', '04', '05', '06']) {
    await books.balance('P', { at: `2026-03-${day} 02:00:05`, fen: 100_000n, frozenFen: 10_000n });
    await books.balance('Q', { at: `2026-03-${day} 02:00:05`, fen: 100_000n });
  }
  await orders.transfer({ ...T1, state: 'open', lastOpenAt: '2026-03-06 02:00:05' });
  const first = await books.night('2026-03-01');
  expect(first.verdict).toBe('reconciled_with_timing');
  expect(await books.found(first.runId)).toEqual(['pending P T1 10000', 'pending Q T1 -9970']);
  expect(numbersOf(first, 'P')).toMatchObject({ lineDifferenceFen: 10_000n, differenceFen: 10_000n });
  await books.night('2026-03-02');
  const third = await books.night('2026-03-03');
  expect(await books.found(third.runId)).toEqual(['pending P T1 10000', 'pending Q T1 -9970']);
  await books.night('2026-03-04');
  const fifth = await books.night('2026-03-05');
  expect(fifth.verdict).toBe('breaks');
  expect(await books.found(fifth.runId)).toEqual(['state P T1 10000', 'state Q T1 -9970']);
  const ids = await database.db.selectFrom('break').select(['break_id', 'first_day']).execute();
  expect(ids.map(({ first_day: day }) => day)).toEqual(['2026-03-01', '2026-03-01']);
});

test('DIV-26: books that post failed transfer orders have a state break on each account, of their own amounts', async () => {
  await openMarch('P', 'Q');
  await orders.transfer({ ...T1, state: 'failed' });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [bookedT1.Q]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 100_000n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['state P T1 10000', 'state Q T1 -9970']);
  expect(numbersOf(proof, 'P')).toMatchObject({ differenceFen: 10_000n, numbers: { unexplainedFen: 0n } });
});

test('DIV-27: books that forget the outside fee have a fee break of exactly the fee', async () => {
  await openMarch('P', 'Q');
  await orders.transfer({ ...T1, feeType: 'ACCOUNT' });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [{ ...bookedT1.Q, amountFen: 10_000n }]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 89_970n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 110_000n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['fee P T1 -30']);
});

test('REF-10: a refund the books lack is platform_only on both accounts with its own sign', async () => {
  await openMarch('P', 'Q');
  await orders.transfer({ ...T1, refunds: [{ amountFen: 4_000n, finalAt: '2026-03-02 02:00:00' }] });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [bookedT1.Q]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 94_000n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 105_970n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual(['platform_only P T1 4000', 'platform_only Q T1 -4000']);
});

test('two errors of the books that cancel are two breaks under a difference of zero', async () => {
  await openMarch('P', 'Q');
  await orders.transfer(T1);
  await orders.withdrawal({ out: 'W1', account: 'P', amountFen: 500n, finalAt: '2026-03-02 02:00:00' });
  await books.entries('P', [
    { ...bookedT1.P, amountFen: -10_100n },
    { id: 'p2', kind: 'withdrawal', amountFen: -400n, at: '2026-03-01 12:00:00', reference: 'W1' },
  ]);
  await books.entries('Q', [bookedT1.Q]);
  await books.balance('P', { at: '2026-03-02 02:00:05', fen: 89_500n });
  await books.balance('Q', { at: '2026-03-02 02:00:05', fen: 109_970n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('breaks');
  expect(await books.found(proof.runId)).toEqual(['amount P T1 100', 'amount P W1 -100']);
  expect(numbersOf(proof, 'P')).toMatchObject({ differenceFen: 0n, lineDifferenceFen: 0n });
});
