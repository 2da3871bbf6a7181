/** Row types of what follows from the facts (migration 0002). */
import type { ColumnType, Generated } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';

type Json = ColumnType<unknown, string, string>;
type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

export type Family = 'deposit' | 'transfer' | 'settlement' | 'refund' | 'withdrawal';

export interface MovementTable {
  account_no: string;
  dedup_key: string;
  family: Family;
  kind: string;
  delta_fen: Fen;
  fee_fen: Fen;
  reference: string;
  /** The instant at which it counts. */
  effective_from: Instant;
  /** The first look that showed it. */
  effective_to: Instant;
  written_no: bigint;
  /** The account its order belongs to, and which change of the order it is; empty and 0 for a deposit. */
  order_account: Generated<string>;
  change_no: Generated<number>;
  /** Whether a balance decided the instant at which it counts. */
  placed: Generated<boolean>;
  /** The earliest instant it counted at before; null: it never counted elsewhere. */
  formerly_from: Generated<Instant | null>;
  /** The latest instant it counted at before. */
  formerly_to: Generated<Instant | null>;
}

/** Migration 0036. */
export interface MovementTakenBackTable {
  account_no: string;
  written_no: bigint;
  /** The earliest of those that one posting took back. */
  counted_from: Instant;
  /** The order or deposit of that one; empty: not kept. */
  reference: Generated<string>;
}

export interface MatchTable {
  account_no: string;
  group_key: string;
  line_no: number;
  dedup_key: string | null;
  entry_no: bigint | null;
  rule: string;
  outcome: 'equal' | 'amount' | 'fee' | 'duplicate' | 'pending';
  booked_with: string | null;
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
  /** When its proof was stored. */
  finished_at: Instant | null;
  settings_digest: string;
  profile_digest: string;
  assumptions: Json;
  outcome_digest: string | null;
  facts: JsonWithDefault;
  result: ColumnType<unknown, string | null | undefined, string | null>;
  begun: Generated<number>;
  trail_no: Generated<bigint | null>;
  trail_digest: Generated<string | null>;
  /** When all of it was done (migration 0070). */
  published_at: Generated<Instant | null>;
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
  inflight_model: Generated<'' | 'frozen' | 'debited'>;
  opening_fen: Fen | null;
  opening_at: Instant | null;
  opening_run: Generated<string>;
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
  chained: Generated<boolean>;
  /** Up to which write number the first try of the run that proved it knew the records; null: none did, or not kept. */
  known_no: Generated<bigint | null>;
}

export interface RunUnexplainedTable {
  run_id: string;
  account_no: string;
  to_day: Day;
  since: Instant;
  until: Instant | null;
  fen: Fen;
  item_key: string;
}

export interface RunClearedTable {
  run_id: string;
  account_no: string;
  item_key: string;
  source: string;
  entry_id: string;
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
  item_key: Generated<string>;
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

/** What closed a break (docs/reconciliation.md 3.8): nothing closes by itself. */
export type ClearingCause =
  'entry' | 'record' | 'adjustment' | 'restatement' | 'reading' | 'statement' | 'sign_off';

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
  cleared_cause: ClearingCause | null;
}

/** Up to where a run looked that found a break. */
export interface BreakFoundTable {
  break_id: string;
  /** The last day of the run. */
  day: Day;
  /** The highest write number that was known to it. */
  known_no: bigint;
  /** When it looked. */
  found_at: Instant;
}

/** A difference of the balance with an amount that it was told with. */
export interface BreakToldTable {
  break_id: string;
  difference_fen: Fen;
  /** The highest write number known to the first run that told it so. */
  known_no: bigint;
}
