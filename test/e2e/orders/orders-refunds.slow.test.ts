/** Refunds and settlements night by night: under way over midnight, rejected, taken back, tried again (REF-10, U34, U36). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const EVEN = ['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0'];
const HOUR_MS = 3_600_000;
const B1 = { outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: '2026-03-02 09:00:00' } as const;
const T1 = { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n } as const;
const BOOKED_T1 = ['P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05'];

describe('refunds of a transfer of 10,000', () => {
  beforeEach(async () => {
    ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 5_000n }));
    trade.books(...BOOKED_T1);
  });

  test('REF-09: what waits for its confirmation at midnight is in flight on the payee, and counts once it is confirmed', async () => {
    trade.transfers({
      ...B1,
      orders: [T1],
      refunds: [{ outOrderNo: 'T1', amountFen: 4_000n, at: '2026-03-03 15:00:00', delayMs: 20 * HOUR_MS }],
    });
    trade.books('P refund_in T1 4000 2026-03-04 11:05', 'Q refund_out T1 -4000 2026-03-04 11:05');
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual(['in_flight Q T1 0']);
    expect(second.result.timing).toMatchObject([{ amountFen: -4_000n }]);
    expect(second.result.accounts[1]).toMatchObject({ frozenFen: 4_000n, inFlightFen: 4_000n });
    expect(closingsOf(second)).toEqual(['P 90000', 'Q 15000']);
    const third = await trade.night('2026-03-04');
    expect(findingsOf(third)).toEqual([]);
    expect(closingsOf(third)).toEqual(['P 94000', 'Q 11000']);
    expect(third.result.run.verdict).toBe('reconciled');
  });

  test('REF-09: one that is rejected moved nothing; books that have it have a break on each side', async () => {
    trade.transfers({
      ...B1,
      orders: [T1],
      refunds: [
        {
          outOrderNo: 'T1',
          amountFen: 4_000n,
          at: '2026-03-03 15:00:00',
          delayMs: 20 * HOUR_MS,
          state: 'FAIL',
        },
      ],
    });
    trade.books('P refund_in T1 4000 2026-03-03 15:05', 'Q refund_out T1 -4000 2026-03-03 15:05');
    const first = await trade.night('2026-03-03');
    expect(findingsOf(first)).toEqual(['pending P T1 -4000', 'pending Q T1 4000']);
    const second = await trade.night('2026-03-04');
    expect(findingsOf(second)).toEqual(['state P T1 -4000', 'state Q T1 4000']);
    expect(fourNumbersOf(second)).toEqual(['P -4000 = 0 + -4000 + 0', 'Q 4000 = 0 + 4000 + 0']);
    expect(closingsOf(second)).toEqual(['P 90000', 'Q 15000']);
  });

  test('U36: two between looks are one increase; one that is taken back is a movement of its own the other way', async () => {
    trade.transfers({
      ...B1,
      orders: [T1],
      refunds: [
        { outOrderNo: 'T1', amountFen: 4_000n, at: '2026-03-03 10:00:00' },
        { outOrderNo: 'T1', amountFen: 1_500n, at: '2026-03-03 15:00:00', returnAfterMs: 24 * HOUR_MS },
      ],
    });
    trade.books(
      'P refund_in T1 4000 2026-03-03 10:05',
      'Q refund_out T1 -4000 2026-03-03 10:05',
      'P refund_in T1 1500 2026-03-03 15:05',
      'Q refund_out T1 -1500 2026-03-03 15:05',
    );
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual([]);
    expect(closingsOf(second)).toEqual(['P 95500', 'Q 9500']);
    const third = await trade.night('2026-03-04');
    expect(findingsOf(third)).toEqual(['amount P T1 -1500', 'amount Q T1 1500']);
    expect(closingsOf(third)).toEqual(['P 94000', 'Q 11000']);
    trade.books('P refund_in T1 -1500 2026-03-05 09:00', 'Q refund_out T1 1500 2026-03-05 09:00');
    const fourth = await trade.night('2026-03-05');
    expect(findingsOf(fourth)).toEqual([]);
    expect(fourNumbersOf(fourth)).toEqual(EVEN);
    expect((await movementsOf(night)).filter((line) => line.includes('refund'))).toEqual([
      'P refund_in:T1:1 5500',
      'P refund_in:T1:2 -1500',
      'Q refund_out:T1:1 -5500',
      'Q refund_out:T1:2 1500',
    ]);
  });

  test('P6: an order that was refunded and says so no more is a regression; its money back is unexplained, not booked', async () => {
    trade.transfers({
      ...B1,
      orders: [T1],
      refunds: [{ outOrderNo: 'T1', at: '2026-03-03 10:00:00', returnAfterMs: 24 * HOUR_MS }],
    });
    trade.books('P refund_in T1 10000 2026-03-03 10:05', 'Q refund_out T1 -10000 2026-03-03 10:05');
    expect(findingsOf(await trade.night('2026-03-03'))).toEqual([]);
    const second = await trade.night('2026-03-04');
    expect(findingsOf(second)).toEqual([
      'state_regression P T1 0',
      'unexplained P P -10000',
      'empty_suspect Q Q 0',
      'unexplained Q Q 10000',
    ]);
    expect(closingsOf(second)).toEqual(['P 90000', 'Q 15000']);
  });
});

describe('U36: refunds that are known by the word of their order', () => {
  beforeEach(async () => {
    const options = { profile: { refund: { postBy: 'state' } } };
    ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 5_000n }, options));
    trade.books(...BOOKED_T1);
  });

  test('a part is posted as it is stated; that the word does not tell it is said until it does', async () => {
    trade.transfers({
      ...B1,
      orders: [T1],
      refunds: [
        { outOrderNo: 'T1', amountFen: 4_000n, at: '2026-03-03 10:00:00' },
        { outOrderNo: 'T1', amountFen: 6_000n, at: '2026-03-04 10:00:00' },
      ],
    });
    trade.books(
      'P refund_in T1 4000 2026-03-03 10:05',
      'Q refund_out T1 -4000 2026-03-03 10:05',
      'P refund_in T1 6000 2026-03-04 10:05',
      'Q refund_out T1 -6000 2026-03-04 10:05',
    );
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual(['bad_record P T1 0']);
    expect(await lines(night.db, 'order_fault', ['note'])).toEqual([
      'refundAmount is 4000 fen, and SUCCESS is no word of a refund',
    ]);
    expect([closingsOf(second), fourNumbersOf(second)]).toEqual([['P 94000', 'Q 11000'], EVEN]);
    const third = await trade.night('2026-03-04');
    expect(findingsOf(third)).toEqual([]);
    expect([closingsOf(third), fourNumbersOf(third)]).toEqual([['P 100000', 'Q 5000'], EVEN]);
  });

  test('one of nothing posts nothing and is said; the money that went back is unexplained', async () => {
    trade.transfers({
      ...B1,
      orders: [{ ...T1, changes: [{ at: '2026-03-03 10:00:00', set: { refundAmount: 0 } }] }],
      refunds: [{ outOrderNo: 'T1', at: '2026-03-03 10:00:00' }],
    });
    expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual([
      'bad_record P T1 0',
      'batch_children P B1 0',
      'empty_suspect P P 0',
      'unexplained P P 10000',
      'unexplained Q Q -10000',
    ]);
    expect(await lines(night.db, 'order_fault', ['note'])).toEqual(['it is REFUND, and refundAmount is 0']);
  });
});

describe('settlements of a payee that settles automatically', () => {
  beforeEach(async () => {
    ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n }, { autoSettle: ['Q'] }));
    trade.books(...BOOKED_T1);
  });

  test('E6: one that fails, is tried again and succeeds leaves the account once', async () => {
    trade.transfers({
      ...B1,
      orders: [
        {
          ...T1,
          settle: {
            states: [
              { afterMs: 0, state: 'FAIL' },
              { afterMs: 36 * HOUR_MS, state: 'PROCESSING' },
              { afterMs: 60 * HOUR_MS, state: 'SUCCESS' },
            ],
          },
        },
      ],
    });
    trade.books('Q settlement T1 -10000 2026-03-04 21:05');
    const first = await trade.night('2026-03-02');
    expect(findingsOf(first)).toEqual(['settle_failed Q T1 0']);
    expect(first.result.run.verdict).toBe('reconciled');
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual(['in_flight Q T1 0']);
    expect(second.result.accounts[1]).toMatchObject({ frozenFen: 10_000n, inFlightFen: 10_000n });
    const third = await trade.night('2026-03-04');
    expect(findingsOf(third)).toEqual([]);
    expect(closingsOf(third)).toEqual(['P 90000', 'Q 0']);
    expect((await movementsOf(night)).filter((line) => line.includes('settlement'))).toEqual([
      'Q settlement:T1:2 -10000',
    ]);
  });

  test('U34: a word for it that nobody knows is under way and never money', async () => {
    trade.transfers({
      ...B1,
      orders: [
        {
          ...T1,
          settle: {
            states: [
              { afterMs: 0, state: 'AT_BANK' },
              { afterMs: 30 * HOUR_MS, state: 'SUCCESS' },
            ],
          },
        },
      ],
    });
    trade.books('Q settlement T1 -10000 2026-03-03 15:05');
    const first = await trade.night('2026-03-02');
    expect(findingsOf(first)).toEqual(['unknown_state Q T1 0', 'in_flight Q T1 0']);
    expect(closingsOf(first)).toEqual(['P 90000', 'Q 10000']);
    const second = await trade.night('2026-03-03');
    expect(findingsOf(second)).toEqual([]);
    expect(closingsOf(second)).toEqual(['P 90000', 'Q 0']);
    expect(fourNumbersOf(second)).toEqual(EVEN);
  });
});
