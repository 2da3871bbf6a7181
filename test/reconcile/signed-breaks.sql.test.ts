/** A break that a person has to sign ends by what explains it, and by no reading that merely does not repeat it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { numbersOf, openMarchIn } from './orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P');
});
afterEach(() => database.close());

const breakOf = async (itemKey: string): Promise<string[]> => {
  const rows = await database.db.selectFrom('break').selectAll().where('item_key', '=', itemKey).execute();
  return rows.map((row) => [row.status, row.cleared_cause, row.cleared_by].filter(Boolean).join(' '));
};

test('one placement taken of several stays to be signed until a balance leaves no doubt, and never by a doubtful one', async () => {
  for (const out of ['W1', 'W2']) {
    await orders.withdrawal({
      out,
      account: 'P',
      amountFen: 500n,
      submittedAt: '2026-03-01 23:50:00',
      finalAt: '2026-03-07 02:00:00',
    });
    await books.entries('P', [
      { id: out, kind: 'withdrawal', amountFen: -500n, at: '2026-03-01 23:51:00', reference: out },
    ]);
  }
  for (const day of [1, 2, 3, 4, 5]) {
    await books.balance('P', { at: `2026-03-0${day + 1} 00:00:05`, fen: 99_500n, frozenFen: 500n });
    const proof = await books.night(`2026-03-0${day}`);
    if (day < 4) continue;
    expect(await breakOf('timing')).toEqual(['open']);
    expect(await books.found(proof.runId)).toContain('ambiguous P P 0');
    expect(proof.verdict).toBe(day === 4 ? 'breaks' : 'unverified');
  }
  await books.balance('P', { at: '2026-03-08 00:00:05', fen: 98_900n });
  expect((await books.night('2026-03-07')).verdict).toBe('unverified');
  expect(await breakOf('timing'), 'a balance that lacks 100 fen explains nothing').toEqual(['open']);
  await books.balance('P', { at: '2026-03-09 00:00:05', fen: 98_900n });
  await books.entries('P', [{ id: 'A', kind: 'adjustment', amountFen: -100n, at: '2026-03-08 09:00:00' }]);
  await books.night('2026-03-08');
  expect(await breakOf('timing')).toEqual(['open']);
  await books.balance('P', { at: '2026-03-10 00:00:05', fen: 98_900n });
  const { runId } = await books.night('2026-03-09');
  expect(await breakOf('timing')).toEqual([`closed reading ${runId}`]);
});

test('a change of the in-flight model stays to be signed until the profile states the model', async () => {
  const open = (out: string, day: string, finalAt?: string) =>
    orders.withdrawal({
      out,
      account: 'P',
      amountFen: 500n,
      submittedAt: `${day} 10:00:00`,
      lastOpenAt: `${day} 23:59:50`,
      ...(finalAt === undefined ? { state: 'open' as const } : { finalAt }),
    });
  const booked = (out: string, day: string) =>
    books.entries('P', [
      { id: out, kind: 'withdrawal', amountFen: -500n, at: `${day} 12:00:00`, reference: out },
    ]);
  await open('W1', '2026-03-01');
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_000n, frozenFen: 500n });
  expect(numbersOf(await books.night('2026-03-01'), 'P')?.inflightModel).toBe('frozen');
  await open('W1', '2026-03-01', '2026-03-02 11:00:00');
  await booked('W1', '2026-03-02');
  await open('W2', '2026-03-02');
  await books.balance('P', { at: '2026-03-03 00:00:05', fen: 99_000n });
  expect(numbersOf(await books.night('2026-03-02'), 'P')?.inflightModel).toBe('debited');
  expect(await breakOf('frozen:model')).toEqual(['open']);
  await open('W2', '2026-03-02', '2026-03-03 11:00:00');
  await booked('W2', '2026-03-03');
  await books.balance('P', { at: '2026-03-04 00:00:05', fen: 99_000n });
  const third = await books.night('2026-03-03');
  expect([third.verdict, await breakOf('frozen:model')]).toEqual(['unverified', ['open']]);
  expect(numbersOf(third, 'P')?.reason).toMatch(/^break_neither_found_nor_ended:/);
  await books.balance('P', { at: '2026-03-05 00:00:05', fen: 99_000n });
  expect((await books.night('2026-03-04', { model: 'debited' })).verdict).toBe('reconciled');
  expect(await breakOf('frozen:model')).toEqual(['closed statement inflight.model']);
});
