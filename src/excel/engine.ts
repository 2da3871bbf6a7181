/**
 * exceljs's streaming writer, loaded when first used, with the few inner parts that ready-made rows need.
 * Only this file knows the library's inside; its exact version is pinned.
 */
import { createWriteStream } from 'node:fs';
import type { Style } from 'exceljs';
import type { Instant } from '../core/time.ts';
import { chartXml, drawingXml } from './chart.ts';
import type { Chart } from './chart.ts';

/** A worksheet that is being streamed, as far as we use it. */
export interface EngineSheet {
  /** The library's own stream into the archive; it has no back-pressure, its first pipe has. `uncork` flushes. */
  readonly stream: { uncork(): void; readonly pipes: readonly Pipe[] };
  columns: readonly { width: number; hidden?: boolean; outlineLevel?: number }[];
  autoFilter: string | null;
  startedData: boolean;
  readonly rowBreaks: object[];
  readonly dataValidations: { add(range: string, validation: object): void };
  addConditionalFormatting(rule: object): void;
  commit(): void;
  readonly _sheetRelsWriter: { addRelationship(relation: { Type: string; Target: string }): string };
  _write(xml: string): void;
  _writeLegacyData(): void;
  _writeColumns(): void;
  _writeOpenSheetData(): void;
}

/** An old kind of stream, which tells its backlog only in its state. */
interface Pipe {
  readonly _writableState: { readonly length: number; readonly needDrain: boolean };
  once(event: 'drain', listener: () => void): unknown;
  write(bytes: Uint8Array): unknown;
}

interface Archive {
  append(source: unknown, data: object): unknown;
  abort(): unknown;
  finalize(): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

interface EngineBook {
  readonly zip: Archive;
  readonly styles: { addStyleModel(style: Partial<Style>, type?: number): number };
  readonly definedNames: { add(place: string, name: string): void };
  views: readonly object[];
  addWorksheet(name: string, options: object): EngineSheet;
  commit(): Promise<unknown>;
}

export interface Engine {
  addSheet(name: string, options: object): EngineSheet;
  styleId(style: Partial<Style>): number;
  nameCell(name: string, place: string): void;
  /** Writes what stands before the rows, once: the column widths the sheet has by then. */
  startRows(sheet: EngineSheet): void;
  /** Adds ready XML to the sheet's part, after all that the library wrote so far. */
  write(sheet: EngineSheet, xml: Uint8Array): void;
  /** Waits while too much is on its way to the disk; rejects once the disk refused. */
  drained(sheet: EngineSheet): Promise<void>;
  /** Puts charts over the sheet's cells; once a sheet, before it ends. */
  draw(sheet: EngineSheet, charts: readonly Chart[]): void;
  finish(): Promise<void>;
  /** Gives up; the half file is the caller's to remove. */
  abandon(): Promise<void>;
}

/**
 * Every entry of the archive carries this time instead of that of the writing, so that the same content is the
 * same archive. It is the earliest a zip can state.
 */
const ENTRY_TIME = '1980-01-01T00:00:00Z';

/** Beyond this the writer waits for the disk; it bounds memory and keeps the compressor busy. */
const BYTES_WAITING_MAX = 512 * 1024;

/** Output of the compressor comes in pieces of this size; the default of 16 KiB costs a tenth of the time. */
const ZIP_CHUNK_BYTES = 128 * 1024;

/** Level 1: the rows are so alike that higher levels take five times as long for a tenth of the size. */
const ZIP_LEVEL = 1;

export async function openEngine(options: {
  path: string;
  createdAt: Instant;
  creator: string;
}): Promise<Engine> {
  const { default: exceljs } = await import('exceljs');
  const file = createWriteStream(options.path);
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  const failed = new Promise<never>((_resolve, reject) => file.once('error', reject));
  // The failure is awaited wherever the writer waits; until then it must not count as unhandled.
  failed.catch(() => undefined);
  // The library adds its first entries while it is constructed, so the times are fixed from within.
  class FixedTimesWriter extends exceljs.stream.xlsx.WorkbookWriter {
    override addThemes(): Promise<void> {
      fixEntryTimes((this as unknown as EngineBook).zip);
      return super.addThemes();
    }
  }
  const book = new FixedTimesWriter({
    stream: file,
    useSharedStrings: false,
    useStyles: true,
    zip: { zlib: { level: ZIP_LEVEL, chunkSize: ZIP_CHUNK_BYTES } },
    ...documentFacts(options),
  }) as unknown as EngineBook;
  const parts: Parts = { drawings: 0, charts: 0 };
  nameParts(book.zip, parts);
  endQuietly(book.zip);
  book.zip.on('error', (error) => file.destroy(error));
  book.views = [{ activeTab: 0, firstSheet: 0 }];
  return {
    addSheet: (name, sheetOptions) => book.addWorksheet(name, sheetOptions),
    styleId: (style) => book.styles.addStyleModel(style),
    nameCell: (name, place) => book.definedNames.add(place, name),
    startRows,
    write: writeThrough,
    drained: (sheet) => drained(sheet, failed),
    draw: (sheet, charts) => draw(book.zip, parts, { sheet, charts }),
    finish: async () => {
      await Promise.race([book.commit(), failed]);
      await Promise.race([closed, failed]);
    },
    abandon: async () => {
      book.zip.abort();
      file.destroy();
      await closed;
    },
  };
}

/** The library asks its dates for these two readings only; a JavaScript date is not needed for that. */
function documentFacts(options: { createdAt: Instant; creator: string }): object {
  const created = { toISOString: () => options.createdAt, getTime: () => 0 };
  return { created, modified: created, creator: options.creator, lastModifiedBy: options.creator };
}

function fixEntryTimes(zip: Archive): void {
  const append = zip.append.bind(zip);
  zip.append = (source, data) => append(source, { ...data, date: ENTRY_TIME });
}

/**
 * The library ends the archive without awaiting it: of one that was given up meanwhile that failure would end the process,
 * in place of the reason it was given up for. What fails otherwise is told by the event too.
 */
function endQuietly(zip: Archive): void {
  const finalize = zip.finalize.bind(zip);
  zip.finalize = () => finalize().catch(() => undefined);
}

/** Parts that the library does not know of, counted over the workbook. */
interface Parts {
  drawings: number;
  charts: number;
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument';
const CONTENT_TYPES = '[Content_Types].xml';

/** The package's list of contents names every part; the library writes it at the end, without ours. */
function nameParts(zip: Archive, parts: Parts): void {
  const append = zip.append.bind(zip);
  zip.append = (source, data) => {
    const isList = 'name' in data && data.name === CONTENT_TYPES && typeof source === 'string';
    return append(isList ? source.replace('</Types>', `${partTypes(parts)}</Types>`) : source, data);
  };
}

function partTypes({ drawings, charts }: Parts): string {
  const named = (count: number, part: string, type: string): string =>
    Array.from(
      { length: count },
      (_, at) => `<Override PartName="/xl/${part}${at + 1}.xml" ContentType="${CONTENT}.${type}+xml"/>`,
    ).join('');
  return named(drawings, 'drawings/drawing', 'drawing') + named(charts, 'charts/chart', 'drawingml.chart');
}

/* oxlint-disable eslint/no-underscore-dangle -- the library's inner parts, which nothing else here may touch */

/** The library writes the widths with the first row it renders itself; ours are rendered elsewhere. */
function startRows(sheet: EngineSheet): void {
  if (sheet.startedData) return;
  sheet._writeColumns();
  sheet._writeOpenSheetData();
  sheet.startedData = true;
}

/** Straight into the stream's pipe: the stream itself would copy every byte into buffers of its own. */
function writeThrough(sheet: EngineSheet, xml: Uint8Array): void {
  const [pipe] = sheet.stream.pipes;
  if (!pipe) throw new Error('Bug: the sheet is not connected to its archive');
  sheet.stream.uncork();
  pipe.write(xml);
}

async function drained(sheet: EngineSheet, failed: Promise<never>): Promise<void> {
  const [pipe] = sheet.stream.pipes;
  const state = pipe?._writableState;
  if (!state?.needDrain || state.length <= BYTES_WAITING_MAX) return;
  const free = new Promise<void>((resolve) => pipe?.once('drain', () => resolve()));
  await Promise.race([free, failed]);
}

/** The sheet names its drawing, the drawing its charts; the mark stands where the library would put that of comments. */
function draw(zip: Archive, parts: Parts, of: { sheet: EngineSheet; charts: readonly Chart[] }): void {
  const { sheet, charts } = of;
  if (charts.length === 0) return;
  parts.drawings += 1;
  const drawing = `drawing${parts.drawings}.xml`;
  const relations = charts.map((chart, at) => {
    parts.charts += 1;
    zip.append(chartXml(chart), { name: `xl/charts/chart${parts.charts}.xml` });
    return `<Relationship Id="rId${at + 1}" Type="${OFFICE}/chart" Target="../charts/chart${parts.charts}.xml"/>`;
  });
  zip.append(drawingXml(charts), { name: `xl/drawings/${drawing}` });
  zip.append(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`,
    {
      name: `xl/drawings/_rels/${drawing}.rels`,
    },
  );
  const id = sheet._sheetRelsWriter.addRelationship({
    Type: `${OFFICE}/drawing`,
    Target: `../drawings/${drawing}`,
  });
  sheet._writeLegacyData = () => sheet._write(`<drawing r:id="${id}"/>`);
}
