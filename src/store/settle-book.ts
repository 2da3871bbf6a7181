/**
 * What the retry of settlements keeps, as the protocol needs it: each method is one transaction, done or not done.
 * The jobs hand in the one on the database (`settle-attempts.ts`); a simulation may hand in another that behaves
 * the same.
 */
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { OrderAnswer } from './orders-answers.ts';
import type { AttemptOutcome, AttemptState, TransferState } from './schema.ts';

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
  /** Attempts so far but for those that were never sent. */
  attempts: number;
  /** The number the next attempt will have. */
  nextAttemptNo: number;
  /** When the last attempt that counts was closed; undefined when there was none. */
  lastClosedAt: Instant | undefined;
  hasOpenAttempt: boolean;
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

export interface SentStamp {
  /** In the platform's time, as the request states it. */
  reqTime: Instant;
  sentAt: Instant;
  sentMonoMs: number;
}

/** An attempt that is not closed. */
export interface OpenAttempt extends PlannedAttempt {
  outBatchNo: string;
  batchNo: string;
  state: Exclude<AttemptState, 'CLOSED'>;
  sent: SentStamp | undefined;
  answeredAt: Instant | undefined;
  note: string;
  /** The first of the verified queries that agree that it failed, in the platform's time. */
  failedSeenAt: Instant | undefined;
}

/** What came of the one send. */
export interface AttemptAnswer {
  state: 'ACK_PROCESSING' | 'ACK_SUCCESS' | 'ACK_FAIL' | 'UNKNOWN' | 'NOT_SENT';
  answeredAt: Instant;
  /** The platform's code where it refused; empty else. */
  code: string;
  /** For people; masked. */
  note: string;
  feeFen: Fen | undefined;
  feeType: string;
  /** The verified answer as it was signed; undefined where there was none. */
  evidence: { sha256: string; bizText: string; reqId: string; requestedAt: Instant } | undefined;
}

export interface Closing {
  outcome: AttemptOutcome;
  at: Instant;
  note: string;
}

export interface RunLimits {
  runId: string;
  maxPerRun: number;
  maxFenPerRun: Fen;
  maxAttempts: number;
}

/** What became of the wish to plan. */
export type Planning =
  | 'planned'
  /** An attempt of this order is open: somebody else's, or one that this run did not see. */
  | 'taken'
  /** The run's number or sum, or the order's number of attempts, is used up. */
  | 'capped';

export interface GuardState {
  /** How many changes of attempts this database knows of. */
  sequence: bigint;
  /** Nothing may be sent before. */
  holdUntil: Instant | undefined;
  /** The database is not the one it was when it was last used for this (restored, copied, moved). */
  isReplaced: boolean;
}

/** What is noted of an attempt that a restored database calls planned. */
export const PLANNED_BEFORE_RESTORE = 'the database was restored: whether it was sent is not known';

/** What was done in a run, as it was known at its end. */
export interface AttemptReport extends OrderKey {
  attemptNo: number;
  reqId: string;
  payeeAccountNo: string;
  amountFen: Fen;
  state: AttemptState;
  outcome: AttemptOutcome | undefined;
  note: string;
  plannedAt: Instant;
  sentAt: Instant | undefined;
  closedAt: Instant | undefined;
}

/**
 * Every method but the reading ones checks in its own transaction that the lease it was made with is still held.
 * @throws Stopped when the lease was lost; whatever the database throws: then it is not known whether it was done,
 *   and doing the same once more is harmless
 */
export interface SettleBook {
  /** Sorted by key. */
  listFailed(): Promise<FailedSettlement[]>;
  /** Sorted by key. */
  listOpen(): Promise<OpenAttempt[]>;
  /** How much of its limits a run has used: attempts that were or may have been sent. */
  usedBy(runId: string): Promise<{ attempts: number; sumFen: Fen }>;
  /** Keeps what a query said of a batch, as every collected look is kept; true when it could be kept. */
  saveLook(answer: OrderAnswer): Promise<boolean>;
  /** TX1 of reliability.md 2.2. The same attempt (reqId) again is planned already. */
  plan(planned: PlannedAttempt, limits: RunLimits): Promise<Planning>;
  /**
   * TX2: PLANNED → SENT; when it returns the commit is confirmed.
   * @returns the number of this change, for the mark outside the database
   * @throws Error when the attempt is in another state than PLANNED (or SENT with the same stamp)
   */
  markSent(reqId: string, sent: SentStamp): Promise<bigint>;
  /** SENT → what came of it. An attempt that is closed by now is left alone. */
  saveAnswer(reqId: string, answer: AttemptAnswer): Promise<void>;
  /** The first agreeing look, or (undefined) that it does not agree any more. */
  saveFailedSeen(reqId: string, seenAt: Instant | undefined): Promise<void>;
  /** Any open state → CLOSED. Closing twice is closing once; the first outcome stands. */
  close(reqId: string, closing: Closing): Promise<void>;
  guard(): Promise<GuardState>;
  /**
   * Accepts this database as the one in use from now on, and holds all sending until then. Where it was restored, what
   * it calls planned may have been sent since the backup: it becomes UNKNOWN, as sent at the latest possible moment.
   */
  hold(until: Instant, latestSend?: SentStamp): Promise<void>;
  isApproved(planDigest: string): Promise<boolean>;
  saveApproval(approval: {
    planDigest: string;
    approvedBy: string;
    approvedAt: Instant;
    runId: string;
    orders: number;
    amountFen: Fen;
  }): Promise<void>;
}
