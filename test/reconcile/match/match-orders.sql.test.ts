import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('either number', () => {
  test.each([
    ['the company’s', 'T1', 'W1'],
    ['the platform’s', 'N-T1', 'N-W1'],
  ])('all kinds are found by %s number', async (_whose, transfer, withdrawal) => {
    await books.orders.transfer({
      ...BESIDE,
      settle: { state: 'moved' },
      refunds: [{ amountFen: 4_000n }, { amountFen: 1_000n }],
    });
    await books.orders.withdrawal({
      out: 'W1',
      account: 'P',
      amountFen: 500n,
      feeFen: 5n,
      feeType: 'ACCOUNT',
    });
    await books.book('P', 'transfer_out', -10_000n, transfer);
    await books.book('P', 'fee', -30n, transfer);
    await books.book('P', 'refund_in', 5_000n, transfer);
    await books.book('P', 'withdrawal', -500n, withdrawal);
    await books.book('P', 'fee', -5n, withdrawal);
    await books.book('Q', 'transfer_in', 10_000n, transfer);
    await books.book('Q', 'settlement', -10_000n, transfer);
    await books.book('Q', 'refund_out', -4_000n, transfer);
    await books.book('Q', 'refund_out', -1_000n, transfer);
    expect(await books.matched()).toEqual([
      'P refund:T1 equal 2/1',
      'P transfer:T1 equal 2/2',
      'P withdrawal:W1 equal 2/2',
      'Q refund:T1 equal 2/2',
      'Q settlement:T1 equal 1/1',
      'Q transfer:T1 equal 1/1',
    ]);
  });

  test('the two accounts may use one number each, and one account both', async () => {
    await books.orders.transfer(BESIDE);
    await books.book('P', 'transfer_out', -10_000n, 'T1');
    await books.book('P', 'fee', -30n, 'N-T1');
    await books.book('Q', 'transfer_in', 10_000n, 'N-T1');
    expect(await books.matched()).toEqual(['P transfer:T1 equal 2/2', 'Q transfer:T1 equal 1/1']);
  });

  test('a deposit whose number an order has too stays a deposit', async () => {
    await books.orders.transfer({ ...T1, orderNo: 'D1', feeFen: 0n });
    await books.deposits('Q', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 700n }]);
    await books.book('Q', 'deposit', 700n, 'D1');
    await books.book('Q', 'transfer_in', 10_000n, 'D1');
    expect(await books.matched()).toEqual([
      'Q deposit:D1 equal 1/1',
      'Q transfer:T1 equal 1/1',
      'platform only: P transfer_out:T1',
    ]);
  });

  test('entries wait for a number that becomes known later', async () => {
    await books.orders.transfer({ ...BESIDE, orderNo: '' });
    await books.book('P', 'transfer_out', -10_000n, 'N-T1');
    await books.book('P', 'fee', -30n, 'N-T1');
    expect(await books.matched()).toEqual([
      'ledger only: P fee -30',
      'ledger only: P transfer_out -10000',
      'platform only: P transfer_fee:T1',
      'platform only: P transfer_out:T1',
      'platform only: Q transfer_in:T1',
    ]);
    await books.orders.transfer(BESIDE);
    expect(await books.matched()).toEqual(['P transfer:T1 equal 2/2', 'platform only: Q transfer_in:T1']);
  });

  test('a late number also opens what was matched without it', async () => {
    await books.orders.transfer({ ...T1, orderNo: '' });
    await books.book('P', 'transfer_out', -10_000n, 'T1');
    await books.book('P', 'transfer_out', -10_000n, 'N-T1');
    expect(await books.matched()).toContain('P transfer:T1 equal 1/1');
    await books.orders.transfer(T1);
    expect(await books.matched()).toContain('P transfer:T1 duplicate 1/2');
  });
});

describe('what does not agree', () => {
  test('another amount, a pending entry, a duplicate', async () => {
    for (const out of ['T1', 'T2', 'T3']) await books.orders.transfer({ ...T1, out });
    await books.book('P', 'transfer_out', -1_000n, 'T1');
    await books.book('P', 'transfer_out', -10_000n, 'T2', 'pending');
    await books.book('P', 'transfer_out', -10_000n, 'T3');
    await books.book('P', 'transfer_out', -10_000n, 'N-T3');
    expect((await books.matched()).filter((line) => line.startsWith('P'))).toEqual([
      'P transfer:T1 amount 1/1',
      'P transfer:T2 pending 1/1',
      'P transfer:T3 duplicate 1/2',
    ]);
  });

  test('a transfer and its settlement do not cancel each other', async () => {
    await books.orders.transfer({ ...T1, settle: { state: 'moved' } });
    expect(await books.matched()).toEqual([
      'platform only: P transfer_out:T1',
      'platform only: Q settlement:T1',
      'platform only: Q transfer_in:T1',
    ]);
  });

  test('a transfer to oneself is one group; booked once more on one side it is a duplicate', async () => {
    await books.orders.transfer({ ...T1, payee: 'P' });
    await books.book('P', 'transfer_out', -10_000n);
    await books.book('P', 'transfer_in', 9_970n);
    expect(await books.matched()).toEqual(['P transfer:T1 equal 2/2']);
    await books.book('P', 'transfer_in', 9_970n);
    expect(await books.matched()).toEqual(['P transfer:T1 duplicate 2/3']);
  });

  test.each<[string, bigint[], string]>([
    ['all of them', [-4_000n, 1_500n, -7_500n], 'equal 3/3'],
    ['their sum', [-10_000n], 'equal 3/1'],
    ['one not', [-4_000n, 1_500n], 'amount 3/2'],
    ['one twice', [-4_000n, 1_500n, -7_500n, -7_500n], 'duplicate 3/4'],
    ['one twice and another not', [-4_000n, -7_500n, -7_500n], 'amount 3/3'],
  ])(
    'REF-10: of a refund that rises, falls and rises the books have %s',
    async (_name, amounts, expected) => {
      await books.orders.transfer({
        ...T1,
        refunds: [{ amountFen: 4_000n }, { amountFen: -1_500n }, { amountFen: 7_500n }],
      });
      for (const amount of amounts) await books.book('Q', 'refund_out', amount);
      expect(await books.matched()).toContain(`Q refund:T1 ${expected}`);
    },
  );

  test('U49: a withdrawal that came back agrees with books that have both, or neither', async () => {
    const returned = { finalAt: '2026-03-05 02:00:00' };
    await books.orders.withdrawal({ out: 'W1', account: 'P', amountFen: 500n, returned });
    await books.orders.withdrawal({ out: 'W2', account: 'P', amountFen: 500n, returned });
    await books.book('P', 'withdrawal', -500n, 'W1');
    expect(await books.matched()).toEqual([
      'P withdrawal:W1 amount 2/1',
      'platform only: P withdrawal:W2',
      'platform only: P withdrawal:W2:2',
    ]);
    await books.book('P', 'withdrawal', 500n, 'W1');
    expect(await books.matched()).toContain('P withdrawal:W1 equal 2/2');
  });
});

describe('what changes later', () => {
  test('a settlement after its transfer was matched is matched by itself', async () => {
    await books.orders.transfer(T1);
    await books.book('Q', 'transfer_in', 9_970n);
    expect(await books.matched()).toContain('Q transfer:T1 equal 1/1');
    await books.orders.transfer({ ...T1, settle: { state: 'moved' } });
    await books.book('Q', 'settlement', -9_970n, 'N-T1');
    expect((await books.matched()).filter((line) => line.startsWith('Q'))).toEqual([
      'Q settlement:T1 equal 1/1',
      'Q transfer:T1 equal 1/1',
    ]);
  });

  test('P3: an order that changed its payee gives its entries on both accounts back', async () => {
    await books.orders.transfer(T1);
    await books.book('Q', 'transfer_in', 9_970n);
    expect(await books.matched()).toContain('Q transfer:T1 equal 1/1');
    await books.orders.transfer({ ...T1, payee: 'X' });
    expect(await books.matched()).toEqual([
      'ledger only: Q transfer_in 9970',
      'platform only: P transfer_out:T1',
      'platform only: X transfer_in:T1',
    ]);
  });

  test('U35: another bearer gives fee entries back on the account that no longer bears it', async () => {
    await books.orders.transfer(BESIDE);
    await books.book('X', 'fee', -30n);
    await books.book('P', 'transfer_out', -10_000n);
    await books.book('Q', 'transfer_in', 10_000n);
    expect(await books.matched(postingRules({ bearers: { transfer: 'acct:X' } }))).toEqual([
      'P transfer:T1 equal 1/1',
      'Q transfer:T1 equal 1/1',
      'X transfer:T1 equal 1/1',
    ]);
    expect(await books.matched()).toEqual([
      'P transfer:T1 fee 2/1',
      'Q transfer:T1 equal 1/1',
      'ledger only: X fee -30',
    ]);
  });

  test('matching again changes nothing', async () => {
    await books.orders.transfer({ ...T1, settle: { state: 'moved' }, refunds: [{ amountFen: 50n }] });
    await books.book('P', 'transfer_out', -10_000n, 'N-T1');
    await books.book('Q', 'transfer_in', 10_000n);
    await books.book('Q', 'fee', -30n);
    const once = await books.matched();
    expect(await books.matched()).toEqual(once);
  });
});
