/**
 * A unit of work on the database: one transaction that is idempotent as a whole, and therefore done again, logic
 * included, when the connection was lost, the server went away for a moment, or two of them met (H5, H6, H7, H8).
 */
import type { Transaction } from 'kysely';
import { systemClock } from '../../core/clock.ts';
import { codeOf, messageOf } from '../../core/errors.ts';
import { certainQuery } from './driver-commands.ts';
import type { Db, Tables } from '../schema/schema.ts';

/** A failover takes seconds, seldom more than a minute; after that the run stops and goes on when called again. */
const PAUSES_MS = [200, 1_000, 5_000, 20_000, 40_000];

/** Deadlock, serialization, no lock to be had; a server that shuts down, starts or has no connection left; lost ones. */
const TRANSIENT_SQLSTATES = new Set([
  '40P01',
  '40001',
  '55P03',
  '53300',
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
/** A connection that is gone, or none that got free in time: the driver has no codes for these. */
const LOST = /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect/i;

/** @throws what the work threw, when it is no passing fault or still there after the last pause */
export function unitOfWork<T>(db: Db, work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  return pastFaults(() => db.transaction().execute(work));
}

/**
 * Work on the database that may be done again as a whole.
 * @throws what the work threw, when it is no passing fault or still there after the last pause
 */
export async function pastFaults<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await systemClock().sleep(pauseMs);
    }
  }
  return work();
}

/**
 * Makes the transaction's commit one that is on disk when it is confirmed, and on the standbys that the server waits
 * for: a server, database or role may be set not to wait for that, and loses what it had confirmed when it falls. What
 * waits for more is left so. A commit that is confirmed with a warning is none: a server whose wait for its standbys is
 * cancelled says no more than that. To be called before anything is sent on the word of that commit, which then throws
 * Stopped where it is not certain.
 */
export async function commitDurably(trx: Transaction<Tables>): Promise<void> {
  await trx.executeQuery(
    certainQuery(`select set_config('synchronous_commit', 'on', true)
      where current_setting('synchronous_commit') not in ('on', 'remote_apply')`),
  );
}

function isPassing(error: unknown): boolean {
  return TRANSIENT_SQLSTATES.has(codeOf(error) ?? '') || LOST.test(messageOf(error));
}
