/** What people sign off: a day or a month, by its name. */
import { addDays, addMonthClamped } from '../../core/time.ts';
import type { Day } from '../../core/time.ts';

export interface Period {
  /** `2026-03-01` or `2026-03`. */
  name: string;
  from: Day;
  /** Its last day. */
  to: Day;
}

/** @param name a day or a month that there is */
export function periodOf(name: string): Period {
  if (name.length > 7) return { name, from: name, to: name };
  const from = `${name}-01`;
  return { name, from, to: addDays(addMonthClamped(from), -1) };
}
