/** Row types of what people and proofs say, of breaks and of periods, and what was pruned: the audit trail (migrations 0067, 0072, 0082). */
import type { ColumnType, Generated } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';

type Json = ColumnType<unknown, string, string>;
type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

export interface BreakEventTable {
  /** Null: it is of something else. */
  break_id: string | null;
  /** A day or a month (migration 0072). */
  period: Generated<string | null>;
  /** A kind of what was pruned (migration 0082). */
  pruned: Generated<string | null>;
  event_no: number;
  run_id: string | null;
  event: string;
  actor: string;
  at: Instant;
  details: JsonWithDefault;
  /** Migration 0067. */
  work: ColumnType<BreakWork | null, string | null | undefined, string | null>;
  trail_no: bigint;
  before_digest: string;
  digest: string;
}

/** What a sign-off holds of one account, file, break or run of the period (migration 0072). */
export interface SignedRowTable {
  /** Of the event that stored it. */
  trail_no: bigint;
  kind: 'account' | 'file' | 'item' | 'ledger' | 'platform' | 'run';
  day: Day;
  key: string;
  figures: Json;
}

/** What can be pruned. */
export type PrunedKind = 'answers' | 'versions' | 'bundles' | 'aside' | 'inbox' | 'alerts';

/** What was pruned, row by row (migration 0082). */
export interface PrunedTable {
  /** Of the event that says so. */
  trail_no: bigint;
  kind: PrunedKind;
  key: string;
  sha256: string;
  bytes: bigint;
  day: Day;
  pruned_at: Instant;
  gone_at: Instant | null;
}

/** Where the audit trail stands (migration 0067). */
export interface AuditTrailTable {
  the_one: Generated<boolean>;
  last_no: bigint;
  digest: string;
}

/** What a person says of a break; `expired` is only ever seen, once a write-off is no more in force. */
export type WorkStatus = 'open' | 'assigned' | 'explained' | 'resolved' | 'written_off' | 'expired';

/** What a person proposes to do about a break; nothing of it is done here. */
export type WorkAction = 'book' | 'reverse' | 'correct_amount' | 'correct_account' | 'ask_platform' | 'wait';

/** What people say of a break, as one event left it. */
export interface BreakWork {
  status: WorkStatus;
  /** Empty: nobody. */
  owner: string;
  /** Why it is explained, resolved or written off. */
  reason: string;
  note: string;
  /** What is proposed to be done; left out: nothing is. */
  action?: WorkAction;
  /** What it was said of: of another amount or class nothing was said. */
  class: string;
  differenceFen: Fen | number;
  /** When the status was said, in the service's zone. */
  day: Day;
  /** The last that was proposed. Null: none was. */
  writeOff: WriteOff | null;
  /** The approved one that is in force for as long as the last one awaits approval; null or left out: there is none. */
  inForce?: WriteOff | null;
}

export interface WriteOff {
  reason: string;
  /** The last day on which it is in force. */
  expires: Day;
  proposedBy: string;
  /** Null: it awaits approval. */
  approvedBy: string | null;
  class: string;
  differenceFen: Fen | number;
}
