/**
 * What a look says about an attempt that is open (reliability.md 0.1 and 2.2, step 5): paid is paid at once, but
 * "still failed" counts only when no request of ours can be on its way any more, and only when it is said twice.
 */
import { addMs, epochMs, SECOND_MS } from '../src/core/time.ts';
import type { Instant } from '../src/core/time.ts';
import type { AttemptOutcome } from '../src/store/schema.ts';
import type { OpenAttempt } from '../src/store/settle-book.ts';
import { noteText } from './settle-answer.ts';
import { lookFault } from './settle-look.ts';
import type { SettleLook } from './settle-look.ts';

/** A request whose reqTime is further off than that is refused (ENV-13). */
const REQ_TIME_TOLERANCE_MS = 10 * SECOND_MS;
/** On our own clock, which may be as far off again. */
const OWN_CLOCK_TOLERANCE_MS = 20 * SECOND_MS;
/** So far apart are the two looks that close an attempt as failed. */
const AGREEING_LOOKS_MS = 30 * SECOND_MS;

export type Resolution =
  | { kind: 'close'; outcome: AttemptOutcome; note: string }
  /** It counts, and is the first that does. */
  | { kind: 'first'; seenAt: Instant }
  /** It does not agree that it failed; what agreed before does not count any more. */
  | { kind: 'forget'; why: string }
  /** It says nothing yet, or nothing new. */
  | { kind: 'wait'; why: string };

/** What is certain without asking; undefined: the platform has to be asked. */
export function resolvedWithoutLook({ state, note }: OpenAttempt): Resolution | undefined {
  switch (state) {
    case 'PLANNED':
      return { kind: 'close', outcome: 'NOT_SENT', note: note || 'it was planned and never sent' };
    case 'NOT_SENT':
      return { kind: 'close', outcome: 'NOT_SENT', note };
    case 'ACK_FAIL':
      return { kind: 'close', outcome: 'FAIL', note };
    case 'SENT':
    case 'UNKNOWN':
    case 'ACK_PROCESSING':
    case 'ACK_SUCCESS':
      return undefined;
  }
}

export interface ResolutionRules {
  marginSeconds: number;
  /** This process, by its random name. */
  runner: string;
}

export function judgeLook(attempt: OpenAttempt, look: SettleLook, rules: ResolutionRules): Resolution {
  const fault = lookFault(look);
  const { order } = look;
  if (fault !== undefined || order === undefined) {
    return { kind: 'forget', why: fault?.reason ?? 'its batch does not list it' };
  }
  if (order.meaning !== 'moved' && order.meaning !== 'refunding') {
    return { kind: 'forget', why: noteText(`the order is ${order.state || 'without a state'} now`) };
  }
  switch (order.settlement) {
    case 'settled':
      return { kind: 'close', outcome: 'SUCCESS', note: '' };
    case 'failed':
      return judgeFailed(attempt, look, { ...rules, remark: order.settleRemark });
    case 'open':
    case 'none':
    case 'unknown': {
      const said = order.settleState === '' ? 'not stated' : order.settleState;
      return { kind: 'forget', why: noteText(`its settlement is ${said}`) };
    }
  }
}

function judgeFailed(
  attempt: OpenAttempt,
  look: SettleLook,
  rules: ResolutionRules & { remark: string },
): Resolution {
  const seenAt = countsAt(attempt, look, rules);
  if (seenAt === undefined) {
    return { kind: 'wait', why: 'it is stated as failed, but the request may still be on its way' };
  }
  const { failedSeenAt } = attempt;
  if (failedSeenAt === undefined) return { kind: 'first', seenAt };
  if (epochMs(seenAt) - epochMs(failedSeenAt) < AGREEING_LOOKS_MS) {
    return { kind: 'wait', why: 'it is stated as failed, once; a second look has to agree' };
  }
  const outcome = attempt.state === 'ACK_SUCCESS' ? 'RETURNED' : 'FAIL';
  return { kind: 'close', outcome, note: noteText(rules.remark) || attempt.note };
}

/**
 * When the failure was seen, where the look can count: by the platform's signed time, which says itself that the
 * request is too old to be accepted; else by our clocks, each of them.
 */
function countsAt(attempt: OpenAttempt, look: SettleLook, rules: ResolutionRules): Instant | undefined {
  const { sent } = attempt;
  if (sent === undefined)
    throw new Error(`Bug: the attempt ${attempt.reqId} is ${attempt.state} and was not sent`);
  const marginMs = rules.marginSeconds * SECOND_MS;
  if (look.timestampSigned && look.timestamp !== undefined) {
    const tooOldAt = addMs(sent.reqTime, REQ_TIME_TOLERANCE_MS + marginMs);
    return look.timestamp > tooOldAt ? look.timestamp : undefined;
  }
  const waitMs = OWN_CLOCK_TOLERANCE_MS + marginMs;
  if (look.askedAt <= addMs(sent.reqTime, waitMs)) return undefined;
  const isOfThisProcess = attempt.runner === rules.runner;
  if (isOfThisProcess && look.askedMonoMs <= sent.sentMonoMs + waitMs) return undefined;
  return look.askedAt;
}
