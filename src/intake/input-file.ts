/** A file that people give: opened, looked through once, and told by its content what it is. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { codeOf, messageOf, WrongInput } from '../core/errors.ts';
import { csvRows, delimiterOf } from './csv-rows.ts';
import type { RawRow } from './spreadsheet-cell.ts';
import { Utf8Probe, encodingOfInvalidUtf8 } from './text-encoding.ts';

/** Two million rows of five hundred bytes. */
const FILE_BYTES_MAX = 1_073_741_824;
/** Enough to hold any header row. */
const BEGINNING_BYTES = 65_536;
const CHUNK_BYTES = 262_144;

export async function openFile(filePath: string): Promise<FileHandle> {
  try {
    return await open(filePath, 'r');
  } catch (error) {
    const reason = codeOf(error) === 'ENOENT' ? 'there is no such file' : messageOf(error);
    throw new WrongInput(`cannot read ${filePath}: ${reason}`, [], { path: filePath }, { cause: error });
  }
}

/** Both change when the file does; the time is in ns as the file system states it. */
export interface SizeAndTime {
  size: bigint;
  changed: string;
}

export async function sizeAndTime(handle: FileHandle, file: string): Promise<SizeAndTime> {
  const stat = await handle.stat({ bigint: true });
  if (!stat.isFile()) throw new WrongInput(`cannot read ${file}: it is not a file`);
  if (stat.size === 0n) throw new WrongInput(`${file} is empty`);
  if (stat.size > FILE_BYTES_MAX)
    throw new WrongInput(`${file} is larger than ${FILE_BYTES_MAX} bytes; split it`);
  return { size: stat.size, changed: String(stat.mtimeNs) };
}

/** @throws WrongInput where it is not what it was before it was read */
export async function requireUnchanged(handle: FileHandle, file: string, before: SizeAndTime): Promise<void> {
  const after = await sizeAndTime(handle, file);
  if (after.size !== before.size || after.changed !== before.changed)
    throw new WrongInput(`${file} was changed while it was read`);
}

export interface Survey {
  sha256: string;
  validUtf8: boolean;
  beginning: Buffer;
}

/** One look at the whole file: what it is, and what it will be recognised by. */
export async function surveyFile(handle: FileHandle, file: string): Promise<Survey> {
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

/** Whether it is a workbook; else it is text. @throws WrongInput when it is neither */
export function isWorkbook(file: string, survey: Survey): boolean {
  const beginning = survey.beginning.toString('latin1', 0, 8);
  if (beginning.startsWith('PK\x03\x04')) return true;
  const wrong = notText(beginning);
  if (wrong !== undefined) throw new WrongInput(`${file} ${wrong}`);
  return false;
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

export async function* textRows(handle: FileHandle, file: string, survey: Survey): AsyncGenerator<RawRow[]> {
  const encoding = survey.validUtf8 ? 'utf-8' : await encodingOfInvalidUtf8(chunksOf(handle), file);
  const beginning = new TextDecoder(encoding).decode(survey.beginning);
  yield* csvRows({ file, chunks: chunksOf(handle), encoding, delimiter: delimiterOf(beginning) });
}
