/** Sheet 13: what earlier periods rested on and is otherwise now: recorded, actual, difference. */
import { columnRange } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { headerRowOf } from '../../src/excel/table.ts';
import { withAccountNames } from './free-text.ts';
import { happenedText } from './happened-text.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import type { ListSpec } from './list-sheet.ts';
import { liveCount, liveMoney } from './live-cell.ts';
import { CHANGES } from '../read/read-side-lists.ts';
import type { ChangeRow } from '../read/read-side-lists.ts';
import type { Report } from '../read/report.ts';

/** Labels, values. */
const TOTAL_ROWS = 2;
const CHANGE_COLUMN = 8;
const ID_COLUMN = 10;

export function changesSpec(report: Report): ListSpec<ChangeRow> {
  const { words, sideLists } = report;
  return {
    key: 'changes',
    stage: CHANGES,
    tone: sideLists.changes.rows > 0 ? 'bad' : 'good',
    totals: (live) => totalRows(report, live),
    columns: columnsOf(report),
    frozenColumns: 2,
    sections: [{ after: 0n, upTo: BigInt(sideLists.changes.rows), empty: words.side.noChanges }],
    amountOf: (row) => row.change_fen ?? 0n,
  };
}

function totalRows({ words, sideLists }: Report, live: boolean): Row[] {
  const { rows, fen } = sideLists.changes;
  const place = { firstRow: headerRowOf(HEAD_ROWS + TOTAL_ROWS) + 1, rows };
  const differences = columnRange(words.sheets.changes, {
    column: CHANGE_COLUMN,
    ...place,
  });
  const ids = columnRange(words.sheets.changes, { column: ID_COLUMN, ...place });
  return [
    [words.breaks.counts, words.side.change].map((label) => textCell(label, 'header')),
    [liveCount(live, `COUNTA(${ids})`, rows), liveMoney(live, `SUM(${differences})`, fen)],
  ];
}

function columnsOf(report: Report): Column<ChangeRow>[] {
  const { words } = report;
  const { side: w, common, items: i, breaks: b } = words;
  const wrapped = (width: number) =>
    ({ kind: 'text', style: 'textWrap', widthMin: width, widthMax: width }) as const;
  return [
    { kind: 'day', title: w.period, value: (row) => row.period },
    { kind: 'text', title: common.account, widthMin: 14, value: (row) => row.account_no },
    { ...wrapped(16), title: common.accountName, value: (row) => row.account_name },
    { ...wrapped(14), title: i.className, value: (row) => words.classes[row.class] },
    { kind: 'text', title: i.reference, widthMin: 18, value: (row) => row.reference },
    { kind: 'money', title: w.recorded, widthMin: 12, value: (row) => row.recorded_fen },
    { kind: 'money', title: w.actual, widthMin: 12, value: (row) => row.actual_fen },
    { kind: 'money', title: w.change, widthMin: 12, value: (row) => row.change_fen },
    {
      ...wrapped(48),
      title: b.note,
      value: (row) => withAccountNames(report, happenedText(report, row), row.account_no),
    },
    { kind: 'text', title: i.breakId, widthMin: 16, value: (row) => row.break_id },
  ];
}
