/**
 * One settlement retried (reliability.md 2.2): looked at, planned, committed as sent, sent once, its answer kept,
 * looked at again. At whichever line this ends, what is stored says what may have left.
 */
import { NotSent, Stopped, WrongRequest } from '../src/core/errors.ts';
import type { SendStamp } from '../src/platform/clock-offset.ts';
import type {
  AttemptAnswer,
  OpenAttempt,
  PlannedAttempt,
  RunLimits,
  SentStamp,
} from '../src/store/settle-book.ts';
import { attemptAnswer, noteText, notSentAnswer } from './settle-answer.ts';
import { lookAtOrder, lookForbids } from './settle-look.ts';
import { named } from './settle-policy.ts';
import type { LookReason, NotRetried, PlanLine } from './settle-policy.ts';
import type { SettleMark, SettlePorts } from './settle-ports.ts';
import { resolveAttempt } from './settle-resolve.ts';
import type { Settlement } from './settle-resolve.ts';

export type Retried = { settlement: Settlement } | { notRetried: NotRetried };

/** @throws Stopped when the lease was lost, and whatever keeps the others from being tried */
export async function retrySettlement(
  ports: SettlePorts,
  line: PlanLine,
  limits: RunLimits,
): Promise<Retried> {
  const { profile, book, signal } = ports;
  const look = await lookAtOrder(ports, line);
  const forbidden = lookForbids(look, line, profile.settle.amountRule);
  if (forbidden !== undefined) return leave(ports, line, forbidden);
  signal.throwIfAborted();
  const planned = plannedAttempt(ports, line, limits.runId);
  const planning = await book.plan(planned, limits);
  if (planning !== 'planned') return leave(ports, line, UNPLANNED[planning]);
  const { sent, answer } = await sendOnce(ports, planned);
  return { settlement: await finish(ports, line, { planned, sent, answer }) };
}

const UNPLANNED: Readonly<Record<'taken' | 'capped', { code: LookReason; reason: string }>> = {
  taken: { code: 'taken', reason: 'another attempt of it is open by now' },
  capped: { code: 'capped', reason: 'the limit of the run, or of its attempts, is used up by now' },
};

function leave(
  { log }: SettlePorts,
  line: PlanLine,
  against: { code: LookReason; reason: string },
): { notRetried: NotRetried } {
  const { accountNo, outOrderNo } = line;
  log.warn({ event: 'settle.left', accountNo, outOrderNo, code: against.code, reason: against.reason });
  return { notRetried: { ...named(line), ...against } };
}

function plannedAttempt({ ids, clock, runner }: SettlePorts, line: PlanLine, runId: string): PlannedAttempt {
  const { outBatchNo: _out, batchNo: _platform, ...order } = line;
  return {
    ...order,
    reqId: ids.reqId(),
    runId,
    runner,
    plannedAt: clock.wall(),
  };
}

interface Sending {
  sent: SentStamp | undefined;
  /** PLANNED: our own checks did not let it leave. */
  answer: Pick<OpenAttempt, 'state' | 'answeredAt' | 'note'>;
}

/** Sends at most one request. When it throws, no byte has left, or it is stored that one may have. */
async function sendOnce(ports: SettlePorts, planned: PlannedAttempt): Promise<Sending> {
  const { book, log } = ports;
  const { reqId, accountNo, outOrderNo, attemptNo } = planned;
  const gate = sendingGate(ports, reqId);
  const { answer, stop, wrong } = await answerToSend(ports, planned, gate);
  if (answer === undefined) {
    const note = noteText(`the request is wrong: ${wrong.faults.join('; ')}`);
    return { sent: undefined, answer: { state: 'PLANNED', answeredAt: undefined, note } };
  }
  await book.saveAnswer(reqId, answer);
  const { state, code, note } = answer;
  log.info({ event: 'settle.answered', accountNo, outOrderNo, attemptNo, reqId, state, code, note });
  if (stop !== undefined) throw stop;
  return { sent: gate.sent(), answer };
}

interface AnsweredSend {
  answer: AttemptAnswer;
  /** Ends the step once the answer is stored. */
  stop?: Error;
  wrong?: undefined;
}

/** Without a confirmed commit nothing left; what is stored then is found by the next run. */
async function answerToSend(
  { client, clock }: SettlePorts,
  { reqId, outOrderNo, orderNo, amountFen, remark }: PlannedAttempt,
  gate: SendingGate,
): Promise<AnsweredSend | { answer: undefined; stop: undefined; wrong: WrongRequest }> {
  try {
    const intent = { reqId, commit: (stamp: SendStamp) => gate.open(stamp) };
    const outcome = await client.callIntended('order/settle', { outOrderNo, remark }, intent);
    return { answer: attemptAnswer(outcome, { outOrderNo, orderNo, amountFen }, clock.wall()) };
  } catch (error) {
    if (error instanceof WrongRequest && !gate.isOpen()) {
      return { answer: undefined, stop: undefined, wrong: error };
    }
    if (!(error instanceof NotSent) || !gate.isOpen()) throw error;
    const answer = notSentAnswer(error.message, clock.wall());
    return error instanceof Unmarked ? { answer, stop: error.reason } : { answer };
  }
}

/** A database that was taken over by one that lags behind counts from before what is known outside (H18). */
async function requireAhead(mark: SettleMark, sequence: bigint): Promise<void> {
  const marked = await mark.read();
  if (marked === undefined || sequence > marked) return;
  throw new Stopped(`the database has forgotten changes: it counts ${sequence}, and ${marked} were known`);
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
  sent(): SentStamp;
}

/** A request that old does not leave any more (N15). */
const STALE_MS = 1_000;

function sendingGate({ book, mark, clock, log }: SettlePorts, reqId: string): SendingGate {
  let stored: SentStamp | undefined;
  return {
    open: async ({ correctedAt, wallAt, monoMs }) => {
      const stamp = { reqTime: correctedAt, sentAt: wallAt, sentMonoMs: Math.ceil(monoMs) };
      const sequence = await book.markSent(reqId, stamp);
      stored = stamp;
      try {
        await requireAhead(mark, sequence);
        await mark.write(sequence);
        // Who stood still meanwhile may have put an old number over that of another process (M4).
        if (clock.monoMs() - monoMs > STALE_MS) await mark.write((await book.guard()).sequence);
      } catch (error) {
        throw new Unmarked(error instanceof Error ? error : new Error(String(error)));
      }
      log.info({ event: 'settle.sent', reqId, reqTime: correctedAt });
    },
    isOpen: () => stored !== undefined,
    sent: () => {
      if (stored === undefined) throw new Error(`Bug: ${reqId} was answered and never sent`);
      return stored;
    },
  };
}

/** What was sent is finished, also when the run was stopped meanwhile; only the look is left to the next one. */
async function finish(
  ports: SettlePorts,
  line: PlanLine,
  { planned, sent, answer }: Sending & { planned: PlannedAttempt },
): Promise<Settlement> {
  const { outBatchNo, batchNo } = line;
  const attempt: OpenAttempt = {
    ...planned,
    outBatchNo,
    batchNo,
    state: answer.state,
    sent,
    answeredAt: answer.answeredAt,
    note: answer.note,
    failedSeenAt: undefined,
  };
  return resolveAttempt(ports, attempt);
}
