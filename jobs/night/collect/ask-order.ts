/**
 * Asks the platform for one batch or withdrawal and says what the answer is: found, not found, or no answer that
 * can be believed. Not found is not failed (P14); nothing here is thrown but what stops the run.
 */
import { AnswerUnread, SignatureWrong, WrongRequest } from '../../../src/core/errors.ts';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { Clock } from '../../../src/core/ports.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { TransferBatch } from '../../../src/platform/contract.ts';
import type { Accepted, Refused } from '../../../src/platform/outcome.ts';
import { findPlatformNumber } from '../../../src/store/orders/order-due.ts';
import type { DueUnit, UnitKey } from '../../../src/store/orders/order-due.ts';
import type { LookMoments, OrderAnswer } from '../../../src/orders/orders.ts';
import type { Context } from '../../context/context.ts';
import { batchLook, evidenceOfOrder, withdrawalLook } from './order-facts.ts';
import { platformTime } from '../../context/platform-time.ts';
import { isUnanswered, notAskable } from '../../context/unanswered.ts';

/** @param notBefore the balance the look belongs to was read then: it cannot have been taken earlier */
export async function askOrder(context: Context, unit: DueUnit, notBefore?: Instant): Promise<OrderAnswer> {
  const answer = await askAnswered(context, unit, notBefore);
  const number = answer.kind === 'not_found' ? await findPlatformNumber(context.db, unit) : undefined;
  if (number === undefined) return answer;
  const other: UnitKey = { kind: unit.kind, numberKind: 'platform', number };
  return answerOfBoth(answer, await askAnswered(context, other, notBefore));
}

async function askAnswered(
  context: Context,
  unit: UnitKey,
  notBefore: Instant | undefined,
): Promise<OrderAnswer> {
  try {
    return await askBy(context, unit, notBefore);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    if (error instanceof WrongRequest) {
      const refusedAt = context.clock.wall();
      return { kind: 'failed', unit, reason: maskPersonal(notAskable(unit.number, error)), refusedAt };
    }
    return { kind: 'failed', unit, reason: maskPersonal(error.message), isUnanswered: true };
  }
}

/**
 * What was not found by the one number, and was asked for by the other. Found by that it is asked for by it from now on; else
 * nothing was learned. An answer to either query that cannot be taken may have shown anything.
 */
export function answerOfBoth(first: OrderAnswer, second: OrderAnswer): OrderAnswer {
  const { unit } = first;
  const unread = second.unread ?? first.unread;
  const came = unread === undefined ? {} : { unread };
  if (second.kind === 'not_found') return { ...first, ...came };
  if (second.kind === 'failed') return { ...second, unit, ...came };
  return { ...second, unit, foundAs: second.unit, ...came };
}

async function askBy(context: Context, unit: UnitKey, notBefore: Instant | undefined): Promise<OrderAnswer> {
  const client = await context.platform();
  const asking = { clock: context.clock, profile: context.profile, client };
  return unit.kind === 'batch'
    ? (await askBatch(asking, unit, notBefore)).answer
    : askWithdrawal(asking, unit, notBefore);
}

export interface Asking {
  clock: Clock;
  profile: Profile;
  client: PlatformClient;
}

export interface BatchAsked {
  answer: OrderAnswer;
  /** The answer as the client brought it: who signed what; undefined: it cannot be taken. */
  outcome: Accepted<TransferBatch> | Refused | undefined;
}

/** @throws what `isUnanswered` names when there is no answer that can be believed */
export async function askBatch(asking: Asking, unit: UnitKey, notBefore?: Instant): Promise<BatchAsked> {
  const look = startLook(asking, notBefore);
  const named = unit.numberKind === 'out' ? { outBatchNo: unit.number } : { batchNo: unit.number };
  const outcome = await takenOrUnread(asking.client.call('division/query', named));
  if (outcome instanceof Error) {
    const unread = look.end({ requestedAt: asking.clock.wall() });
    const reason = maskPersonal(outcome.message);
    return { answer: { kind: 'failed', unit, reason, isUnanswered: true, unread }, outcome: undefined };
  }
  const moments = look.end(outcome);
  const before = outcome.isAfterUnread === true ? { unread: moments } : {};
  if (outcome.kind === 'refused')
    return { answer: { ...refusedAnswer(unit, outcome, moments), ...before }, outcome };
  const batch = batchLook(outcome.answer, asking.profile);
  const evidence = evidenceOfOrder('division/query', outcome);
  return { answer: { kind: 'batch', unit, moments, evidence, batch, ...before }, outcome };
}

/** @throws what else keeps the answer from being believed: then none came */
async function takenOrUnread<T>(calling: Promise<T>): Promise<T | AnswerUnread | SignatureWrong> {
  try {
    return await calling;
  } catch (error) {
    if (error instanceof AnswerUnread || error instanceof SignatureWrong) return error;
    throw error;
  }
}

async function askWithdrawal(
  asking: Asking,
  unit: UnitKey,
  notBefore: Instant | undefined,
): Promise<OrderAnswer> {
  const look = startLook(asking, notBefore);
  const outcome = await asking.client.call(
    'account/queryWithdraw',
    unit.numberKind === 'out' ? { outOrderNo: unit.number } : { orderNo: unit.number },
  );
  const moments = look.end(outcome);
  if (outcome.kind === 'refused') return refusedAnswer(unit, outcome, moments);
  const withdrawal = withdrawalLook(outcome.answer);
  const evidence = evidenceOfOrder('account/queryWithdraw', outcome);
  return { kind: 'withdrawal', unit, moments, evidence, withdrawal };
}

/**
 * Between its two moments the platform looked; of a repeated query only the last request counts. What is answered was
 * asked for by a clock that was right then (ENV-13): one that was set back since dates nothing before that.
 */
function startLook({ clock, client }: Asking, notBefore: Instant | undefined) {
  const time = platformTime(clock, client);
  const startedAt = time.now();
  return {
    end: ({ requestedAt }: Pick<Refused, 'requestedAt'>): LookMoments => {
      const requested = time.at(requestedAt);
      const seenAt = laterOf(laterOf(time.now(), requested), notBefore);
      const sent = laterOf(requested, startedAt);
      const askedAt = laterOf(sent < seenAt ? sent : seenAt, notBefore);
      return { sentAt: requestedAt, answeredAt: laterOf(clock.wall(), requestedAt), askedAt, seenAt };
    },
  };
}

function laterOf(one: Instant, other: Instant | undefined): Instant {
  return other !== undefined && other > one ? other : one;
}

function refusedAnswer(unit: UnitKey, refused: Refused, moments: LookMoments): OrderAnswer {
  if (refused.class === 'NOT_FOUND') return { kind: 'not_found', unit, moments };
  const reason = maskPersonal(`the platform refused: ${refused.code} ${refused.msg}`);
  const isAboutUs = refused.class === 'RATE_LIMIT' || refused.class === 'AUTH';
  return { kind: 'failed', unit, reason, refusedAt: moments.seenAt, isAboutUs, code: refused.code };
}
