/** Day by day the verdict, the balances in all, and the breaks that were opened, closed and open. */
import { address, columnLetters, columnRange, formulaText } from '../../src/excel/address.ts';
import type { Book } from '../../src/excel/book.ts';
import {
  dayCell,
  emptyCell,
  formulaCell,
  HEADER_HEIGHT,
  headerCell,
  moneyCell,
  numberCell,
  textCell,
} from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import { fitWidths } from '../../src/excel/fit.ts';
import { toneOf } from '../read/report.ts';
import { checkCell, failsAt } from '../sheets/live-cell.ts';
import { MONTH_HEAD_ROWS, monthFrame, monthHead } from './month-frame.ts';
import type { MonthReport } from './month-frame.ts';
import { monthVerdict } from './read-month.ts';
import type { MonthDay, MonthRun } from './read-month.ts';

const COLUMN = {
  day: 1,
  verdict: 2,
  accounts: 3,
  notGreen: 4,
  platform: 5,
  ledger: 6,
  difference: 7,
  opened: 8,
  closed: 9,
  open: 10,
  counted: 11,
  attention: 12,
  timing: 13,
  check: 14,
  run: 15,
} as const;
const COLUMN_COUNT = COLUMN.run;
const HEADER_ROW = MONTH_HEAD_ROWS + 1;
/** The row of the run before the month. */
const START_ROW = HEADER_ROW + 1;

export type NightColumn = keyof typeof COLUMN;

/** A cell of the last day. */
export function lastNight(report: MonthReport, column: NightColumn): string {
  return address({ row: START_ROW + report.days.length, column: COLUMN[column] });
}

/** One column of the days of the month. */
export function nightColumn(report: MonthReport, column: NightColumn): string {
  const place = { column: COLUMN[column], firstRow: START_ROW + 1, rows: report.days.length };
  return columnRange(report.month.sheets.nights, place);
}

/** What stood open before the month. */
export function atBeginning(column: NightColumn): string {
  return address({ row: START_ROW, column: COLUMN[column] });
}

export async function writeNights(book: Book, report: MonthReport): Promise<void> {
  const { words, month, days } = report;
  const name = month.sheets.nights;
  const rows = [beginningRow(report), ...days.map((day, at) => dayRow(report, day, START_ROW + 1 + at))];
  const head = [...monthHead(report, name), headerCells(report)];
  const sheet = book.addSheet({
    ...monthFrame(report, name, toneOf(monthVerdict(report))),
    widths: fitWidths([...head.slice(-1), ...rows], {
      min: Array.from({ length: COLUMN_COUNT }, () => 6),
      max: Array.from({ length: COLUMN_COUNT }, () => 26),
    }),
    frozen: { rows: HEADER_ROW, columns: COLUMN.verdict },
    printedHead: [HEADER_ROW, HEADER_ROW],
  });
  for (const [at, row] of [...head, ...rows].entries())
    sheet.addRow(row, at + 1 === HEADER_ROW ? HEADER_HEIGHT : undefined);
  const last = START_ROW + days.length;
  sheet.filterOver(`A${HEADER_ROW}:${columnLetters(COLUMN_COUNT)}${last}`);
  const check = columnLetters(COLUMN.check);
  sheet.redWhere(`${check}${START_ROW}:${check}${last}`, failsAt(words, `${check}${START_ROW}`));
  await sheet.finish();
}

function headerCells({ words, month }: MonthReport): Row {
  const { common, rollForward, summary } = words;
  const right = new Set<number>([COLUMN.platform, COLUMN.ledger, COLUMN.difference]);
  const titles = [
    month.day,
    common.verdict,
    summary.accounts,
    month.notGreen,
    month.platformTotal,
    month.ledgerTotal,
    rollForward.difference,
    month.opened,
    month.closed,
    month.open,
    month.counted,
    month.attention,
    month.timing,
    rollForward.check,
    month.run,
  ];
  return titles.map((title, at) => headerCell(title, right.has(at + 1) ? 'headerRight' : 'header'));
}

/** What the month begins with: nothing where nothing was proven before. */
function beginningRow({ words, month, before, runs }: MonthReport): Row {
  const run = before === undefined ? undefined : runs.get(before.run_id);
  const open = numberCell(run?.open ?? 0);
  const blank = emptyCell();
  if (run === undefined || before === undefined) {
    const none = Array.from({ length: 7 }, () => blank);
    return [
      textCell(month.beginning),
      textCell(words.common.none),
      ...none,
      open,
      open,
      blank,
      blank,
      blank,
      textCell(month.noOpeningRun),
    ];
  }
  return [
    textCell(month.beginning),
    verdictOf(words, before),
    ...figures(run),
    blank,
    blank,
    open,
    ...[run.open, run.attention, run.timing].map((count) => numberCell(count)),
    blank,
    textCell(run.runId),
  ];
}

function verdictOf(
  words: MonthReport['words'],
  { verdict }: { verdict: MonthReport['last']['verdict'] },
): Cell {
  const known = verdict ?? 'incomplete';
  return textCell(words.verdicts[known], `tone-${toneOf(known)}`);
}

function figures({ accounts, notGreen, platformFen, ledgerFen, differenceFen }: MonthRun): Cell[] {
  return [
    ...[accounts, notGreen].map((count) => numberCell(count)),
    ...[platformFen, ledgerFen, differenceFen].map((fen) => moneyCell(fen)),
  ];
}

/** A day without a proof changes nothing that is known; of a backfill its last day has the figures. */
function dayRow(report: MonthReport, { day, run }: MonthDay, row: number): Row {
  const { words, month, runs } = report;
  const at = (column: number, of = row): string => address({ row: of, column });
  const own = run?.to_day === day ? runs.get(run.run_id) : undefined;
  const open = openBy(report, day);
  const openFormula = `${at(COLUMN.open, row - 1)}+N(${at(COLUMN.opened)})-N(${at(COLUMN.closed)})`;
  const openCell = formulaCell(openFormula, { number: open }, 'count');
  if (run === undefined || own === undefined) {
    const said = run === undefined ? textCell(month.noRun, 'tone-broken') : verdictOf(words, run);
    const blanks = Array.from({ length: 7 }, () => emptyCell());
    const tail = Array.from({ length: 4 }, () => emptyCell());
    return [dayCell(day), said, ...blanks, openCell, ...tail, textCell(run?.run_id ?? '')];
  }
  return [
    dayCell(day),
    verdictOf(words, run),
    ...figures(own),
    ...[own.opened, own.closed].map((count) => numberCell(count)),
    openCell,
    ...[own.open, own.attention, own.timing].map((count) => numberCell(count)),
    checkCell(words, `${at(COLUMN.open)}=${at(COLUMN.counted)}`, open === own.open),
    textCell(own.runId),
  ];
}

/** What stood open after the last proof up to that day. */
function openBy({ days, before, runs }: MonthReport, day: string): number {
  const latest = days.findLast((one) => one.day <= day && one.run?.to_day === one.day)?.run ?? before;
  return latest === undefined ? 0 : (runs.get(latest.run_id)?.open ?? 0);
}

/** How many days of the month a formula finds without a proof, or with one that is not complete. */
export function unprovenFormula(report: MonthReport): string {
  const verdicts = nightColumn(report, 'verdict');
  const { month, words } = report;
  return `COUNTIF(${verdicts},${formulaText(month.noRun)})+COUNTIF(${verdicts},${formulaText(words.verdicts.incomplete)})`;
}
