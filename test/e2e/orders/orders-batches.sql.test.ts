/** Batches that are not simply successful: partly, by a label that is wrong, not readable, not known, not registered. */
import { afterEach, expect, test } from 'vitest';
import { outcomeOf } from '../../../jobs/commands/nightly.ts';
import { findingsOf, zone } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, movementsOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const EVEN = ['P 0 = 0 + 0 + 0', 'Q 0 = 0 + 0 + 0'];

async function open(openings: Record<string, bigint>): Promise<void> {
  ({ night, trade } = await openTrade(DAY, openings));
}

/** One transfer of 10,000 from P to Q, in the books of both. */
const T1 = { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n } as const;
const B1 = { outBatchNo: 'B1', payerAcctNo: 'P', submittedAt: '2026-03-02 09:00:00' } as const;
const BOOKED_T1 = ['P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05'];

test('DIV-18, DIV-31: of a batch of 20 exactly the orders that succeeded are posted, under the label PART_SUCCESS', async () => {
  await open({ P: 1_000_000n, Q: 0n, R: 0n });
  const failed = [5, 12, 20];
  const orders = Array.from({ length: 20 }, (_, at) => at + 1).map((n) => ({
    outOrderNo: `T${n}`,
    payeeAcctNo: n % 2 === 1 ? 'Q' : 'R',
    amountFen: BigInt(n) * 1_000n,
    feeFen: BigInt(n),
    feeType: n % 2 === 1 ? ('ORDER' as const) : ('ACCOUNT' as const),
    state: failed.includes(n) ? 'FAIL' : 'SUCCESS',
  }));
  trade.transfers({ ...B1, orders });
  const moved = orders.filter(({ state }) => state === 'SUCCESS');
  trade.books(
    ...moved.map(
      ({ outOrderNo, amountFen }) => `P transfer_out ${outOrderNo} -${amountFen} 2026-03-02 09:05`,
    ),
    ...moved.map(
      ({ outOrderNo, payeeAcctNo, amountFen }) =>
        `${payeeAcctNo} transfer_in ${outOrderNo} ${amountFen} 2026-03-02 09:05`,
    ),
    ...moved.map(
      ({ outOrderNo, payeeAcctNo, feeFen }) =>
        `${payeeAcctNo === 'Q' ? 'Q' : 'P'} fee ${outOrderNo} -${feeFen} 2026-03-02 09:05`,
    ),
  );
  const outcome = await trade.night(DAY);
  expect(findingsOf(outcome)).toEqual([]);
  expect(outcome.result.run.verdict).toBe('reconciled');
  expect(outcome.result.collected).toMatchObject({ batches: 1, transferOrders: 20 });
  // 173,000 moved; 95 of fees lie inside the orders to Q, 78 beside those to R.
  expect(closingsOf(outcome)).toEqual(['P 826922', 'Q 94905', 'R 78000']);
  const batch = await night.db.selectFrom('transfer_batch').selectAll().executeTakeFirstOrThrow();
  expect(batch).toMatchObject({ state: 'PART_SUCCESS', order_count: 20, contradiction: '' });
  const movements = await movementsOf(night);
  expect(movements).toHaveLength(17 + 8 + 9 + 8);
  expect(movements.filter((line) => /:T(5|12|20)\b/.test(line))).toEqual([]);
});

test('P12: a label that contradicts the orders is told until it is right; the money comes from the orders', async () => {
  await open({ P: 100_000n, Q: 0n });
  trade.transfers({
    ...B1,
    orders: [T1],
    listed: { set: { state: 'FAIL' } },
    changes: [{ at: '2026-03-03 12:00:00', set: { state: 'SUCCESS' } }],
  });
  trade.books(...BOOKED_T1);
  const first = await trade.night(DAY);
  expect(findingsOf(first)).toEqual(['batch_children P B1 0']);
  expect(fourNumbersOf(first)).toEqual(EVEN);
  expect(first.result.accounts.map(({ verdict }) => verdict)).toEqual(['breaks', 'reconciled']);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.closed).toMatchObject([{ id: first.result.breaks[0]?.id }]);
  expect(second.result.run.verdict).toBe('reconciled');
});

test('P12: a batch past its time that the platform does not know for one look is asked for on, until it agrees', async () => {
  ({ night, trade } = await openTrade(
    DAY,
    { P: 100_000n, Q: 0n },
    { profile: { recheck: { batchDays: 3, batchSchedule: [1, 3], withdrawDays: 2 } } },
  ));
  trade.transfers({
    ...B1,
    orders: [T1],
    listed: { set: { state: 'FAIL' } },
    changes: [{ at: '2026-03-08 12:00:00', set: { state: 'SUCCESS' } }],
  });
  trade.books(...BOOKED_T1);
  const first = await trade.night(DAY);
  night.sandbox.addFault({
    kind: 'unmapped_code',
    path: 'division/query',
    times: null,
    msg: '批次不存在 (batch not found)',
  });
  expect(findingsOf(await trade.night('2026-03-06'))).toEqual([
    'batch_children P B1 0',
    'record_vanished P T1 0',
  ]);
  night.sandbox.liftFaults();
  const second = await trade.night('2026-03-07');
  expect(findingsOf(second)).toEqual(['batch_children P B1 0']);
  expect(second.result.breaks[0]?.id).toBe(first.result.breaks[0]?.id);
  const third = await trade.night('2026-03-08');
  expect([findingsOf(third), third.result.run.verdict]).toEqual([[], 'reconciled']);
});

test('N7: a batch that cannot be read leaves payer and payee incomplete, nobody else; running again cures it', async () => {
  await open({ P: 100_000n, Q: 0n, R: 0n });
  trade.transfers({ ...B1, orders: [T1] });
  trade.books(...BOOKED_T1);
  night.sandbox.addFault({ kind: 'body', content: 'html', path: 'division/query', times: null });
  const first = await trade.night(DAY);
  expect(first.result.run.verdict).toBe('incomplete');
  expect(await outcomeOf({ db: night.db, zone }, first, {})).toMatchObject({ status: 1 });
  expect(first.result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`)).toEqual([
    'P incomplete',
    'Q incomplete',
    'R reconciled',
  ]);
  night.sandbox.liftFaults();
  const second = await night.night(DAY);
  expect(second.result.run).toMatchObject({ verdict: 'reconciled', version: 1, supersedes: null });
  expect(findingsOf(second)).toEqual([]);
  expect(closingsOf(second)).toEqual(['P 90000', 'Q 10000', 'R 0']);
  const left = await night.db.selectFrom('break').select('break_id').where('status', '=', 'open').execute();
  expect(left).toEqual([]);
});

test('P14: an order the platform does not know is timing, booked or not, and a break of the same id after agingDays', async () => {
  await open({ P: 100_000n, Q: 0n });
  const lost = { payer: 'P', payee: 'Q', fen: 800n, submittedAt: '2026-03-02 22:00:00' } as const;
  trade.registers(
    { kind: 'transfer', outBatchNo: 'B8', outOrderNo: 'T8', outcome: 'sent', ...lost },
    { kind: 'transfer', outBatchNo: 'B9', outOrderNo: 'T9', outcome: 'unknown', ...lost },
    // The company was told no: nothing is expected of it.
    { kind: 'withdrawal', outOrderNo: 'W9', outcome: 'refused', ...lost },
  );
  trade.books(
    'P transfer_out T9 -800 2026-03-02 22:01',
    'Q transfer_in T9 800 2026-03-02 22:01',
    // Nobody but the books knows of this one.
    'P withdrawal W7 -60 2026-03-02 22:01',
  );
  const first = await trade.night(DAY);
  expect(findingsOf(first)).toEqual([
    'ledger_only P W7 60',
    'unknown_not_found P T8 0',
    'unknown_not_found P T9 800',
    'unknown_not_found Q T9 -800',
  ]);
  expect(first.result.accounts.map(({ verdict }) => verdict)).toEqual(['breaks', 'reconciled_with_timing']);
  expect(fourNumbersOf(first)).toEqual(['P 860 = 0 + 860 + 0', 'Q -800 = 0 + -800 + 0']);
  const last = await trade.night('2026-03-05');
  expect(findingsOf(last)).toEqual([
    'ledger_only P T9 800',
    'ledger_only P W7 60',
    'state P T8 0',
    'ledger_only Q T9 -800',
  ]);
  expect(last.result.breaks.map(({ firstSeen, ageDays }) => `${firstSeen} ${ageDays}`)).toEqual([
    '2026-03-02 3',
    '2026-03-02 3',
    '2026-03-02 3',
    '2026-03-02 3',
  ]);
});

test('U36: orders only the ledger names are asked for and posted; one without its batch’s number cannot be', async () => {
  await open({ P: 100_000n, Q: 0n });
  night.sandbox.seedTransfers([
    { ...B1, orders: [T1] },
    { ...B1, outBatchNo: 'B2', orders: [{ ...T1, outOrderNo: 'T2', amountFen: 300n }] },
  ]);
  night.sandbox.seedWithdrawals([
    { outOrderNo: 'W1', acctNo: 'Q', amountFen: 2_000n, submittedAt: '2026-03-02 15:00:00' },
  ]);
  trade.books(
    'P transfer_out T1 -10000 2026-03-02 09:05 B1',
    'Q transfer_in T1 10000 2026-03-02 09:05 B1',
    'Q withdrawal W1 -2000 2026-03-02 15:05',
    'P transfer_out T2 -300 2026-03-02 09:05',
  );
  const outcome = await trade.night(DAY);
  expect(findingsOf(outcome)).toEqual([
    'ledger_only P T2 300',
    'unexplained P P -300',
    // Its balance rose, and it has no deposits (U24).
    'empty_suspect Q Q 0',
    'unexplained Q Q 300',
  ]);
  expect(fourNumbersOf(outcome)).toEqual(['P 0 = 0 + 300 + -300', 'Q 300 = 0 + 0 + 300']);
  expect(await movementsOf(night)).toEqual([
    'P transfer_out:T1 -10000',
    'Q transfer_in:T1 10000',
    'Q withdrawal:W1 -2000',
  ]);
});
