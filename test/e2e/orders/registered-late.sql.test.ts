/**
 * A withdrawal that is registered when it is long final is compared by the next proof of its account, whichever run asked
 * for it before (docs/reconciliation.md 3.8, 5).
 */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

test.each([
  { next: '2026-03-07', as: 'the night after' },
  { next: '2026-03-08', as: 'the first night after an outage' },
])('what a backfill asked for is compared by $as', async ({ next }) => {
  const recheck = { batchDays: 1, batchSchedule: [1], withdrawDays: 1 };
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }, { profile: { recheck } }));
  const submittedAt = '2026-03-03 12:00:00';
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'P', amountFen: 90_000n, submittedAt }]);
  trade.books('P withdrawal W1 -90000 2026-03-03 12:05');
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']) {
    expect(findingsOf(await trade.night(day))).toEqual([]);
  }
  await trade.until('2026-03-07 12:00:00');
  // Without its submission nothing that counted counts otherwise, and no night is proven again.
  await night.orders({ kind: 'withdrawal', outOrderNo: 'W1', payer: 'P', fen: 100n, submittedAt: '' });
  await night.backfill('2026-03-02', '2026-03-02');
  const later = await trade.night(next);
  expect([later.result.run.verdict, ...findingsOf(later)]).toEqual(['breaks', 'amount P W1 0']);
});

test('one that left an account which is not listed is compared by the next proof of who was registered', async () => {
  const recheck = { batchDays: 1, batchSchedule: [1], withdrawDays: 1 };
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }, { profile: { recheck } }));
  const submittedAt = '2026-03-03 12:00:00';
  const withdrawn = { kind: 'withdrawal', outOrderNo: 'W1', fen: 90_000n } as const;
  night.sandbox.seedAccounts([{ accountNo: 'X', balanceFen: 100_000n }]);
  night.sandbox.seedWithdrawals([{ outOrderNo: 'W1', acctNo: 'X', amountFen: 90_000n, submittedAt }]);
  trade.registers({ ...withdrawn, payer: '', submittedAt });
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']) {
    expect(findingsOf(await trade.night(day))).toEqual([]);
  }
  await trade.until('2026-03-07 12:00:00');
  await night.orders({ ...withdrawn, payer: 'P', submittedAt: '' });
  await night.backfill('2026-03-02', '2026-03-02');
  const later = await trade.night('2026-03-08');
  expect([later.result.run.verdict, ...findingsOf(later)]).toEqual(['breaks', 'account P W1 0']);
});
