/** Row types of what the job is told and what the platform said (migration 0001). */
import type { ColumnType, Generated } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';

type Json = ColumnType<unknown, string, string>;

export interface ProgressTable {
  step: string;
  done_no: bigint;
}

export interface LeaseTable {
  name: string;
  holder: string;
  host: string;
  pid: number;
  /** Within what the process number says whose it is; empty where that cannot be told. */
  instance: string;
  fence: bigint;
  until: Instant;
}

export interface IntakeFileTable {
  file_id: string;
  kind: 'accounts' | 'ledger' | 'orders';
  source: string;
  name: string;
  sha256: string;
  row_count: number;
  spans_from: Instant | null;
  spans_to: Instant | null;
  replaced: Generated<boolean>;
  imported_at: Instant;
  withdrawn_at: Generated<Instant | null>;
  /** Of a ledger file of the inbox: the day that its name states. */
  of_day: Generated<Day | null>;
}

export interface InboxFileTable {
  path: string;
  changed: string;
  sha256: string;
  file_id: string;
  taken_at: Instant;
}

export interface LedgerSourceTable {
  source: string;
  complete_to: Instant | null;
  /** How far files have stated it, what is missing apart. */
  stated_to: Instant | null;
  /** Of these a file was delivered that is not in the books; in order. */
  missing_days: string[];
}

export interface PullMarkTable {
  kind: 'ledger' | 'orders';
  source: string;
  query_sha256: string;
  changed_to: Instant;
  pulled_at: Instant;
  whole_from: Instant | null;
}

export interface AccountTable {
  account_no: string;
  ele_acct_no: string | null;
  name: Generated<string>;
  role: 'FQ' | 'JS' | null;
  subject_id: string | null;
  auto_settle: Generated<'yes' | 'no' | 'unknown'>;
  opening_fen: Fen | null;
  opening_at: Instant | null;
  active_from: Instant | null;
  active_to: Instant | null;
  replaced_by: string | null;
  /** What the company gathers it by; empty: nothing. */
  account_group: Generated<string>;
  file_id: string;
  /** The list that first stated the opening that it states now, and when; null: not known. */
  opening_file_id: Generated<string | null>;
  opening_since: Generated<Instant | null>;
}

export interface ProvenOpeningTable {
  account_no: string;
  opening_fen: Fen | null;
  opening_at: Instant | null;
  run_id: string;
  known_no: bigint | null;
}

export interface AccountBaselineTable {
  account_no: string;
  at: Instant;
  balance_fen: Fen;
  snapshot_at: Instant;
  snapshot_closed_at: Instant;
  run_id: string;
  held_fen: Generated<Fen>;
  told_fen: Fen | null;
  told_no: bigint | null;
}

export interface LedgerOpeningTable {
  account_no: string;
  at: Instant;
  /** Null: it was taken to equal the baseline. */
  amount_fen: Fen | null;
  stated_at: Instant | null;
  stated_fen: Fen | null;
  stated_since: Instant | null;
  seen_at: Instant | null;
}

export interface AssumedAcrossTable {
  account_no: string;
  group_key: string;
  reference: string;
  /** What the books had of it, on either side, in the last proof that had it across. */
  booked_fen: Fen;
  seen_at: Instant;
}

export type LedgerKind =
  | 'opening'
  | 'deposit'
  | 'transfer_in'
  | 'transfer_out'
  | 'withdrawal'
  | 'settlement'
  | 'refund_in'
  | 'refund_out'
  | 'fee'
  | 'adjustment';

export interface LedgerEntryTable {
  entry_no: Generated<bigint>;
  account_no: string;
  source: string;
  entry_id: string;
  version: number;
  kind: LedgerKind;
  amount_fen: Fen;
  reference: Generated<string>;
  out_batch_no: Generated<string>;
  counterparty: Generated<string>;
  booked_at: Instant;
  status: 'posted' | 'pending';
  memo: Generated<string>;
  file_id: string;
  /** Counted with the header, as people count; null: taken in before rows were kept (migration 0070). */
  file_row: Generated<number | null>;
  current: Generated<boolean>;
  withdrawn: Generated<boolean>;
  written_no: bigint;
}

export interface RawAnswerTable {
  sha256: string;
  endpoint: string;
  account_no: string;
  req_id: string;
  requested_at: Instant;
  signed: boolean;
  body_zstd: Uint8Array;
}

export interface DepositTable {
  account_no: string;
  order_no: string;
  version: number;
  amount_fen: Fen;
  fee_fen: Fen;
  real_fen: Fen | null;
  fee_type: string;
  payer_acct_no: string;
  payer_name: string;
  payer_bank_no: string;
  payee_acct_no: string;
  payee_name: string;
  payee_bank_no: string;
  remark: string;
  err_code: string;
  deposited_at: Instant;
  seen_at: Instant;
  answer_sha256: string;
  signed: boolean;
  content_digest: Generated<string>;
  written_no: bigint;
}

export interface DepositVersionTable {
  account_no: string;
  order_no: string;
  version: number;
  content: Json;
  amount_fen: Fen;
  deposited_at: Instant;
  answer_sha256: string;
  seen_at: Instant;
  replaced_run: string;
  replaced_day: Day;
}

export interface RecordFaultTable {
  account_no: string;
  reference: string;
  kind: 'unreadable' | 'vanished';
  reason: string;
  deposited_at: Instant | null;
  first_run: string;
  first_day: Day;
  cured_run: string | null;
}

export interface SyncWindowTable {
  run_id: string;
  account_no: string;
  from_day: Day;
  to_day: Day;
  /** unverified: read, and its list stands though nothing verified it (`deposits.verify`). */
  state: 'planned' | 'verified' | 'unverified' | 'failed';
  passes: Generated<number>;
  pages: Generated<number>;
  total: number | null;
  distinct_count: number | null;
  inside_count: number | null;
  sum_fen: Fen | null;
  digest: string | null;
  reason: string | null;
  verified_at: Instant | null;
}

export interface SyncDayTable {
  account_no: string;
  day: Day;
  record_count: number;
  sum_fen: Fen;
  digest: string;
  verified_run: string;
  verified_at: Instant;
  sealed_run: string | null;
  sealed_at: Instant | null;
}

export interface BalanceSnapshotTable {
  account_no: string;
  taken_at: Instant;
  closed_at: Instant;
  /** Before the first reading; null in old rows. */
  opened_at: Instant | null;
  run_id: string;
  purpose: 'snapshot' | 'bracket';
  balance_fen: Fen | null;
  frozen_fen: Fen | null;
  available_fen: Fen | null;
  account_state: string | null;
  state: 'stable' | 'moving' | 'absent';
  tries: number;
  spread_fen: Generated<Fen>;
  signed: boolean;
  answer_sha256: string;
}
