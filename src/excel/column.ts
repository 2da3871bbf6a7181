/** The columns of a long list, and their rows as XML without an object per cell. */
import type { Fen } from '../core/fen.ts';
import { yuanText } from '../core/fen.ts';
import type { Day, Instant, Zone } from '../core/time.ts';
import { columnLetters } from './address.ts';
import { emptyCell, moneyWidth } from './cell.ts';
import type { Row } from './cell.ts';
import { leads, linkXml } from './link.ts';
import type { Link } from './link.ts';
import { daySerial, timeSerial } from './serial.ts';
import type { OutOfSight } from './sheet.ts';
import type { StyleName } from './style.ts';
import { inlineString, shownWidth } from './text.ts';

interface Shape {
  title: string;
  /** Characters at most; longer text is cut off by its neighbour on screen, never in the cell. */
  widthMax?: number;
  /** Characters at least, so that a list without rows looks like one with rows. */
  widthMin?: number;
  style?: StyleName;
  outOfSight?: OutOfSight;
}

/** Null leaves the cell empty. */
export type Column<R> = Shape &
  (
    | { kind: 'text'; value: (row: R) => string | null }
    | { kind: 'money'; value: (row: R) => Fen | null }
    | { kind: 'count'; value: (row: R) => number | null }
    | { kind: 'day'; value: (row: R) => Day | null }
    | { kind: 'time'; value: (row: R) => Instant | null }
    | { kind: 'link'; value: (row: R) => Link | null }
  );

const STYLE_OF_KIND: Readonly<Record<Column<never>['kind'], StyleName>> = {
  text: 'text',
  money: 'money',
  count: 'count',
  day: 'day',
  time: 'time',
  link: 'link',
};
const FIXED_WIDTH: Readonly<Record<'day' | 'time', number>> = { day: 11, time: 19 };
const WIDTH_MIN = 6;
const WIDTH_MAX_USUAL = 40;
/** Room for the cell's own margins. */
const PADDING = 3;
/** Widths that fit the header, the totals above it and the first rows. */
export function measure<R>(
  columns: readonly Column<R>[],
  content: { rows: readonly R[]; top: readonly Row[] },
): number[] {
  return columns.map((column, index) => {
    let widest = Math.max(shownWidth(column.title), fixedWidth(column));
    for (const row of content.top) widest = Math.max(widest, row[index]?.width ?? 0);
    for (const row of content.rows) widest = Math.max(widest, widthOf(column, row));
    const wanted = Math.min(widest, column.widthMax ?? WIDTH_MAX_USUAL);
    return Math.max(wanted, column.widthMin ?? WIDTH_MIN) + PADDING;
  });
}

/** What days and moments take whatever they are; a list below may share the columns of one without rows. */
function fixedWidth<R>({ kind }: Column<R>): number {
  return kind === 'day' || kind === 'time' ? FIXED_WIDTH[kind] : 0;
}

function widthOf<R>(column: Column<R>, row: R): number {
  if (column.kind === 'day' || column.kind === 'time') return fixedWidth(column);
  if (column.kind === 'text') return shownWidth(column.value(row) ?? '');
  if (column.kind === 'link') return shownWidth(column.value(row)?.text ?? '');
  if (column.kind === 'count') return (column.value(row) ?? 0).toLocaleString('en-US').length;
  const fen = column.value(row);
  return fen === null ? 0 : moneyWidth(fen);
}

type CellRenderer<R> = (row: R) => string;

interface Look {
  /** Of the columns, in characters: what runs over several lines makes its row as high. */
  widths: readonly number[];
  zone: Zone;
  styleId: (style: StyleName) => number;
}

/** One function a row: every column's fixed parts are made once, only the values are filled in. */
export function rowRenderer<R>(columns: readonly Column<R>[], look: Look): (row: R, rowNo: number) => string {
  const parts = columns.map((column, index) => ({
    open: `<c r="${columnLetters(index + 1)}`,
    // Of a link only the row knows whether it leads anywhere, and with it the style.
    style: column.kind === 'link' ? '' : styleOf(look, column.style ?? STYLE_OF_KIND[column.kind]),
    content: column.kind === 'link' ? linkRenderer(column, look) : contentRenderer(column, look.zone),
  }));
  const heightOf = heightRenderer(columns, look.widths);
  return (row, rowNo) => {
    let xml = `<row r="${rowNo}"${heightOf(row)}>`;
    for (const part of parts) xml += part.open + rowNo + part.style + part.content(row);
    return `${xml}</row>`;
  };
}

/** A line in points, of the usual font or a taller one that stands in for it, and the room above and below all of them. */
const LINE_POINTS = 14.5;
const ROW_MARGIN_POINTS = 3;
const LINES_MAX = 30;

/** The height attribute of rows whose texts wrap; viewers that do not measure rows themselves go by it. */
function heightRenderer<R>(columns: readonly Column<R>[], widths: readonly number[]): (row: R) => string {
  const wrapping = columns.flatMap((column, at) =>
    column.kind === 'text' && WRAPPING.has(column.style ?? 'text')
      ? [{ column, width: widths[at] ?? 1 }]
      : [],
  );
  if (wrapping.length === 0) return () => '';
  return (row) => {
    let lines = 1;
    for (const { column, width } of wrapping)
      lines = Math.max(lines, linesIn(column.value(row) ?? '', width));
    return lines === 1 ? '' : ` ht="${heightOf(lines)}"`;
  };
}

/** In points, of a row with these texts in columns of that width; undefined where one line holds each. */
export function wrappedHeight(texts: readonly string[], width: number): number | undefined {
  const lines = Math.max(...texts.map((text) => linesIn(text, width)));
  return lines === 1 ? undefined : heightOf(lines);
}

function linesIn(text: string, width: number): number {
  return linesOf(text, Math.max(width - WRAP_MARGIN, 1));
}

function heightOf(lines: number): number {
  return Math.min(lines, LINES_MAX) * LINE_POINTS + ROW_MARGIN_POINTS;
}

const WRAPPING: ReadonlySet<StyleName> = new Set(['textWrap', 'input']);
/** A line begins with a little room, and is seldom full to its last character. */
const WRAP_MARGIN = 3;

/** How many lines a text takes in a column of that width. */
function linesOf(text: string, width: number): number {
  let lines = 0;
  for (const line of text.split('\n')) lines += shownWidth(line) <= width ? 1 : wrappedLines(line, width);
  return lines;
}

/** A number or a word is not broken, and takes a sign behind it along; between wide characters any place will do. */
const UNBROKEN = /[\w.,:/-]+[^\w\s]?|./gu;

function wrappedLines(line: string, width: number): number {
  let [lines, used] = [1, 0];
  for (const [piece] of line.matchAll(UNBROKEN)) {
    const taken = shownWidth(piece);
    if (used > 0 && used + taken > width) {
      lines += 1;
      used = 0;
    }
    lines += Math.max(0, Math.ceil(taken / width) - 1);
    used += taken;
  }
  return lines;
}

const EMPTY = emptyCell().xml;

function styleOf({ styleId }: Look, style: StyleName): string {
  return `" s="${styleId(style)}"`;
}

type ColumnOf<R, K extends Column<R>['kind']> = Column<R> & { kind: K };

/** What leads nowhere looks like any other text. */
function linkRenderer<R>(column: ColumnOf<R, 'link'>, look: Look): CellRenderer<R> {
  const linked = styleOf(look, column.style ?? STYLE_OF_KIND.link);
  const plain = styleOf(look, 'text');
  return (row) => {
    const link = column.value(row);
    if (link === null) return plain + EMPTY;
    return leads(link) ? linked + linkXml(link) : plain + textContent(link.text);
  };
}

type Unlinked<R> = Exclude<Column<R>, { kind: 'link' }>;

function contentRenderer<R>(column: Unlinked<R>, zone: Zone): CellRenderer<R> {
  if (column.kind === 'text') return (row) => textContent(column.value(row));
  if (column.kind === 'money') return (row) => numberContent(column.value(row), yuanText);
  if (column.kind === 'count') return (row) => numberContent(column.value(row), String);
  if (column.kind === 'day')
    return (row) => numberContent(column.value(row), (day) => String(daySerial(day)));
  return (row) => numberContent(column.value(row), (instant) => timeSerial(zone, instant));
}

function textContent(text: string | null): string {
  return text === null || text === '' ? EMPTY : ` t="inlineStr">${inlineString(text)}</c>`;
}

function numberContent<V>(value: V | null, digits: (value: V) => string): string {
  return value === null ? EMPTY : `><v>${digits(value)}</v></c>`;
}
