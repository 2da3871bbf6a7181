/**
 * A batch that is long final is held against what was registered of it by mistake, and once more when that is put right
 * (docs/reconciliation.md 3.5).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putRight } from '../../helpers/company/put-right.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;

/** Final batches are asked again on the next day, and then no more. */
const PATIENCE = { recheck: { batchDays: 1, batchSchedule: [1], withdrawDays: 1 } };

beforeEach(async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n, Q: 0n }, { profile: PATIENCE }));
  trade.transfers({
    outBatchNo: 'B1',
    batchNo: 'M1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 12:00:00',
    orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 1_000n }],
  });
  trade.books('P transfer_out T1 -1000 2026-03-02 12:05', 'Q transfer_in T1 1000 2026-03-02 12:05');
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04']) {
    expect(findingsOf(await trade.night(day))).toEqual([]);
  }
});
afterEach(() => night.close());

const LATER = '2026-03-05 12:00:00';
const T9 = {
  kind: 'transfer',
  outOrderNo: 'T9',
  payer: 'P',
  payee: 'Q',
  fen: 500n,
  submittedAt: LATER,
} as const;

test('an order that was registered in it, and belongs to another one', async () => {
  const orders = [{ outOrderNo: 'T9', payeeAcctNo: 'Q', amountFen: 500n }];
  night.sandbox.seedTransfers([{ outBatchNo: 'B9', payerAcctNo: 'P', submittedAt: LATER, orders }]);
  trade.registers({ ...T9, outBatchNo: 'B1' });
  trade.books('P transfer_out T9 -500 2026-03-05 12:05', 'Q transfer_in T9 500 2026-03-05 12:05');
  expect(findingsOf(await trade.night('2026-03-05'))).toContain('batch_children P B1 0');
  await trade.until('2026-03-06 10:00:00');
  await putRight(night, { ...T9, outBatchNo: 'B9' });
  expect(findingsOf(await trade.night('2026-03-06'))).toEqual([]);
  expect(findingsOf(await trade.night('2026-03-07'))).toEqual([]);
});

test('an order that was registered in it, and never left', async () => {
  trade.registers({ ...T9, outBatchNo: 'B1' });
  expect(findingsOf(await trade.night('2026-03-05'))).toEqual(['batch_children P B1 0']);
  await trade.until('2026-03-06 10:00:00');
  await putRight(night, { ...T9, outBatchNo: 'B1', outcome: 'refused' });
  expect(findingsOf(await trade.night('2026-03-06'))).toEqual([]);
});
