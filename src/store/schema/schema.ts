/**
 * The tables as types, in the order of the migrations, which say why each exists. Instants are UTC text, int8
 * is `bigint`, jsonb comes back parsed and is written as text, on both databases.
 */
import type { Kysely, Transaction } from 'kysely';
import type {
  ProgressTable,
  LeaseTable,
  IntakeFileTable,
  InboxFileTable,
  LedgerSourceTable,
  PullMarkTable,
  AccountTable,
  AccountBaselineTable,
  AssumedAcrossTable,
  ProvenOpeningTable,
  LedgerEntryTable,
  LedgerOpeningTable,
  RawAnswerTable,
  DepositTable,
  DepositVersionTable,
  RecordFaultTable,
  SyncWindowTable,
  SyncDayTable,
  BalanceSnapshotTable,
} from './schema-facts.ts';
import type {
  OrderAliasTable,
  RegistrationChangeTable,
  OrderContradictionTable,
  OrderDueTable,
  OrderFaultTable,
  OrderRegistryTable,
  OrderStateSeenTable,
  OrderVersionTable,
  TransferBatchTable,
  TransferOrderTable,
  WithdrawalTable,
} from './schema-orders.ts';
import type {
  MovementTable,
  MovementTakenBackTable,
  MatchTable,
  UnmatchedTable,
  RunTable,
  RunAccountTable,
  RunClearedTable,
  RunUnexplainedTable,
  FindingTable,
  BreakTable,
  BreakFoundTable,
  BreakToldTable,
} from './schema-proof.ts';
import type { PushTable } from './schema-pushes.ts';
import type {
  CallByHandTable,
  RefundDeniedTable,
  SettleApprovalTable,
  SettleAttemptTable,
  SettleEventTable,
  SettleEvidenceTable,
  SettleGuardTable,
} from './schema-settle.ts';
import type { AlertDeliveryTable, AlertTable } from './schema-alerts.ts';
import type { AuditTrailTable, BreakEventTable, PrunedTable, SignedRowTable } from './schema-trail.ts';
import type { PlatformRateTable, WorkerTable, WorkUnitTable } from './schema-units.ts';
import type {
  VoucherBundleTable,
  VoucherCheckTable,
  VoucherDueTable,
  VoucherPlaceTable,
  VoucherTable,
} from './schema-vouchers.ts';

export type * from './schema-alerts.ts';
export type * from './schema-facts.ts';
export type * from './schema-orders.ts';
export type * from './schema-proof.ts';
export type * from './schema-pushes.ts';
export type * from './schema-settle.ts';
export type * from './schema-trail.ts';
export type * from './schema-units.ts';
export type * from './schema-vouchers.ts';

/** The database port: PostgreSQL or the embedded one, one SQL for both. */
export type Db = Kysely<Tables>;
/** Either the database or a transaction on it. */
export type DbOrTransaction = Db | Transaction<Tables>;

export interface Tables {
  progress: ProgressTable;
  lease: LeaseTable;
  intake_file: IntakeFileTable;
  inbox_file: InboxFileTable;
  pull_mark: PullMarkTable;
  ledger_source: LedgerSourceTable;
  account: AccountTable;
  account_baseline: AccountBaselineTable;
  proven_opening: ProvenOpeningTable;
  ledger_entry: LedgerEntryTable;
  ledger_opening: LedgerOpeningTable;
  assumed_across: AssumedAcrossTable;
  raw_answer: RawAnswerTable;
  deposit: DepositTable;
  deposit_version: DepositVersionTable;
  record_fault: RecordFaultTable;
  sync_window: SyncWindowTable;
  sync_day: SyncDayTable;
  balance_snapshot: BalanceSnapshotTable;
  order_registry: OrderRegistryTable;
  registration_change: RegistrationChangeTable;
  order_contradiction: OrderContradictionTable;
  order_due: OrderDueTable;
  order_alias: OrderAliasTable;
  transfer_batch: TransferBatchTable;
  transfer_order: TransferOrderTable;
  withdrawal: WithdrawalTable;
  order_version: OrderVersionTable;
  order_state_seen: OrderStateSeenTable;
  order_fault: OrderFaultTable;
  movement: MovementTable;
  movement_taken_back: MovementTakenBackTable;
  match: MatchTable;
  unmatched: UnmatchedTable;
  run: RunTable;
  run_account: RunAccountTable;
  run_cleared: RunClearedTable;
  run_unexplained: RunUnexplainedTable;
  finding: FindingTable;
  break: BreakTable;
  break_event: BreakEventTable;
  signed_row: SignedRowTable;
  pruned: PrunedTable;
  audit_trail: AuditTrailTable;
  break_told: BreakToldTable;
  break_found: BreakFoundTable;
  call_by_hand: CallByHandTable;
  refund_denied: RefundDeniedTable;
  settle_attempt: SettleAttemptTable;
  settle_event: SettleEventTable;
  settle_evidence: SettleEvidenceTable;
  settle_guard: SettleGuardTable;
  settle_approval: SettleApprovalTable;
  voucher_due: VoucherDueTable;
  voucher: VoucherTable;
  voucher_bundle: VoucherBundleTable;
  voucher_place: VoucherPlaceTable;
  voucher_check: VoucherCheckTable;
  push: PushTable;
  work_unit: WorkUnitTable;
  worker: WorkerTable;
  platform_rate: PlatformRateTable;
  alert: AlertTable;
  alert_delivery: AlertDeliveryTable;
  /** `path`: below RECON_HOME. */
  run_file: { run_id: string; path: string; sha256: string; bytes: bigint };
}
