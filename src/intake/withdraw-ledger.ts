/**
 * `ledger withdraw`: takes what a file brought, or all of a source, out of the books. Every entry stays as a version
 * that was withdrawn; taking the file in again brings it back as the next one.
 */
import path from 'node:path';
import type { Transaction } from 'kysely';

import { WrongInput } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Clock, Files, Log } from '../core/ports.ts';
import type { Instant, Zone } from '../core/time.ts';
import { claimIntake, markWithdrawn } from '../store/intake/intake-files.ts';
import {
  clearCompleteTo,
  findCompleteTo,
  holdWithdrawn,
  listMissing,
} from '../store/intake/ledger-complete.ts';
import { listLedgerFiles } from '../store/intake/ledger-sources.ts';
import type { LedgerFile } from '../store/intake/ledger-sources.ts';
import { restoreFormer, sumToWithdraw, withdrawEntries } from '../store/intake/ledger-withdrawal.ts';
import type { EntrySum } from '../store/intake/ledger-withdrawal.ts';
import { deletePullMark, forgetPullMark, hasPullMark } from '../store/intake/pull-marks.ts';
import type { Db, Tables } from '../store/schema/schema.ts';
import { takeWriteNo } from '../store/database/writing.ts';
import { counted } from '../core/text.ts';

export interface WithdrawRequest {
  db: Db;
  files: Pick<Files, 'size' | 'sha256'>;
  zone: Zone;
  clock: Clock;
  log: Log;
  /** A file on the disk, the name under which one was taken in, or its id; without one, all of the source. */
  file?: string | undefined;
  source?: string | undefined;
  /** Without it, a whole source is only looked at. */
  confirmed: boolean;
}

/** The `--json` answer. */
export interface WithdrawResult extends EntrySum {
  schema: 1;
  done: boolean;
  source: string;
  /** Null: all of the source. */
  file: Pick<LedgerFile, 'fileId' | 'name' | 'sha256' | 'rows'> | null;
  /** Entries that got back what they were before the file changed them. */
  restored: number;
  /** As the source stated it; of a whole source, and of one that is pulled, it is taken back, of a file of the inbox to its day. */
  completeTo: Instant | null;
  /** As the source states it now. */
  completeNow: Instant | null;
}

/**
 * @throws WrongInput when there is no such file or source, or several files are meant
 * @throws LockHeld when an import is under way
 */
export async function withdrawLedger(request: WithdrawRequest): Promise<WithdrawResult> {
  const digest = await digestOf(request);
  const result = await request.db.transaction().execute(async (trx) => {
    await claimIntake(trx);
    const known = await listLedgerFiles(trx);
    if (request.file === undefined) {
      // Of one that never came nothing but what is missing is forgotten.
      const names = [...known.map(({ source }) => source), ...(await listMissing(trx))];
      return withdrawSource(trx, request, requireSource(request.source, names));
    }
    return withdrawFile(trx, request, { known, file: requireFile(request, known, digest) });
  });
  const { done, source, file, entries, restored } = result;
  if (done) request.log.info({ event: 'ledger.withdrawn', source, file: file?.name, entries, restored });
  return result;
}

/** Of the file on the disk; undefined where there is none of that name. */
async function digestOf({ file, files }: WithdrawRequest): Promise<string | undefined> {
  if (file === undefined || (await files.size(file)) === undefined) return undefined;
  return files.sha256(file);
}

async function withdrawSource(
  trx: Transaction<Tables>,
  { clock, zone, confirmed }: WithdrawRequest,
  source: string,
): Promise<WithdrawResult> {
  const sum = await sumToWithdraw(trx, { source }, zone.name);
  const completeTo = await findCompleteTo(trx, source);
  const result = { schema: 1, source, file: null, ...sum, restored: 0, completeTo } as const;
  if (!confirmed) return { ...result, completeNow: completeTo, done: false };
  if (sum.entries > 0) await withdrawEntries(trx, { source }, await takeWriteNo(trx));
  await markWithdrawn(trx, { source, at: clock.wall() });
  // No night waits for it any more, and a pull begins anew; the mark first, by which a pull under way states what it states.
  await deletePullMark(trx, source);
  await clearCompleteTo(trx, source);
  return { ...result, completeNow: null, done: true };
}

async function withdrawFile(
  trx: Transaction<Tables>,
  { clock, zone }: WithdrawRequest,
  { known, file }: { known: readonly LedgerFile[]; file: LedgerFile },
): Promise<WithdrawResult> {
  const { fileId, source, name, sha256, rows, withdrawnAt, ofDay } = file;
  const of = { source, fileId };
  const sum = await sumToWithdraw(trx, of, zone.name);
  await markWithdrawn(trx, { ...of, at: clock.wall() });
  let restored = 0;
  if (sum.entries > 0) {
    const writeNo = await takeWriteNo(trx);
    await withdrawEntries(trx, of, writeNo);
    restored = await restoreFormer(trx, { ...of, writeNo });
  }
  const completeTo = await findCompleteTo(trx, source);
  // Nobody hands in a pull anew: the next one brings what the database has, and until then nothing is whole.
  if (await hasPullMark(trx, source)) {
    await forgetPullMark(trx, source);
    await clearCompleteTo(trx, source);
  }
  // What it said of its day, that nothing moved too, it says no more.
  if (ofDay !== null && withdrawnAt === null && !isOvertaken({ known, file }))
    await holdWithdrawn(trx, { source, day: ofDay, fromDay: sum.fromDay, zone });
  const completeNow = await findCompleteTo(trx, source);
  const told = { fileId, name, sha256, rows };
  return { schema: 1, done: true, source, file: told, ...sum, restored, completeTo, completeNow };
}

/** Nothing of it is in the books, and of what it had another file of its day says what is true. */
function isOvertaken({ known, file }: { known: readonly LedgerFile[]; file: LedgerFile }): boolean {
  if (file.rows === 0 || file.entries > 0) return false;
  return known.some(
    (one) =>
      one.fileId !== file.fileId &&
      one.source === file.source &&
      one.ofDay === file.ofDay &&
      one.withdrawnAt === null,
  );
}

function requireSource(source: string | undefined, known: readonly string[]): string {
  const names = [...new Set(known)].toSorted();
  if (source === undefined) throw new WrongInput('name what to withdraw: a file, or a whole --source NAME');
  if (names.includes(source)) return source;
  const meant = nearest(source, names);
  if (meant !== undefined) throw new WrongInput(`there is no source "${source}"; did you mean "${meant}"?`);
  const list = names.length === 0 ? 'nothing was ever taken in' : `there are ${quoted(names)}`;
  throw new WrongInput(`there is no source "${source}"; ${list}`);
}

/** By its bytes where it lies on the disk, else by id or name; of one that came twice, the one of that name that stands. */
function requireFile(
  { file = '', source }: WithdrawRequest,
  known: readonly LedgerFile[],
  digest: string | undefined,
): LedgerFile {
  if (source !== undefined)
    requireSource(
      source,
      known.map((one) => one.source),
    );
  const inSource = known.filter((one) => source === undefined || one.source === source);
  const named = inSource.filter((one) => one.fileId === file || one.name === path.basename(file));
  const found = digest === undefined ? named : inSource.filter((one) => one.sha256 === digest);
  const where = source === undefined ? '' : ` in "${source}"`;
  if (found.length === 0 && digest !== undefined && named.length > 0) {
    throw new WrongInput(
      `${file} was never taken in${where} as it is now; by its id, what had that name can be withdrawn:`,
      named.map(fileText),
    );
  }
  if (found.length === 0)
    throw new WrongInput(`${file} was never taken in${where}; "recon ledger sources" shows what was`);
  const called = orAll(found, (one) => named.includes(one));
  const meant = orAll(called, (one) => one.withdrawnAt === null);
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return only;
  throw new WrongInput(
    `${file} may be several files; name one by its id, or its --source:`,
    meant.map(fileText),
  );
}

/** Those of which it holds, or all where it holds of none. */
function orAll(files: readonly LedgerFile[], holds: (one: LedgerFile) => boolean): readonly LedgerFile[] {
  const some = files.filter(holds);
  return some.length > 0 ? some : files;
}

function fileText({ fileId, name, source, rows, entries }: LedgerFile): string {
  return `${fileId}: ${name} of "${source}", ${counted(rows, 'row')}, ${entries} of them in the books`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
