/**
 * The zip of a month: originals, bundles, indexes and manifests in one file, for who keeps it elsewhere. Stored and not
 * deflated, because PDFs are packed already; the same files give the same bytes, in every time zone.
 */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { ZipFile } from 'yazl';

import type { Files } from '../../core/ports.ts';
import { epochMs } from '../../core/time.ts';
import type { Instant, Zone } from '../../core/time.ts';

export interface ZipEntry {
  /** The file on the disk. */
  source: string;
  /** Its name in the zip, with forward slashes; ours, never one from outside. */
  name: string;
}

export interface MonthZip {
  path: string;
  /** The time all entries carry, in the zone's local form: the format knows no zones. */
  madeAt: Instant;
  zone: Zone;
  /** In this order, each name once. */
  entries: readonly ZipEntry[];
}

/** Files of the owner only, as everything else is (S11). */
const ENTRY_MODE = 0o100_600;

/** Writes the zip whole or not at all, file by file, with memory that does not grow. @throws Stopped */
export async function writeMonthZip(files: Files, zip: MonthZip): Promise<void> {
  const mtime = dateIn(zip);
  await files.writeWholeWith(zip.path, async (temporary) => {
    const archive = new ZipFile();
    const output = createWriteStream(temporary, { flags: 'r+' });
    const written = once(output, 'close');
    const options = { compress: false, mode: ENTRY_MODE, mtime, forceDosTimestamp: true };
    const failed = new Promise<never>((_resolve, reject) => {
      archive.on('error', reject);
      archive.outputStream.on('error', reject);
    });
    archive.outputStream.pipe(output);
    for (const { source, name } of zip.entries) archive.addFile(source, name, options);
    archive.end();
    try {
      await Promise.race([written, failed]);
    } finally {
      output.destroy();
    }
  });
}

/** What yazl reads of a date. A real one would be read in the machine's zone, and the bytes would depend on it. */
function dateIn({ madeAt, zone }: MonthZip): Date {
  const [year = 1980, month = 1, day = 1, hour = 0, minute = 0, second = 0] = zone
    .localText(madeAt)
    .split(/[- :]/)
    .map((part) => Number.parseInt(part, 10));
  const face = {
    getFullYear: () => year,
    getMonth: () => month - 1,
    getDate: () => day,
    getHours: () => hour,
    getMinutes: () => minute,
    getSeconds: () => second,
    getTime: () => epochMs(madeAt),
    valueOf: () => epochMs(madeAt),
  };
  return face as Date;
}
