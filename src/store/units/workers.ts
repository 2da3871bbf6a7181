/** Which processes work: each tells every few seconds that it lives, by the database's clock. */
import { sql } from 'kysely';
import { addMs } from '../../core/time.ts';
import { databaseTime } from '../database/leases.ts';
import type { Db, DbOrTransaction } from '../schema/schema.ts';

/** Three beats may be lost. */
export const ALIVE_MS = 40_000;

/** What a dead process counted is kept as long as somebody may look at it. */
const KEPT_MS = 86_400_000;

export interface Beat {
  workerId: string;
  host: string;
  pid: number;
  /** Of units that it takes. */
  kinds: readonly string[];
  fencesLost: number;
  rateWaitMs: number;
}

export async function saveBeat(db: Db, beat: Beat): Promise<void> {
  const at = await databaseTime(db);
  const told = { beat_at: at, fences_lost: beat.fencesLost, rate_wait_ms: BigInt(beat.rateWaitMs) };
  await db
    .insertInto('worker')
    .values({
      worker_id: beat.workerId,
      host: beat.host,
      pid: beat.pid,
      kinds: beat.kinds.join(','),
      ...told,
    })
    .onConflict((conflict) => conflict.column('worker_id').doUpdateSet(told))
    .execute();
  await db.deleteFrom('worker').where('beat_at', '<', addMs(at, -KEPT_MS)).execute();
}

/** A process that has ended is not waited for. */
export async function saveLeft(db: Db, workerId: string): Promise<void> {
  const at = addMs(await databaseTime(db), -ALIVE_MS);
  await db.updateTable('worker').set({ beat_at: at }).where('worker_id', '=', workerId).execute();
}

/** @param kind those that take units of that kind; undefined: all */
export async function countAlive(db: DbOrTransaction, kind?: string): Promise<number> {
  const since = addMs(await databaseTime(db), -ALIVE_MS);
  const { count } = await db
    .selectFrom('worker')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('beat_at', '>', since)
    .$if(kind !== undefined, (query) => query.where(sql<boolean>`${kind} = any(string_to_array(kinds, ','))`))
    .executeTakeFirstOrThrow();
  return Number(count);
}
