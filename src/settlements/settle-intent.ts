/**
 * Whether an attempt may be stored as planned, and as sent: asked in each of the two transactions that do so, of what
 * is stored then, whatever was judged when it was planned (docs/reliability.md 2.2).
 */
import { NotSent } from '../core/errors.ts';
import type { Fen } from '../core/fen.ts';
import type { Instant } from '../core/time.ts';
import type { Window } from '../core/window.ts';
import type { PlannedAttempt, FailedSettlement } from './settle-order.ts';

/** What may be sent within a service day, whichever command sends it. */
export interface DayLimits {
  /** The service day: `from` ≤ planned < `to`. */
  day: Window;
  maxPerRun: number;
  maxFenPerRun: Fen;
  maxAttempts: number;
}

/** How much of its limits a day has used. */
export interface DayUsed {
  attempts: number;
  sumFen: Fen;
}

/** What is stored by now, the attempt itself left out. */
export interface IntentFacts {
  /** As it is stored as failed; undefined: it is not any more. */
  order: FailedSettlement | undefined;
  used: DayUsed;
  /** Nothing may be sent before, after a restore. */
  holdUntil: Instant | undefined;
}

/** Why it is not stored. */
export type Refusal =
  /** Another attempt of this order is open: somebody else's, or one that this run did not see. */
  | 'taken'
  /** The day's number or sum, or the order's number of attempts, is used up. */
  | 'capped'
  /** It is not stored as it was planned any more: somebody else's look showed something else of it. */
  | 'shown'
  /** It ended, or was or may have been shown as anything but failed, too short a time ago. */
  | 'too_soon'
  /** The service day it was planned on, and approved for, is over. */
  | 'day_over'
  /** A restore was found meanwhile. */
  | 'held';

/** For people. */
export const REFUSALS: Readonly<Record<Refusal, string>> = {
  taken: 'another attempt of it is open by now',
  capped: 'the limit of the day, or of its attempts, is used up by now',
  shown: 'another look showed, or may have shown, something else of it meanwhile, or a call by hand named it',
  too_soon:
    'it ended, was or may have been paid or under way, or was named in a call by hand, too short a time ago',
  day_over: 'the day it was planned for is over: the next run plans it anew',
  held: 'the database was restored meanwhile: what was sent from here is not known for certain',
};

/** What an intent rests on; asked within each transaction that stores a part of it. */
export interface Basis {
  /** Whether the look right before still holds. */
  isFresh: () => boolean;
  /** As it was known of the order when this was planned (`FailedSettlement`). */
  lastShownAt: Instant | undefined;
  limits: DayLimits;
  /** Which start of the database's server the memory was judged on; empty: it does not say. */
  server: string;
  /** What the rules of the retry say against it now, by the clocks. */
  refusal: (facts: { order: FailedSettlement; holdUntil: Instant | undefined }) => Refusal | undefined;
}

/** The first thing that speaks against it; undefined: nothing does. Whether the look is fresh is asked after that. */
export function refusalOf(
  { order, used, holdUntil }: IntentFacts,
  planned: PlannedAttempt,
  basis: Basis,
): Refusal | undefined {
  const { limits } = basis;
  if (order === undefined) return 'shown';
  if (order.hasOpenAttempt || order.nextAttemptNo !== planned.attemptNo) return 'taken';
  const isCapped =
    order.attempts >= limits.maxAttempts ||
    order.mayBeTakenTwice ||
    used.attempts >= limits.maxPerRun ||
    used.sumFen + planned.amountFen > limits.maxFenPerRun;
  if (isCapped) return 'capped';
  if (!isAsPlanned(order, planned, basis)) return 'shown';
  return basis.refusal({ order, holdUntil });
}

/**
 * Whether the order is what was planned, and nothing that speaks against it has become known since: by whomever, and
 * though our own look right before may be a view that lags behind.
 */
function isAsPlanned(order: FailedSettlement, planned: PlannedAttempt, { lastShownAt }: Basis): boolean {
  return (
    order.lastShownAt === lastShownAt &&
    order.effectiveState === 'moved' &&
    order.refundFen === 0n &&
    order.faults.length === 0 &&
    !order.hasNamesake &&
    order.refundUnseen === undefined &&
    order.payeeIsListed &&
    order.orderNo === planned.orderNo &&
    order.payeeAccountNo === planned.payeeAccountNo &&
    order.amountFen === planned.amountFen
  );
}

/** What the intent rests on does not hold any more; nothing was stored, and nothing was sent. */
export class StaleLook extends NotSent {
  constructor(why = 'what was seen right before is older than ten seconds by now') {
    super(`${why}: nothing was sent`);
  }
}
