/** Sheet 4: timing items, and those of the run before that have cleared since. */
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { Fen } from '../../src/core/fen.ts';
import { address, columnRange, fixedAddress, formulaText } from '../../src/excel/address.ts';
import type { CellPlace } from '../../src/excel/address.ts';
import { moneyCell, numberCell, textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { sectionFirstRows } from '../../src/excel/table.ts';
import { ACCOUNT_COLUMNS, accountColumns } from './account-column.ts';
import { counterpartyText, recordState, remarkText } from './free-text.ts';
import { countOf } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import type { ListSpec } from './list-sheet.ts';
import { ITEMS } from '../read/read-items.ts';
import type { ItemRow, ItemSum } from '../read/read-items.ts';
import { checkCell, liveCount, liveMoney } from './live-cell.ts';
import { lineName } from './statement-line.ts';
import { bucketOf } from '../words/terms.ts';
import type { ItemState } from '../words/terms.ts';

/** Columns other sheets and the totals refer to. */
export const OPEN_ITEM_COLUMN = {
  index: 1,
  class: 4,
  line: 5,
  reference: 6,
  amount: 8,
  difference: 9,
  state: 14,
  breakId: 20,
} as const;

/** Labels, counts, amounts. */
const TOTAL_ROWS = 3;
const COUNT_ROW = HEAD_ROWS + 2;
const AMOUNT_ROW = HEAD_ROWS + 3;
/** Where the totals stand: previous, new, cleared, moved, changed, open, check. */
const AT = { label: 1, previous: 2, added: 3, cleared: 4, moved: 5, changed: 6, open: 7, check: 8 } as const;

export const OPEN_ITEM_CHECKS: readonly CellPlace[] = [
  { row: COUNT_ROW, column: AT.check },
  { row: AMOUNT_ROW, column: AT.check },
];

/** One column of the open items' rows, for formulas. */
export function openItemRange(report: Report, column: number, list: 'open' | 'cleared' = 'open'): string {
  const counts = [countOf(report, 'open'), countOf(report, 'cleared')];
  const at = list === 'open' ? 0 : 1;
  const firstRow = sectionFirstRows(HEAD_ROWS + TOTAL_ROWS, counts)[at] ?? 1;
  return columnRange(report.words.sheets.openItems, { column, firstRow, rows: counts[at] ?? 0 });
}

export function openItemsSpec(report: Report): ListSpec<ItemRow> {
  const { words } = report;
  const before = BigInt(countOf(report, 'break') + countOf(report, 'attention'));
  const open = before + BigInt(countOf(report, 'open'));
  const all = open + BigInt(countOf(report, 'cleared'));
  return {
    key: 'openItems',
    stage: ITEMS,
    tone: open > before ? 'notice' : 'good',
    totals: (live) => totalRows(report, live),
    columns: columnsOf(report),
    frozenColumns: ACCOUNT_COLUMNS,
    repeatedColumns: OPEN_ITEM_COLUMN.reference,
    sections: [
      { after: before, upTo: open, empty: words.openItems.empty },
      {
        after: open,
        upTo: all,
        title: words.openItems.clearedTitle,
        empty: words.openItems.clearedEmpty,
      },
    ],
    amountOf: (row) => row.difference_fen,
  };
}

interface Movement {
  count: number;
  fen: Fen;
}

function sumWhere(items: readonly ItemSum[], where: (item: ItemSum) => boolean): Movement {
  const chosen = items.filter(where);
  return {
    count: chosen.reduce((sum, item) => sum + item.count, 0),
    fen: chosen.reduce((sum, item) => sum + item.netFen, 0n),
  };
}

/** previous + new − cleared − moved + changed = open, by count and by difference. */
function totalRows(report: Report, live: boolean): Row[] {
  const { items, words } = report;
  const w = words.openItems;
  const isKnown = (item: ItemSum): boolean => item.state !== 'new';
  const open = sumWhere(items, (item) => item.list === 'open');
  const added = sumWhere(items, (item) => item.list === 'open' && item.state === 'new');
  const cleared = sumWhere(items, (item) => item.list === 'cleared');
  const movedItems = items.filter((item) => item.state === 'moved');
  const moved = {
    count: movedItems.reduce((sum, item) => sum + item.count, 0),
    fen: movedItems.reduce((sum, item) => sum + item.beforeFen, 0n),
  };
  const carried = items.filter((item) => item.list === 'open' && item.state === 'carried');
  const changedFen = carried.reduce((sum, item) => sum + item.netFen - item.beforeFen, 0n);
  const previous = {
    count: items.filter(isKnown).reduce((sum, item) => sum + item.count, 0),
    fen: items.filter(isKnown).reduce((sum, item) => sum + item.beforeFen, 0n),
  };
  const labels = [w.previous, w.added, w.cleared, w.moved, w.changed, w.open, w.check];
  return [
    [textCell('', 'header'), ...labels.map((label) => textCell(label, 'header'))],
    [
      textCell(w.counts, 'label'),
      numberCell(previous.count, 'totalCount'),
      liveCount(live, `COUNTIFS(${stateRange(report)},${stateName(report, 'new')})`, added.count),
      liveCount(live, `COUNTA(${openItemRange(report, OPEN_ITEM_COLUMN.breakId, 'cleared')})`, cleared.count),
      numberCell(moved.count, 'totalCount'),
      numberCell(0, 'totalCount'),
      liveCount(live, `COUNTA(${openItemRange(report, OPEN_ITEM_COLUMN.breakId)})`, open.count),
      carriesOn(report, COUNT_ROW),
    ],
    [
      textCell(w.amounts, 'label'),
      moneyCell(previous.fen, 'totalMoney'),
      liveMoney(
        live,
        `SUMIFS(${differences(report)},${stateRange(report)},${stateName(report, 'new')})`,
        added.fen,
      ),
      liveMoney(live, `SUM(${openItemRange(report, OPEN_ITEM_COLUMN.difference, 'cleared')})`, cleared.fen),
      moneyCell(moved.fen, 'totalMoney'),
      moneyCell(changedFen, 'totalMoney'),
      liveMoney(live, `SUM(${differences(report)})`, open.fen),
      carriesOn(report, AMOUNT_ROW),
    ],
  ];
}

function stateRange(report: Report): string {
  return openItemRange(report, OPEN_ITEM_COLUMN.state);
}

function differences(report: Report): string {
  return openItemRange(report, OPEN_ITEM_COLUMN.difference);
}

function stateName(report: Report, state: ItemState): string {
  return formulaText(report.words.itemStates[state]);
}

/** The numbers come from one reading, so the identity holds as long as the program is right. */
function carriesOn({ words }: Report, row: number): Cell {
  const at = (column: number): string => fixedAddress({ row, column });
  const expected = `${at(AT.previous)}+${at(AT.added)}-${at(AT.cleared)}-${at(AT.moved)}+${at(AT.changed)}`;
  return checkCell(words, `ROUND(${address({ row, column: AT.open })}-(${expected}),2)=0`, true);
}

function columnsOf(report: Report): Column<ItemRow>[] {
  const { words } = report;
  const { items: i, openItems: o } = words;
  const agingDays = agingDaysOf(report);
  const isOpen = (row: ItemRow): boolean => row.list === 'open';
  const expected = (row: ItemRow): Day | null =>
    isOpen(row) && agingDays !== undefined ? addDays(row.first_day, agingDays) : null;
  return [
    ...accountColumns<ItemRow>(report),
    { kind: 'text', title: i.className, widthMin: 12, value: (row) => words.classes[row.class] },
    { kind: 'text', title: i.statementLine, widthMin: 16, value: (row) => lineName(words, row) },
    { kind: 'text', title: i.reference, widthMin: 20, value: (row) => row.reference },
    { kind: 'time', title: o.date, value: (row) => row.platform_at ?? row.ledger_at },
    { kind: 'money', title: o.amount, widthMin: 12, value: (row) => row.platform_fen ?? row.ledger_fen },
    { kind: 'money', title: i.difference, widthMin: 12, value: (row) => row.difference_fen },
    { kind: 'day', title: i.firstSeen, value: (row) => row.first_day },
    { kind: 'count', title: i.ageDays, value: (row) => row.age_days },
    { kind: 'text', title: o.bucket, widthMin: 10, value: (row) => words.ageBuckets[bucketOf(row.age_days)] },
    { kind: 'day', title: o.expectedBy, value: expected },
    { kind: 'text', title: o.state, widthMin: 10, value: (row) => words.itemStates[row.item_state] },
    { kind: 'day', title: o.clearedOn, value: (row) => row.cleared_day },
    { kind: 'text', title: o.clearedBy, widthMin: 14, value: (row) => row.cleared_by },
    {
      kind: 'text',
      title: i.counterparty,
      widthMin: 14,
      value: (row) => counterpartyText(report, row.counterparty),
    },
    {
      kind: 'text',
      title: words.breaks.platformState,
      value: (row) => recordState(words, row.platform_state),
    },
    { kind: 'text', title: words.breaks.note, widthMax: 60, value: (row) => remarkText(report, row.note) },
    { kind: 'text', title: i.breakId, widthMin: 16, value: (row) => row.break_id },
  ];
}

/** After how many days a timing item becomes a break, as the run's profile has it. */
function agingDaysOf(report: Report): number | undefined {
  const stated = report.head.assumptions.find(({ key }) => key === 'agingDays')?.value ?? '';
  return /^\d{1,4}$/.test(stated) ? Number(stated) : undefined;
}
