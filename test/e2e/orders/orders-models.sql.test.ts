/** Both in-flight models (U23): amounts under way are frozen, or debited at once, or first the one and then the other. */
import { afterEach, expect, test } from 'vitest';
import { Night, findingsOf } from '../../helpers/night.ts';
import { Trade, closingsOf, fourNumbersOf, openTrade } from '../../helpers/trade.ts';

let night: Night;
let trade: Trade;
afterEach(() => night.close());

const DEBITED =
  'amounts in flight are taken to be debited already, because only that fits; it could hide a loss of (500 fen)';

function withdrawal(no: string, submittedAt: string, finalAt: string): void {
  trade.withdrawals({ outOrderNo: no, acctNo: 'P', amountFen: 500n, submittedAt, finalAt });
}

test('U23: a platform that debits at once is recognised; the balance counts what is under way as still there', async () => {
  ({ night, trade } = await openTrade(
    '2026-03-02',
    { P: 100_000n },
    { switches: { inflightModel: 'debited' } },
  ));
  withdrawal('W1', '2026-03-02 23:50:00', '2026-03-04 10:00:00');
  trade.books('P withdrawal W1 -500 2026-03-04 10:05');
  await trade.snapshot('2026-03-03');
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['in_flight P W1 0']);
  expect(first.result.run.verdict).toBe('reconciled_with_timing');
  expect(first.result.accounts[0]).toMatchObject({
    statedFen: 99_500n,
    platformFen: 100_000n,
    frozenFen: 0n,
    inFlightFen: 500n,
    unexplainedFen: 0n,
  });
  expect(first.result.accounts[0]?.assumptions).toContain(DEBITED);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['in_flight P W1 0']);
  expect(closingsOf(second)).toEqual(['P 100000']);
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual([]);
  expect(closingsOf(third)).toEqual(['P 99500']);
  expect(fourNumbersOf(third)).toEqual(['P 0 = 0 + 0 + 0']);
  expect(third.result.accounts[0]?.assumptions).not.toContain(DEBITED);
});

test('U23: what a first balance had been debited for is part of the baseline', async () => {
  night = await Night.open({ now: '2026-03-02 08:00:00', switches: { inflightModel: 'debited' } });
  trade = new Trade(night);
  await night.accounts({ no: 'P', heldFen: 100_000n });
  withdrawal('W1', '2026-03-02 23:50:00', '2026-03-03 10:00:00');
  trade.books('P withdrawal W1 -500 2026-03-03 10:05');
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['in_flight P W1 0']);
  expect(first.result.accounts[0]).toMatchObject({
    verdict: 'unverified',
    openingFen: 100_000n,
    platformFen: 100_000n,
  });
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.accounts[0]).toMatchObject({
    verdict: 'reconciled',
    openingFen: 100_000n,
    movementsFen: -500n,
    platformFen: 99_500n,
    ledgerFen: 99_500n,
  });
});

test('3.5: a platform that changes its model is told from that night on, until the profile states the model', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }));
  withdrawal('W1', '2026-03-02 23:50:00', '2026-03-03 10:00:00');
  trade.books('P withdrawal W1 -500 2026-03-03 10:05');
  expect(findingsOf(await trade.night('2026-03-02'))).toEqual(['in_flight P W1 0']);
  night.sandbox.setSwitches({ inflightModel: 'debited' });
  withdrawal('W2', '2026-03-03 23:50:00', '2026-03-05 10:00:00');
  trade.books('P withdrawal W2 -500 2026-03-05 10:05');
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual(['frozen P P 0', 'in_flight P W2 0']);
  expect(second.result.run.verdict).toBe('breaks');
  expect(fourNumbersOf(second)).toEqual(['P 0 = 0 + 0 + 0']);
  expect(second.result.accounts[0]?.assumptions).toContain(DEBITED);
  const third = await trade.night('2026-03-04');
  expect(findingsOf(third)).toEqual(['frozen P P 0', 'in_flight P W2 0']);
  const fourth = await trade.night('2026-03-05');
  expect(findingsOf(fourth)).toEqual(['frozen P P 0']);
  expect(closingsOf(fourth)).toEqual(['P 99000']);
  await night.profile({ inflight: { model: 'debited' } });
  const fifth = await trade.night('2026-03-06');
  expect(findingsOf(fifth)).toEqual([]);
  expect(fifth.result.run.verdict).toBe('reconciled');
});

test('an amount frozen by somebody else is a frozen break of that amount, and no difference', async () => {
  ({ night, trade } = await openTrade('2026-03-02', { P: 100_000n }));
  withdrawal('W1', '2026-03-02 23:50:00', '2026-03-03 10:00:00');
  night.sandbox.seedMovements([
    { kind: 'freeze', accountNo: 'P', amountFen: 4_000n, at: '2026-03-02 12:00:00' },
    { kind: 'unfreeze', accountNo: 'P', amountFen: 4_000n, at: '2026-03-03 12:00:00' },
  ]);
  trade.books('P withdrawal W1 -500 2026-03-03 10:05');
  const first = await trade.night('2026-03-02');
  expect(findingsOf(first)).toEqual(['frozen P P 4000', 'in_flight P W1 0']);
  expect(first.result.breaks).toMatchObject([{ platformFen: 4_500n, ledgerFen: 500n }]);
  expect(fourNumbersOf(first)).toEqual(['P 0 = 0 + 0 + 0']);
  const second = await trade.night('2026-03-03');
  expect(findingsOf(second)).toEqual([]);
  expect(second.result.run.verdict).toBe('reconciled');
});
