/**
 * When a batch or withdrawal is to be asked again (docs/reconciliation.md 3.5): what is not final at every
 * opportunity, what is final by its age, and what the platform does not know for as long as it may yet appear.
 */
import type { Profile } from '../core/profile/profile.ts';
import { addDays } from '../core/time.ts';
import type { Day } from '../core/time.ts';
import type { DueState } from '../store/schema/schema-orders.ts';
import { isKnownLabel } from './order-batch-check.ts';
import type { Known, Observed, TransferRow } from './order-observations.ts';

/** The profile's `recheck` (U49), and for how long what nobody answers for holds up every proof. */
export interface RecheckRules {
  agingDays: number;
  withdrawDays: number;
  batchDays: number;
  batchSchedule: readonly number[];
}

export function recheckRules({ recheck, agingDays }: Pick<Profile, 'recheck' | 'agingDays'>): RecheckRules {
  return { ...recheck, agingDays };
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
  hasNewMovement: boolean;
  /** A failed settlement or a fault that a later look may cure. */
  needsRecheck: boolean;
  /** It is not what was registered or what it says of itself: it is looked at until it is, however old it is by then. */
  contradicts: boolean;
}

/** As it stands on the list; undefined: it does not. */
export function timesOf(
  due: { state: DueState; final_day: Day | null; next_day: Day | null } | undefined,
): DueTimes {
  return {
    state: due?.state ?? 'new',
    finalDay: due?.final_day ?? null,
    nextDay: due === undefined ? '' : due.next_day,
  };
}

/** An order as a look at its batch leaves it. */
interface OrderSeen {
  row: TransferRow;
  before: Pick<Known<TransferRow>, 'changes'> | undefined;
  observed: Pick<Observed<TransferRow>, 'changes' | 'faults'>;
  /** A refund of it waits for its confirmation. */
  waits: boolean;
}

/** Labels of a batch that came to nothing, also without orders. */
const NOTHING_DONE = new Set(['FAIL', 'CLOSE']);

/** What a look at a batch says of it as a whole, by its orders. @param of.missing known ones that it does not list */
export function batchSeen(
  { state }: { state: string },
  of: { listed: readonly OrderSeen[]; missing: readonly TransferRow[]; contradiction: string },
): UnitSeen {
  const { listed, missing, contradiction } = of;
  const rows = [...listed.map(({ row }) => row), ...missing];
  const isEmpty = rows.length === 0 && !NOTHING_DONE.has(state);
  return {
    isOpen: isEmpty || listed.some(({ waits }) => waits) || rows.some(isOpenTransfer),
    mayComeBack: rows.some(({ settlement }) => settlement === 'settled'),
    hasNewMovement: listed.some(
      ({ before, observed }) => before !== undefined && settlements(observed) > settlements(before),
    ),
    needsRecheck:
      !isKnownLabel(state) ||
      missing.length > 0 ||
      rows.some(({ settlement }) => settlement === 'failed') ||
      listed.some(({ observed }) => observed.faults.size > 0),
    contradicts: contradiction !== '',
  };
}

function isOpenTransfer(row: TransferRow): boolean {
  return (
    row.effective_state === 'open' ||
    row.settlement === 'open' ||
    row.settlement === 'unknown' ||
    row.refund_waiting_fen !== 0n
  );
}

/** How many of its settlements moved or came back. */
function settlements({ changes }: Pick<Known<TransferRow>, 'changes'>): number {
  return changes.filter(
    ({ subject, state }) => subject === 'settlement' && (state === 'moved' || state === 'returned'),
  ).length;
}

export function dueAfterLook(
  kind: 'batch' | 'withdrawal',
  former: Pick<DueTimes, 'state' | 'finalDay'>,
  seen: UnitSeen,
  at: { today: Day; rules: RecheckRules },
): DueTimes {
  if (seen.isOpen) return { state: 'open', finalDay: null, nextDay: '' };
  const { today, rules } = at;
  const isStillFinal = former.state === 'final' && former.finalDay !== null && !seen.hasNewMovement;
  const finalDay = isStillFinal ? (former.finalDay ?? today) : today;
  const ages = kind === 'batch' ? rules.batchSchedule.filter((age) => age <= rules.batchDays) : [];
  const tomorrow = addDays(today, 1);
  const dailyUntil = [
    ...(seen.mayComeBack || kind === 'withdrawal' ? [rules.withdrawDays] : []),
    ...(seen.needsRecheck ? [rules.batchDays] : []),
  ].map((age) => addDays(finalDay, age));
  const days = ages.map((age) => addDays(finalDay, age)).filter((day) => day > today);
  if (seen.contradicts || dailyUntil.some((last) => tomorrow <= last)) days.push(tomorrow);
  return { state: 'final', finalDay, nextDay: days.toSorted()[0] ?? null };
}

/** That nothing showed what was asked for: neither an order nor that the number is unknown. */
export interface FailureSeen {
  submittedDay: Day;
  /** Since when it is so without a break. */
  failingSince: Day;
  /** `refused`: of this very number; `about_us`: for what we did; `unread`: no answer that can be believed. */
  how: 'refused' | 'about_us' | 'unread';
  /** The company was refused as well. */
  isRefused: boolean;
  /** Nobody knows whose it is: it holds up the proof of every account. */
  isNobodys: boolean;
}

/**
 * What is not shown is given up when its time is over, and asked for on: for good where the company was refused as
 * well. Where nobody knows whose it is that is at once when it is refused, and else after agingDays: no account need
 * wait for what its own balance tells. Given up it stays until an answer shows it, whose ever it turns out to be.
 */
export function dueAfterFailure(
  former: Pick<DueTimes, 'state' | 'finalDay'> & { givenUpDay: Day | null },
  seen: FailureSeen,
  { day, today, rules }: { day: Day; today: Day; rules: RecheckRules },
): DueTimes & { givenUpDay: Day | null } {
  const { state, finalDay, givenUpDay } = former;
  const isKnown = state === 'open' || state === 'final';
  const isWrittenOff = seen.how === 'refused' && seen.isRefused && !isKnown;
  const since = seen.how === 'unread' ? seen.failingSince : seen.submittedDay;
  const isOver = today >= addDays(since, rules.batchDays);
  const isHeldUp = seen.how !== 'refused' && today <= addDays(seen.failingSince, rules.agingDays);
  const isGivenUp = isWrittenOff || isOver || (seen.isNobodys && !isHeldUp);
  return {
    ...(isWrittenOff
      ? { state: 'refused', finalDay: null, nextDay: null }
      : { state, finalDay, nextDay: '' }),
    givenUpDay: givenUpDay ?? (isGivenUp ? day : null),
  };
}

/**
 * Not found is not failed (P14): it is asked for until its time is over, unless the company was refused. What the platform
 * has shown before is asked for on, however old it is: that it is gone now is a fault that only an answer ends.
 */
export function dueAfterNotFound(
  former: Pick<DueTimes, 'state' | 'finalDay'>,
  seen: { submittedDay: Day; isRefused: boolean },
  at: { today: Day; rules: RecheckRules },
): DueTimes {
  const isKnown = former.state === 'open' || former.state === 'final';
  if (seen.isRefused && !isKnown) return { state: 'refused', finalDay: null, nextDay: null };
  const isOver = at.today >= addDays(seen.submittedDay, at.rules.batchDays);
  const { state, finalDay } = former;
  return { state: isKnown ? state : 'not_found', finalDay, nextDay: isOver && !isKnown ? null : '' };
}
