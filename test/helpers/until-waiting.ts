import { sql } from 'kysely';
import type { Db } from '../../src/store/schema/schema.ts';

/** Until so many sessions of this database wait for a lock. */
export async function untilWaiting(db: Db, count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if ((rows[0]?.n ?? 0) >= count) return;
  }
}
