/** A difference of the openings that a movement made when it was taken back is cleared by no older adjustment (3.8, 3). */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

test('what an order brought in the books before the opening, and on the platform on another account', async () => {
  const opened = await openTrade('2026-03-02', { P: 100_000n, Q: 100_000n });
  night = opened.night;
  const { trade } = opened;
  night.sandbox.seedAccounts([{ accountNo: 'R' }]);
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      {
        outOrderNo: 'T1',
        payeeAcctNo: 'R',
        amountFen: 500n,
        listed: { set: { payeeAcctNo: 'Q' } },
        changes: [{ at: '2026-03-04 12:00:00', set: { payeeAcctNo: 'R' } }],
      },
    ],
  });
  trade.books(
    'P opening P0 100000 2026-03-02 00:00',
    'P transfer_out T1 -500 2026-03-02 09:00',
    'Q opening Q0 100500 2026-03-02 00:00',
    'Q transfer_in T1 500 2026-02-28 09:00',
    'Q adjustment A1 -500 2026-03-02 00:30',
  );
  await trade.night('2026-03-02');
  const third = await trade.night('2026-03-03');
  expect(findingsOf(third)).toEqual([
    'batch_children P B1 0',
    'ledger_only Q E5 500',
    'unexplained Q Q -500',
  ]);
  // The order is shown as it was by now: Q never had its money, and began with less than its books say.
  const both = ['ledger_only Q E5 500', 'opening Q Q -500'];
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual(['record_changed P T1 0', ...both]);
  expect(findingsOf(await trade.night('2026-03-05'))).toEqual(both);
  await trade.until('2026-03-06 12:00:00');
  // Handed in anew the adjustment is meant for it.
  await night.entries([
    { id: 'E5', account: 'Q', kind: 'adjustment', fen: -500n, at: '2026-03-06 09:00:00' },
  ]);
  const last = await trade.night('2026-03-06');
  expect([last.result.run.verdict, ...findingsOf(last)]).toEqual(['reconciled']);
});
