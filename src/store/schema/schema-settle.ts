/** Row types of the retried settlements (migration 0004). */
import type { Generated } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Instant } from '../../core/time.ts';

export type AttemptState =
  'PLANNED' | 'SENT' | 'ACK_PROCESSING' | 'ACK_SUCCESS' | 'ACK_FAIL' | 'UNKNOWN' | 'NOT_SENT' | 'CLOSED';

/** What an attempt certainly came to. RETURNED: it was paid, and the bank sent the money back. */
export type AttemptOutcome = 'SUCCESS' | 'FAIL' | 'RETURNED' | 'NOT_SENT';

export interface SettleAttemptTable {
  account_no: string;
  out_order_no: string;
  attempt_no: number;
  req_id: string;
  order_no: string;
  payee_account_no: string;
  amount_fen: Fen;
  remark: string;
  state: AttemptState;
  outcome: AttemptOutcome | null;
  run_id: string;
  fence: bigint;
  planned_at: Instant;
  req_time: Instant | null;
  sent_at: Instant | null;
  sent_mono_ms: bigint | null;
  runner: string;
  answered_at: Instant | null;
  answer_code: Generated<string>;
  note: Generated<string>;
  answer_fee_fen: Fen | null;
  answer_fee_type: Generated<string>;
  answer_sha256: Generated<string>;
  failed_seen_at: Instant | null;
  is_claimed: Generated<boolean>;
  open_seen_at: Instant | null;
  closed_at: Instant | null;
  reopened_at: Instant | null;
}

/** What a person was shown of an attempt that awaits one (migration 0024). */
export interface SettleEvidenceTable {
  req_id: string;
  digest: string;
  run_id: string;
  shown_at: Instant;
  why: string;
  read_at: Instant;
  balance_fen: Fen | null;
  frozen_fen: Fen | null;
  known: string;
  shown: string;
  /** Which showing of the attempt it was last (migration 0057). */
  shown_no: bigint;
}

export interface SettleEventTable {
  sequence: bigint;
  account_no: string;
  out_order_no: string;
  attempt_no: number;
  at: Instant;
  run_id: string;
  state: AttemptState;
  outcome: AttemptOutcome | null;
  note: Generated<string>;
  is_awaiting: Generated<boolean>;
}

/** What a call of money by hand names (migration 0060). */
export interface CallByHandTable {
  req_id: string;
  about: 'order' | 'account';
  number: string;
  endpoint: string;
  run_id: string;
  req_time: Instant;
  /** The platform took it, or may have for all that came back. */
  is_taken: boolean;
}

/** Who said of which order that the platform took no refund of it by that request. */
export interface RefundDeniedTable {
  req_id: string;
  account_no: string;
  out_order_no: string;
  denied_by: string;
  denied_at: Instant;
}

export interface SettleGuardTable {
  only_row: Generated<boolean>;
  sequence: bigint;
  database_identity: string;
  /** The transaction that wrote this row; another than the server keeps of it where the row was restored. */
  written_by: bigint;
  hold_until: Instant | null;
}

export interface SettleApprovalTable {
  plan_digest: string;
  approved_by: string;
  approved_at: Instant;
  run_id: string;
  orders: number;
  amount_fen: Fen;
  eligible_orders: number | null;
  eligible_fen: Fen | null;
}
