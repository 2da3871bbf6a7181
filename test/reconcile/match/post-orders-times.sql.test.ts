import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { post } from '../../../src/reconcile/post/post.ts';
import type { LedgerKind } from '../../../src/store/schema/schema.ts';
import { Books, at } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { emptyTables } from '../../helpers/dump.ts';
import { OrderBooks, postingRules } from '../../helpers/company/order-books.ts';

let database: TestDatabase;
let orders: OrderBooks;
let books: Books;
beforeAll(async () => {
  database = await testDatabase();
  orders = new OrderBooks(database.db);
  books = new Books(database.db);
});
beforeEach(() => emptyTables(database.db, 'all'));
afterAll(() => database.close());

const SUBMITTED = '2026-03-01 23:50:00';
const OPEN_AT = '2026-03-02 00:00:10';
const SEEN = '2026-03-02 02:00:00';
const T1 = { out: 'T1', payer: 'P', payee: 'Q', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT' };

/** `dedup_key from`, each instant under the name a test gave it. */
async function counts(names: Record<string, string>, rules = postingRules()): Promise<string[]> {
  await post(database.db, rules);
  const rows = await database.db.selectFrom('movement').selectAll().orderBy('dedup_key').execute();
  const named = new Map(Object.entries(names).map(([name, local]) => [at(local), name]));
  return rows.map((row) => `${row.dedup_key} ${named.get(row.effective_from) ?? row.effective_from}`);
}

/** As the proof does when only that explains the balance. */
async function move(keys: readonly string[], local: string): Promise<void> {
  await database.db
    .updateTable('movement')
    .set({ effective_from: at(local), placed: true })
    .where('dedup_key', 'in', keys)
    .execute();
}

test('U50: an order never seen open counts from its submission, in all its movements', async () => {
  await orders.transfer({ ...T1, submittedAt: SUBMITTED, finalAt: SEEN });
  expect(await counts({ SUBMITTED })).toEqual([
    'transfer_fee:T1 SUBMITTED',
    'transfer_in:T1 SUBMITTED',
    'transfer_out:T1 SUBMITTED',
  ]);
  const seen = await database.db.selectFrom('movement').select('effective_to').distinct().execute();
  expect(seen).toEqual([{ effective_to: at(SEEN) }]);
});

test('3.4: an order seen open counts from the first look that showed it moved', async () => {
  await orders.transfer({ ...T1, feeFen: 0n, submittedAt: SUBMITTED, lastOpenAt: OPEN_AT, finalAt: SEEN });
  await orders.withdrawal({
    out: 'W1',
    account: 'P',
    amountFen: 500n,
    submittedAt: SUBMITTED,
    lastOpenAt: OPEN_AT,
    finalAt: SEEN,
  });
  expect(await counts({ SEEN })).toEqual([
    'transfer_in:T1 SEEN',
    'transfer_out:T1 SEEN',
    'withdrawal:W1 SEEN',
  ]);
});

test('a submission after the first look is a fault of a clock: the look counts', async () => {
  await orders.transfer({ ...T1, feeFen: 0n, submittedAt: '2026-03-02 03:00:00', finalAt: SEEN });
  expect(await counts({ SEEN })).toEqual(['transfer_in:T1 SEEN', 'transfer_out:T1 SEEN']);
});

test('each later change counts by its own looks; nothing is paid out before it arrived', async () => {
  const [REFUNDED, BACK_OPEN, BACK] = ['2026-04-15 02:00:00', '2026-03-04 02:00:00', '2026-03-05 02:00:00'];
  await orders.transfer({
    ...T1,
    feeFen: 0n,
    submittedAt: SUBMITTED,
    lastOpenAt: OPEN_AT,
    finalAt: SEEN,
    settle: [
      { state: 'moved', since: SUBMITTED, finalAt: SEEN },
      { state: 'returned', lastOpenAt: BACK_OPEN, finalAt: BACK },
    ],
    refunds: [{ amountFen: 100n, lastOpenAt: BACK, finalAt: REFUNDED }],
  });
  expect(await counts({ SUBMITTED, SEEN, BACK, REFUNDED })).toEqual([
    'refund_in:T1:1 REFUNDED',
    'refund_out:T1:1 REFUNDED',
    'settlement:T1 SEEN',
    'settlement:T1:2 BACK',
    'transfer_in:T1 SEEN',
    'transfer_out:T1 SEEN',
  ]);
});

const BOOKED = '2026-02-27 15:00:00';

test.each<[string, string, LedgerKind, string]>([
  ['the payer’s books, by the company’s number', 'P', 'transfer_out', 'T1'],
  ['the payer’s books, by the platform’s number', 'P', 'transfer_out', 'N-T1'],
  ['the payee’s books', 'Q', 'transfer_in', 'T1'],
])('U50: nobody knows when it was submitted: the day of %s', async (_name, account, kind, reference) => {
  await books.account('P');
  await books.account('Q');
  await books.entries(account, [
    { id: 'E1', amountFen: 1n, at: '2026-02-28 15:00:00', kind, reference },
    { id: 'E2', amountFen: 1n, at: BOOKED, kind, reference },
    { id: 'E3', amountFen: 1n, at: '2026-02-20 15:00:00', kind: 'settlement', reference },
    { id: 'E4', amountFen: 1n, at: '2026-02-20 15:00:00', kind, reference: 'T10' },
  ]);
  await orders.transfer({ ...T1, submittedAt: null, finalAt: SEEN });
  expect(await counts({ BOOKED })).toEqual([
    'transfer_fee:T1 BOOKED',
    'transfer_in:T1 BOOKED',
    'transfer_out:T1 BOOKED',
  ]);
});

test('books that are later than our look, withdrawn or silent say nothing: the first look counts', async () => {
  await books.account('P');
  const entry = { kind: 'transfer_out', amountFen: 1n, at: BOOKED } as const;
  await books.entries('P', [
    { ...entry, id: 'E1', at: '2026-03-02 09:00:00', reference: 'T1' },
    { ...entry, id: 'E2', reference: 'T2' },
  ]);
  await books.withdraw('E2');
  for (const out of ['T1', 'T2', 'T3']) {
    await orders.transfer({ ...T1, out, feeFen: 0n, submittedAt: null, finalAt: SEEN });
  }
  expect(new Set((await counts({ SEEN })).map((line) => line.split(' ').at(-1)))).toEqual(new Set(['SEEN']));
});

test('what the proof moved within the bounds stays, also under other rules and for the fee they bring', async () => {
  const CUT = '2026-03-01 23:59:59';
  await orders.transfer({ ...T1, submittedAt: SUBMITTED, lastOpenAt: '2026-03-01 23:59:00', finalAt: SEEN });
  await counts({}, postingRules({ bearers: { transfer: 'external' } }));
  await move(['transfer_out:T1', 'transfer_in:T1'], CUT);
  await counts({}, postingRules({ bearers: { transfer: 'external' } }));
  expect(await counts({ CUT })).toEqual(['transfer_fee:T1 CUT', 'transfer_in:T1 CUT', 'transfer_out:T1 CUT']);
});

test('what the proof moved is looked at anew when the amount or the bounds no longer agree with it', async () => {
  const CUT = '2026-03-01 23:59:59';
  const seen = {
    ...T1,
    feeFen: 0n,
    submittedAt: SUBMITTED,
    lastOpenAt: '2026-03-01 23:59:00',
    finalAt: SEEN,
  };
  await orders.transfer(seen);
  await orders.transfer({ ...seen, out: 'T2' });
  await orders.transfer({ ...seen, out: 'T3' });
  await counts({});
  await move(['transfer_out:T1', 'transfer_in:T1', 'transfer_out:T2', 'transfer_in:T2'], CUT);
  await move(['transfer_out:T3', 'transfer_in:T3'], CUT);
  await orders.transfer({ ...seen, amountFen: 9_000n });
  await orders.transfer({ ...seen, out: 'T2', lastOpenAt: OPEN_AT });
  await orders.transfer({ ...seen, out: 'T3', lastOpenAt: '2026-03-01 23:59:30' });
  expect((await counts({ SEEN, CUT })).filter((line) => line.includes('out'))).toEqual([
    'transfer_out:T1 SEEN',
    'transfer_out:T2 SEEN',
    'transfer_out:T3 CUT',
  ]);
});
