/** An adjustment handed in after an amount was told clears it, though the night that told it is run again meanwhile. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BookLine } from '../helpers/company/company-files.ts';
import { Night, findingsOf } from '../helpers/night.ts';

let night: Night;
beforeEach(async () => {
  night = await Night.open({ now: '2026-03-11 02:00:00' });
  const opening = { fen: 100_000n, at: '2026-03-10 00:00:00' };
  await night.accounts({ no: 'A1', opening }, { no: 'A2', opening });
  night.sandbox.seedMovements([
    { kind: 'adjustment', accountNo: 'A1', amountFen: -2_000n, at: '2026-03-10 12:00:00' },
  ]);
});
afterEach(() => night.close());

/** Dated within the day on which the amount arose: only when it was handed in tells that it came after. */
const handInTheAdjustment = () =>
  night.entries([{ id: 'ADJ', account: 'A1', kind: 'adjustment', fen: -2_000n, at: '2026-03-10 18:00:00' }]);

test.each([
  ['is not run again', false],
  ['is run again after it', true],
])('told by an incomplete night that %s', async (_how, isAgain) => {
  night.sandbox.addFault({ kind: 'drop_before', about: 'A2', times: null });
  expect(findingsOf(await night.night('2026-03-10'))).toEqual(['unexplained A1 A1 -2000']);
  night.sandbox.liftFaults();
  night.moveTo('2026-03-11 10:00:00');
  await handInTheAdjustment();
  if (isAgain) {
    const again = await night.night('2026-03-10');
    expect([again.result.run.version, again.result.run.verdict]).toEqual([1, 'reconciled']);
  }
  for (const day of [11, 12]) {
    night.moveTo(`2026-03-${day + 1} 02:00:00`);
    const next = await night.night(`2026-03-${day}`);
    expect([next.result.run.verdict, ...findingsOf(next)]).toEqual(['reconciled']);
  }
});

test('one handed in before any run told the amount, and dated within its day, clears nothing', async () => {
  await handInTheAdjustment();
  for (const day of [10, 11]) {
    night.moveTo(`2026-03-${day + 1} 02:00:00`);
    expect(findingsOf(await night.night(`2026-03-${day}`))).toEqual([
      'ledger_only A1 ADJ 2000',
      'unexplained A1 A1 -2000',
    ]);
  }
});

test('one that clears nothing keeps its break when the one that does has another id', async () => {
  await night.night('2026-03-10');
  const adjusted = (id: string): BookLine => ({
    id,
    account: 'A1',
    kind: 'adjustment',
    fen: -2_000n,
    at: '2026-03-11 10:00:00',
  });
  const idsOf = async (): Promise<string[]> => {
    const rows = await night.db.selectFrom('break').selectAll().where('status', '=', 'open').execute();
    return rows.map((row) => row.break_id);
  };
  night.moveTo('2026-03-12 02:00:00');
  await night.entries([adjusted('J1'), adjusted('J2')]);
  expect(findingsOf(await night.night('2026-03-11'))).toEqual(['ledger_only A1 J2 2000']);
  const told = await idsOf();

  night.moveTo('2026-03-13 02:00:00');
  await night.entries([adjusted('J2'), adjusted('K1')], { replace: true });
  expect(findingsOf(await night.night('2026-03-12'))).toEqual(['ledger_only A1 J2 2000']);
  expect(await idsOf()).toEqual(told);
});
