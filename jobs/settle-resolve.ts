/** Open attempts: what is certain is closed, what is not is asked for; nothing here is ever sent again (STL-12). */
import type { Instant } from '../src/core/time.ts';
import type { Fen } from '../src/core/fen.ts';
import { isAccepted } from '../src/store/settle-book.ts';
import type { OpenAttempt, OrderKey } from '../src/store/settle-book.ts';
import type { AttemptResult } from '../src/store/settle-list.ts';
import { maskPersonal } from '../src/core/mask.ts';
import { noteText } from './settle-answer.ts';
import { awaitingOf } from './settle-awaiting.ts';
import type { Awaiting } from './settle-awaiting.ts';
import { lookAtOrder } from './settle-look.ts';
import { liveThrough } from './settle-ports.ts';
import type { SettlePorts } from './settle-ports.ts';
import { judgeLook, LAGGING, resolvedWithoutLook } from './settle-resolution.ts';
import type { Resolution } from './settle-resolution.ts';

/** An attempt as far as it is known now. */
export interface Settlement extends OrderKey {
  attemptNo: number;
  reqId: string;
  payeeAccountNo: string;
  amountFen: Fen;
  /**
   * PROCESSING: the platform took it and has not paid it yet. AWAITING: queries show neither that nor that it is paid,
   * for longer than a view may lag behind. UNKNOWN: nobody can say.
   */
  outcome: AttemptResult;
  /** For people; masked. */
  note: string;
  /** What a person needs to decide about it, where it awaits one. */
  awaiting?: Awaiting;
}

/** A person's word that an attempt which awaits one, seen as its digest says, was not paid. */
export interface Approval {
  runId: string;
  digest: string;
  by: string;
}

/** Resolves what can be resolved, in the order of the keys; `isChosen` leaves others as they are. */
export async function resolveOpen(
  ports: SettlePorts,
  isChosen: (attempt: OpenAttempt) => boolean = () => true,
  approval?: Approval,
): Promise<Settlement[]> {
  const settlements: Settlement[] = [];
  for (const attempt of (await ports.book.listOpen()).filter(isChosen)) {
    ports.signal.throwIfAborted();
    settlements.push(await resolveAttempt(ports, attempt, approval));
  }
  return settlements;
}

/** Closes an attempt, or asks the platform about it once. */
export async function resolveAttempt(
  ports: SettlePorts,
  attempt: OpenAttempt,
  approval?: Approval,
): Promise<Settlement> {
  const { profile, runner } = ports;
  const { marginSeconds, viewLagSeconds } = profile.settle;
  const rules = { marginSeconds, viewLagSeconds, runner };
  const look = async (): Promise<Resolution> =>
    judgeLook(attempt, await lookAtOrder(ports, attempt, sendOf(attempt, runner)), rules);
  let resolution = resolvedWithoutLook(attempt) ?? (await look());
  if (resolution.kind === 'wait' && resolution.untilMonoMs !== undefined) {
    await liveThrough(ports, resolution.untilMonoMs);
    resolution = await look();
  }
  const awaits = whyAwaiting(attempt, resolution);
  const awaiting = awaits === undefined ? undefined : await awaitingOf(ports, attempt, awaits);
  if (approval !== undefined && awaiting?.digest === approval.digest) {
    resolution = (await approved(ports, { attempt, resolution, approval })) ?? resolution;
  }
  await keep(ports, attempt, resolution);
  const isOpen = resolution.kind !== 'close' && awaiting !== undefined;
  const settlement = { ...settlementOf(attempt, resolution), ...(isOpen && { awaiting }) };
  const { accountNo, outOrderNo, attemptNo, reqId, outcome, note } = settlement;
  const why = 'why' in resolution ? { why: resolution.why } : {};
  ports.log.info({
    event: resolution.kind === 'close' ? 'settle.resolved' : 'settle.unresolved',
    accountNo,
    outOrderNo,
    attemptNo,
    reqId,
    outcome,
    note,
    ...why,
  });
  return settlement;
}

/** Only of what was just now seen so once more, late enough to count. */
async function approved(
  { book, clock, log }: SettlePorts,
  of: { attempt: OpenAttempt; resolution: Resolution; approval: Approval },
): Promise<Resolution | undefined> {
  const { attempt, resolution, approval } = of;
  if (whyForPerson(resolution) === undefined) return undefined;
  const { runId, digest: planDigest } = approval;
  const approvedBy = maskPersonal(approval.by);
  const what = { orders: 1, amountFen: attempt.amountFen };
  await book.saveApproval({ planDigest, approvedBy, approvedAt: clock.wall(), runId, ...what });
  log.warn({ event: 'settle.approved', digest: planDigest, by: approvedBy, reqId: attempt.reqId });
  return { kind: 'close', outcome: 'FAIL', note: noteText(`${approvedBy} says that it was not paid`) };
}

/** Right after our own send a look must not seem to come before it: by that the retry is known that made a change. */
function sendOf({ sent, runner }: OpenAttempt, ours: string): Instant | undefined {
  return runner === ours ? sent?.reqTime : undefined;
}

async function keep(ports: SettlePorts, attempt: OpenAttempt, resolution: Resolution): Promise<void> {
  const { book, clock } = ports;
  const { reqId } = attempt;
  switch (resolution.kind) {
    case 'close': {
      const { outcome, note } = resolution;
      return book.close(reqId, { outcome, at: clock.wall(), note });
    }
    case 'first':
      return book.saveFailedSeen(reqId, resolution.seenAt);
    case 'open':
      return book.saveOpenSeen(reqId, resolution.seenAt);
    case 'redate':
      return book.redate(reqId, resolution.sent, ports.runner);
    case 'forget':
      await book.saveFailedSeen(reqId, undefined);
      return resolution.isForPerson === undefined ? undefined : book.saveAwaiting(reqId, resolution.why);
    case 'wait':
      return undefined;
  }
}

function settlementOf(attempt: OpenAttempt, resolution: Resolution): Settlement {
  const { accountNo, outOrderNo, attemptNo, reqId, payeeAccountNo, amountFen } = attempt;
  const what = { accountNo, outOrderNo, attemptNo, reqId, payeeAccountNo, amountFen };
  if (resolution.kind === 'close') return { ...what, outcome: resolution.outcome, note: resolution.note };
  return { ...what, outcome: openOutcome(attempt, resolution), note: attempt.note };
}

function openOutcome(attempt: OpenAttempt, resolution: Resolution): 'PROCESSING' | 'UNKNOWN' | 'AWAITING' {
  if (whyAwaiting(attempt, resolution) !== undefined) return 'AWAITING';
  return attempt.state === 'ACK_PROCESSING' || attempt.state === 'ACK_SUCCESS' ? 'PROCESSING' : 'UNKNOWN';
}

/** Why only a person can end it, or will have to when it is seen so once more. */
function whyAwaiting(attempt: OpenAttempt, resolution: Resolution): string | undefined {
  const why = whyForPerson(resolution);
  if (why !== undefined) return why;
  const { kind } = resolution;
  const isSeenFailed = kind === 'first' || (kind === 'wait' && attempt.failedSeenAt !== undefined);
  return isAccepted(attempt) && attempt.openSeenAt === undefined && isSeenFailed ? LAGGING : undefined;
}

/** Why a person may end it now; undefined where nobody may. */
function whyForPerson(resolution: Resolution): string | undefined {
  return 'isForPerson' in resolution && resolution.isForPerson ? resolution.why : undefined;
}
