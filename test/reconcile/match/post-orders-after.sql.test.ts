import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { post } from '../../../src/reconcile/post/post.ts';
import type { FeeBearer } from '../../../src/reconcile/post/posting-rules.ts';
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

/** Ten thousand fen with a fee of thirty inside, from P to Q. */
const E2 = { out: 'T1', payer: 'P', payee: 'Q', amountFen: 10_000n, feeFen: 30n };
const [OUT, IN] = ['P transfer_out:T1 -10000', 'Q transfer_in:T1 9970 (30)'];

describe('settlements (3.3, U34, U37)', () => {
  const moved = { ...E2, settle: { state: 'moved' } } as const;

  test('E6: with a fee inside, of the table: what arrived leaves, the bank gets less', async () => {
    await orders.transfer(moved);
    expect(await posted({ settleFee: { feeType: 'ORDER', feeFen: 20n } })).toEqual([
      OUT,
      'Q settlement:T1 -9970 (20)',
      IN,
    ]);
  });

  test('E6: failed twice and settled the third time leaves once', async () => {
    const failed = { state: 'failed', finalAt: '2026-03-01 10:00:00' } as const;
    await orders.transfer({ ...E2, settle: [failed, failed, { state: 'moved' }] });
    expect(await posted()).toEqual([OUT, 'Q settlement:T1:3 -9970', IN]);
  });

  test('E7: a fee beside that no answer shows is not invented', async () => {
    await orders.transfer(moved);
    expect(await posted()).toEqual([OUT, 'Q settlement:T1 -9970', IN]);
  });

  test.each<[FeeBearer, string | undefined]>([
    ['self', 'Q settlement_fee:T1 -20 (20)'],
    ['payee', 'Q settlement_fee:T1 -20 (20)'],
    ['payer', 'P settlement_fee:T1 -20 (20)'],
    ['acct:X', 'X settlement_fee:T1 -20 (20)'],
    ['external', undefined],
  ])('E7: a fee beside, of the table, is borne by %s', async (bearer, fee) => {
    await orders.transfer(moved);
    const rules = { settleFee: { feeType: 'ACCOUNT' as const, feeFen: 20n }, bearers: { settle: bearer } };
    const expected = [OUT, IN, 'Q settlement:T1 -9970', ...(fee === undefined ? [] : [fee])];
    expect((await posted(rules)).toSorted()).toEqual(expected.toSorted());
  });

  test.each<[string, Partial<Parameters<OrderBooks['transfer']>[0]>, Rules, string]>([
    ['the credited amount', { feeType: 'ACCOUNT' }, {}, '-10000'],
    ['what the fee leaves, where no credited amount is stated', { realFen: null }, {}, '-9970'],
    ['the amount, where it is so by the profile', {}, { settleAmount: 'amount' }, '-10000'],
  ])('U37: pays out %s', async (_name, other, rules, delta) => {
    await orders.transfer({ ...moved, ...other });
    expect(await posted(rules)).toContain(`Q settlement:T1 ${delta}`);
  });

  test('one that failed, is open or unknown leaves nothing', async () => {
    await orders.transfer({ ...E2, settle: { state: 'failed' } });
    await orders.transfer({ ...E2, out: 'T2', settle: { state: 'open' } });
    expect((await posted()).filter((line) => line.includes('settlement'))).toEqual([]);
  });

  test('U49: one that comes back is given back with its fee, and may be paid out again', async () => {
    await orders.transfer({
      ...E2,
      settle: [
        { state: 'moved', finalAt: '2026-03-01 10:00:00' },
        { state: 'returned', finalAt: '2026-03-03 02:00:00' },
        { state: 'moved', finalAt: '2026-03-04 02:00:00' },
      ],
    });
    expect(await posted({ settleFee: { feeType: 'ACCOUNT', feeFen: 20n } })).toEqual([
      OUT,
      'Q settlement:T1 -9970',
      'Q settlement:T1:2 9970',
      'Q settlement:T1:3 -9970',
      'Q settlement_fee:T1 -20 (20)',
      'Q settlement_fee:T1:2 20 (-20)',
      'Q settlement_fee:T1:3 -20 (20)',
      IN,
    ]);
  });
});

describe('refunds (3.3, REF-07, REF-10, U36)', () => {
  const refunded = (...amounts: bigint[]) => amounts.map((amountFen) => ({ amountFen }));

  test.each<[bigint, string[]]>([
    [10_000n, ['P refund_in:T1:1 10000', OUT, 'Q refund_out:T1:1 -10000', IN]],
    [9_970n, ['P refund_in:T1:1 9970', OUT, 'Q refund_out:T1:1 -9970', IN]],
  ])('E5: the payee gives back %s, the payer gets it, the fee stays', async (fen, expected) => {
    await orders.transfer({ ...E2, refunds: refunded(fen) });
    expect(await posted()).toEqual(expected);
  });

  test('each change of the refunded sum is one movement pair: it rises, falls and rises', async () => {
    await orders.transfer({ ...E2, refunds: refunded(4_000n, -1_500n, 7_500n) });
    expect(await posted()).toEqual([
      'P refund_in:T1:1 4000',
      'P refund_in:T1:2 -1500',
      'P refund_in:T1:3 7500',
      OUT,
      'Q refund_out:T1:1 -4000',
      'Q refund_out:T1:2 1500',
      'Q refund_out:T1:3 -7500',
      IN,
    ]);
  });

  test('what waits for its confirmation or fell back before it is not posted', async () => {
    await orders.transfer({
      ...E2,
      refunds: [
        { amountFen: 4_000n, state: 'failed' },
        { amountFen: 5_000n, state: 'open' },
      ],
    });
    expect(await posted()).toEqual([OUT, IN]);
  });

  test('where fees are returned, a whole refund of a fee inside costs the payee only what it got', async () => {
    await orders.transfer({ ...E2, refunds: refunded(4_000n, 6_000n) });
    expect(await posted({ feeReturned: true })).toEqual([
      'P refund_in:T1:1 4000',
      'P refund_in:T1:2 6000',
      OUT,
      'Q refund_out:T1:1 -4000',
      'Q refund_out:T1:2 -5970 (-30)',
      IN,
    ]);
  });

  test.each<[FeeBearer, string | undefined]>([
    ['payer', 'P refund_fee:T1:1 30 (-30)'],
    ['payee', 'Q refund_fee:T1:1 30 (-30)'],
    ['acct:X', 'X refund_fee:T1:1 30 (-30)'],
    ['external', undefined],
  ])('where fees are returned, a fee beside goes back to %s, who bore it', async (bearer, line) => {
    await orders.transfer({ ...E2, feeType: 'ACCOUNT', refunds: refunded(10_000n) });
    const found = await posted({ feeReturned: true, bearers: { transfer: bearer } });
    expect(found.filter((movement) => movement.includes('refund_fee'))).toEqual(line ? [line] : []);
  });

  test('a refund that is whole no longer takes the fee again; a part returns none', async () => {
    await orders.transfer({ ...E2, feeType: 'ACCOUNT', refunds: refunded(10_000n, -1n) });
    await orders.transfer({ ...E2, out: 'T2', feeType: 'ACCOUNT', refunds: refunded(9_999n) });
    const found = await posted({ feeReturned: true });
    expect(found.filter((movement) => movement.includes('refund_fee'))).toEqual([
      'P refund_fee:T1:1 30 (-30)',
      'P refund_fee:T1:2 -30 (30)',
    ]);
  });
});
