/** What is to be told, and how far that is. */
import type { ColumnType, Generated } from 'kysely';
import type { Day, Instant } from '../../core/time.ts';

export interface AlertTable {
  alert_id: string;
  cause: string;
  kind: string;
  day: Day | null;
  document: ColumnType<unknown, string, string>;
  raised_at: Instant;
}

export interface AlertDeliveryTable {
  alert_id: string;
  channel: string;
  state: Generated<'due' | 'sent' | 'given_up'>;
  tries: Generated<number>;
  next_at: Instant;
  reason: Generated<string>;
  ended_at: ColumnType<Instant | null, Instant | undefined, Instant | null>;
}
