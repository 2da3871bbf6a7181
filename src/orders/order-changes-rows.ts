/**
 * The interval in which one change of an order happened: after the last look that did not show it, at the
 * latest at the first that did. A change never begins before the one before it was seen.
 */
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { ChangeRow, LookTime, OrderLook } from './order-looks.ts';
import type { ChangeState, OrderSubject } from './schema-orders.ts';

/** Where a subject's changes begin. */
export interface ChangeBounds {
  /** Before the first change of the subject can have happened; null: nobody knows. */
  first: Instant | null;
  /** The last look at the order that did not show what is seen now; null: there was none. */
  lookedAt: Instant | null;
}

/**
 * The first row of a transfer or withdrawal: under way until a look shows otherwise. Where a look did not find it, it
 * was not there and held nothing, whatever its submission says.
 */
export function startOrder(
  look: OrderLook,
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
  };
}

/** The change after the last of `rows`, as it begins: open, last not seen at the look before this one. */
export function nextChange(
  rows: readonly ChangeRow[],
  of: { subject: OrderSubject; order: Pick<OrderLook, 'accountNo' | 'outOrderNo'>; amountFen: Fen | null },
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
    since: bounds.lookedAt === null ? since : latest(bounds.lookedAt, since),
    open_since: null,
    last_open_at: bounds.lookedAt === null ? null : latest(bounds.lookedAt, since),
    first_final_at: null,
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

/** Nothing that follows from this change can have happened before. */
export function lowerBound({ last_open_at, since }: ChangeRow): Instant | null {
  return last_open_at ?? since;
}

/**
 * When the order was submitted, as far as it bounds anything: one after the look that first showed the order is a
 * fault of a clock, and tells nothing.
 */
export function submissionOf(row: { submitted_at: Instant | null; first_seen_at: Instant }): Instant | null {
  const { submitted_at: submitted, first_seen_at: seen } = row;
  return submitted !== null && submitted <= seen ? submitted : null;
}

/** A submission that becomes known later bounds the first changes that had no bound. */
export function withSubmission(changes: readonly ChangeRow[], submittedAt: Instant | null): ChangeRow[] {
  return changes.map((change) =>
    change.change_no === 1 && change.since === null ? { ...change, since: submittedAt } : change,
  );
}

export function latest(first: Instant, ...others: readonly (Instant | null)[]): Instant {
  return others.reduce<Instant>((last, other) => (other !== null && other > last ? other : last), first);
}
