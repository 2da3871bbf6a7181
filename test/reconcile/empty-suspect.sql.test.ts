/** An empty listing is no proof that nothing came (docs/reconciliation.md 3.6, 7). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, openMarchIn } from './orders-in-march.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
});
afterEach(() => database.close());

const suspected = async (runId: string): Promise<string[]> => {
  const rows = await database.db
    .selectFrom('finding')
    .select(['account_no', 'item_key'])
    .where('run_id', '=', runId)
    .where('class', '=', 'empty_suspect')
    .orderBy('item_key')
    .execute();
  return rows.map((row) => `${row.account_no} ${row.item_key}`);
};

const keysOf = async (runId: string): Promise<string[]> => {
  const rows = await database.db
    .selectFrom('run_unexplained')
    .select('item_key')
    .where('run_id', '=', runId)
    .execute();
  return rows.map((row) => row.item_key);
};

test('a rise that is kept under the key of another day makes the listing of its own day suspect', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.entries('A1', [{ id: 'O', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' }]);
  await books.proven('A1', '2026-03-01', '2026-03-01');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  await books.night('2026-03-02');
  await books.proven('A1', '2026-03-02', '2026-03-04');
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 100_500n });
  await books.night('2026-03-03');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_500n });
  const again = await books.night('2026-03-02');
  expect(await keysOf(again.runId)).toEqual(['unexplained:2026-03-03']);
  expect(await suspected(again.runId)).toEqual(['A1 empty_suspect:2026-03-02:2026-03-02']);
});

test('an order of the same number does not show a deposit that the books have', async () => {
  const orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P', 'Q');
  await orders.transfer({ ...T1, finalAt: '2026-03-01 12:00:00' });
  await books.entries('Q', [
    { id: 'd1', kind: 'deposit', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'T1' },
  ]);
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 90_000n });
  await books.balance('Q', { at: '2026-03-02 00:00:05', fen: 109_970n });
  const proof = await books.night('2026-03-01');
  expect(await suspected(proof.runId)).toEqual(['Q empty_suspect:2026-03-01:2026-03-01']);
});

test('a deposit of another account that only this one has booked shows it', async () => {
  await openMarchIn(books, 'P', 'Q');
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('Q', [
    { id: 'd1', kind: 'deposit', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'D1' },
  ]);
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_500n });
  await books.balance('Q', { at: '2026-03-02 00:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(await suspected(proof.runId)).toEqual([]);
  expect(await books.found(proof.runId)).toEqual(['account P D1 500', 'account Q D1 -500']);
});

test('a deposit that another account has booked itself does not', async () => {
  await openMarchIn(books, 'P', 'Q');
  await books.deposits('P', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  const entry = { kind: 'deposit', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'D1' } as const;
  await books.entries('P', [{ ...entry, id: 'p1' }]);
  await books.entries('Q', [{ ...entry, id: 'q1' }]);
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_500n });
  await books.balance('Q', { at: '2026-03-02 00:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(await suspected(proof.runId)).toEqual(['Q empty_suspect:2026-03-01:2026-03-01']);
});

test('a backfill that ends with its day keeps the suspicion of a night, and the night that of the backfill', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.proven('A1', '2026-03-01', '2026-03-02');
  await books.entries('A1', [
    { id: 'd1', kind: 'deposit', amountFen: 500n, at: '2026-03-02 10:00:00', reference: 'D1' },
  ]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  const proof = await books.night('2026-03-02');
  expect(await suspected(proof.runId)).toEqual(['A1 empty_suspect:2026-03-02:2026-03-02']);
  const of = ['A1 empty_suspect:2026-03-01:2026-03-02', 'A1 empty_suspect:2026-03-02:2026-03-02'];
  const wider = await books.night('2026-03-02', { from: '2026-03-01' });
  expect(await suspected(wider.runId)).toEqual(of);
  const again = await books.night('2026-03-02');
  expect(await suspected(again.runId)).toEqual(of);
  const closed = await database.db.selectFrom('break').selectAll().where('status', '=', 'closed').execute();
  expect(closed).toEqual([]);
});
