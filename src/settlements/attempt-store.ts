/**
 * What the retry of settlements keeps, as the protocol needs it: each method is one transaction, done or not done.
 * The jobs hand in the one on the database (`settle-attempts.ts`); a simulation may hand in another that behaves
 * the same.
 */
import { NotSent } from '../core/errors.ts';
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { Window } from '../core/window.ts';
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
  /** Another order has the number this one would be named by. */
  hasNamesake: boolean;
  /** Attempts so far but for those that were never sent. */
  attempts: number;
  /** The number the next attempt will have. */
  nextAttemptNo: number;
  /** When the last attempt that counts was closed; undefined when there was none. */
  lastClosedAt: Instant | undefined;
  /**
   * When it was last known to be paid, or a look last showed anything but its plain failure, whoever had asked for that:
   * at the latest.
   */
  lastShownAt: Instant | undefined;
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
  /** As the answer stated it. */
  feeFen: Fen | undefined;
  note: string;
  /** What came back says, or may say, that it was accepted, or is claimed or has changed. */
  isClaimed: boolean;
  /** The last verified query after the send that showed it under way, in the platform's time. */
  openSeenAt: Instant | undefined;
  /** The first of the verified queries that agree that it failed, in the platform's time. */
  failedSeenAt: Instant | undefined;
}

/**
 * Whether the platform took it, says that it is taken, or may have said so to a process that ended before it stored
 * the answer: however long its queries go on showing a failure, that is a view that lags behind (docs/reliability.md
 * 2.3 a).
 */
export function isAccepted({ state, isClaimed }: { state: AttemptState; isClaimed: boolean }): boolean {
  return isClaimed || state === 'SENT' || state === 'ACK_PROCESSING' || state === 'ACK_SUCCESS';
}

/** What came of the one send. */
export interface AttemptAnswer {
  state: 'ACK_PROCESSING' | 'ACK_SUCCESS' | 'ACK_FAIL' | 'UNKNOWN' | 'NOT_SENT';
  answeredAt: Instant;
  /** The platform's code where it refused; empty else. */
  code: string;
  /** What came back says, or may say, that it was accepted, or is claimed or has changed. */
  isClaimed: boolean;
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

/** What may be sent within a service day, whichever command sends it. */
export interface DayLimits {
  /** The service day: `from` ≤ planned < `to`. */
  day: Window;
  maxPerRun: number;
  maxFenPerRun: Fen;
  maxAttempts: number;
}

/** What an intent rests on; asked within each transaction that stores a part of it. */
export interface Basis {
  /** Whether the look right before still holds. */
  isFresh: () => boolean;
  /** As it was known of the order when this was planned (`FailedSettlement`). */
  lastShownAt: Instant | undefined;
}

/**
 * Whether the order is what was planned, and nothing that speaks against it has become known since: by whomever, and
 * though our own look right before may be a view that lags behind.
 */
export function isAsPlanned(
  order: FailedSettlement | undefined,
  planned: PlannedAttempt,
  { lastShownAt }: Basis,
): order is FailedSettlement {
  return (
    order !== undefined &&
    order.lastShownAt === lastShownAt &&
    order.effectiveState === 'moved' &&
    order.refundFen === 0n &&
    order.faults.length === 0 &&
    !order.hasNamesake &&
    order.payeeIsListed &&
    order.orderNo === planned.orderNo &&
    order.payeeAccountNo === planned.payeeAccountNo &&
    order.amountFen === planned.amountFen
  );
}

/** What the intent rests on does not hold any more; nothing was stored, and nothing was sent. */
export class StaleLook extends NotSent {
  constructor(why = 'what was seen right before is older than ten seconds by now') {
    super(`${why}: nothing was sent`);
  }
}

/** Why it does not, where somebody else saw something else. */
export const SHOWN_MEANWHILE = 'another look showed something else of it meanwhile';

/** What became of the wish to plan. */
export type Planning =
  | 'planned'
  /** An attempt of this order is open: somebody else's, or one that this run did not see. */
  | 'taken'
  /** The day's number or sum, or the order's number of attempts, is used up. */
  | 'capped'
  /** It is not stored as it was planned any more: somebody else's look showed something else of it. */
  | 'shown'
  /** The look it rests on is too old by now. */
  | 'stale';

/** A balance as it was read at that time. */
export interface BalanceSeen {
  at: Instant;
  balanceFen: Fen;
}

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

/** What is noted of an attempt that was dated by a clock that was ahead. */
export const REDATED = 'it is dated later than now: it counts as sent now';

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
 * Every method but the reading ones checks in its own transaction that the lease it was made with is still held; only
 * that the platform took something is kept whoever holds it.
 * @throws Stopped when the lease was lost; whatever the database throws: then it is not known whether it was done,
 *   and doing the same once more is harmless
 */
export interface SettleBook {
  /** Sorted by key. */
  listFailed(): Promise<FailedSettlement[]>;
  /** Sorted by key. */
  listOpen(): Promise<OpenAttempt[]>;
  /** How much of its limits a day has used: attempts that were or may have been sent, whoever planned them. */
  usedOn(day: Window): Promise<{ attempts: number; sumFen: Fen }>;
  /** Keeps what a query said of a batch, as every collected look is kept; true when it could be kept. */
  saveLook(answer: OrderAnswer): Promise<boolean>;
  /**
   * TX1 of docs/reliability.md 2.2. The same attempt (reqId) again is planned already.
   * @param basis its look is asked last of all within the transaction
   */
  plan(planned: PlannedAttempt, limits: DayLimits, basis: Basis): Promise<Planning>;
  /**
   * TX2: PLANNED → SENT; when it returns the commit is confirmed.
   * @returns the number of this change, for the mark outside the database
   * @throws Error when the attempt is in another state than PLANNED (or SENT with the same stamp)
   * @throws StaleLook when the look does not hold any more, or another one showed something else: it stays PLANNED
   */
  markSent(reqId: string, sent: SentStamp, basis: Basis): Promise<bigint>;
  /** SENT → what came of it. An attempt that is closed by now is left alone. */
  saveAnswer(reqId: string, answer: AttemptAnswer): Promise<void>;
  /** The first agreeing look, or (undefined) that it does not agree any more. */
  saveFailedSeen(reqId: string, seenAt: Instant | undefined): Promise<void>;
  /** A look showed it under way; what agreed before that it failed does not count any more. The latest stands. */
  saveOpenSeen(reqId: string, seenAt: Instant): Promise<void>;
  /**
   * It was dated by a clock that was ahead, and counts as sent then instead, by that process; nor was anything of it
   * seen later than that, and what agreed before that it failed does not count any more.
   */
  redate(reqId: string, sent: SentStamp, runner: string): Promise<void>;
  /** Only a person can end it, seen as it is: noted once, until something changes. */
  saveAwaiting(reqId: string, why: string): Promise<void>;
  /** Any open state → CLOSED. Closing twice is closing once; the first outcome stands. */
  close(reqId: string, closing: Closing): Promise<void>;
  /** Stable readings of an account from then on, oldest first. */
  balancesOf(accountNo: string, from: Instant): Promise<BalanceSeen[]>;
  guard(): Promise<GuardState>;
  /** Which books these are, in every backup and copy of them too. */
  booksId(): Promise<string>;
  /** Which start of the database's server answers, and for which database; empty where it does not say. */
  serverStart(): Promise<string>;
  /** Whether that change is the one by which this request was sent. */
  isSend(sequence: bigint, reqId: string): Promise<boolean>;
  /**
   * Accepts this database as the one in use from now on, and holds all sending until then. Where it was restored, what
   * it calls planned may have been sent and accepted since the backup: it becomes UNKNOWN and claimed, as sent at the
   * latest possible moment.
   * @param known.latest no hold ends later: one that does was stored by a clock that was ahead
   */
  hold(until: Instant, known?: { latest?: Instant; latestSend?: SentStamp }): Promise<void>;
  /** Within that service day: an approval is of what a person has seen then. */
  isApproved(planDigest: string, day: Window): Promise<boolean>;
  saveApproval(approval: {
    planDigest: string;
    approvedBy: string;
    approvedAt: Instant;
    runId: string;
    orders: number;
    amountFen: Fen;
  }): Promise<void>;
}
