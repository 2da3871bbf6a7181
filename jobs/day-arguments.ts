/** Days as people give them on the command line (I1): checked before anything else happens. */
import { WrongInput } from '../src/core/errors.ts';
import { addDays, daysBetween, parseDay } from '../src/core/time.ts';
import type { Day } from '../src/core/time.ts';

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

export function parseRange(options: { from: string; to: string }, today: Day): { fromDay: Day; toDay: Day } {
  const fromDay = parseDayOption('--from', options.from);
  const toDay = requirePast('--to', parseDayOption('--to', options.to), today);
  if (toDay < fromDay) throw new WrongInput(`--to ${toDay} is before --from ${fromDay}`);
  if (daysBetween({ from: fromDay, to: toDay }) > DAYS_MAX) {
    throw new WrongInput(`--from ${fromDay} to --to ${toDay} is more than ten years`);
  }
  return { fromDay, toDay };
}
