/** Where cells are: `A1` addresses, ranges and references to other sheets. */

/** A sheet's last row (ECMA-376 and Excel). */
export const SHEET_ROWS_MAX = 1_048_576;

/** 1 → `A`, 27 → `AA`. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) {
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  }
  return letters;
}

export interface CellPlace {
  row: number;
  column: number;
}

/** `B7` */
export function address(place: CellPlace): string {
  return `${columnLetters(place.column)}${place.row}`;
}

/** `$B$7` */
export function fixedAddress(place: CellPlace): string {
  return `$${columnLetters(place.column)}$${place.row}`;
}

/** `'未达账项'!$B$7`: as formulas and defined names of other sheets write it. */
export function onSheet(sheet: string, reference: string): string {
  return `'${sheet.replaceAll("'", "''")}'!${reference}`;
}

/** One column of a sheet's data, `'差异'!$N$7:$N$120`; rows that do not exist are one empty row. */
export function columnRange(sheet: string, span: { column: number; firstRow: number; rows: number }): string {
  const last = span.firstRow + Math.max(span.rows, 1) - 1;
  const from = fixedAddress({ row: span.firstRow, column: span.column });
  return onSheet(sheet, `${from}:${fixedAddress({ row: last, column: span.column })}`);
}

/** A text as a constant in a formula. */
export function formulaText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
