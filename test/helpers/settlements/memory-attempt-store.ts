/**
 * The book of the retried settlements without a database: the rules of `src/store/settle-attempts.ts` over `MemoryBooks`,
 * for a hundred thousand simulated worlds. `test/store/settle-book.test.ts` holds both to one contract.
 */
import type { Fen } from '../../src/core/fen.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';
import type { OrderAnswer } from '../../src/store/orders-answers.ts';
import type { SettleBookOptions } from '../../src/store/settle-attempts.ts';
import {
  isAccepted,
  isAsPlanned,
  PLANNED_BEFORE_RESTORE,
  REDATED,
  SHOWN_MEANWHILE,
  StaleLook,
} from '../../src/store/settle-book.ts';
import type {
  AttemptAnswer,
  BalanceSeen,
  Basis,
  Closing,
  DayLimits,
  FailedSettlement,
  GuardState,
  OpenAttempt,
  OrderKey,
  PlannedAttempt,
  Planning,
  SentStamp,
  SettleBook,
} from '../../src/store/settle-book.ts';
import { byKey, keyText } from './memory-books.ts';
import type { MemoryAttempt, MemoryBooks, MemoryEvent } from './memory-books.ts';
import {
  done,
  failedOf,
  isSameStamp,
  JUST_PLANNED,
  openOf,
  requireAttempt,
  sequenceOfSend,
  usedOn,
  wholeMs,
  wrongState,
} from './memory-attempts.ts';

export type MemoryBookOptions = Pick<SettleBookOptions, 'lease' | 'amountRule' | 'now'> & {
  saving: Pick<SettleBookOptions['saving'], 'runId' | 'day'>;
};

export class MemorySettleBook implements SettleBook {
  readonly #books: MemoryBooks;
  readonly #options: MemoryBookOptions;

  constructor(books: MemoryBooks, options: MemoryBookOptions) {
    [this.#books, this.#options] = [books, options];
  }

  listFailed(): Promise<FailedSettlement[]> {
    return done(() => this.#failed().toSorted(byKey));
  }

  #failed(): FailedSettlement[] {
    const { amountRule } = this.#options;
    return [...this.#books.orders.values()]
      .filter(({ row }) => row.settlement === 'failed')
      .map((known) =>
        failedOf({ books: this.#books, amountRule, known }, [...known.faults.keys()].toSorted()),
      );
  }

  #failedAs(key: OrderKey): FailedSettlement | undefined {
    return this.#failed().find((one) => keyText(one) === keyText(key));
  }

  listOpen(): Promise<OpenAttempt[]> {
    return done(() =>
      [...this.#books.attempts.values()]
        .flatMap((attempt) => openOf(this.#books, attempt) ?? [])
        .toSorted(byKey),
    );
  }

  usedOn(day: Window): Promise<{ attempts: number; sumFen: Fen }> {
    return done(() => usedOn(this.#books, day));
  }

  saveLook(answer: OrderAnswer): Promise<boolean> {
    return done(() => {
      this.#books.requireLease(this.#options.lease);
      return this.#books.keepLook(answer, this.#options.saving.day);
    });
  }

  plan(planned: PlannedAttempt, limits: DayLimits, basis: Basis): Promise<Planning> {
    return this.#inTurn(() => {
      const known = this.#books.attempts.get(planned.reqId);
      if (known !== undefined) {
        if (keyText(known) === keyText(planned)) return 'planned';
        throw new Error(`Bug: the request ${planned.reqId} was planned for another settlement`);
      }
      const order = this.#failedAs(planned);
      if (order === undefined) return 'shown';
      if (order.hasOpenAttempt || order.nextAttemptNo !== planned.attemptNo) return 'taken';
      const used = usedOn(this.#books, limits.day);
      const isCapped =
        order.attempts >= limits.maxAttempts ||
        used.attempts >= limits.maxPerRun ||
        used.sumFen + planned.amountFen > limits.maxFenPerRun;
      if (isCapped) return 'capped';
      if (!isAsPlanned(order, planned, basis)) return 'shown';
      if (!basis.isFresh()) return 'stale';
      const attempt = { ...planned, ...JUST_PLANNED, fence: this.#options.lease.fence };
      this.#change(attempt, { at: planned.plannedAt, note: '', runId: planned.runId });
      return 'planned';
    });
  }

  markSent(reqId: string, given: SentStamp, basis: Basis): Promise<bigint> {
    return this.#inTurn(() => {
      if (!basis.isFresh()) throw new StaleLook();
      const attempt = requireAttempt(this.#books, reqId);
      if (attempt.state === 'PLANNED' && !isAsPlanned(this.#failedAs(attempt), attempt, basis))
        throw new StaleLook(SHOWN_MEANWHILE);
      const sent = wholeMs(given);
      if (attempt.state === 'SENT' && isSameStamp(attempt.sent, sent))
        return sequenceOfSend(this.#books, attempt);
      if (attempt.state !== 'PLANNED') throw wrongState(attempt, 'only what is PLANNED may be sent');
      return this.#change({ ...attempt, state: 'SENT', sent }, { at: sent.sentAt, note: '' });
    });
  }

  saveAnswer(reqId: string, answer: AttemptAnswer): Promise<void> {
    const isFenced = !isAccepted(answer);
    return this.#inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      if (attempt.state === 'CLOSED' || attempt.state === answer.state) return;
      const isDue = attempt.state === 'SENT' || (attempt.state === 'PLANNED' && answer.state === 'NOT_SENT');
      if (!isDue) throw wrongState(attempt, `it cannot become ${answer.state}`);
      const { state, answeredAt, feeFen, note, isClaimed } = answer;
      this.#change({ ...attempt, state, answeredAt, feeFen, note, isClaimed }, { at: answeredAt, note });
    }, isFenced);
  }

  saveFailedSeen(reqId: string, seenAt: Instant | undefined): Promise<void> {
    return this.#inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      const isKnown = (attempt.failedSeenAt === undefined) === (seenAt === undefined);
      if (attempt.state === 'CLOSED' || isKnown) return;
      const note =
        seenAt === undefined ? 'a query says no more that it failed' : 'a query says that it failed';
      this.#change({ ...attempt, failedSeenAt: seenAt }, { at: this.#options.now(), note });
    });
  }

  saveOpenSeen(reqId: string, seenAt: Instant): Promise<void> {
    return this.#inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      const { state, openSeenAt: before, failedSeenAt } = attempt;
      if (state === 'CLOSED') return;
      const openSeenAt = before !== undefined && before > seenAt ? before : seenAt;
      const seen = { ...attempt, openSeenAt, failedSeenAt: undefined };
      const note = 'a query shows it under way';
      if (before === undefined || failedSeenAt) this.#change(seen, { at: this.#options.now(), note });
      else this.#books.attempts.set(reqId, seen);
    });
  }

  redate(reqId: string, given: SentStamp, runner: string): Promise<void> {
    return this.#inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      const [{ state, openSeenAt: seen }, sent] = [attempt, wholeMs(given)];
      if (state === 'CLOSED') return;
      const openSeenAt = seen !== undefined && seen > sent.reqTime ? sent.reqTime : seen;
      const redated = { ...attempt, sent, runner, openSeenAt, failedSeenAt: undefined };
      this.#change(redated, { at: this.#options.now(), note: REDATED });
    });
  }

  saveAwaiting(reqId: string, note: string): Promise<void> {
    return this.#inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      const isOf = (event: MemoryEvent): boolean =>
        keyText(event) === keyText(attempt) && event.attemptNo === attempt.attemptNo;
      if (attempt.state === 'CLOSED' || this.#books.events.findLast(isOf)?.isAwaiting === true) return;
      this.#change(attempt, { at: this.#options.now(), note, isAwaiting: true });
    });
  }

  close(reqId: string, { outcome, at, note }: Closing): Promise<void> {
    return this.#inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      if (attempt.state === 'CLOSED') return;
      const wasNeverSent = attempt.state === 'PLANNED' || attempt.state === 'NOT_SENT';
      if (wasNeverSent !== (outcome === 'NOT_SENT')) {
        throw wrongState(attempt, `it cannot have come to ${outcome}`);
      }
      const kept = note === '' ? attempt.note : note;
      this.#change({ ...attempt, state: 'CLOSED', outcome, closedAt: at, note: kept }, { at, note });
    });
  }

  balancesOf(): Promise<BalanceSeen[]> {
    return Promise.resolve([]);
  }

  guard(): Promise<GuardState> {
    return done(() => {
      const { guard, identity, attempts } = this.#books;
      const isReplaced = guard === undefined ? attempts.size > 0 : guard.identity !== identity;
      return { sequence: guard?.sequence ?? 0n, holdUntil: guard?.holdUntil, isReplaced };
    });
  }

  booksId(): Promise<string> {
    return Promise.resolve('2026-01-01T00:00:00.000Z');
  }

  serverStart(): Promise<string> {
    return done(() => `${this.#books.serverStarts}/${this.#books.identity}`);
  }

  isSend(sequence: bigint, reqId: string): Promise<boolean> {
    return done(() => {
      const event = this.#books.events.find((known) => known.sequence === sequence);
      const attempt = this.#books.attempts.get(reqId);
      const isOf = event && attempt && keyText(event) === keyText(attempt);
      return isOf === true && event?.state === 'SENT' && event.attemptNo === attempt?.attemptNo;
    });
  }

  hold(until: Instant, { latest, latestSend }: Parameters<SettleBook['hold']>[1] = {}): Promise<void> {
    return this.#inTurn(() => {
      const { guard, identity } = this.#books;
      const former = guard?.holdUntil;
      const longer = former !== undefined && former > until ? former : until;
      const holdUntil = latest !== undefined && latest < longer ? latest : longer;
      this.#books.guard = { sequence: guard?.sequence ?? 0n, identity, holdUntil };
      if (latestSend) this.#doubtPlanned(latestSend);
    });
  }

  isApproved(planDigest: string, { from, to }: Window): Promise<boolean> {
    return done(() =>
      this.#books.approvals.some(
        (known) => known.planDigest === planDigest && known.approvedAt >= from && known.approvedAt < to,
      ),
    );
  }

  saveApproval({ planDigest, approvedAt }: Parameters<SettleBook['saveApproval']>[0]): Promise<void> {
    return done(() => {
      this.#books.requireLease(this.#options.lease);
      this.#books.approvals.push({ planDigest, approvedAt });
    });
  }

  /** Undone as a whole where it throws, which is before anything else is changed. */
  #inTurn<T>(work: () => T, isFenced = true): Promise<T> {
    return done(() => {
      const books = this.#books;
      if (isFenced) books.requireLease(this.#options.lease);
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

  #doubtPlanned(given: SentStamp): void {
    const [sent, note, at] = [wholeMs(given), PLANNED_BEFORE_RESTORE, this.#options.now()];
    const planned = [...this.#books.attempts.values()].filter(({ state }) => state === 'PLANNED');
    const doubted = { state: 'UNKNOWN' as const, isClaimed: true, sent, note };
    for (const attempt of planned) this.#change({ ...attempt, ...doubted }, { at, note });
  }

  /** The attempt as it is from now on, and its event. @returns the number of the change */
  #change(
    attempt: MemoryAttempt,
    {
      runId = this.#options.saving.runId,
      ...event
    }: { at: Instant; note: string; runId?: string; isAwaiting?: true },
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
