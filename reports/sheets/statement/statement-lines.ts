/** The lines of a statement: a heading with its sum, and below it the items that it consists of. */
import type { Fen } from '../../../src/core/fen.ts';
import { address, formulaText } from '../../../src/excel/address.ts';
import {
  dayCell,
  emptyCell,
  formulaCell,
  moneyCell,
  overflowCell,
  textCell,
} from '../../../src/excel/cell.ts';
import type { Cell, Row } from '../../../src/excel/cell.ts';
import { counterpartyText } from '../free-text.ts';
import { liveMoney } from '../live-cell.ts';
import type { ItemClass } from '../../read/read-items.ts';
import { LINE_ITEMS_MAX } from '../../read/read-statement-items.ts';
import type { StatementItem } from '../../read/read-statement-items.ts';
import type { AccountRow } from '../../read/read-run.ts';
import { isLive } from '../../read/report.ts';
import type { Report } from '../../read/report.ts';
import type { StatementLook } from './statement-look.ts';
import type { SideLine } from '../../words/terms.ts';
import { BREAK_COLUMN, breakRange } from '../breaks.ts';
import { OPEN_ITEM_COLUMN, openItemRange } from '../open-items.ts';
import type { LineSum, Statement } from './statement-of.ts';

export type Half = 'left' | 'right';

/** Where a half's labels begin and its amounts stand; a gap lies between the halves. */
export const STATEMENT_COLUMN = { leftLabel: 1, left: 4, rightLabel: 6, right: 9 } as const;

export interface Line extends LineSum {
  of: { side: SideLine } | { errorClass: ItemClass };
  /** Shown as an amount that is taken off, as its label says. */
  isDeducted: boolean;
  /** Its differences are shown with the other sign. */
  isNegated: boolean;
}

/** What is added and taken off on either side, and the errors, which adjust the company's. */
export function shownLines({ sides, errors }: Statement): Record<Half, Line[]> {
  const side = (name: SideLine, isDeducted: boolean): Line => ({
    of: { side: name },
    ...sides[name],
    isDeducted,
    isNegated: name === 'platform_paid' || name === 'ledger_received',
  });
  const errorLines = errors.map(({ errorClass, ...sum }): Line => ({
    of: { errorClass },
    ...sum,
    isDeducted: false,
    isNegated: false,
  }));
  return {
    left: [side('platform_received', false), side('platform_paid', true), ...errorLines],
    right: [side('ledger_received', false), side('ledger_paid', true)],
  };
}

/** The heading, the items, and what is left of them in one row. */
export function lineHeight({ count }: Line): number {
  return 1 + Math.min(count, LINE_ITEMS_MAX) + (count > LINE_ITEMS_MAX ? 1 : 0);
}

/** Two halves of a row and the gap between them. */
export function halfOf(left: Row | undefined, right: Row | undefined): Row {
  const empty: Row = [undefined, undefined, undefined, undefined];
  return right ? [...(left ?? empty), undefined, ...right] : (left ?? []);
}

/** Half rows of a line whose heading stands at that row. */
export function lineRows(
  report: StatementLook,
  of: { account: AccountRow; line: Line; items: readonly StatementItem[]; row: number; half: Half },
): Row[] {
  const { line } = of;
  const own = of.items.filter((item) => isOn(line, item));
  const heading: Row = [
    overflowCell(labelOf(report, line), 'labelWide'),
    emptyCell('labelWide'),
    emptyCell('labelWide'),
    sumCell(report, of),
  ];
  return [heading, ...own.map((item) => itemRow(report, line, item)), ...restRows(report, { ...of, own })];
}

function sumCell(
  { lists }: StatementLook,
  of: { account: AccountRow; line: Line; row: number; half: Half },
): Cell {
  const { line, row } = of;
  const fen = signed(line, line.fen);
  if (lists !== undefined) return liveMoney(isSummed(lists, line), lineFormula(lists, of), fen, 'lineMoney');
  const at = (below: number): string => address({ row: row + below, column: STATEMENT_COLUMN[of.half] });
  return liveMoney(line.count > 0, `SUM(${at(1)}:${at(lineHeight(line) - 1)})`, fen, 'lineMoney');
}

function isOn({ of }: Line, item: StatementItem): boolean {
  return 'side' in of
    ? item.statement_line === of.side
    : item.statement_line === 'error' && item.class === of.errorClass;
}

function labelOf({ words }: StatementLook, { of, isDeducted }: Line): string {
  const w = words.statement;
  if ('errorClass' in of) return w.adjust(words.classes[of.errorClass]);
  return isDeducted ? w.less(words.sideLines[of.side]) : w.add(words.sideLines[of.side]);
}

function itemRow(report: StatementLook, line: Line, item: StatementItem): Row {
  return [
    item.at === null ? emptyCell() : dayCell(report.zone.dayOf(item.at)),
    textCell(item.number),
    textCell(counterpartyText(report, item.counterparty), 'textWrap'),
    moneyCell(signed(line, item.difference_fen)),
  ];
}

function signed({ isNegated }: Line, fen: Fen): Fen {
  return isNegated ? -fen : fen;
}

/** Items beyond what a page shows, as what remains of the heading's sum. */
function restRows(
  { texts, lists }: StatementLook,
  of: { line: Line; own: readonly StatementItem[]; row: number; half: Half },
): Row[] {
  const { line, own } = of;
  if (line.count <= LINE_ITEMS_MAX) return [];
  const shownFen = own.reduce((sum, item) => sum + item.difference_fen, 0n);
  const at = (row: number): string => address({ row, column: STATEMENT_COLUMN[of.half] });
  const restFen = signed(line, line.fen - shownFen);
  const formula = `ROUND(${at(of.row)}-SUM(${at(of.row + 1)}:${at(of.row + own.length)}),2)`;
  const count = (line.count - own.length).toLocaleString('en-US');
  return [
    [
      overflowCell(texts.rest(count), 'lineWide'),
      emptyCell('lineWide'),
      emptyCell('lineWide'),
      lists === undefined
        ? moneyCell(restFen, 'lineMoney')
        : formulaCell(formula, { fen: restFen }, 'lineMoney'),
    ],
  ];
}

function isSummed(report: Report, { of }: Line): boolean {
  return isLive(report, 'breaks') && ('errorClass' in of || isLive(report, 'openItems'));
}

function lineFormula(report: Report, { account, line }: { account: AccountRow; line: Line }): string {
  const { words } = report;
  if ('errorClass' in line.of) {
    return sumIfs(report, 'breaks', { account, name: words.classes[line.of.errorClass] });
  }
  const of = { account, name: words.sideLines[line.of.side] };
  const formula = `${sumIfs(report, 'openItems', of)}+${sumIfs(report, 'breaks', of)}`;
  return line.isNegated ? `0-(${formula})` : formula;
}

/**
 * Accounts are told apart by their index: SUMIFS compares digit texts as numbers, and numbers of nineteen
 * digits that differ only at the end would count as one.
 */
function sumIfs(
  report: Report,
  list: 'openItems' | 'breaks',
  { account, name }: { account: AccountRow; name: string },
): string {
  const columns = list === 'breaks' ? BREAK_COLUMN : OPEN_ITEM_COLUMN;
  const range = (column: number): string =>
    list === 'breaks' ? breakRange(report, column) : openItemRange(report, column);
  const criteria = `${range(columns.index)},${account.index},${range(columns.line)},${formulaText(name)}`;
  return `SUMIFS(${range(columns.difference)},${criteria})`;
}
