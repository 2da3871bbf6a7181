/** How far the units of a night are and who works on them, for whoever watches. */
import { sql } from 'kysely';
import type { Instant } from '../../core/time.ts';
import type { Db } from '../schema/schema.ts';
import { countAlive } from './workers.ts';

export interface UnitCount {
  kind: string;
  state: 'planned' | 'done' | 'given_up';
  count: number;
  /** Begun once more, because a worker was lost or could not do it. */
  repeated: number;
  /** How long one took from its last beginning to its end, on average; null where none has ended. */
  seconds: number | null;
  /** When the first of them was planned. */
  oldestAt: Instant;
}

export interface UnitCounts {
  units: UnitCount[];
  alive: number;
  fencesLost: number;
  rateWaitMs: number;
}

export async function countUnits(db: Db): Promise<UnitCounts> {
  const { rows: units } = await sql<UnitCount>`
    select kind, state, count(*)::integer as count, sum(greatest(tries - 1, 0))::integer as repeated,
      avg(extract(epoch from ended_at - begun_at))::double precision as seconds, min(planned_at) as "oldestAt"
    from work_unit group by kind, state order by kind, state`.execute(db);
  const counted = await db
    .selectFrom('worker')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<bigint>('fences_lost'), sql<bigint>`0`).as('fencesLost'),
      eb.fn.coalesce(eb.fn.sum<bigint>('rate_wait_ms'), sql<bigint>`0`).as('rateWaitMs'),
    ])
    .executeTakeFirstOrThrow();
  return {
    units,
    alive: await countAlive(db),
    fencesLost: Number(counted.fencesLost),
    rateWaitMs: Number(counted.rateWaitMs),
  };
}
