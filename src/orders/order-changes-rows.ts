/**
 * The interval in which one change of an order happened: after the last look that did not show it, at the
 * latest at the first that did. A change never begins before the one before it was seen.
 */
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { ChangeRow, LookTime, OrderObservation } from './order-observations.ts';
import type { ChangeState, OrderSubject } from '../store/schema/schema-orders.ts';

/** Where a subject's changes begin. */
export interface ChangeBounds {
  /** Before the first change of the subject can have happened; null: nobody knows. */
  first: Instant | null;
  /** The last look at the order that did not show what is seen now; null: there was none. */
  observedAt: Instant | null;
}

/**
 * The first row of a transfer or withdrawal: under way until a look shows otherwise. Where a look did not find it, it
 * was not there and held nothing, whatever its submission says.
 */
export function startOrder(
  look: OrderObservation,
  subject: 'transfer' | 'withdrawal',
  submittedAt: Instant | null,
): ChangeRow {
  const { notFoundAt } = look;
  return {
    account_no: look.accountNo,
    out_order_no: look.outOrderNo,
    subject,
    change_no: 1,
    state: 'open',
    amount_fen: null,
    since: notFoundAt === null ? submittedAt : latest(notFoundAt, submittedAt),
    open_since: null,
    last_open_at: null,
    first_final_at: null,
    is_odd: false,
  };
}

/** The change after the last of `rows`, as it begins: open, last not seen at the look before this one. */
export function nextChange(
  rows: readonly ChangeRow[],
  of: {
    subject: OrderSubject;
    order: Pick<OrderObservation, 'accountNo' | 'outOrderNo'>;
    amountFen: Fen | null;
  },
  bounds: ChangeBounds,
): ChangeRow {
  const before = rows.at(-1);
  const since = before === undefined ? bounds.first : before.first_final_at;
  return {
    account_no: before?.account_no ?? of.order.accountNo,
    out_order_no: before?.out_order_no ?? of.order.outOrderNo,
    subject: of.subject,
    change_no: rows.length + 1,
    state: 'open',
    amount_fen: of.amountFen,
    since: bounds.observedAt === null ? since : latest(bounds.observedAt, since),
    open_since: null,
    last_open_at: bounds.observedAt === null ? null : latest(bounds.observedAt, since),
    first_final_at: null,
    is_odd: false,
  };
}

/** This look still shows it under way. */
export function stillOpen(change: ChangeRow, look: LookTime): ChangeRow {
  return {
    ...change,
    open_since: change.open_since ?? latest(look.seenAt, change.since),
    last_open_at: latest(look.askedAt, change.last_open_at, change.since),
  };
}

/** This look is the first that shows how it ended. */
export function endChange(change: ChangeRow, state: ChangeState, look: LookTime): ChangeRow {
  return {
    ...change,
    state,
    first_final_at: latest(look.seenAt, change.last_open_at, change.since),
  };
}

/** Changes as a look leaves them: of one that ended by a record with which something is wrong nobody knows what else that hid. */
export function endedBy(
  known: { changes: readonly ChangeRow[] } | undefined,
  changes: readonly ChangeRow[],
  isPlain: boolean,
): ChangeRow[] {
  return changes.map((change) => {
    const isNews = change.first_final_at !== null && known?.changes.includes(change) !== true;
    return isNews ? { ...change, is_odd: !isPlain } : change;
  });
}

/** Nothing that follows from this change can have happened before. */
export function lowerBound({ last_open_at, since }: ChangeRow): Instant | null {
  return last_open_at ?? since;
}

/**
 * The submission as it is known now bounds the first changes: also those that were bound by what it was known as before,
 * because a mistyped one may have been earlier or later than it was.
 */
export function withSubmission(
  changes: readonly ChangeRow[],
  { was, now }: { was: Instant | null; now: Instant | null },
): ChangeRow[] {
  if (now === null) return [...changes];
  return changes.map((change) => {
    if (change.change_no !== 1) return change;
    const { since: before, last_open_at: lastOpen } = change;
    const since = before === null || before === was ? now : latest(before, now);
    return { ...change, since, last_open_at: lastOpen === null ? null : latest(lastOpen, since) };
  });
}

export function submissionOf(
  known: { row: { submitted_at: Instant | null } } | undefined,
  record: { submitted_at: Instant | null },
): { was: Instant | null; now: Instant | null } {
  return { was: known?.row.submitted_at ?? null, now: record.submitted_at };
}

export function earliest(first: Instant, ...others: readonly (Instant | null)[]): Instant {
  return others.reduce<Instant>(
    (soonest, other) => (other !== null && other < soonest ? other : soonest),
    first,
  );
}

export function latest(first: Instant, ...others: readonly (Instant | null)[]): Instant {
  return others.reduce<Instant>((last, other) => (other !== null && other > last ? other : last), first);
}
