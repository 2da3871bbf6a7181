/** The mark of a machine that has been in use: nobody has to live through the wait of a first use. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileMark } from '../../../jobs/night/settle/high-water-mark.ts';
import { diskFiles } from '../../../src/core/files.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { booksId, serverStart } from '../../../src/settlements/settle-guard.ts';

export async function sureMark(file: string, db: Db): Promise<void> {
  const now = { books: await booksId(db), boot: bootIdentity(), server: await serverStart(db) };
  const mark = { sequence: 0n, reqId: '', heldUntil: undefined, isDoubtful: false };
  await fileMark(diskFiles(), file).write({ ...mark, ...now });
}

/** Outside RECON_HOME, beside it. */
export function markFileOf(home: string): string {
  return path.join(`${home}-state`, 'settle-mark');
}

export async function removed(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
