/** Work that any process may do, who does it, and the rate that all of them share. */
import type { ColumnType, Generated } from 'kysely';
import type { Instant } from '../../core/time.ts';

export interface WorkUnitTable {
  unit_id: string;
  run_id: string;
  begun: number;
  kind: string;
  chunk_no: number;
  items: number;
  state: Generated<'planned' | 'done' | 'given_up'>;
  job_id: string;
  work: ColumnType<unknown, string, string>;
  made: ColumnType<unknown, string | undefined, string>;
  reason: ColumnType<string | null, string | undefined, string>;
  tries: Generated<number>;
  planned_at: Instant;
  begun_at: ColumnType<Instant | null, Instant | undefined, Instant>;
  ended_at: ColumnType<Instant | null, Instant | undefined, Instant>;
}

export interface WorkerTable {
  worker_id: string;
  host: string;
  pid: number;
  /** Of units that it takes, by commas. */
  kinds: Generated<string>;
  beat_at: Instant;
  fences_lost: Generated<number>;
  rate_wait_ms: Generated<bigint>;
}

export interface PlatformRateTable {
  platform: string;
  next_at: Instant;
}
