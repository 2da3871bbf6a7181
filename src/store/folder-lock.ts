/**
 * A lock file beside the embedded database, because two processes in one folder would destroy it. It names the
 * process, so that a killed one does not keep the next from starting.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { LockHeld } from '../core/errors.ts';

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * @throws LockHeld when a living process holds it
 */
export async function lockFolder(lockPath: string): Promise<FolderLock> {
  const me = `${process.pid} ${await birthOf(process.pid)}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await createdLock(lockPath, me)) return { release: () => rm(lockPath, { force: true }) };
    const holder = await readFile(lockPath, 'utf8').catch(() => '');
    if (await isAlive(holder)) {
      throw new LockHeld(
        `another recon process (${holder.split(' ')[0]}) uses this embedded database; wait for it, or set DATABASE_URL to a PostgreSQL database that several can use`,
      );
    }
    await rm(lockPath, { force: true });
  }
  throw new LockHeld('several recon processes are starting on this embedded database at once');
}

async function createdLock(lockPath: string, content: string): Promise<boolean> {
  try {
    await writeFile(lockPath, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAlive(holder: string): Promise<boolean> {
  const [pidText = '', birth = ''] = holder.split(' ');
  const pid = Number.parseInt(pidText, 10);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const bornNow = await birthOf(pid);
  return bornNow === '' || bornNow === birth;
}

/** When that process began, in the kernel's ticks; empty where the system does not say. Guards against reuse. */
async function birthOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
