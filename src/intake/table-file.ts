/**
 * Opens a table people made: CSV or the first sheet of an .xlsx workbook, told apart by content and not by
 * name. Rows come as a stream with their cells by column, so that memory does not grow with the file.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

import { messageOf, WrongInput } from '../core/errors.ts';
import { csvRows, delimiterOf } from './csv-rows.ts';
import type { CellFault } from './fault-list.ts';
import { cellText, plainText } from './spreadsheet-cell.ts';
import type { RawRow } from './spreadsheet-cell.ts';
import { readHeader } from './table-layout.ts';
import type { Header, TableLayout } from './table-layout.ts';
import { Utf8Probe, encodingOfInvalidUtf8 } from './text-encoding.ts';

export interface TableRow {
  /** From 1, the header row and blank rows counted, as a spreadsheet shows it. */
  row: number;
  /** The text of each known column; cells that have no readable text are missing here and faults. */
  cells: ReadonlyMap<string, string>;
  faults: readonly CellFault[];
}

export interface OpenTable {
  /** The file's name without its folder. */
  file: string;
  sha256: string;
  /** The columns its header has. */
  columns: ReadonlySet<string>;
  /** Every row that is not blank, once.  @throws WrongInput where the file cannot be read on */
  batches(): AsyncGenerator<readonly TableRow[]>;
  close(): Promise<void>;
}

/** Twice what a spreadsheet holds; one import is one transaction, and its statements take time with its rows. */
const ROWS_MAX = 2_000_000;
/** Two million rows of five hundred bytes. */
const FILE_BYTES_MAX = 1_073_741_824;
/** Enough to hold any header row. */
const BEGINNING_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

/**
 * @throws WrongInput when there is no such file, it is no table, or its header is wrong
 */
export async function openTable(filePath: string, layout: TableLayout): Promise<OpenTable> {
  const file = path.basename(filePath);
  const handle = await openFile(filePath, file);
  let rows: Rows | undefined;
  const close = async (): Promise<void> => {
    await rows?.return(undefined);
    await handle.close();
  };
  try {
    const before = await sizeAndTime(handle, file);
    const survey = await surveyFile(handle, file);
    rows = rawRows(handle, file, survey);
    const start = await readUntilHeader(rows, { layout, file });
    return {
      file,
      sha256: survey.sha256,
      columns: new Set(start.header.flatMap((column) => (column === undefined ? [] : [column.name]))),
      batches: () => unchangedRows(handle, tableRows(start, file), { before, file }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* unchangedRows(
  handle: FileHandle,
  batches: AsyncGenerator<readonly TableRow[]>,
  { before, file }: { before: string; file: string },
): AsyncGenerator<readonly TableRow[]> {
  yield* batches;
  const after = await sizeAndTime(handle, file);
  if (after !== before) throw new WrongInput(`${file} was changed while it was read`);
}

async function openFile(filePath: string, file: string): Promise<FileHandle> {
  try {
    return await open(filePath, 'r');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = code === 'ENOENT' ? 'there is no such file' : messageOf(error);
    throw new WrongInput(`cannot read ${file}: ${reason}`, [], { path: filePath }, { cause: error });
  }
}

/** Changes when the file does. */
async function sizeAndTime(handle: FileHandle, file: string): Promise<string> {
  const stat = await handle.stat();
  if (!stat.isFile()) throw new WrongInput(`cannot read ${file}: it is not a file`);
  if (stat.size === 0) throw new WrongInput(`${file} is empty`);
  if (stat.size > FILE_BYTES_MAX)
    throw new WrongInput(`${file} is larger than ${FILE_BYTES_MAX} bytes; split it`);
  return `${stat.size} ${stat.mtimeMs}`;
}

interface Survey {
  sha256: string;
  validUtf8: boolean;
  beginning: Buffer;
}

/** One look at the whole file: what it is, and what it will be recognised by. */
async function surveyFile(handle: FileHandle, file: string): Promise<Survey> {
  const hash = createHash('sha256');
  const probe = new Utf8Probe();
  let beginning: Buffer | undefined;
  for await (const chunk of chunksOf(handle)) {
    beginning ??= Buffer.from(chunk.subarray(0, BEGINNING_BYTES));
    hash.update(chunk);
    probe.feed(chunk);
  }
  probe.end();
  if (beginning === undefined) throw new WrongInput(`${file} is empty`);
  return { sha256: hash.digest('hex'), validUtf8: probe.valid, beginning };
}

function chunksOf(handle: FileHandle): AsyncIterable<Uint8Array> {
  return handle.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES });
}

function rawRows(handle: FileHandle, file: string, survey: Survey): AsyncGenerator<RawRow[]> {
  const beginning = survey.beginning.toString('latin1', 0, 8);
  if (beginning.startsWith('PK\x03\x04')) return spreadsheetRows(handle, file);
  const wrong = notText(beginning);
  if (wrong !== undefined) throw new WrongInput(`${file} ${wrong}`);
  return textRows(handle, file, survey);
}

/** Files that are often given by mistake, by their first bytes. */
function notText(beginning: string): string | undefined {
  if (beginning.startsWith('\xD0\xCF\x11\xE0')) {
    return 'is an old .xls or a workbook with a password; save it as .xlsx without one';
  }
  if (beginning.startsWith('\xFF\xFE') || beginning.startsWith('\xFE\xFF')) {
    return 'is UTF-16 text; save it as CSV UTF-8';
  }
  return beginning.startsWith('%PDF') ? 'is a PDF, not a table' : undefined;
}

async function* spreadsheetRows(handle: FileHandle, file: string): AsyncGenerator<RawRow[]> {
  const { xlsxRows } = await import('./xlsx-rows.ts');
  yield* xlsxRows(handle, file);
}

async function* textRows(handle: FileHandle, file: string, survey: Survey): AsyncGenerator<RawRow[]> {
  const encoding = survey.validUtf8 ? 'utf-8' : await encodingOfInvalidUtf8(chunksOf(handle), file);
  const beginning = new TextDecoder(encoding).decode(survey.beginning);
  yield* csvRows({ file, chunks: chunksOf(handle), encoding, delimiter: delimiterOf(beginning) });
}

type Rows = AsyncGenerator<RawRow[]>;

interface Start {
  header: Header;
  /** What came together with the header row. */
  first: RawRow[];
  rest: Rows;
}

async function readUntilHeader(
  rows: Rows,
  { layout, file }: { layout: TableLayout; file: string },
): Promise<Start> {
  for (let next = await rows.next(); next.done !== true; next = await rows.next()) {
    const at = next.value.findIndex((row) => !isBlank(row));
    const top = next.value[at];
    if (top === undefined) continue;
    const header = readHeader(top.cells.map(plainText), layout, file);
    return { header, first: next.value.slice(at + 1), rest: rows };
  }
  throw new WrongInput(`${file} is empty`);
}

function isBlank(row: RawRow): boolean {
  return row.cells.every((cell) => typeof cell === 'string' && cell.trim() === '');
}

async function* tableRows(start: Start, file: string): AsyncGenerator<readonly TableRow[]> {
  let count = 0;
  const convert = (batch: readonly RawRow[]): TableRow[] => {
    const found = batch.filter((row) => !isBlank(row)).map((row) => tableRow(row, start.header));
    count += found.length;
    if (count > ROWS_MAX) throw new WrongInput(`${file} has more than ${ROWS_MAX} rows; split it by month`);
    return found;
  };
  yield convert(start.first);
  for await (const batch of start.rest) yield convert(batch);
}

function tableRow(raw: RawRow, header: Header): TableRow {
  const cells = new Map<string, string>();
  const faults: CellFault[] = [];
  if (raw.complete && raw.cells.length < header.length) {
    const reason = `the row has ${raw.cells.length} cells and the header ${header.length}`;
    faults.push({ column: '', value: '', reason });
  }
  for (let at = 0; at < raw.cells.length; at++) {
    const column = header[at];
    const text = cellText(raw.cells[at] ?? '', column?.form ?? 'text');
    if (typeof text !== 'string') faults.push({ column: column?.name ?? '', ...text });
    else if (column !== undefined) cells.set(column.name, text.trim());
    else if (text.trim() !== '') faults.push({ column: '', value: text, reason: NAMELESS });
  }
  return { row: raw.row, cells, faults };
}

const NAMELESS = 'stands in a column without a name (an unquoted delimiter further left?)';
