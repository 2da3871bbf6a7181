/**
 * What happens to orders after they were final: refunds weeks later, money that comes back from the bank
 * (docs/reconciliation.md 3.5, U49).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 50_000n }));
});
afterEach(() => night.close());

const EVEN = ['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0'];
const rechecks = (): number => night.log.lines.filter(({ event }) => event === 'orders.rechecked').length;

describe('a transfer of 10,000 with a fee of 30 beside it, of which 4,000 are refunded later', () => {
  function transferRefundedAt(at: string): void {
    trade.transfers({
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-02 09:00:00',
      orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT' }],
      refunds: [{ outOrderNo: 'T1', amountFen: 4_000n, at }],
    });
    trade.books('P transfer_out T1 -10030 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
  }

  test('REF-10: 45 days after: found in the same night, because the balance is not what it should be', async () => {
    transferRefundedAt('2026-04-16 15:00:00');
    trade.books('P refund_in T1 4000 2026-04-16 15:05', 'Q refund_out T1 -4000 2026-04-16 15:05');
    await trade.night('2026-03-02');
    const before = await trade.night('2026-04-15');
    expect(findingsOf(before)).toEqual([]);
    expect(closingsOf(before)).toEqual(['P 89970', 'Q 60000']);
    // Its next turn is 55 days after it was final.
    expect(await night.db.selectFrom('order_due').select('next_day').execute()).toEqual([
      { next_day: '2026-04-27' },
    ]);
    const after = await trade.night('2026-04-16');
    expect(rechecks()).toBe(1);
    expect(findingsOf(after)).toEqual([]);
    expect(after.result.run.verdict).toBe('reconciled');
    expect(closingsOf(after)).toEqual(['P 93970', 'Q 56000']);
    expect(fourNumbersOf(after)).toEqual(EVEN);
    expect(await movementsOf(night)).toEqual([
      'P refund_in:T1:1 4000',
      'P transfer_fee:T1 -30 (30)',
      'P transfer_out:T1 -10000',
      'Q refund_out:T1:1 -4000',
      'Q transfer_in:T1 10000',
    ]);
  });

  test('REF-10: 45 days after: found by the thinning schedule when its turn comes, if no night looked before', async () => {
    transferRefundedAt('2026-04-16 15:00:00');
    await trade.night('2026-03-02');
    await trade.night('2026-04-15');
    const found = await trade.night('2026-04-26');
    expect(rechecks()).toBe(0);
    // The books lack it, and nobody saw on which side of this midnight it was; the last proof is eleven days old.
    expect(found.result.run.verdict).toBe('breaks');
    expect(findingsOf(found)).toEqual([
      'ambiguous P P 0',
      'platform_only P T1 4000',
      'ambiguous Q Q 0',
      'platform_only Q T1 -4000',
    ]);
    const after = await trade.night('2026-04-27');
    expect(findingsOf(after)).toEqual(['platform_only P T1 4000', 'platform_only Q T1 -4000']);
    expect(fourNumbersOf(after)).toEqual(['P 4000 = 0 + 4000 + 0', 'Q -4000 = 0 + -4000 + 0']);
  });

  test('REF-10: after more than 90 days nobody is asked any more: it stays unexplained, and is never booked', async () => {
    transferRefundedAt('2026-06-20 15:00:00');
    await trade.night('2026-03-02');
    await trade.night('2026-06-19');
    const after = await trade.night('2026-06-20');
    expect(findingsOf(after)).toEqual([
      'empty_suspect P P 0',
      'unexplained P P 4000',
      'unexplained Q Q -4000',
    ]);
    expect(fourNumbersOf(after)).toEqual(['P 4000 = 0 + 0 + 4000', 'Q -4000 = 0 + 0 + -4000']);
    expect(await movementsOf(night)).toHaveLength(3);
  });
});

test('U49: what the bank sends back when nobody asks any more is unexplained, with a hint, and never booked', async () => {
  await night.profile({ recheck: { batchDays: 10 } });
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 5_000n,
    submittedAt: '2026-03-02 11:00:00',
    returnAfterMs: 13 * 24 * 3_600_000,
  });
  trade.books('P withdrawal W1 -5000 2026-03-02 11:05');
  await trade.night('2026-03-02');
  expect(findingsOf(await trade.night('2026-03-14'))).toEqual([]);
  const after = await trade.night('2026-03-15');
  expect(findingsOf(after)).toEqual(['empty_suspect P P 0', 'unexplained P P 5000']);
  const { note } = await night.db
    .selectFrom('finding')
    .select('note')
    .where('class', '=', 'unexplained')
    .executeTakeFirstOrThrow();
  expect(note).toBe('interest, a late record, a refund or a return would look like this');
  expect(await movementsOf(night)).toEqual(['P withdrawal:W1 -5000']);
});

describe('U49: a withdrawal of 50,000 with a fee of 50 beside it that the bank sends back two days later', () => {
  beforeEach(async () => {
    trade.withdrawals({
      outOrderNo: 'W1',
      acctNo: 'P',
      amountFen: 50_000n,
      feeFen: 50n,
      feeType: 'ACCOUNT',
      submittedAt: '2026-03-02 11:00:00',
      returnAfterMs: 52 * 3_600_000,
    });
    trade.books('P withdrawal W1 -50000 2026-03-02 11:05', 'P fee W1 -50 2026-03-02 11:05');
    const first = await trade.night('2026-03-02');
    expect(findingsOf(first)).toEqual([]);
    expect(closingsOf(first)).toEqual(['P 49950', 'Q 50000']);
  });

  const REVERSED = [
    'P withdrawal:W1 -50000',
    'P withdrawal:W1:2 50000',
    'P withdrawal_fee:W1 -50 (50)',
    'P withdrawal_fee:W1:2 50 (-50)',
  ];

  test('is a reversal; books that lack it have the withdrawal and its fee too much', async () => {
    const second = await trade.night('2026-03-04');
    expect(closingsOf(second)).toEqual(['P 100000', 'Q 50000']);
    expect(findingsOf(second)).toEqual(['amount P W1 50050']);
    expect(second.result.breaks).toMatchObject([
      { platformFen: 0n, ledgerFen: -50_050n, differenceFen: 50_050n },
    ]);
    expect(fourNumbersOf(second)).toEqual(['P 50050 = 0 + 50050 + 0', 'Q 0 = 0 + 0 + 0']);
    expect(second.result.restated).toEqual([]);
    expect(await movementsOf(night)).toEqual(REVERSED);
  });

  test('is even with books that reverse it themselves', async () => {
    trade.books('P withdrawal W1 50000 2026-03-04 15:05', 'P fee W1 50 2026-03-04 15:05');
    const second = await trade.night('2026-03-04');
    expect(findingsOf(second)).toEqual([]);
    expect(second.result.run.verdict).toBe('reconciled');
    expect(closingsOf(second)).toEqual(['P 100000', 'Q 50000']);
    expect(fourNumbersOf(second)).toEqual(EVEN);
    expect(await movementsOf(night)).toEqual(REVERSED);
  });
});

test('U49: a settlement that comes back from the bank is a reversal on the payee, and needs a person', async () => {
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      {
        outOrderNo: 'T1',
        payeeAcctNo: 'Q',
        amountFen: 10_000n,
        feeFen: 30n,
        settle: { returnAfterMs: 52 * 3_600_000 },
      },
    ],
  });
  trade.books(
    'P transfer_out T1 -10000 2026-03-02 09:05',
    'Q transfer_in T1 9970 2026-03-02 09:05',
    'Q settlement T1 -9970 2026-03-02 09:05',
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual([]);
  expect(closingsOf(first)).toEqual(['P 90000', 'Q 50000']);
  const second = await trade.night('2026-03-04');
  expect(findingsOf(second)).toEqual(['amount Q T1 9970', 'settle_failed Q T1 0']);
  expect(closingsOf(second)).toEqual(['P 90000', 'Q 59970']);
  trade.books('Q settlement T1 9970 2026-03-05 10:00');
  const third = await trade.night('2026-03-05');
  expect(findingsOf(third)).toEqual(['settle_failed Q T1 0']);
  expect(third.result.run.verdict).toBe('reconciled');
  expect(fourNumbersOf(third)).toEqual(EVEN);
  expect(await movementsOf(night)).toEqual([
    'P transfer_out:T1 -10000',
    'Q settlement:T1 -9970',
    'Q settlement:T1:2 9970',
    'Q transfer_in:T1 9970 (30)',
  ]);
});
