/**
 * The vocabulary of the workbook as a type: names of things that stand on several sheets. A language that
 * lacks one does not compile.
 */
import type { BreakClass, TimingClass, Verdict, WorkStatus } from '../../src/store/schema/schema.ts';

/** In the order in which work goes on. */
export const WORK_STATUSES: readonly WorkStatus[] = [
  'open',
  'expired',
  'assigned',
  'explained',
  'resolved',
  'written_off',
];

export type Locale = 'zh-CN' | 'en';

export type SheetKey =
  | 'summary'
  | 'statement'
  | 'rollForward'
  | 'openItems'
  | 'breaks'
  | 'offsets'
  | 'writeOffs'
  | 'deposits'
  | 'transfers'
  | 'withdrawals'
  | 'settlements'
  | 'vouchers'
  | 'changes'
  | 'runLog'
  | 'check';

/** The lines of the two-column statement that hold items of one side only. */
export type SideLine = 'platform_received' | 'platform_paid' | 'ledger_received' | 'ledger_paid';

/** What became of a record: where it is in "matched + breaks + timing = inputs". */
export type DepositResult = 'matched' | 'break' | 'timing' | 'open';

/** An order may also have moved nothing in the period: it is on its way, or it failed. */
export type OrderResult = DepositResult | 'uncounted';

export type ItemState = 'new' | 'carried' | 'cleared' | 'moved';

/** The youngest first. */
export const AGE_BUCKETS = ['days0', 'days2', 'days8', 'days31'] as const;

export type AgeBucket = (typeof AGE_BUCKETS)[number];

/** 0–1, 2–7, 8–30 and more than 30 days. */
/** How far people are with a break, whatever they did with it. */
export type WorkProgress = 'untouched' | 'inProgress' | 'done';

export function bucketOf(ageDays: number): AgeBucket {
  if (ageDays <= 1) return 'days0';
  if (ageDays <= 7) return 'days2';
  return ageDays <= 30 ? 'days8' : 'days31';
}

export type ReasonWord =
  | 'run_stopped'
  | 'windows_unread'
  | 'days_unproven'
  | 'rollback_unread'
  | 'days_spanned'
  | 'balance_unread'
  | 'ledger_incomplete'
  | 'lists_unverified'
  | 'balance_absent'
  | 'balance_moving'
  | 'no_snapshot'
  | 'no_baseline'
  | 'before_baseline'
  | 'identity_fails'
  | 'proof_failed'
  | 'orders_unread'
  | 'ambiguous_orders'
  | 'timing_candidates'
  | 'timing_unexplained'
  | 'break_neither_found_nor_ended'
  | 'opening_in_doubt'
  | 'timing_assumed'
  | 'debited_inferred'
  | 'ledger_opening_assumed'
  | 'ledger_opening_differs'
  | 'first_balance_moved'
  | 'first_balance_is_baseline'
  | 'account_gone'
  | 'entries_before_opening';

export interface Terms {
  locale: Locale;
  /** A font with the characters of the language that Excel and WPS bring along. */
  fontName: string;
  title: string;
  sheets: Record<SheetKey, string>;
  verdicts: Record<Verdict, string>;
  verdictSentences: Record<Verdict, string>;
  classes: Record<BreakClass | TimingClass, string>;
  sideLines: Record<SideLine, string>;
  /** Items that are not part of the statement's lines. */
  outsideStatement: string;
  results: Record<OrderResult, string>;
  itemStates: Record<ItemState, string>;
  ageBuckets: Record<AgeBucket, string>;
  sources: Record<'observed' | 'derived', string>;
  /** What an amount in flight does to the balance; empty where nothing was in flight. */
  inflightModels: Record<'frozen' | 'debited', string>;
  jobs: Record<'nightly' | 'backfill', string>;
  reasons: Record<ReasonWord, string>;
  fileKinds: Record<'accounts' | 'ledger' | 'orders', string>;
  /** States of records on either side and ways to take a fee; one that is not named here is shown as it is. */
  recordStates: Readonly<Record<string, string>>;
  /** What the members of the platform's records are called in sentences. */
  memberNames: Readonly<Record<string, string>>;
  /** Sentences of the proof, recognised by their form; `$1` is what was in it. Others are shown as they are. */
  remarks: readonly (readonly [RegExp, string])[];
  windowStates: Record<'planned' | 'verified' | 'unverified' | 'failed', string>;
  balanceStates: Record<'stable' | 'moving' | 'absent', string>;
  common: CommonWords;
}

export interface CommonWords {
  footer: string;
  perspective: string;
  unit: string;
  yuan: (amount: string) => string;
  yes: string;
  no: string;
  none: string;
  notStated: string;
  ledgerNotStated: string;
  noBaseline: string;
  notComparable: string;
  /** What a check says. */
  agrees: string;
  differs: string;
  /** Between the sentences of one remark. */
  betweenSentences: string;
  /** A reason and what stands behind it. */
  inBrackets: (text: string, detail: string) => string;
  total: string;
  period: (span: { from: string; to: string }) => string;
  version: (version: number) => string;
  account: string;
  accountIndex: string;
  accountName: string;
  verdict: string;
  verdictIs: (verdict: string) => string;
  continuedElsewhere: (what: { file: string; rows: string; limit: string }) => string;
  inOwnFile: (what: { file: string; rows: string }) => string;
}
