/**
 * Where no placement of the orders whose side nobody observed explains a balance, none is taken silently
 * (docs/reconciliation.md 3.4, 3.8): the next balance tells, and what it does not tell in time is a stated
 * assumption.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays } from '../../../src/core/time.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }, { profile: { agingDays: 2 } }));
  night.sandbox.seedAccounts([{ accountNo: 'X9', balanceFen: 0n }]);
});
afterEach(() => night.close());

/** A transfer of 9,000 to a stranger, of which some comes back on one of the days after. */
function paid(no: string, day: string, refundedOn: string): void {
  trade.transfers({
    outBatchNo: `B${no}`,
    payerAcctNo: 'P',
    submittedAt: `${day} 10:00:00`,
    orders: [{ outOrderNo: `T${no}`, payeeAcctNo: 'X9', amountFen: 9_000n }],
    refunds: [{ outOrderNo: `T${no}`, amountFen: 300n, at: `${refundedOn} 10:00:00` }],
  });
  trade.books(`P transfer_out T${no} -9000 ${day} 10:01`, `P refund_in T${no} 300 ${refundedOn} 10:01`);
}

function lost(fen: bigint, day: string): void {
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'P', amountFen: -fen, at: `${day} 12:00:00` },
  ]);
}

/** The night of that day, after a snapshot at its end. */
async function midnightAndNight(day: string): ReturnType<Trade['night']> {
  await trade.snapshot(addDays(day, 1));
  return trade.night(day);
}

const unexplained = () =>
  night.db
    .selectFrom('break')
    .select(['item_key', 'status', 'difference_fen'])
    .where('class', '=', 'unexplained')
    .execute();

test('a loss beside a refund whose side of midnight nobody saw is one amount of the day that tells', async () => {
  paid('1', '2026-03-02', '2026-03-03');
  lost(500n, '2026-03-03');
  await midnightAndNight('2026-03-02');
  const second = await midnightAndNight('2026-03-03');
  const [account] = second.result.accounts;
  expect(account).toMatchObject({
    verdict: 'unverified',
    reason: 'no assignment of orders to the two sides of the cut explains the balance (2)',
    candidates: [
      { assume: 'refund T1 after the balance', differenceFen: -500n },
      { assume: 'refund T1 before the cut', differenceFen: -500n },
    ],
  });
  const third = await midnightAndNight('2026-03-04');
  expect(third.result.accounts[0]?.assumptions).toContainEqual(expect.stringContaining('(T1)'));
  expect(findingsOf(third)).toEqual(['unexplained P P -500']);
  expect(closingsOf(third)).toEqual(['P 90800']);
  await midnightAndNight('2026-03-05');
  expect(await unexplained()).toEqual([
    { item_key: 'unexplained:2026-03-04', status: 'open', difference_fen: -500n },
  ]);
});

test('what no balance tells within agingDays is placed by what leaves least, and that is said', async () => {
  paid('1', '2026-03-02', '2026-03-03');
  paid('2', '2026-03-02', '2026-03-04');
  paid('3', '2026-03-02', '2026-03-05');
  lost(500n, '2026-03-03');
  await midnightAndNight('2026-03-02');
  const verdicts = [];
  for (const day of ['2026-03-03', '2026-03-04', '2026-03-05']) {
    const { result } = await midnightAndNight(day);
    verdicts.push(result.accounts[0]);
  }
  expect(verdicts.map((account) => account?.verdict)).toEqual(['unverified', 'breaks', 'breaks']);
  expect(verdicts[2]?.assumptions).toContainEqual(expect.stringContaining('(T3)'));
  const later = await midnightAndNight('2026-03-06');
  expect(closingsOf(later)).toEqual(['P 73400']);
  const amounts = await unexplained();
  expect(amounts.reduce((sum, { difference_fen: fen }) => sum + fen, 0n)).toBe(-500n);
});
