import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Proof } from '../../../src/reconcile/prove/prove.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { numbersOf, openMarchIn } from '../orders-in-march.ts';

/** A balance between two proofs on whose side of it orders lie nobody saw: what no placement explains is no less an error. */

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P');
  await books.balance('P', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
});
afterEach(() => database.close());

/** Booked on 2 March; on which side of the balance of that midnight it took effect nobody saw. */
async function withdrawn(out: string, amountFen: bigint): Promise<void> {
  await orders.withdrawal({
    out,
    account: 'P',
    amountFen,
    submittedAt: '2026-03-02 23:50:00',
    finalAt: '2026-03-03 02:00:00',
  });
  await books.entries('P', [
    { id: out, kind: 'withdrawal', amountFen: -amountFen, at: '2026-03-02 23:51:00', reference: out },
  ]);
}

const midnight = (day: string, fen: bigint, frozenFen = 0n) =>
  books.balance('P', { at: `${day} 00:00:05`, fen, frozenFen });

const found = async (proof: Proof & { runId: string }): Promise<string[]> =>
  (await books.found(proof.runId)).filter((item) => !item.startsWith('empty_suspect')).toSorted();

const breaks = async (of: 'frozen' | 'unexplained'): Promise<string[]> => {
  const rows = await database.db
    .selectFrom('break')
    .selectAll()
    .where('class', '=', of)
    .orderBy('item_key')
    .execute();
  return rows.map((row) => `${row.item_key} ${row.difference_fen} ${row.status} since ${row.first_day}`);
};

test('errors of two days do not net where no placement of two orders explains the balance between them', async () => {
  await withdrawn('W1', 300n);
  await withdrawn('W2', 300n);
  await midnight('2026-03-03', 150_000n, 300n);
  expect((await books.night('2026-03-02')).verdict).toBe('unverified');
  await midnight('2026-03-04', 99_400n);
  const third = await books.night('2026-03-03');
  expect(third.verdict).toBe('breaks');
  expect(numbersOf(third, 'P')?.assumptions).toContain('timing_assumed:W1, W2');
  expect(await found(third)).toEqual(['unexplained P P -50300', 'unexplained P P 50300']);
  await midnight('2026-03-05', 99_400n);
  expect((await books.night('2026-03-04')).verdict).toBe('breaks');
});

test('nor where there are more orders than can be weighed and not even all of them together explain it', async () => {
  for (let n = 0; n < 21; n++) await withdrawn(`W${n}`, 100n);
  await midnight('2026-03-03', 150_000n);
  expect((await books.night('2026-03-02')).verdict).toBe('unverified');
  await midnight('2026-03-04', 97_900n);
  const third = await books.night('2026-03-03');
  expect(third.verdict).toBe('breaks');
  expect(await found(third)).toHaveLength(2);
});

test('more orders than can be weighed that may explain a balance make no error of it', async () => {
  for (let n = 0; n < 21; n++) await withdrawn(`W${n}`, 100n);
  await midnight('2026-03-03', 99_000n);
  expect((await books.night('2026-03-02')).verdict).toBe('unverified');
  await midnight('2026-03-04', 97_900n);
  expect((await books.night('2026-03-03')).verdict).toBe('reconciled');
});

test('nor where an order may explain that balance only against what was frozen', async () => {
  await withdrawn('W1', 300n);
  await midnight('2026-03-03', 99_700n, 300n);
  expect((await books.night('2026-03-02')).verdict).toBe('unverified');
  await midnight('2026-03-04', 99_700n);
  expect(await found(await books.night('2026-03-03'))).toEqual([
    'unexplained P P -300',
    'unexplained P P 300',
  ]);
});

test('a proof that only spans the day of an open amount ends it not, nor does the undecided day end what is frozen', async () => {
  await midnight('2026-03-03', 150_000n, 700n);
  expect(await found(await books.night('2026-03-02'))).toEqual(['frozen P P 700', 'unexplained P P 50000']);
  await withdrawn('W1', 300n);
  await withdrawn('W2', 300n);
  await withdrawn('W3', 400n);
  const again = await books.night('2026-03-02');
  expect(again.verdict).toBe('unverified');
  expect(await breaks('frozen')).toEqual(['frozen 700 open since 2026-03-02']);
  await midnight('2026-03-04', 99_000n);
  const third = await books.night('2026-03-03');
  expect(third.verdict).toBe('breaks');
  expect(await breaks('unexplained')).toEqual([
    'unexplained:2026-03-02 50300 open since 2026-03-02',
    'unexplained:2026-03-03 -50300 open since 2026-03-03',
  ]);
});

test('an open amount stays, and nothing is green, where its day is spanned because orders may explain it in several ways', async () => {
  await midnight('2026-03-03', 99_700n, 300n);
  expect(await found(await books.night('2026-03-02'))).toEqual(['frozen P P 300', 'unexplained P P -300']);
  await withdrawn('W1', 300n);
  await withdrawn('W2', 300n);
  expect((await books.night('2026-03-02')).verdict).toBe('unverified');
  await midnight('2026-03-04', 99_400n);
  await midnight('2026-03-05', 99_400n);
  for (const day of ['2026-03-03', '2026-03-04']) {
    const proof = await books.night(day);
    expect(proof.verdict).not.toMatch(/^reconciled/);
    expect(await breaks('unexplained')).toEqual(['unexplained:2026-03-02 -300 open since 2026-03-02']);
  }
});
