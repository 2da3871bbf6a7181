/** What was done about failed settlements is reported by one night, also when nights were missed (docs/settlements.md). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reconcileRange } from '../../jobs/night/night.ts';
import { wholeOutcome } from '../helpers/findings.ts';
import type { NightOutcome } from '../helpers/findings.ts';
import type { Night } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';
import type { Trade } from '../helpers/trade.ts';

let night: Night;
let trade: Trade;

/** T1 is moved on the second, and its settlement fails; a retry pays at once. */
beforeEach(async () => {
  const openings = { P: 100_000n, Q: 5_000n };
  ({ night, trade } = await openTrade('2026-03-02', openings, { autoSettle: ['Q'] }));
  night.clock.bePatient(10);
  const settle = { state: 'FAIL', delayMs: 60_000, retries: [{ state: 'SUCCESS', delayMs: 0 }] };
  trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: '2026-03-02 09:00:00',
    orders: [{ outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, settle }],
  });
  trade.books('P transfer_out T1 -10000 2026-03-02 09:05', 'Q transfer_in T1 10000 2026-03-02 09:05');
});
afterEach(() => night.close());

/** By hand, at that time; booked half an hour later. */
async function settleAt(day: string, time: string, booked: string): Promise<void> {
  trade.books(`Q settlement T1 -10000 ${day} ${booked}`);
  await trade.until(`${day} ${time}:00`);
  const byHand = await night.settle({ mode: 'retry' });
  expect(byHand.settlements.map(({ outcome }) => outcome)).toEqual(['SUCCESS']);
}

/** A night of that account alone. */
async function nightOfSome(day: string, account: string): Promise<NightOutcome> {
  const process = await night.process();
  const of = { job: 'nightly', fromDay: day, toDay: day, accounts: [account] } as const;
  const outcome = await wholeOutcome(await reconcileRange(process, of));
  await process.close();
  return outcome;
}

const settlementsOf = ({ result }: NightOutcome): string[] =>
  result.settlements.map(({ reference, attempt, outcome }) => `${reference} ${attempt} ${outcome}`);

test('a settlement that was paid before nights were missed is reported by the first that is made up for', async () => {
  expect(settlementsOf(await trade.night('2026-03-02'))).toEqual([]);
  await settleAt('2026-03-03', '20:00', '20:30');
  // Nothing ran in the night of the third; both that are due now follow each other, as `recon schedule` has it.
  await trade.until('2026-03-05 02:00:00');
  expect(settlementsOf(await night.settlingNight('2026-03-03'))).toEqual(['T1 1 SUCCESS']);
  expect(settlementsOf(await night.settlingNight('2026-03-04'))).toEqual([]);
});

test('one that is made up for after later nights takes nothing from the next', async () => {
  await trade.night('2026-03-02');
  await trade.night('2026-03-04');
  await settleAt('2026-03-05', '10:00', '10:30');
  expect(settlementsOf(await night.night('2026-03-03'))).toEqual([]);
  expect(settlementsOf(await trade.night('2026-03-05'))).toEqual(['T1 1 SUCCESS']);
});

test('a night of some accounts takes nothing from the next of all', async () => {
  await trade.night('2026-03-02');
  await settleAt('2026-03-03', '10:00', '10:30');
  expect(settlementsOf(await nightOfSome('2026-03-02', 'P'))).toEqual(['T1 1 SUCCESS']);
  expect(settlementsOf(await trade.night('2026-03-03'))).toEqual(['T1 1 SUCCESS']);
});

test('what an incomplete night settled stays in its report when it is resumed on a later day', async () => {
  trade.books('Q settlement T1 -10000 2026-03-03 02:30');
  night.sandbox.addFault({ kind: 'unmapped_code', path: 'query/deposit', times: null });
  const incomplete = await trade.settlingNight('2026-03-02');
  expect(incomplete.result.run.verdict).toBe('incomplete');
  expect(settlementsOf(incomplete)).toEqual(['T1 1 SUCCESS']);
  night.sandbox.liftFaults();
  await trade.until('2026-03-04 02:00:00');
  expect(settlementsOf(await night.settlingNight('2026-03-02'))).toEqual(['T1 1 SUCCESS']);
  expect(settlementsOf(await night.settlingNight('2026-03-03'))).toEqual([]);
});

test('nor does it go with a version that proves the same as the one before it, when the next night has run', async () => {
  await trade.night('2026-03-02');
  await settleAt('2026-03-03', '10:00', '10:30');
  night.sandbox.addFault({ kind: 'unmapped_code', path: 'query/deposit', times: null });
  const incomplete = await night.night('2026-03-02');
  expect([incomplete.result.run.verdict, settlementsOf(incomplete)]).toEqual([
    'incomplete',
    ['T1 1 SUCCESS'],
  ]);
  night.sandbox.liftFaults();
  expect(settlementsOf(await trade.night('2026-03-03'))).toEqual([]);
  const resumed = await night.night('2026-03-02');
  expect([resumed.result.run.version, settlementsOf(resumed)]).toEqual([2, ['T1 1 SUCCESS']]);
});
