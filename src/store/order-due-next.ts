/**
 * When a batch or withdrawal is to be asked again (spec/reconciliation.md 3.5): what is not final at every
 * opportunity, what is final by its age, and what the platform does not know for as long as it may yet appear.
 */
import { addDays } from '../core/time.ts';
import type { Day } from '../core/time.ts';
import type { DueState } from './schema-orders.ts';

/** The profile's `recheck` (U49). */
export interface RecheckRules {
  withdrawDays: number;
  batchDays: number;
  batchSchedule: readonly number[];
}

export interface DueTimes {
  state: DueState;
  finalDay: Day | null;
  /** Empty: at every opportunity; null: never again. */
  nextDay: Day | null;
}

/** What a look says of a batch or withdrawal as a whole. */
export interface UnitSeen {
  isOpen: boolean;
  /** A settlement or withdrawal that moved may come back from the bank. */
  mayComeBack: boolean;
  /** It moved or came back just now: the bank's time begins anew. */
  movedAnew: boolean;
  /** A failed settlement, a contradiction or a fault that a later look may cure. */
  isRestless: boolean;
}

export function dueAfterLook(
  kind: 'batch' | 'withdrawal',
  former: Pick<DueTimes, 'state' | 'finalDay'>,
  seen: UnitSeen,
  at: { today: Day; rules: RecheckRules },
): DueTimes {
  if (seen.isOpen) return { state: 'open', finalDay: null, nextDay: '' };
  const { today, rules } = at;
  const isStillFinal = former.state === 'final' && former.finalDay !== null && !seen.movedAnew;
  const finalDay = isStillFinal ? (former.finalDay ?? today) : today;
  const ages = kind === 'batch' ? rules.batchSchedule.filter((age) => age <= rules.batchDays) : [];
  const tomorrow = addDays(today, 1);
  const dailyUntil = [
    ...(seen.mayComeBack || kind === 'withdrawal' ? [rules.withdrawDays] : []),
    ...(seen.isRestless ? [rules.batchDays] : []),
  ].map((age) => addDays(finalDay, age));
  const days = ages.map((age) => addDays(finalDay, age)).filter((day) => day > today);
  if (dailyUntil.some((last) => tomorrow <= last)) days.push(tomorrow);
  return { state: 'final', finalDay, nextDay: days.toSorted()[0] ?? null };
}

/** Not found is not failed (P14): it is asked for until its time is over, unless the company was refused. */
export function dueAfterNotFound(
  former: Pick<DueTimes, 'state' | 'finalDay'>,
  seen: { submittedDay: Day; isRefused: boolean },
  at: { today: Day; rules: RecheckRules },
): DueTimes {
  const isKnown = former.state === 'open' || former.state === 'final';
  if (seen.isRefused && !isKnown) return { state: 'refused', finalDay: null, nextDay: null };
  const isOver = at.today >= addDays(seen.submittedDay, at.rules.batchDays);
  const { state, finalDay } = former;
  return { state: isKnown ? state : 'not_found', finalDay, nextDay: isOver ? null : '' };
}
