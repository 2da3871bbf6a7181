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

export interface TableOptions {
  /** Columns that hold numbers. */
  right?: readonly number[];
  /** Columns that hold long texts, and the places after which these go on in the next line. */
  widest?: Readonly<Record<number, number>>;
}

/** A table of any number of rows: all are shown to `fit`, then each is asked for its lines. */
export class TextTable {
  readonly #titles: readonly string[];
  readonly #options: TableOptions;
  readonly #widths: number[];
  #isEmpty = true;

  constructor(titles: readonly string[], options: TableOptions = {}) {
    this.#titles = titles;
    this.#options = options;
    this.#widths = titles.map(widthOf);
  }

  fit(rows: readonly (readonly string[])[]): void {
    for (const line of rows.flatMap((row) => linesOfRow(row, this.#options.widest ?? {}))) {
      this.#isEmpty = false;
      this.#widths.forEach((width, at) => {
        this.#widths[at] = Math.max(width, widthOf(line[at] ?? ''));
      });
    }
  }

  isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Titles and the line below them. */
  head(): string[] {
    return [this.#line(this.#titles), this.#line(this.#widths.map((width) => '─'.repeat(width)))];
  }

  lines(row: readonly string[]): string[] {
    return linesOfRow(row, this.#options.widest ?? {}).map((line) => this.#line(line));
  }

  #line(cells: readonly string[]): string {
    return cells
      .map((cell, at) => pad(cell, this.#widths[at] ?? 0, this.#options.right?.includes(at) === true))
      .join('  ')
      .trimEnd();
  }
}

export function tableText(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  if (rows.length === 0) return `(no ${titles[0] ?? 'row'})`;
  const table = new TextTable(titles, options);
  table.fit(rows);
  return [...table.head(), ...rows.flatMap((row) => table.lines(row))].join('\n');
}
