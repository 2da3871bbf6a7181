/**
 * The parts of an .xlsx file, which is a zip archive. Read by its directory, so that parts come in the order
 * they are needed in, nothing is unpacked to disk, sizes are known and capped before a byte is inflated, and
 * a spoilt or cut file is said to be so (S12).
 */
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

interface ArchiveEntry {
  name: string;
  encrypted: boolean;
  method: number;
  crc: number;
  packedBytes: number;
  unpackedBytes: number;
  headerOffset: number;
}

export interface Archive {
  has(name: string): boolean;
  /**
   * The bytes of a part, checked against the directory's size and checksum.
   * @throws DamagedArchive when it is not there, too large, or not what the directory says
   */
  read(name: string, bytesMax: number): AsyncGenerator<Uint8Array>;
}

/** Why a file cannot be read as an archive; the caller knows the file's name. */
export class DamagedArchive extends Error {}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** The end record may be followed by a comment of up to 65,535 bytes. */
const END_SEARCH_BYTES = END_BYTES + 65_535;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCATOR64_BYTES = 20;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
/** Stands for "see the 64-bit field". */
const ELSEWHERE = 0xffffffff;
const EXTRA_64 = 0x0001;

/** A workbook has some dozens of parts; one with a thousand sheets some thousands. */
const DIRECTORY_BYTES_MAX = 16_777_216;
const METHOD_STORED = 0;
const METHOD_DEFLATED = 8;

/** @throws DamagedArchive when the file is no zip archive or its directory is not whole */
export async function openArchive(handle: FileHandle): Promise<Archive> {
  const { size } = await handle.stat();
  const directory = await readDirectory(handle, size);
  const entries = new Map(directory.map((entry) => [entry.name, entry]));
  return {
    has: (name) => entries.has(name),
    read: (name, bytesMax) => readEntry(handle, entries.get(name), { name, bytesMax }),
  };
}

async function readDirectory(handle: FileHandle, size: number): Promise<ArchiveEntry[]> {
  const tail = await readBytes(
    handle,
    Math.max(0, size - END_SEARCH_BYTES),
    Math.min(size, END_SEARCH_BYTES),
  );
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) throw new DamagedArchive('its end is missing');
  let [bytes, offset] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (offset === ELSEWHERE || bytes === ELSEWHERE) [bytes, offset] = await readEnd64(handle, tail, end);
  if (bytes > DIRECTORY_BYTES_MAX || offset + bytes > size)
    throw new DamagedArchive('its directory is not whole');
  return entriesOf(await readBytes(handle, offset, bytes));
}

async function readEnd64(handle: FileHandle, tail: Buffer, end: number): Promise<[number, number]> {
  const locator = end - LOCATOR64_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR64_SIGNATURE) {
    throw new DamagedArchive('its directory is not whole');
  }
  const record = await readBytes(handle, safeNumber(tail.readBigUInt64LE(locator + 8)), 56);
  if (record.readUInt32LE(0) !== END64_SIGNATURE) throw new DamagedArchive('its directory is not whole');
  return [safeNumber(record.readBigUInt64LE(40)), safeNumber(record.readBigUInt64LE(48))];
}

function entriesOf(directory: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  for (let at = 0; at < directory.length;) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw new DamagedArchive('its directory is not whole');
    }
    const [nameBytes, extraBytes] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30)];
    const extraAt = at + ENTRY_BYTES + nameBytes;
    entries.push({
      name: directory.toString('utf8', at + ENTRY_BYTES, extraAt).replaceAll('\\', '/'),
      encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      ...sizesOf(directory, at, directory.subarray(extraAt, extraAt + extraBytes)),
    });
    at = extraAt + extraBytes + directory.readUInt16LE(at + 32);
  }
  return entries;
}

type Sizes = Pick<ArchiveEntry, 'packedBytes' | 'unpackedBytes' | 'headerOffset'>;

/** Large values stand in an extra field, in this order, and only those that are elsewhere. */
function sizesOf(directory: Buffer, at: number, extra: Buffer): Sizes {
  const field = extraField(extra);
  let next = 0;
  const value = (offset: number): number => {
    const short = directory.readUInt32LE(at + offset);
    if (short !== ELSEWHERE) return short;
    if (next + 8 > field.length) throw new DamagedArchive('its directory is not whole');
    next += 8;
    return safeNumber(field.readBigUInt64LE(next - 8));
  };
  const unpackedBytes = value(24);
  const packedBytes = value(20);
  return { packedBytes, unpackedBytes, headerOffset: value(42) };
}

function extraField(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === EXTRA_64)
      return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
  }
  return Buffer.alloc(0);
}

async function* readEntry(
  handle: FileHandle,
  entry: ArchiveEntry | undefined,
  { name, bytesMax }: { name: string; bytesMax: number },
): AsyncGenerator<Uint8Array> {
  if (entry === undefined) throw new DamagedArchive(`${name} is missing in it`);
  if (entry.encrypted) throw new DamagedArchive('it is protected by a password');
  if (entry.unpackedBytes > bytesMax) throw new DamagedArchive(`${name} is larger than ${bytesMax} bytes`);
  let [bytes, crc] = [0, 0];
  for await (const chunk of unpack(handle, entry, await dataOffset(handle, entry))) {
    bytes += chunk.length;
    if (bytes > entry.unpackedBytes) break;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (bytes !== entry.unpackedBytes || crc !== entry.crc) throw new DamagedArchive(`${name} is spoilt`);
}

async function dataOffset(handle: FileHandle, entry: ArchiveEntry): Promise<number> {
  const header = await readBytes(handle, entry.headerOffset, LOCAL_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new DamagedArchive(`${entry.name} is spoilt`);
  return entry.headerOffset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function unpack(handle: FileHandle, entry: ArchiveEntry, start: number): AsyncIterable<Uint8Array> {
  if (entry.method !== METHOD_STORED && entry.method !== METHOD_DEFLATED) {
    throw new DamagedArchive(`${entry.name} is packed by an unknown method`);
  }
  if (entry.packedBytes === 0) return emptyStream();
  const packed = handle.createReadStream({ start, end: start + entry.packedBytes - 1, autoClose: false });
  // A fault of the file reaches the reader through the inflating stream, which the pipeline destroys with it.
  return entry.method === METHOD_STORED ? packed : pipeline(packed, createInflateRaw(), () => undefined);
}

// eslint-disable-next-line eslint/require-yield
async function* emptyStream(): AsyncGenerator<Uint8Array> {}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  if (bytesRead < length) throw new DamagedArchive('its end is missing');
  return buffer;
}

function safeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new DamagedArchive('its directory is not whole');
  return number;
}
