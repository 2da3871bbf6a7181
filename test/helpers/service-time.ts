/** Times as the service writes them. */
import { Zone, addDays } from '../../src/core/time.ts';
import type { Window } from '../../src/core/window.ts';

export const zone = new Zone('Asia/Shanghai');

/** `at('2026-03-02 09:00:00')`: an instant of the service's time. */
export function at(local: string): string {
  const instant = zone.parseLocal(local);
  if (instant === undefined) throw new Error(`not a local time: ${local}`);
  return instant;
}

/** From the day before the first of them to the day after the last. */
export function daysAround(days: readonly string[]): Window {
  const [first = '', last = first] = [days.at(0), days.at(-1)];
  return { from: zone.dayStart(addDays(first, -1)), to: zone.dayStart(addDays(last, 2)) };
}
