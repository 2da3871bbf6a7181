/** What people said of breaks since the file was written; a night's own remarks are not among it. */
import { sql } from 'kysely';
import type { Instant } from '../../../src/core/time.ts';
import type { BreakWork, DbOrTransaction } from '../../../src/store/schema/schema.ts';

export interface SaidSince {
  break_id: string;
  event: string;
  actor: string;
  at: Instant;
  work: BreakWork;
}

/** Oldest first, by break. */
export async function saidSince(
  db: DbOrTransaction,
  { breakIds, trailNo }: { breakIds: readonly string[]; trailNo: bigint },
): Promise<Map<string, SaidSince[]>> {
  const { rows } = await sql<SaidSince>`
    select e.break_id, e.event, e.actor, e.at, e.work from break_event e
    where e.break_id = any(${breakIds}::text[]) and e.trail_no > ${trailNo} and e.work is not null
      and e.run_id is null order by e.break_id, e.event_no`.execute(db);
  const said = new Map<string, SaidSince[]>();
  for (const row of rows) said.set(row.break_id, [...(said.get(row.break_id) ?? []), row]);
  return said;
}
