/** The run of the sample orders as it was proven: each account begins with 100,000.00 on both sides. */
import type { Db } from '../../src/store/schema/schema.ts';
import { takeWriteNo } from '../../src/store/database/writing.ts';
import { aProvenDay, aRun, aRunAccount, aSnapshot, aWindow, at } from '../helpers/company/run-rows.ts';

/** Payer, payee, the one whose balance is debited at once, the one that only bears a fee. */
export const ORDER_ACCOUNTS = [
  '6217000000000000011',
  '6217000000000000012',
  '6217000000000000013',
  '6217000000000000014',
] as const;
const [B1, B2, B3, B4] = ORDER_ACCOUNTS;

export const ORDER_RUN = 'nightly-2026-03-05-v1';
export const DAY = '2026-03-05';
const ENDED = '2026-03-06 02:10:00';

/** All that was written by then is part of the run. */
export async function orderRun(db: Db): Promise<void> {
  const writtenUpTo = await db.transaction().execute((trx) => takeWriteNo(trx));
  await aRun(db, {
    run_id: ORDER_RUN,
    from_day: DAY,
    to_day: DAY,
    verdict: 'breaks',
    started_at: at('2026-03-06 02:00:00'),
    finished_at: at(ENDED),
    facts: JSON.stringify({
      writtenUpTo: Number(writtenUpTo),
      asked: { batches: 3, transferOrders: 6, withdrawals: 6 },
      orders: { failed: 0, ledgerOnly: 2, unaskable: 1, changed: 11 },
    }),
  });
  const opening = { run_id: ORDER_RUN, opening_fen: 10_000_000n, ledger_opening_fen: 10_000_000n };
  await aRunAccount(db, {
    ...opening,
    account_no: B1,
    verdict: 'breaks',
    in_fen: 30_000n,
    out_fen: 1_212_345n,
    fee_fen: 500n,
    platform_fen: 8_817_155n,
    frozen_fen: 50_000n,
    in_flight_fen: 50_000n,
    inflight_model: 'frozen',
    ledger_in_fen: 0n,
    ledger_out_fen: 1_282_345n,
    ledger_fee_fen: 0n,
    ledger_fen: 8_717_655n,
    line_difference_fen: 99_500n,
    difference_fen: 99_500n,
    assumptions: JSON.stringify(['timing_assumed:T1, T2 and 3 more']),
  });
  await aRunAccount(db, {
    ...opening,
    account_no: B2,
    in_fen: 1_200_000n,
    out_fen: 1_127_000n,
    fee_fen: 3_000n,
    platform_fen: 10_070_000n,
    ledger_in_fen: 1_197_000n,
    ledger_fee_fen: 0n,
  });
  await aRunAccount(db, {
    ...opening,
    account_no: B3,
    verdict: 'breaks',
    in_fen: 300_000n,
    stated_fen: 9_880_000n,
    platform_fen: 10_300_000n,
    in_flight_fen: 420_000n,
    inflight_model: 'debited',
    ledger_in_fen: 0n,
    ledger_out_fen: 400_600n,
    ledger_fen: 9_599_400n,
    line_difference_fen: 700_600n,
    difference_fen: 700_600n,
    assumptions: JSON.stringify(['debited_inferred:420000 fen']),
    candidates: JSON.stringify([
      { assume: 'withdrawal W5 before the cut', differenceFen: 680_600 },
      { assume: 'withdrawal W5 after the cut', differenceFen: 700_600 },
    ]),
  });
  await aRunAccount(db, {
    ...opening,
    account_no: B4,
    verdict: 'breaks',
    fee_fen: 100n,
    platform_fen: 9_999_900n,
    ledger_fee_fen: 0n,
    ledger_fen: 10_000_000n,
    line_difference_fen: -100n,
    difference_fen: -100n,
  });
  for (const account_no of ORDER_ACCOUNTS) {
    await aWindow(db, { run_id: ORDER_RUN, account_no, from_day: DAY, to_day: '2026-03-06' });
    await aProvenDay(db, { account_no, day: DAY });
    await aSnapshot(db, { run_id: ORDER_RUN, account_no, taken_at: at('2026-03-06 02:05:00') });
  }
}
