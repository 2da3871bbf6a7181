/** A text as a cell of a CSV file that spreadsheets open. */

/** A text that begins like a formula, also in wide characters, is kept from being one (I3); so is one that was kept already. */
const FORMULA_START = /^'*[=+\-@\t\r\0＝＋－＠]/;
const KEPT_FROM_FORMULA = /^'(?='*[=+\-@\t\r\0＝＋－＠])/;

export function csvCell(text: string): string {
  const inert = FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** The text that `csvCell` wrote, once a reader has taken its quotation marks off. */
export function textOfCsvCell(text: string): string {
  return text.replace(KEPT_FROM_FORMULA, '');
}
