/**
 * The folder of the embedded database is its owner's alone. PGlite writes its files readable and writable for everybody,
 * and who writes `pg_hba.conf` or a table's file rewrites the books: the folder keeps everybody else out.
 */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Stopped } from '../../core/errors.ts';

const OWNER_ONLY = 0o700;
const FILE_OWNER_ONLY = 0o600;
const OF_OTHERS = 0o077;

/** What others may do there, as `ls` counts it (`755`); undefined where they may do nothing. */
export async function openToOthers(folder: string): Promise<string | undefined> {
  const { mode } = await stat(folder);
  return (mode & OF_OTHERS) === 0 ? undefined : (mode & 0o777).toString(8);
}

/**
 * Makes the folder where there is none. One that stood open is closed with all that lies in it, so that a copy of it, or
 * somebody who went in before, finds nothing open either.
 * @throws Stopped when it belongs to somebody else
 */
export async function makePrivate(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true, mode: OWNER_ONLY });
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  const { uid } = await stat(folder);
  const me = process.getuid?.();
  if (me !== undefined && me !== 0 && uid !== me) {
    throw new Stopped(`the folder of the embedded database belongs to another user: ${folder}`);
  }
  if ((await openToOthers(folder)) === undefined) return;
  await chmod(folder, OWNER_ONLY);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue;
    const mode = entry.isDirectory() ? OWNER_ONLY : FILE_OWNER_ONLY;
    await chmod(path.join(entry.parentPath, entry.name), mode);
  }
}
