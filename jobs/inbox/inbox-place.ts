/**
 * What lies in the inbox and what each file is, told by the folder it lies in and never by its content: `accounts/`,
 * `orders/`, `ledger/` for the ledger of that name, `ledger/NAME/` for another one. A ledger file states its day in its
 * name: the books are complete to the end of it.
 */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Stopped, codeOf, messageOf } from '../../src/core/errors.ts';
import { addDays, parseDay } from '../../src/core/time.ts';
import type { Day, Instant, Zone } from '../../src/core/time.ts';

export const KINDS = ['accounts', 'orders', 'ledger'] as const;
export type InboxKind = (typeof KINDS)[number];

/** Where files go once they were looked at. */
export const AWAY = ['done', 'failed'] as const;

/** How the list beside a file that failed is called; who delivers that one again need not leave it there. */
export const FAULTS = '.faults.txt';

/** A file of the inbox. */
export interface Delivery {
  /** Below the inbox, with `/` between its parts. */
  path: string;
  /** When it was last changed, in ns as the file system states it. */
  changed: string;
  kind: InboxKind | null;
  /** Of a ledger file: its name; else empty. */
  source: string;
  /**
   * Of a ledger file: the day that its name states, else the last one that is over, and the instant its source is complete
   * to; null where it says nothing of that.
   */
  day: Day | null;
  completeTo: Instant | null;
  /** Why it is not taken in now; null: it is. */
  left: { as: 'waiting' | 'misplaced' | 'failed'; reason: string } | null;
}

/** A file that was changed this recently may still be written. */
export const QUIET_SECONDS = 30;

/** The ledger whose files lie in `ledger/` itself; the usual `--source` of `recon ledger import`. */
const USUAL_SOURCE = 'ledger';

/** How writers call what they have not finished. */
const UNFINISHED = /(?:\.(?:part|tmp|partial|filepart|crdownload)$)|^~\$/i;

/** Where a file lies once its writer has finished it. */
export function finishedPath({ path: file }: Pick<Delivery, 'path'>): string {
  const { dir, base } = path.posix.parse(file);
  return path.posix.join(dir, base.replace(UNFINISHED, ''));
}

export interface Looking {
  inbox: string;
  zone: Zone;
  /** By the job's clock: a day that is not over is complete in no ledger. */
  today: Day;
  /** By the clock that files have. */
  nowMs: number;
}

/**
 * In the order in which they are taken in: accounts, orders, ledgers, each as they were written, so that of two files
 * that state the same the later one counts, whatever they are called.
 * @throws Stopped
 */
export async function lookAtInbox(of: Looking): Promise<Delivery[]> {
  const deliveries = await allThere(of, new Set());
  const place = ({ kind }: Delivery): number => (kind === null ? KINDS.length : KINDS.indexOf(kind));
  const age = (one: Delivery, other: Delivery): number => Number(BigInt(one.changed) - BigInt(other.changed));
  return deliveries.toSorted(
    (one, other) => place(one) - place(other) || age(one, other) || (one.path < other.path ? -1 : 1),
  );
}

/**
 * What has gone since it was listed may have another name by now, and is looked for again.
 * @param gone what was listed before and was not found
 */
async function allThere(of: Looking, gone: ReadonlySet<string>): Promise<Delivery[]> {
  const found = await listFiles(of.inbox, '');
  const looked = await Promise.all(
    found.map(async (file) => (await deliveryOf(file, of)) ?? (gone.has(file) ? unfindable(file, of) : file)),
  );
  const missed = looked.filter((one) => typeof one === 'string');
  if (missed.length > 0) return allThere(of, new Set([...gone, ...missed]));
  return looked.filter((one) => typeof one !== 'string');
}

/** Bytes of a name that are no UTF-8 are not found under the signs by which they are listed. */
function unfindable(file: string, of: Looking): Delivery {
  const reason = 'it is listed and cannot be found, as under a name in GBK: rename it, in UTF-8';
  return { ...placeOf(file, of), path: file, changed: '0', left: { as: 'misplaced', reason } };
}

/** Paths below the inbox; hidden files are those of systems and of writers that rename when they are done, lists of faults ours. */
async function listFiles(inbox: string, below: string): Promise<string[]> {
  const entries = await entriesOf(inbox, below);
  // A folder that has gone is found no more than a file.
  if (entries === undefined) return [below];
  const found: string[] = [];
  for (const entry of entries) {
    const isAway = below === '' && (AWAY as readonly string[]).includes(entry.name);
    if (isAway || entry.name.startsWith('.') || entry.name.endsWith(FAULTS)) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await listFiles(inbox, name)));
    else found.push(name);
  }
  return found;
}

async function entriesOf(inbox: string, below: string) {
  const folder = path.join(inbox, below);
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && below !== '') return undefined;
    const why = codeOf(error) === 'ENOENT' ? 'there is no such folder' : messageOf(error);
    throw new Stopped(`the inbox cannot be read: ${folder}: ${why}`, {}, { cause: error });
  }
}

/** Whether what lies there is what was looked at: whoever delivers may have changed, replaced or taken it since. */
export async function isUnchanged(inbox: string, { path: file, changed }: Delivery): Promise<boolean> {
  try {
    return String((await lstat(path.join(inbox, file), { bigint: true })).mtimeNs) === changed;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw new Stopped(`cannot look at ${file} in the inbox: ${messageOf(error)}`, {}, { cause: error });
  }
}

/** Undefined where it has gone since it was listed. */
async function deliveryOf(file: string, of: Looking): Promise<Delivery | undefined> {
  try {
    const seen = await lstat(path.join(of.inbox, file), { bigint: true });
    const changed = String(seen.mtimeNs);
    const told = placeOf(file, of);
    if (!seen.isFile()) {
      return { ...told, path: file, changed, left: { as: 'misplaced', reason: 'it is no regular file' } };
    }
    // A time that lies ahead is another machine's; when it came to be so is told by this one.
    const changedMs = Number(seen.mtimeMs) > of.nowMs ? Number(seen.ctimeMs) : Number(seen.mtimeMs);
    const isYoung = of.nowMs - changedMs < QUIET_SECONDS * 1_000;
    const reason = `it was changed within the last ${QUIET_SECONDS} seconds and may still be written`;
    // What is refused is put away as well, and nothing from under its writer.
    const isPutAway = told.left === null || told.left.as === 'failed';
    const left = isYoung && isPutAway ? { as: 'waiting' as const, reason } : told.left;
    return { ...told, path: file, changed, left };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new Stopped(`cannot look at ${file} in the inbox: ${messageOf(error)}`, {}, { cause: error });
  }
}

const NOWHERE = `it lies in none of ${KINDS.map((kind) => `${kind}/`).join(', ')} and ledger/NAME/`;

function placeOf(file: string, of: Looking): Omit<Delivery, 'path' | 'changed'> {
  const parts = file.split('/');
  const name = parts.at(-1) ?? '';
  const kind = KINDS.find((known) => known === parts[0]) ?? null;
  const depth = parts.length;
  const source = kind === 'ledger' ? (depth > 2 ? (parts[1] ?? '') : USUAL_SOURCE) : '';
  if (kind === null || depth < 2 || depth > (kind === 'ledger' ? 3 : 2)) {
    // Whose books lie too deep can be told, and of which day they are.
    const day =
      parts
        .slice(2)
        .map(dayInName)
        .findLast((stated) => stated !== undefined) ?? lastDay(of);
    const told = kind === 'ledger' && depth > 3 ? { kind, source, ...NO_DAY, day } : NOTHING;
    return { ...told, left: { as: 'misplaced', reason: NOWHERE } };
  }
  if (UNFINISHED.test(name)) {
    const reason = 'by its name it is not finished; whoever writes it renames it then';
    const day = kind === 'ledger' ? (dayInName(name) ?? null) : null;
    return { kind, source, day, completeTo: null, left: { as: 'waiting', reason } };
  }
  if (kind !== 'ledger') return { kind, source, ...NO_DAY, left: null };
  return { kind, source, ...completeness(name, of) };
}

const NO_DAY = { day: null, completeTo: null } as const;
const NOTHING = { kind: null, source: '', ...NO_DAY } as const;

/** Books that state no day may be of any: the last one that is over is not whole without them. */
const lastDay = ({ today }: Looking): Day => addDays(today, -1);

function completeness(name: string, of: Looking): Pick<Delivery, 'day' | 'completeTo' | 'left'> {
  const { zone, today } = of;
  const day = dayInName(name);
  if (day === undefined) {
    const reason =
      'its name states no day: write the last day it is complete for, such as erp-2026-03-01.csv';
    return { ...NO_DAY, day: lastDay(of), left: { as: 'failed', reason } };
  }
  const completeTo = zone.dayStart(addDays(day, 1));
  if (day < today) return { day, completeTo, left: null };
  return {
    day,
    completeTo,
    left: { as: 'waiting', reason: `it states ${day}, which is not over yet (today is ${today})` },
  };
}

/** The last day a name states, as `2026-03-01` or `20260301`. */
export function dayInName(name: string): Day | undefined {
  const stem = path.basename(name, path.extname(name));
  return [...stem.matchAll(/(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)/g)]
    .map(([, year, , month, day]) => parseDay(`${year}-${month}-${day}`))
    .findLast((day) => day !== undefined);
}
