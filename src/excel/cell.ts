/**
 * Cells as values: what a cell is decided by its maker and not by its content. Only primitives are held, so
 * that nothing from outside can become a formula (I3); links are in link.ts.
 */
import type { Fen } from '../core/fen.ts';
import { yuanForPeople, yuanText } from '../core/fen.ts';
import type { Day, Instant, Zone } from '../core/time.ts';
import { daySerial, timeSerial } from './serial.ts';
import type { StyleName } from './style.ts';
import { brokenWidth, escapeText, inlineString, shownWidth } from './text.ts';

/** What a formula gave when the workbook was written; kept so that viewers that do not calculate show it. */
export type Result = { fen: Fen } | { number: number } | { text: string } | { yes: boolean };

export interface Cell {
  readonly style: StyleName;
  /** The cell's XML after its style attribute: type, formula and value. */
  readonly xml: string;
  /** How wide its content is shown; 0 where a column need not make room for it. */
  readonly width: number;
}

/** One row of a sheet; undefined leaves a cell out. */
export type Row = readonly (Cell | undefined)[];

export function textCell(text: string, style: StyleName = 'text'): Cell {
  if (text === '') return emptyCell(style);
  return { style, xml: ` t="inlineStr">${inlineString(text)}</c>`, width: shownWidth(text) };
}

/** Text that may run over its neighbours, so that its column stays as narrow as the data. */
export function overflowCell(text: string, style: StyleName): Cell {
  return { ...textCell(text, style), width: 0 };
}

/** The head of a column, which may take two lines (`HEADER_HEIGHT`) so that the column stays narrow. */
export function headerCell(text: string, style: 'header' | 'headerRight' = 'header'): Cell {
  return { ...textCell(text, style), width: brokenWidth(text) };
}

/** Of a row whose heads take two lines, in points. */
export const HEADER_HEIGHT = 30;

export function emptyCell(style: StyleName = 'text'): Cell {
  return { style, xml: '/>', width: 0 };
}

/** The value is the exact decimal text of the fen, so that no float is ever made of money. */
export function moneyCell(fen: Fen, style: StyleName = 'money'): Cell {
  return { style, xml: `><v>${yuanText(fen)}</v></c>`, width: moneyWidth(fen) };
}

export function moneyWidth(fen: Fen): number {
  return yuanForPeople(fen).length;
}

/** A count or another plain number. */
export function numberCell(value: number, style: StyleName = 'count'): Cell {
  return { style, xml: `><v>${value}</v></c>`, width: value.toLocaleString('en-US').length };
}

const DAY_WIDTH = 10;
const TIME_WIDTH = 19;

export function dayCell(day: Day, style: StyleName = 'day'): Cell {
  return { style, xml: `><v>${daySerial(day)}</v></c>`, width: DAY_WIDTH };
}

export function timeCell(instant: Instant, zone: Zone, style: StyleName = 'time'): Cell {
  return { style, xml: `><v>${timeSerial(zone, instant)}</v></c>`, width: TIME_WIDTH };
}

/** A live formula of ours (without `=`) and its value as of now. */
export function formulaCell(formula: string, result: Result, style: StyleName): Cell {
  const body = `<f>${escapeText(formula)}</f>`;
  if ('fen' in result) {
    return { style, xml: `>${body}<v>${yuanText(result.fen)}</v></c>`, width: moneyWidth(result.fen) };
  }
  if ('number' in result) {
    return {
      style,
      xml: `>${body}<v>${result.number}</v></c>`,
      width: result.number.toLocaleString('en-US').length,
    };
  }
  if ('yes' in result) return { style, xml: ` t="b">${body}<v>${result.yes ? 1 : 0}</v></c>`, width: 5 };
  return {
    style,
    xml: ` t="str">${body}<v>${escapeText(result.text)}</v></c>`,
    width: shownWidth(result.text),
  };
}
