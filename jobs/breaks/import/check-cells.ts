/** Holds every cell that is not to be filled in against what the file was written with. */
import { breakInputs } from '../../../reports/sheets/breaks.ts';
import { sheetText } from '../../../reports/sheets/sheet-text.ts';
import type { Zone } from '../../../src/core/time.ts';
import type { Base } from './base.ts';
import type { CellFaults } from './cell-faults.ts';
import { filledText, isSame, oneLine } from './cell-text.ts';

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
    const filled = base.filled.get(row.break_id);
    if (filled === undefined) continue;
    const cells = new Map<string, AnswerCell>();
    for (const column of columns) {
      const cell = filled.cells.get(column.title);
      if (cell === undefined) continue;
      const before = oneLine(sheetText(column, row, zone));
      const text = filledText(cell.raw, column.kind, isWorkbook);
      if (cell.isFormula) faults.add(cell.place, '', 'is a formula: type what it is to say');
      else if (typeof text !== 'string') faults.add(cell.place, text.value, text.reason);
      else if (inputs.includes(column.title)) cells.set(column.title, { place: cell.place, before, text });
      else if (!isSame(column.kind, text, before))
        faults.add(
          cell.place,
          text,
          `"${column.title}" is not to be changed: put ${before === '' ? 'nothing' : JSON.stringify(before)} back`,
        );
    }
    if ([...cells.values()].some(({ before, text }) => before !== text))
      answers.push({ breakId: row.break_id, cells });
  }
  return answers;
}
