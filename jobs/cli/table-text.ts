/** Tables for a terminal; a Chinese character takes two places. */

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

function pad(text: string, width: number, isRight: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return isRight ? blanks + text : text + blanks;
}

/** Text from outside must not begin a line of its own: it would read as a row that is not there (I9). */
export function oneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

/** Lines of at most `widest` places, broken behind a comma or a blank where there is one in their second half. */
function wrapped(text: string, widest: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > widest) {
    let fits = '';
    for (const character of rest) {
      if (widthOf(fits + character) > widest) break;
      fits += character;
    }
    const behind = Math.max(fits.lastIndexOf(','), fits.lastIndexOf(' ')) + 1;
    const cut = behind > fits.length / 2 ? behind : fits.length;
    lines.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut);
  }
  return [...lines, rest];
}

/** A row whose long cells go on below, in their own columns. */
function linesOfRow(row: readonly string[], widest: Readonly<Record<number, number>>): string[][] {
  const cells = row.map((cell, at) => wrapped(oneLine(cell), widest[at] ?? Infinity));
  const height = Math.max(1, ...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) => cells.map((lines) => lines[at] ?? ''));
}

/**
 * @param options.right columns that hold numbers
 * @param options.widest columns that hold long texts, and the places after which these go on in the next line
 */
export function tableText(
  head: readonly string[],
  given: readonly (readonly string[])[],
  options: { right?: readonly number[]; widest?: Readonly<Record<number, number>> } = {},
): string {
  if (given.length === 0) return `(no ${head[0] ?? 'row'})`;
  const rows = given.flatMap((row) => linesOfRow(row, options.widest ?? {}));
  const widths = head.map((title, at) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => pad(cell, widths[at] ?? 0, options.right?.includes(at) === true))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}
