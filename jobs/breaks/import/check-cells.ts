/** Holds every cell that is not to be filled in against what the file was written with. */
import { digestOf } from '../../../reports/read/check-code.ts';
import { breakInputs, fixedTexts } from '../../../reports/sheets/breaks.ts';
import { oneLine, sheetText } from '../../../reports/sheets/sheet-text.ts';
import type { Zone } from '../../../src/core/time.ts';
import type { Base, KeyedRow } from './base.ts';
import { isShortened } from '../../../src/intake/spreadsheet-cell.ts';
import type { CellFaults } from './cell-faults.ts';
import { filledText, isSame, isSavedWithout } from './cell-text.ts';

/** What people wrote in one row, by column, beside what stood there. */
export interface Answer {
  breakId: string;
  cells: ReadonlyMap<string, AnswerCell>;
}

export interface AnswerCell {
  place: string;
  before: string;
  text: string;
}

/** The rows in which anything to be filled in differs from what stood there. */
export function changedAnswers(
  base: Base,
  { isWorkbook, zone, faults }: { isWorkbook: boolean; zone: Zone; faults: CellFaults },
): Answer[] {
  const { words, columns, rows } = base.list;
  const inputs = breakInputs(words);
  const answers: Answer[] = [];
  for (const row of rows) {
    const keyed = base.filled.get(row.break_id);
    if (keyed === undefined) continue;
    const { row: filled } = keyed;
    const cells = new Map<string, AnswerCell>();
    const isAsWritten = isRowAsWritten(base, keyed, isWorkbook);
    for (const column of columns) {
      const cell = filled.cells.get(column.title);
      // The code was held against its row already.
      if (cell === undefined || column.title === words.breaks.checkCode) continue;
      const before = oneLine(sheetText(column, row, zone));
      const read = filledText(cell.raw, column.kind, isWorkbook);
      const isLossy = !isWorkbook && typeof read === 'string' && isSavedWithout(read, before);
      const text = isLossy ? before : read;
      if (cell.isFormula) faults.add(cell.place, '', 'is a formula: type what it is to say');
      else if (typeof text !== 'string') faults.add(cell.place, text.value, text.reason);
      else if (before !== text && isShortened(text)) faults.add(cell.place, text, SHORTENED);
      else if (inputs.includes(column.title)) cells.set(column.title, { place: cell.place, before, text });
      else if (!isAsWritten && !isSame(column.kind, text, before))
        faults.add(
          cell.place,
          text,
          `"${column.title}" is not to be changed: put ${before === '' ? 'nothing' : JSON.stringify(before)} back${keyed.stated.cells === undefined ? OLDER : ''}`,
        );
    }
    if ([...cells.values()].some(({ before, text }) => before !== text))
      answers.push({ breakId: row.break_id, cells });
  }
  return answers;
}

/** What nobody fills in as much as what somebody does. */
const SHORTENED =
  'was taken for a number by the spreadsheet and lost digits: fill in the .xlsx file (recon breaks export), where numbers are texts';

/** Of a file without digests of its cells: nobody can tell a change from another wording. */
const OLDER =
  '; where nobody changed it, an earlier version wrote the file: fill in a new one (recon breaks export)';

/** Whether what nobody fills in is as it was written, in whatever words that was. */
function isRowAsWritten(
  { list: { words, columns } }: Base,
  { row, stated }: KeyedRow,
  isWorkbook: boolean,
): boolean {
  if (stated.cells === undefined) return false;
  const texts = fixedTexts(columns, words, (column) => {
    const text = filledText(row.cells.get(column.title)?.raw ?? '', column.kind, isWorkbook);
    return typeof text === 'string' ? text : text.value;
  });
  return digestOf(texts) === stated.cells;
}
