/** Sheet 5: breaks, below them what needs attention, beside each the columns an accountant fills in. */
import { columnLetters, columnRange, formulaText } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import type { Sheet } from '../../src/excel/sheet.ts';
import { sectionFirstRows } from '../../src/excel/table.ts';
import type { SectionPlace } from '../../src/excel/table.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import type { ListSpec } from './list-sheet.ts';
import { liveCount, liveMoney } from './live-cell.ts';
import { ITEMS } from '../read/read-items.ts';
import type { ItemRow } from '../read/read-items.ts';
import { maskedText, recordState, remarkText } from './free-text.ts';
import { countOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import { lineName } from './statement-line.ts';

/** Columns other sheets, the totals and the drop-downs refer to. */
export const BREAK_COLUMN = {
  index: 1,
  class: 3,
  line: 4,
  difference: 13,
  status: 18,
  action: 21,
  breakId: 22,
} as const;

/** Labels, values. */
const TOTAL_ROWS = 2;

/** One column of the breaks' rows, or of those for attention, for formulas. */
export function breakRange(report: Report, column: number, list: 'break' | 'attention' = 'break'): string {
  const counts = [countOf(report, 'break'), countOf(report, 'attention')];
  const at = list === 'break' ? 0 : 1;
  const firstRow = sectionFirstRows(HEAD_ROWS + TOTAL_ROWS, counts)[at] ?? 1;
  return columnRange(report.words.sheets.breaks, { column, firstRow, rows: counts[at] ?? 0 });
}

export function breaksSpec(report: Report): ListSpec<ItemRow> {
  const { words } = report;
  const breaks = BigInt(countOf(report, 'break'));
  const all = breaks + BigInt(countOf(report, 'attention'));
  return {
    key: 'breaks',
    stage: ITEMS,
    tone: breaks > 0n ? 'bad' : all > 0n ? 'notice' : 'good',
    totals: (live) => totalRows(report, live),
    columns: columnsOf(report),
    frozenColumns: 2,
    sections: [
      { after: 0n, upTo: breaks, empty: words.breaks.empty },
      {
        after: breaks,
        upTo: all,
        title: words.breaks.attentionTitle,
        empty: words.breaks.attentionEmpty,
      },
    ],
    amountOf: (row) => row.difference_fen,
    finish: (sheet, places) => addDropDowns(report, sheet, places),
  };
}

function totalRows(report: Report, live: boolean): Row[] {
  const { items, words } = report;
  const w = words.breaks;
  const breaks = items.filter((item) => item.list === 'break');
  const differences = breakRange(report, BREAK_COLUMN.difference);
  const lines = breakRange(report, BREAK_COLUMN.line);
  const inStatement = breaks.filter((item) => item.line !== 'none');
  const labels = [words.common.total, w.counts, w.gross, w.net, w.inStatement];
  return [
    labels.map((label) => textCell(label, 'header')),
    [
      textCell('', 'label'),
      liveCount(
        live,
        `COUNTA(${breakRange(report, BREAK_COLUMN.breakId)})`,
        breaks.reduce((sum, item) => sum + item.count, 0),
      ),
      liveMoney(
        live,
        `SUMIFS(${differences},${differences},">0")-SUMIFS(${differences},${differences},"<0")`,
        breaks.reduce((sum, item) => sum + item.grossFen, 0n),
      ),
      liveMoney(
        live,
        `SUM(${differences})`,
        breaks.reduce((sum, item) => sum + item.netFen, 0n),
      ),
      liveMoney(
        live,
        `SUMIFS(${differences},${lines},${formulaText(`<>${words.outsideStatement}`)})`,
        inStatement.reduce((sum, item) => sum + item.netFen, 0n),
      ),
    ],
  ];
}

function columnsOf(report: Report): Column<ItemRow>[] {
  const { words } = report;
  const { items: i, breaks: b, common } = words;
  const nothing = (): null => null;
  return [
    { kind: 'count', title: common.accountIndex, style: 'index', value: (row) => row.account_index },
    { kind: 'text', title: common.account, widthMin: 20, value: (row) => row.account_no },
    { kind: 'text', title: i.className, widthMin: 14, value: (row) => words.classes[row.class] },
    { kind: 'text', title: i.statementLine, widthMin: 16, value: (row) => lineName(words, row) },
    {
      kind: 'text',
      title: b.platformRef,
      widthMin: 18,
      value: numberOf,
    },
    { kind: 'money', title: b.platformFen, widthMin: 12, value: (row) => row.platform_fen },
    { kind: 'text', title: b.platformState, value: (row) => recordState(words, row.platform_state) },
    { kind: 'time', title: b.platformAt, value: (row) => row.platform_at },
    { kind: 'text', title: b.ledgerRef, widthMin: 14, value: (row) => row.ledger_ref },
    { kind: 'money', title: b.ledgerFen, widthMin: 12, value: (row) => row.ledger_fen },
    { kind: 'text', title: b.ledgerState, value: (row) => recordState(words, row.ledger_state) },
    { kind: 'time', title: b.ledgerAt, value: (row) => row.ledger_at },
    { kind: 'money', title: i.difference, widthMin: 12, value: (row) => row.difference_fen },
    { kind: 'day', title: i.firstSeen, value: (row) => row.first_day },
    { kind: 'count', title: i.ageDays, value: (row) => row.age_days },
    {
      kind: 'text',
      title: i.counterparty,
      widthMin: 12,
      value: (row) => maskedText(report, row.counterparty),
    },
    { kind: 'text', title: b.note, widthMin: 16, widthMax: 60, value: (row) => remarkText(report, row.note) },
    { kind: 'text', title: b.status, style: 'input', widthMin: 10, value: () => b.statuses[0] ?? '' },
    { kind: 'text', title: b.owner, style: 'input', widthMin: 8, value: nothing },
    { kind: 'text', title: b.remark, style: 'input', widthMin: 20, value: nothing },
    { kind: 'text', title: b.action, style: 'input', widthMin: 12, value: nothing },
    { kind: 'text', title: i.breakId, widthMin: 16, value: (row) => row.break_id },
  ];
}

/** The platform's number, else the one that the books name, unless that is the entry itself. */
function numberOf({ platform_ref: platformRef, ledger_ref: ledgerRef, reference }: ItemRow): string {
  return platformRef === '' && reference !== ledgerRef ? reference : platformRef;
}

function addDropDowns(report: Report, sheet: Sheet, places: readonly SectionPlace[]): void {
  const { statuses, actions } = report.words.breaks;
  for (const { firstRow, rows } of places) {
    if (rows === 0) continue;
    const range = (column: number): string =>
      `${columnLetters(column)}${firstRow}:${columnLetters(column)}${firstRow + rows - 1}`;
    sheet.chooseFrom(range(BREAK_COLUMN.status), statuses);
    sheet.chooseFrom(range(BREAK_COLUMN.action), actions);
  }
}
