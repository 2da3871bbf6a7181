/**
 * Long lists: a header and rows of equal shape, rendered column by column without an object per cell, over as
 * many sheets as they need (H13).
 */
import type { Zone } from '../core/time.ts';
import { address, SHEET_ROWS_MAX } from './address.ts';
import type { Book } from './book.ts';
import { overflowCell, textCell } from './cell.ts';
import type { Row } from './cell.ts';
import { measure, rowRenderer } from './column.ts';
import type { Column } from './column.ts';
import type { Sheet, SheetOptions } from './sheet.ts';

export interface TableOptions<R> {
  sheet: Omit<SheetOptions, 'widths' | 'outOfSight' | 'frozen' | 'printedHead' | 'name'> & { name: string };
  /** Title and totals above the header; on a continued sheet only the first row is repeated. */
  top: readonly Row[];
  columns: readonly Column<R>[];
  frozenColumns: number;
  zone: Zone;
  /** Rows a sheet holds at most, everything counted; tests lower it. */
  sheetRowsMax?: number;
}

/** Where the rows of one section lie. */
export interface SectionPlace {
  sheet: string;
  firstRow: number;
  rows: number;
}

interface Section {
  title?: string;
  empty: string;
  places: SectionPlace[];
}

export interface Table<R> {
  /** Begins a list with its own header; the first one has no title. `empty` is said when it gets no rows. */
  section(options: { title?: string; empty: string }): void;
  write(rows: readonly R[]): Promise<void>;
  /** Rows of the sections so far: one place a section and sheet. */
  places(): readonly (readonly SectionPlace[])[];
  /** Drop-downs, filter and the last bytes. */
  finish(more?: (sheet: Sheet, places: readonly SectionPlace[]) => void): Promise<void>;
}

/** Rows that are looked at to set the widths; the rest is alike. */
const ROWS_MEASURED = 5_000;
/** Rows rendered before the disk is waited for. */
const ROWS_A_PIECE = 100;

/** The header's row on a sheet whose top has that many rows. */
export function headerRowOf(topRows: number): number {
  return topRows + 1;
}

/**
 * The first row of each section when all stand on one sheet: the first right below its header, the others
 * after an empty row, a title and a header; a section without rows takes the one row that says so.
 */
export function sectionFirstRows(topRows: number, counts: readonly number[]): number[] {
  let next = headerRowOf(topRows) + 1;
  return counts.map((count, at) => {
    const first = at === 0 ? next : next + 3;
    next = first + Math.max(count, 1);
    return first;
  });
}

export function openTable<R>(book: Book, options: TableOptions<R>): Table<R> {
  return new StreamedTable(book, options);
}

class StreamedTable<R> implements Table<R> {
  readonly #book: Book;
  readonly #options: TableOptions<R>;
  readonly #rowsMax: number;
  readonly #sections: Section[] = [];
  #sheet: Sheet | undefined;
  #sheetNo = 0;
  #render: ((row: R, rowNo: number) => string) | undefined;
  #widths: readonly number[] | undefined;

  constructor(book: Book, options: TableOptions<R>) {
    this.#book = book;
    this.#options = options;
    this.#rowsMax = Math.min(options.sheetRowsMax ?? SHEET_ROWS_MAX, SHEET_ROWS_MAX);
  }

  section(options: { title?: string; empty: string }): void {
    this.#endSection();
    const section = { ...options, places: [] };
    this.#sections.push(section);
    if (this.#sheet) this.#startSection(this.#sheet, section);
  }

  async write(rows: readonly R[]): Promise<void> {
    for (let at = 0; at < rows.length;) {
      const sheet = this.#sheetWithRoom(rows);
      const render = this.#render ?? this.#makeRenderer(sheet);
      const room = this.#rowsMax - sheet.rowCount();
      const piece = rows.slice(at, at + Math.min(ROWS_A_PIECE, room));
      const first = sheet.rowCount() + 1;
      piece.forEach((row, index) => sheet.addRenderedRow(render(row, first + index)));
      this.#currentPlace(sheet).rows += piece.length;
      at += piece.length;
      await sheet.drained();
      if (sheet.rowCount() >= this.#rowsMax) await this.#closeSheet();
    }
  }

  places(): readonly (readonly SectionPlace[])[] {
    return this.#sections.map(({ places }) => places);
  }

  async finish(more?: (sheet: Sheet, places: readonly SectionPlace[]) => void): Promise<void> {
    if (this.#sections.some(({ places }) => places.length === 0)) this.#sheet ??= this.#openSheet([]);
    this.#endSection();
    if (!this.#sheet) return;
    const name = this.#sheet.name;
    more?.(
      this.#sheet,
      this.places()
        .flat()
        .filter((place) => place.sheet === name),
    );
    await this.#closeSheet();
  }

  #sheetWithRoom(rows: readonly R[]): Sheet {
    return this.#sheet ?? this.#openSheet(rows);
  }

  #openSheet(rows: readonly R[]): Sheet {
    const { sheet, top, columns, frozenColumns } = this.#options;
    this.#sheetNo += 1;
    const head = this.#sheetNo === 1 ? top : top.slice(0, 1);
    this.#widths ??= measure(columns, { rows: rows.slice(0, ROWS_MEASURED), top });
    const header = headerRowOf(head.length);
    const opened = this.#book.addSheet({
      ...sheet,
      name: this.#sheetNo === 1 ? sheet.name : `${sheet.name} (${this.#sheetNo})`,
      widths: this.#widths,
      outOfSight: columns.map(({ outOfSight }) => outOfSight),
      frozen: { rows: header, columns: frozenColumns },
      printedHead: [header, header],
    });
    for (const row of head) opened.addRow(row);
    this.#sheet = opened;
    this.#render = undefined;
    // Sections without rows have waited for those by which the widths are set.
    const last = this.#sections.at(-1);
    for (const section of this.#sections) {
      if (section === last) this.#startSection(opened, section);
      else if (section.places.length === 0) {
        this.#startSection(opened, section);
        sayEmpty(opened, section);
      }
    }
    return opened;
  }

  /** Title and header of the section; the header is repeated on every sheet it reaches. */
  #startSection(sheet: Sheet, { title, places }: Section): void {
    if (title !== undefined) {
      sheet.addEmptyRow();
      sheet.addRow([overflowCell(title, 'section')]);
    }
    sheet.addRow(
      this.#options.columns.map((column) =>
        textCell(column.title, column.kind === 'money' ? 'headerRight' : 'header'),
      ),
    );
    places.push({ sheet: sheet.name, firstRow: sheet.rowCount() + 1, rows: 0 });
  }

  #currentPlace(sheet: Sheet): SectionPlace {
    const place = this.#sections.at(-1)?.places.at(-1);
    if (!place) throw new Error(`Bug: rows for ${sheet.name} before a section`);
    return place;
  }

  #endSection(): void {
    const section = this.#sections.at(-1);
    if (section && this.#sheet) sayEmpty(this.#sheet, section);
  }

  async #closeSheet(): Promise<void> {
    const sheet = this.#sheet;
    if (!sheet) return;
    const place = this.places()
      .flat()
      .find((one) => one.sheet === sheet.name);
    if (place && place.rows > 0) sheet.filterOver(filterRange(place, this.#options.columns.length));
    this.#sheet = undefined;
    await sheet.finish();
  }

  #makeRenderer(sheet: Sheet): (row: R, rowNo: number) => string {
    const { columns, zone } = this.#options;
    this.#render = rowRenderer(columns, {
      zone,
      widths: this.#widths ?? [],
      styleId: (style) => sheet.styleId(style),
    });
    return this.#render;
  }
}

/** Where the section got no rows. */
function sayEmpty(sheet: Sheet, { empty, places }: Section): void {
  if (places.every(({ rows }) => rows === 0)) sheet.addRow([overflowCell(empty, 'note')]);
}

function filterRange(place: SectionPlace, columns: number): string {
  const from = address({ row: place.firstRow - 1, column: 1 });
  return `${from}:${address({ row: place.firstRow + place.rows - 1, column: columns })}`;
}
