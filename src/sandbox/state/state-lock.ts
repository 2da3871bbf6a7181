/**
 * A lock file beside a state file: two sandboxes that append to one would tell two stories. It names the
 * process and its birth, so that a killed one, or another with its number, keeps nobody from starting.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { LockHeld, codeOf } from '../../core/errors.ts';

export interface StateLock {
  release(): void;
}

const ATTEMPTS_MAX = 5;

/** The locks of this process: its own number in another lock file is that of one that has gone. */
const heldHere = new Set<string>();

/** @throws LockHeld while a living process has it */
export function lockState(path: string): StateLock {
  const lockPath = `${path}.lock`;
  const me = `${process.pid} ${birthOf(process.pid)}`;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (created(lockPath, me)) {
      heldHere.add(lockPath);
      return { release: () => release(lockPath) };
    }
    const holder = contentOf(lockPath);
    if (holder === undefined) continue;
    if (isAlive(holder, lockPath)) {
      const pid = holder.split(' ')[0] ?? '';
      throw new LockHeld(
        `${path} is the state of a sandbox that is running (process ${pid}); stop it, or give another file`,
      );
    }
    takeAway(lockPath, { holder, aside: `${lockPath}.${process.pid}` });
  }
  throw new LockHeld(`several sandboxes are starting on ${path} at once; try again`);
}

function release(lockPath: string): void {
  heldHere.delete(lockPath);
  rmSync(lockPath, { force: true });
}

/** It comes with its content or not at all: an empty one would be that of nobody, and taken away. */
function created(lockPath: string, content: string): boolean {
  const whole = `${lockPath}.${content.replace(' ', '-')}`;
  try {
    // What a killed one left may be the lock itself under its other name: it must not be written to.
    rmSync(whole, { force: true });
    writeFileSync(whole, content, { flag: 'wx', mode: 0o600 });
    linkSync(whole, lockPath);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}

/** Undefined when it has gone meanwhile. */
function contentOf(lockPath: string): string | undefined {
  try {
    return readFileSync(lockPath, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes the lock of a dead process; where another starter was faster and it is no longer that one, it is put back. */
function takeAway(lockPath: string, { holder, aside }: { holder: string; aside: string }): void {
  try {
    renameSync(lockPath, aside);
    if (contentOf(aside) !== holder) linkSync(aside, lockPath);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAlive(holder: string, lockPath: string): boolean {
  const [pidText = '', birth = ''] = holder.split(' ');
  const pid = Number.parseInt(pidText, 10);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  if (pid === process.pid) return heldHere.has(lockPath);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  const bornNow = birthOf(pid);
  return bornNow === '' || bornNow === birth;
}

/** When that process began, in the kernel's ticks; empty where the system does not say. */
function birthOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return '';
  }
}
