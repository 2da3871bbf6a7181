/** The statements of a month's end against figures worked out by hand. */
import { afterEach, expect, test } from 'vitest';
import type { Night } from '../../helpers/night.ts';
import { statementOf } from '../../reports/publish.ts';
import { booked, februaryNight, nightsOf, rollUp } from './february.ts';

let night: Night;
afterEach(() => night.close());

test('the statements of the month: its openings, what is open at its end on both sides, adjusted, and what was signed', async () => {
  night = await februaryNight();
  await night.entries([
    booked('A1', 'J1', 1_000n, '2026-01-31 10:00:00'),
    booked('A1', 'F1', 200n, '2026-02-03 09:00:00'),
    booked('A1', 'F2', 30n, '2026-02-10 10:00:00'),
    booked('A2', 'GONE', 100n, '2026-02-20 10:00:00'),
  ]);
  await nightsOf(night, '2026-02-01', '2026-02-28');
  const rolled = await rollUp(night);
  const sheet = 'Month-end statement';
  const rows = statementOf(rolled.book, { sheet, accountNo: 'A2' });
  // 50.00 and 51.00 on the books; 50.04 on the platform, which lacks the deposit of 1.00 that the books have.
  expect(rows.slice(1)).toEqual([
    ['Opening (brought forward): ledger', 50, 'Opening (brought forward): platform', 50],
    [
      'Last sign-off (2026-01-31): adjusted ledger balance',
      50,
      'Last sign-off (2026-01-31): adjusted platform balance',
      50,
    ],
    ['Timing items then: 0, differing by', 0, 'Breaks then: 0, differing by', 0],
    expect.anything(),
    ['Balance per ledger', 51, 'Balance per platform', 50.04],
    ['Add: received by platform, not in ledger', 0.04, 'Add: received in ledger, not on platform', 1],
    [46_081, 'F3', '测试付款人', 0.04, 46_073, 'E-GONE', 1],
    ['Less: paid by platform, not in ledger', 0, 'Less: paid in ledger, not on platform', 0],
    ['Adjusted ledger balance', 51.04, 'Adjusted platform balance', 51.04],
    ['Adjusted difference (platform − ledger)', 0, 'Both sides equal', 'agrees'],
    ['of which unexplained in the last night', 0, 'of which left from before (opening difference)', 0],
    ['Difference = the two together', 'agrees'],
  ]);
  const { cells } = rolled.book.sheet(sheet);
  const formulas = [...cells.values()].flatMap(({ formula }) => (formula === undefined ? [] : [formula]));
  expect(formulas.filter((formula) => formula.includes('SUMIFS'))).toEqual([]);
  // A1 is reconciled: one row, or a statement where it is asked for.
  expect(() => statementOf(rolled.book, { sheet, accountNo: 'A1' })).toThrow('no statement of A1');
  const every = await rollUp(night, { allStatements: true });
  expect(statementOf(every.book, { sheet, accountNo: 'A1' })[1]).toEqual([
    'Opening (brought forward): ledger',
    1_010,
    'Opening (brought forward): platform',
    1_010,
  ]);
});
