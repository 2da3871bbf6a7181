/**
 * Windows hold their start and not their end. The walk cuts a range of days into windows that the deposit
 * listing accepts under every reading of "at most one month" (docs/reconciliation.md 3.6, DEP-03, DEP-12).
 */
import { addDays, addMonthClamped, daysBetween } from './time.ts';
import type { Day, Instant, Zone } from './time.ts';

/** from ≤ t < to. */
export interface Window {
  from: Instant;
  to: Instant;
}

/** Whole service days, from ≤ day < to. */
export interface DaySpan {
  from: Day;
  to: Day;
}

/** Whether the listing's endDate is part of the answer (U44). */
export type EndInclusive = 'unknown' | 'yes' | 'no';

/** What is asked of the listing for a span: the dates sent. */
export interface AskedDates {
  startDate: Day;
  endDate: Day;
}

export function windowOf(zone: Zone, span: DaySpan): Window {
  return { from: zone.dayStart(span.from), to: zone.dayStart(span.to) };
}

/** The last day inside a span. */
export function lastDay(span: DaySpan): Day {
  return addDays(span.to, -1);
}

export function spanOfDay(day: Day): DaySpan {
  return { from: day, to: addDays(day, 1) };
}

/**
 * The dates to send so that every record of the span comes back. Where it is unknown or false that endDate
 * is inclusive, the day after the span is asked as well; what lies outside is dropped by its depositTime.
 */
export function askedDates(span: DaySpan, endInclusive: EndInclusive): AskedDates {
  return { startDate: span.from, endDate: endInclusive === 'yes' ? lastDay(span) : span.to };
}

/**
 * Cuts a span into adjoining spans whose asked dates lie at most one calendar month less a day (and so at
 * most 30 days) apart: e = min(s + 1 month − 1 day, last), months clamped to their end.
 */
export function monthWalk(range: DaySpan, endInclusive: EndInclusive): DaySpan[] {
  const spans: DaySpan[] = [];
  for (let from = range.from; from < range.to;) {
    const askedEnd = addDays(addMonthClamped(from), -1);
    const wanted = endInclusive === 'yes' ? addDays(askedEnd, 1) : askedEnd;
    const to = wanted < range.to ? wanted : range.to;
    spans.push({ from, to });
    from = to;
  }
  return spans;
}

/** Two spans of about equal length, or undefined for a single day, which cannot be halved. */
export function halve(span: DaySpan): [DaySpan, DaySpan] | undefined {
  const days = daysBetween(span);
  if (days < 2) return undefined;
  const middle = addDays(span.from, Math.floor(days / 2));
  return [
    { from: span.from, to: middle },
    { from: middle, to: span.to },
  ];
}

/** What is left of a span without others; these are in order and do not overlap. */
export function subtractSpans(span: DaySpan, others: readonly DaySpan[]): DaySpan[] {
  const left: DaySpan[] = [];
  let { from } = span;
  for (const other of others) {
    if (other.to <= from || other.from >= span.to) continue;
    if (other.from > from) left.push({ from, to: other.from });
    from = other.to;
  }
  if (from < span.to) left.push({ from, to: span.to });
  return left;
}
