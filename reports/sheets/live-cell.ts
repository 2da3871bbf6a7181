/** Totals that are formulas where the rows they sum are in the workbook, and values where they are not. */
import type { Fen } from '../../src/core/fen.ts';
import { formulaText } from '../../src/excel/address.ts';
import { formulaCell, moneyCell, numberCell } from '../../src/excel/cell.ts';
import type { Cell } from '../../src/excel/cell.ts';
import type { StyleName } from '../../src/excel/style.ts';
import type { Words } from '../words/words.ts';

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

type CheckWords = Pick<Words, 'common'>;

/** A check that says in words whether it holds. */
export function checkCell({ common }: CheckWords, condition: string, holds: boolean): Cell {
  const { agrees, differs } = common;
  const formula = `IF(${condition},${formulaText(agrees)},${formulaText(differs)})`;
  return formulaCell(formula, { text: holds ? agrees : differs }, 'check');
}

/** Whether the check at that place holds, for formulas. */
export function holdsAt({ common }: CheckWords, reference: string): string {
  return `${reference}=${formulaText(common.agrees)}`;
}

/** Whether the check at that place fails. */
export function failsAt({ common }: CheckWords, reference: string): string {
  return `${reference}=${formulaText(common.differs)}`;
}
