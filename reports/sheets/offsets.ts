/** Sheet 6: breaks that are equal and opposite: they cancel out in the total, which is why they deserve a look. */
import { columnRange } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { headerRowOf } from '../../src/excel/table.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import type { ListSpec } from './list-sheet.ts';
import { liveCount, liveMoney } from './live-cell.ts';
import { OFFSETS } from '../read/read-side-lists.ts';
import type { PairRow } from '../read/read-side-lists.ts';
import type { Report } from '../read/report.ts';

/** Labels, values. */
const TOTAL_ROWS = 2;
const AMOUNT_COLUMN = 2;

export function offsetsSpec(report: Report): ListSpec<PairRow> {
  const { words, sideLists } = report;
  return {
    key: 'offsets',
    stage: OFFSETS,
    tone: sideLists.offsets.rows > 0 ? 'notice' : 'good',
    totals: (live) => totalRows(report, live),
    columns: columnsOf(report),
    frozenColumns: 2,
    sections: [{ after: 0n, upTo: BigInt(sideLists.offsets.rows), empty: words.side.noOffsets }],
    amountOf: (row) => row.amount_fen,
  };
}

function totalRows({ words, sideLists }: Report, live: boolean): Row[] {
  const { rows, fen } = sideLists.offsets;
  const amounts = columnRange(words.sheets.offsets, {
    column: AMOUNT_COLUMN,
    firstRow: headerRowOf(HEAD_ROWS + TOTAL_ROWS) + 1,
    rows,
  });
  return [
    [words.breaks.counts, words.side.amount].map((label) => textCell(label, 'header')),
    [liveCount(live, `COUNT(${amounts})`, rows), liveMoney(live, `SUM(${amounts})`, fen)],
  ];
}

function columnsOf({ words }: Report): Column<PairRow>[] {
  const { side: w, common, items: i } = words;
  const name = { kind: 'text', style: 'textWrap', widthMin: 14, widthMax: 14 } as const;
  return [
    { kind: 'text', title: w.pair, widthMin: 12, value: (row) => w.pairKinds[row.kind] },
    { kind: 'money', title: w.amount, widthMin: 12, value: (row) => row.amount_fen },
    { kind: 'text', title: w.more(common.account), widthMin: 10, value: (row) => row.plus_account },
    { ...name, title: common.accountName, value: (row) => row.plus_name },
    { ...name, title: i.className, value: (row) => words.classes[row.plus_class] },
    { kind: 'text', title: i.reference, widthMin: 16, value: (row) => row.plus_reference },
    { kind: 'text', title: w.less(common.account), widthMin: 10, value: (row) => row.minus_account },
    { ...name, title: common.accountName, value: (row) => row.minus_name },
    { ...name, title: i.className, value: (row) => words.classes[row.minus_class] },
    { kind: 'text', title: i.reference, widthMin: 16, value: (row) => row.minus_reference },
    {
      kind: 'text',
      title: w.more(i.breakId),
      widthMin: 16,
      outOfSight: 'folded',
      value: (row) => row.plus_id,
    },
    {
      kind: 'text',
      title: w.less(i.breakId),
      widthMin: 16,
      outOfSight: 'folded',
      value: (row) => row.minus_id,
    },
  ];
}
