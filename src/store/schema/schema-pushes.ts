/** Row type of what the platform pushed (migration 0006). */
import type { Generated } from 'kysely';
import type { Instant } from '../../core/time.ts';

export type PushKind = 'transfer' | 'opening' | 'change' | 'unknown';
export type PushState = 'waiting' | 'asked' | 'unregistered' | 'kept' | 'left';

export interface PushTable {
  sha256: string;
  body: Uint8Array;
  bytes: number;
  kind: PushKind;
  /** Empty where they are not stated. */
  own_no: Generated<string>;
  platform_no: Generated<string>;
  account_no: Generated<string>;
  stated_state: Generated<string>;
  signed: boolean;
  times_seen: Generated<number>;
  first_seen_at: Instant;
  last_seen_at: Instant;
  state: Generated<PushState>;
  tries: Generated<number>;
  processed_at: Instant | null;
  note: Generated<string>;
}
