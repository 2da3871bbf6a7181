/** One sheet: rows become XML once and go straight into the archive. */
import { columnLetters, SHEET_ROWS_MAX } from './address.ts';
import type { Row } from './cell.ts';
import type { Chart } from './chart.ts';
import type { Engine } from './engine.ts';
import { FAILED_LOOK, TONES } from './style.ts';
import type { StyleName, Tone } from './style.ts';
import { visibleText } from './text.ts';

/** Folded: grouped away, there for who looks for it; hidden: for whoever reads the file back. Neither is on paper. */
export type OutOfSight = 'folded' | 'hidden';

export interface SheetOptions {
  name: string;
  tone: Tone;
  /** Widths in characters, one a column. */
  widths: readonly number[];
  /** How columns are kept out of sight, from the first on. */
  outOfSight?: readonly (OutOfSight | undefined)[];
  /** Rows and columns that stay when the rest is scrolled. */
  frozen: { rows: number; columns: number };
  /** The rows repeated on every printed page, the first and the last. */
  printedHead?: readonly [number, number];
  /** `第 &P 页，共 &N 页` */
  footer: string;
  /** Stands at the top of every printed page; `&` means itself. */
  pageHeader: string;
  /** Columns repeated on each of several pages side by side; those that stay in view where it is left out. */
  repeatedColumns?: number;
  /** Printed on one page, however many rows. */
  onePage?: boolean;
}

export interface Sheet {
  readonly name: string;
  /** Rows written so far. */
  rowCount(): number;
  addRow(row: Row, heightPoints?: number): void;
  /** A row rendered elsewhere, with the number after `rowCount()`. */
  addRenderedRow(xml: string): void;
  addEmptyRow(): void;
  styleId(style: StyleName): number;
  /** Waits for the disk where it is slower than we are. */
  drained(): Promise<void>;
  filterOver(range: string): void;
  /** Cells of that range are chosen from a list. */
  chooseFrom(range: string, choices: readonly string[]): void;
  /** Cells of that range turn red while the formula holds. */
  redWhere(range: string, formula: string): void;
  /** Puts charts over cells; once. */
  draw(charts: readonly Chart[]): void;
  /** A printed page ends after that row. */
  breakAfter(row: number): void;
  finish(): Promise<void>;
}

/** One level of grouped columns, opened at the column before them. */
const FOLDED = { outlineLevelCol: 1, outlineProperties: { summaryBelow: true, summaryRight: false } };
/** What every office prints on. */
const A4 = 9;
/** Characters of the usual size that an A4 page takes across, landscape within our margins. */
const PAGE_CHARACTERS = 149;
/** Smaller print than this is not read. */
const SCALE_MIN = 0.62;
const PAGES_ACROSS_MAX = 4;
const COLUMNS_MAX = 16_384;
/** Rows are gathered to this size before they are handed on; small pieces cost a call each. */
const PIECE_BYTES = 64 * 1024;
/** A UTF-16 unit takes three bytes of UTF-8 at most. */
const UNIT_BYTES_MAX = 3;
/** Narrow margins in inches: the sheets are wide. */
const MARGINS = { left: 0.4, right: 0.4, top: 0.6, bottom: 0.6, header: 0.3, footer: 0.3 };

export function addSheet(
  book: { engine: Engine; styleId: (style: StyleName) => number },
  options: SheetOptions,
): Sheet {
  const inner = book.engine.addSheet(options.name, layoutOf(options));
  inner.columns = options.widths.map((width, at) => ({
    width,
    ...(options.outOfSight?.[at] !== undefined && { hidden: true }),
    ...(options.outOfSight?.[at] === 'folded' && { outlineLevel: 1 }),
  }));
  const pieces = piecesInto((bytes) => {
    book.engine.startRows(inner);
    book.engine.write(inner, bytes);
  });
  let rows = 0;
  const add = (xml: string): void => {
    if (rows >= SHEET_ROWS_MAX) throw new Error(`Bug: ${options.name} has too many rows for one sheet`);
    rows += 1;
    pieces.add(xml);
  };
  return {
    name: options.name,
    rowCount: () => rows,
    addRow: (row, heightPoints) => add(renderRow(row, rows + 1, { styleId: book.styleId, heightPoints })),
    addRenderedRow: add,
    addEmptyRow: () => add(''),
    styleId: book.styleId,
    drained: () => book.engine.drained(inner),
    filterOver: (range) => (inner.autoFilter = range),
    chooseFrom: (range, choices) => inner.dataValidations.add(range, listOf(choices)),
    redWhere: (range, formula) => inner.addConditionalFormatting(failedRule(range, formula)),
    draw: (charts) => book.engine.draw(inner, charts),
    breakAfter: (row) => inner.rowBreaks.push({ id: row, max: COLUMNS_MAX - 1, man: 1 }),
    finish: async () => {
      pieces.flush();
      book.engine.startRows(inner);
      await book.engine.drained(inner);
      inner.commit();
    },
  };
}

/**
 * Gathers rows as bytes. Each row's text dies young that way; gathered as text, the rows would outlive many
 * collections and take a third more memory.
 */
function piecesInto(write: (bytes: Uint8Array) => void): { add(xml: string): void; flush(): void } {
  let piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  let used = 0;
  const flush = (): void => {
    if (used > 0) write(piece.subarray(0, used));
    piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    used = 0;
  };
  return {
    flush,
    add: (xml) => {
      const bytesMax = xml.length * UNIT_BYTES_MAX;
      if (bytesMax > PIECE_BYTES - used) flush();
      if (bytesMax > PIECE_BYTES) write(Buffer.from(xml, 'utf8'));
      else used += piece.write(xml, used, 'utf8');
    },
  };
}

function renderRow(
  row: Row,
  rowNo: number,
  look: { styleId: (style: StyleName) => number; heightPoints: number | undefined },
): string {
  const height = look.heightPoints === undefined ? '' : ` ht="${look.heightPoints}" customHeight="1"`;
  let xml = `<row r="${rowNo}"${height}>`;
  row.forEach((cell, index) => {
    if (cell) xml += `<c r="${columnLetters(index + 1)}${rowNo}" s="${look.styleId(cell.style)}"${cell.xml}`;
  });
  return `${xml}</row>`;
}

function layoutOf(options: SheetOptions): object {
  const { rows, columns } = options.frozen;
  const repeated = options.repeatedColumns ?? columns;
  const view = { showGridLines: false, zoomScale: 100, zoomScaleNormal: 100 };
  const frozen = { ...view, state: 'frozen', ySplit: rows, xSplit: columns };
  const [first, last] = options.printedHead ?? [];
  const pagesWide = pagesAcross(options);
  return {
    views: [rows + columns > 0 ? frozen : { ...view, state: 'normal' }],
    properties: {
      tabColor: { argb: TONES[options.tone].tab },
      ...(options.outOfSight?.includes('folded') === true && FOLDED),
    },
    pageSetup: {
      paperSize: A4,
      orientation: 'landscape',
      fitToPage: true,
      fitToWidth: pagesWide,
      fitToHeight: options.onePage === true ? 1 : 0,
      margins: MARGINS,
      ...(first !== undefined && { printTitlesRow: `${first}:${last}` }),
      ...(pagesWide > 1 && repeated > 0 && { printTitlesColumn: `A:${columnLetters(repeated)}` }),
    },
    headerFooter: {
      oddHeader: `&L${pageHeaderText(options.pageHeader)}&R&A`,
      oddFooter: `&C${options.footer}`,
    },
  };
}

/** As many pages side by side as it takes to be read; each repeats some columns. */
function pagesAcross({ widths, outOfSight, frozen, repeatedColumns, onePage }: SheetOptions): number {
  if (onePage === true) return 1;
  const sum = (columns: readonly number[]): number => columns.reduce((all, width) => all + width, 0);
  const printed = widths.filter((_, at) => outOfSight?.[at] === undefined);
  const repeated = sum(printed.slice(0, repeatedColumns ?? frozen.columns));
  const isRead = (pages: number): boolean =>
    (pages * PAGE_CHARACTERS) / (sum(printed) + (pages - 1) * repeated) >= SCALE_MIN;
  let pages = 1;
  while (pages < PAGES_ACROSS_MAX && !isRead(pages)) pages += 1;
  return pages;
}

/** Excel refuses a header of more than 255 characters; a name of that length is no use on paper either. */
const PAGE_HEADER_MAX = 120;

function pageHeaderText(text: string): string {
  const line = visibleText(text).replace(/[\r\n\t]+/g, ' ');
  return visibleText(line.slice(0, PAGE_HEADER_MAX)).replaceAll('&', '&&');
}

function listOf(choices: readonly string[]): object {
  return {
    type: 'list',
    allowBlank: true,
    showErrorMessage: true,
    formulae: [`"${choices.join(',')}"`],
  };
}

function failedRule(range: string, formula: string): object {
  const rule = { type: 'expression', priority: 1, formulae: [formula], style: FAILED_LOOK };
  return { ref: range, rules: [rule] };
}
