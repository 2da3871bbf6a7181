/** Rules at the edge of the platform that could be broken by one small edit without any other test saying so. */
import { afterEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

test('3.5: an order under way for exactly agingDays is timing; a moment longer, and it is a break', async () => {
  let trade: Trade;
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }));
  const course = { acctNo: 'P', amountFen: 500n, finalAt: '2026-03-09 12:00:00' };
  trade.withdrawals(
    { ...course, outOrderNo: 'W1', submittedAt: '2026-03-02 23:59:59' },
    { ...course, outOrderNo: 'W2', submittedAt: '2026-03-03 00:00:00' },
  );
  await trade.night('2026-03-02');
  expect(findingsOf(await trade.night('2026-03-05'))).toEqual(['state P W1 0', 'in_flight P W2 0']);
});

test('3.4: a frozen amount that differs between two readings is a balance that moves', async () => {
  night = await Night.open({ now: '2026-03-06 00:00:05' });
  await night.accounts({ no: 'A1', heldFen: 100n });
  night.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', set: { frozen: 7 }, times: 1 });
  await night.snapshot();
  const [taken] = await night.db.selectFrom('balance_snapshot').selectAll().execute();
  expect(taken).toMatchObject({ state: 'stable', tries: 2, balance_fen: 100n, frozen_fen: 0n });
});
