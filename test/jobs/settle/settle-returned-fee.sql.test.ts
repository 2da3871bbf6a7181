/**
 * A retried settlement with a fee is paid before a cut (the snapshot of midnight sees it), and comes back from the bank
 * after it: its attempt is RETURNED, and the fee that was proven and booked stays.
 */
import { afterEach, expect, test } from 'vitest';
import type { Night } from '../../helpers/night.ts';
import { movementsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const HOUR_MS = 3_600_000;
const FAILS = { state: 'FAIL', delayMs: 60_000, remark: '账户状态异常' } as const;

test('the fee of a settlement that was paid and came back stays what it was', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n, Q: 25_000n }, { autoSettle: ['Q'] }));
  night.clock.bePatient(10);
  trade.books('P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
  trade.books('Q settlement T1 -10000 2026-03-03 22:05', 'Q fee T1 -20 2026-03-03 22:05');
  trade.books('Q settlement T1 10000 2026-03-04 00:35', 'Q fee T1 20 2026-03-04 00:35');
  trade.books('Q settlement T1 -10000 2026-03-06 02:05', 'Q fee T1 -20 2026-03-06 02:05');
  const retry = {
    state: 'SUCCESS',
    delayMs: 20 * HOUR_MS,
    returnAfterMs: 2.5 * HOUR_MS,
    feeFen: 20n,
    feeType: 'ACCOUNT',
  } as const;
  const again = { state: 'SUCCESS', delayMs: 0, feeFen: 20n, feeType: 'ACCOUNT' } as const;
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      {
        outOrderNo: 'T1',
        payeeAcctNo: 'Q',
        amountFen: 10_000n,
        settle: { ...FAILS, retries: [retry, again] },
      },
    ],
  });
  const fees: string[] = [];
  const verdicts: string[] = [];
  const told = async (name: string, run: Awaited<ReturnType<Trade['night']>>) => {
    const attempts = run.result.settlements.map(({ attempt, outcome }) => `${attempt} ${outcome}`);
    verdicts.push(`${name} ${run.result.run.verdict} ${attempts.join()}`);
  };
  await told('03-02', await trade.settlingNight(DAY));
  await trade.snapshot('2026-03-04');
  for (const day of ['2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07']) {
    await told(day, await trade.settlingNight(day));
  }
  fees.push(...(await movementsOf(night)).filter((line) => line.includes('settlement_fee')));
  expect(fees).toEqual([
    'Q settlement_fee:T1:2 -20 (20)',
    'Q settlement_fee:T1:3 20 (-20)',
    'Q settlement_fee:T1:4 -20 (20)',
  ]);
  expect(verdicts).toEqual([
    '03-02 reconciled 1 PROCESSING',
    '2026-03-03 reconciled 1 PROCESSING',
    '2026-03-04 reconciled 1 RETURNED',
    '2026-03-05 reconciled 2 SUCCESS',
    '2026-03-06 reconciled ',
    '2026-03-07 reconciled ',
  ]);
});
