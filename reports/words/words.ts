/**
 * What the workbook says, as a type: the vocabulary and each sheet's labels. A language that lacks a word does
 * not compile. Where a text has a blank to fill it is a function of what goes there.
 */
import type { BreakWords } from './breaks/break-words.ts';
import type { OrderWords } from './order-words.ts';
import type { SettlementWords } from './settlement-words.ts';
import type { SideWords } from './side-words.ts';
import type { SignOffWords } from './sign-off-words.ts';
import type { Terms, WorkProgress } from './terms.ts';
import type { SuggestionWords } from './breaks/suggestion-words.ts';
import type { VoucherWords } from './voucher-words.ts';

export interface Words extends Terms {
  summary: SummaryWords;
  statement: StatementWords;
  rollForward: RollForwardWords;
  items: ItemWords;
  openItems: OpenItemWords;
  breaks: BreakWords;
  side: SideWords;
  signOff: SignOffWords;
  deposits: DepositWords;
  orders: OrderWords;
  settlements: SettlementWords;
  vouchers: VoucherWords;
  suggestions: SuggestionWords;
  runLog: RunLogWords;
}

/** What is proven by a formula on the summary. */
export type TieKey =
  | 'statement'
  | 'lines'
  | 'rollForward'
  | 'openItems'
  | 'deposits'
  | 'transfers'
  | 'withdrawals'
  | 'vouchers'
  | 'gaps';

export interface SummaryWords {
  figures: (what: { accounts: string; breaks: string; gross: string; timing: string }) => string;
  about: string;
  company: string;
  service: string;
  period: string;
  job: string;
  version: string;
  supersedes: string;
  runId: string;
  startedAt: string;
  zone: string;
  unit: string;
  accountsByVerdict: string;
  accounts: string;
  breaksByClass: string;
  timingByClass: string;
  attentionByClass: string;
  className: string;
  count: string;
  amount: string;
  gross: string;
  net: string;
  noBreaks: string;
  noTiming: string;
  noAttention: string;
  extraction: string;
  windows: string;
  windowsVerified: string;
  pages: string;
  records: string;
  gaps: string;
  overlaps: string;
  overlapsResolved: string;
  tieOuts: string;
  tieOut: string;
  result: string;
  ties: Record<TieKey, string>;
  attentionAccounts: (what: { shown: string; all: string }) => string;
  platformBalance: string;
  ledgerBalance: string;
  difference: string;
  reason: string;
  allReconciled: string;
  files: string;
  fileKind: string;
  fileSource: string;
  fileName: string;
  fileRows: string;
  importedAt: string;
  noFiles: string;
  assumptions: string;
  assumptionsInForce: (what: { values: string; changed: string; accounts: string; sheet: string }) => string;
  legend: string;
  legendLines: readonly string[];
  preparedBy: string;
  reviewedBy: string;
  date: string;
  work: string;
  workByOwner: string;
  workByAge: string;
  progress: Record<WorkProgress, string>;
  /** Which statuses each of them counts. */
  progressNote: string;
  noWork: string;
  oldestDays: string;
  nobody: string;
  otherOwners: (count: string) => string;
  auditTrail: string;
  charts: string;
  chartData: string;
  breaksByAge: string;
  balancesOfDays: string;
  unexplainedNights: string;
}

export interface StatementWords {
  head: (what: { index: string; accountNo: string; name: string }) => string;
  ledgerBalance: string;
  platformBalance: string;
  add: (line: string) => string;
  less: (line: string) => string;
  adjust: (line: string) => string;
  adjustedLedger: string;
  adjustedPlatform: string;
  difference: string;
  agrees: string;
  unexplained: string;
  opening: string;
  explained: string;
  unequalAccounts: string;
  unexplainedDifferences: string;
  noAccounts: string;
  ledgerOpening: string;
  platformOpening: string;
  number: string;
  /** Items of a line that are not shown one by one. */
  rest: (count: string) => string;
  /** Platform less ledger, with nothing adjusted. */
  balanceDifference: string;
  reconciledTitle: (count: string) => string;
  reconciledNote: string;
  source: string;
}

export interface RollForwardWords {
  platformSide: string;
  ledgerSide: string;
  comparison: string;
  source: string;
  opening: string;
  received: string;
  paid: string;
  fees: string;
  computed: string;
  platformReported: string;
  ledgerReported: string;
  /** A column that both sides have, of the ledger. */
  ofLedger: (column: string) => string;
  unexplained: string;
  difference: string;
  lines: string;
  openingDifference: string;
  check: string;
  inFlightSide: string;
  frozen: string;
  inFlight: string;
  model: string;
  unequal: string;
  noAccounts: string;
}

export interface ItemWords {
  className: string;
  statementLine: string;
  reference: string;
  difference: string;
  firstSeen: string;
  ageDays: string;
  counterparty: string;
  breakId: string;
}

export interface OpenItemWords {
  empty: string;
  date: string;
  amount: string;
  bucket: string;
  expectedBy: string;
  clearedOn: string;
  clearedBy: string;
  state: string;
  clearedTitle: string;
  clearedEmpty: string;
  previous: string;
  added: string;
  cleared: string;
  moved: string;
  changed: string;
  open: string;
  check: string;
  counts: string;
  amounts: string;
}

export interface DepositWords {
  empty: string;
  orderNo: string;
  depositedAt: string;
  amount: string;
  fee: string;
  feeType: string;
  net: string;
  payer: string;
  payerAccount: string;
  ledgerRef: string;
  bookedAt: string;
  ledgerFen: string;
  difference: string;
  rule: string;
  result: string;
  className: string;
  /** The matching's own words for how a pair was found. */
  rules: Readonly<Record<string, string>>;
  all: string;
  check: string;
  counts: string;
  amounts: string;
  checkRow: string;
  inTables: string;
  asWritten: string;
}

export interface RunLogWords {
  run: string;
  key: string;
  value: string;
  settingsDigest: string;
  profileDigest: string;
  facts: string;
  noFacts: string;
  /** Names of known facts by their path; an unknown one is shown by its path. */
  factNames: Readonly<Record<string, string>>;
  /** Words the run keeps of itself. */
  factWords: Readonly<Record<string, string>>;
  windows: string;
  noWindows: string;
  from: string;
  to: string;
  state: string;
  passes: string;
  rereads: string;
  pages: string;
  total: string;
  distinct: string;
  inside: string;
  sum: string;
  verifiedAt: string;
  reason: string;
  balances: string;
  noBalances: string;
  takenAt: string;
  closedAt: string;
  purpose: string;
  balance: string;
  frozen: string;
  available: string;
  tries: string;
  spread: string;
  signed: string;
  accounts: string;
  noAccountNotes: string;
  assumption: string;
  candidate: (what: { assume: string; difference: string }) => string;
  profile: string;
  noProfile: string;
  profileKey: string;
  profileU: string;
  profileValue: string;
  profileDefault: string;
  profileChanged: string;
  profileDescription: string;
  /** What a key means; a key of an older version as it described itself. */
  profileMeaning: (key: string, described: string) => string;
}
