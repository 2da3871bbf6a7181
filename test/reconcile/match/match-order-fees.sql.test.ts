import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LedgerKind } from '../../../src/store/schema/schema.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { emptyTables } from '../../helpers/dump.ts';
import { MatchedBooks } from '../../helpers/company/matched-books.ts';
import { postingRules } from '../../helpers/company/order-books.ts';

let database: TestDatabase;
let books: MatchedBooks;
beforeAll(async () => {
  database = await testDatabase();
  books = new MatchedBooks(database.db);
});
beforeEach(async () => {
  await emptyTables(database.db, 'all');
  for (const account of ['P', 'Q', 'X']) await books.account(account);
});
afterAll(() => database.close());

/** Ten thousand fen with a fee of thirty, from P to Q. */
const T1 = { out: 'T1', payer: 'P', payee: 'Q', amountFen: 10_000n, feeFen: 30n };
const BESIDE = { ...T1, feeType: 'ACCOUNT' };

const settled = { ...T1, settle: { state: 'moved' } } as const;
const rules = postingRules({ settleFee: { feeType: 'ORDER', feeFen: 20n } });

test('separate or netted, inside or beside, is the same', async () => {
  await books.orders.transfer(T1);
  await books.orders.transfer({ ...T1, out: 'T2' });
  await books.orders.transfer({ ...BESIDE, out: 'T3' });
  await books.orders.transfer({ ...BESIDE, out: 'T4' });
  await books.book('Q', 'transfer_in', 9_970n, 'T1');
  await books.book('Q', 'transfer_in', 10_000n, 'T2');
  await books.book('Q', 'fee', -30n, 'T2');
  await books.book('P', 'transfer_out', -10_030n, 'T3');
  await books.book('P', 'transfer_out', -10_000n, 'T4');
  await books.book('P', 'fee', -30n, 'T4');
  expect((await books.matched()).filter((line) => line.includes('equal'))).toEqual([
    'P transfer:T3 equal 2/1',
    'P transfer:T4 equal 2/2',
    'Q transfer:T1 equal 1/1',
    'Q transfer:T2 equal 1/2',
  ]);
});

test('a fee goes to the kind whose fee it equals', async () => {
  await books.orders.transfer(settled);
  await books.book('Q', 'fee', -20n);
  await books.book('Q', 'transfer_in', 10_000n);
  await books.book('Q', 'settlement', -9_950n);
  await books.book('Q', 'fee', -30n);
  expect(await books.matched(rules)).toEqual([
    'Q settlement:T1 equal 1/2',
    'Q transfer:T1 equal 1/2',
    'platform only: P transfer_out:T1',
  ]);
});

test('two equal fees of two kinds: each kind gets one', async () => {
  await books.orders.transfer(settled);
  await books.book('Q', 'transfer_in', 10_000n);
  await books.book('Q', 'settlement', -9_940n);
  await books.book('Q', 'fee', -30n);
  await books.book('Q', 'fee', -30n);
  const equalFees = postingRules({ settleFee: { feeType: 'ORDER', feeFen: 30n } });
  expect((await books.matched(equalFees)).filter((line) => line.startsWith('Q'))).toEqual([
    'Q settlement:T1 equal 1/2',
    'Q transfer:T1 equal 1/2',
  ]);
});

test('of two kinds with that fee it goes to the one that lacks it', async () => {
  await books.orders.transfer(settled);
  await books.book('Q', 'transfer_in', 9_970n);
  await books.book('Q', 'settlement', -9_940n);
  await books.book('Q', 'fee', -30n);
  const equalFees = postingRules({ settleFee: { feeType: 'ORDER', feeFen: 30n } });
  expect((await books.matched(equalFees)).filter((line) => line.startsWith('Q'))).toEqual([
    'Q settlement:T1 equal 1/2',
    'Q transfer:T1 equal 1/1',
  ]);
});

test('a fee of another amount goes to the first kind that is not matched', async () => {
  await books.orders.transfer(settled);
  await books.book('Q', 'transfer_in', 10_000n);
  await books.book('Q', 'settlement', -9_970n);
  await books.book('Q', 'fee', -25n);
  expect((await books.matched()).filter((line) => line.startsWith('Q'))).toEqual([
    'Q settlement:T1 equal 1/1',
    'Q transfer:T1 fee 1/2',
  ]);
});

test('a fee that comes after its order was matched makes that order a difference again', async () => {
  await books.orders.transfer(settled);
  await books.book('Q', 'transfer_in', 9_970n);
  await books.book('Q', 'settlement', -9_970n);
  await books.matched(rules);
  await books.book('Q', 'fee', -30n);
  expect((await books.matched(rules)).filter((line) => line.startsWith('Q'))).toEqual([
    'Q settlement:T1 equal 1/1',
    'Q transfer:T1 fee 1/2',
  ]);
});

test('the fees of a group that is looked at again stay with it', async () => {
  await books.orders.transfer(BESIDE);
  await books.book('P', 'transfer_out', -10_000n);
  await books.book('P', 'fee', -30n);
  expect(await books.matched()).toContain('P transfer:T1 equal 2/2');
  await books.book('P', 'transfer_out', -10_000n);
  expect(await books.matched()).toContain('P transfer:T1 duplicate 2/3');
});

test('a fee on the account that bears it', async () => {
  await books.orders.transfer(BESIDE);
  await books.book('X', 'fee', -30n, 'N-T1');
  expect(await books.matched(postingRules({ bearers: { transfer: 'acct:X' } }))).toContain(
    'X transfer:T1 equal 1/1',
  );
});

test.each<[string, LedgerKind, bigint, string]>([
  ['a forgotten fee beside a transfer', 'transfer_out', -10_000n, 'P transfer:T1 fee 2/1'],
  ['a forgotten fee inside a transfer', 'transfer_in', 10_000n, 'Q transfer:T2 fee 1/1'],
])('%s is a fee difference', async (_name, kind, fen, expected) => {
  await books.orders.transfer(BESIDE);
  await books.orders.transfer({ ...T1, out: 'T2' });
  await books.book(expected.slice(0, 1), kind, fen, expected.slice(11, 13));
  expect(await books.matched()).toContain(expected);
});

test.each<[string, bigint, string]>([
  ['beside', -10_000n, 'P withdrawal:W1 fee 2/1'],
  ['inside', -9_970n, 'P withdrawal:W2 fee 1/1'],
])('a forgotten fee %s a withdrawal is a fee difference', async (_name, fen, expected) => {
  const withdrawal = { account: 'P', amountFen: 10_000n, feeFen: 30n };
  await books.orders.withdrawal({ ...withdrawal, out: 'W1', feeType: 'ACCOUNT' });
  await books.orders.withdrawal({ ...withdrawal, out: 'W2', feeType: 'ORDER' });
  await books.book('P', 'withdrawal', fen, expected.slice(13, 15));
  expect(await books.matched()).toContain(expected);
});

test('a fee that was taken and given back leaves every kind that agrees without it as it is', async () => {
  await books.orders.transfer({
    ...T1,
    payee: 'P',
    settle: [{ state: 'moved' }, { state: 'returned' }, { state: 'moved' }],
    refunds: [{ amountFen: 10_000n }, { amountFen: -10_000n }, { amountFen: 9_000n }],
  });
  await books.book('P', 'transfer_out', -10_000n);
  await books.book('P', 'transfer_in', 9_970n);
  await books.book('P', 'settlement', -9_970n);
  await books.book('P', 'refund_in', 9_000n);
  await books.book('P', 'refund_out', -10_000n);
  await books.book('P', 'fee', 30n);
  await books.book('P', 'refund_out', 10_000n);
  await books.book('P', 'fee', -30n);
  await books.book('P', 'refund_out', -9_000n);
  const allReturned = postingRules({ feeReturned: true, settleFee: { feeType: 'ORDER', feeFen: 30n } });
  const found = await books.matched(allReturned);
  expect(found.filter((line) => !line.includes(' equal '))).toEqual([]);
});

test('a fee that was given back goes to the kind that it was taken of, though another kind has no fee in the books', async () => {
  await books.orders.transfer({ ...T1, settle: { state: 'moved' } });
  await books.book('Q', 'settlement', -9_970n);
  await books.book('Q', 'transfer_in', 10_000n);
  await books.book('Q', 'fee', -30n);
  await books.book('Q', 'transfer_in', -10_000n);
  await books.book('Q', 'fee', 30n);
  const found = (await books.matched()).filter((line) => line.startsWith('Q'));
  expect(found).toEqual(['Q settlement:T1 equal 1/1', 'Q transfer:T1 amount 1/4']);
});
