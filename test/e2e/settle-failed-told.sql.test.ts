/** Who is told of a settlement that failed, and until when (docs/reconciliation.md 3.9, docs/settlements.md). */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../helpers/night.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const B1 = { outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: `${DAY} 09:00:00` } as const;
const FAILED = [
  { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, settle: { state: 'FAIL', delayMs: 60_000 } },
] as const;

async function open(): Promise<void> {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 5_000n }, { autoSettle: ['Q'] }));
  trade.books(`P transfer_out T1 -10000 ${DAY} 09:05`);
}

test('that it failed is told no more once its order was refunded whole: nothing of it is left on the payee', async () => {
  await open();
  trade.books(`Q transfer_in T1 10000 ${DAY} 09:05`);
  trade.books('P refund_in T1 10000 2026-03-03 10:00', 'Q refund_out T1 -10000 2026-03-03 10:00');
  const refunds = [{ outOrderNo: 'T1', amountFen: 10_000n, at: '2026-03-03 10:00:00' }];
  trade.transfers({ ...B1, orders: [...FAILED], refunds });
  expect(findingsOf(await trade.night(DAY))).toEqual(['settle_failed Q T1 0']);
  const second = await trade.night('2026-03-03');
  expect(second.result.accounts.map(({ platformFen }) => platformFen)).toEqual([100_000n, 5_000n]);
  expect(findingsOf(second)).toEqual([]);
});

test('that it failed is told on the payer where the payee is none of the company: nobody retries it', async () => {
  await open();
  await night.db.deleteFrom('account').where('account_no', '=', 'Q').execute();
  trade.transfers({ ...B1, orders: [...FAILED] });
  expect(findingsOf(await trade.settlingNight(DAY))).toEqual(['settle_failed P T1 0']);
});

test('of an order that was refunded in part what is left of it on the payee is told, its fee left out', async () => {
  await open();
  const refunds = [{ outOrderNo: 'T1', amountFen: 4_000n, at: '2026-03-03 10:00:00' }];
  const [order] = FAILED;
  trade.books(`Q transfer_in T1 9970 ${DAY} 09:05`);
  trade.books('P refund_in T1 4000 2026-03-03 10:00', 'Q refund_out T1 -4000 2026-03-03 10:00');
  trade.transfers({ ...B1, orders: [{ ...order, feeFen: 30n, feeType: 'ORDER' }], refunds });
  const leftOf = async (day: string) =>
    (await trade.night(day)).result.breaks.map((one) => `${one.class} ${one.accountNo} ${one.platformFen}`);
  expect(await leftOf(DAY)).toEqual(['settle_failed Q 9970']);
  expect(await leftOf('2026-03-03')).toEqual(['settle_failed Q 5970']);
});

test('where neither payer nor payee is of the company the run itself tells that it failed', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 5_000n, R: 0n }, { autoSettle: ['Q'] }));
  await night.db.deleteFrom('account').where('account_no', 'in', ['P', 'Q']).execute();
  trade.transfers({ ...B1, orders: [...FAILED] });
  const { result } = await trade.settlingNight(DAY);
  const told = result.breaks.map((one) => `${one.class} '${one.accountNo}' ${one.reference} ${one.severity}`);
  expect(told).toEqual(["settle_failed '' T1 attention"]);
  expect(result.run.verdict).toBe('reconciled');
});
