/**
 * The lock of the embedded database, because two processes in one folder would destroy it. It is one of the kernel's, on
 * a file in the folder that SQLite holds exclusively, so all paths to the folder meet in it; it is over when its process
 * is, whoever starts next, also where processes of several containers share the folder and cannot see each other.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LockHeld, Stopped } from '../../core/errors.ts';

export interface FolderLock {
  release(): void;
}

/** SQLITE_BUSY, SQLITE_READONLY, SQLITE_CANTOPEN (https://sqlite.org/rescode.html): extended codes end in them. */
const [BUSY, READONLY, CANTOPEN] = [5, 8, 14];

const IN_FOLDER = 'recon.lock.sqlite';

/**
 * @throws LockHeld while another process holds it
 * @throws Stopped where its file cannot be written: then it would be shared by all who read it
 */
export function lockFolder(folder: string): FolderLock {
  const real = realpathSync(folder);
  // Older versions know only the one beside the folder, by the path that they are given.
  const beside = new Set([`${folder}.lock.sqlite`, `${real}.lock.sqlite`]);
  const held: FolderLock[] = [];
  const release = (): void => held.splice(0).forEach((lock) => lock.release());
  try {
    for (const file of [...beside, path.join(real, IN_FOLDER)]) held.push(lockFile(file));
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

function lockFile(file: string): FolderLock {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    // Of what is only read `exclusive` takes a lock that others may take too: only who writes is alone.
    lock.exec('pragma journal_mode = memory; begin exclusive; pragma user_version = 1');
  } catch (error) {
    lock?.close();
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
    if (code === BUSY) {
      throw new LockHeld(
        'another recon process uses this embedded database; wait for it, or set DATABASE_URL to a PostgreSQL database that several can use',
      );
    }
    if (code !== READONLY && code !== CANTOPEN) throw error;
    throw new Stopped(`the lock of the embedded database cannot be written: ${file}`);
  }
  const opened = lock;
  return { release: () => opened.close() };
}
