/** Moves a file of the inbox to `done/DAY/…` or `failed/DAY/…`, under a name that nothing has yet. */
import { link, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Stopped, codeOf, messageOf } from '../../src/core/errors.ts';
import type { Day } from '../../src/core/time.ts';
import { FAULTS, isUnchanged } from './inbox-place.ts';
import type { AWAY, Delivery } from './inbox-place.ts';

/**
 * @param of.given places where others are to lie, who are not moved yet
 * @returns where it is to lie, below the inbox
 * @throws Stopped where it cannot lie there
 */
export async function placeFor(
  inbox: string,
  { path: file }: Delivery,
  of: { to: (typeof AWAY)[number]; day: Day; given: ReadonlySet<string | null> },
): Promise<string> {
  const folder = path.posix.join(of.to, of.day, path.posix.dirname(file));
  return moving(file, folder, async () => {
    await mkdir(path.join(inbox, folder), { recursive: true });
    return freeName(inbox, path.posix.join(folder, path.posix.basename(file)), of.given);
  });
}

/**
 * @param of.faults what is written beside a file that failed, before it is moved
 * @returns false where another lies there by now: it stays for the next look
 * @throws Stopped where it cannot be moved: it stays where it is
 */
export async function putAway(
  inbox: string,
  delivery: Delivery,
  of: { target: string; faults?: string },
): Promise<boolean> {
  const [from, target] = [path.join(inbox, delivery.path), path.join(inbox, of.target)];
  return moving(delivery.path, path.posix.dirname(of.target), async () => {
    if (!(await isUnchanged(inbox, delivery))) return false;
    if (of.faults !== undefined) await writeFile(`${target}${FAULTS}`, `${of.faults}\n`);
    await rename(from, target);
    if (await isUnchanged(inbox, { ...delivery, path: of.target })) return true;
    // It took the place of the one that was looked at just before, and goes back unread.
    await goBack(target, from);
    await rm(`${target}${FAULTS}`, { force: true });
    return false;
  });
}

/** Where yet another one lies by now, that one has taken its place. */
async function goBack(target: string, from: string): Promise<void> {
  try {
    await link(target, from);
  } catch (error) {
    // Not every file system has a second name for a file.
    if (codeOf(error) !== 'EEXIST') return rename(target, from);
  }
  await rm(target);
}

async function moving<T>(file: string, folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const what = `cannot move ${file} of the inbox to ${folder}: ${messageOf(error)}`;
    throw new Stopped(what, {}, { cause: error });
  }
}

/** `erp-2.csv` where there is an `erp.csv`. Who moves holds the lease of the inbox. */
async function freeName(inbox: string, wanted: string, given: ReadonlySet<string | null>): Promise<string> {
  const { dir, name, ext } = path.posix.parse(wanted);
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? wanted : path.posix.join(dir, `${name}-${count}${ext}`);
    if (!given.has(candidate) && !(await isThere(path.join(inbox, candidate)))) return candidate;
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
