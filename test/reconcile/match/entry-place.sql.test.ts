import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { placeOpenEntries } from '../../../src/reconcile/match/entry-place.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { emptyTables } from '../../helpers/dump.ts';
import { MatchedBooks } from '../../helpers/company/matched-books.ts';

let database: TestDatabase;
let books: MatchedBooks;
beforeAll(async () => {
  database = await testDatabase();
  books = new MatchedBooks(database.db);
});
beforeEach(async () => {
  await emptyTables(database.db, 'all');
  await books.account('P');
});
afterAll(() => database.close());

/** `kind amount family reference` of what the matching left over in the books. */
async function places(): Promise<string[]> {
  await books.matched();
  return database.db.transaction().execute(async (trx) => {
    await placeOpenEntries(trx);
    const { rows } = await sql<{ line: string }>`
      select e.kind || ' ' || e.amount_fen || ' ' || p.family || ' ' || p.reference as line
      from entry_place p join ledger_entry e using (entry_no) order by e.entry_no`.execute(trx);
    return rows.map(({ line }) => line);
  });
}

const T1 = { out: 'T1', payer: 'P', payee: 'Q', amountFen: 10_000n, feeFen: 30n };

test('books that have a failed order, by the platform’s number, have it under one name, fee included', async () => {
  await books.orders.transfer({ ...T1, state: 'failed' });
  await books.book('P', 'transfer_out', -10_000n, 'N-T1');
  await books.book('P', 'fee', -30n, 'N-T1');
  expect(await places()).toEqual(['transfer_out -10000 transfer T1', 'fee -30 transfer T1']);
});

test('a fee alone belongs to the order that is known by its reference', async () => {
  await books.orders.transfer({ ...T1, state: 'failed' });
  await books.orders.transfer({ ...T1, out: 'T2', payer: 'O', payee: 'P', state: 'open' });
  await books.orders.withdrawal({ out: 'W1', account: 'P', amountFen: 500n, state: 'open' });
  await books.orders.registered({ out: 'T3', batch: 'B1' });
  await books.orders.registered({ kind: 'withdrawal', out: 'W2' });
  for (const reference of ['N-T1', 'T2', 'N-W1', 'T3', 'W2']) await books.book('P', 'fee', -30n, reference);
  expect(await places()).toEqual([
    'fee -30 transfer T1',
    'fee -30 transfer T2',
    'fee -30 withdrawal W1',
    'fee -30 transfer T3',
    'fee -30 withdrawal W2',
  ]);
});

test('a fee goes with the first kind the books have open under its reference', async () => {
  await books.book('P', 'settlement', -9_970n);
  await books.book('P', 'fee', -30n);
  await books.book('P', 'transfer_in', 10_000n);
  expect(await places()).toEqual([
    'settlement -9970 settlement T1',
    'fee -30 transfer T1',
    'transfer_in 10000 transfer T1',
  ]);
});

test('a fee beside a deposit, of an unknown number or of none, stays with the deposits', async () => {
  await books.orders.transfer({ ...T1, orderNo: 'D1', state: 'failed' });
  await books.book('P', 'deposit', 500n, 'D1');
  await books.book('P', 'fee', -5n, 'D1');
  await books.book('P', 'fee', -6n, 'D2');
  await books.book('P', 'fee', -7n, '');
  expect(await places()).toEqual([
    'deposit 500 deposit D1',
    'fee -5 deposit D1',
    'fee -6 deposit D2',
    'fee -7 deposit ',
  ]);
});

test('kinds stand by themselves; only orders go by the company’s number', async () => {
  await books.orders.transfer({ ...T1, state: 'failed' });
  const kinds = ['refund_in', 'refund_out', 'withdrawal', 'transfer_in', 'settlement', 'deposit'] as const;
  for (const kind of kinds) await books.book('P', kind, 1n, 'N-T1');
  expect(await places()).toEqual([
    'refund_in 1 refund T1',
    'refund_out 1 refund T1',
    'withdrawal 1 withdrawal T1',
    'transfer_in 1 transfer T1',
    'settlement 1 settlement T1',
    'deposit 1 deposit N-T1',
  ]);
});
