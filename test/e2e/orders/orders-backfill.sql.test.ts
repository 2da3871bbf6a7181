/**
 * Past ranges with orders (docs/reconciliation.md 3.4): counted by submission, proven by roll-back, never before the
 * baseline.
 */
import { afterEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';
import { Trade, closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

/** Three days of trade, of which one withdrawal is sent on the 4th and done on the 5th. */
function threeDays(): void {
  const order = { payeeAcctNo: 'Q', feeFen: 30n } as const;
  trade.transfers(
    {
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-02 09:00:00',
      orders: [{ ...order, outOrderNo: 'T1', amountFen: 10_000n }],
    },
    {
      outBatchNo: 'B2',
      payerAcctNo: 'P',
      submittedAt: '2026-03-05 10:00:00',
      orders: [{ ...order, outOrderNo: 'T2', amountFen: 3_000n }],
    },
  );
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'Q',
    amountFen: 1_000n,
    submittedAt: '2026-03-04 23:50:00',
    finalAt: '2026-03-05 03:00:00',
  });
  trade.books(
    'P transfer_out T1 -10000 2026-03-02 09:05',
    'Q transfer_in T1 9970 2026-03-02 09:05',
    'Q withdrawal W1 -1000 2026-03-05 03:05',
    'P transfer_out T2 -3000 2026-03-05 10:05',
    'Q transfer_in T2 2970 2026-03-05 10:05',
  );
}

test('U50: orders of a past range count when they were submitted; the balance of today is rolled back over the later ones', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 5_000n }));
  threeDays();
  await trade.until('2026-03-10 02:00:00');
  const first = await night.backfill('2026-03-02', '2026-03-04');
  // The books have it when it was done.
  expect(findingsOf(first)).toEqual(['late Q W1 -1000']);
  expect(closingsOf(first)).toEqual(['P 90000', 'Q 13970']);
  expect(fourNumbersOf(first)).toEqual(['P 0 = 0 + 0 + 0', 'Q -1000 = 0 + -1000 + 0']);
  expect(first.result.accounts.map(({ source, verdict }) => `${source} ${verdict}`)).toEqual([
    'derived reconciled',
    'derived reconciled_with_timing',
  ]);
  const second = await night.backfill('2026-03-05', '2026-03-09');
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.accounts.map(({ openingFen, movementsFen }) => [openingFen, movementsFen])).toEqual([
    [90_000n, -3_000n],
    [13_970n, 2_970n],
  ]);
  expect(second.result.run.verdict).toBe('reconciled');
  expect(await movementsOf(night)).toHaveLength(5);
});

test('3.4: days between two nights are proven from their closings, and the nights stay as they were', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 5_000n }));
  threeDays();
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  const last = await trade.night('2026-03-06');
  expect(closingsOf(last)).toEqual(['P 87000', 'Q 16940']);
  const between = await night.backfill('2026-03-03', '2026-03-04');
  expect(findingsOf(between)).toEqual(['late Q W1 -1000']);
  expect(closingsOf(between)).toEqual(['P 90000', 'Q 13970']);
  expect(between.result.restated).toEqual([]);
  const again = await night.night('2026-03-06');
  expect(again.result.run.verdict).toBe('reconciled');
  expect(fourNumbersOf(again)).toEqual(['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0']);
});

test('3.4: what lies before the first balance is unverified, whatever the orders say, and nobody’s difference', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  trade = new Trade(night);
  await night.accounts({ no: 'P', heldFen: 100_000n }, { no: 'Q', heldFen: 5_000n });
  threeDays();
  const baseline = await trade.night('2026-03-09');
  expect(baseline.result.accounts.map(({ openingFen }) => openingFen)).toEqual([87_000n, 16_940n]);
  const before = await night.backfill('2026-03-02', '2026-03-08');
  expect(before.result.run.verdict).toBe('unverified');
  expect(before.result.accounts.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
    'unverified: the period begins before the baseline',
    'unverified: the period begins before the baseline',
  ]);
  expect(findingsOf(before)).toEqual([]);
  expect(await movementsOf(night)).toHaveLength(5);
  const next = await trade.night('2026-03-10');
  expect(next.result.run.verdict).toBe('reconciled');
});
