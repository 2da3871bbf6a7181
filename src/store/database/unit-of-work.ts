/**
 * A unit of work on the database: one transaction that is idempotent as a whole, and therefore done again, logic
 * included, when the connection was lost, the server went away for a moment, or two of them met (H5, H6, H7, H8).
 */
import type { Transaction } from 'kysely';
import { systemClock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { Db, Tables } from './schema.ts';

/** A failover takes seconds, seldom more than a minute; after that the run stops and goes on when called again. */
const PAUSES_MS = [200, 1_000, 5_000, 20_000, 40_000];

/** Deadlock, serialization, cannot get a lock; shutdown, crash and start-up of the server; connection failures. */
const PASSING_CODES = new Set([
  '40P01',
  '40001',
  '55P03',
  '57P01',
  '57P02',
  '57P03',
  '25P03',
  '08000',
  '08003',
  '08006',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
]);
const LOST = /connection terminated|connection ended|not queryable/i;

/** @throws what the work threw, when it is no passing fault or still there after the last pause */
export async function unitOfWork<T>(db: Db, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await systemClock().sleep(pauseMs);
    }
  }
  return db.transaction().execute(work);
}

function isPassing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return (typeof code === 'string' && PASSING_CODES.has(code)) || LOST.test(messageOf(error));
}
