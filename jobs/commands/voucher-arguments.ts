/** `--from` and `--to` of the commands about vouchers: both may be left out, and each may stand alone (I1). */
import { WrongInput } from '../../src/core/errors.ts';
import type { Day } from '../../src/core/time.ts';
import { parseDayOption, type DayRange } from '../context/day-arguments.ts';

/** Before and after every day a record can have. */
const FIRST_DAY = '2000-01-01';

/**
 * Undefined when neither is given.
 * @throws WrongInput naming every option that is no day, or both where they are in the wrong order
 */
export function parseOpenRange(
  options: { from?: string | undefined; to?: string | undefined },
  today: Day,
): DayRange | undefined {
  if (options.from === undefined && options.to === undefined) return undefined;
  const faults: string[] = [];
  const read = (name: '--from' | '--to', text: string | undefined, usual: Day): Day => {
    if (text === undefined) return usual;
    try {
      return parseDayOption(name, text);
    } catch (error) {
      if (!(error instanceof WrongInput)) throw error;
      faults.push(error.message);
      return usual;
    }
  };
  const fromDay = read('--from', options.from, FIRST_DAY);
  const toDay = read('--to', options.to, today);
  if (faults.length === 0 && toDay > today) faults.push(`--to ${toDay} is in the future (today is ${today})`);
  if (faults.length === 0 && toDay < fromDay) faults.push(`--to ${toDay} is before --from ${fromDay}`);
  if (faults.length === 0) return { fromDay, toDay };
  throw faults.length === 1 ? new WrongInput(faults[0] ?? '') : new WrongInput('wrong range:', faults);
}
