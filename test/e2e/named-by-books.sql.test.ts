/** An order that only the books name is dated by them: it stays where they have it when another day is restated. */
import { afterEach, expect, test } from 'vitest';
import { closingsOf, openTrade } from '../helpers/trade.ts';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';

let night: Night;
afterEach(() => night.close());

test('a withdrawal that only the books name stays on its day when the day before is restated', async () => {
  const opened = await openTrade('2026-03-02', { P: 100_000n });
  night = opened.night;
  const { trade } = opened;
  night.sandbox.seedAccounts([{ accountNo: 'X9', balanceFen: 0n }]);
  night.sandbox.seedTransfers([
    {
      outBatchNo: 'B1',
      payerAcctNo: 'P',
      submittedAt: '2026-03-02 10:00:00',
      orders: [{ outOrderNo: 'T1', payeeAcctNo: 'X9', amountFen: 9_000n }],
    },
  ]);
  night.sandbox.seedWithdrawals([
    {
      outOrderNo: 'W1',
      acctNo: 'P',
      amountFen: 700n,
      submittedAt: '2026-03-03 10:00:00',
      finalAt: '2026-03-03 10:04:00',
    },
  ]);
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual(['unexplained P P -9000']);
  await trade.until('2026-03-03 20:00:00');
  trade.registers({
    kind: 'transfer',
    outBatchNo: 'B1',
    outOrderNo: 'T1',
    payer: 'P',
    payee: 'X9',
    fen: 9_000n,
    submittedAt: '2026-03-02 10:00:00',
  });
  trade.books('P transfer_out T1 -9000 2026-03-03 20:00 B1', 'P withdrawal W1 -700 2026-03-03 10:05');
  const second = await trade.night('2026-03-03');
  expect([findingsOf(second), closingsOf(second)]).toEqual([[], ['P 90300']]);
});
