/** Sheet 7: write-offs, by whom and until when. Only approved ones count; the others stay open breaks. */
import { columnRange, formulaText } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { headerRowOf } from '../../src/excel/table.ts';
import { maskedText } from '../words/masked-text.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import type { ListSpec } from './list-sheet.ts';
import { liveCount, liveMoney } from './live-cell.ts';
import { WRITE_OFFS } from '../read/read-side-lists.ts';
import type { WriteOffRow, WriteOffState } from '../read/read-side-lists.ts';
import type { Report } from '../read/report.ts';

/** Labels, counts, amounts. */
const TOTAL_ROWS = 3;
const COLUMN = { difference: 5, state: 6 } as const;

export function writeOffsSpec(report: Report): ListSpec<WriteOffRow> {
  const { words, sideLists } = report;
  return {
    key: 'writeOffs',
    stage: WRITE_OFFS,
    tone: sideLists.proposed.rows + sideLists.renewals.rows > 0 ? 'notice' : 'good',
    totals: (live) => totalRows(report, live),
    columns: columnsOf(report),
    frozenColumns: 2,
    sections: [{ after: 0n, upTo: BigInt(sideLists.writeOffs.rows), empty: words.side.noWriteOffs }],
    amountOf: (row) => row.difference_fen,
  };
}

function totalRows({ words, sideLists }: Report, live: boolean): Row[] {
  const { common, openItems, side: w } = words;
  const { writeOffs, renewals } = sideLists;
  const range = (column: number): string =>
    columnRange(words.sheets.writeOffs, {
      column,
      firstRow: headerRowOf(HEAD_ROWS + TOTAL_ROWS) + 1,
      rows: writeOffs.rows,
    });
  const isIn = (state: WriteOffState): string =>
    `${range(COLUMN.state)},${formulaText(w.writeOffStates[state])}`;
  const sums = (['approved', 'proposed', 'renewal'] as const).map((state) => ({
    label: w.writeOffStates[state],
    count: `COUNTIFS(${isIn(state)})`,
    amount: `SUMIFS(${range(COLUMN.difference)},${isIn(state)})`,
    sum: state === 'renewal' ? renewals : sideLists[state],
  }));
  // What is written off already is no second item for being proposed anew.
  const all = {
    label: common.total,
    count: `COUNT(${range(COLUMN.difference)})-COUNTIFS(${isIn('renewal')})`,
    amount: `SUM(${range(COLUMN.difference)})-SUMIFS(${range(COLUMN.difference)},${isIn('renewal')})`,
    sum: { rows: writeOffs.rows - renewals.rows, fen: writeOffs.fen - renewals.fen },
  };
  const columns = [all, ...sums];
  return [
    ['', ...columns.map(({ label }) => label)].map((label) => textCell(label, 'header')),
    [
      textCell(openItems.counts, 'label'),
      ...columns.map(({ count, sum }) => liveCount(live, count, sum.rows)),
    ],
    [
      textCell(openItems.amounts, 'label'),
      ...columns.map(({ amount, sum }) => liveMoney(live, amount, sum.fen)),
    ],
  ];
}

function columnsOf(report: Report): Column<WriteOffRow>[] {
  const { words } = report;
  const { side: w, common, items: i, breaks: b } = words;
  const wrapped = (width: number) =>
    ({ kind: 'text', style: 'textWrap', widthMin: width, widthMax: width }) as const;
  return [
    { kind: 'text', title: i.breakId, widthMin: 16, value: (row) => row.break_id },
    { kind: 'text', title: common.account, widthMin: 14, value: (row) => row.account_no },
    { ...wrapped(16), title: common.accountName, value: (row) => row.account_name },
    { ...wrapped(14), title: i.className, value: (row) => words.classes[row.class] },
    { kind: 'money', title: i.difference, widthMin: 12, value: (row) => row.difference_fen },
    { kind: 'text', title: w.writeOffState, widthMin: 10, value: (row) => w.writeOffStates[row.state] },
    { kind: 'day', title: w.until, value: (row) => row.until },
    { kind: 'text', title: w.proposedBy, value: (row) => maskedText(report, row.proposed_by) },
    { kind: 'text', title: w.approvedBy, value: (row) => maskedText(report, row.approved_by) },
    { ...wrapped(30), title: b.reason, value: (row) => maskedText(report, row.write_off_reason) },
    { kind: 'count', title: i.ageDays, value: (row) => row.age_days },
    { kind: 'text', title: b.status, value: (row) => b.statuses[row.work_status] },
  ];
}
