/**
 * Cells as a file has them, and what they are as text. A CSV cell is text already; a spreadsheet also has
 * numbers, which keep fifteen digits and lose the rest, and dates, which are numbers in disguise.
 */
import type { CellForm } from './table-layout.ts';

export type RawCell = string | NumberCell | DateCell | BrokenCell;
export interface NumberCell {
  number: number;
}
/** A date or time as it stands in the cell: `2026-03-01 23:59:59`, or with the offset that the cell states. */
export interface DateCell {
  time: string;
}
/** A cell that has no value to read, and why. */
export interface BrokenCell {
  value: string;
  reason: string;
}

export interface RawRow {
  /** As people see it: from 1, blank rows counted. */
  row: number;
  cells: readonly RawCell[];
  /** Where, from 0, a cell is computed; a CSV file has none. */
  formulas?: readonly number[];
  /** Every row of the file states all its cells, so that one with fewer than the header is cut or wrong. */
  complete: boolean;
}

/** A spreadsheet keeps this many digits of a number. */
const DIGITS_MAX = 15;
const LOST_FROM = 1e15;
/** As spreadsheets show a long number that nobody meant to reckon with, and save it as text: `1.23457E+17`. */
const SHORTENED = /^-?\d(?:\.\d+)?E\+\d{2,3}$/;

const LOST_DIGITS = 'was stored as a number and lost digits; format the column as text';

/** Whether it is a number of which a spreadsheet kept the first digits. */
export function isShortened(text: string): boolean {
  return SHORTENED.test(text.trim());
}

/** The text of a cell, or why it has none that can be trusted. */
export function cellText(cell: RawCell, form: CellForm): string | BrokenCell {
  if (typeof cell === 'string')
    return form === 'number' && isShortened(cell) ? { value: cell, reason: LOST_DIGITS } : cell;
  if ('number' in cell) return numberText(cell.number, form);
  if ('time' in cell) return dateText(cell.time, form);
  return cell;
}

/** For the header row and for telling blank rows, where no form is known. */
export function plainText(cell: RawCell): string {
  const text = cellText(cell, 'text');
  return typeof text === 'string' ? text : text.value;
}

function numberText(number: number, form: CellForm): string | BrokenCell {
  if (Math.abs(number) >= LOST_FROM) return { value: String(number), reason: LOST_DIGITS };
  // What a formula leaves beyond the fifteenth digit (0.30000000000000004) is not shown to people either.
  const text = String(Number.parseFloat(number.toPrecision(DIGITS_MAX)));
  return form === 'yuan' ? twoDecimals(text) : text;
}

/** A number cannot keep the zeros of `12.50`, so they are put back; more decimals are left to be refused. */
export function twoDecimals(text: string): string {
  if (/^-?\d+$/.test(text)) return `${text}.00`;
  return /^-?\d+\.\d$/.test(text) ? `${text}0` : text;
}

function dateText(time: string, form: CellForm): string | BrokenCell {
  if (form === 'time' || form === 'text') return time;
  const wanted = form === 'number' ? 'text' : 'number';
  return { value: time, reason: `was turned into a date; format the column as ${wanted}` };
}
