/** Days as people give them on the command line (I1): checked before anything else happens. */
import { WrongInput } from '../../src/core/errors.ts';
import { addDays, daysBetween, parseDay, parseOffsetInstant } from '../../src/core/time.ts';
import type { Day, Instant, Zone } from '../../src/core/time.ts';

/** Before this no platform of this kind existed; an earlier year is a slip of the pen. */
const DAY_MIN = '2000-01-01';
/** Ten years: a longer range is a slip of the pen too. */
const DAYS_MAX = 3_660;

/**
 * @throws WrongInput naming the option and the accepted form
 */
export function parseDayOption(name: string, text: string): Day {
  const day = parseDay(text);
  if (day === undefined)
    throw new WrongInput(
      `${name} ${JSON.stringify(text)} is not a day; write yyyy-MM-dd, such as 2026-03-01`,
    );
  if (day < DAY_MIN) throw new WrongInput(`${name} ${day} is before ${DAY_MIN}`);
  return day;
}

/** A day that is over: the running day and later ones cannot be proven yet. */
export function requirePast(name: string, day: Day, today: Day): Day {
  if (day < today) return day;
  throw new WrongInput(
    `${name} ${day} is not over yet (today is ${today}); the latest day is ${addDays(today, -1)}`,
  );
}

/** Both days of a range; every fault of either is named. */
export function parseRange(
  options: { from?: string | undefined; to?: string | undefined },
  today: Day,
): { fromDay: Day; toDay: Day } {
  const faults: string[] = [];
  const fromDay = readOption(faults, () => parseDayOption('--from', given('--from', options.from)));
  const toDay = readOption(faults, () =>
    requirePast('--to', parseDayOption('--to', given('--to', options.to)), today),
  );
  if (fromDay !== undefined && toDay !== undefined) {
    if (toDay < fromDay) faults.push(`--to ${toDay} is before --from ${fromDay}`);
    else if (daysBetween({ from: fromDay, to: toDay }) > DAYS_MAX) {
      faults.push(`--from ${fromDay} to --to ${toDay} is more than ten years`);
    } else return { fromDay, toDay };
  }
  throw faults.length === 1 ? new WrongInput(faults[0] ?? '') : new WrongInput('wrong range:', faults);
}

/** A span to look at, either end of which may be left out; `--day` is both. @throws WrongInput naming every fault */
export function parseSpan(options: {
  day?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): { from: Day | undefined; to: Day | undefined } {
  const faults: string[] = [];
  const read = (name: string, text: string | undefined): Day | undefined =>
    text === undefined ? undefined : readOption(faults, () => parseDayOption(name, text));
  const day = read('--day', options.day);
  const span = { from: read('--from', options.from), to: read('--to', options.to) };
  if (options.day !== undefined && (options.from ?? options.to) !== undefined)
    faults.push('--day is both ends of a span: it goes without --from and --to');
  if (span.from !== undefined && span.to !== undefined && span.to < span.from)
    faults.push(`--to ${span.to} is before --from ${span.from}`);
  if (faults.length > 0)
    throw faults.length === 1 ? new WrongInput(faults[0] ?? '') : new WrongInput('wrong span:', faults);
  return day === undefined ? span : { from: day, to: day };
}

function given(name: string, text: string | undefined): string {
  if (text !== undefined) return text;
  throw new WrongInput(`${name} is missing; write ${name} 2026-03-01`);
}

function readOption<T>(faults: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/** An instant with offset, a time in the service's zone, or the start of a day there. */
export function parseInstantOption(name: string, text: string, zone: Zone): Instant {
  const day = parseDay(text);
  const instant = parseOffsetInstant(text) ?? zone.parseLocal(text) ?? (day && zone.dayStart(day));
  if (instant !== undefined) return instant;
  throw new WrongInput(
    `${name} ${JSON.stringify(text)} is not an instant; write 2026-03-02, "2026-03-02 02:00:00" or 2026-03-02T02:00:00+08:00`,
  );
}

export interface DayRange {
  fromDay: Day;
  toDay: Day;
}

/** The range's window, and the months it touches. */
export function windowOfRange(
  zone: Zone,
  { fromDay, toDay }: DayRange,
): { from: Instant; to: Instant; fromMonth: string; toMonth: string } {
  return {
    from: zone.dayStart(fromDay),
    to: zone.dayStart(addDays(toDay, 1)),
    fromMonth: fromDay.slice(0, 7),
    toMonth: toDay.slice(0, 7),
  };
}
