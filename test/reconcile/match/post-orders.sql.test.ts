import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { post } from '../../../src/reconcile/post/post.ts';
import type { FeeBearer } from '../../../src/reconcile/post/posting-rules.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { emptyTables } from '../../helpers/dump.ts';
import { OrderBooks, postingRules } from '../../helpers/company/order-books.ts';

let database: TestDatabase;
let orders: OrderBooks;
beforeAll(async () => {
  database = await testDatabase();
  orders = new OrderBooks(database.db);
});
beforeEach(() => emptyTables(database.db, 'all'));
afterAll(() => database.close());

type Rules = Parameters<typeof postingRules>[0];

async function posted(rules?: Rules): Promise<string[]> {
  await post(database.db, postingRules(rules));
  return orders.movements();
}

/** Ten thousand fen with a fee of thirty, from P to Q. */
const E2 = { out: 'T1', payer: 'P', payee: 'Q', amountFen: 10_000n, feeFen: 30n };
const W1 = { out: 'W1', account: 'P', amountFen: 10_000n, feeFen: 30n };
const BEARERS = ['payer', 'payee', 'self', 'external', 'acct:X'] as const satisfies readonly FeeBearer[];

describe('transfers (3.3, U35)', () => {
  test('E2: a fee inside the order is lost by the payee', async () => {
    await orders.transfer({ ...E2, feeType: 'ORDER' });
    expect(await posted()).toEqual(['P transfer_out:T1 -10000', 'Q transfer_in:T1 9970 (30)']);
  });

  test.each<[FeeBearer, string[]]>([
    ['payer', ['P transfer_fee:T1 -30 (30)', 'P transfer_out:T1 -10000', 'Q transfer_in:T1 10000']],
    ['self', ['P transfer_fee:T1 -30 (30)', 'P transfer_out:T1 -10000', 'Q transfer_in:T1 10000']],
    ['payee', ['P transfer_out:T1 -10000', 'Q transfer_fee:T1 -30 (30)', 'Q transfer_in:T1 10000']],
    ['external', ['P transfer_out:T1 -10000', 'Q transfer_in:T1 10000']],
    ['acct:X', ['P transfer_out:T1 -10000', 'Q transfer_in:T1 10000', 'X transfer_fee:T1 -30 (30)']],
  ])('E2: a fee beside the order is borne by %s', async (bearer, expected) => {
    await orders.transfer({ ...E2, feeType: 'ACCOUNT' });
    expect(await posted({ bearers: { transfer: bearer } })).toEqual(expected);
  });

  test.each(BEARERS)('a fee inside the order is nobody else’s, whatever is said of %s', async (bearer) => {
    await orders.transfer(E2);
    expect(await posted({ bearers: { transfer: bearer } })).toEqual([
      'P transfer_out:T1 -10000',
      'Q transfer_in:T1 9970 (30)',
    ]);
  });

  test('E3: a batch of both kinds costs its payer 20,030', async () => {
    await orders.transfer({ ...E2, feeType: 'ORDER' });
    await orders.transfer({ ...E2, out: 'T2', feeType: 'ACCOUNT' });
    expect(await posted()).toEqual([
      'P transfer_fee:T2 -30 (30)',
      'P transfer_out:T1 -10000',
      'P transfer_out:T2 -10000',
      'Q transfer_in:T1 9970 (30)',
      'Q transfer_in:T2 10000',
    ]);
  });

  test('a failed, a closed and an open order move nothing', async () => {
    await orders.transfer({ ...E2, state: 'failed' });
    await orders.transfer({ ...E2, out: 'T2', state: 'failed', word: 'CLOSE' });
    await orders.transfer({ ...E2, out: 'T3', state: 'open', settle: { state: 'open' } });
    expect(await posted()).toEqual([]);
  });

  test('payer and payee may be one account', async () => {
    await orders.transfer({ ...E2, payee: 'P' });
    expect(await posted()).toEqual(['P transfer_in:T1 9970 (30)', 'P transfer_out:T1 -10000']);
  });

  test.each<[string, Partial<Parameters<OrderBooks['transfer']>[0]>, string[]]>([
    [
      'a fee not stated is what the credited amount lacks',
      { feeFen: null, realFen: 9_960n },
      ['-10000', '9960 (40)'],
    ],
    [
      'a fee not stated, with no credited amount, is none',
      { feeFen: null, realFen: null },
      ['-10000', '10000'],
    ],
    [
      'a fee beside the order that is not stated is none',
      { feeFen: null, feeType: 'ACCOUNT' },
      ['-10000', '10000'],
    ],
    ['without a credited amount the fee decides', { realFen: null }, ['-10000', '9970 (30)']],
    [
      'a credited amount that contradicts the fee does not count (P10)',
      { realFen: 9_000n },
      ['-10000', '9970 (30)'],
    ],
    [
      'an unknown fee type is inside when less arrived',
      { feeType: 'MIXED', realFen: 9_970n },
      ['-10000', '9970 (30)'],
    ],
    [
      'an unknown fee type is beside when all arrived',
      { feeType: 'MIXED', realFen: 10_000n },
      ['-30 (30)', '-10000', '10000'],
    ],
    [
      'an unknown fee type without a credited amount is inside',
      { feeType: '', realFen: null },
      ['-10000', '9970 (30)'],
    ],
    ['an order without an amount posts nothing', { amountFen: null }, []],
  ])('U48: %s', async (_name, other, amounts) => {
    await orders.transfer({ ...E2, ...other });
    expect((await posted()).map((line) => line.split(' ').slice(2).join(' '))).toEqual(amounts);
  });
});

describe('withdrawals (3.3)', () => {
  test('E4: a fee inside is part of the amount', async () => {
    await orders.withdrawal({ ...W1, feeType: 'ORDER' });
    expect(await posted()).toEqual(['P withdrawal:W1 -10000 (30)']);
  });

  test.each<[FeeBearer, string[]]>([
    ['self', ['P withdrawal:W1 -10000', 'P withdrawal_fee:W1 -30 (30)']],
    ['payer', ['P withdrawal:W1 -10000', 'P withdrawal_fee:W1 -30 (30)']],
    ['payee', ['P withdrawal:W1 -10000', 'P withdrawal_fee:W1 -30 (30)']],
    ['external', ['P withdrawal:W1 -10000']],
    ['acct:X', ['P withdrawal:W1 -10000', 'X withdrawal_fee:W1 -30 (30)']],
  ])('E4: a fee beside is borne by %s', async (bearer, expected) => {
    await orders.withdrawal({ ...W1, feeType: 'ACCOUNT' });
    expect(await posted({ bearers: { withdraw: bearer } })).toEqual(expected);
  });

  test('one that failed or is open moves nothing', async () => {
    await orders.withdrawal({ ...W1, state: 'failed' });
    await orders.withdrawal({ ...W1, out: 'W2', state: 'open' });
    expect(await posted()).toEqual([]);
  });

  test('U49: one that comes back is given back whole, with its fee', async () => {
    await orders.withdrawal({ ...W1, feeType: 'ORDER', returned: { finalAt: '2026-03-05 02:00:00' } });
    await orders.withdrawal({
      ...W1,
      out: 'W2',
      feeType: 'ACCOUNT',
      returned: { finalAt: '2026-03-05 02:00:00' },
    });
    expect(await posted()).toEqual([
      'P withdrawal:W1 -10000 (30)',
      'P withdrawal:W1:2 10000 (-30)',
      'P withdrawal:W2 -10000',
      'P withdrawal:W2:2 10000',
      'P withdrawal_fee:W2 -30 (30)',
      'P withdrawal_fee:W2:2 30 (-30)',
    ]);
  });

  test('a withdrawal and a transfer order of one number do not meet', async () => {
    await orders.transfer({ ...E2, out: 'N1', orderNo: 'A' });
    await orders.withdrawal({ ...W1, out: 'N1', orderNo: 'B' });
    expect(await posted()).toEqual([
      'P transfer_out:N1 -10000',
      'P withdrawal:N1 -10000 (30)',
      'Q transfer_in:N1 9970 (30)',
    ]);
  });
});

test.each<[FeeBearer, string[]]>([
  ['payee', ['A deposit:D1 9970 (30)', 'A deposit:D2 10000', 'A deposit_fee:D2 -30 (30)']],
  ['external', ['A deposit:D1 9970 (30)', 'A deposit:D2 10000']],
])('E1: deposits of 10,000 with a fee of 30, inside and beside, borne by %s', async (bearer, expected) => {
  const deposit = { at: '2026-03-01 10:00:00', amountFen: 10_000n, feeFen: 30n };
  await new Books(database.db).deposits('A', [
    { ...deposit, orderNo: 'D1', feeType: 'ORDER' },
    { ...deposit, orderNo: 'D2', feeType: 'ACCOUNT' },
  ]);
  expect(await posted({ bearers: { deposit: bearer } })).toEqual(expected);
});

test('U26: two payers that gave one number to orders for one payee are told apart', async () => {
  await orders.transfer({ ...E2, orderNo: 'A' });
  await orders.transfer({ ...E2, payer: 'O', amountFen: 500n, feeFen: 0n, orderNo: 'B' });
  expect(await posted()).toEqual([
    'O transfer_out:T1 -500',
    'P transfer_out:T1 -10000',
    'Q transfer_in:T1 500',
    'Q transfer_in:T1:@P/T1 9970 (30)',
  ]);
  await orders.transfer({ ...E2, orderNo: 'A', payee: 'R' });
  expect(await posted()).toEqual([
    'O transfer_out:T1 -500',
    'P transfer_out:T1 -10000',
    'Q transfer_in:T1 500',
    'R transfer_in:T1 9970 (30)',
  ]);
});

test('U26: an order to oneself does not take the place of another payer’s of the same number', async () => {
  await orders.transfer({ ...E2, payer: 'O', payee: 'P', orderNo: 'A' });
  await posted();
  await orders.transfer({ ...E2, payee: 'P', amountFen: 500n, feeFen: 0n, orderNo: 'B' });
  expect(await posted()).toEqual([
    'O transfer_out:T1 -10000',
    'P transfer_in:T1 9970 (30)',
    'P transfer_in:T1:@P/T1 500',
    'P transfer_out:T1 -500',
  ]);
});
