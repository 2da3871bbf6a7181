/** Attempts of the books in memory: what they count for, and what may not become of them. */
import type { Fen } from '../../src/core/fen.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';
import { settleAmountFen } from '../../src/store/settle-amount.ts';
import type { SettleAmountRule } from '../../src/store/settle-amount.ts';
import type { FailedSettlement, OpenAttempt, OrderKey, SentStamp } from '../../src/store/settle-book.ts';
import { keyText } from './memory-books.ts';
import type { Known, TransferRow } from '../../src/store/order-looks.ts';
import type { MemoryAttempt, MemoryBooks } from './memory-books.ts';

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
} as const;

export function wholeMs(stamp: SentStamp): SentStamp {
  return { ...stamp, sentMonoMs: Math.ceil(stamp.sentMonoMs) };
}

/** What is thrown comes as a rejection, as from a database. */
export function done<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

/** Whether it was, may have been or may still be sent. */
function counts({ state, outcome }: Pick<MemoryAttempt, 'state' | 'outcome'>): boolean {
  return state !== 'NOT_SENT' && outcome !== 'NOT_SENT';
}

export function paidAt({ outcome, closedAt }: MemoryAttempt): Instant[] {
  return closedAt !== undefined && (outcome === 'SUCCESS' || outcome === 'RETURNED') ? [closedAt] : [];
}

/** When it was last known to be paid, or shown as anything but failed. */
function lastShownOf(books: MemoryBooks, key: OrderKey): Instant | undefined {
  const shownAt = books.orders.get(keyText(key))?.row.settle_shown_at ?? [];
  return attemptsOf(books, key).flatMap(paidAt).concat(shownAt).toSorted().at(-1);
}

function nextNo(own: readonly MemoryAttempt[]): number {
  return Math.max(0, ...own.map(({ attemptNo }) => attemptNo)) + 1;
}

export function isSameStamp(known: SentStamp | undefined, sent: SentStamp): boolean {
  return (
    known?.reqTime === sent.reqTime && known.sentAt === sent.sentAt && known.sentMonoMs === sent.sentMonoMs
  );
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

/** A settlement as it is stored, with all that decides whether it may be retried. */
export function failedOf(
  {
    books,
    amountRule,
    known,
  }: { books: MemoryBooks; amountRule: SettleAmountRule; known: Known<TransferRow> },
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
    amountFen: settleAmountFen(stated, amountRule),
    effectiveState: row.effective_state,
    settleRemark: row.settle_remark,
    refundFen: row.refund_fen === 0n ? row.refund_waiting_fen : row.refund_fen,
    faults,
    payeeIsListed: books.listedAccounts.has(row.payee_account_no),
    hasNamesake: hasNamesake(row, books),
    attempts: counted.length,
    nextAttemptNo: nextNo(own),
    lastClosedAt: closed.at(-1),
    lastShownAt: lastShownOf(books, key),
    hasOpenAttempt: own.some(({ state }) => state !== 'CLOSED'),
  };
}

/** As an open attempt is listed; undefined when it is closed. */
export function openOf(books: MemoryBooks, attempt: MemoryAttempt): OpenAttempt | undefined {
  const { state, outcome: _outcome, closedAt: _closedAt, fence: _fence, ...open } = attempt;
  if (state === 'CLOSED') return undefined;
  const outBatchNo = books.orders.get(keyText(attempt))?.row.out_batch_no ?? '';
  return { ...open, state, outBatchNo, batchNo: books.batchNos.get(outBatchNo) ?? '' };
}

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
