/** What looks in the books in memory show of an open attempt, as `src/settlements/settle-candidates.ts` lists it. */
import type { Instant } from '../../../src/core/time.ts';
import type { ChangeRow } from '../../../src/orders/order-observations.ts';
import type { OpenAttempt } from '../../../src/settlements/attempt-store.ts';
import type { MemoryAttempt } from './memory-books.ts';

/** When looks after the send showed it under way, and paid out. */
export function shownOf(
  { sent }: Pick<OpenAttempt, 'sent'>,
  changes: readonly ChangeRow[],
): Pick<OpenAttempt, 'openShownAt' | 'movedShownAt'> {
  const settlements = changes.filter(({ subject }) => subject === 'settlement');
  const paidTimes = settlements.flatMap((change) =>
    change.state === 'moved' ? [change.first_final_at] : [],
  );
  const open = settlements.filter(({ open_since: since }) => since !== null);
  const openTimes = open.flatMap(({ open_since: since, last_open_at: last }) => [since, last]);
  const isAfter = (at: Instant): boolean => sent !== undefined && at > sent.reqTime;
  return {
    openShownAt: lastOf(openTimes, isAfter),
    movedShownAt: lastOf(paidTimes, isAfter),
  };
}

function lastOf(times: readonly (Instant | null)[], isMeant: (at: Instant) => boolean): Instant | undefined {
  return times
    .flatMap((at) => (at !== null && isMeant(at) ? [at] : []))
    .toSorted()
    .at(-1);
}

/** Whether it was, may have been or may still be sent. */
export function counts({ state, outcome }: Pick<MemoryAttempt, 'state' | 'outcome'>): boolean {
  return state !== 'NOT_SENT' && outcome !== 'NOT_SENT';
}

/** As in `src/settlements/sent-beside.ts`, of two attempts of one order. */
export function wasSentBeside(one: MemoryAttempt, { reqId, ...reopened }: MemoryAttempt): boolean {
  const { attemptNo, plannedAt, reopenedAt, closedAt } = reopened;
  const isAfter = one.attemptNo > attemptNo || one.plannedAt > plannedAt;
  const isSent = one.state !== 'PLANNED' && counts(one);
  const isOver = closedAt !== undefined && closedAt <= one.plannedAt;
  return reopenedAt !== undefined && one.reqId !== reqId && isAfter && isSent && !isOver;
}
