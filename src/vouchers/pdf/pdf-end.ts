/** Reads the end of a PDF that we wrote: what is needed to go on with it, and the notes that were left there for that. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file as it is on record: its beginning, where something follows by now. */
export interface FormerFile {
  path: string;
  bytes: number;
  sha256: string;
}

export interface PdfEnd {
  /** Numbers in use: the next object has this one. */
  objects: number;
  /** The permanent half of the file's identity. */
  id: string;
  /** Where its newest table begins. */
  start: number;
  notes: NotesPlace;
}

export interface NotesPlace {
  at: number;
  bytes: number;
}

const END_BYTES = 512;
const END =
  /trailer\n<< \/Size (\d+) \/Root \d+ 0 R \/Info \d+ 0 R \/ID \[<([0-9a-f]{32})> <[0-9a-f]{32}>\](?: \/Prev \d+)? \/RECON_Notes \[(\d+) (\d+)\] >>\nstartxref\n(\d+)\n%%EOF\n$/;

/** Undefined where a file of ours does not end after so many bytes. */
export function readEnd(descriptor: number, bytes: number): PdfEnd | undefined {
  const from = Math.max(0, bytes - END_BYTES);
  const found = END.exec(readAt(descriptor, { at: from, bytes: bytes - from }).toString('latin1'));
  if (found === null) return undefined;
  const [, objects = '', id = '', at = '', length = '', start = ''] = found;
  const notes = { at: Number.parseInt(at, 10), bytes: Number.parseInt(length, 10) };
  const isInside = notes.at + notes.bytes <= bytes;
  return isInside
    ? { objects: Number.parseInt(objects, 10), id, start: Number.parseInt(start, 10), notes }
    : undefined;
}

export function readAt(descriptor: number, { at, bytes }: NotesPlace): Buffer {
  const read = Buffer.alloc(bytes);
  return read.subarray(0, readSync(descriptor, read, 0, bytes, at));
}

/** What `work` makes of the open file and its size; undefined where there is none. */
export function withFile<T>(path: string, work: (descriptor: number, size: number) => T): T | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return work(descriptor, fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

const CHUNK_BYTES = 1_048_576;

/** The bytes on record, a piece at a time; fewer where the file has become shorter. */
export function* chunksOf({ path, bytes }: FormerFile): Generator<Uint8Array, void> {
  const descriptor = openSync(path, 'r');
  try {
    for (let at = 0; at < bytes;) {
      const chunk = readAt(descriptor, { at, bytes: Math.min(CHUNK_BYTES, bytes - at) });
      if (chunk.byteLength === 0) return;
      yield chunk;
      at += chunk.byteLength;
    }
  } finally {
    closeSync(descriptor);
  }
}
