/** A break is the same one for as long as its cause lives on, under whatever key, kind or account. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/order-books.ts';
import { T1, openMarchIn } from './orders-in-march.ts';

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

const FREE = { ...T1, feeFen: 0n } as const;

/** The night of a day in March; its findings in lines, without the suspicion of empty listings. */
async function night(day: number, held: Partial<Record<'P' | 'Q', bigint>> = {}): Promise<string[]> {
  for (const accountNo of ['P', 'Q'] as const) {
    const fen = held[accountNo] ?? 100_000n;
    const runId = `read-${day}-${Math.random()}`;
    await books.balance(accountNo, { at: `2026-03-0${day + 1} 02:00:00`, fen, runId });
  }
  const proof = await books.night(`2026-03-0${day}`);
  return (await books.found(proof.runId)).filter((line) => !line.startsWith('empty_suspect'));
}

const breaks = async () =>
  (await database.db.selectFrom('break').selectAll().orderBy('first_day').orderBy('break_id').execute())
    .filter((row) => row.class !== 'empty_suspect')
    .map((row) => ({
      id: row.break_id,
      is: `${row.status} ${row.class} ${row.account_no} ${row.reference} ${row.difference_fen}`,
      since: row.first_day,
      by: row.cleared_by,
    }));

test('what agrees in sum but not in its parts is one break, whether or not a part comes later', async () => {
  await orders.transfer({ ...FREE, payee: 'P' });
  await books.entries('P', [
    { id: 'p1', kind: 'transfer_out', amountFen: -9_000n, at: '2026-03-01 09:05:00', reference: 'T1' },
    { id: 'p2', kind: 'transfer_in', amountFen: 9_000n, at: '2026-03-02 00:30:00', reference: 'T1' },
  ]);
  expect(await night(1)).toEqual(['amount P T1 0', 'late P T1 9000']);
  const first = (await breaks()).find(({ is }) => is.includes('amount'));
  expect(await night(2)).toEqual(['amount P T1 0']);
  const open = (await breaks()).filter(({ is }) => is.startsWith('open'));
  expect(open).toEqual([{ id: first?.id, is: 'open amount P T1 0', since: '2026-03-01', by: null }]);
});
