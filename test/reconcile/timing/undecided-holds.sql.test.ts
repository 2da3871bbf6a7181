/** What may have been held when a balance was read is told exactly or not at all (docs/reconciliation.md 3.5). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { T1, openMarchIn } from '../orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
});
afterEach(() => database.close());

/** Notes of the frozen breaks. */
const notesOf = async (runId: string): Promise<string[]> => {
  const rows = await database.db
    .selectFrom('finding')
    .select('note')
    .where('run_id', '=', runId)
    .where('class', '=', 'frozen')
    .execute();
  return rows.map(({ note }) => note);
};

test('3.5: what seven orders would hold that no look had shown leaves no other amount out than theirs', async () => {
  await openMarchIn(books, 'P');
  for (let n = 0; n < 7; n++) {
    await orders.withdrawal({
      out: `W${n}`,
      account: 'P',
      amountFen: 100n,
      submittedAt: '2026-03-01 23:50:00',
      finalAt: '2026-03-02 02:00:00',
    });
  }
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_000n, frozenFen: 650n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toContain('frozen P P -50');
  expect(await notesOf(proof.runId)).toEqual(['frozen amount against what orders in flight hold']);
});

test('3.5: of more than thirty refunds that may have been held nothing is told, and that is said', async () => {
  await openMarchIn(books, 'P', 'Q');
  for (let n = 0; n < 31; n++) {
    await orders.transfer({
      ...T1,
      out: `T${n}`,
      batch: `B${n}`,
      amountFen: 100n,
      feeFen: 0n,
      finalAt: '2026-03-01 12:00:00',
      refunds: [
        {
          amountFen: 100n,
          state: 'open',
          openSince: '2026-03-02 02:00:00',
          lastOpenAt: '2026-03-02 02:00:00',
        },
      ],
    });
  }
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 96_900n });
  await books.balance('Q', { at: '2026-03-02 00:00:05', fen: 103_100n, frozenFen: 200n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toContain('frozen Q Q 200');
  expect(await notesOf(proof.runId)).toEqual([
    'frozen amount against what orders in flight hold; refunds and settlements that may have held it: too many to decide',
  ]);
});
