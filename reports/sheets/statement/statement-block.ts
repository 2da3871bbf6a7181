/**
 * One account's statement: the company's balance and what it lacks on the left, the platform's on the right, every
 * item on its line, both adjusted, their difference and what it consists of, and a line to sign on.
 */
import type { Fen } from '../../../src/core/fen.ts';
import { address } from '../../../src/excel/address.ts';
import { emptyCell, formulaCell, moneyCell, overflowCell, textCell } from '../../../src/excel/cell.ts';
import type { Cell, Row } from '../../../src/excel/cell.ts';
import { checkCell } from '../live-cell.ts';
import type { StatementItem } from '../../read/read-statement-items.ts';
import type { AccountRow } from '../../read/read-run.ts';
import { toneOf } from '../../read/report.ts';
import type { StatementLook } from './statement-look.ts';
import { STATEMENT_COLUMN, halfOf, lineHeight, lineRows, shownLines } from './statement-lines.ts';
import type { Half, Line } from './statement-lines.ts';
import type { Statement } from './statement-of.ts';

/** Head, opening, column titles, balances. */
const USUAL_ROWS_BEFORE_LINES = 4;
/** What was signed of the account before: adjusted balances, and what stood open. */
const SIGNED_ROWS = 2;
/** Adjusted, difference, its parts, their check, room and the line to sign on. */
const ROWS_AFTER_LINES = 6;

function rowsBeforeLines({ signed }: StatementLook): number {
  return USUAL_ROWS_BEFORE_LINES + (signed.before === undefined ? 0 : SIGNED_ROWS);
}

export function statementHeight(report: StatementLook, statement: Statement): number {
  return (
    rowsBeforeLines(report) +
    levelsOf(statement).reduce((rows, level) => rows + level.height, 0) +
    ROWS_AFTER_LINES
  );
}

/** Lines of both sides that begin on the same row. */
interface Level {
  left: Line | undefined;
  right: Line | undefined;
  height: number;
}

function levelsOf(statement: Statement): Level[] {
  const { left, right } = shownLines(statement);
  return left.map((line, at) => {
    const other = right[at];
    return { left: line, right: other, height: Math.max(lineHeight(line), other ? lineHeight(other) : 0) };
  });
}

/** The rows of one statement with those items; the first one stands at that row. */
export function statementRows(
  report: StatementLook,
  statement: Statement,
  of: { items: readonly StatementItem[]; firstRow: number },
): Row[] {
  const { words } = report;
  const w = words.statement;
  const { account } = statement;
  const rows: Row[] = [
    headRow(report, account),
    pair(
      [w.ledgerOpening, 'lineWide', stated(account.ledgerOpeningFen, words.common.noBaseline)],
      [w.platformOpening, 'lineWide', stated(account.openingFen, words.common.noBaseline)],
    ),
    ...signedRows(report, account),
    titles(report),
    pair(
      [w.ledgerBalance, 'labelWide', stated(account.ledgerFen, words.common.ledgerNotStated)],
      [w.platformBalance, 'labelWide', stated(account.platformFen, words.common.notStated)],
    ),
  ];
  const places: { line: Line; row: number; half: Half }[] = [];
  for (const { left, right, height } of levelsOf(statement)) {
    const row = of.firstRow + rows.length;
    const cellsOf = (line: Line | undefined, half: Half): Row[] => {
      if (line === undefined) return [];
      places.push({ line, row, half });
      return lineRows(report, { account, line, items: of.items, row, half });
    };
    const [leftRows, rightRows] = [cellsOf(left, 'left'), cellsOf(right, 'right')];
    for (let at = 0; at < height; at += 1) rows.push(halfOf(leftRows[at], rightRows[at]));
  }
  rows.push(
    ...closingRows(report, statement, { firstRow: of.firstRow, row: of.firstRow + rows.length, places }),
  );
  rows.push([], signatureRow(report));
  return rows;
}

type Part = readonly [label: string, style: 'lineWide' | 'labelWide' | 'totalWide', value: Cell];

/** Left and right, each a label over three columns and a value. */
function pair(left: Part, right: Part | undefined): Row {
  const cells = ([label, style, value]: Part): Row => [
    overflowCell(label, style),
    emptyCell(style),
    emptyCell(style),
    value,
  ];
  return halfOf(cells(left), right && cells(right));
}

function headRow({ words }: StatementLook, account: AccountRow): Row {
  const { accountNo, name } = account;
  const head = words.statement.head({ index: String(account.index), accountNo, name });
  const source = account.source === null ? '' : `${words.statement.source}: ${words.sources[account.source]}`;
  const empty = emptyCell('blockHead');
  const tone = `tone-${toneOf(account.verdict)}` as const;
  return [
    overflowCell(head, 'blockHead'),
    ...Array.from({ length: 4 }, () => empty),
    overflowCell(source, 'blockHead'),
    empty,
    overflowCell(words.verdicts[account.verdict], tone),
    emptyCell(tone),
  ];
}

/** The state that was signed off last, which this statement goes on from. */
function signedRows({ words, signed }: StatementLook, { accountNo }: AccountRow): Row[] {
  if (signed.before === undefined) return [];
  const w = words.signOff;
  const { name } = signed.before.period;
  const then = signed.accounts.get(accountNo);
  const part = (fen: Fen | null | undefined): Cell =>
    stated(fen ?? null, then === undefined ? w.notPart : words.common.notStated);
  return [
    pair(
      [w.adjustedLedger(name), 'lineWide', part(then?.adjustedLedgerFen)],
      [w.adjustedPlatform(name), 'lineWide', part(then?.adjustedPlatformFen)],
    ),
    pair(
      [w.openItems(String(then?.openItems ?? 0)), 'lineWide', part(then?.openItemsFen)],
      [w.breaks(String(then?.breaks ?? 0)), 'lineWide', part(then?.breaksFen)],
    ),
  ];
}

function titles({ words }: StatementLook): Row {
  const { openItems, items } = words;
  const half: Row = [
    textCell(openItems.date, 'header'),
    textCell(words.statement.number, 'header'),
    textCell(items.counterparty, 'header'),
    textCell(openItems.amount, 'headerRight'),
  ];
  return halfOf(half, half);
}

function stated(fen: Fen | null, absent: string): Cell {
  return fen === null ? textCell(absent, 'tone-unknown') : moneyCell(fen, 'lineMoney');
}

/** Adjusted balances, their difference, what it consists of, and the two checks. */
function closingRows(
  report: StatementLook,
  statement: Statement,
  of: { firstRow: number; row: number; places: readonly { line: Line; row: number; half: Half }[] },
): Row[] {
  const w = report.words.statement;
  const { account, difference } = statement;
  const at = (half: Half, row: number): string => address({ row, column: STATEMENT_COLUMN[half] });
  const balanceRow = of.firstRow + rowsBeforeLines(report) - 1;
  const sumOf = (half: Half): string =>
    of.places
      .filter((place) => place.half === half)
      .reduce(
        (sum, { line, row }) => `${sum}${line.isDeducted ? '-' : '+'}${at(half, row)}`,
        at(half, balanceRow),
      );
  const total = (formula: string, fen: Fen | undefined): Cell =>
    fen === undefined ? notComparable(report) : formulaCell(`ROUND(${formula},2)`, { fen }, 'totalMoney');
  const check = (formula: string, holds: boolean): Cell =>
    difference === undefined ? notComparable(report) : checkCell(report.words, formula, holds);
  const part = (fen: Fen | null): Cell =>
    fen === null ? notComparable(report) : moneyCell(fen, 'lineMoney');
  const [ofLeft, ofRight] = [at('left', of.row), at('right', of.row)];
  const parts = `SUM(${at('left', of.row + 2)},${at('right', of.row + 2)})`;
  return [
    pair(
      [w.adjustedLedger, 'totalWide', total(sumOf('left'), statement.left)],
      [w.adjustedPlatform, 'totalWide', total(sumOf('right'), statement.right)],
    ),
    pair(
      [w.difference, 'totalWide', total(`${ofRight}-${ofLeft}`, difference)],
      [w.agrees, 'totalWide', check(`ROUND(${ofLeft}-${ofRight},2)=0`, difference === 0n)],
    ),
    pair(
      [report.texts.unexplained, 'lineWide', part(account.unexplainedFen)],
      [report.texts.opening, 'lineWide', part(account.openingDifferenceFen)],
    ),
    pair(
      [
        w.explained,
        'totalWide',
        check(`ROUND(${at('left', of.row + 1)}-${parts},2)=0`, difference === statement.explainedFen),
      ],
      undefined,
    ),
  ];
}

function notComparable(report: StatementLook): Cell {
  return textCell(report.words.common.notComparable, 'tone-unknown');
}

/** Who made it and who checked it, and when. */
function signatureRow({ words }: StatementLook): Row {
  const { preparedBy, reviewedBy, date } = words.summary;
  const half = (label: string): Row => [
    overflowCell(label, 'label'),
    emptyCell('signature'),
    overflowCell(date, 'label'),
    emptyCell('signature'),
  ];
  return halfOf(half(preparedBy), half(reviewedBy));
}
