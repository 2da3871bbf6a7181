/**
 * The platform's rate as one for all processes on this database (U47, N18): each asks for a few turns at a time, and gets
 * the next ones that nobody has. Turns go by the database's clock, which is one for all.
 */
import { sql } from 'kysely';
import type { Db } from '../schema/schema.ts';

export interface TurnRequest {
  /** Whose rate it is. */
  platform: string;
  turns: number;
  /** Between two turns. */
  intervalMs: number;
  /** Left free behind the last turn. */
  padMs: number;
  /** Nothing is given while more than that is given already; undefined: however much. */
  aheadMsMax: number | undefined;
}

/** A schedule that is further ahead than that was made before the database's clock was set back. */
const AHEAD_MS_MAX = 60_000;

/** @returns in how many ms the first turn is, or undefined when too much is given already */
export async function takeTurns(db: Db, request: TurnRequest): Promise<number | undefined> {
  const { platform, turns, intervalMs, padMs, aheadMsMax = AHEAD_MS_MAX } = request;
  const takenMs = turns * intervalMs + padMs;
  const { rows } = await sql<{ wait_ms: number }>`
    insert into platform_rate as r (platform, next_at)
    values (${platform}, clock_timestamp() + ${takenMs}::double precision * interval '1 ms')
    on conflict (platform) do update set next_at = case
        when r.next_at > clock_timestamp() + ${AHEAD_MS_MAX}::double precision * interval '1 ms' then clock_timestamp()
        else greatest(r.next_at, clock_timestamp()) end + ${takenMs}::double precision * interval '1 ms'
      where r.next_at <= clock_timestamp() + ${aheadMsMax}::double precision * interval '1 ms'
        or r.next_at > clock_timestamp() + ${AHEAD_MS_MAX}::double precision * interval '1 ms'
    returning (extract(epoch from next_at - clock_timestamp()) * 1000 - ${takenMs}::double precision)::double precision
      as wait_ms`.execute(db);
  return rows[0]?.wait_ms;
}
