/**
 * Rows of the sheets of an .xlsx workbook, as a stream: memory holds the shared texts and one
 * chunk. The reader of exceljs is not used here: a corrupt file makes it wait for ever, a cut one passes as
 * whole, what it unpacks has no limit, and it needs 3 KB of memory per row.
 */
import type { FileHandle } from 'node:fs/promises';

import { messageOf, WrongInput } from '../core/errors.ts';
import { DAY_MS, SECOND_MS, instantOf } from '../core/time.ts';
import { plainText } from './spreadsheet-cell.ts';
import type { RawCell, RawRow } from './spreadsheet-cell.ts';
import { DamagedArchive, openArchive } from './xlsx-archive.ts';
import type { Archive } from './xlsx-archive.ts';
import { addTo, readNotedCells, readWorkbook } from './xlsx-workbook.ts';
import type { Workbook } from './xlsx-workbook.ts';
import { cellString, joinedText, xmlReader } from './xlsx-xml.ts';
import type { XmlHandler } from './xlsx-xml.ts';

/** The largest sheet a spreadsheet can hold, filled with a ledger, has about one gigabyte of XML. */
const SHEET_BYTES_MAX = 4_294_967_296;
/** A spreadsheet has no column beyond XFD. */
const COLUMNS_MAX = 16_384;

/** @throws WrongInput when the file is damaged or no workbook */
export async function* xlsxRows(handle: FileHandle, file: string): AsyncGenerator<RawRow[]> {
  const opened = await openWorkbook(handle, file);
  const first = opened.workbook.sheets.find(({ hidden }) => !hidden);
  if (first === undefined) throw unreadable(file, 'it has no visible sheet');
  yield* sheetRows(opened, first.part, file);
}

/** A sheet by its name; its rows are read once, before those of the next one. */
export interface NamedSheet {
  name: string;
  rows: AsyncGenerator<RawRow[]>;
  /** Cells that are one to the eye, `R7:R9`; known once the rows have been read. */
  merged: readonly string[];
  /** The cells that have a note, `R7`. @throws WrongInput where the file cannot be read on */
  noted: () => Promise<readonly string[]>;
}

/** Every sheet, hidden ones too. @throws WrongInput when the file is damaged or no workbook */
export async function* xlsxSheets(handle: FileHandle, file: string): AsyncGenerator<NamedSheet> {
  const opened = await openWorkbook(handle, file);
  for (const { name, part } of opened.workbook.sheets) {
    const noted = (): Promise<string[]> => orWrongInput(file, () => readNotedCells(opened.archive, part));
    const merged: string[] = [];
    yield { name, rows: sheetRows(opened, part, file, merged), merged, noted };
  }
}

interface OpenWorkbook {
  archive: Archive;
  workbook: Workbook;
}

function openWorkbook(handle: FileHandle, file: string): Promise<OpenWorkbook> {
  return orWrongInput(file, async () => {
    const archive = await openArchive(handle);
    return { archive, workbook: await readWorkbook(archive) };
  });
}

async function* sheetRows(
  { archive, workbook }: OpenWorkbook,
  part: string,
  file: string,
  merged?: string[],
): AsyncGenerator<RawRow[]> {
  const chunks = archive.read(part, SHEET_BYTES_MAX);
  const rows: RawRow[] = [];
  const reader = xmlReader(sheetHandler(workbook, { push: (row) => rows.push(row), merged }));
  for (;;) {
    const chunk = await orWrongInput(file, async () => {
      const next = await chunks.next();
      if (next.done === true) reader.end();
      else reader.write(next.value);
      return next;
    });
    if (rows.length > 0) yield rows.splice(0);
    if (chunk.done === true) return;
  }
}

async function orWrongInput<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const reason =
      error instanceof DamagedArchive ? error.message : `its content is corrupt (${firstLine(error)})`;
    throw unreadable(file, reason, error);
  }
}

function unreadable(file: string, reason: string, cause?: unknown): WrongInput {
  return new WrongInput(`${file} is no readable .xlsx workbook: ${reason}`, [], {}, { cause });
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0] ?? '';
}

interface OpenCell {
  column: number;
  type: string;
  style: number;
  formula: boolean;
  value: string | undefined;
}

function sheetHandler(
  workbook: Workbook,
  { push, merged }: { push: (row: RawRow) => void; merged: string[] | undefined },
): XmlHandler {
  let row = 0;
  let cells: RawCell[] = [];
  let formulas: number[] = [];
  let cell: OpenCell | undefined;
  let column = 0;
  let inValue = false;
  let inPhonetic = false;
  return {
    open(name, attributes) {
      if (name === 'row') {
        row = attributes['r'] === undefined ? row + 1 : Number(attributes['r']);
        [cells, formulas, column] = [[], [], 0];
      } else if (name === 'c') {
        column = columnOf(attributes['r'], column + 1);
        const style = Number(attributes['s'] ?? '0');
        cell = { column, type: attributes['t'] ?? 'n', style, formula: false, value: undefined };
      } else if (name === 'mergeCell' && merged) addTo(merged, attributes['ref'] ?? '');
      else if (cell === undefined) return;
      else if (name === 'f') cell.formula = true;
      else if (name === 'rPh') inPhonetic = true;
      else if (name === 'v' || (name === 't' && !inPhonetic)) {
        inValue = true;
        cell.value ??= '';
      }
    },
    text(piece) {
      if (inValue && cell) cell.value = joinedText(cell.value ?? '', piece);
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'rPh') inPhonetic = false;
      else if (name === 'c' && cell) {
        place(cells, cell.column, valueOf(cell, workbook));
        if (cell.formula) formulas.push(cell.column - 1);
        cell = undefined;
      } else if (name === 'row') push({ row, cells, formulas, complete: false });
    },
  };
}

/** One that has a format and says nothing needs no place beyond the others, be it in the last column. */
function place(cells: RawCell[], column: number, value: RawCell): void {
  if (value === '' && column > cells.length) return;
  while (cells.length < column - 1) cells.push('');
  cells[column - 1] = value;
}

/** `AB12` is column 28; a cell that does not say where it is comes next. */
function columnOf(reference: string | undefined, next: number): number {
  let column = reference === undefined ? next : 0;
  for (const letter of reference ?? '') {
    const code = letter.charCodeAt(0) - 0x40;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  if (column < 1 || column > COLUMNS_MAX) throw new DamagedArchive('a cell has no place');
  return column;
}

/** A date cell without an offset; another keeps what it says, to be read or refused. */
const LOCAL_ISO = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?$/;

function valueOf(cell: OpenCell, workbook: Workbook): RawCell {
  const value = cell.value;
  if (value === undefined) return cell.formula ? withoutResult() : '';
  switch (cell.type) {
    case 's':
      return sharedString(workbook, value);
    case 'inlineStr':
    case 'str':
      return cellString(value);
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return { value, reason: 'is an error of the spreadsheet' };
    case 'd':
      return { time: value.replace(LOCAL_ISO, '$1 $2') };
    default:
      return numberOf(value, cell, workbook);
  }
}

function withoutResult(): RawCell {
  const reason = 'is a formula without a stored result; open the file in a spreadsheet program and save it';
  return { value: '', reason };
}

function sharedString(workbook: Workbook, index: string): string {
  const text = workbook.sharedStrings[Number(index)];
  if (text === undefined) throw new DamagedArchive('a cell refers to a text that is not there');
  return text;
}

function numberOf(value: string, cell: OpenCell, workbook: Workbook): RawCell {
  if (value.trim() === '') return cell.formula ? withoutResult() : '';
  const number = Number(value);
  if (!Number.isFinite(number)) return { value, reason: 'is no number' };
  const style = workbook.numberStyles[cell.style];
  if (style === 'percent') return percentOf(number);
  return style === 'date' ? dateOf(number, workbook.from1904) : { number };
}

/** As it was typed: `6%`, of which the cell keeps 0.06. */
function percentOf(share: number): string {
  return `${plainText({ number: share * 100 })}%`;
}

/** 1970-01-01 counted from 1899-12-30, the day that makes serial numbers from March 1900 on come out right. */
const UNIX_EPOCH_SERIAL = 25_569;
const SERIALS_TO_1904 = 1_462;
/** 2199-12-31, the last day anything is believed of. */
const SERIAL_MAX = 109_574;

function dateOf(serial: number, from1904: boolean): RawCell {
  const days = from1904 ? serial + SERIALS_TO_1904 : serial;
  if (days < 0 || days > SERIAL_MAX) return { number: serial };
  const seconds = Math.round(((days - UNIX_EPOCH_SERIAL) * DAY_MS) / SECOND_MS);
  return {
    time: instantOf(seconds * SECOND_MS)
      .slice(0, 19)
      .replace('T', ' '),
  };
}
