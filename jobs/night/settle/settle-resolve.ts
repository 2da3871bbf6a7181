/** Open attempts: what is certain is closed, what is not is asked for; nothing here is ever sent again (STL-12). */
import type { Instant } from '../../../src/core/time.ts';
import type { Fen } from '../../../src/core/fen.ts';
import { isAccepted } from '../../../src/settlements/attempt-store.ts';
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import type { OrderKey, PlannedAttempt } from '../../../src/settlements/settle-order.ts';
import type { AttemptResult } from '../../../src/settlements/settle-list.ts';
import { judgeApproval, namingOf } from './settle-approval.ts';
import type { Approval, Approved } from './settle-approval.ts';
import { awaitingOf, whyUnasked } from './settle-awaiting.ts';
import type { Awaiting } from './settle-awaiting.ts';
import { FOLLOWED, notByItself } from './settle-beside.ts';
import { lookHeardWithinMs } from './settle-cooling.ts';
import { BatchLooks } from './settle-look.ts';
import type { SettleLook } from './settle-look.ts';
import { liveThrough } from './settle-ports.ts';
import type { SettlePorts } from './settle-ports.ts';
import { asShown, judgeLook, LAGGING, resolvedWithoutLook } from './settle-resolution.ts';
import type { Resolution, ResolutionRules } from './settle-resolution.ts';
import { rowsText, shownOf } from './settle-shown.ts';

/** An attempt as far as it is known now. */
export interface Settlement extends OrderKey {
  attemptNo: number;
  reqId: string;
  /** The run that made it. */
  runId: string;
  payeeAccountNo: string;
  amountFen: Fen;
  /**
   * PROCESSING: the platform took it and has not paid it yet. AWAITING: queries show neither that nor that it is paid,
   * for longer than a view may lag behind. UNKNOWN: nobody can say.
   */
  outcome: AttemptResult;
  /**
   * A signed look of this very call tells of it: it is under way, or its time to be told as failed has not come. What
   * another process learned meanwhile is in the note.
   */
  isHeardOf: boolean;
  /** For people; masked. */
  note: string;
  /** What a person needs to decide about it, where it awaits one. */
  awaiting?: Awaiting;
  /** The approval that was given names what was shown of it: it was carried out, or was refused, for this reason. */
  approval?: 'given' | { refused: string };
}

/** What a person may say of an attempt in this call. */
export interface Word {
  approval?: Approval | undefined;
  /** Nothing is approved before: what was forgotten may still be on its way. */
  heldUntil?: Instant | undefined;
}

/**
 * Resolves what can be resolved, in the order of the keys; `isChosen` leaves others as they are. What an approval names is
 * looked at before all others: what a look at another one of its batch stores would be news of it.
 */
export async function resolveOpen(
  ports: SettlePorts,
  isChosen: (attempt: OpenAttempt) => boolean,
  word: Word,
): Promise<Settlement[]> {
  const chosen = (await ports.book.listOpen()).filter(isChosen);
  const named = new Set<string>();
  for (const attempt of chosen)
    if ((await namingOf(ports, word.approval, attempt)) !== undefined) named.add(attempt.reqId);
  const isNamed = ({ reqId }: OpenAttempt): boolean => named.has(reqId);
  const looks = new BatchLooks(ports);
  const settlements = new Map<string, Settlement>();
  for (const attempt of [...chosen.filter(isNamed), ...chosen.filter((other) => !isNamed(other))]) {
    ports.signal.throwIfAborted();
    settlements.set(attempt.reqId, await resolveAttempt(ports, attempt, word, looks));
  }
  return chosen.flatMap(({ reqId }) => settlements.get(reqId) ?? []);
}

/** Closes an attempt, or asks the platform about it once. */
export async function resolveAttempt(
  ports: SettlePorts,
  known: OpenAttempt,
  { approval, heldUntil }: Word = {},
  looks = new BatchLooks(ports),
): Promise<Settlement> {
  const naming = await namingOf(ports, approval, known);
  const judged = await judgeNow(ports, known, looks);
  const { attempt, looks: taken } = judged;
  let { resolution } = judged;
  const awaiting = await awaitingNow(ports, judged, heldUntil);
  const isForPerson = whyForPerson(resolution) !== undefined;
  const missing = awaiting?.missing ?? unaskedOf(ports, resolution, heldUntil);
  const approved =
    naming === undefined || resolution.kind === 'close'
      ? undefined
      : await judgeApproval(ports, naming, { attempt, looks: taken, awaiting, isForPerson, missing });
  if (approved !== undefined && 'closing' in approved) resolution = approved.closing;
  const isKept = await keep(ports, attempt, resolution);
  if (!isKept) resolution = { kind: 'wait', why: CHANGED };
  const settlement: Settlement = {
    ...(isKept ? settlementOf(attempt, resolution) : await changedOf(ports, attempt)),
    ...(resolution.kind !== 'close' && awaiting !== undefined && isKept && { awaiting }),
    ...approvalOf(approved, isKept),
  };
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

/** An attempt with what other looks showed of it, and what the last look of this call says of it. */
interface Judged {
  attempt: OpenAttempt;
  resolution: Resolution;
  /** In their order; none where it is certain without one. */
  looks: readonly SettleLook[];
}

async function judgeNow(ports: SettlePorts, known: OpenAttempt, looks: BatchLooks): Promise<Judged> {
  const certain = resolvedWithoutLook(known);
  if (certain !== undefined) return { attempt: known, resolution: certain, looks: [] };
  const notBefore = sendOf(known, ports.runner);
  const first = await judgeBy(ports, known, await looks.at(known, notBefore));
  const { attempt, resolution } = first;
  if (resolution.kind !== 'wait' || resolution.untilMonoMs === undefined) return first;
  const before = `asking about ${attempt.outOrderNo} again`;
  await liveThrough(ports, resolution.untilMonoMs, { before, why: resolution.why });
  const second = await judgeBy(ports, attempt, await looks.anew(attempt, notBefore));
  return { ...second, looks: [...first.looks, ...second.looks] };
}

async function judgeBy(ports: SettlePorts, known: OpenAttempt, look: SettleLook): Promise<Judged> {
  const { book, profile, runner } = ports;
  const { marginSeconds, viewLagSeconds, amountRule } = profile.settle;
  const heardWithinMs = lookHeardWithinMs(profile.http, await book.slowestLookMs());
  const rules = { marginSeconds, viewLagSeconds, heardWithinMs, amountRule, runner };
  const attempt = await takeIn(ports, known, { look, rules });
  return { attempt, looks: [look], resolution: notByItself(attempt, judgeLook(attempt, look, rules)) };
}

/** Undefined where it awaits nobody. */
async function awaitingNow(
  ports: SettlePorts,
  { attempt, resolution, looks }: Judged,
  heldUntil: Instant | undefined,
): Promise<Awaiting | undefined> {
  const [why, look] = [whyAwaiting(attempt, resolution), looks.at(-1)];
  if (why === undefined || look === undefined) return undefined;
  const unasked = unaskedOf(ports, resolution, heldUntil);
  return awaitingOf(ports, attempt, {
    why,
    said: saidOf(attempt, resolution, look),
    shown: shownOf(look, attempt),
    unasked,
  });
}

function unaskedOf(
  ports: SettlePorts,
  resolution: Resolution,
  heldUntil: Instant | undefined,
): string | undefined {
  const unanswered = resolution.kind === 'wait' && resolution.isUnanswered ? resolution.why : undefined;
  return whyUnasked(ports, { heldUntil, unanswered });
}

/**
 * Keeps what other looks showed of it since the send. Where answers need not be signed, nobody knows whether those were,
 * and only what was judged here counts.
 */
async function takeIn(
  { book, profile }: SettlePorts,
  attempt: OpenAttempt,
  { look, rules }: { look: SettleLook; rules: ResolutionRules },
): Promise<OpenAttempt> {
  if (profile.signing.requireResponseSign === 'never') return attempt;
  const shown = asShown(attempt, look, rules);
  if (shown !== attempt && shown.openSeenAt !== undefined) {
    await book.saveOpenSeen(attempt.reqId, shown.openSeenAt);
  }
  return shown;
}

const CHANGED = 'something else became known of it while it was judged. Call it again: it is judged anew';

function approvalOf(approved: Approved | undefined, isKept: boolean): Pick<Settlement, 'approval'> {
  if (approved === undefined) return {};
  if ('refused' in approved) return { approval: approved };
  return { approval: isKept ? 'given' : { refused: CHANGED } };
}

/** Right after our own send a look must not seem to come before it: by that the retry is known that made a change. */
function sendOf({ sent, runner }: OpenAttempt, ours: string): Instant | undefined {
  return runner === ours ? sent?.reqTime : undefined;
}

/** @returns false where it could not be ended, because something else is known of it by now */
async function keep(ports: SettlePorts, attempt: OpenAttempt, resolution: Resolution): Promise<boolean> {
  if (resolution.kind === 'close') {
    const { outcome, note, endedAt: at = ports.clock.wall(), judged = attempt } = resolution;
    return ports.book.close(attempt.reqId, { outcome, at, note, judged });
  }
  await keepOpen(ports, attempt, resolution);
  return true;
}

async function keepOpen(
  { book, runner }: SettlePorts,
  attempt: OpenAttempt,
  resolution: Exclude<Resolution, { kind: 'close' }>,
): Promise<void> {
  const { reqId } = attempt;
  switch (resolution.kind) {
    case 'first': {
      const why = whyAwaiting(attempt, resolution);
      await book.saveFailedSeen(reqId, resolution.seenAt);
      return why === undefined ? undefined : book.saveAwaiting(reqId, why);
    }
    case 'open':
      return book.saveOpenSeen(reqId, resolution.seenAt);
    case 'redate':
      return book.redate(reqId, resolution.sent, runner);
    case 'forget':
      await book.saveFailedSeen(reqId, undefined);
      return resolution.isForPerson === undefined ? undefined : book.saveAwaiting(reqId, resolution.why);
    case 'wait':
      return resolution.isForPerson ? book.saveAwaiting(reqId, resolution.why) : undefined;
  }
}

function settlementOf(attempt: OpenAttempt, resolution: Resolution): Settlement {
  const what = namedOf(attempt);
  const { kind } = resolution;
  if (kind === 'close')
    return { ...what, outcome: resolution.outcome, isHeardOf: true, note: resolution.note };
  const outcome = openOutcome(attempt, resolution);
  const isWaiting = kind === 'wait' && resolution.isUnanswered !== true;
  const isHeardOf = kind === 'open' || kind === 'first' || isWaiting;
  return { ...what, outcome, isHeardOf, note: attempt.note };
}

/** Another process has ended it, or a database that was restored meanwhile does not know it. */
export function endedElsewhere(planned: PlannedAttempt): Settlement {
  return { ...namedOf(planned), outcome: 'UNKNOWN', isHeardOf: false, note: CHANGED };
}

function namedOf(planned: PlannedAttempt): Omit<Settlement, 'outcome' | 'isHeardOf' | 'note'> {
  const { accountNo, outOrderNo, attemptNo, reqId, runId, payeeAccountNo, amountFen } = planned;
  return { accountNo, outOrderNo, attemptNo, reqId, runId, payeeAccountNo, amountFen };
}

/** As it is known now: nothing that this call heard holds of it any more. */
async function changedOf({ book }: SettlePorts, judged: OpenAttempt): Promise<Settlement> {
  const now = (await book.findOpen(judged.reqId)) ?? judged;
  const isPaid = now.movedShownAt !== undefined && now.movedShownAt !== judged.movedShownAt;
  const isTaken = isAccepted(now) && now.state !== judged.state;
  const learned = [
    ...(isTaken ? ['its send was answered: the platform took it, or may have'] : []),
    ...(isPaid ? ['another look showed it paid'] : []),
  ];
  const note = [CHANGED, ...learned].join('; ');
  return { ...settlementOf(now, { kind: 'wait', why: CHANGED }), isHeardOf: false, note };
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
  if (attempt.isFollowed && isSeenFailed) return FOLLOWED;
  if (kind === 'first') return resolution.why;
  return isAccepted(attempt) && attempt.openSeenAt === undefined && isSeenFailed ? LAGGING : undefined;
}

/** What the platform says where that decides nothing. */
function saidOf(attempt: OpenAttempt, resolution: Resolution, look: SettleLook): string | undefined {
  if (resolution.kind !== 'forget') return undefined;
  return resolution.said ?? (rowsText(look, attempt) || undefined);
}

/** Why a person may end it now; undefined where nobody may. */
function whyForPerson(resolution: Resolution): string | undefined {
  return 'isForPerson' in resolution && resolution.isForPerson ? resolution.why : undefined;
}
