/** Row types of what the company submitted and what became of it (migration 0003). */
import type { ColumnType, Generated } from 'kysely';
import type { Fen } from '../../core/fen.ts';
import type { Day, Instant } from '../../core/time.ts';

export type RegisteredOutcome = 'sent' | 'accepted' | 'refused' | 'unknown';

export interface OrderRegistryTable {
  kind: 'transfer' | 'withdrawal';
  out_batch_no: Generated<string>;
  out_order_no: Generated<string>;
  batch_no: Generated<string>;
  order_no: Generated<string>;
  payer_account_no: Generated<string>;
  payee_account_no: Generated<string>;
  amount_fen: Fen | null;
  submitted_at: Instant | null;
  outcome: Generated<RegisteredOutcome>;
  file_id: string | null;
  enrolled: Generated<boolean>;
  /** Made by the database. */
  registered_as: ColumnType<string, never, never>;
}

/** What a registered order said before it was changed; written by the database. */
export interface RegistrationChangeTable {
  change_no: ColumnType<bigint, never, never>;
  kind: OrderRegistryTable['kind'];
  registered_as: string;
  member: string;
  before: string;
  after: string;
  at: Instant | null;
  by_role: string;
  file_id: string | null;
}

/** What a program registered of an order once more, and was dropped; written by the database. */
export interface OrderContradictionTable {
  contradiction_no: ColumnType<bigint, never, never>;
  kind: OrderRegistryTable['kind'];
  out_batch_no: string;
  out_order_no: string;
  batch_no: string;
  order_no: string;
  payer_account_no: string;
  payee_account_no: string;
  amount_fen: Fen | null;
  registered_as: string;
  by_role: string;
  at: Instant | null;
  settled_at: Instant | null;
  settled_file_id: string | null;
}

export type DueState = 'new' | 'open' | 'final' | 'not_found' | 'refused';

export interface OrderDueTable {
  kind: 'batch' | 'withdrawal';
  number_kind: 'out' | 'platform';
  number: string;
  account_no: Generated<string>;
  origin: 'registry' | 'ledger';
  submitted_at: Instant | null;
  /** The earliest that was ever stated: what was once under way grows old from then on. */
  first_submitted_at: Instant | null;
  state: Generated<DueState>;
  final_day: Day | null;
  /** Empty: at every opportunity; null: never again. */
  next_day: Generated<Day | null>;
  asked_at: Instant | null;
  asked_run: Generated<string>;
  failure: Generated<string>;
  not_found_since: Instant | null;
  /** Since when the platform does not show it and does not say either that it knows no such number. */
  refused_since: Instant | null;
  /** The day on which that became an item of its own. */
  given_up_day: Day | null;
  /** Who asks for it just now, under which of its claims, and until when at most. */
  claim_by: Generated<string | null>;
  claim_fence: Generated<bigint>;
  claim_until: Generated<Instant | null>;
  /** By when an answer about it may have come that was not kept, and may have shown anything of its orders; null: none did. */
  may_have_shown_at: Instant | null;
  /** Of a batch that is known by another number than this one. */
  batch_no: Generated<string>;
}

export interface OrderAliasTable {
  order_no: string;
  out_order_no: string;
}

interface SeenOrder {
  account_no: string;
  out_order_no: string;
  order_no: string;
  /** Null: not stated, which is not zero. */
  amount_fen: Fen | null;
  real_fen: Fen | null;
  fee_fen: Fen | null;
  fee_type: string;
  /** The platform's word as last stated. */
  state: string;
  note: string;
  version: number;
  submitted_at: Instant | null;
  first_seen_at: Instant;
  seen_at: Instant;
  answer_sha256: string;
  signed: boolean;
  written_no: bigint;
}

export interface TransferBatchTable {
  account_no: string;
  out_batch_no: string;
  batch_no: string;
  state: string;
  order_count: number;
  ext_param: string;
  note: string;
  first_seen_at: Instant;
  seen_at: Instant;
  contradiction: Generated<string>;
  contradiction_day: Generated<string>;
  answer_sha256: string;
  signed: boolean;
  written_no: bigint;
}

export type TransferState = 'open' | 'moved' | 'failed';
export type SettlementState = 'none' | 'open' | 'settled' | 'failed' | 'unknown';
export type WithdrawalState = 'open' | 'moved' | 'failed' | 'returned';

export interface TransferOrderTable extends SeenOrder {
  out_batch_no: string;
  /** Its own number as it is stated, where another order of the payer goes by that; empty else. */
  stated_no: Generated<string>;
  payee_account_no: string;
  effective_state: TransferState;
  settle_state: string;
  settlement: SettlementState;
  settle_remark: string;
  refund_fen: Generated<Fen>;
  refund_waiting_fen: Generated<Fen>;
  ext_param: string;
  /** When a look last showed anything but the plain failure of its settlement; null: none ever did. */
  settle_shown_at: Instant | null;
  /**
   * When a look last showed its settlement as anything but failed; of one that is known as paid, when one first did; null:
   * none ever did.
   */
  unfailed_shown_at: Instant | null;
  /** When a look last showed what may be a refund of it, done or waiting; null: none ever did. */
  refund_shown_at: Instant | null;
}

export interface WithdrawalTable extends SeenOrder {
  effective_state: WithdrawalState;
}

export interface OrderVersionTable {
  account_no: string;
  kind: 'transfer' | 'withdrawal';
  out_order_no: string;
  version: number;
  content: ColumnType<unknown, string, string>;
  amount_fen: Fen | null;
  answer_sha256: string;
  seen_at: Instant;
  replaced_run: string;
  replaced_day: Day;
}

export type OrderSubject = 'transfer' | 'settlement' | 'refund' | 'withdrawal';
export type ChangeState = 'open' | 'moved' | 'failed' | 'returned';

export interface OrderStateSeenTable {
  account_no: string;
  out_order_no: string;
  subject: OrderSubject;
  change_no: number;
  state: ChangeState;
  amount_fen: Fen | null;
  since: Instant | null;
  open_since: Instant | null;
  last_open_at: Instant | null;
  first_final_at: Instant | null;
  /**
   * Of a refund that is done: no look has shown it yet but with something wrong in its record. Of anything else: the look that
   * first showed how it ended did so.
   */
  is_odd: Generated<boolean>;
}

export type OrderFaultClass =
  'state_regression' | 'unknown_state' | 'record_changed' | 'bad_record' | 'record_vanished';

/** What a fault is of: they may share a number. */
export type FaultSubject = 'transfer' | 'withdrawal' | 'batch';

export interface OrderFaultTable {
  account_no: string;
  reference: string;
  subject: FaultSubject;
  class: OrderFaultClass;
  note: string;
  first_run: string;
  first_day: Day;
  cured_day: Day | null;
  noted_no: Generated<bigint>;
}
