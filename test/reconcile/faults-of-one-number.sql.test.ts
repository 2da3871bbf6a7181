/** A transfer order, a withdrawal and a batch may share a number: what is wrong with each is a break of its own. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { lines } from '../helpers/company/order-answers.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, bookedT1, openMarchIn } from './orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;
beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
});
afterEach(() => database.close());

test('each is told, on its payer as on who is concerned, and ends by itself', async () => {
  await openMarchIn(books, 'P', 'Q');
  await orders.transfer(T1);
  await orders.withdrawal({
    out: 'T1',
    account: 'P',
    amountFen: 500n,
    submittedAt: T1.submittedAt,
    state: 'open',
  });
  const odd = { account: 'P', reference: 'T1', class: 'unknown_state' } as const;
  await orders.fault({ ...odd, subject: 'transfer', note: 'state "A"' });
  await orders.fault({ ...odd, subject: 'withdrawal', note: 'state "B"', curedDay: '2026-03-02' });
  await orders.fault({ ...odd, subject: 'batch', note: 'batch: state "C"' });
  await books.entries('P', [bookedT1.P]);
  await books.entries('Q', [bookedT1.Q]);
  for (const day of ['2026-03-02', '2026-03-03']) {
    await books.balance('P', { at: `${day} 02:00:05`, fen: 90_000n });
    await books.balance('Q', { at: `${day} 02:00:05`, fen: 109_970n });
  }
  const first = await books.night('2026-03-01');
  const told = 'unknown_state P T1 0';
  const found = await books.found(first.runId);
  expect(found.filter((line) => line.startsWith('unknown_state'))).toEqual([told, told, told]);
  await books.night('2026-03-02');
  const breaks = await lines(database.db, 'break', ['item_key', 'status']);
  expect(breaks.filter((line) => line.startsWith('unknown_state')).toSorted()).toEqual([
    'unknown_state/batch:order:T1 open',
    'unknown_state/withdrawal:order:T1 closed',
    'unknown_state:order:T1 open',
  ]);
});
