/**
 * Above the rows of the sheets of orders, for each side: matched + breaks + timing + not compared + not counted =
 * all, by count and by what it did to the accounts.
 */
import type { Fen } from '../../src/core/fen.ts';
import { address, columnRange, formulaText } from '../../src/excel/address.ts';
import type { CellPlace } from '../../src/excel/address.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Cell, Row } from '../../src/excel/cell.ts';
import { sectionFirstRows } from '../../src/excel/table.ts';
import { HEAD_ROWS } from './list-sheet.ts';
import { checkCell, liveCount, liveMoney } from './live-cell.ts';
import type { OrderSide } from '../words/order-words.ts';
import type { OrderList, OrderSum } from '../read/read-orders.ts';
import { orderCount } from '../read/report.ts';
import type { Report } from '../read/report.ts';
import type { OrderResult } from '../words/terms.ts';

/** Columns the totals and the summary refer to. */
const COLUMNS = {
  transfers: { kind: 5, side: 6, counted: 21, effect: 22, result: 28 },
  withdrawals: { kind: 5, side: 6, counted: 14, effect: 15, result: 21 },
} as const;

export type OrderColumn = keyof (typeof COLUMNS)['transfers'];

const RESULTS: readonly OrderResult[] = ['matched', 'break', 'timing', 'open', 'uncounted'];
const ALL_COLUMN = 2;
const CHECK_COLUMN = ALL_COLUMN + RESULTS.length + 1;
/** Counts and effects. */
const ROWS_A_SIDE = 2;
const FIRST_TOTAL_ROW = HEAD_ROWS + 2;

/** The sides a list always shows; an account that only bears a fee is rare and shown where there is one. */
const SIDES: Readonly<Record<OrderList, readonly OrderSide[]>> = {
  transfers: ['payer', 'payee'],
  withdrawals: ['own'],
};

function sidesOf(report: Report, list: OrderList): readonly OrderSide[] {
  const hasBearer = report.orders[list].sums.some(({ side }) => side === 'bearer');
  return hasBearer ? [...SIDES[list], 'bearer'] : SIDES[list];
}

/** One column of a list's rows, for formulas. */
export function orderRange(report: Report, list: OrderList, column: OrderColumn): string {
  const rows = orderCount(report, list);
  const totals = 1 + sidesOf(report, list).length * ROWS_A_SIDE;
  const [firstRow = 1] = sectionFirstRows(HEAD_ROWS + totals, [rows]);
  return columnRange(report.words.sheets[list], { column: COLUMNS[list][column], firstRow, rows });
}

/** The checks of a list: the sheet ties out when all hold and the effects come to what the tables have. */
export function orderChecks(report: Report, list: OrderList): CellPlace[] {
  return placesOf(report, list, CHECK_COLUMN).flatMap(({ count, effect }) => [count, effect]);
}

/** What all rows of each side did to the accounts. */
export function orderEffects(report: Report, list: OrderList): CellPlace[] {
  return placesOf(report, list, ALL_COLUMN).map(({ effect }) => effect);
}

function placesOf(
  report: Report,
  list: OrderList,
  column: number,
): { count: CellPlace; effect: CellPlace }[] {
  return sidesOf(report, list).map((_, at) => {
    const row = FIRST_TOTAL_ROW + at * ROWS_A_SIDE;
    return { count: { row, column }, effect: { row: row + 1, column } };
  });
}

export function orderTotalRows(report: Report, list: OrderList, live: boolean): Row[] {
  const { words } = report;
  const labels = ['', words.deposits.all, ...RESULTS.map((result) => words.results[result])];
  return [
    [...labels, words.deposits.check].map((label) => textCell(label, 'header')),
    ...sidesOf(report, list).flatMap((side, at) =>
      sideRows(report, { list, side, live, row: FIRST_TOTAL_ROW + at * ROWS_A_SIDE }),
    ),
  ];
}

function sideRows(
  report: Report,
  of: { list: OrderList; side: OrderSide; live: boolean; row: number },
): Row[] {
  const { words } = report;
  const { list, side, live, row } = of;
  const sums = report.orders[list].sums.filter((sum) => sum.side === side);
  const label = (figure: string): string => words.orders.of({ side: words.orders.sides[side], figure });
  const range = (column: OrderColumn): string => orderRange(report, list, column);
  const isSide = `${range('side')},${formulaText(words.orders.sides[side])}`;
  const has = (result: OrderResult): string =>
    `${isSide},${range('result')},${formulaText(words.results[result])}`;
  const ofResult = (result: OrderResult): OrderSum[] => sums.filter((sum) => sum.result === result);
  return [
    [
      textCell(label(words.orders.count), 'label'),
      liveCount(live, `COUNTIFS(${isSide})`, countOf(sums)),
      ...RESULTS.map((result) => liveCount(live, `COUNTIFS(${has(result)})`, countOf(ofResult(result)))),
      sumCheck(report, row),
    ],
    [
      textCell(label(words.orders.moved), 'label'),
      liveMoney(live, `SUMIFS(${range('effect')},${isSide})`, effectOf(sums)),
      ...RESULTS.map((result) =>
        liveMoney(live, `SUMIFS(${range('effect')},${has(result)})`, effectOf(ofResult(result))),
      ),
      sumCheck(report, row + 1),
    ],
  ];
}

export function countOf(sums: readonly OrderSum[]): number {
  return sums.reduce((all, { count }) => all + count, 0);
}

export function effectOf(sums: readonly OrderSum[]): Fen {
  return sums.reduce((all, { effectFen }) => all + effectFen, 0n);
}

function sumCheck({ words }: Report, row: number): Cell {
  const at = (column: number): string => address({ row, column });
  const parts = `SUM(${at(ALL_COLUMN + 1)}:${at(ALL_COLUMN + RESULTS.length)})`;
  return checkCell(words, `ROUND(${at(ALL_COLUMN)}-${parts},2)=0`, true);
}
