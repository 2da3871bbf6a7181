/** What all imports share: who asks, what comes back, and how rows get from the file to the stage table. */
import type { Transaction } from 'kysely';

import { WrongInput } from '../core/errors.ts';
import type { Clock, Log } from '../core/ports.ts';
import type { Zone } from '../core/time.ts';
import { analyzeStage, copyKeyed, keysOfRows } from '../store/database/bulk.ts';
import type { StageTable } from '../store/database/bulk.ts';
import type { Delivered } from '../store/intake/intake-files.ts';
import type { Db, Tables } from '../store/schema/schema.ts';
import { FaultList, faultLine, shownValue } from './fault-list.ts';
import type { Fault } from './fault-list.ts';
import type { ReadingOf } from './row-check.ts';
import { openTable } from './table-file.ts';
import type { OpenTable, TableRow } from './table-file.ts';
import type { TableLayout } from './table-layout.ts';

export interface ImportRequest {
  db: Db;
  /** Times without an offset are of this zone. */
  zone: Zone;
  clock: Clock;
  log: Log;
  /** The file; of what is no file, how it is called. */
  path: string;
  /** Opens what is no file. */
  open?: (() => Promise<OpenTable>) | undefined;
  /** All is looked at and nothing is stored. */
  rehearse?: boolean | undefined;
  /** Where it was delivered, for a file of the inbox: it is that one alone, and that it is in the books is kept with them. */
  delivered?: Delivered | undefined;
  /** What is stored with it, or not at all, as the last statements of its transaction. */
  alongside?: ((trx: Transaction<Tables>) => Promise<void>) | undefined;
  /** Told how many rows have been read. */
  progress?: (rows: number) => void;
}

/** The `--json` answer of an import. With faults nothing of the file is stored and the exit status is 2. */
export interface ImportResult {
  schema: 1;
  /** As it was given. */
  file: string;
  sha256: string;
  stored: boolean;
  rows: number;
  added: number;
  unchanged: number;
  /** Rows that took the place of other content. */
  replaced: number;
  /** Entries a replacing file no longer has. */
  withdrawn: number;
  /** The first hundred, by row. */
  faults: Fault[];
  faultCount: number;
}

/** One line per fault for people, and how many more there are. */
export function faultLines(result: Pick<ImportResult, 'faults' | 'faultCount'>): string[] {
  const lines = result.faults.map(faultLine);
  const more = result.faultCount - result.faults.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

export type Counts = Pick<ImportResult, 'added' | 'replaced' | 'withdrawn'>;

/** Opens the file, has it taken in, closes it, and says so in the log. */
export async function importFile(
  request: ImportRequest,
  layout: TableLayout,
  takeIn: (table: OpenTable, faults: FaultList) => Promise<{ rows: number; counts: Counts }>,
): Promise<ImportResult> {
  const table = await (request.open?.() ?? openTable(request.path, layout));
  try {
    if (request.delivered !== undefined && request.delivered.changed !== table.changed)
      throw new WrongInput(`${table.file} was changed since it was looked at`);
    const faults = new FaultList();
    const { rows, counts } = await takeIn(table, faults);
    const stored = faults.count === 0 && request.rehearse !== true;
    const result: ImportResult = {
      schema: 1,
      file: request.path,
      sha256: table.sha256,
      stored,
      rows,
      ...counts,
      unchanged: faults.count === 0 ? rows - counts.added - counts.replaced : 0,
      faults: faults.first(),
      faultCount: faults.count,
    };
    logResult(request.log, table.file, result);
    return result;
  } finally {
    await table.close();
  }
}

/** All of the import, or none of it. */
export async function inTransaction<T>(
  { db, rehearse }: Pick<ImportRequest, 'db' | 'rehearse'>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  if (rehearse !== true) return db.transaction().execute(work);
  const trx = await db.startTransaction().execute();
  try {
    return await work(trx);
  } finally {
    await trx.rollback().execute();
  }
}

/** Rows of a query have no number that anybody could look up: they are called by their own. */
export async function nameFaults(
  trx: Transaction<Tables>,
  faults: FaultList,
  of: { request: ImportRequest; stage: StageTable; keys: readonly string[] },
): Promise<void> {
  if (of.request.open === undefined || faults.count === 0) return;
  const rows = faults.first().map(({ row }) => row);
  const [column = ''] = of.keys;
  for (const { row, key } of await keysOfRows(trx, of.stage, { keys: of.keys, rows })) {
    faults.name(row, shownValue(column, key));
  }
}

function logResult(log: Log, file: string, result: ImportResult): void {
  const { sha256, rows, added, unchanged, replaced, withdrawn, faultCount, stored } = result;
  if (faultCount === 0 && !stored) return;
  if (stored) {
    log.info({ event: 'file.imported', file, sha256, rows, added, unchanged, replaced, withdrawn });
  } else {
    log.warn({ event: 'file.refused', file, sha256, rows, faultCount });
  }
}

/** Nothing was changed. */
export const NOTHING: Counts = { added: 0, replaced: 0, withdrawn: 0 };

/** Enough that a round trip costs nothing per row, few enough to stay small. */
const CHUNK_ROWS = 5_000;

export interface Staging {
  table: OpenTable;
  stage: StageTable;
  reading: ReadingOf;
  /** Keyed by the columns of the stage. */
  read: (row: TableRow, reading: ReadingOf) => object;
  progress: ((rows: number) => void) | undefined;
}

/** Reads the file to its end into the stage table, faulty rows too. @returns the number of rows */
export async function stageFile(trx: Transaction<Tables>, staging: Staging): Promise<number> {
  const { table, stage, reading } = staging;
  let rows = 0;
  let chunk: object[] = [];
  await copyKeyed(trx, stage, chunk);
  for await (const batch of table.batches()) {
    for (const row of batch) chunk.push(staging.read(row, reading));
    rows += batch.length;
    if (chunk.length < CHUNK_ROWS) continue;
    await copyKeyed(trx, stage, chunk);
    staging.progress?.(rows);
    chunk = [];
  }
  await copyKeyed(trx, stage, chunk);
  staging.progress?.(rows);
  await analyzeStage(trx, stage);
  return rows;
}
