/** What no order explains is shown with a hint where there is one, and never booked (OPN-04, U31, U37, U57). */
import { afterEach, expect, test } from 'vitest';
import { findingsOf } from '../../helpers/night.ts';
import { Night } from '../../helpers/night.ts';
import { Trade, closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

/** What is said to each unexplained amount of a run. */
async function hints(runId: string): Promise<string[]> {
  const rows = await night.db
    .selectFrom('finding')
    .select(['account_no', 'note'])
    .where('run_id', '=', runId)
    .where('class', '=', 'unexplained')
    .orderBy('account_no')
    .execute();
  return rows.map(({ account_no: accountNo, note }) => `${accountNo}: ${note}`);
}

test('OPN-04, U31: an account that was replaced and the one that replaced it have opposite unexplained amounts', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00' });
  trade = new Trade(night);
  const at = '2026-03-02 00:00:00';
  await night.accounts(
    { no: 'F', opening: { fen: 1_000n, at } },
    { no: 'J', opening: { fen: 30_000n, at }, replacedBy: 'F' },
    { no: 'P', opening: { fen: 30_000n, at } },
  );
  night.sandbox.seedMovements([
    { kind: 'replacement', accountNo: 'J', toAccountNo: 'F', at: '2026-03-03 12:00:00' },
    { kind: 'interest', accountNo: 'P', amountFen: 1_234n, at: '2026-03-03 13:00:00' },
  ]);
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([
    'empty_suspect F F 0',
    'unexplained F F 30000',
    'unexplained J J -30000',
    'empty_suspect P P 0',
    'unexplained P P 1234',
  ]);
  expect(await hints(second.result.run.id)).toEqual([
    'F: account J, which it replaced, has the opposite amount: its balance seems to have come here',
    'J: account F, which replaced it, has the opposite amount: the balance seems to have moved there',
    'P: interest, a late record, a refund or a return would look like this',
  ]);
  expect(closingsOf(second)).toEqual(['F 31000', 'J 0', 'P 31234']);
  expect(await movementsOf(night)).toEqual([]);
  trade.books(
    'F adjustment A1 30000 2026-03-04 09:00',
    'J adjustment A2 -30000 2026-03-04 09:00',
    'P adjustment A3 1234 2026-03-04 09:00',
  );
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.run.verdict).toBe('reconciled');
  expect(fourNumbersOf(third)).toEqual(['F 0 = 0 + 0 + 0', 'J 0 = 0 + 0 + 0', 'P 0 = 0 + 0 + 0']);
});

test('E7, U37: the hidden fee of settlements is unexplained with a hint; a profile that knows it posts it', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 500n }, { autoSettle: ['Q'] }));
  const settle = { feeFen: 20n, feeType: 'ACCOUNT' as const };
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [
      { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, feeFen: 30n, settle },
      { outOrderNo: 'T2', payeeAcctNo: 'Q', amountFen: 6_000n, settle },
    ],
  });
  trade.books(
    'P transfer_out T1 -10000 2026-03-02 09:05',
    'Q transfer_in T1 9970 2026-03-02 09:05',
    'Q settlement T1 -9970 2026-03-02 09:05',
    'P transfer_out T2 -6000 2026-03-02 09:05',
    'Q transfer_in T2 6000 2026-03-02 09:05',
    'Q settlement T2 -6000 2026-03-02 09:05',
    'Q fee T1 -20 2026-03-02 09:05',
  );
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['fee Q T1 20', 'unexplained Q Q -40']);
  expect(closingsOf(first)).toEqual(['P 84000', 'Q 460']);
  expect(fourNumbersOf(first)).toEqual(['P 0 = 0 + 0 + 0', 'Q -20 = 0 + 20 + -40']);
  expect(await hints(first.result.run.id)).toEqual([
    'Q: a fee of 0.20 for each of 2 settlements, which no answer shows, would look like this',
  ]);
  await night.profile({ fees: { settle: { feeType: 'ACCOUNT', feeFen: 20 } } });
  const second = await night.night('2026-03-02');
  expect(second.result.run).toMatchObject({ version: 2, verdict: 'breaks' });
  // Of the two fees the books have one.
  expect(findingsOf(second)).toEqual(['fee Q T2 -20']);
  expect(fourNumbersOf(second)).toEqual(['P 0 = 0 + 0 + 0', 'Q -20 = 0 + -20 + 0']);
  expect((await movementsOf(night)).filter((line) => line.startsWith('Q'))).toEqual([
    'Q settlement:T1 -9970',
    'Q settlement:T2 -6000',
    'Q settlement_fee:T1 -20 (20)',
    'Q settlement_fee:T2 -20 (20)',
    'Q transfer_in:T1 9970 (30)',
    'Q transfer_in:T2 6000',
  ]);
});

test('U49: a withdrawal that comes back after its days is found by the amount that it leaves, in the same night', async () => {
  const recheck = { batchDays: 90, batchSchedule: [1], withdrawDays: 1 };
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }, { profile: { recheck } }));
  trade.withdrawals({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 5_000n,
    submittedAt: '2026-03-02 09:00:00',
    returnAfterMs: 3 * 86_400_000,
  });
  trade.books('P withdrawal W1 -5000 2026-03-02 09:05', 'P withdrawal W1 5000 2026-03-05 10:00');
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual([]);
  await trade.night('2026-03-03');
  await trade.night('2026-03-04');
  const back = await trade.night('2026-03-05');
  expect(closingsOf(back)).toEqual(['P 100000']);
  expect(findingsOf(back)).toEqual([]);
  expect(await movementsOf(night)).toEqual(['P withdrawal:W1 -5000', 'P withdrawal:W1:2 5000']);
});

test('U57: an adjustment handed in before its amount was told clears nothing, though another was told of that day', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }));
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'P', amountFen: -700n, at: '2026-03-02 12:00:00' },
  ]);
  night.deposits({
    payeeAcctNo: 'P',
    orderNo: 'D1',
    amountFen: 200n,
    depositTime: '2026-03-02 10:00:00',
    visibleFrom: '2026-03-03 12:00:00',
  });
  expect(findingsOf(await trade.night('2026-03-02'))).toContain('unexplained P P -500');
  trade.books('P deposit D1 200 2026-03-02 10:05', 'P adjustment A1 -700 2026-03-02 15:00');
  expect(findingsOf(await trade.night('2026-03-03'))).toEqual([
    'ledger_only P E2 700',
    'unexplained P P -700',
  ]);
  expect(findingsOf(await trade.night('2026-03-04'))).toEqual([
    'ledger_only P E2 700',
    'unexplained P P -700',
  ]);
});
