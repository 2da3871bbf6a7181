/** `--fail-on-breaks` fails whenever not everything is green with proof and an amount stands open. */
import { afterEach, expect, test } from 'vitest';
import { outcomeOf } from '../../jobs/commands/nightly.ts';
import type { NightOutcome } from '../helpers/findings.ts';
import { Night, findingsOf, zone } from '../helpers/night.ts';
import { openTrade } from '../helpers/trade.ts';

let night: Night;
afterEach(() => night.close());

const DAY = '2026-03-02';
const OPENING = { fen: 100_000n, at: `${DAY} 00:00:00` };
const outcomeWith = (outcome: NightOutcome) =>
  outcomeOf({ db: night.db, zone }, outcome, { failOnBreaks: true });

/** Money that left an account without a record. */
function lost(accountNo: string, fen: bigint, day: string): void {
  night.sandbox.seedMovements([{ kind: 'adjustment', accountNo, amountFen: -fen, at: `${day} 12:00:00` }]);
}

/** Answers are signed, and have no balance. */
function stateNoBalance(): void {
  night.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', remove: ['balance'], times: null });
}

async function nightOf(day: string, now: string): Promise<NightOutcome> {
  night.moveTo(now);
  return night.night(day);
}

test('an amount that no order explains fails the night although no break was found', async () => {
  const opened = await openTrade(DAY, { P: 100_000n });
  night = opened.night;
  night.sandbox.seedAccounts([{ accountNo: 'X9', balanceFen: 0n }]);
  opened.trade.transfers({
    outBatchNo: 'B1',
    payerAcctNo: 'P',
    submittedAt: `${DAY} 10:00:00`,
    orders: [{ outOrderNo: 'T1', payeeAcctNo: 'X9', amountFen: 9_000n }],
    refunds: [{ outOrderNo: 'T1', amountFen: 300n, at: '2026-03-03 10:00:00' }],
  });
  opened.trade.books(`P transfer_out T1 -9000 ${DAY} 10:01`, 'P refund_in T1 300 2026-03-03 10:01');
  lost('P', 500n, '2026-03-03');
  await opened.trade.snapshot('2026-03-03');
  await opened.trade.night(DAY);
  await opened.trade.snapshot('2026-03-04');
  const outcome = await opened.trade.night('2026-03-03');
  expect(outcome.result.run.verdict).toBe('unverified');
  expect(outcome.result.breaks).toEqual([]);
  expect(await outcomeWith(outcome)).toMatchObject({ status: 3 });
  expect(await outcomeOf({ db: night.db, zone }, outcome, {})).toMatchObject({ status: 0 });
});

test('an open break fails the night that cannot close it, and is named in its words', async () => {
  night = await Night.open({ now: '2026-03-03 02:00:00' });
  await night.accounts({ no: 'A1', opening: OPENING });
  night.deposits({ payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: `${DAY} 09:00:00` });
  expect(findingsOf(await night.night(DAY))).toEqual(['platform_only A1 D1 500']);
  stateNoBalance();
  await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: `${DAY} 09:00:00`, reference: 'D1' }]);
  const outcome = await nightOf('2026-03-03', '2026-03-04 02:00:00');
  expect(outcome.result.run.verdict).toBe('unverified');
  expect(findingsOf(outcome)).toEqual([]);
  expect(await outcomeWith(outcome)).toMatchObject({
    status: 3,
    text: expect.stringContaining('1 break of earlier runs is open that this run could not close') as string,
  });
});

test('a night without any amount does not fail for want of a proof', async () => {
  night = await Night.open({ now: '2026-03-03 02:00:00' });
  await night.accounts({ no: 'A1', heldFen: 100_000n });
  const first = await night.night(DAY);
  expect(first.result.run.verdict).toBe('unverified');
  expect(await outcomeWith(first)).toMatchObject({ status: 0 });
  stateNoBalance();
  const second = await nightOf('2026-03-03', '2026-03-04 02:00:00');
  expect(second.result.run.verdict).toBe('unverified');
  expect(await outcomeWith(second)).toMatchObject({ status: 0 });
});

test('a break of another account, or of a later day, fails no run', async () => {
  night = await Night.open({ now: '2026-03-03 02:00:00' });
  await night.accounts({ no: 'A1', opening: OPENING }, { no: 'A2', opening: OPENING });
  await night.night(DAY);
  lost('A1', 500n, '2026-03-03');
  expect(await outcomeWith(await nightOf('2026-03-03', '2026-03-04 02:00:00'))).toMatchObject({ status: 3 });
  expect(await outcomeWith(await night.night(DAY))).toMatchObject({ status: 0 });
  const ofAnother = await night.backfill('2026-03-03', '2026-03-03', ['A2']);
  expect(await outcomeWith(ofAnother)).toMatchObject({ status: 0 });
});
