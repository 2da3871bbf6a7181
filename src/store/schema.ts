/**
 * The tables as types, in the order of the migrations, which say why each exists. Instants are UTC text, int8
 * is `bigint`, jsonb comes back parsed and is written as text, on both databases.
 */
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Day, Instant } from '../core/time.ts';

/** The database port: PostgreSQL or the embedded one, one SQL for both. */
export type Db = Kysely<Tables>;
/** Either the database or a transaction on it. */
export type DbOrTransaction = Db | Transaction<Tables>;

type Json = ColumnType<unknown, string, string>;
type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

export interface Tables {
  progress: ProgressTable;
  lease: LeaseTable;
  intake_file: IntakeFileTable;
  ledger_source: { source: string; complete_to: Instant | null };
  account: AccountTable;
  account_baseline: { account_no: string; at: Instant; balance_fen: Fen; run_id: string };
  ledger_entry: LedgerEntryTable;
  raw_answer: RawAnswerTable;
  deposit: DepositTable;
  deposit_version: DepositVersionTable;
  record_fault: RecordFaultTable;
  sync_window: SyncWindowTable;
  sync_day: SyncDayTable;
  balance_snapshot: BalanceSnapshotTable;
  movement: MovementTable;
  match: MatchTable;
  unmatched: UnmatchedTable;
  run: RunTable;
  run_account: RunAccountTable;
  finding: FindingTable;
  break: BreakTable;
  break_event: BreakEventTable;
  run_file: { run_id: string; path: string; sha256: string; bytes: bigint };
}

export interface ProgressTable {
  step: string;
  done_no: bigint;
}

export interface LeaseTable {
  name: string;
  holder: string;
  host: string;
  pid: number;
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
  file_id: string;
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
  state: 'planned' | 'verified' | 'failed';
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

export type Family = 'deposit' | 'transfer' | 'settlement' | 'refund' | 'withdrawal';

export interface MovementTable {
  account_no: string;
  dedup_key: string;
  family: Family;
  kind: string;
  delta_fen: Fen;
  fee_fen: Fen;
  reference: string;
  effective_from: Instant;
  effective_to: Instant;
  written_no: bigint;
}

export interface MatchTable {
  account_no: string;
  group_key: string;
  line_no: number;
  dedup_key: string | null;
  entry_no: bigint | null;
  rule: string;
  outcome: 'equal' | 'amount' | 'fee' | 'duplicate' | 'pending';
}

export interface UnmatchedTable {
  account_no: string;
  side: 'platform' | 'ledger';
  item_key: string;
  ambiguous: Generated<boolean>;
}

export type Verdict = 'reconciled' | 'reconciled_with_timing' | 'breaks' | 'unverified' | 'incomplete';

export interface RunTable {
  run_id: string;
  job: 'nightly' | 'backfill';
  from_day: Day;
  to_day: Day;
  accounts: Generated<string>;
  version: number;
  supersedes: string | null;
  superseded_by: string | null;
  step: Generated<string>;
  state: 'open' | 'finished' | 'incomplete';
  verdict: Verdict | null;
  fence: bigint;
  clock_at: Instant;
  started_at: Instant;
  finished_at: Instant | null;
  settings_digest: string;
  profile_digest: string;
  assumptions: Json;
  inputs_digest: string | null;
  facts: JsonWithDefault;
  result: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface RunAccountTable {
  run_id: string;
  account_no: string;
  verdict: Verdict;
  reason: Generated<string>;
  source: 'observed' | 'derived' | null;
  stated_fen: Fen | null;
  platform_fen: Fen | null;
  frozen_fen: Fen | null;
  in_flight_fen: Generated<Fen>;
  opening_fen: Fen | null;
  opening_at: Instant | null;
  movements_fen: Generated<Fen>;
  in_fen: Generated<Fen>;
  out_fen: Generated<Fen>;
  fee_fen: Generated<Fen>;
  unexplained_fen: Fen | null;
  ledger_fen: Fen | null;
  ledger_opening_fen: Fen | null;
  ledger_in_fen: Generated<Fen>;
  ledger_out_fen: Generated<Fen>;
  ledger_fee_fen: Generated<Fen>;
  line_difference_fen: Generated<Fen>;
  opening_difference_fen: Fen | null;
  difference_fen: Fen | null;
  assumptions: JsonWithDefault;
  candidates: JsonWithDefault;
}

export type BreakClass =
  | 'platform_only'
  | 'ledger_only'
  | 'amount'
  | 'fee'
  | 'state'
  | 'duplicate'
  | 'account'
  | 'ambiguous'
  | 'fee_invariant'
  | 'batch_children'
  | 'frozen'
  | 'unexplained'
  | 'opening'
  | 'record_changed'
  | 'record_vanished'
  | 'state_regression'
  | 'bad_record'
  | 'period_changed'
  | 'empty_suspect'
  | 'settle_failed'
  | 'unknown_state'
  | 'voucher_missing';

export type TimingClass = 'in_flight' | 'pending' | 'late' | 'unknown_not_found';

export interface FindingTable {
  run_id: string;
  break_id: string;
  account_no: string;
  class: BreakClass | TimingClass;
  severity: 'break' | 'attention' | 'timing';
  reference: string;
  platform_fen: Fen | null;
  ledger_fen: Fen | null;
  difference_fen: Fen;
  line: boolean;
  platform_ref: Generated<string>;
  platform_state: Generated<string>;
  platform_at: Instant | null;
  ledger_ref: Generated<string>;
  ledger_state: Generated<string>;
  ledger_at: Instant | null;
  counterparty: Generated<string>;
  note: Generated<string>;
  first_day: Day;
  age_days: number;
}

export interface BreakTable {
  break_id: string;
  account_no: string;
  item_key: string;
  occurrence: number;
  class: BreakClass | TimingClass;
  severity: 'break' | 'attention' | 'timing';
  reference: string;
  platform_fen: Fen | null;
  ledger_fen: Fen | null;
  difference_fen: Fen;
  status: Generated<'open' | 'closed'>;
  first_day: Day;
  first_run: string;
  last_day: Day;
  last_run: string;
  closed_day: Day | null;
  closed_run: string | null;
  cleared_by: string | null;
}

export interface BreakEventTable {
  break_id: string;
  event_no: number;
  run_id: string | null;
  event: string;
  actor: string;
  at: Instant;
  details: JsonWithDefault;
}
