/** Whether the folder of the job can be written and has room, without leaving anything behind. */
import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, messageOf } from '../../src/core/errors.ts';
import type { Check } from './doctor-check.ts';

const MEGABYTE = 1_048_576n;
/** A night of a million records writes some hundred megabytes. */
const FREE_MB_WARN = 1_024n;
const FREE_MB_FAIL = 64n;

export async function checkDisk(home: string): Promise<Check[]> {
  try {
    const folder = await nearestFolder(home);
    const probe = await mkdtemp(path.join(folder, '.recon-doctor-'));
    await rmdir(probe);
    const { bavail, bsize } = await statfs(folder, { bigint: true });
    const freeMb = (bavail * bsize) / MEGABYTE;
    const name = folder === home ? home : `${home} (made by the first command)`;
    const state = freeMb < FREE_MB_FAIL ? 'fail' : freeMb < FREE_MB_WARN ? 'warn' : 'ok';
    return [
      { name: 'folder', state: 'ok', detail: `${name} can be written` },
      { name: 'disk', state, detail: `${freeMb} MB free` },
    ];
  } catch (error) {
    return [{ name: 'folder', state: 'fail', detail: `${home} cannot be written: ${messageOf(error)}` }];
  }
}

/** The folder itself, or the first above it that is there. */
async function nearestFolder(folder: string): Promise<string> {
  const known = await stat(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return known === undefined ? nearestFolder(path.dirname(folder)) : folder;
}
