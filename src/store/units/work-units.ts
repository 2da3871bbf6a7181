/** Parts of a night that any process may do: planned by the night, done by whoever claims them, joined from here. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import type { Instant } from '../../core/time.ts';
import { jsonText } from '../../core/json.ts';
import type { Db, DbOrTransaction, Tables, WorkUnitTable } from '../schema/schema.ts';

export type WorkUnit = Selectable<WorkUnitTable>;

/** One try of a run. */
export interface Try {
  runId: string;
  begun: number;
}

/** The try of a run that is under way. */
export async function tryOf(db: DbOrTransaction, { runId }: { runId: string }): Promise<Try> {
  const { begun } = await db
    .selectFrom('run')
    .select('begun')
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  return { runId, begun };
}

export interface PlannedUnit {
  unitId: string;
  jobId: string;
  chunkNo: number;
  items: number;
  work: object;
}

/** The name of a unit, the same however often it is planned in one try of a run. */
export function unitIdOf(of: Try & { kind: string; chunkNo: number }): string {
  const named = jsonText([of.runId, of.begun, of.kind, of.chunkNo]);
  const digest = createHash('sha256').update(named, 'utf8').digest('hex');
  return uuidOf(digest);
}

/** The first 32 hex digits, as the database writes a name of its own type for them. */
export function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

export async function planUnits(
  trx: Transaction<Tables>,
  { runId, begun, kind, plannedAt }: Try & { kind: string; plannedAt: Instant },
  units: readonly PlannedUnit[],
): Promise<void> {
  await trx
    .insertInto('work_unit')
    .values(
      units.map(({ unitId, jobId, chunkNo, items, work }) => ({
        unit_id: unitId,
        job_id: jobId,
        run_id: runId,
        begun,
        kind,
        chunk_no: chunkNo,
        items,
        work: jsonText(work),
        planned_at: plannedAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function findUnit(db: DbOrTransaction, unitId: string): Promise<WorkUnit | undefined> {
  return db.selectFrom('work_unit').selectAll().where('unit_id', '=', unitId).executeTakeFirst();
}

/** What any other try left, of this run or of another one. */
export async function forgetOtherTries(
  trx: Transaction<Tables>,
  { runId, begun }: Try,
): Promise<Pick<WorkUnit, 'unit_id' | 'kind' | 'job_id'>[]> {
  return trx
    .deleteFrom('work_unit')
    .where((eb) => eb.or([eb('run_id', '<>', runId), eb('begun', '<>', begun)]))
    .returning(['unit_id', 'kind', 'job_id'])
    .execute();
}

/** Nobody is to end it any more. */
export async function forgetPlanned(
  trx: Transaction<Tables>,
  { runId, kind }: { runId: string; kind: string },
): Promise<Pick<WorkUnit, 'job_id'>[]> {
  return trx
    .deleteFrom('work_unit')
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .where('state', '=', 'planned')
    .returning('job_id')
    .execute();
}

/** @returns how many of the tries this one is */
export async function saveBegun(db: Db, unitId: string, at: Instant): Promise<number> {
  const row = await db
    .updateTable('work_unit')
    .set((eb) => ({ tries: eb('tries', '+', 1), begun_at: at }))
    .where('unit_id', '=', unitId)
    .returning('tries')
    .executeTakeFirst();
  return row?.tries ?? 0;
}

export async function saveDone(
  trx: Transaction<Tables>,
  unitId: string,
  { made, at }: { made: object; at: Instant },
): Promise<void> {
  await trx
    .updateTable('work_unit')
    .set({ state: 'done', made: jsonText(made), ended_at: at })
    .where('unit_id', '=', unitId)
    .execute();
}

/** @returns whether that is news */
export async function saveGivenUp(
  db: DbOrTransaction,
  unitId: string,
  { reason, at }: { reason: string; at: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('work_unit')
    .set({ state: 'given_up', reason, ended_at: at })
    .where('unit_id', '=', unitId)
    .where('state', '=', 'planned')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives those that were given up to whoever claims them, under another number of the queue. */
export async function planAgain(
  trx: Transaction<Tables>,
  { unitId, jobId }: { unitId: string; jobId: string },
): Promise<void> {
  await trx
    .updateTable('work_unit')
    .set({ state: 'planned', job_id: jobId })
    .where('unit_id', '=', unitId)
    .where('state', '<>', 'done')
    .execute();
}

export interface UnitProgress {
  planned: number;
  /** What the units that have ended are made of. */
  itemsEnded: number;
}

export async function progressOfUnits(
  db: DbOrTransaction,
  { runId, kind }: { runId: string; kind: string },
): Promise<UnitProgress> {
  const { rows } = await sql<UnitProgress>`
    select count(*) filter (where state = 'planned')::integer as planned,
      coalesce(sum(items) filter (where state <> 'planned'), 0)::integer as "itemsEnded"
    from work_unit where run_id = ${runId} and kind = ${kind}`.execute(db);
  return rows[0] ?? { planned: 0, itemsEnded: 0 };
}

/** What was made of the units that are done, in their order. */
export async function listMade(
  db: DbOrTransaction,
  { runId, kind }: { runId: string; kind: string },
): Promise<unknown[]> {
  const rows = await db
    .selectFrom('work_unit')
    .select('made')
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .where('state', '=', 'done')
    .orderBy('chunk_no')
    .execute();
  return rows.map(({ made }) => made);
}

/** Those that nobody could do, in their order. */
export function listGivenUp(
  db: DbOrTransaction,
  { runId, kind }: { runId: string; kind: string },
): Promise<WorkUnit[]> {
  return db
    .selectFrom('work_unit')
    .selectAll()
    .where('run_id', '=', runId)
    .where('kind', '=', kind)
    .where('state', '=', 'given_up')
    .orderBy('chunk_no')
    .execute();
}

/** Whether there are any: nights that do their work alone leave none. */
export async function hasUnits(db: DbOrTransaction): Promise<boolean> {
  const row = await db.selectFrom('work_unit').select('unit_id').limit(1).executeTakeFirst();
  return row !== undefined;
}
