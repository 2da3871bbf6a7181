/**
 * One settlement retried (docs/reliability.md 2.2): looked at, planned, committed as sent, sent once, its answer
 * kept, looked at again. At whichever line this ends, what is stored says what may have left.
 */
import { NotSent, Stopped, WrongRequest } from '../../../src/core/errors.ts';
import type { Day, Instant } from '../../../src/core/time.ts';
import type { SendStamp } from '../../../src/platform/clock-offset.ts';
import type { AttemptAnswer, Planning, SentStamp } from '../../../src/settlements/attempt-store.ts';
import type { PlannedAttempt } from '../../../src/settlements/settle-order.ts';
import { REFUSALS, StaleLook } from '../../../src/settlements/settle-intent.ts';
import type { Basis, DayLimits } from '../../../src/settlements/settle-intent.ts';
import { attemptAnswer, noteText, notSentAnswer } from './settle-answer.ts';
import { freshnessOf, lookAtOrder, lookForbids } from './settle-look.ts';
import { coolingDown } from './settle-cooling.ts';
import { named } from './settle-policy.ts';
import type { NotRetried, PlanLine } from './settle-policy.ts';
import type { MarkState, SettleMark } from './high-water-mark.ts';
import type { SettlePorts } from './settle-ports.ts';
import { endedElsewhere, resolveAttempt } from './settle-resolve.ts';
import type { Settlement } from './settle-resolve.ts';

export type Retried = { settlement: Settlement } | { notRetried: NotRetried };

/** What a plan was judged by. */
export interface RetryRules {
  runId: string;
  limits: DayLimits;
  /** The service day it was planned on. */
  day: Day;
  /** By both clocks (`elapsingNow`). */
  now: () => Instant;
  /** The start of the database's server at which the memory was judged. */
  server: string;
}

/** @throws Stopped when the lease was lost, and whatever keeps the others from being tried */
export async function retrySettlement(
  ports: SettlePorts,
  line: PlanLine,
  rules: RetryRules,
): Promise<Retried> {
  const { profile, book, mark, signal } = ports;
  for (let looks = 1; ; looks++) {
    const look = await lookAtOrder(ports, line);
    const forbidden = lookForbids(look, line, profile.settle.amountRule);
    if (forbidden !== undefined) return leave(ports, line, forbidden);
    signal.throwIfAborted();
    await requireTrusted(mark);
    const basis = basisOf(ports, line, { ...rules, isFresh: freshnessOf(ports, look) });
    const planned = plannedAttempt(ports, line, rules.runId);
    const planning = await book.plan(planned, basis);
    if (planning === 'stale' && looks < LOOKS_MAX) continue;
    if (planning !== 'planned') return leave(ports, line, UNPLANNED[planning]);
    const { wrong } = await sendOnce(ports, planned, basis);
    return { settlement: await finish(ports, planned, wrong) };
  }
}

/** Elapsed time and the day are judged anew in each transaction, on both clocks: waiting for it may take any time. */
function basisOf(
  { profile, zone, clock }: SettlePorts,
  { lastShownAt }: PlanLine,
  { isFresh, limits, day, now, server }: RetryRules & Pick<Basis, 'isFresh'>,
): Basis {
  return {
    isFresh,
    lastShownAt,
    limits,
    server,
    refusal: ({ order, holdUntil }) => {
      const at = now();
      if (holdUntil !== undefined && at < holdUntil) return 'held';
      if (zone.dayOf(at) !== day || zone.dayOf(clock.wall()) !== day) return 'day_over';
      return coolingDown(order, profile.settle, at) === undefined ? undefined : 'too_soon';
    },
  };
}

/** Who has to wait longer than a look holds, so many times in a row, leaves it to the next run. */
const LOOKS_MAX = 3;

type Unplanned = Pick<NotRetried, 'code' | 'reason'>;

const UNPLANNED: Readonly<Record<Exclude<Planning, 'planned'>, Unplanned>> = {
  taken: { code: 'taken', reason: REFUSALS.taken },
  capped: { code: 'capped', reason: REFUSALS.capped },
  shown: { code: 'state_changed', reason: REFUSALS.shown },
  too_soon: { code: 'cool_down', reason: REFUSALS.too_soon },
  day_over: { code: 'left_over', reason: REFUSALS.day_over },
  held: { code: 'held', reason: REFUSALS.held },
  stale: { code: 'look_stale', reason: 'storing it took longer than what was seen before it holds' },
};

function leave({ log }: SettlePorts, line: PlanLine, against: Unplanned): { notRetried: NotRetried } {
  const { accountNo, outOrderNo } = line;
  log.warn({ event: 'settle.left', accountNo, outOrderNo, code: against.code, reason: against.reason });
  return { notRetried: { ...named(line), ...against } };
}

function plannedAttempt({ ids, clock, runner }: SettlePorts, line: PlanLine, runId: string): PlannedAttempt {
  const { outBatchNo: _out, batchNo: _platform, lastShownAt: _shown, ...order } = line;
  return {
    ...order,
    reqId: ids.reqId(),
    runId,
    runner,
    plannedAt: clock.wall(),
  };
}

/**
 * Sends at most one request. When it throws, no byte has left, or it is stored that one may have.
 * @returns `wrong`: why our own checks did not let it leave; empty else
 */
async function sendOnce(
  ports: SettlePorts,
  planned: PlannedAttempt,
  basis: Basis,
): Promise<{ wrong: string }> {
  const { book, log } = ports;
  const { reqId, accountNo, outOrderNo, attemptNo } = planned;
  const gate = sendingGate(ports, reqId, basis);
  const { answer, stop, wrong } = await answerToSend(ports, planned, gate);
  if (answer === undefined) return { wrong: noteText(`the request is wrong: ${wrong.faults.join('; ')}`) };
  const sent = gate.sent();
  await book.saveAnswer(reqId, answer, sent && { planned, sent });
  const { state, code, note } = answer;
  log.info({ event: 'settle.answered', accountNo, outOrderNo, attemptNo, reqId, state, code, note });
  if (stop !== undefined) throw stop;
  return { wrong: '' };
}

interface AnsweredSend {
  answer: AttemptAnswer;
  /** Ends the step once the answer is stored. */
  stop?: Error;
  wrong?: undefined;
}

/** Without a confirmed commit nothing left; what is stored then is found by the next run. */
async function answerToSend(
  { client, clock, profile }: SettlePorts,
  { reqId, remark, ...sent }: PlannedAttempt,
  gate: SendingGate,
): Promise<AnsweredSend | { answer: undefined; stop: undefined; wrong: WrongRequest }> {
  try {
    const intent = { reqId, commit: (stamp: SendStamp) => gate.open(stamp) };
    // Its own number may be another payer's too (docs/reliability.md 2.3 e).
    const { outOrderNo, orderNo } = sent;
    const number = orderNo === '' ? { outOrderNo } : { orderNo };
    const outcome = await client.callIntended('order/settle', { ...number, remark }, intent);
    return {
      answer: attemptAnswer(outcome, { sent, profile }, clock.wall()),
    };
  } catch (error) {
    if (error instanceof WrongRequest && !gate.isOpen()) {
      return { answer: undefined, stop: undefined, wrong: error };
    }
    const isKnown = gate.isOpen() || error instanceof StaleLook;
    if (!(error instanceof NotSent) || !isKnown) throw error;
    const answer = notSentAnswer(error.message, clock.wall());
    return error instanceof Unmarked ? { answer, stop: error.reason } : { answer };
  }
}

/**
 * The mark as this run has found or left it, which nobody has set back or doubted since.
 * @throws Stopped where it went missing or is doubted: nothing may be planned, let alone be sent
 */
async function requireTrusted(mark: SettleMark): Promise<MarkState> {
  const marked = await mark.read();
  if (marked !== undefined && !marked.isDoubtful) return marked;
  throw new Stopped('the mark outside the database went missing, or became doubtful, during this run');
}

/** @throws Stopped where a database that lags behind has taken over too: it counts from before what is known outside (H18) */
async function requireSure(mark: SettleMark, sequence: bigint): Promise<MarkState> {
  const marked = await requireTrusted(mark);
  if (sequence > marked.sequence) return marked;
  throw new Stopped(
    `the database has forgotten changes: it counts ${sequence}, and ${marked.sequence} were known`,
  );
}

/** What is sent must be known outside the database too: without that mark nothing is, and the step ends. */
class Unmarked extends NotSent {
  readonly reason: Error;
  constructor(reason: Error) {
    super(`the mark outside the database could not be written: ${reason.message}`, {}, { cause: reason });
    this.reason = reason;
  }
}

interface SendingGate {
  /** Stores that the request leaves now; when it rejects, it does not. */
  open(stamp: SendStamp): Promise<void>;
  /** Whether that is stored. */
  isOpen(): boolean;
  /** Undefined when it is not stored. */
  sent(): SentStamp | undefined;
}

/** A request that old does not leave any more (N15). */
const STALE_MS = 1_000;

function sendingGate({ book, mark, clock, log }: SettlePorts, reqId: string, basis: Basis): SendingGate {
  let stored: SentStamp | undefined;
  return {
    open: async ({ correctedAt, wallAt, monoMs }) => {
      const stamp = { reqTime: correctedAt, sentAt: wallAt, sentMonoMs: Math.ceil(monoMs) };
      const sequence = await book.markSent(reqId, stamp, basis);
      stored = stamp;
      try {
        const marked = await requireSure(mark, sequence);
        await mark.write({ ...marked, sequence, reqId });
        // Who stood still meanwhile may have put an old number over that of another process (M4).
        if (clock.monoMs() - monoMs > STALE_MS) {
          await mark.write({ ...marked, sequence: (await book.guard()).sequence, reqId: '' });
        }
      } catch (error) {
        throw new Unmarked(error instanceof Error ? error : new Error(String(error)));
      }
      if (!basis.isFresh()) throw new StaleLook();
      log.info({ event: 'settle.sent', reqId, reqTime: correctedAt });
    },
    isOpen: () => stored !== undefined,
    sent: () => stored,
  };
}

/** What was sent is finished, also when the run was stopped meanwhile; only the look is left to the next one. */
async function finish(ports: SettlePorts, planned: PlannedAttempt, wrong: string): Promise<Settlement> {
  const attempt = await ports.book.findOpen(planned.reqId);
  if (attempt === undefined) return endedElsewhere(planned);
  return resolveAttempt(ports, { ...attempt, note: attempt.note || wrong });
}
