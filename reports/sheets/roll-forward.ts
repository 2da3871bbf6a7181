/** Sheet 3: per account opening + in − out − fees = closing, for platform and ledger side by side. */
import type { Fen } from '../../src/core/fen.ts';
import { address, columnLetters, columnRange, formulaText } from '../../src/excel/address.ts';
import type { Book } from '../../src/excel/book.ts';
import {
  emptyCell,
  formulaCell,
  HEADER_HEIGHT,
  headerCell,
  moneyCell,
  numberCell,
  overflowCell,
  textCell,
} from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import { fitWidths } from '../../src/excel/fit.ts';
import { HEAD_ROWS, headRows, sheetFrame } from './list-sheet.ts';
import { checkCell, failsAt, liveCount, liveMoney } from './live-cell.ts';
import type { AccountRow } from '../read/read-run.ts';
import { toneOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';

/** Columns from the left; the platform's and the ledger's each in the order they are added up. */
const COLUMN = {
  index: 1,
  account: 2,
  name: 3,
  verdict: 4,
  source: 5,
  opening: 6,
  computed: 10,
  reported: 11,
  unexplained: 12,
  ledgerOpening: 13,
  ledgerComputed: 17,
  ledgerReported: 18,
  frozen: 19,
  inFlight: 20,
  model: 21,
  difference: 22,
  lines: 23,
  openingDifference: 24,
  check: 25,
} as const;
const COLUMN_COUNT = COLUMN.check;
const UNEQUAL_ROW = HEAD_ROWS + 1;
const GROUP_ROW = HEAD_ROWS + 3;
const HEADER_ROW = GROUP_ROW + 1;
const FIRST_ROW = HEADER_ROW + 1;
const UNEQUAL_COLUMN = COLUMN.name;
/** Longer names run over several lines. */
const NAME_WIDTH = 20;

/** How many accounts fail their check: 0 when the sheet ties out. */
export const ROLL_FORWARD_UNEQUAL = { row: UNEQUAL_ROW, column: UNEQUAL_COLUMN } as const;

/** A figure of an account, by the name it has for who traces it. */
const FIGURE_COLUMN = {
  opening: COLUMN.opening,
  in: COLUMN.opening + 1,
  out: COLUMN.opening + 2,
  fees: COLUMN.opening + 3,
  computed: COLUMN.computed,
  reported: COLUMN.reported,
  unexplained: COLUMN.unexplained,
  ledgerOpening: COLUMN.ledgerOpening,
  ledgerIn: COLUMN.ledgerOpening + 1,
  ledgerOut: COLUMN.ledgerOpening + 2,
  ledgerFees: COLUMN.ledgerOpening + 3,
  ledgerReported: COLUMN.ledgerReported,
  inFlight: COLUMN.inFlight,
  difference: COLUMN.difference,
  lines: COLUMN.lines,
  openingDifference: COLUMN.openingDifference,
} as const;

export type Figure = keyof typeof FIGURE_COLUMN;

/** Where a figure stands: of the account that the run counts as the nth, from 1. */
export function addressOfFigure(figure: Figure, accountIndex: number): string {
  return address({ row: FIRST_ROW + accountIndex - 1, column: FIGURE_COLUMN[figure] });
}

/** The verdicts of all accounts, for counting. */
export function verdictRange(report: Report): string {
  return rangeOf(report, COLUMN.verdict);
}

/** The line differences of all accounts, for adding up. */
export function lineRange(report: Report): string {
  return rangeOf(report, COLUMN.lines);
}

function rangeOf(report: Report, column: number): string {
  const { rollForward } = report.words.sheets;
  return columnRange(rollForward, { column, firstRow: FIRST_ROW, rows: report.accounts.length });
}

export async function writeRollForward(book: Book, report: Report): Promise<number> {
  const { accounts, words } = report;
  const rows = accounts.map((account, at) => accountRow(report, account, FIRST_ROW + at));
  if (rows.length === 0) rows.push([overflowCell(words.rollForward.noAccounts, 'note')]);
  else rows.push(totalRow(report, FIRST_ROW + accounts.length));
  const head = [...headRows(report, words.sheets.rollForward), ...checkRows(report), ...headerRows(report)];
  const sheet = book.addSheet({
    ...sheetFrame(report, words.sheets.rollForward, toneOf(report.head.verdict)),
    widths: fitWidths([...head, ...rows], {
      min: Array.from({ length: COLUMN_COUNT }, (_, at) => (at < COLUMN.source ? 6 : 9)),
      max: { [COLUMN.name - 1]: NAME_WIDTH },
    }),
    frozen: { rows: HEADER_ROW, columns: COLUMN.name },
    printedHead: [GROUP_ROW, HEADER_ROW],
  });
  for (const [at, row] of [...head, ...rows].entries()) {
    sheet.addRow(row, at + 1 === HEADER_ROW ? HEADER_HEIGHT : undefined);
    await sheet.drained();
  }
  if (accounts.length > 0) {
    const last = FIRST_ROW + accounts.length - 1;
    sheet.filterOver(`A${HEADER_ROW}:${columnLetters(COLUMN_COUNT)}${last}`);
    const check = columnLetters(COLUMN.check);
    sheet.redWhere(`${check}${FIRST_ROW}:${check}${last}`, failsAt(words, `${check}${FIRST_ROW}`));
  }
  book.nameCell('recon_roll_forward_unequal', { ...ROLL_FORWARD_UNEQUAL, sheet: sheet.name });
  await sheet.finish();
  return accounts.length;
}

function checkRows(report: Report): Row[] {
  const unequal = report.accounts.filter((account) => accountAdds(account) === false).length;
  const count = liveCount(
    true,
    `COUNTIF(${rangeOf(report, COLUMN.check)},${formulaText(report.words.common.differs)})`,
    unequal,
  );
  return [[overflowCell(report.words.rollForward.unequal, 'label'), emptyCell('label'), count], []];
}

function headerRows(report: Report): Row[] {
  const { rollForward: w, common } = report.words;
  const flow = [w.opening, w.received, w.paid, w.fees, w.computed];
  const groups: Cell[] = Array.from({ length: COLUMN_COUNT }, () => emptyCell('blockHead'));
  groups[COLUMN.opening - 1] = overflowCell(w.platformSide, 'blockHead');
  groups[COLUMN.ledgerOpening - 1] = overflowCell(w.ledgerSide, 'blockHead');
  groups[COLUMN.frozen - 1] = overflowCell(w.inFlightSide, 'blockHead');
  groups[COLUMN.difference - 1] = overflowCell(w.comparison, 'blockHead');
  const names = [common.accountIndex, common.account, common.accountName, common.verdict, w.source].map(
    (name) => headerCell(name),
  );
  const platform = [...flow, w.platformReported, w.unexplained];
  // On paper the ledger's columns may stand on another page than the name of their side.
  const ledger = [...flow.map((name) => w.ofLedger(name)), w.ledgerReported];
  const amounts = (titles: readonly string[]): Cell[] =>
    titles.map((title) => headerCell(title, 'headerRight'));
  const inFlight = [...amounts([w.frozen, w.inFlight]), headerCell(w.model)];
  const compared = [...amounts([w.difference, w.lines, w.openingDifference]), headerCell(w.check)];
  return [groups, [...names, ...amounts([...platform, ...ledger]), ...inFlight, ...compared]];
}

function accountRow(report: Report, account: AccountRow, row: number): Row {
  const { words } = report;
  const { common } = words;
  const stated = (fen: Fen | null, absent: string): Cell =>
    fen === null ? textCell(absent, 'tone-unknown') : moneyCell(fen);
  return [
    numberCell(account.index, 'index'),
    textCell(account.accountNo),
    textCell(account.name, 'textWrap'),
    textCell(words.verdicts[account.verdict], `tone-${toneOf(account.verdict)}`),
    textCell(account.source === null ? '' : words.sources[account.source]),
    stated(account.openingFen, common.noBaseline),
    ...[account.inFen, account.outFen, account.feeFen].map((fen) => moneyCell(fen)),
    computedCell(report, { row, opening: COLUMN.opening }, platformComputed(account)),
    stated(account.platformFen, common.notStated),
    unexplainedCell(report, account, row),
    stated(account.ledgerOpeningFen, common.noBaseline),
    ...[account.ledgerInFen, account.ledgerOutFen, account.ledgerFeeFen].map((fen) => moneyCell(fen)),
    computedCell(report, { row, opening: COLUMN.ledgerOpening }, ledgerComputed(account)),
    stated(account.ledgerFen, common.ledgerNotStated),
    account.frozenFen === null ? textCell('—') : moneyCell(account.frozenFen),
    moneyCell(account.inFlightFen),
    textCell(account.inflightModel === '' ? '' : words.inflightModels[account.inflightModel]),
    ...comparison(report, account, row),
  ];
}

function platformComputed({ openingFen, inFen, outFen, feeFen }: AccountRow): Fen | undefined {
  return openingFen === null ? undefined : openingFen + inFen - outFen - feeFen;
}

function ledgerComputed(account: AccountRow): Fen | undefined {
  const { ledgerOpeningFen, ledgerInFen, ledgerOutFen, ledgerFeeFen } = account;
  return ledgerOpeningFen === null ? undefined : ledgerOpeningFen + ledgerInFen - ledgerOutFen - ledgerFeeFen;
}

/** Opening + in − out − fees; the four stand side by side, the sum to their right. */
function computedCell(report: Report, at: { row: number; opening: number }, fen: Fen | undefined): Cell {
  if (fen === undefined) return notComparable(report);
  const cell = (offset: number): string => address({ row: at.row, column: at.opening + offset });
  return formulaCell(`ROUND(${cell(0)}+${cell(1)}-${cell(2)}-${cell(3)},2)`, { fen }, 'money');
}

function unexplainedCell(report: Report, account: AccountRow, row: number): Cell {
  const computed = platformComputed(account);
  if (computed === undefined || account.platformFen === null) return notComparable(report);
  const [reported, sum] = [
    address({ row, column: COLUMN.reported }),
    address({ row, column: COLUMN.computed }),
  ];
  return formulaCell(`ROUND(${reported}-${sum},2)`, { fen: account.platformFen - computed }, 'money');
}

function comparison(report: Report, account: AccountRow, row: number): Row {
  const { platformFen, ledgerFen, openingDifferenceFen } = account;
  const at = (column: number): string => address({ row, column });
  const lines = moneyCell(account.lineDifferenceFen);
  const opening = openingDifferenceFen === null ? notComparable(report) : moneyCell(openingDifferenceFen);
  if (platformFen === null || ledgerFen === null) {
    return [notComparable(report), lines, opening, notComparable(report)];
  }
  const difference = formulaCell(
    `ROUND(${at(COLUMN.reported)}-${at(COLUMN.ledgerReported)},2)`,
    { fen: platformFen - ledgerFen },
    'money',
  );
  return [difference, lines, opening, accountCheck(report, account, row)];
}

/** Both sides add up, and the difference is lines + opening difference + unexplained. */
function accountCheck(report: Report, account: AccountRow, row: number): Cell {
  const yes = accountAdds(account);
  if (yes === undefined) return notComparable(report);
  const at = (column: number): string => address({ row, column });
  const parts = `${at(COLUMN.lines)}-${at(COLUMN.openingDifference)}-${at(COLUMN.unexplained)}`;
  const differs = `ROUND(${at(COLUMN.difference)}-${parts},2)=0`;
  const ledger = `ROUND(${at(COLUMN.ledgerReported)}-${at(COLUMN.ledgerComputed)},2)=0`;
  return checkCell(report.words, `AND(${differs},${ledger})`, yes);
}

/** Undefined where a number is missing: nothing can be checked then. */
export function accountAdds(account: AccountRow): boolean | undefined {
  const { platformFen, ledgerFen, openingDifferenceFen } = account;
  const [computed, booked] = [platformComputed(account), ledgerComputed(account)];
  if (platformFen === null || ledgerFen === null || openingDifferenceFen === null) return undefined;
  if (computed === undefined || booked === undefined) return undefined;
  const parts = account.lineDifferenceFen + openingDifferenceFen + (platformFen - computed);
  return platformFen - ledgerFen === parts && ledgerFen === booked;
}

/** Words among the amounts do not count; the sums say nothing of accounts without a balance. */
function totalRow(report: Report, row: number): Row {
  const cells: Cell[] = Array.from({ length: COLUMN_COUNT }, () => emptyCell('totalText'));
  cells[COLUMN.account - 1] = textCell(report.words.common.total, 'totalText');
  for (const [column, sum] of columnSums(report.accounts)) {
    const range = `${address({ row: FIRST_ROW, column })}:${address({ row: row - 1, column })}`;
    cells[column - 1] = liveMoney(true, `SUM(${range})`, sum);
  }
  return cells;
}

function columnSums(accounts: readonly AccountRow[]): Map<number, Fen> {
  const sums = new Map<number, Fen>();
  const add = (column: number, fen: Fen | null | undefined): void => {
    sums.set(column, (sums.get(column) ?? 0n) + (fen ?? 0n));
  };
  for (const account of accounts) {
    const { platformFen, ledgerFen } = account;
    const computed = platformComputed(account);
    const flows = [account.openingFen, account.inFen, account.outFen, account.feeFen, computed, platformFen];
    flows.forEach((fen, at) => add(COLUMN.opening + at, fen));
    const hasBoth = computed !== undefined && platformFen !== null;
    add(COLUMN.unexplained, hasBoth ? platformFen - computed : null);
    const { ledgerOpeningFen, ledgerInFen, ledgerOutFen, ledgerFeeFen } = account;
    const booked = [
      ledgerOpeningFen,
      ledgerInFen,
      ledgerOutFen,
      ledgerFeeFen,
      ledgerComputed(account),
      ledgerFen,
    ];
    booked.forEach((fen, at) => add(COLUMN.ledgerOpening + at, fen));
    add(COLUMN.difference, platformFen === null || ledgerFen === null ? null : platformFen - ledgerFen);
    add(COLUMN.lines, account.lineDifferenceFen);
    add(COLUMN.openingDifference, account.openingDifferenceFen);
    add(COLUMN.frozen, account.frozenFen);
    add(COLUMN.inFlight, account.inFlightFen);
  }
  return sums;
}

function notComparable(report: Report): Cell {
  return textCell(report.words.common.notComparable, 'tone-unknown');
}

/** Counts the accounts of one verdict. */
export function verdictCount(report: Report, verdictName: string): string {
  return `COUNTIFS(${verdictRange(report)},${formulaText(verdictName)})`;
}
