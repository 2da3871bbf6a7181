/** `ledger import`: takes in a file of the company's books, whole or not at all. */
import type { Transaction } from 'kysely';

import { WrongInput } from '../core/errors.ts';
import { SOURCE_NAME, SOURCE_SIGNS } from '../core/text.ts';
import { addDays } from '../core/time.ts';
import type { Day, Instant, Zone } from '../core/time.ts';
import type { Window } from '../core/window.ts';
import { NO_ACCOUNTS, isAnyAccount } from '../store/intake/accounts.ts';
import { claimIntake, saveIntakeFile } from '../store/intake/intake-files.ts';
import { findCompleteTo, saveCompleteTo, stateDay } from '../store/intake/ledger-complete.ts';
import {
  LEDGER_STAGE,
  entriesOfUnknownAccounts,
  planForWholeFiles,
  repeatedEntries,
  saveStagedEntries,
  stageHasNews,
  stagedSpan,
} from '../store/intake/ledger-entries.ts';
import { hasToWithdraw, withdrawEntries } from '../store/intake/ledger-withdrawal.ts';
import { forgetPullMark } from '../store/intake/pull-marks.ts';
import type { Tables } from '../store/schema/schema.ts';
import { takeWriteNo } from '../store/database/writing.ts';
import { spellingFault } from './account-spelling.ts';
import { NO_LOOK_ALIKES, bookOnce } from './booked-once.ts';
import type { LookAlikes } from './booked-once.ts';
import { FAULTS_KEPT_MAX } from './fault-list.ts';
import type { FaultList } from './fault-list.ts';
import { NOTHING, importFile, inTransaction, nameFaults, stageFile } from './import-file.ts';
import type { Counts, ImportRequest, ImportResult } from './import-file.ts';
import { LEDGER_LAYOUT, readLedgerRow } from './read-ledger.ts';
import { requireReplaceMeant } from './replace-is-meant.ts';
import type { OpenTable } from './table-file.ts';

export interface LedgerImportRequest extends ImportRequest {
  /** The ledger's name; entry ids are unique within it. */
  source: string;
  /** The file is the whole truth of its source for the days it spans. */
  replace: boolean;
  /** Books that look given twice, and a replacement that withdraws much, are meant. */
  force?: boolean | undefined;
  /** The ledger is complete to there. */
  completeTo?: Instant | undefined;
  /** Of a file that was delivered: the day that its name states, and whether nothing else of that day is missing. */
  ofDay?: { day: Day; isWhole: boolean } | undefined;
  /** The days that are replaced, where they are known otherwise than by the rows. */
  window?: Window | undefined;
  /** What the books call an `adjustment`, where they have another word (`ledger.kinds.adjustment`). */
  adjustmentKind?: string;
}

/** With what looks like entries the books have already. */
export interface LedgerImportResult extends ImportResult, LookAlikes {}

/**
 * @throws WrongInput when the file cannot be read as a ledger, when it replaces nothing because it is empty,
 * when it would move the completeness of its source backwards without replacing, or, unless it is meant, when the
 * books have most of it already or it would withdraw much
 * @throws LockHeld when another import is under way
 */
export async function importLedger(request: LedgerImportRequest): Promise<LedgerImportResult> {
  if (!SOURCE_NAME.test(request.source)) throw new WrongInput(`a source is named by ${SOURCE_SIGNS}`);
  let alike = NO_LOOK_ALIKES;
  const result = await importFile(request, LEDGER_LAYOUT, (table, faults) =>
    inTransaction(request, async (trx) => {
      await claimIntake(trx);
      await requireForward(trx, request);
      const rows = await stageFile(trx, {
        table,
        stage: LEDGER_STAGE,
        reading: { zone: request.zone, faults, columns: table.columns },
        read: (row, reading) => readLedgerRow(row, reading, request.adjustmentKind),
        progress: request.progress,
      });
      await checkStage(trx, faults);
      await nameFaults(trx, faults, { request, stage: LEDGER_STAGE, keys: ['entry_id'] });
      if (faults.count > 0) return { rows, counts: NOTHING };
      const taking = { request, table, rows, span: await stagedSpan(trx) };
      alike = await requireMeant(trx, taking);
      const counts = await saveStage(trx, taking);
      await request.alongside?.(trx);
      return { rows, counts };
    }),
  );
  return { ...result, ...alike };
}

async function requireForward(trx: Transaction<Tables>, request: LedgerImportRequest): Promise<void> {
  // Files that come by themselves may come late.
  if (request.completeTo === undefined || request.replace || request.delivered !== undefined) return;
  const known = await findCompleteTo(trx, request.source);
  if (known === null || request.completeTo >= known) return;
  const [before, now] = [request.zone.localText(known), request.zone.localText(request.completeTo)];
  throw new WrongInput(
    `${request.source} is complete to ${before} already; --complete-to ${now} would take that back (only with --replace)`,
  );
}

async function checkStage(trx: Transaction<Tables>, faults: FaultList): Promise<void> {
  const unknown = await entriesOfUnknownAccounts(trx, FAULTS_KEPT_MAX);
  if (unknown.count > 0 && !(await isAnyAccount(trx))) throw new WrongInput(NO_ACCOUNTS);
  const noAccount = 'is not in the account list; import it with "accounts import"';
  faults.addFirst(
    unknown.first.map(({ row, value, known }) => {
      const reason = known === null ? noAccount : spellingFault(known);
      return { row, column: 'account_no', value, reason };
    }),
    unknown.count,
  );
  const repeated = await repeatedEntries(trx, FAULTS_KEPT_MAX);
  faults.addFirst(
    repeated.first.map(({ row, firstRow, value }) => {
      return { row, column: 'entry_id', value, reason: `is in row ${firstRow} already` };
    }),
    repeated.count,
  );
}

interface Taking {
  request: LedgerImportRequest;
  table: OpenTable;
  rows: number;
  /** Undefined where the file has no rows. */
  span: Window | undefined;
}

async function requireMeant(
  trx: Transaction<Tables>,
  { request, table: { file }, span }: Taking,
): Promise<LookAlikes> {
  const { source, zone, replace } = request;
  await planForWholeFiles(trx);
  const window = windowOf(request, span);
  if (window === undefined) {
    if (!replace) return NO_LOOK_ALIKES;
    throw new WrongInput(`${file} has no rows, so it spans no days and --replace means nothing`);
  }
  const [timeZone, force] = [zone.name, request.force === true];
  if (replace && !force) await requireReplaceMeant(trx, { file, source, window, timeZone });
  return bookOnce(trx, { file, source, window, timeZone, replace, force });
}

async function saveStage(trx: Transaction<Tables>, { request, table, rows, span }: Taking): Promise<Counts> {
  const { source, replace } = request;
  const fileId = await saveIntakeFile(trx, {
    kind: 'ledger',
    source,
    name: table.file,
    sha256: table.sha256,
    rowCount: rows,
    spansFrom: span?.from ?? null,
    spansTo: span?.to ?? null,
    replaced: replace,
    importedAt: request.clock.wall(),
    delivered: request.delivered,
    ofDay: request.ofDay?.day,
  });
  await stateComplete(trx, request);
  const window = replace ? windowOf(request, span) : undefined;
  const counts = await saveEntries(trx, { source, fileId, window });
  // What a file says of books that are pulled stands until the database is read again: all of it.
  if (request.open === undefined && counts !== NOTHING) await forgetPullMark(trx, source);
  return counts;
}

/** How far the source is complete, where that is stated. */
async function stateComplete(trx: Transaction<Tables>, request: LedgerImportRequest): Promise<void> {
  const { source, completeTo, ofDay, zone } = request;
  if (completeTo === undefined) return;
  if (ofDay === undefined) await saveCompleteTo(trx, { source, completeTo, zone });
  else await stateDay(trx, { source, completeTo, zone, ...ofDay });
}

/** Undefined: there are no rows, and nobody said of which days they would be. */
function windowOf(
  { window, zone }: Pick<LedgerImportRequest, 'window' | 'zone'>,
  span: Window | undefined,
): Window | undefined {
  return window ?? (span === undefined ? undefined : wholeDays(zone, span));
}

/** From the start of the day of the first booking to the end of the day of the last. */
function wholeDays(zone: Zone, span: Window): Window {
  return { from: zone.dayStart(zone.dayOf(span.from)), to: zone.dayStart(addDays(zone.dayOf(span.to), 1)) };
}

/** A file that says nothing new writes nothing and takes no write number. */
async function saveEntries(
  trx: Transaction<Tables>,
  { source, fileId, window }: { source: string; fileId: string; window: Window | undefined },
): Promise<Counts> {
  const missing = { source, missingIn: window };
  const hasNews = await stageHasNews(trx, source);
  const lacks = window !== undefined && (await hasToWithdraw(trx, missing));
  if (!hasNews && !lacks) return NOTHING;
  const writeNo = await takeWriteNo(trx);
  const saved = hasNews ? await saveStagedEntries(trx, { source, fileId, writeNo }) : NOTHING;
  const withdrawn = lacks ? await withdrawEntries(trx, missing, writeNo) : 0;
  return { added: saved.added, replaced: saved.replaced, withdrawn };
}
