/** Orders that contradict themselves: states that go back, words nobody knows, amounts that change when all is over. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n }));
});
afterEach(() => night.close());

const EVEN = ['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0'];
const B1 = { outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: '2026-03-02 09:00:00' } as const;
const T1 = { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n } as const;
const BOOKED_T1 = ['P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05'];
const verdictsOf = ({ result }: Awaited<ReturnType<Trade['night']>>) =>
  result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);

test('P6: a transfer that succeeded and is said to be under way again stays done; it is told until it is right', async () => {
  trade.transfers({
    ...B1,
    orders: [
      {
        ...T1,
        changes: [
          { at: '2026-03-03 12:00:00', set: { state: 'PROCESSING' } },
          { at: '2026-03-04 12:00:00', set: { state: 'SUCCESS' } },
        ],
      },
    ],
  });
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 700n,
    submittedAt: '2026-03-02 10:00:00',
    state: 'FAIL',
    changes: [{ at: '2026-03-03 12:00:00', set: { state: 'SUCCESS' } }],
  });
  trade.books(...BOOKED_T1);
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['state_regression P T1 0', 'state_regression P W1 0']);
  expect(fourNumbersOf(second)).toEqual(EVEN);
  expect(closingsOf(second)).toEqual(['P 90000', 'Q 10000']);
  const stored = await night.db.selectFrom('transfer_order').select(['state', 'effective_state']).execute();
  expect(stored).toEqual([{ state: 'PROCESSING', effective_state: 'moved' }]);
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual(['state_regression P W1 0']);
  expect(third.result.closed).toHaveLength(1);
  expect(await movementsOf(night)).toEqual(['P transfer_out:T1 -10000', 'Q transfer_in:T1 10000']);
});

test('P7: a word nobody knows is never final and never money; once it is known the order counts when it moved', async () => {
  trade.transfers({
    ...B1,
    orders: [
      {
        ...T1,
        states: [
          { afterMs: 0, state: 'ON_HOLD' },
          { afterMs: 33 * 3_600_000, state: 'SUCCESS' },
        ],
      },
    ],
  });
  // Done at six in the evening of the 3rd.
  trade.books('P transfer_out T1 -10000 2026-03-03 18:05', 'Q transfer_in T1 10000 2026-03-03 18:05');
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['unknown_state P T1 0', 'in_flight P T1 0']);
  expect(closingsOf(first)).toEqual(['P 100000', 'Q 0']);
  expect(await movementsOf(night)).toEqual([]);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.closed).toContainEqual({
    id: first.result.breaks[0]?.id,
    cause: 'reading',
    clearedBy: 'T1',
  });
  expect(closingsOf(second)).toEqual(['P 90000', 'Q 10000']);
  expect(fourNumbersOf(second)).toEqual(EVEN);
  expect(second.result.accounts.map(({ movementsFen }) => movementsFen)).toEqual([-10_000n, 10_000n]);
  expect(verdictsOf(second)).toEqual(['P reconciled', 'Q reconciled']);
});

test('P3: an amount that changes after the order was final is a new version of it, and proves its day anew', async () => {
  // It moved 12,000 all along, and was first stated as 10,000.
  trade.transfers({
    ...B1,
    orders: [
      {
        ...T1,
        amountFen: 12_000n,
        listed: { set: { amount: 10_000, realAmount: 10_000 } },
        changes: [{ at: '2026-03-03 12:00:00', set: { amount: 12_000, realAmount: 12_000 } }],
      },
    ],
  });
  trade.books('P transfer_out T1 -12000 2026-03-02 09:05', 'Q transfer_in T1 12000 2026-03-02 09:05');
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual([
    'amount P T1 2000',
    'batch_children P B1 0',
    'unexplained P P -2000',
    'amount Q T1 -2000',
    'empty_suspect Q Q 0',
    'unexplained Q Q 2000',
  ]);
  expect(fourNumbersOf(first)).toEqual(['P 0 = 0 + 2000 + -2000', 'Q 0 = 0 + -2000 + 2000']);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['record_changed P T1 0']);
  expect(verdictsOf(second)).toEqual(['P breaks', 'Q reconciled']);
  expect(second.result.restated).toEqual([{ day: '2026-03-02', version: 2 }]);
  expect(fourNumbersOf(second)).toEqual(EVEN);
  const former = await night.db.selectFrom('order_version').selectAll().execute();
  expect(former).toMatchObject([
    { out_order_no: 'T1', version: 1, amount_fen: 10_000n, replaced_day: '2026-03-03' },
  ]);
  expect(await movementsOf(night)).toEqual(['P transfer_out:T1 -12000', 'Q transfer_in:T1 12000']);
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual([]);
});

test('P4: an order its batch lists no more, a batch and a withdrawal that are gone: kept, and told', async () => {
  const gone = { vanishesAt: '2026-03-03 12:00:00' };
  trade.transfers(
    {
      ...B1,
      orders: [
        { ...T1, ...gone },
        { ...T1, outOrderNo: 'T2', amountFen: 500n },
      ],
    },
    { ...B1, outBatchNo: 'B2', orders: [{ ...T1, outOrderNo: 'T3', amountFen: 40n }], ...gone },
  );
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 7n,
    submittedAt: '2026-03-02 10:00:00',
    ...gone,
  });
  trade.books(
    ...BOOKED_T1,
    'P transfer_out T2 -500 2026-03-02 09:05',
    'Q transfer_in T2 500 2026-03-02 09:05',
    'P transfer_out T3 -40 2026-03-02 09:05',
    'Q transfer_in T3 40 2026-03-02 09:05',
    'P withdrawal W1 -7 2026-03-02 10:05',
  );
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([
    'batch_children P B1 0',
    'record_vanished P T1 0',
    'record_vanished P T3 0',
    'record_vanished P W1 0',
  ]);
  expect(closingsOf(second)).toEqual(['P 89453', 'Q 10540']);
  expect(fourNumbersOf(second)).toEqual(EVEN);
});

test('3.5: what stays under way is pending in books that have it, then a state break of the same id, until it ends', async () => {
  trade.withdrawals({
    outOrderNo: 'W5',
    acctNo: 'P',
    amountFen: 1_000n,
    submittedAt: '2026-03-02 10:00:00',
    finalAt: '2026-03-06 18:00:00',
  });
  // One the books wait for as well.
  trade.withdrawals({
    outOrderNo: 'W6',
    acctNo: 'P',
    amountFen: 20n,
    submittedAt: '2026-03-02 10:00:00',
    finalAt: '2026-03-06 19:00:00',
  });
  trade.books('P withdrawal W5 -1000 2026-03-02 10:00', 'P withdrawal W6 -20 2026-03-06 19:05');
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['in_flight P W6 0', 'pending P W5 1000']);
  expect(verdictsOf(first)).toEqual(['P reconciled_with_timing', 'Q reconciled']);
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual(['in_flight P W6 0', 'pending P W5 1000']);
  const known = await night.db.selectFrom('break').select('break_id').orderBy('reference').execute();
  const [first5, first6] = known.map(({ break_id: id }) => id);
  const aged = await trade.night('2026-03-05');
  expect(findingsOf(aged)).toEqual(['state P W5 1000', 'state P W6 0']);
  expect(aged.result.breaks).toMatchObject([
    { id: first5, firstSeen: '2026-03-02', ageDays: 3, platformFen: null, ledgerFen: -1_000n },
    // Difference = platform − ledger: neither side has anything of it yet.
    { id: first6, firstSeen: '2026-03-02', ageDays: 3, platformFen: null, ledgerFen: null },
  ]);
  expect(fourNumbersOf(aged)[0]).toBe('P 1000 = 0 + 1000 + 0');
  const ended = await trade.night('2026-03-06');
  expect(findingsOf(ended)).toEqual([]);
  expect(ended.result.closed.toSorted((a, b) => (a.clearedBy < b.clearedBy ? -1 : 1))).toEqual([
    { id: first5, cause: 'entry', clearedBy: 'E1' },
    { id: first6, cause: 'entry', clearedBy: 'E2' },
  ]);
  expect(closingsOf(ended)).toEqual(['P 98980', 'Q 0']);
});
