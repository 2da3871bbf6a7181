/**
 * What the retry of settlements keeps, as the protocol needs it: each method is one transaction, done or not done.
 * The jobs hand in the one on the database (`settle-attempts.ts`); a simulation may hand in another that behaves
 * the same.
 */
import type { Fen } from '../core/fen.ts';
import { jsonText } from '../core/json.ts';
import { addMs, epochMs } from '../core/time.ts';
import type { Instant } from '../core/time.ts';
import type { Window } from '../core/window.ts';
import type { AttemptOutcome, AttemptState } from '../store/schema/schema.ts';
import type { CallStore } from './call-store.ts';
import type { Basis, DayUsed, Refusal } from './settle-intent.ts';
import type { LookStore } from './settle-looks.ts';
import type { FailedSettlement, PlannedAttempt } from './settle-order.ts';

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
  /**
   * When kept looks after the send, whoever asked for them, last showed its settlement under way, and paid out; undefined
   * where another attempt followed, which that may be of.
   */
  openShownAt: Instant | undefined;
  movedShownAt: Instant | undefined;
  /** When a kept look, also one older than what is known, last showed anything else than the plain failure. */
  elseShownAt: Instant | undefined;
  /** When a look whose answer was lost, or is not kept, last may have shown anything: it hides no kept one. */
  unkeptAt: Instant | undefined;
  /** When any look at all last showed its settlement as anything but failed; of one that is known as paid, when one first did. */
  unfailedShownAt: Instant | undefined;
  /** When any look at all last showed what may be a refund of its order, or something wrong with its record. */
  oddShownAt: Instant | undefined;
  /** Another attempt of the order was, or may have been, sent beside this one, which is open again (`wasSentBeside`). */
  isFollowed: boolean;
  /**
   * This one was sent beside another one, which is or was open again: what queries show as failed may be of that, and as
   * paid until it has ended; undefined where it has not.
   */
  isBeside: boolean;
  besideEndedAt: Instant | undefined;
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

/** An attempt as the process that sent it knows it, whatever the database has forgotten of it meanwhile. */
export interface SentAttempt {
  planned: PlannedAttempt;
  sent: SentStamp;
}

export interface Closing {
  outcome: AttemptOutcome;
  at: Instant;
  note: string;
  /** As it was judged: it ends only where the same is known of it by now. Left out: whatever is known. */
  judged?: OpenAttempt;
}

/**
 * Whether the same is known of an attempt, as far as its end is judged by it: paid is paid, and unsent unsent, whatever was
 * seen.
 */
export function isKnownAlike(one: OpenAttempt, other: OpenAttempt, outcome: AttemptOutcome): boolean {
  const isUnpaid = outcome === 'FAIL' || outcome === 'RETURNED';
  const isShownAlike = one.unfailedShownAt === other.unfailedShownAt && one.unkeptAt === other.unkeptAt;
  return (isShownAlike || !isUnpaid) && jsonText(judgedBy(one)) === jsonText(judgedBy(other));
}

function judgedBy(attempt: OpenAttempt) {
  const { state, isClaimed, isFollowed, isBeside, sent, answeredAt, openSeenAt, failedSeenAt } = attempt;
  const times = [sent?.reqTime, answeredAt, openSeenAt, failedSeenAt, attempt.besideEndedAt];
  return [state, isClaimed, isFollowed, isBeside, times.map((time) => time ?? '')];
}

/**
 * All that is known of an attempt, as one text: what a person approves is of that. How often queries agreed is no part of
 * it: they have to agree anyway.
 */
export function knownText(attempt: OpenAttempt): string {
  const { feeFen, note, openShownAt, movedShownAt, elseShownAt, unkeptAt } = attempt;
  const shown = [openShownAt, movedShownAt, elseShownAt, unkeptAt].map((time) => time ?? '');
  return jsonText([...judgedBy({ ...attempt, failedSeenAt: undefined }), feeFen ?? '', note, shown]);
}

/** What became of the wish to plan; `stale`: the look it rests on is too old by now. */
export type Planning = 'planned' | 'stale' | Refusal;

/** A balance as it was read at that time. */
export interface BalanceSeen {
  at: Instant;
  balanceFen: Fen;
  /** What of it is frozen, or else not available; undefined: not stated, or not kept. */
  frozenFen?: Fen | undefined;
}

/** What a person was shown of an attempt that awaits one: an approval names it, and is of that. */
export interface Evidence {
  reqId: string;
  /** 16 hex digits. */
  digest: string;
  shownAt: Instant;
  /** Why only a person can end it; masked. */
  why: string;
  /** What the query showed of it, by kinds alone. */
  shown: string;
  /** All that was known of the attempt (`knownText`), the look included that was shown. */
  known: string;
  /** Of the payee's account, as it was read for that; undefined: the platform did not know the account. */
  balance: BalanceSeen | undefined;
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

/** Why nothing is stored, let alone sent, in a database that was put in the place of the one that was trusted. */
export const REPLACED =
  'the database was restored or replaced while settlements were retried: nothing more was sent; call it again';

/** Why nothing is sent on the word of a memory whose server was started since it was judged. */
export const STARTED_ANEW =
  'the database server was started, or is another one, while settlements were retried: what it knows may be older than ' +
  'what was known; nothing more was sent; call it again';

/** What is noted of an acceptance whose attempt is not in the database any more. */
export const FORGOTTEN =
  'the platform accepted it, and the database was restored during the call and had forgotten it';

/** What is noted of an answer that arrived after its attempt was closed. */
export function lateNote(outcome: AttemptOutcome | null, note: string): string {
  return withNote(`the platform accepted it, as was known only after it was ended as ${outcome ?? ''}`, note);
}

export function withNote(known: string, note: string): string {
  return note === '' ? known : `${known}: ${note}`;
}

/** When an attempt ends: not before anything that is known of it, so that no clock that is behind shortens the cool-down. */
export function endOf(at: Instant, times: readonly (Instant | null | undefined)[]): Instant {
  let end = at;
  for (const time of times) if (time !== null && time !== undefined && time > end) end = time;
  return end;
}

/**
 * When what was planned was sent at the latest: not before it was planned, so that no clock that is behind takes for seen
 * of it what was seen before.
 */
export function sentAtLatest(latest: SentStamp, plannedAt: Instant): SentStamp {
  const behindMs = Math.max(0, epochMs(plannedAt) - epochMs(latest.sentAt));
  const { reqTime, sentAt, sentMonoMs } = latest;
  return { reqTime: addMs(reqTime, behindMs), sentAt: addMs(sentAt, behindMs), sentMonoMs };
}

/** What is noted of an attempt that was dated by a clock that was ahead. */
export const REDATED = 'it is dated later than now: it counts as sent now';

/**
 * Every method but the reading ones checks in its own transaction that the lease it was made with is still held; only
 * that the platform took something is kept whoever holds it.
 * @throws Stopped when the lease was lost; whatever the database throws: then it is not known whether it was done,
 *   and doing the same once more is harmless
 */
export interface SettlementAttemptStore extends CallStore, LookStore {
  /** Sorted by key. */
  listFailed(): Promise<FailedSettlement[]>;
  /** Sorted by key. */
  listOpen(): Promise<OpenAttempt[]>;
  /** The one with this request, as it is now; undefined when it is closed. */
  findOpen(reqId: string): Promise<OpenAttempt | undefined>;
  /** How much of its limits a day has used: attempts that were or may have been sent, whoever planned them. */
  usedOn(day: Window): Promise<DayUsed>;
  /** So long a look that was kept took at most, whoever asked for it and whatever a call might take then. */
  slowestLookMs(): Promise<number>;
  /**
   * TX1 of docs/reliability.md 2.2. The same attempt (reqId) again is planned already.
   * @param basis all of it is asked within the transaction, its look last of all
   * @throws Stopped when the database is not the one that was trusted
   */
  plan(planned: PlannedAttempt, basis: Basis): Promise<Planning>;
  /**
   * TX2: PLANNED → SENT; when it returns the commit is confirmed.
   * @returns the number of this change, for the mark outside the database
   * @throws Error when the attempt is in another state than PLANNED (or SENT with the same stamp)
   * @throws StaleLook when the look does not hold any more, or anything else that `basis` asks: it stays PLANNED
   * @throws Stopped when the database is not the one that was trusted
   */
  markSent(reqId: string, sent: SentStamp, basis: Basis): Promise<bigint>;
  /**
   * SENT → what came of it. What the platform took is kept whatever is known by then: an attempt that was closed as
   * failed, as sent back or as never sent, is open again; one that was closed as paid is left alone.
   * @param known one that a restored database has forgotten is made anew from that, open, where the platform took it
   */
  saveAnswer(reqId: string, answer: AttemptAnswer, known?: SentAttempt): Promise<void>;
  /** The look that is judged the first that agrees, or (undefined) that it does not agree any more. */
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
  /**
   * Any open state → CLOSED. Closing twice is closing once; the first outcome stands.
   * @returns false where something else is known of it than it was judged by: it stays open
   */
  close(reqId: string, closing: Closing): Promise<boolean>;
  /** Stable readings of an account from then on, oldest first. */
  balancesOf(accountNo: string, from: Instant): Promise<BalanceSeen[]>;
  /** Readings of an account that people were shown from then on, whichever attempt they were shown for, oldest first. */
  shownBalancesOf(accountNo: string, from: Instant): Promise<BalanceSeen[]>;
  /** The same digest once more is what was shown already, and the newest again; the first reading stands. */
  saveEvidence(evidence: Evidence): Promise<void>;
  /** Undefined where nothing with that digest was shown of that attempt. */
  findEvidence(reqId: string, digest: string): Promise<Evidence | undefined>;
  /** The digest of what was shown of that attempt last, whatever the clocks said; undefined where nothing was. */
  newestShown(reqId: string): Promise<string | undefined>;
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
    /** All that might have been sent when a plan was approved, whatever the limits left of it. */
    eligible?: { orders: number; sumFen: Fen };
  }): Promise<void>;
}
