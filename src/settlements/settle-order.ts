/** One settlement that failed, and one attempt to repeat it, as they are passed between the steps. */
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { TransferState } from '../store/schema/schema-orders.ts';

/** A transfer order by its key. */
export interface OrderKey {
  accountNo: string;
  outOrderNo: string;
}

/** A transfer order whose settlement is stored as failed, with all that decides whether it may be retried. */
export interface FailedSettlement extends OrderKey {
  orderNo: string;
  outBatchNo: string;
  batchNo: string;
  payeeAccountNo: string;
  /** What a settlement pays out by `settle.amountRule`; undefined: the platform did not state it. */
  amountFen: Fen | undefined;
  effectiveState: TransferState;
  settleRemark: string;
  refundFen: Fen;
  /** Classes of its faults that are not cured (state_regression, bad_record, …). */
  faults: readonly string[];
  /** The payee is on the account list, active now. */
  payeeIsListed: boolean;
  /** Another order has the number this one would be named by. */
  hasNamesake: boolean;
  /** The request of a refund of it by hand that was accepted, or may have been, and that no query has shown done since. */
  refundUnseen: string | undefined;
  /** Attempts so far but for those that were never sent. */
  attempts: number;
  /** The number the next attempt will have. */
  nextAttemptNo: number;
  /** When the last attempt that counts was closed; undefined when there was none. */
  lastClosedAt: Instant | undefined;
  /**
   * When it was last known to be paid, a look last showed anything but its plain failure, whoever had asked for that, or
   * a call of money by hand last named it or its payee: at the latest.
   */
  lastShownAt: Instant | undefined;
  hasOpenAttempt: boolean;
  /** Somebody asks for its batch, or died asking, and may be shown anything; a look of the retry takes over what was claimed before it. */
  isAskedFor: boolean;
  /** Another attempt was sent before one that was opened again had ended: the platform may have taken both. */
  mayBeTakenTwice: boolean;
}

export interface PlannedAttempt extends OrderKey {
  attemptNo: number;
  reqId: string;
  orderNo: string;
  payeeAccountNo: string;
  amountFen: Fen;
  remark: string;
  runId: string;
  /** Names the process that plans, at random. */
  runner: string;
  plannedAt: Instant;
}
