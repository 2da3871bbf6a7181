/**
 * Tries at a proof that found nothing new, taken back. Whoever lost the lease takes nothing back: another has gone on
 * with the version since, and may have found something (M4).
 */
import type { Db } from '../schema/schema.ts';
import { keepLease } from '../database/leases.ts';
import type { Lease } from '../database/leases.ts';
import type { Run } from './runs.ts';

/**
 * Takes back a version that found nothing new. Facts it read stay: they are the platform's, not the run's. Days
 * it was the first to read are then proven by the version that stands; a seal needs a run that is kept.
 * @throws Stopped when the lease was lost
 */
export async function discardRun(
  db: Db,
  { run_id: runId, supersedes }: Pick<Run, 'run_id' | 'supersedes'>,
  lease: Lease,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await keepLease(trx, lease);
    for (const table of ['finding', 'run_account', 'run_file', 'sync_window', 'balance_snapshot'] as const) {
      await trx.deleteFrom(table).where('run_id', '=', runId).execute();
    }
    await trx
      .updateTable('sync_day')
      .set({ sealed_run: null, sealed_at: null })
      .where('sealed_run', '=', runId)
      .execute();
    if (supersedes !== null) {
      await trx
        .updateTable('sync_day')
        .set({ verified_run: supersedes })
        .where('verified_run', '=', runId)
        .execute();
    }
    await trx.deleteFrom('run').where('run_id', '=', runId).execute();
  });
}

/**
 * A run that was opened to be proven again and proved the same: it is what it was.
 * @throws Stopped when the lease was lost
 */
export async function leaveAsItWas(db: Db, run: Run, lease: Lease): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await keepLease(trx, lease);
    await trx
      .updateTable('run')
      .set({ state: run.state, step: run.step })
      .where('run_id', '=', run.run_id)
      .execute();
  });
}
