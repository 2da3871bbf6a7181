/** The breaks of the month, with what was open at its beginning, opened, closed and open at its end. */
import { columnRange } from '../../src/excel/address.ts';
import type { Book } from '../../src/excel/book.ts';
import { overflowCell, textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { headerRowOf, openTable } from '../../src/excel/table.ts';
import { forEachPiece } from '../read/stage.ts';
import { liveCount, liveMoney } from '../sheets/live-cell.ts';
import { MONTH_HEAD_ROWS, monthFrame, monthHead } from './month-frame.ts';
import type { MonthReport } from './month-frame.ts';
import { MONTH_ITEMS, MONTH_LISTS } from './read-month-items.ts';
import type { MonthItem } from './read-month-items.ts';

const FLOWS = ['atStart', 'opened', 'closed', 'atEnd'] as const;
type Flow = (typeof FLOWS)[number];

const DIFFERENCE_COLUMN = 5;
const FIRST_FLOW_COLUMN = 7;
/** Labels, counts, amounts. */
const TOTAL_ROWS = 3;
const TOP_ROWS = MONTH_HEAD_ROWS + TOTAL_ROWS;
const COUNT_ROW = MONTH_HEAD_ROWS + 2;

/** How many breaks of one flow, on the sheet of the month's breaks. */
export function flowCount(flow: Flow): { row: number; column: number } {
  return { row: COUNT_ROW, column: FLOWS.indexOf(flow) + 2 };
}

/** Formulas sum at most so many rows; longer lists stand with their totals as values. */
const LIVE_ROWS_MAX = 100_000;

export async function writeMonthItems(book: Book, report: MonthReport): Promise<void> {
  const { month, items, zone, session } = report;
  const name = month.sheets.items;
  const table = openTable<MonthItem>(book, {
    sheet: monthFrame(report, name, items.break.atEnd > 0 ? 'bad' : 'good'),
    top: [...monthHead(report, name), ...totalRows(report)],
    columns: columnsOf(report),
    frozenColumns: 2,
    zone,
  });
  let after = 0n;
  for (const list of MONTH_LISTS) {
    const upTo = after + BigInt(items[list].rows);
    const isFirst = list === MONTH_LISTS[0];
    table.section({ ...(!isFirst && { title: month.lists[list] }), empty: month.empty[list] });
    await forEachPiece(session, { stage: MONTH_ITEMS, after, upTo }, (rows) => table.write(rows));
    after = upTo;
  }
  await table.finish();
}

function totalRows({ words, month, items }: MonthReport): Row[] {
  const { breaks, common } = words;
  const sums = items.break;
  const live = sums.rows <= LIVE_ROWS_MAX;
  const place = { firstRow: headerRowOf(TOP_ROWS) + 1, rows: sums.rows };
  const flowRange = (flow: Flow): string =>
    columnRange(month.sheets.items, { column: FIRST_FLOW_COLUMN + FLOWS.indexOf(flow), ...place });
  const amounts = columnRange(month.sheets.items, { column: DIFFERENCE_COLUMN, ...place });
  const label = (text: string) => overflowCell(text, 'header');
  return [
    [label(month.flow), ...FLOWS.map((flow) => textCell(month[flow], 'headerRight'))],
    [label(breaks.counts), ...FLOWS.map((flow) => liveCount(live, `SUM(${flowRange(flow)})`, sums[flow]))],
    [
      label(common.total),
      ...FLOWS.map((flow) => liveMoney(live, `SUMIFS(${amounts},${flowRange(flow)},1)`, sums[`${flow}Fen`])),
    ],
  ];
}

function columnsOf({ words, month }: MonthReport): Column<MonthItem>[] {
  const { common, items: i, openItems } = words;
  const wrapped = (width: number) =>
    ({ kind: 'text', style: 'textWrap', widthMin: width, widthMax: width }) as const;
  const flow = (title: string, value: (row: MonthItem) => number): Column<MonthItem> => ({
    kind: 'count',
    title,
    value: (row) => (row.list === 'break' ? value(row) : null),
  });
  return [
    { kind: 'text', title: common.account, widthMin: 14, value: (row) => row.account_no },
    { ...wrapped(14), title: common.accountName, value: (row) => row.name },
    { ...wrapped(12), title: i.className, value: (row) => words.classes[row.class] },
    { kind: 'text', title: i.reference, widthMin: 14, widthMax: 24, value: (row) => row.reference },
    { kind: 'money', title: i.difference, widthMin: 10, value: (row) => row.difference_fen },
    { kind: 'day', title: i.firstSeen, value: (row) => row.first_day },
    flow(month.atStart, (row) => row.at_start),
    flow(month.opened, (row) => row.opened),
    flow(month.closed, (row) => row.closed),
    flow(month.atEnd, (row) => row.at_end),
    { kind: 'day', title: month.closedDay, value: (row) => row.closed_day },
    { kind: 'text', title: month.cause, value: (row) => (row.cause === null ? '' : month.causes[row.cause]) },
    { ...wrapped(18), title: openItems.clearedBy, value: (row) => row.cleared_by },
    { kind: 'text', title: i.breakId, widthMin: 16, value: (row) => row.break_id },
  ];
}
