/** What a look at an order shows and what is known of it: the words of the state machine of `order-changes.ts`. */
import type { Selectable } from 'kysely';
import type { Fen } from '../core/fen.ts';
import type { Day, Instant } from '../core/time.ts';
import type {
  OrderFaultClass,
  OrderStateSeenTable,
  SettlementState,
  TransferOrderTable,
  WithdrawalTable,
} from '../store/schema/schema-orders.ts';

export type TransferRow = Selectable<TransferOrderTable>;
export type WithdrawalRow = Selectable<WithdrawalTable>;
/** One change of an order and the interval it happened in. */
export type ChangeRow = Selectable<OrderStateSeenTable>;

/** When a look was taken. */
export interface LookTime {
  /** Our clock at the send and at the receipt: they order looks, and an older one changes nothing (N11). */
  sentAt: Instant;
  answeredAt: Instant;
  /** The same two moments in the platform's time as well as we know it: they bound what the look showed. */
  askedAt: Instant;
  seenAt: Instant;
  /** The day on which what is found counts as noticed. */
  day: Day;
}

/** What a state word means by the profile; `refunding`: not final, or on the way to a refund when it had moved. */
export type StateMeaning = 'open' | 'refunding' | 'moved' | 'failed' | 'unknown';

/** What every order states; absent members are null or empty. */
export interface OrderObservation {
  /** The account the order belongs to: the payer's, or that of a withdrawal. */
  accountNo: string;
  /** Its own number, or what stands for it where it states none. */
  outOrderNo: string;
  orderNo: string;
  amountFen: Fen | null;
  realFen: Fen | null;
  feeFen: Fen | null;
  feeType: string;
  state: string;
  meaning: StateMeaning;
  note: string;
  /** As the company registered it; null: nobody knows. */
  submittedAt: Instant | null;
  /** The last look that did not find it, before any had found it; null: there was none. */
  notFoundAt: Instant | null;
  /** Why it cannot be read; such an order is kept open and never moved (P9, P11). */
  unreadable: readonly string[];
  /** Faults of the record that do not keep it from being read. */
  remarks: readonly string[];
  answerSha256: string;
  signed: boolean;
}

export interface TransferObservation extends OrderObservation {
  outBatchNo: string;
  /** Its own number as the answer states it, where it cannot go by that; empty else. */
  statedNo: string;
  payeeAccountNo: string;
  settleState: string;
  settlement: SettlementState;
  settleRemark: string;
  /** The sum refunded so far as the profile reads it; null: the answer does not say (U36). */
  refundFen: Fen | null;
  /** What is stated beyond the confirmed sum waits for its confirmation. */
  refundWaits: boolean;
  extParam: string;
  /** Of other records of the same answer that may be its as well, one sentence each. */
  beside: readonly string[];
}

/** Open faults by class: what they say and since which day. */
export type OpenFaults = ReadonlyMap<OrderFaultClass, { note: string; firstDay: Day }>;

export interface Known<R> {
  row: R;
  /** All its rows of order_state_seen, by subject and change. */
  changes: readonly ChangeRow[];
  faults: OpenFaults;
  /** The last look that showed it as it is known, in the platform's time before that was asked; null: nobody knows. */
  observedAt: Instant | null;
}

export interface Observed<R> {
  row: R;
  changes: readonly ChangeRow[];
  /** What is wrong with it at this look, by class; what was open and is not here is cured. */
  faults: ReadonlyMap<OrderFaultClass, string>;
  /** Something changed that was final: the former record is to be kept as a version (P3). */
  isNewVersion: boolean;
  /** An older look than the known one: nothing changed but what it showed of the settlement, and a number it had not. */
  isStale: boolean;
}

export interface ObservedTransfer extends Observed<TransferRow> {
  /** The record is of this order and no other: it names its payer, and no other record of the answer may stand for it. */
  isOwn: boolean;
  /** Why it cannot be taken at its word, in sentences. */
  doubts: readonly string[];
}

/**
 * What an older look changes: nothing. The platform's number is a name: whichever look stated it, the order has it,
 * unless that look named another payer.
 * @param merged what is known, together with what that look states
 */
export function unchanged<R extends { account_no: string; order_no: string }>(
  known: Known<R>,
  merged: Pick<R, 'account_no' | 'order_no'>,
): Observed<R> {
  const stated = merged.account_no === known.row.account_no ? merged.order_no : '';
  return {
    row: { ...known.row, order_no: known.row.order_no || stated },
    changes: known.changes,
    faults: new Map([...known.faults].map(([kind, { note }]) => [kind, note])),
    isNewVersion: false,
    isStale: true,
  };
}
