/** Row types of the vouchers (migration 0005). */
import type { ColumnType, Generated } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';

export type VoucherKind = 'deposit' | 'transfer' | 'withdrawal' | 'settlement';
export type VoucherDueState = 'due' | 'filed' | 'given_up' | 'unavailable';
export type VoucherCondition = 'whole' | 'encrypted' | 'damaged' | 'hostile' | 'rejected';

export interface VoucherDueTable {
  account_no: string;
  kind: VoucherKind;
  number: string;
  order_no: string;
  other_account_no: Generated<string>;
  moved_at: Instant;
  /** `2026-03`, service time. */
  month: string;
  amount_fen: Fen | null;
  counterparty: Generated<string>;
  state: Generated<VoucherDueState>;
  tries: Generated<number>;
  first_asked_day: Day | null;
  /** Empty: at every opportunity; null: never again. */
  next_day: Generated<Day | null>;
  asked_at: Instant | null;
  asked_run: Generated<string>;
  reason: Generated<string>;
}

export interface VoucherTable {
  account_no: string;
  kind: VoucherKind;
  number: string;
  file_no: number;
  sha256: string;
  bytes: bigint;
  pages: number | null;
  condition: VoucherCondition;
  remark: Generated<string>;
  req_id: string;
  fetched_at: Instant;
  run_id: string;
  written_no: bigint;
}

export interface BundlePart {
  path: string;
  sha256: string;
  pages: number;
  files: number;
  /** By which it is known when it is only the beginning of its file; absent in bundles of former programs. */
  bytes?: number;
}

export interface VoucherBundleTable {
  account_no: string;
  month: string;
  version: number;
  content_sha256: string;
  parts: ColumnType<BundlePart[], string, string>;
  manifest_sha256: string;
  pages: number;
  files: number;
  missing: number;
  made_at: Instant;
  run_id: string;
  superseded_at: Instant | null;
}

export interface VoucherPlaceTable {
  account_no: string;
  month: string;
  version: number;
  order_account_no: string;
  kind: VoucherKind;
  number: string;
  file_no: number;
  part: number;
  page: number;
  pages: number;
}

export interface VoucherCheckTable {
  checked_at: Instant;
  sha256: string;
  actual_sha256: string | null;
  result: 'missing' | 'changed' | 'unreadable';
  cured_at: Instant | null;
}
