/** Account by account, a row a side: opening + in − out − fees + what was booked into days before = closing. */
import type { Fen } from '../../src/core/fen.ts';
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
  overflowCell,
  textCell,
} from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import { fitWidths } from '../../src/excel/fit.ts';
import { toneOf } from '../read/report.ts';
import { checkCell, failsAt, liveCount, liveMoney } from '../sheets/live-cell.ts';
import { MONTH_HEAD_ROWS, monthFrame, monthHead } from './month-frame.ts';
import type { MonthReport } from './month-frame.ts';
import type { MonthAccount, MonthSide } from './read-month-accounts.ts';
import { closingOf, isProvenToEnd } from './proven-to-end.ts';
import { monthVerdict } from './read-month.ts';

const COLUMN = {
  index: 1,
  account: 2,
  name: 3,
  side: 4,
  verdict: 5,
  provenTo: 6,
  openingDay: 7,
  opening: 8,
  in: 9,
  out: 10,
  fees: 11,
  carried: 12,
  computed: 13,
  closing: 14,
  unexplained: 15,
  signed: 16,
  difference: 17,
  check: 18,
} as const;
const COLUMN_COUNT = COLUMN.check;
const UNEQUAL_ROW = MONTH_HEAD_ROWS + 2;
const HEADER_ROW = UNEQUAL_ROW + 1;
const FIRST_ROW = HEADER_ROW + 1;
const SIDES = ['platform', 'ledger'] as const;
type Side = (typeof SIDES)[number];

/** How many rows fail their check. */
export const MONTH_UNEQUAL = { row: UNEQUAL_ROW, column: COLUMN.verdict } as const;

/** One column of all rows, for formulas of other sheets. */
export function monthColumn(
  report: MonthReport,
  column: 'side' | 'verdict' | 'closing' | 'difference' | 'signed' | 'opening',
): string {
  return columnRange(report.month.sheets.rollForward, {
    column: COLUMN[column],
    firstRow: FIRST_ROW,
    rows: report.accounts.length * SIDES.length,
  });
}

function computedOf({ openingFen, inFen, outFen, feeFen, carriedFen }: MonthSide): Fen {
  return (openingFen ?? 0n) + inFen - outFen - feeFen + carriedFen;
}

/** Undefined where it cannot be checked. */
function agrees(report: MonthReport, account: MonthAccount, side: Side): boolean | undefined {
  if (!isProvenToEnd(report, account)) return undefined;
  const { openingFen, closingFen, signedFen, carriedFen } = account[side];
  const isSigned = signedFen === null || signedFen === openingFen;
  if (side === 'platform') return isSigned && carriedFen === 0n;
  return isSigned && closingFen === computedOf(account.ledger);
}

export function unequalRows(report: MonthReport): number {
  return report.accounts.flatMap((account) => SIDES.filter((side) => agrees(report, account, side) === false))
    .length;
}

export async function writeMonthRollForward(book: Book, report: MonthReport): Promise<void> {
  const { words, month, accounts } = report;
  const name = month.sheets.rollForward;
  const rows = accounts.flatMap((account, at) =>
    SIDES.map((side, nth) =>
      sideRow(report, { account, side, index: at + 1, row: FIRST_ROW + at * SIDES.length + nth }),
    ),
  );
  if (rows.length === 0) rows.push([overflowCell(words.rollForward.noAccounts, 'note')]);
  else rows.push(...SIDES.map((side) => totalRow(report, side)));
  const head = [
    ...monthHead(report, name),
    [overflowCell(month.rollForwardNote, 'note')],
    unequalRow(report),
    headerCells(report),
  ];
  const sheet = book.addSheet({
    ...monthFrame(report, name, toneOf(monthVerdict(report))),
    widths: fitWidths([...head.slice(-1), ...rows], {
      min: Array.from({ length: COLUMN_COUNT }, (_, at) => (at < COLUMN.opening - 1 ? 5 : 9)),
      max: Array.from({ length: COLUMN_COUNT }, (_, at) => (at === COLUMN.name - 1 ? 16 : 24)),
    }),
    frozen: { rows: HEADER_ROW, columns: COLUMN.side },
    printedHead: [HEADER_ROW, HEADER_ROW],
  });
  for (const [at, row] of [...head, ...rows].entries()) {
    sheet.addRow(row, at + 1 === HEADER_ROW ? HEADER_HEIGHT : undefined);
    await sheet.drained();
  }
  if (accounts.length > 0) {
    const last = FIRST_ROW + accounts.length * SIDES.length - 1;
    sheet.filterOver(`A${HEADER_ROW}:${columnLetters(COLUMN_COUNT)}${last}`);
    const check = columnLetters(COLUMN.check);
    sheet.redWhere(`${check}${FIRST_ROW}:${check}${last}`, failsAt(words, `${check}${FIRST_ROW}`));
  }
  await sheet.finish();
}

function unequalRow(report: MonthReport): Row {
  const { words, month, accounts } = report;
  const checks = columnRange(month.sheets.rollForward, {
    column: COLUMN.check,
    firstRow: FIRST_ROW,
    rows: accounts.length * SIDES.length,
  });
  const count = liveCount(
    true,
    `COUNTIF(${checks},${formulaText(words.common.differs)})`,
    unequalRows(report),
  );
  return [overflowCell(month.ties.rollForward, 'note'), undefined, undefined, undefined, count];
}

function headerCells({ words, month }: MonthReport): Row {
  const { rollForward: w, common } = words;
  const texts = [
    common.accountIndex,
    common.account,
    common.accountName,
    month.side,
    common.verdict,
    month.provenTo,
    month.openingDay,
  ];
  const amounts = [
    w.opening,
    w.received,
    w.paid,
    w.fees,
    month.carried,
    w.computed,
    month.atEndBalance,
    w.unexplained,
    month.signed,
    month.differenceAtEnd,
  ];
  return [
    ...texts.map((text) => headerCell(text)),
    ...amounts.map((text) => headerCell(text, 'headerRight')),
    headerCell(w.check),
  ];
}

interface Place {
  account: MonthAccount;
  side: Side;
  index: number;
  row: number;
}

function sideRow(report: MonthReport, { account, side, index, row }: Place): Row {
  const { words, month, zone } = report;
  const { openingFen, inFen, outFen, feeFen, carriedFen, signedFen } = account[side];
  const at = (column: number): string => address({ row, column });
  const isProven = isProvenToEnd(report, account);
  const sum = `${at(COLUMN.opening)}+${at(COLUMN.in)}-${at(COLUMN.out)}-${at(COLUMN.fees)}+${at(COLUMN.carried)}`;
  const unknown = (text: string): Cell => textCell(text, 'tone-unknown');
  const days = [account.provenDay, account.openingAt === null ? null : zone.dayOf(account.openingAt)];
  return [
    numberCell(index, 'index'),
    textCell(account.accountNo),
    textCell(account.name),
    textCell(month[side]),
    textCell(words.verdicts[account.verdict], `tone-${toneOf(account.verdict)}`),
    ...days.map((day) => (day === null ? textCell('—') : dayCell(day))),
    openingFen === null ? unknown(words.common.noBaseline) : moneyCell(openingFen),
    ...[inFen, outFen, feeFen, carriedFen].map((fen) => moneyCell(fen)),
    openingFen === null
      ? unknown(words.common.notComparable)
      : formulaCell(`ROUND(${sum},2)`, { fen: computedOf(account[side]) }, 'money'),
    ...closingCells(report, { account, side, index, row }),
    signedFen === null ? emptyCell() : moneyCell(signedFen),
    isProven && side === 'platform' ? differenceCell(account, row) : emptyCell(),
    checkOf(report, { account, side, index, row }),
  ];
}

/** Where it is not proven to the end it says so in place of a closing. */
function closingCells(report: MonthReport, { account, side, row }: Place): Cell[] {
  const { words, month } = report;
  const at = (column: number): string => address({ row, column });
  if (!isProvenToEnd(report, account)) {
    const said = textCell(month.notProven, 'tone-unknown');
    return [said, textCell(words.common.notComparable, 'tone-unknown')];
  }
  const closingFen = account[side].closingFen ?? 0n;
  const fen = closingFen - computedOf(account[side]);
  const formula = `ROUND(${at(COLUMN.closing)}-${at(COLUMN.computed)},2)`;
  return [moneyCell(closingFen), formulaCell(formula, { fen }, 'money')];
}

/** The ledger stands in the row below. */
function differenceCell({ platform, ledger }: MonthAccount, row: number): Cell {
  const [one, other] = [
    address({ row, column: COLUMN.closing }),
    address({ row: row + 1, column: COLUMN.closing }),
  ];
  const fen = (platform.closingFen ?? 0n) - (ledger.closingFen ?? 0n);
  return formulaCell(`ROUND(${one}-${other},2)`, { fen }, 'money');
}

/**
 * The platform's proofs begin with what the ones before ended with, the ledger's entries add up, and both begin with what
 * was signed.
 */
function checkOf(report: MonthReport, { account, side, row }: Place): Cell {
  const yes = agrees(report, account, side);
  if (yes === undefined) return textCell(report.words.common.notComparable, 'tone-unknown');
  const at = (column: number): string => address({ row, column });
  const signed = `OR(${at(COLUMN.signed)}="",ROUND(${at(COLUMN.signed)}-${at(COLUMN.opening)},2)=0)`;
  const own = `ROUND(${at(side === 'platform' ? COLUMN.carried : COLUMN.unexplained)},2)=0`;
  return checkCell(report.words, `AND(${own},${signed})`, yes);
}

/** Of one side; words among the amounts do not count. */
function totalRow(report: MonthReport, side: Side): Row {
  const { words, month, accounts } = report;
  const cells: Cell[] = Array.from({ length: COLUMN_COUNT }, () => emptyCell('totalText'));
  cells[COLUMN.account - 1] = textCell(words.common.total, 'totalText');
  cells[COLUMN.side - 1] = textCell(month[side], 'totalText');
  const last = FIRST_ROW + accounts.length * SIDES.length - 1;
  const range = (column: number): string =>
    `${address({ row: FIRST_ROW, column })}:${address({ row: last, column })}`;
  const sum = (column: number, fenOf: (account: MonthAccount) => Fen): void => {
    const fen = accounts.reduce((all, account) => all + fenOf(account), 0n);
    const formula = `SUMIFS(${range(column)},${range(COLUMN.side)},${formulaText(month[side])})`;
    cells[column - 1] = liveMoney(true, formula, fen);
  };
  sum(COLUMN.opening, (account) => account[side].openingFen ?? 0n);
  sum(COLUMN.in, (account) => account[side].inFen);
  sum(COLUMN.out, (account) => account[side].outFen);
  sum(COLUMN.fees, (account) => account[side].feeFen);
  sum(COLUMN.carried, (account) => account[side].carriedFen);
  sum(COLUMN.computed, (account) => (account[side].openingFen === null ? 0n : computedOf(account[side])));
  sum(COLUMN.closing, (account) => closingOf(report, account, side));
  sum(COLUMN.unexplained, (account) =>
    isProvenToEnd(report, account) ? closingOf(report, account, side) - computedOf(account[side]) : 0n,
  );
  sum(COLUMN.signed, (account) => account[side].signedFen ?? 0n);
  if (side === 'platform')
    sum(
      COLUMN.difference,
      (account) => closingOf(report, account, 'platform') - closingOf(report, account, 'ledger'),
    );
  return cells;
}
