/** Reads the rows of sheet 差异 as people hand them back: by the titles of its columns, wherever these stand. */
import { WrongInput } from '../../../src/core/errors.ts';
import { columnLetters } from '../../../src/excel/address.ts';
import { openSheets } from '../../../src/intake/sheets-file.ts';
import type { SheetsFile } from '../../../src/intake/sheets-file.ts';
import { plainText } from '../../../src/intake/spreadsheet-cell.ts';
import type { RawCell, RawRow } from '../../../src/intake/spreadsheet-cell.ts';
import type { NamedSheet } from '../../../src/intake/xlsx-rows.ts';
import type { Locale } from '../../../reports/words/terms.ts';
import { breakTitles } from '../../../reports/sheets/breaks.ts';
import type { Words } from '../../../reports/words/words.ts';
import { wordsOf } from '../../../reports/words/words-of-report.ts';
import type { CellFaults } from './cell-faults.ts';

export interface FilledCell {
  /** `差异!R7`, or `R7` of a CSV file. */
  place: string;
  raw: RawCell;
  isFormula: boolean;
}

/** One row, its cells by the titles of their columns. */
export interface FilledRow {
  place: string;
  cells: ReadonlyMap<string, FilledCell>;
}

export interface FilledList {
  file: string;
  sha256: string;
  isWorkbook: boolean;
  locale: Locale;
  rows: readonly FilledRow[];
}

/** More than a sheet of a night holds that people fill in by hand; each row is kept until all are looked at. */
const ROWS_MAX = 200_000;

const LOCALES: readonly Locale[] = ['zh-CN', 'en'];

const BREAK_ID = /^B[0-9a-f]{15}$/;

/** @throws WrongInput when it cannot be read or holds no such list; what is wrong with single cells goes to the faults */
export async function readFilledList(filePath: string, faults: CellFaults): Promise<FilledList> {
  const opened = await openSheets(filePath);
  try {
    for (const locale of LOCALES) {
      const rows = await readSheets(opened, wordsOf(locale), faults);
      if (rows === undefined) continue;
      const { file, sha256, isWorkbook } = opened;
      if (rows.length === 0)
        throw new WrongInput(
          `${file} lists no break: a long list stands in a file of its own, named …-breaks.xlsx`,
        );
      return { file, sha256, isWorkbook, locale, rows };
    }
    throw new WrongInput(
      `${opened.file} holds no sheet 差异 (Breaks) with its columns: hand in the workbook of a night, its file of breaks, or what recon breaks export wrote`,
    );
  } finally {
    await opened.close();
  }
}

/** Undefined when no sheet has the header in that language. */
async function readSheets(
  opened: SheetsFile,
  words: Words,
  faults: CellFaults,
): Promise<FilledRow[] | undefined> {
  const copies: string[] = [];
  const rows: FilledRow[] = [];
  let hasList = false;
  for await (const sheet of opened.sheets()) {
    if (isListSheet(sheet.name, words.sheets.breaks)) {
      const reader = new SheetReader(sheet.name, words, faults);
      await readSheet(sheet, reader, (read) => {
        rows.push(...read);
        if (rows.length > ROWS_MAX)
          throw new WrongInput(`${opened.file} has more than ${ROWS_MAX} rows: export fewer with a filter`);
      });
      hasList ||= reader.hasHeader;
    } else if (await isCopy(sheet.rows)) copies.push(sheet.name);
  }
  if (!hasList) return undefined;
  for (const name of copies)
    faults.add(
      name,
      '',
      `is another list of breaks, which is not read: write what it says in sheet ${words.sheets.breaks}, and remove it`,
    );
  return rows;
}

async function readSheet(
  { rows, merged, noted }: NamedSheet,
  reader: SheetReader,
  take: (rows: readonly FilledRow[]) => void,
): Promise<void> {
  for await (const batch of rows) take(batch.flatMap((raw) => reader.read(raw)));
  reader.end({ merged, noted: await noted() });
}

/** Below titles and totals, and below what people put above them. */
const HEADER_ROW_MAX = 50;

/** Whether a sheet of another name has the list too, in either language, with or without its hidden column. */
async function isCopy(batches: AsyncGenerator<RawRow[]>): Promise<boolean> {
  const all = LOCALES.map(wordsOf);
  for await (const batch of batches) {
    for (const { row, cells } of batch) {
      if (row > HEADER_ROW_MAX) return false;
      const texts = cells.map((cell) => plainText(cell).trim());
      if (all.some(({ items, breaks }) => texts.includes(items.breakId) && texts.includes(breaks.action)))
        return true;
    }
  }
  return false;
}

/** A list goes on over sheets named `差异 (2)`; a CSV file has no names. */
function isListSheet(name: string, title: string): boolean {
  return (
    name === '' ||
    name === title ||
    (name.startsWith(`${title} (`) && /^ \(\d+\)$/.test(name.slice(title.length)))
  );
}

class SheetReader {
  readonly #name: string;
  readonly #words: Words;
  readonly #faults: CellFaults;
  readonly #titles: readonly string[];
  #header: (string | undefined)[] | undefined;
  /** A line of text that is a title where a header follows, and else is somebody's. */
  #line: { row: number; text: string } | undefined;
  /** The row below a header says that there is nothing to list, where there is not. */
  #isBelowHeader = false;
  #firstRow = Infinity;
  #lastRow = 0;

  constructor(name: string, words: Words, faults: CellFaults) {
    this.#name = name;
    this.#words = words;
    this.#faults = faults;
    this.#titles = breakTitles(words);
  }

  get hasHeader(): boolean {
    return this.#header !== undefined;
  }

  /** The row where it is one of the list; titles, totals and headers are not. */
  read(raw: RawRow): FilledRow[] {
    const texts = raw.cells.map((cell) => plainText(cell).trim());
    if (!texts.some((text) => text !== '')) return [];
    const isHeader = this.#isHeader(texts);
    if (!isHeader) this.#endLine();
    const isBelowHeader = this.#isBelowHeader;
    [this.#line, this.#isBelowHeader] = [undefined, isHeader];
    if (isHeader) this.#header = this.#headerOf(texts, raw.row);
    else if (this.#header !== undefined && this.#isRow(texts, this.#header))
      return [this.#rowOf(raw, this.#header)];
    else if (this.#header !== undefined && !isBelowHeader)
      this.#line = { row: raw.row, text: texts[0] ?? '' };
    return [];
  }

  /** @param of cells that are merged, and those that have a note */
  end({ merged, noted }: { merged: readonly string[]; noted: readonly string[] }): void {
    this.#endLine();
    for (const cells of merged) {
      const [from = 0, to = from] = (cells.match(/\d+/g) ?? []).map(Number);
      if (to > from && this.#lastRow >= from && this.#firstRow <= to)
        this.#faults.add(
          `${this.#name}!${cells}`,
          '',
          'are merged: only the first row says what stands there; split them, and write it in each row that is meant',
        );
    }
    for (const cell of noted)
      this.#faults.add(
        `${this.#name}!${cell}`,
        '',
        `has a note, which is not read: what it says belongs into "${this.#words.breaks.remark}"; remove it`,
      );
  }

  #endLine(): void {
    if (this.#line === undefined) return;
    const { row, text } = this.#line;
    const { attentionTitle, attentionEmpty, empty } = this.#words.breaks;
    // Sorted together with the rows, they stand anywhere.
    if (text === attentionTitle || text === attentionEmpty || text === empty) return;
    this.#faults.add(this.#place(row, 0), text, this.#beside());
  }

  #beside(): string {
    return `stands beside the list: what it says belongs into "${this.#words.breaks.remark}"`;
  }

  #isHeader(texts: readonly string[]): boolean {
    const { items, breaks } = this.#words;
    return texts.includes(items.breakId) && texts.includes(breaks.status);
  }

  #headerOf(texts: readonly string[], row: number): (string | undefined)[] {
    for (const title of this.#titles) {
      const count = texts.filter((text) => text === title).length;
      if (count === 0)
        this.#faults.add(
          this.#place(row),
          '',
          `column "${title}" is missing: fill in a copy of the file as it was written`,
        );
      if (count > 1)
        this.#faults.add(
          this.#place(row),
          '',
          `column "${title}" is there ${count} times: remove what was added`,
        );
    }
    texts.forEach((text, at) => {
      if (text === '' || this.#titles.includes(text)) return;
      this.#faults.add(
        this.#place(row, at),
        text,
        `is no column of this list: remove it; what it says belongs into "${this.#words.breaks.remark}"`,
      );
    });
    return texts.map((text) => (this.#titles.includes(text) ? text : undefined));
  }

  /** What says more than its first cell, or has the number of a break there: titles and sentences have neither. */
  #isRow(texts: readonly string[], header: readonly (string | undefined)[]): boolean {
    const isNumbered = header[0] === this.#words.items.breakId && BREAK_ID.test(texts[0] ?? '');
    return isNumbered || texts.slice(1).some((text) => text !== '');
  }

  #rowOf(raw: RawRow, header: readonly (string | undefined)[]): FilledRow {
    [this.#firstRow, this.#lastRow] = [Math.min(this.#firstRow, raw.row), raw.row];
    const cells = new Map<string, FilledCell>();
    header.forEach((title, at) => {
      if (title === undefined) return;
      const isFormula = raw.formulas?.includes(at) === true;
      cells.set(title, { place: this.#place(raw.row, at), raw: raw.cells[at] ?? '', isFormula });
    });
    raw.cells.forEach((cell, at) => {
      if (header[at] !== undefined || plainText(cell).trim() === '') return;
      this.#faults.add(this.#place(raw.row, at), plainText(cell), this.#beside());
    });
    return { place: this.#place(raw.row), cells };
  }

  #place(row: number, at?: number): string {
    const cell = at === undefined ? `row ${row}` : `${columnLetters(at + 1)}${row}`;
    return this.#name === '' ? cell : `${this.#name}!${cell}`;
  }
}
