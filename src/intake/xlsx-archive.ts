/**
 * The parts of an .xlsx file, which is a zip archive. Read by its directory (yauzl), so that parts come in the order
 * they are needed in, nothing is unpacked to disk, sizes are known and capped before a byte is inflated, and a corrupt
 * or cut file is said to be so (S12).
 */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { messageOf } from '../core/errors.ts';

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

/** A workbook has some dozens of parts; one with a thousand sheets some thousands. */
const PARTS_MAX = 65_535;

/** @throws DamagedArchive when the file is no zip archive or its directory is not whole */
export async function openArchive(handle: FileHandle): Promise<Archive> {
  try {
    const file = await yauzl.fromFdPromise(handle.fd, { lazyEntries: true, autoClose: false });
    const entries = await entriesOf(file);
    return {
      has: (name) => entries.has(name),
      read: (name, bytesMax) => readEntry(file, entries.get(name), { name, bytesMax }),
    };
  } catch (error) {
    if (error instanceof DamagedArchive) throw error;
    throw new DamagedArchive(`it is no whole archive (${messageOf(error)})`, { cause: error });
  }
}

async function entriesOf(file: ZipFile): Promise<Map<string, Entry>> {
  if (file.entryCount > PARTS_MAX) throw new DamagedArchive('its parts are more than a workbook can have');
  const entries = new Map<string, Entry>();
  for await (const entry of file.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

async function* readEntry(
  file: ZipFile,
  entry: Entry | undefined,
  { name, bytesMax }: { name: string; bytesMax: number },
): AsyncGenerator<Uint8Array> {
  if (entry === undefined) throw new DamagedArchive(`${name} is missing in it`);
  if (entry.isEncrypted()) throw new DamagedArchive('it is protected by a password');
  if (!entry.canDecodeFileData()) throw new DamagedArchive(`${name} is packed by an unknown method`);
  if (entry.uncompressedSize > bytesMax) throw new DamagedArchive(`${name} is larger than ${bytesMax} bytes`);
  let crc = 0;
  try {
    for await (const chunk of await file.openReadStreamPromise(entry)) {
      crc = crc32(chunk as Uint8Array, crc);
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw new DamagedArchive(`${name} is corrupt`, { cause: error });
  }
  if (crc !== entry.crc32) throw new DamagedArchive(`${name} is corrupt`);
}
