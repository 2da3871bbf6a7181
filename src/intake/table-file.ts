/**
 * Opens a table people made: CSV or the first sheet of an .xlsx workbook, told apart by content and not by
 * name. Rows come as a stream with their cells by column, so that memory does not grow with the file.
 */
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

import { WrongInput } from '../core/errors.ts';
import type { CellFault } from './fault-list.ts';
import { isWorkbook, openFile, requireUnchanged, sizeAndTime, surveyFile, textRows } from './input-file.ts';
import type { SizeAndTime, Survey } from './input-file.ts';
import { cellText, plainText } from './spreadsheet-cell.ts';
import type { RawRow } from './spreadsheet-cell.ts';
import { readHeader } from './table-layout.ts';
import type { Header, TableLayout } from './table-layout.ts';

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
  /** When it was last changed, in ns as the file system states it. */
  changed: string;
  /** The columns its header has. */
  columns: ReadonlySet<string>;
  /** Every row that is not blank, once.  @throws WrongInput where the file cannot be read on */
  batches(): AsyncGenerator<readonly TableRow[]>;
  close(): Promise<void>;
}

/** Twice what a spreadsheet holds; one import is one transaction, and its statements take time with its rows. */
export const ROWS_MAX = 2_000_000;

/**
 * @throws WrongInput when there is no such file, it is no table, or its header is wrong
 */
export async function openTable(filePath: string, layout: TableLayout): Promise<OpenTable> {
  const file = path.basename(filePath);
  const handle = await openFile(filePath);
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
      changed: before.changed,
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
  { before, file }: { before: SizeAndTime; file: string },
): AsyncGenerator<readonly TableRow[]> {
  yield* batches;
  await requireUnchanged(handle, file, before);
}

function rawRows(handle: FileHandle, file: string, survey: Survey): AsyncGenerator<RawRow[]> {
  return isWorkbook(file, survey) ? spreadsheetRows(handle, file) : textRows(handle, file, survey);
}

async function* spreadsheetRows(handle: FileHandle, file: string): AsyncGenerator<RawRow[]> {
  const { xlsxRows } = await import('./xlsx-rows.ts');
  yield* xlsxRows(handle, file);
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
