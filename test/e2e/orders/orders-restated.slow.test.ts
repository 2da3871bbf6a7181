/**
 * Orders and records that become known only days later prove every day anew whose closing they touch, and what
 * had been unexplained is cleared on both sides (P5; docs/reconciliation.md 3.1, 3.4).
 */
import { afterEach, expect, test } from 'vitest';
import type { TransferSeed, WithdrawalSeed } from '../../../src/sandbox/orders/order-schema.ts';
import { findingsOf } from '../../helpers/night.ts';
import type { Night } from '../../helpers/night.ts';
import { closingsOf, fourNumbersOf, openTrade } from '../../helpers/trade.ts';
import type { Trade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DAY = '2026-03-02';
const HOUR_MS = 3_600_000;

/** On the platform, and in no registry yet. @returns registers it */
function unregisteredWithdrawal(seed: WithdrawalSeed): () => void {
  night.sandbox.seedWithdrawals([seed]);
  const { outOrderNo, acctNo: payer, submittedAt } = seed;
  const fen = BigInt(seed.amountFen);
  return () => trade.registers({ kind: 'withdrawal', outOrderNo, payer, fen, submittedAt });
}

function unregisteredTransfer(seed: TransferSeed): () => void {
  night.sandbox.seedTransfers([seed]);
  const { outBatchNo, payerAcctNo: payer, submittedAt, orders } = seed;
  return () =>
    trade.registers(
      ...orders.map(({ outOrderNo, payeeAcctNo: payee, amountFen }) => ({
        kind: 'transfer' as const,
        outBatchNo,
        outOrderNo,
        payer,
        payee,
        fen: BigInt(amountFen),
        submittedAt,
      })),
    );
}

async function expectNothingLeft(): Promise<void> {
  const left = await night.db.selectFrom('break').select('item_key').where('status', '=', 'open').execute();
  expect(left).toEqual([]);
}

/** Timing items remain, breaks do not. */
async function expectNoBreak(): Promise<void> {
  const left = await night.db
    .selectFrom('break')
    .select('item_key')
    .where('status', '=', 'open')
    .where('severity', '=', 'break')
    .execute();
  expect(left).toEqual([]);
}

test('an order registered days later proves its own day and those after it anew', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n }));
  const register = unregisteredWithdrawal({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-02 11:00:00',
  });
  expect(findingsOf(await trade.night(DAY))).toEqual(['unexplained P P -500']);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['unexplained P P -500']);
  expect(fourNumbersOf(second)).toEqual(['P -500 = -500 + 0 + 0']);
  register();
  trade.books('P withdrawal W1 -500 2026-03-02 11:05');
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.run.verdict).toBe('reconciled');
  expect(third.result.restated).toEqual([
    { day: DAY, version: 2 },
    { day: '2026-03-03', version: 2 },
  ]);
  const runs = await night.db.selectFrom('run').select(['run_id', 'verdict']).orderBy('run_id').execute();
  expect(runs.map((run) => `${run.run_id} ${run.verdict}`)).toEqual([
    'nightly-2026-03-02-v1 breaks',
    'nightly-2026-03-02-v2 reconciled',
    'nightly-2026-03-03-v1 breaks',
    'nightly-2026-03-03-v2 reconciled',
    'nightly-2026-03-04-v1 reconciled',
  ]);
  await expectNothingLeft();
});

test('one of the hours between midnight and the night is rolled back out of the day before as well', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n }));
  const register = unregisteredWithdrawal({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-03 01:00:00',
  });
  expect(findingsOf(await trade.night(DAY))).toEqual(['unexplained P P -500']);
  await trade.night('2026-03-03');
  register();
  trade.books('P withdrawal W1 -500 2026-03-03 01:05');
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.restated).toEqual([
    { day: DAY, version: 2 },
    { day: '2026-03-03', version: 2 },
  ]);
  await expectNothingLeft();
});

test('P5: so is a deposit of those hours that is listed days later', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n }));
  night.deposits({
    payeeAcctNo: 'P',
    orderNo: 'D1',
    amountFen: 500n,
    depositTime: '2026-03-03 01:00:00',
    visibleFrom: '2026-03-04 12:00:00',
  });
  expect(findingsOf(await trade.night(DAY))).toEqual(['empty_suspect P P 0', 'unexplained P P 500']);
  await trade.night('2026-03-03');
  trade.books('P deposit D1 500 2026-03-03 01:00');
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.restated).toEqual([
    { day: DAY, version: 2 },
    { day: '2026-03-03', version: 2 },
  ]);
  await expectNothingLeft();
});

test('U23: one that failed, and had been debited on a day when nobody knew of it, explains that day', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n }, { switches: { inflightModel: 'debited' } }));
  const register = unregisteredWithdrawal({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-02 11:00:00',
    finalAt: '2026-03-03 11:00:00',
    state: 'FAIL',
  });
  expect(findingsOf(await trade.night(DAY))).toEqual(['unexplained P P -500']);
  const second = await trade.night('2026-03-03');
  expect(fourNumbersOf(second)).toEqual(['P 0 = -500 + 0 + 500']);
  register();
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.restated).toEqual([
    { day: DAY, version: 2 },
    { day: '2026-03-03', version: 2 },
  ]);
  await expectNothingLeft();
});

test('U23: so does one that is still open when it becomes known', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n }, { switches: { inflightModel: 'debited' } }));
  const register = unregisteredWithdrawal({
    outOrderNo: 'W1',
    acctNo: 'P',
    amountFen: 500n,
    submittedAt: '2026-03-03 01:00:00',
    finalAt: '2026-03-05 11:00:00',
  });
  expect(findingsOf(await trade.night(DAY))).toEqual(['unexplained P P -500']);
  await trade.night('2026-03-03');
  register();
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual(['in_flight P W1 0']);
  expect(third.result.restated).toEqual([
    { day: DAY, version: 2 },
    { day: '2026-03-03', version: 2 },
  ]);
  await expectNoBreak();
  trade.books('P withdrawal W1 -500 2026-03-05 11:05');
  const fourth = await trade.night('2026-03-05');
  expect(findingsOf(fourth)).toEqual([]);
  expect(fourth.result.restated).toEqual([]);
  expect(closingsOf(fourth)).toEqual(['P 99500']);
  await expectNothingLeft();
});

test('U23: days that ended without a balance to roll back stay as they are when the first one is there', async () => {
  ({ night, trade } = await openTrade(DAY, { P: 100_000n }));
  night.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', remove: ['balance'], times: null });
  await trade.night(DAY);
  await trade.night('2026-03-03');
  night.sandbox.liftFaults();
  night.deposits({ payeeAcctNo: 'P', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-04 09:00:00' });
  trade.books('P deposit D1 500 2026-03-04 09:00');
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual([]);
  expect(third.result.restated).toEqual([]);
  const runs = await night.db.selectFrom('run').select(['run_id', 'verdict']).orderBy('run_id').execute();
  expect(runs.map((run) => `${run.run_id} ${run.verdict}`)).toEqual([
    'nightly-2026-03-02-v1 unverified',
    'nightly-2026-03-03-v1 unverified',
    'nightly-2026-03-04-v1 reconciled',
  ]);
});

test(
  '3.4: the balance of one account tells when a transfer moved, before the books of the other are believed',
  { timeout: 180_000 },
  async () => {
    ({ night, trade } = await openTrade(DAY, { Q: 1_000n, R: 100_000n }, { autoSettle: ['Q'] }));
    const early = unregisteredTransfer({
      outBatchNo: 'B1',
      payerAcctNo: 'R',
      submittedAt: '2026-03-02 23:38:00',
      orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 5_000n, settle: { delayMs: 7 * HOUR_MS } }],
    });
    const late = unregisteredTransfer({
      outBatchNo: 'B2',
      payerAcctNo: 'R',
      submittedAt: '2026-03-02 20:29:00',
      orders: [
        {
          outOrderNo: 'T2',
          payeeAcctNo: 'Q',
          amountFen: 39_000n,
          feeFen: 1n,
          feeType: 'ACCOUNT',
          finalAt: '2026-03-03 00:10:00',
          settle: { delayMs: 16 * HOUR_MS },
        },
      ],
    });
    expect(findingsOf(await trade.night(DAY))).toEqual([
      'empty_suspect Q Q 0',
      'frozen Q Q 44000',
      'unexplained Q Q 44000',
      'unexplained R R -44001',
    ]);
    await trade.night('2026-03-03');
    early();
    late();
    trade.books(
      'R transfer_out T1 -5000 2026-03-02 23:38',
      'Q transfer_in T1 5000 2026-03-02 23:38',
      'Q settlement T1 -5000 2026-03-03 06:38',
      'R transfer_out T2 -39000 2026-03-03 00:10',
      'R fee T2 -1 2026-03-03 00:10',
      'Q transfer_in T2 39000 2026-03-03 00:10',
      'Q settlement T2 -39000 2026-03-03 16:10',
    );
    const third = await trade.night('2026-03-04');
    expect(findingsOf(third)).toEqual([]);
    expect(closingsOf(third)).toEqual(['Q 1000', 'R 55999']);
    expect(fourNumbersOf(third)).toEqual(['Q 0 = 0 + 0 + 0', 'R 0 = 0 + 0 + 0']);
    await expectNothingLeft();
  },
);

test('U23: nor is a payer’s debited balance taken for moved money while the payee’s has none', async () => {
  ({ night, trade } = await openTrade(
    DAY,
    { A: 100_000n, P: 1_000n },
    { switches: { inflightModel: 'debited' } },
  ));
  const register = unregisteredTransfer({
    outBatchNo: 'B1',
    payerAcctNo: 'A',
    submittedAt: '2026-03-02 11:55:00',
    orders: [{ outOrderNo: 'T1', payeeAcctNo: 'P', amountFen: 6_000n, finalAt: '2026-03-03 17:08:00' }],
  });
  expect(findingsOf(await trade.night(DAY))).toEqual(['unexplained A A -6000']);
  register();
  trade.books('A transfer_out T1 -6000 2026-03-03 17:08', 'P transfer_in T1 6000 2026-03-03 17:08');
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.restated).toEqual([{ day: DAY, version: 2 }]);
  expect(closingsOf(second)).toEqual(['A 94000', 'P 7000']);
  await expectNothingLeft();
});
