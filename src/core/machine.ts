/** What this machine is, beside its clocks and disks: since when it runs, and where a user's programs keep their state. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Random at each start of the machine; containers on one machine share it. */
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';

/** Which start of the machine this is; empty where it does not say. */
export function bootIdentity(): string {
  try {
    return readFileSync(BOOT_ID_FILE, 'utf8').trim();
  } catch {
    return '';
  }
}

/** The process numbers that this process sees: those of its container, or of the whole machine. */
const OWN_NUMBERS = '/proc/self/ns/pid';

/**
 * Within what a process number says whose it is: one start of the machine and one space of process numbers; empty where
 * it cannot be told.
 */
export function processSpace(): string {
  const boot = bootIdentity();
  if (boot === '') return '';
  try {
    return `${boot} ${readlinkSync(OWN_NUMBERS)}`;
  } catch {
    return '';
  }
}

/** Enough that two installations of a user do not meet. */
const KEY_DIGITS = 16;

/**
 * The user's state folder, with a file of its own for each pair of home and database.
 * @param env of the process: XDG_STATE_HOME and HOME count
 */
export function usualMarkFile(
  env: Readonly<Record<string, string | undefined>>,
  of: { home: string; databaseUrl: string | undefined },
): string {
  const state = env['XDG_STATE_HOME'] || path.join(env['HOME'] || os.homedir(), '.local', 'state');
  const database = of.databaseUrl === undefined ? '' : placeOf(of.databaseUrl);
  const key = createHash('sha256').update(`${of.home}\n${database}`).digest('hex').slice(0, KEY_DIGITS);
  return path.resolve(state, 'recon', `settle-mark-${key}`);
}

/** Without user and password, which may change. */
function placeOf(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port}${pathname}`;
}
