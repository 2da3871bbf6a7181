/** Attempts of the books in memory: what they count for, and what may not become of them. */
import type { Fen } from '../../../src/core/fen.ts';
import type { Instant } from '../../../src/core/time.ts';
import type { Window } from '../../../src/core/window.ts';
import { settleAmountFen } from '../../../src/settlements/settle-amount.ts';
import type { AttemptStoreOptions } from '../../../src/settlements/settle-attempts.ts';
import {
  endOf,
  FORGOTTEN,
  isAccepted,
  isKnownAlike,
  lateNote,
  PLANNED_BEFORE_RESTORE,
  sentAtLatest,
  withNote,
} from '../../../src/settlements/attempt-store.ts';
import type {
  AttemptAnswer,
  Closing,
  OpenAttempt,
  SentAttempt,
  SentStamp,
} from '../../../src/settlements/attempt-store.ts';
import type { FailedSettlement, OrderKey } from '../../../src/settlements/settle-order.ts';
import { keyText } from './memory-books.ts';
import { lastCallOf, refundUnseenOf } from './memory-calls.ts';
import { counts, shownOf, wasSentBeside } from './memory-shown.ts';
import type { Known, TransferRow } from '../../../src/orders/order-observations.ts';
import type { MemoryAttempt, MemoryBooks, MemoryEvent } from './memory-books.ts';

/** An attempt of which nothing is known yet. */
export const JUST_PLANNED = {
  state: 'PLANNED',
  outcome: undefined,
  sent: undefined,
  answeredAt: undefined,
  feeFen: undefined,
  note: '',
  isClaimed: false,
  openSeenAt: undefined,
  failedSeenAt: undefined,
  closedAt: undefined,
  reopenedAt: undefined,
} as const;

export function wholeMs(stamp: SentStamp): SentStamp {
  return { ...stamp, sentMonoMs: Math.ceil(stamp.sentMonoMs) };
}

/** What was planned, in books that were restored. */
export function doubted(attempt: MemoryAttempt, latest: SentStamp): MemoryAttempt {
  const sent = sentAtLatest(wholeMs(latest), attempt.plannedAt);
  return { ...attempt, state: 'UNKNOWN', isClaimed: true, sent, note: PLANNED_BEFORE_RESTORE };
}

/** What is thrown comes as a rejection, as from a database. */
export function done<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

export function paidAt({ outcome, closedAt }: MemoryAttempt): Instant[] {
  return closedAt !== undefined && (outcome === 'SUCCESS' || outcome === 'RETURNED') ? [closedAt] : [];
}

function lastShowings(
  books: MemoryBooks,
  key: OrderKey,
): Pick<OpenAttempt, 'elseShownAt' | 'unkeptAt' | 'unfailedShownAt' | 'oddShownAt'> {
  const row = books.orders.get(keyText(key))?.row;
  return {
    elseShownAt: row?.settle_shown_at ?? undefined,
    unkeptAt: undefined,
    unfailedShownAt: row?.unfailed_shown_at ?? undefined,
    oddShownAt: row?.refund_shown_at ?? undefined,
  };
}

/** When it was last known to be paid, shown as anything but failed, or named in a call by hand. */
function lastShownOf(
  books: MemoryBooks,
  own: readonly MemoryAttempt[],
  row: TransferRow,
): Instant | undefined {
  const shownAt = row.settle_shown_at ?? [];
  return own.flatMap(paidAt).concat(shownAt, lastCallOf(books, row)).toSorted().at(-1);
}

function nextNo(own: readonly MemoryAttempt[]): number {
  return Math.max(0, ...own.map(({ attemptNo }) => attemptNo)) + 1;
}

export function isSameStamp(known: SentStamp | undefined, sent: SentStamp): boolean {
  return (
    known?.reqTime === sent.reqTime && known.sentAt === sent.sentAt && known.sentMonoMs === sent.sentMonoMs
  );
}

/** An open attempt once it is closed; undefined where something else is known of it than it was judged by. */
export function closedAs(
  books: MemoryBooks,
  attempt: MemoryAttempt,
  { outcome, at, note, judged }: Closing,
): MemoryAttempt | undefined {
  const open = openOf(books, attempt);
  if (judged !== undefined && (open === undefined || !isKnownAlike(open, judged, outcome))) return undefined;
  const wasNeverSent = attempt.state === 'PLANNED' || attempt.state === 'NOT_SENT';
  if (wasNeverSent !== (outcome === 'NOT_SENT')) {
    throw wrongState(attempt, `it cannot have come to ${outcome}`);
  }
  const { plannedAt, sent, answeredAt, openSeenAt, failedSeenAt, reopenedAt } = attempt;
  const sentAt = [plannedAt, sent?.reqTime, sent?.sentAt];
  const closedAt = endOf(at, [...sentAt, answeredAt, openSeenAt, failedSeenAt, reopenedAt]);
  return { ...attempt, state: 'CLOSED', outcome, closedAt, note: note === '' ? attempt.note : note };
}

export function wrongState(attempt: Pick<MemoryAttempt, 'reqId' | 'state'>, why: string): Error {
  return new Error(`the settlement attempt ${attempt.reqId} is ${attempt.state}: ${why}`);
}

/** Whether another order has the number this one would be named by. */
export function hasNamesake(
  { account_no: accountNo, out_order_no: outOrderNo, order_no: orderNo }: TransferRow,
  books: MemoryBooks,
): boolean {
  return [...books.orders.values()].some(({ row }) =>
    orderNo === ''
      ? row.out_order_no === outOrderNo && row.account_no !== accountNo
      : row.order_no === orderNo && (row.account_no !== accountNo || row.out_order_no !== outOrderNo),
  );
}

function attemptsOf(books: MemoryBooks, key: OrderKey): MemoryAttempt[] {
  const text = keyText(key);
  return [...books.attempts.values()].filter((attempt) => keyText(attempt) === text);
}

/** No look of a world takes longer than a call may. */
export const SLOWEST_LOOK_MS = 0;

/** By which settlements are told: what is paid out, and how long a view may show what was before a call by hand. */
type Told = Pick<AttemptStoreOptions, 'amountRule' | 'callLagMs'>;

export function failedIn(books: MemoryBooks, told: Told): FailedSettlement[] {
  return [...books.orders.values()]
    .filter(({ row }) => row.settlement === 'failed')
    .map((known) => failedOf({ books, told, known }, [...known.faults.keys()].toSorted()));
}

/** A settlement as it is stored, with all that decides whether it may be retried. */
function failedOf(
  { books, told, known }: { books: MemoryBooks; told: Told; known: Known<TransferRow> },
  faults: readonly string[],
): FailedSettlement {
  const { row } = known;
  const key = { accountNo: row.account_no, outOrderNo: row.out_order_no };
  const stated = {
    amountFen: row.amount_fen,
    realFen: row.real_fen,
    feeFen: row.fee_fen,
    feeType: row.fee_type,
  };
  const own = attemptsOf(books, key);
  const counted = own.filter(counts);
  const closed = counted.flatMap(({ closedAt }) => closedAt ?? []).toSorted();
  return {
    ...key,
    orderNo: row.order_no,
    outBatchNo: row.out_batch_no,
    batchNo: books.batchNos.get(row.out_batch_no) ?? '',
    payeeAccountNo: row.payee_account_no,
    amountFen: settleAmountFen(stated, told.amountRule),
    effectiveState: row.effective_state,
    settleRemark: row.settle_remark,
    refundFen: row.refund_fen === 0n ? row.refund_waiting_fen : row.refund_fen,
    faults,
    payeeIsListed: books.listedAccounts.has(row.payee_account_no),
    hasNamesake: hasNamesake(row, books),
    refundUnseen: refundUnseenOf(books, known, told.callLagMs(SLOWEST_LOOK_MS)),
    attempts: counted.length,
    nextAttemptNo: nextNo(own),
    lastClosedAt: closed.at(-1),
    lastShownAt: lastShownOf(books, own, row),
    hasOpenAttempt: own.some(({ state }) => state !== 'CLOSED'),
    isAskedFor: false,
    mayBeTakenTwice: own.some((one) => own.some((other) => wasSentBeside(other, one))),
  };
}

/** As an open attempt is listed; undefined when it is closed. */
export function openOf(books: MemoryBooks, attempt: MemoryAttempt): OpenAttempt | undefined {
  const { state, outcome: _outcome, closedAt: _end, fence: _fence, reopenedAt: _again, ...open } = attempt;
  if (state === 'CLOSED') return undefined;
  const { out_batch_no: outBatchNo = '', order_no: learned = '' } =
    books.orders.get(keyText(attempt))?.row ?? {};
  const own = attemptsOf(books, attempt);
  const isFollowed = own.some((other) => wasSentBeside(other, attempt));
  const beside = own.filter((other) => wasSentBeside(attempt, other));
  const ends = beside.flatMap(({ closedAt: end }) => end ?? []).toSorted();
  const besideEndedAt = ends.length === beside.length ? ends.at(-1) : undefined;
  const batchNo = books.batchNos.get(outBatchNo) ?? '';
  const changes = books.orders.get(keyText(attempt))?.changes ?? [];
  const shown = { ...shownOf(attempt, changes), ...(isFollowed && UNSHOWN) };
  const orderNo = open.orderNo || learned;
  const others = { isFollowed, isBeside: beside.length > 0, besideEndedAt };
  const seen = { ...shown, ...lastShowings(books, attempt) };
  return { ...open, ...seen, state, orderNo, outBatchNo, batchNo, ...others };
}

const UNSHOWN = { openShownAt: undefined, movedShownAt: undefined };

/** What was planned in a service day and counts. */
export function usedOn(books: MemoryBooks, { from, to }: Window): { attempts: number; sumFen: Fen } {
  const own = [...books.attempts.values()].filter(
    (attempt) => attempt.plannedAt >= from && attempt.plannedAt < to && counts(attempt),
  );
  return { attempts: own.length, sumFen: own.reduce((sum, { amountFen }) => sum + amountFen, 0n) };
}

/** The number of the change by which the attempt was sent. */
export function sequenceOfSend(books: MemoryBooks, attempt: MemoryAttempt): bigint {
  const event = books.events.find(
    ({ state, attemptNo, ...key }) =>
      state === 'SENT' && attemptNo === attempt.attemptNo && keyText(key) === keyText(attempt),
  );
  if (event === undefined) throw new Error(`Bug: the settlement attempt ${attempt.reqId} was sent unseen`);
  return event.sequence;
}

export function requireAttempt(books: MemoryBooks, reqId: string): MemoryAttempt {
  const attempt = books.attempts.get(reqId);
  if (attempt === undefined) throw new Error(`no settlement attempt has the request ${reqId}`);
  return attempt;
}

/** The platform took it, its queries say that it failed, and none showed it under way in between. */
export function awaits({ state, isClaimed, failedSeenAt, openSeenAt }: MemoryAttempt): boolean {
  const isSeenFailed = failedSeenAt !== undefined && openSeenAt === undefined;
  return state !== 'CLOSED' && isAccepted({ state, isClaimed }) && isSeenFailed;
}

/** Whether its last event says that it awaits a person. */
export function isLastAwaiting(books: MemoryBooks, attempt: MemoryAttempt): boolean {
  const isOf = (event: MemoryEvent): boolean =>
    keyText(event) === keyText(attempt) && event.attemptNo === attempt.attemptNo;
  return books.events.findLast(isOf)?.isAwaiting === true;
}

/** An attempt that is open, once its send is answered. */
export function answeredInTime(
  attempt: MemoryAttempt,
  answer: AttemptAnswer,
  known: SentAttempt | undefined,
): MemoryAttempt {
  const { state, answeredAt, feeFen, note, isClaimed } = answer;
  const isPlanned = attempt.state === 'PLANNED';
  const isTaken = (attempt.state === 'UNKNOWN' || (isPlanned && known)) && isAccepted(answer);
  const isDue = attempt.state === 'SENT' || isTaken || (isPlanned && state === 'NOT_SENT');
  if (!isDue) throw wrongState(attempt, `it cannot become ${state}`);
  const stamp = isTaken && isPlanned && known ? { sent: wholeMs(known.sent) } : {};
  return { ...attempt, ...stamp, state, answeredAt, feeFen, note, isClaimed };
}

/** An attempt that was closed, once it is known that the platform took it; what was not paid is open again. */
export function answeredLate(
  attempt: MemoryAttempt,
  { state, answeredAt, feeFen, isClaimed, note }: AttemptAnswer,
  known: SentAttempt | undefined,
): { changed: MemoryAttempt; isAwaiting?: true } {
  const late = { answeredAt, feeFen, isClaimed, note: lateNote(attempt.outcome ?? null, note) };
  if (attempt.outcome === 'SUCCESS') return { changed: { ...attempt, ...late } };
  const stamp = { reqTime: answeredAt, sentAt: answeredAt, sentMonoMs: 0 };
  const doubted = known ? { sent: wholeMs(known.sent) } : { sent: stamp, runner: '' };
  const sent = attempt.sent ? {} : doubted;
  const seen = { openSeenAt: undefined, failedSeenAt: undefined, outcome: undefined, closedAt: undefined };
  return {
    changed: { ...attempt, ...late, ...sent, ...seen, state, reopenedAt: answeredAt },
    isAwaiting: true,
  };
}

/** An attempt that the platform took and a restored book has forgotten; another has its number perhaps. */
export function madeAnew(
  books: MemoryBooks,
  { state, answeredAt, feeFen, isClaimed, note: said }: AttemptAnswer,
  { planned, sent }: SentAttempt,
): Omit<MemoryAttempt, 'fence'> {
  const own = attemptsOf(books, planned);
  const isTaken = own.some(({ attemptNo }) => attemptNo === planned.attemptNo);
  const attemptNo = isTaken ? nextNo(own) : planned.attemptNo;
  const answered = { state, answeredAt, feeFen, isClaimed, note: withNote(FORGOTTEN, said) };
  const made = { ...JUST_PLANNED, ...planned, attemptNo, ...answered };
  return { ...made, sent: wholeMs(sent), reopenedAt: answeredAt };
}
