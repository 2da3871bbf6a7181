/** `--month yyyy-MM` of commands. */
import { WrongInput } from '../../src/core/errors.ts';
import { addDays, parseDay } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { periodOf } from '../../src/store/periods/period.ts';
import type { Period } from '../../src/store/periods/period.ts';

const MONTH = /^\d{4}-\d{2}$/;

/** @throws WrongInput where it is no month, or not over yet */
export function parseMonth(name: string, today: Day): Period {
  if (!MONTH.test(name) || parseDay(`${name}-01`) === undefined)
    throw new WrongInput(`--month ${JSON.stringify(name)} is not a month; write yyyy-MM, such as 2026-03`);
  const period = periodOf(name);
  if (period.to < today) return period;
  const latest = addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
  throw new WrongInput(`--month ${name} is not over yet (today is ${today}); the latest month is ${latest}`);
}
