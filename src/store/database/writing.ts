/**
 * Write numbers: each writing transaction takes one, and the steps that follow look only at rows with a higher
 * number than they saw last. A shared lock, held until commit, lets a step wait for writers still under way, so
 * that no lower number can appear behind its back.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DbOrTransaction, Tables } from '../schema/schema.ts';

/** Any fixed number; it only must be the same in all processes. */
const WRITING_LOCK = 7_319_041;

/** A new write number for this transaction. */
export async function takeWriteNo(trx: Transaction<Tables>): Promise<bigint> {
  await waitLong(trx);
  await sql`select pg_advisory_xact_lock_shared(${WRITING_LOCK})`.execute(trx);
  const { rows } = await sql<{ no: bigint }>`select nextval('write_no') as no`.execute(trx);
  const row = rows[0];
  if (row === undefined) throw new Error('Bug: a sequence gave no number');
  return row.no;
}

/** Waits for all writers under way and returns the highest number there is; none can commit behind it. */
export async function highestWriteNo(trx: Transaction<Tables>): Promise<bigint> {
  await waitLong(trx);
  await sql`select pg_advisory_xact_lock(${WRITING_LOCK})`.execute(trx);
  const { rows } = await sql<{ no: bigint }>`select last_value as no from write_no`.execute(trx);
  return rows[0]?.no ?? 0n;
}

/** An import of a large ledger writes for a minute; waiting for it is no fault, unlike other locks. */
async function waitLong(trx: Transaction<Tables>): Promise<void> {
  await sql`select set_config('lock_timeout', '240s', true)`.execute(trx);
}

/** How far that step has looked; 0 when it never has. */
export async function progressOf(db: DbOrTransaction, step: string): Promise<bigint> {
  const row = await db.selectFrom('progress').select('done_no').where('step', '=', step).executeTakeFirst();
  return row?.done_no ?? 0n;
}

export async function saveProgress(trx: Transaction<Tables>, step: string, doneNo: bigint): Promise<void> {
  await trx
    .insertInto('progress')
    .values({ step, done_no: doneNo })
    .onConflict((conflict) => conflict.column('step').doUpdateSet({ done_no: doneNo }))
    .execute();
}

/** Whether the table has rows with a higher number. */
export async function hasWritten(
  db: DbOrTransaction,
  table: 'deposit' | 'transfer_order' | 'withdrawal' | 'movement' | 'ledger_entry',
  after: bigint,
): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from ${sql.table(table)} where written_no > ${after}) as any`.execute(db);
  return rows[0]?.any === true;
}
