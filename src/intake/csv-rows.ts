/** Rows of a CSV file: comma, semicolon or tab, quoted as spreadsheets do, any line end. */
import { CsvError, parse } from 'csv-parse';
import { Readable, pipeline } from 'node:stream';

import { WrongInput } from '../core/errors.ts';
import type { RawRow } from './spreadsheet-cell.ts';
import { decodeGbk } from './text-encoding.ts';
import type { TextEncoding } from './text-encoding.ts';

/** A row of text this long has a quotation mark that was never closed. */
const ROW_BYTES_MAX = 1_048_576;
/** Rows handed on at a time: few enough to stay small, many enough that waiting costs nothing. */
const BATCH_ROWS = 1_000;

const DELIMITERS = [',', ';', '\t'] as const;

/** The one that most rows have equally often, outside quotation marks; the more frequent one where two are alike. */
export function delimiterOf(beginning: string): string {
  const byDelimiter = new Map<string, number[]>(DELIMITERS.map((delimiter) => [delimiter, [0]]));
  let quoted = false;
  for (const character of beginning.trimStart()) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n' || character === '\r') for (const counts of byDelimiter.values()) counts.push(0);
    const counts = byDelimiter.get(character);
    if (counts) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
  }
  const agreed = DELIMITERS.map((delimiter) => ({
    delimiter,
    ...mostAlike(byDelimiter.get(delimiter) ?? []),
  }));
  agreed.sort((one, other) => other.rows - one.rows || other.count - one.count);
  return agreed[0]?.delimiter ?? ',';
}

/** In how many rows it stands equally often, and how often. */
function mostAlike(counts: readonly number[]): { rows: number; count: number } {
  const rows = new Map<number, number>();
  for (const count of counts) if (count > 0) rows.set(count, (rows.get(count) ?? 0) + 1);
  const [[count, most] = [0, 0]] = [...rows].toSorted((one, other) => other[1] - one[1] || other[0] - one[0]);
  return { rows: most, count };
}

export interface CsvSource {
  file: string;
  chunks: AsyncIterable<Uint8Array>;
  encoding: TextEncoding;
  delimiter: string;
}

/** @throws WrongInput where quotation marks make no sense, with the row */
export async function* csvRows(source: CsvSource): AsyncGenerator<RawRow[]> {
  const text = source.encoding === 'utf-8' ? source.chunks : decodeGbk(source.chunks, source.file);
  const parser = parse({
    bom: true,
    delimiter: source.delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: ROW_BYTES_MAX,
  });
  let row = 0;
  let batch: RawRow[] = [];
  try {
    // The parser passes on every fault of the source, so the pipeline's own report is not needed.
    for await (const cells of pipeline(Readable.from(text), parser, () => undefined) as AsyncIterable<
      string[]
    >) {
      batch.push({ row: ++row, cells, complete: true });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
  } catch (error) {
    throw error instanceof CsvError ? wrongCsv(error, source.file) : error;
  }
  if (batch.length > 0) yield batch;
}

/** Rows that were read but not yet handed on are lost with the fault, so the parser's own count is the right one. */
function wrongCsv(error: CsvError, file: string): WrongInput {
  const place = typeof error['records'] === 'number' ? ` from row ${error['records'] + 1} on` : '';
  return new WrongInput(`${file} is no readable CSV${place}: ${reasonOf(error)}`);
}

function reasonOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE') {
    return 'a quotation mark opens there and is never closed';
  }
  if (error.code === 'INVALID_OPENING_QUOTE' || error.code === 'CSV_INVALID_CLOSING_QUOTE') {
    return 'a quotation mark stands inside a cell; quote the whole cell and double the mark';
  }
  return `the parser says ${error.code}`;
}
