/** What a cell of a file that came back says, in the form in which `sheetText` writes it. */
import { textOfCsvCell } from '../../../src/core/csv-cell.ts';
import { parseDay } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import { oneLine } from '../../../reports/sheets/sheet-text.ts';
import type { Column } from '../../../src/excel/column.ts';
import { cellText, twoDecimals } from '../../../src/intake/spreadsheet-cell.ts';
import type { BrokenCell, RawCell } from '../../../src/intake/spreadsheet-cell.ts';

type Kind = Column<never>['kind'];

const SEPARATED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const MIDNIGHT = / 00:00:00$/;
const TIME_OF_DAY = / \d{2}:\d{2}(?::\d{2})?$/;
const DATE = /^(\d{4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,2})(?: ?日)?(?:[ T](\d{1,2}:\d{2}(?::\d{2})?))?$/;

/** Spreadsheets write numbers with separators and days with strokes when they save a list as CSV. */
export function filledText(cell: RawCell, kind: Kind, isWorkbook: boolean): string | BrokenCell {
  const text = cellText(cell, kind === 'money' ? 'yuan' : 'text');
  if (typeof text !== 'string') return text;
  const trimmed = text.trim();
  switch (kind) {
    case 'text':
    case 'link':
      // A day that was typed is a moment to the spreadsheet.
      if (typeof cell !== 'string' && 'time' in cell) return trimmed.replace(MIDNIGHT, '');
      return oneLine(isWorkbook ? trimmed : textOfCsvCell(trimmed));
    case 'money':
      return twoDecimals(withoutSeparators(trimmed));
    case 'count':
      return withoutSeparators(trimmed);
    case 'day':
      return dateOf(trimmed).slice(0, 10);
    case 'time':
      return dateOf(trimmed);
  }
}

function withoutSeparators(text: string): string {
  return SEPARATED.test(text) ? text.replaceAll(',', '') : text;
}

/** `2026/3/1 9:05` → `2026-03-01 09:05`, also with 年月日 or in full-width digits; anything else stays as it is. */
function dateOf(text: string): string {
  const [, year, month, day, time] = DATE.exec(text.normalize('NFKC')) ?? [];
  if (year === undefined || month === undefined || day === undefined) return text;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return time === undefined ? date : `${date} ${time.replace(/^(\d):/, '0$1:')}`;
}

/** The day that people wrote or chose, however their spreadsheet saved it; undefined: it is none. */
export function dayOf(text: string): Day | undefined {
  return parseDay(dateOf(text).replace(TIME_OF_DAY, ''));
}

/** Whether both say the same; a moment that was saved without its seconds is the same. */
export function isSame(kind: Kind, found: string, expected: string): boolean {
  if (found === expected) return true;
  return kind === 'time' && found.length === 'yyyy-MM-dd HH:mm'.length && expected.startsWith(found);
}

const BEYOND_ASCII = /^[^\p{ASCII}]$/u;

/** Whether it is that text, saved in an encoding that lacks some of its characters: question marks stand for those. */
export function isSavedWithout(found: string, written: string): boolean {
  if (!found.includes('?')) return false;
  let rest = found;
  for (const character of written) {
    const isLost = !rest.startsWith(character) && BEYOND_ASCII.test(character) && rest.startsWith('?');
    if (!isLost && !rest.startsWith(character)) return false;
    // Each half of a character of two.
    const marks = character.length === 2 && rest.startsWith('??') ? 2 : 1;
    rest = rest.slice(isLost ? marks : character.length);
  }
  return rest === '';
}
