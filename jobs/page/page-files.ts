/**
 * Files that the page hands out: what the list of a run names, unchanged, inside the folder of reports. A request names
 * a run and a file of its list, and no part of it becomes a path.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../../src/core/errors.ts';
import { listFilesOfRun } from '../../src/store/runs/night-calendar.ts';
import type { DbOrTransaction } from '../../src/store/schema/schema.ts';
import { REPORTS } from '../night/publish/publish.ts';
import { prunedFiles } from '../prune/pruned-files.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.json': 'application/json; charset=utf-8',
};

/** Whether files of that name are handed out at all. */
export function hasContentType(name: string): boolean {
  return Object.hasOwn(CONTENT_TYPES, path.extname(name));
}

export interface OpenFile {
  name: string;
  contentType: string;
  bytes: number;
  handle: FileHandle;
}

/** `gone`: it is not where it was written; `pruned`: because policy removed it; `changed`: it is not what was published. */
export type NoFile = 'unknown' | 'gone' | 'pruned' | 'changed';

export interface Shelf {
  db: DbOrTransaction;
  home: string;
}

/** The handle is the caller's to close. */
export async function openPublished(
  { db, home }: Shelf,
  { runId, name }: { runId: string; name: string },
): Promise<OpenFile | NoFile> {
  const listed = (await listFilesOfRun(db, runId)).find((file) => path.basename(file.path) === name);
  const contentType = CONTENT_TYPES[path.extname(name)];
  if (listed === undefined || contentType === undefined) return 'unknown';
  const place = await placeOf(path.resolve(home, listed.path), home);
  const handle = place === undefined ? undefined : await openRegular(place);
  if (handle === undefined) return (await prunedFiles(db, [listed])).size === 0 ? 'gone' : 'pruned';
  const { size } = await handle.stat();
  if (BigInt(size) === listed.bytes && (await digestOf(handle)) === listed.sha256)
    return { name, contentType, bytes: size, handle };
  await handle.close();
  return 'changed';
}

/** Undefined where it is not there, lies elsewhere, or anything below the home folder is a link. */
async function placeOf(file: string, home: string): Promise<string | undefined> {
  const inside = path.relative(path.join(home, REPORTS), file);
  if (inside === '' || path.isAbsolute(inside) || inside.split(path.sep).includes('..')) return undefined;
  try {
    const wanted = path.join(await realpath(home), REPORTS, inside);
    return (await realpath(file)) === wanted ? wanted : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function openRegular(place: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

/** Of what is open, whatever takes its name meanwhile. */
async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(handle.createReadStream({ start: 0, autoClose: false }), hash);
  return hash.digest('hex');
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '');
}
