/** Moves a file of the inbox to `done/DAY/…` or `failed/DAY/…`, under a name that nothing has yet. */
import { lstat, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Stopped, codeOf, messageOf } from '../../src/core/errors.ts';
import type { Day } from '../../src/core/time.ts';

export interface PuttingAway {
  inbox: string;
  /** Below the inbox. */
  file: string;
  to: 'done' | 'failed';
  day: Day;
  /** What is written beside a file that failed, before it is moved. */
  faults?: string;
}

/** How the list beside a file is called. */
const FAULTS = '.faults.txt';

/** @returns where it lies now, below the inbox. @throws Stopped where it cannot be moved: it stays where it is */
export async function putAway({ inbox, file, to, day, faults }: PuttingAway): Promise<string> {
  const folder = path.posix.join(to, day, path.posix.dirname(file));
  try {
    await mkdir(path.join(inbox, folder), { recursive: true });
    const target = await freeName(inbox, path.posix.join(folder, path.posix.basename(file)));
    if (faults !== undefined) await writeFile(path.join(inbox, `${target}${FAULTS}`), `${faults}\n`);
    await rename(path.join(inbox, file), path.join(inbox, target));
    return target;
  } catch (error) {
    throw new Stopped(
      `cannot move ${file} of the inbox to ${folder}: ${messageOf(error)}`,
      {},
      { cause: error },
    );
  }
}

/** `erp-2.csv` where there is an `erp.csv`. Who moves holds the lease of the inbox. */
async function freeName(inbox: string, wanted: string): Promise<string> {
  const { dir, name, ext } = path.posix.parse(wanted);
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? wanted : path.posix.join(dir, `${name}-${count}${ext}`);
    if (!(await isThere(path.join(inbox, candidate)))) return candidate;
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
