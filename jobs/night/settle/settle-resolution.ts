/**
 * What a look says about an attempt that is open (docs/reliability.md 0.1, 2.2 step 5, 2.3 a and d): paid is paid at
 * once, but "still failed" counts only when no request of ours can be on its way any more and no view can lag behind
 * that long, and only when it is said twice; of what the platform took, only after it was seen under way. What another
 * number, payee or amount is stated of says nothing (docs/reconciliation.md 3.8, 9).
 */
import { addMs, epochMs, HOUR_MS, SECOND_MS } from '../../../src/core/time.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { SettleAmountRule } from '../../../src/settlements/settle-amount.ts';
import { endOf, isAccepted, REDATED } from '../../../src/settlements/attempt-store.ts';
import type { Closing, OpenAttempt, SentStamp } from '../../../src/settlements/attempt-store.ts';
import { noteText } from './settle-answer.ts';
import { lookFault, otherFacts } from './settle-look.ts';
import type { SettleLook } from './settle-look.ts';

/** A request whose reqTime is further off than that is refused (ENV-13). */
const REQ_TIME_TOLERANCE_MS = 10 * SECOND_MS;
/** On our own clock, which may be as far off again. */
const OWN_CLOCK_TOLERANCE_MS = 20 * SECOND_MS;
/**
 * What is dated later than now is refused now, and accepted if it is on its way until its time has come. No request is for
 * that long: connections give up after half of it.
 */
const ON_ITS_WAY_MS_MAX = HOUR_MS;
/** So far apart are the two looks that close an attempt as failed. */
const AGREEING_LOOKS_MS = 30 * SECOND_MS;

/** `isForPerson`: no view lags behind any more, and by itself it may never end. */
export type Resolution =
  /** `endedAt`: where that is stored; else it ends when it is seen so. `judged`: as it is known after its look. */
  | ({ kind: 'close'; endedAt?: Instant | undefined } & Omit<Closing, 'at'>)
  /** It counts, and is the first that does; `why` only a person will end it when it is seen so once more. */
  | { kind: 'first'; seenAt: Instant; why?: string }
  /** It is under way; what agreed before does not count any more. */
  | { kind: 'open'; seenAt: Instant; why: string }
  /** It does not agree that it failed; what agreed before does not count any more. `said`: in the platform's words. */
  | { kind: 'forget'; why: string; said?: string; isForPerson?: true }
  /** It is dated later than any request can be on its way: it counts as sent when it was looked at. */
  | { kind: 'redate'; sent: SentStamp; why: string }
  /**
   * It says nothing yet, or nothing new; `untilMonoMs`: it would, had this process lived that long; `isUnanswered`:
   * nobody answered.
   */
  | { kind: 'wait'; why: string; untilMonoMs?: number; isForPerson?: true; isUnanswered?: true };

/** What is certain without asking; undefined: the platform has to be asked. */
export function resolvedWithoutLook({ state, note, answeredAt }: OpenAttempt): Resolution | undefined {
  switch (state) {
    case 'PLANNED':
      return { kind: 'close', outcome: 'NOT_SENT', note: note || 'it was planned and never sent' };
    case 'NOT_SENT':
      return { kind: 'close', outcome: 'NOT_SENT', note };
    case 'ACK_FAIL':
      // Nobody is asked, so nothing shows whether this clock is right: the cool-down begins with the answer.
      return { kind: 'close', outcome: 'FAIL', note, endedAt: answeredAt };
    case 'SENT':
    case 'UNKNOWN':
    case 'ACK_PROCESSING':
    case 'ACK_SUCCESS':
      return undefined;
  }
}

export interface ResolutionRules {
  marginSeconds: number;
  /** So long the platform's queries may lag behind what it did. */
  viewLagSeconds: number;
  /** So long after its request a query may be heard, and what it shows be dated. */
  heardWithinMs: number;
  /** This process, by its random name. */
  runner: string;
  amountRule: SettleAmountRule;
}

export function judgeLook(attempt: OpenAttempt, look: SettleLook, rules: ResolutionRules): Resolution {
  const judged = judgeSeen(attempt, look, rules);
  const isOpen = judged.kind === 'wait' || judged.kind === 'forget';
  const told = nowToldBy(look);
  if (isOpen && told !== undefined && isDatedAhead(attempt, told.latest)) {
    const sent = { reqTime: told.now, sentAt: look.askedAt, sentMonoMs: look.askedMonoMs };
    return { kind: 'redate', sent, why: REDATED };
  }
  const isUnseen = judged.kind === 'forget' || (judged.kind === 'wait' && judged.isUnanswered === true);
  return isUnseen && isLate(attempt, seenAtOf(look), waitOf(look, rules))
    ? { ...judged, isForPerson: true }
    : judged;
}

/**
 * The time of a look that may say that another clock was ahead, and the latest that what may still be accepted can be
 * dated by then. Whose own clock is off is refused: undefined for who was not told of the batch.
 */
export function nowToldBy(look: SettleLook): NowTold | undefined {
  if (look.answer.kind !== 'batch' || !look.signed) return undefined;
  const now = latestNow(look);
  const earliest = [look.askedAt, look.heardAt, seenAtOf(look)].toSorted()[0] ?? now;
  return { now, earliest, latest: latestOnItsWay(now) };
}

/** By the clock that is ahead of the others, and by the one that is behind them. */
interface NowTold {
  now: Instant;
  earliest: Instant;
  latest: Instant;
}

/** What is dated later than that is not on its way. */
export function latestOnItsWay(now: Instant): Instant {
  return addMs(now, ON_ITS_WAY_MS_MAX);
}

function judgeSeen(attempt: OpenAttempt, look: SettleLook, rules: ResolutionRules): Resolution {
  if (look.answer.kind === 'failed' && look.answer.isUnanswered === true) {
    return { kind: 'wait', why: look.answer.reason, isUnanswered: true };
  }
  if (look.answer.kind === 'failed' && look.answer.code !== undefined) {
    // Its words may be others each time, and are the same reason.
    const { code, reason: said } = look.answer;
    return { kind: 'forget', why: noteText(`the platform refused its query: ${code}`), said };
  }
  const fault = lookFault(look);
  const { order } = look;
  if (fault !== undefined || order === undefined) {
    return { kind: 'forget', why: fault?.reason ?? 'its batch does not list it' };
  }
  if (order.meaning !== 'moved' && order.meaning !== 'refunding') {
    return { kind: 'forget', why: noteText(`the order is ${order.state || 'without a state'} now`) };
  }
  // A number that was not known at the send is learned since.
  const known = { ...attempt, orderNo: attempt.orderNo || order.orderNo };
  const other = otherFacts(order, known, rules.amountRule);
  if (other !== undefined) return { kind: 'forget', why: noteText(other) };
  switch (order.settlement) {
    case 'settled': {
      const isAnswered = attempt.state === 'ACK_SUCCESS' && !attempt.isBeside;
      return isAnswered || isOfTheSend(attempt, seenAtOf(look), waitOf(look, rules))
        ? { kind: 'close', outcome: 'SUCCESS', note: '' }
        : { kind: 'wait', why: PAID_BEFORE };
    }
    case 'failed':
      return judgeFailed(attempt, look, { ...rules, remark: order.settleRemark });
    case 'open': {
      const [seenAt, why] = [seenAtOf(look), noteText(`its settlement is ${order.settleState}`)];
      return isOfTheSend(attempt, seenAt, waitOf(look, rules))
        ? { kind: 'open', seenAt, why }
        : { kind: 'wait', why };
    }
    case 'none':
    case 'unknown': {
      const said = order.settleState === '' ? 'not stated' : order.settleState;
      return { kind: 'forget', why: noteText(`its settlement is ${said}`) };
    }
  }
}

const PAID_BEFORE =
  'it is stated as paid, but the view may lag behind, and show what was paid before the send';

export const LAGGING = 'the platform took it, or may have, and its queries go on stating that it failed';

function judgeFailed(
  attempt: OpenAttempt,
  look: SettleLook,
  rules: ResolutionRules & { remark: string },
): Resolution {
  const early = tooEarly(attempt, look, rules);
  if (early !== undefined) return early;
  const [seenAt, wait] = [seenAtOf(look), waitOf(look, rules)];
  const { failedSeenAt } = attempt;
  const isForPerson = isAccepted(attempt) && !isSeenOpen(attempt, wait);
  if (failedSeenAt === undefined || !isLateFailure(attempt, failedSeenAt, wait)) {
    return { kind: 'first', seenAt, ...(isForPerson && { why: LAGGING }) };
  }
  if (isForPerson) return { kind: 'wait', why: LAGGING, isForPerson };
  if (epochMs(seenAt) - epochMs(failedSeenAt) < AGREEING_LOOKS_MS) {
    return { kind: 'wait', why: 'it is stated as failed, once; a second look has to agree' };
  }
  return { kind: 'close', outcome: failedAs(attempt), note: noteText(rules.remark) || attempt.note };
}

/** By the settings of now: those of when it was seen may have been wrong about the lag. */
function isSeenOpen(attempt: OpenAttempt, wait: Wait): boolean {
  return attempt.openSeenAt !== undefined && isOfTheSend(attempt, attempt.openSeenAt, wait);
}

/** What was paid and is stated as failed was sent back by the bank. */
function failedAs({ state, movedShownAt }: OpenAttempt): 'RETURNED' | 'FAIL' {
  return state === 'ACK_SUCCESS' || movedShownAt !== undefined ? 'RETURNED' : 'FAIL';
}

/**
 * As kept looks after the send show it, whoever asked for them: what was under way, or paid out, was seen under way. One
 * that is dated later than any clock can be ahead by does not count, nor does one that may be of before the send, whatever
 * the lag, because nobody knows whether it was asked after that, or of a record with which something was wrong.
 */
export function asShown(attempt: OpenAttempt, look: SettleLook, rules: ResolutionRules): OpenAttempt {
  const wait = waitOf(look, rules);
  const { openSeenAt, openShownAt, movedShownAt } = attempt;
  const odd = attempt.oddShownAt && addMs(attempt.oddShownAt, OWN_CLOCK_TOLERANCE_MS);
  const since = endOf(pastGoneAt(attempt, wait), [odd]);
  const counts = (at: Instant): boolean => at <= wait.latest && at > since;
  const shown = [openShownAt, movedShownAt].flatMap((at) => (at !== undefined && counts(at) ? [at] : []));
  const shownAt = shown.toSorted().at(-1);
  if (shownAt === undefined || (openSeenAt !== undefined && openSeenAt >= shownAt)) return attempt;
  return { ...attempt, openSeenAt: shownAt, failedSeenAt: undefined };
}

/** Whether what a look after the send saw under way or paid out then is so since the send: a view that does not lag shows nothing else. */
function isOfTheSend(attempt: OpenAttempt, at: Instant, wait: Wait): boolean {
  return wait.lagMs === 0 || at > pastGoneAt(attempt, wait);
}

/** After that no look is heard that shows what was before the send, whoever had it settled then, or before one beside it ended. */
function pastGoneAt(attempt: OpenAttempt, { pastMs }: Wait): Instant {
  const { reqTime } = sendOf(attempt);
  return addMs(endOf(reqTime, [attempt.besideEndedAt]), pastMs);
}

/** A time of a send, or of a look, that is so far ahead was of a clock that was; one that is not so far comes by itself. */
function isDatedAhead(attempt: OpenAttempt, latest: Instant): boolean {
  const { openSeenAt, failedSeenAt } = attempt;
  return [sendOf(attempt).reqTime, openSeenAt, failedSeenAt].some((at) => at !== undefined && at > latest);
}

/**
 * By whichever clock is ahead of the other, and by ours as it was before and after: nothing is dated back on the word of
 * one of them. A clock that was behind when it was asked may have been right when it was answered.
 */
function latestNow(look: SettleLook): Instant {
  return [look.askedAt, look.heardAt].reduce((latest, at) => (at > latest ? at : latest), seenAtOf(look));
}

/**
 * By the platform's signed time; else by our own at the request that it answered: before that the clock may have been set
 * right, between two tries, and after it set to whatever.
 */
function seenAtOf({ timestamp, timestampSigned, askedAt, requestedAt = askedAt }: SettleLook): Instant {
  return timestampSigned && timestamp !== undefined ? timestamp : requestedAt;
}

const ON_ITS_WAY = 'it is stated as failed, but the request may still be on its way, or the view lag behind';

/**
 * Why a failure does not count yet. Where the platform signs its time that says itself that the request is too old to
 * be accepted; else our clocks say it, each of them. A process that did not send measures from its own start.
 */
function tooEarly(attempt: OpenAttempt, look: SettleLook, rules: ResolutionRules): Resolution | undefined {
  const wait = waitOf(look, rules);
  const { waitMs, goneMs } = wait;
  if (!isLateFailure(attempt, seenAtOf(look), wait)) return { kind: 'wait', why: ON_ITS_WAY };
  if (isTimeSigned(look)) return undefined;
  const isOwn = attempt.runner === rules.runner;
  const untilMonoMs = isOwn ? sendOf(attempt).sentMonoMs + waitMs + goneMs : waitMs;
  if (look.askedMonoMs > untilMonoMs) return undefined;
  return isOwn ? { kind: 'wait', why: ON_ITS_WAY } : { kind: 'wait', why: ON_ITS_WAY, untilMonoMs };
}

/**
 * Whether what is seen then was so when no request was on its way any more, and after it was seen under way: of a look
 * that was taken before, by the settings of now too.
 */
function isLate(attempt: OpenAttempt, seenAt: Instant, { waitMs, goneMs }: Wait): boolean {
  const [{ reqTime }, { openSeenAt }] = [sendOf(attempt), attempt];
  return (
    seenAt > addMs(reqTime, waitMs + goneMs) &&
    (openSeenAt === undefined || seenAt > addMs(openSeenAt, goneMs))
  );
}

/** Of a failure: also when no view of before anything else was shown of it is, by whichever look; none is dated later than now. */
function isLateFailure(attempt: OpenAttempt, seenAt: Instant, wait: Wait): boolean {
  const { unfailedShownAt, unkeptAt } = attempt;
  const isShown = [unfailedShownAt, unkeptAt].every(
    (at) => at === undefined || at > wait.latest || seenAt > addMs(at, wait.goneMs),
  );
  return isShown && isLate(attempt, seenAt, wait);
}

type Wait = Record<'waitMs' | 'lagMs' | 'goneMs' | 'pastMs', number> & { latest: Instant };

function waitOf(look: SettleLook, { marginSeconds, viewLagSeconds, heardWithinMs }: ResolutionRules): Wait {
  const toleranceMs = isTimeSigned(look) ? REQ_TIME_TOLERANCE_MS : OWN_CLOCK_TOLERANCE_MS;
  const waitMs = marginSeconds * SECOND_MS + toleranceMs;
  const lagMs = viewLagSeconds * SECOND_MS;
  // So long after its end something may be shown by a view that lags behind, to a query that takes its time.
  const goneMs = lagMs + heardWithinMs;
  const latest = addMs(latestNow(look), OWN_CLOCK_TOLERANCE_MS);
  return { waitMs, lagMs, goneMs, pastMs: toleranceMs + goneMs, latest };
}

function isTimeSigned({ timestampSigned, timestamp }: SettleLook): boolean {
  return timestampSigned && timestamp !== undefined;
}

function sendOf({ sent, reqId, state }: OpenAttempt): SentStamp {
  if (sent === undefined) throw new Error(`Bug: the attempt ${reqId} is ${state} and was not sent`);
  return sent;
}
