/**
 * The book of the retried settlements without a database: the same rules as `src/store/settle-attempts.ts` over
 * `MemoryBooks`, fast enough for a hundred thousand simulated worlds. `test/store/settle-book.test.ts` holds both
 * to the same contract. Each method is done at once, as a transaction is.
 */
import type { Fen } from '../../src/core/fen.ts';
import type { Instant } from '../../src/core/time.ts';
import type { TransferRow } from '../../src/store/order-looks.ts';
import type { OrderAnswer } from '../../src/store/orders-answers.ts';
import { settleAmountFen } from '../../src/store/settle-amount.ts';
import type { SettleBookOptions } from '../../src/store/settle-attempts.ts';
import { PLANNED_BEFORE_RESTORE } from '../../src/store/settle-book.ts';
import type {
  AttemptAnswer,
  Closing,
  FailedSettlement,
  GuardState,
  OpenAttempt,
  OrderKey,
  PlannedAttempt,
  Planning,
  RunLimits,
  SentStamp,
  SettleBook,
} from '../../src/store/settle-book.ts';
import { byKey, keyText } from './memory-books.ts';
import type { MemoryAttempt, MemoryBooks } from './memory-books.ts';

export { MemoryBooks } from './memory-books.ts';
export type { MemoryAttempt, MemoryBackup, MemoryEvent, SeededOrder } from './memory-books.ts';

export type MemoryBookOptions = Pick<SettleBookOptions, 'lease' | 'amountRule' | 'now'> & {
  saving: Pick<SettleBookOptions['saving'], 'runId' | 'day'>;
};

export class MemorySettleBook implements SettleBook {
  readonly #books: MemoryBooks;
  readonly #options: MemoryBookOptions;

  constructor(books: MemoryBooks, options: MemoryBookOptions) {
    this.#books = books;
    this.#options = options;
  }

  listFailed(): Promise<FailedSettlement[]> {
    return done(() =>
      [...this.#books.orders.values()]
        .filter(({ row }) => row.settlement === 'failed')
        .map(({ row, faults }) => this.#failedOf(row, [...faults.keys()].toSorted()))
        .toSorted(byKey),
    );
  }

  #failedOf(row: TransferRow, faults: readonly string[]): FailedSettlement {
    const key = { accountNo: row.account_no, outOrderNo: row.out_order_no };
    const stated = {
      amountFen: row.amount_fen,
      realFen: row.real_fen,
      feeFen: row.fee_fen,
      feeType: row.fee_type,
    };
    const own = this.#attemptsOf(key);
    const counted = own.filter(counts);
    const closed = counted.flatMap(({ closedAt }) => closedAt ?? []).toSorted();
    return {
      ...key,
      orderNo: row.order_no,
      outBatchNo: row.out_batch_no,
      batchNo: this.#books.batchNos.get(row.out_batch_no) ?? '',
      payeeAccountNo: row.payee_account_no,
      amountFen: settleAmountFen(stated, this.#options.amountRule),
      effectiveState: row.effective_state,
      settleRemark: row.settle_remark,
      refundFen: row.refund_fen === 0n ? row.refund_waiting_fen : row.refund_fen,
      faults,
      payeeIsListed: this.#books.listedAccounts.has(row.payee_account_no),
      attempts: counted.length,
      nextAttemptNo: nextNo(own),
      lastClosedAt: closed.at(-1),
      hasOpenAttempt: own.some(({ state }) => state !== 'CLOSED'),
    };
  }

  listOpen(): Promise<OpenAttempt[]> {
    return done(() =>
      [...this.#books.attempts.values()].flatMap((attempt) => this.#openOf(attempt) ?? []).toSorted(byKey),
    );
  }

  #openOf(attempt: MemoryAttempt): OpenAttempt | undefined {
    const { state, outcome: _outcome, closedAt: _closedAt, fence: _fence, ...open } = attempt;
    if (state === 'CLOSED') return undefined;
    const outBatchNo = this.#books.orders.get(keyText(attempt))?.row.out_batch_no ?? '';
    return { ...open, state, outBatchNo, batchNo: this.#books.batchNos.get(outBatchNo) ?? '' };
  }

  usedBy(runId: string): Promise<{ attempts: number; sumFen: Fen }> {
    return done(() => this.#usedBy(runId));
  }

  #usedBy(runId: string): { attempts: number; sumFen: Fen } {
    const own = [...this.#books.attempts.values()].filter(
      (attempt) => attempt.runId === runId && counts(attempt),
    );
    return { attempts: own.length, sumFen: own.reduce((sum, { amountFen }) => sum + amountFen, 0n) };
  }

  saveLook(answer: OrderAnswer): Promise<boolean> {
    return done(() => {
      this.#books.requireLease(this.#options.lease);
      return this.#books.keepLook(answer, this.#options.saving.day);
    });
  }

  plan(planned: PlannedAttempt, limits: RunLimits): Promise<Planning> {
    return this.#inTurn(() => {
      const known = this.#books.attempts.get(planned.reqId);
      if (known !== undefined) {
        if (keyText(known) === keyText(planned)) return 'planned';
        throw new Error(`Bug: the request ${planned.reqId} was planned for another settlement`);
      }
      const own = this.#attemptsOf(planned);
      const hasOpen = own.some(({ state }) => state !== 'CLOSED');
      if (hasOpen || nextNo(own) !== planned.attemptNo) return 'taken';
      const used = this.#usedBy(limits.runId);
      const isCapped =
        own.filter(counts).length >= limits.maxAttempts ||
        used.attempts >= limits.maxPerRun ||
        used.sumFen + planned.amountFen > limits.maxFenPerRun;
      if (isCapped) return 'capped';
      const nothing = { outcome: undefined, sent: undefined, answeredAt: undefined, note: '' };
      const open = { ...nothing, failedSeenAt: undefined, closedAt: undefined };
      const attempt = { ...planned, ...open, state: 'PLANNED' as const, fence: this.#options.lease.fence };
      this.#change(attempt, { at: planned.plannedAt, note: '', runId: planned.runId });
      return 'planned';
    });
  }

  markSent(reqId: string, given: SentStamp): Promise<bigint> {
    return this.#inTurn(() => {
      const attempt = this.#require(reqId);
      const sent = wholeMs(given);
      if (attempt.state === 'SENT' && isSameStamp(attempt.sent, sent)) return this.#sequenceOfSend(attempt);
      if (attempt.state !== 'PLANNED') throw wrongState(attempt, 'only what is PLANNED may be sent');
      return this.#change({ ...attempt, state: 'SENT', sent }, { at: sent.sentAt, note: '' });
    });
  }

  saveAnswer(reqId: string, answer: AttemptAnswer): Promise<void> {
    return this.#inTurn(() => {
      const attempt = this.#require(reqId);
      if (attempt.state === 'CLOSED' || attempt.state === answer.state) return;
      const isDue = attempt.state === 'SENT' || (attempt.state === 'PLANNED' && answer.state === 'NOT_SENT');
      if (!isDue) throw wrongState(attempt, `it cannot become ${answer.state}`);
      const { state, answeredAt, note } = answer;
      this.#change({ ...attempt, state, answeredAt, note }, { at: answeredAt, note });
    });
  }

  saveFailedSeen(reqId: string, seenAt: Instant | undefined): Promise<void> {
    return this.#inTurn(() => {
      const attempt = this.#require(reqId);
      const isKnown = (attempt.failedSeenAt === undefined) === (seenAt === undefined);
      if (attempt.state === 'CLOSED' || isKnown) return;
      const note =
        seenAt === undefined ? 'a query says no more that it failed' : 'a query says that it failed';
      this.#change({ ...attempt, failedSeenAt: seenAt }, { at: this.#options.now(), note });
    });
  }

  close(reqId: string, { outcome, at, note }: Closing): Promise<void> {
    return this.#inTurn(() => {
      const attempt = this.#require(reqId);
      if (attempt.state === 'CLOSED') return;
      const wasNeverSent = attempt.state === 'PLANNED' || attempt.state === 'NOT_SENT';
      if (wasNeverSent !== (outcome === 'NOT_SENT')) {
        throw wrongState(attempt, `it cannot have come to ${outcome}`);
      }
      const kept = note === '' ? attempt.note : note;
      this.#change({ ...attempt, state: 'CLOSED', outcome, closedAt: at, note: kept }, { at, note });
    });
  }

  guard(): Promise<GuardState> {
    return done(() => {
      const { guard, identity, attempts } = this.#books;
      if (guard === undefined) return { sequence: 0n, holdUntil: undefined, isReplaced: attempts.size > 0 };
      const { sequence, holdUntil } = guard;
      return { sequence, holdUntil, isReplaced: guard.identity !== identity };
    });
  }

  hold(until: Instant, latestSend?: SentStamp): Promise<void> {
    return this.#inTurn(() => {
      const { guard, identity } = this.#books;
      const former = guard?.holdUntil;
      const holdUntil = former !== undefined && former > until ? former : until;
      this.#books.guard = { sequence: guard?.sequence ?? 0n, identity, holdUntil };
      if (latestSend) this.#doubtPlanned(latestSend);
    });
  }

  isApproved(planDigest: string): Promise<boolean> {
    return done(() => this.#books.approvals.has(planDigest));
  }

  saveApproval({ planDigest }: Parameters<SettleBook['saveApproval']>[0]): Promise<void> {
    return done(() => {
      this.#books.requireLease(this.#options.lease);
      this.#books.approvals.add(planDigest);
    });
  }

  /** Undone as a whole where it throws, which is before anything else is changed. */
  #inTurn<T>(work: () => T): Promise<T> {
    return done(() => {
      const books = this.#books;
      books.requireLease(this.#options.lease);
      const former = books.guard;
      const identity = books.attempts.size === 0 ? books.identity : 0;
      books.guard ??= { sequence: books.events.at(-1)?.sequence ?? 0n, identity, holdUntil: undefined };
      try {
        return work();
      } catch (error) {
        books.guard = former;
        throw error;
      }
    });
  }

  #attemptsOf(key: OrderKey): MemoryAttempt[] {
    const text = keyText(key);
    return [...this.#books.attempts.values()].filter((attempt) => keyText(attempt) === text);
  }

  #require(reqId: string): MemoryAttempt {
    const attempt = this.#books.attempts.get(reqId);
    if (attempt === undefined) throw new Error(`no settlement attempt has the request ${reqId}`);
    return attempt;
  }

  #sequenceOfSend(attempt: MemoryAttempt): bigint {
    const isSend = (event: OrderKey & { attemptNo: number; state: string }): boolean =>
      event.state === 'SENT' && event.attemptNo === attempt.attemptNo && keyText(event) === keyText(attempt);
    const event = this.#books.events.find(isSend);
    if (event === undefined) throw new Error(`Bug: the settlement attempt ${attempt.reqId} was sent unseen`);
    return event.sequence;
  }

  #doubtPlanned(given: SentStamp): void {
    const [sent, note, at] = [wholeMs(given), PLANNED_BEFORE_RESTORE, this.#options.now()];
    const planned = [...this.#books.attempts.values()].filter(({ state }) => state === 'PLANNED');
    for (const attempt of planned) this.#change({ ...attempt, state: 'UNKNOWN', sent, note }, { at, note });
  }

  /** The attempt as it is from now on, and its event. @returns the number of the change */
  #change(
    attempt: MemoryAttempt,
    { runId = this.#options.saving.runId, ...event }: { at: Instant; note: string; runId?: string },
  ): bigint {
    const books = this.#books;
    if (books.guard === undefined) throw new Error('Bug: a change of an attempt out of turn');
    const sequence = books.guard.sequence + 1n;
    books.guard = { ...books.guard, sequence };
    books.attempts.set(attempt.reqId, attempt);
    const { accountNo, outOrderNo, attemptNo, state, outcome } = attempt;
    books.events.push({ sequence, accountNo, outOrderNo, attemptNo, runId, state, outcome, ...event });
    return sequence;
  }
}

function wholeMs(stamp: SentStamp): SentStamp {
  return { ...stamp, sentMonoMs: Math.ceil(stamp.sentMonoMs) };
}

/** What is thrown comes as a rejection, as from a database. */
function done<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

/** Whether it was, may have been or may still be sent. */
function counts({ state, outcome }: Pick<MemoryAttempt, 'state' | 'outcome'>): boolean {
  return state !== 'NOT_SENT' && outcome !== 'NOT_SENT';
}

function nextNo(own: readonly MemoryAttempt[]): number {
  return Math.max(0, ...own.map(({ attemptNo }) => attemptNo)) + 1;
}

function isSameStamp(known: SentStamp | undefined, sent: SentStamp): boolean {
  return (
    known?.reqTime === sent.reqTime && known.sentAt === sent.sentAt && known.sentMonoMs === sent.sentMonoMs
  );
}

function wrongState(attempt: Pick<MemoryAttempt, 'reqId' | 'state'>, why: string): Error {
  return new Error(`the settlement attempt ${attempt.reqId} is ${attempt.state}: ${why}`);
}
