/** Totals that are formulas where the rows they sum are in the workbook, and values where they are not. */
import type { Fen } from '../../src/core/fen.ts';
import { formulaCell, moneyCell, numberCell } from '../../src/excel/cell.ts';
import type { Cell } from '../../src/excel/cell.ts';
import type { StyleName } from '../../src/excel/style.ts';

export function liveCount(
  live: boolean,
  formula: string,
  count: number,
  style: StyleName = 'totalCount',
): Cell {
  return live ? formulaCell(formula, { number: count }, style) : numberCell(count, style);
}

/** Rounded to the fen, so that sums of decimals give exactly what is stored and recalculating changes nothing. */
export function liveMoney(live: boolean, formula: string, fen: Fen, style: StyleName = 'totalMoney'): Cell {
  return live ? formulaCell(`ROUND(${formula},2)`, { fen }, style) : moneyCell(fen, style);
}
