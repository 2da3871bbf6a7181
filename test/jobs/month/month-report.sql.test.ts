/** The roll-up of a month against figures worked out by hand, and what of it cannot be shown. */
import { afterEach, expect, test } from 'vitest';
import { findMonthRuns } from '../../../jobs/month/month-runs.ts';
import type { Night } from '../../helpers/night.ts';
import { faultsOfAnswer } from '../../schemas/validator.ts';
import { FEBRUARY, booked, februaryNight, nightOf, nightsOf, rollUp } from './february.ts';
import type { Rolled } from './february.ts';

let night: Night;
afterEach(() => night.close());

const nights = (from: string, to: string): Promise<void> => nightsOf(night, from, to);
const roll = (): Promise<Rolled> => rollUp(night);

async function openFebruary(): Promise<void> {
  night = await februaryNight();
}

const row = ({ book }: Rolled, sheet: string, columns: string, at: number): unknown[] =>
  columns.split('').map((column) => book.value(sheet, `${column}${at}`));

/** Labels of the tie-outs with how each came out. */
function ties({ book }: Rolled): string[] {
  const sheet = book.sheet('Month');
  return [...sheet.cells]
    .filter(([address, { value }]) => /^B\d+$/.test(address) && (value === 'agrees' || value === 'differs'))
    .map(([address, { value, formula }]) => {
      expect(formula).toBeDefined();
      return `${String(value)}: ${String(book.value('Month', address.replace('B', 'A')))}`;
    });
}

test('a month: openings as they were signed, flows, closings, and the breaks of its nights, which all tie', async () => {
  await openFebruary();
  await night.entries([booked('A1', 'F1', 200n, '2026-02-03 09:00:00')]);
  await nights('2026-02-01', '2026-02-11');
  // J1 of January is booked in the middle of February, on its own day.
  await night.entries([booked('A1', 'J1', 1_000n, '2026-01-31 10:00:00')]);
  await nights('2026-02-12', '2026-02-20');
  await night.entries([booked('A1', 'F2', 30n, '2026-02-10 10:00:00')]);
  await nights('2026-02-21', '2026-02-28');
  const rolled = await roll();
  const sheet = 'Month roll-forward';
  // Account, opening, in, out, fees, booked into before, computed, closing, unexplained, signed, difference.
  const columns = 'BDHIJKLMNOPQR';
  expect(row(rolled, sheet, columns, 6)).toEqual([
    'A1',
    'Platform',
    1_010,
    2.3,
    0,
    0,
    0,
    1_012.3,
    1_012.3,
    0,
    1_010,
    0,
    'agrees',
  ]);
  expect(row(rolled, sheet, columns, 7)).toEqual([
    'A1',
    'Ledger',
    1_000,
    2,
    0,
    0,
    10.3,
    1_012.3,
    1_012.3,
    0,
    1_000,
    undefined,
    'agrees',
  ]);
  expect(row(rolled, sheet, columns, 8)).toEqual([
    'A2',
    'Platform',
    50,
    0.04,
    0,
    0,
    0,
    50.04,
    50.04,
    0,
    50,
    0.04,
    'agrees',
  ]);
  expect(row(rolled, sheet, 'DHIJKLMNOQ', 10)).toEqual([
    'Platform',
    1_060,
    2.34,
    0,
    0,
    0,
    1_062.34,
    1_062.34,
    0,
    0.04,
  ]);
  expect(rolled.book.cell(sheet, 'M6')?.formula).toBe('ROUND(H6+I6-J6-K6+L6,2)');
  expect(ties(rolled).filter((tie) => !tie.startsWith('agrees'))).toEqual([]);
  expect(ties(rolled)).toHaveLength(11);
  // Opened, closed, open (added up), open (counted).
  expect(row(rolled, 'Nights', 'AHIJK', 4)).toEqual(['Beginning', undefined, undefined, 1, 1]);
  expect(row(rolled, 'Nights', 'HIJK', 4 + 10)).toEqual([1, 0, 2, 2]);
  expect(row(rolled, 'Nights', 'HIJK', 4 + 12)).toEqual([0, 1, 1, 1]);
  expect(row(rolled, 'Nights', 'HIJK', 4 + 21)).toEqual([0, 1, 0, 0]);
  expect(row(rolled, 'Nights', 'HIJK', 4 + 28)).toEqual([1, 0, 1, 1]);
  expect(row(rolled, 'Breaks of the month', 'BCDE', 4)).toEqual([1, 2, 2, 1]);
  const items = [7, 8, 9].map((at) => row(rolled, 'Breaks of the month', 'ADEGHIJLM', at));
  expect(items).toEqual([
    ['A1', 'J1', 10, 1, 0, 1, 0, 'entry', 'E-J1'],
    ['A1', 'F2', 0.3, 0, 1, 1, 0, 'entry', 'E-F2'],
    ['A2', 'F3', 0.04, 0, 1, 0, 1, undefined, undefined],
  ]);
  expect(rolled.document).toMatchObject({
    month: '2026-02',
    verdict: 'breaks',
    openingRun: 'nightly-2026-01-31-v1',
    closingRun: 'nightly-2026-02-28-v1',
    accounts: 2,
    breaks: { atStart: 1, opened: 2, closed: 2, atEnd: 1 },
    attention: 1,
    timing: 0,
    movedAside: [],
  });
  // Who signed the opening, and the digest on a line of its own, where it has room.
  const signed = [...rolled.book.sheet('Month').cells].find(
    ([, { value }]) => value === 'Sign-off of the opening',
  );
  const line = Number(signed?.[0].slice(1));
  expect(row(rolled, 'Month', 'AB', line)).toEqual(['Sign-off of the opening', '2026-01-31, Li']);
  expect(row(rolled, 'Month', 'AB', line + 1)).toEqual([
    'Digest of the sign-off',
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  expect(await faultsOfAnswer('report --month', rolled.document)).toEqual([]);
  expect((await roll()).document).toEqual(rolled.document);
});

test('a month whose last night is missing has no closing, and none is shown before the month is over', async () => {
  await openFebruary();
  await nights('2026-02-01', '2026-02-02');
  await expect(findMonthRuns(night.db, FEBRUARY)).rejects.toMatchObject({
    message: expect.stringContaining('no night has been run for 2026-02-28') as string,
    faults: ['the last day of it that has a night is 2026-02-02'],
  });
});

test('days that a backfill proved are whole; the closing is that of the last night, whatever else ends with it', async () => {
  await openFebruary();
  await night.entries([
    booked('A1', 'F1', 200n, '2026-02-03 09:00:00'),
    booked('A1', 'F2', 30n, '2026-02-10 09:00:00'),
    booked('A2', 'F3', 4n, '2026-02-28 09:00:00'),
  ]);
  await nights('2026-02-01', '2026-02-03');
  night.moveTo('2026-03-01 02:00:00');
  await night.backfill('2026-02-04', '2026-02-28');
  await night.night('2026-02-28');
  const rolled = await roll();
  expect(rolled.document).toMatchObject({
    verdict: 'breaks',
    closingRun: 'nightly-2026-02-28-v1',
    breaks: { atStart: 1, opened: 0, closed: 0, atEnd: 1 },
  });
  expect(ties(rolled).filter((tie) => !tie.startsWith('agrees'))).toEqual([]);
  expect(row(rolled, 'Nights', 'HIJO', 4 + 10)).toEqual([
    undefined,
    undefined,
    1,
    'backfill-2026-02-04_2026-02-28-v1',
  ]);
  expect(row(rolled, 'Nights', 'HIJKO', 4 + 28)).toEqual([0, 0, 1, 1, 'nightly-2026-02-28-v1']);
  expect(row(rolled, 'Month roll-forward', 'BDHIJKLMNR', 6)).toEqual([
    'A1',
    'Platform',
    1_010,
    2.3,
    0,
    0,
    0,
    1_012.3,
    1_012.3,
    'agrees',
  ]);
});

test('a night that is missing, and an account that could not be proven, are shown as such and never as green', async () => {
  await openFebruary();
  await nights('2026-02-01', '2026-02-03');
  await nights('2026-02-26', '2026-02-27');
  night.sandbox.addFault({ kind: 'http_status', path: 'acct/queryInfo', times: null });
  await nightOf(night, '2026-02-28');
  const rolled = await roll();
  expect(rolled.document).toMatchObject({ verdict: 'incomplete' });
  expect(rolled.book.value('Month', 'A3')).toContain('Incomplete');
  expect(rolled.book.value('Month', 'A4')).toContain('2026-02-04 2026-02-05');
  expect(row(rolled, 'Nights', 'BHIJ', 4 + 4)).toEqual(['not proven', undefined, undefined, 2]);
  expect(ties(rolled).filter((tie) => tie.startsWith('differs'))).toEqual([
    'differs: Every day of the month has a complete proof',
    'differs: Every account is proven to the end of the month',
  ]);
  // Account, side, verdict, closing, unexplained, check.
  expect(row(rolled, 'Month roll-forward', 'BDENOR', 6)).toEqual([
    'A1',
    'Platform',
    'Incomplete data',
    'not proven to the end',
    'Cannot be compared',
    'Cannot be compared',
  ]);
});

test('a break of no account stays open at the end where the last night came to nothing', async () => {
  await openFebruary();
  await nights('2026-02-27', '2026-02-28');
  const { db } = night;
  const last = 'nightly-2026-02-28-v1';
  await db.updateTable('break').set({ account_no: '' }).where('reference', '=', 'J1').execute();
  await db.updateTable('finding').set({ account_no: '' }).where('reference', '=', 'J1').execute();
  await db.deleteFrom('finding').where('run_id', '=', last).execute();
  await db.updateTable('run_account').set({ verdict: 'incomplete' }).where('run_id', '=', last).execute();
  const incomplete = { state: 'incomplete', verdict: 'incomplete' } as const;
  await db.updateTable('run').set(incomplete).where('run_id', '=', last).execute();
  const { document } = await roll();
  expect(document).toMatchObject({ verdict: 'incomplete', breaks: { atStart: 1, closed: 0 } });
});
