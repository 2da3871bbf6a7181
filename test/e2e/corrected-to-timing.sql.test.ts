/**
 * An entry at fault is put right while its order is under way: its break ends by that, and does not stand open behind what
 * is only a matter of time (docs/reconciliation.md 3.11).
 */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const BOOKED = '2026-03-02 12:05:00';
const PRINCIPAL = { id: 'E', account: 'P', kind: 'withdrawal', fen: -100n, at: BOOKED, reference: 'N' };
const FEE = { id: 'F', account: 'P', kind: 'fee', fen: -15n, at: BOOKED };

async function openUnderWay(charged: { feeFen?: bigint; feeType?: 'ACCOUNT' } = {}): Promise<void> {
  ({ night, trade } = await openTrade(DAY, { P: 1_000n }));
  const of = { outOrderNo: 'W', acctNo: 'P', amountFen: 100n, finalAt: '2026-03-04 12:00:00' };
  trade.withdrawals({ ...of, submittedAt: '2026-03-02 12:00:00', ...charged });
}

async function openBreaks(): Promise<string[]> {
  const open = night.db.selectFrom('break').select('item_key').where('status', '=', 'open');
  return (await open.where('severity', '=', 'break').execute()).map((row) => row.item_key);
}

test('an entry that takes the place of another one of the order ends its break', async () => {
  await openUnderWay();
  await night.entries([{ ...PRINCIPAL, id: 'D', reference: 'W' }, PRINCIPAL]);
  const first = await trade.night(DAY);
  expect(findingsOf(first)).toEqual(['ledger_only P N 100', 'pending P W 100']);
  const last = { id: 'L', account: 'P', kind: 'adjustment', fen: 0n, at: BOOKED, status: 'pending' } as const;
  await night.entries([{ ...PRINCIPAL, reference: 'W' }, last], { replace: true });
  const { result } = await trade.night('2026-03-03');
  expect(result.run.verdict).toBe('reconciled_with_timing');
  expect(result.closed).toEqual([{ id: first.result.breaks[0]?.id, clearedBy: 'E', cause: 'entry' }]);
  expect(await openBreaks()).toEqual([]);
});

test('so do two that are of the order by now: one goes on with it, the other ends', async () => {
  await openUnderWay({ feeFen: 15n, feeType: 'ACCOUNT' });
  await night.entries([PRINCIPAL, FEE]);
  const first = await trade.night(DAY);
  expect(findingsOf(first)).toEqual(['ledger_only P F 15', 'ledger_only P N 100', 'in_flight P W 0']);
  await night.entries([
    { ...PRINCIPAL, reference: 'W' },
    { ...FEE, reference: 'W' },
  ]);
  const { result } = await trade.night('2026-03-03');
  expect(result.run.verdict).toBe('reconciled_with_timing');
  expect(result.closed).toEqual([{ id: first.result.breaks[1]?.id, clearedBy: 'E', cause: 'entry' }]);
  expect(await openBreaks()).toEqual([]);
});

test('an entry that is in no way right there does not end it', async () => {
  await openUnderWay();
  await night.entries([{ ...PRINCIPAL, id: 'D', reference: 'W' }, PRINCIPAL]);
  await trade.night(DAY);
  await night.entries([{ ...PRINCIPAL, reference: 'W' }]);
  const next = await trade.night('2026-03-03');
  expect(findingsOf(next)).toContain('amount P W 100');
  expect(next.result.closed).toEqual([]);
});
