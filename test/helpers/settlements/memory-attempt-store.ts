/** The rules of `src/settlements/settle-attempts.ts` without a database, for a hundred thousand simulated worlds. */
import type { Instant } from '../../../src/core/time.ts';
import type { Window } from '../../../src/core/window.ts';
import type { OrderAnswer } from '../../../src/orders/orders-answers.ts';
import type { AttemptStoreOptions } from '../../../src/settlements/settle-attempts.ts';
import { isAccepted, REDATED } from '../../../src/settlements/attempt-store.ts';
import type {
  AttemptAnswer,
  Closing,
  GuardState,
  OpenAttempt,
  Planning,
  SentAttempt,
  SentStamp,
  SettlementAttemptStore,
} from '../../../src/settlements/attempt-store.ts';
import type { PlannedAttempt, FailedSettlement, OrderKey } from '../../../src/settlements/settle-order.ts';
import { refusalOf, REFUSALS, StaleLook } from '../../../src/settlements/settle-intent.ts';
import { recordsOf } from '../../../src/settlements/settle-looks.ts';
import type { LookStored } from '../../../src/settlements/settle-looks.ts';
import type { Basis, DayUsed, Refusal } from '../../../src/settlements/settle-intent.ts';
import { byKey, keyText } from './memory-books.ts';
import type { MemoryAttempt, MemoryBooks } from './memory-books.ts';
import { MemoryDecisions } from './memory-decisions.ts';
import {
  answeredInTime,
  answeredLate,
  awaits,
  closedAs,
  done,
  doubted,
  failedIn,
  SLOWEST_LOOK_MS,
  isLastAwaiting,
  isSameStamp,
  JUST_PLANNED,
  madeAnew,
  openOf,
  requireAttempt,
  sequenceOfSend,
  usedOn,
  wholeMs,
  wrongState,
} from './memory-attempts.ts';

export type MemoryStoreOptions = Pick<AttemptStoreOptions, 'lease' | 'amountRule' | 'callLagMs' | 'now'> & {
  saving: Pick<AttemptStoreOptions['saving'], 'runId' | 'day'>;
};

export class MemoryAttemptStore extends MemoryDecisions implements SettlementAttemptStore {
  readonly #books: MemoryBooks;
  readonly #options: MemoryStoreOptions;

  constructor(books: MemoryBooks, options: MemoryStoreOptions) {
    super(books, options);
    [this.#books, this.#options] = [books, options];
  }

  listFailed(): Promise<FailedSettlement[]> {
    return done(() => this.#failed().toSorted(byKey));
  }

  #failed(): FailedSettlement[] {
    return failedIn(this.#books, this.#options);
  }

  #failedAs(key: OrderKey): FailedSettlement | undefined {
    return this.#failed().find((one) => keyText(one) === keyText(key));
  }

  listOpen(): Promise<OpenAttempt[]> {
    return done(() => this.#open());
  }

  #open(): OpenAttempt[] {
    return [...this.#books.attempts.values()]
      .flatMap((attempt) => openOf(this.#books, attempt) ?? [])
      .toSorted(byKey);
  }

  findOpen(reqId: string): Promise<OpenAttempt | undefined> {
    return done(() => {
      const attempt = this.#books.attempts.get(reqId);
      return attempt && openOf(this.#books, attempt);
    });
  }

  usedOn(day: Window): Promise<DayUsed> {
    return done(() => usedOn(this.#books, day));
  }

  /** Nobody else looks at these books. */
  claimLook(): Promise<readonly []> {
    return done(() => []);
  }

  saveLook(
    answer: OrderAnswer,
    _claimed?: readonly unknown[],
    told: (stored: LookStored) => void = () => undefined,
  ): Promise<boolean> {
    return done(() => {
      this.#books.requireLease(this.#options.lease);
      const before = this.#open();
      const listed = this.#books.keepLook(answer, this.#options.saving.day);
      told({ records: recordsOf(listed ?? []), before, after: this.#open() });
      return listed !== undefined;
    });
  }

  plan(planned: PlannedAttempt, basis: Basis): Promise<Planning> {
    return this.inTurn(() => {
      const known = this.#books.attempts.get(planned.reqId);
      if (known !== undefined) {
        if (keyText(known) === keyText(planned)) return 'planned';
        throw new Error(`Bug: the request ${planned.reqId} was planned for another settlement`);
      }
      const refusal = this.#refusal(planned, basis);
      if (refusal !== undefined) return refusal;
      if (!basis.isFresh()) return 'stale';
      const attempt = { ...planned, ...JUST_PLANNED, fence: this.#options.lease.fence };
      this.#change(attempt, { at: planned.plannedAt, note: '', runId: planned.runId });
      return 'planned';
    });
  }

  /** As if the attempt itself were not there. */
  #refusal(planned: PlannedAttempt, basis: Basis): Refusal | undefined {
    const books = this.#books;
    const { holdUntil } = books.requireTrusted(basis.server);
    const own = books.attempts.get(planned.reqId);
    books.attempts.delete(planned.reqId);
    try {
      const used = usedOn(books, basis.limits.day);
      return refusalOf({ order: this.#failedAs(planned), used, holdUntil }, planned, basis);
    } finally {
      if (own !== undefined) books.attempts.set(planned.reqId, own);
    }
  }

  markSent(reqId: string, given: SentStamp, basis: Basis): Promise<bigint> {
    return this.inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      const sent = wholeMs(given);
      const isKnown = attempt.state === 'SENT' && isSameStamp(attempt.sent, sent);
      if (!isKnown && attempt.state !== 'PLANNED')
        throw wrongState(attempt, 'only what is PLANNED may be sent');
      const refusal = this.#refusal(attempt, basis);
      if (refusal !== undefined) throw new StaleLook(REFUSALS[refusal]);
      if (!basis.isFresh()) throw new StaleLook();
      if (isKnown) return sequenceOfSend(this.#books, attempt);
      return this.#change({ ...attempt, state: 'SENT', sent }, { at: sent.sentAt, note: '' });
    });
  }

  saveAnswer(reqId: string, answer: AttemptAnswer, known?: SentAttempt): Promise<void> {
    const isFenced = !isAccepted(answer);
    return this.inTurn(() => {
      if (known && !isFenced && !this.#books.attempts.has(reqId)) return this.#makeAnew(answer, known);
      const attempt = requireAttempt(this.#books, reqId);
      if (attempt.state === 'CLOSED') return this.#saveLateAnswer(attempt, answer, known);
      if (attempt.state === answer.state) return;
      this.#change(answeredInTime(attempt, answer, known), { at: answer.answeredAt, note: answer.note });
    }, isFenced);
  }

  #makeAnew(answer: AttemptAnswer, known: SentAttempt): void {
    const made = { ...madeAnew(this.#books, answer, known), fence: this.#options.lease.fence };
    this.#change(made, { at: answer.answeredAt, note: made.note, isAwaiting: true });
  }

  #saveLateAnswer(attempt: MemoryAttempt, answer: AttemptAnswer, known: SentAttempt | undefined): void {
    if (!isAccepted(answer) || attempt.answeredAt === answer.answeredAt) return;
    const { changed, isAwaiting } = answeredLate(attempt, answer, known);
    this.#change(changed, { at: answer.answeredAt, note: changed.note, ...(isAwaiting && { isAwaiting }) });
  }

  saveFailedSeen(reqId: string, seenAt: Instant | undefined): Promise<void> {
    return this.inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      if (attempt.state === 'CLOSED' || attempt.failedSeenAt === seenAt) return;
      const note =
        seenAt === undefined ? 'a query says no more that it failed' : 'a query says that it failed';
      this.#change({ ...attempt, failedSeenAt: seenAt }, { at: this.#options.now(), note });
    });
  }

  saveOpenSeen(reqId: string, seenAt: Instant): Promise<void> {
    return this.inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      const { state, openSeenAt: before, failedSeenAt } = attempt;
      if (state === 'CLOSED') return;
      const openSeenAt = before !== undefined && before > seenAt ? before : seenAt;
      const seen = { ...attempt, openSeenAt, failedSeenAt: undefined };
      const note = 'a query shows it under way';
      if (before === undefined || failedSeenAt || isLastAwaiting(this.#books, attempt))
        this.#change(seen, { at: this.#options.now(), note });
      else this.#books.attempts.set(reqId, seen);
    });
  }

  redate(reqId: string, given: SentStamp, runner: string): Promise<void> {
    return this.inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      const [{ state, openSeenAt: seen }, sent] = [attempt, wholeMs(given)];
      if (state === 'CLOSED') return;
      const openSeenAt = seen !== undefined && seen > sent.reqTime ? sent.reqTime : seen;
      const redated = { ...attempt, sent, runner, openSeenAt, failedSeenAt: undefined };
      this.#change(redated, { at: this.#options.now(), note: REDATED });
    });
  }

  saveAwaiting(reqId: string, note: string): Promise<void> {
    return this.inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      if (attempt.state === 'CLOSED' || isLastAwaiting(this.#books, attempt)) return;
      this.#change(attempt, { at: this.#options.now(), note, isAwaiting: true });
    });
  }

  close(reqId: string, closing: Closing): Promise<boolean> {
    return this.inTurn(() => {
      const attempt = requireAttempt(this.#books, reqId);
      if (attempt.state === 'CLOSED') return true;
      const closed = closedAs(this.#books, attempt, closing);
      if (closed !== undefined) this.#change(closed, { at: closing.at, note: closing.note });
      return closed !== undefined;
    });
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

  slowestLookMs(): Promise<number> {
    return Promise.resolve(SLOWEST_LOOK_MS);
  }

  serverStart(): Promise<string> {
    return done(() => this.#books.serverStart());
  }

  isSend(sequence: bigint, reqId: string): Promise<boolean> {
    return done(() => {
      const event = this.#books.events.find((known) => known.sequence === sequence);
      const attempt = this.#books.attempts.get(reqId);
      const isOf = event && attempt && keyText(event) === keyText(attempt);
      return isOf === true && event?.state === 'SENT' && event.attemptNo === attempt?.attemptNo;
    });
  }

  hold(
    until: Instant,
    { latest, latestSend }: Parameters<SettlementAttemptStore['hold']>[1] = {},
  ): Promise<void> {
    return this.inTurn(() => {
      const { guard, identity } = this.#books;
      const former = guard?.holdUntil;
      const longer = former !== undefined && former > until ? former : until;
      const holdUntil = latest !== undefined && latest < longer ? latest : longer;
      this.#books.guard = { sequence: guard?.sequence ?? 0n, identity, holdUntil };
      if (latestSend) this.#doubtPlanned(latestSend);
    });
  }

  #doubtPlanned(latest: SentStamp): void {
    const at = this.#options.now();
    const planned = [...this.#books.attempts.values()].filter(({ state }) => state === 'PLANNED');
    for (const attempt of planned.map((one) => doubted(one, latest)))
      this.#change(attempt, { at, note: attempt.note });
  }

  /** The attempt as it is from now on, and its event. @returns the number of the change */
  #change(
    attempt: MemoryAttempt,
    {
      runId = this.#options.saving.runId,
      isAwaiting = awaits(attempt),
      ...event
    }: { at: Instant; note: string; runId?: string; isAwaiting?: boolean },
  ): bigint {
    const books = this.#books;
    if (books.guard === undefined) throw new Error('Bug: a change of an attempt out of turn');
    const sequence = books.guard.sequence + 1n;
    books.guard = { ...books.guard, sequence };
    books.attempts.set(attempt.reqId, attempt);
    const { accountNo, outOrderNo, attemptNo, state, outcome } = attempt;
    const what = { accountNo, outOrderNo, attemptNo, runId, state, outcome };
    books.events.push({ sequence, ...what, isAwaiting, ...event });
    return sequence;
  }
}
