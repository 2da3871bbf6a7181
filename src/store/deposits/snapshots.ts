/** Balances as the platform stated them: the only history of balances there is (U23, U50). */
import type { Selectable } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { BalanceSnapshotTable, Db, DbOrTransaction } from '../schema/schema.ts';

export type Snapshot = Selectable<BalanceSnapshotTable>;

export async function saveSnapshot(db: DbOrTransaction, snapshot: Snapshot): Promise<void> {
  await db
    .insertInto('balance_snapshot')
    .values(snapshot)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The snapshot a run took of an account, when it already has one. */
export async function findSnapshotOfRun(
  db: Db,
  runId: string,
  accountNo: string,
): Promise<Snapshot | undefined> {
  return db
    .selectFrom('balance_snapshot')
    .selectAll()
    .where('run_id', '=', runId)
    .where('account_no', '=', accountNo)
    .orderBy('taken_at', 'desc')
    .executeTakeFirst();
}

/** Those of the accounts of which the run has a balance. */
export async function listSnapshotsOfRun(
  db: DbOrTransaction,
  runId: string,
  accountNos: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('balance_snapshot')
    .select('account_no')
    .distinct()
    .where('run_id', '=', runId)
    .where('account_no', 'in', accountNos)
    .execute();
  return rows.map((row) => row.account_no);
}

/** The earliest stable snapshot at or after an instant: what a closing there is rolled back from. */
export async function findSnapshotAfter(
  db: Db,
  accountNo: string,
  at: Instant,
): Promise<Snapshot | undefined> {
  return db
    .selectFrom('balance_snapshot')
    .selectAll()
    .where('account_no', '=', accountNo)
    .where('state', '=', 'stable')
    .where('taken_at', '>=', at)
    .orderBy('taken_at')
    .orderBy('run_id')
    .executeTakeFirst();
}
