/**
 * Work on the same thing goes one after the other within a process: two looks at one order at once could not be
 * told apart by their times (N11).
 */
import type { Clock } from '../../../src/core/ports.ts';
import type { UnitKey } from '../../../src/store/orders/order-due.ts';

/** What is being worked on, by the process's clock and key, and the end of the last work on it. */
const working = new WeakMap<Clock, Map<string, Promise<void>>>();

/** Waits until nobody works on any of the keys; keys are taken in order, so that nobody waits in a circle. */
export async function oneAtATime<T>(
  clock: Clock,
  keys: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const tails = working.get(clock) ?? new Map<string, Promise<void>>();
  working.set(clock, tails);
  const releases: (() => void)[] = [];
  try {
    for (const key of keys.toSorted()) {
      const before = tails.get(key);
      const own = Promise.withResolvers<void>();
      tails.set(key, own.promise);
      releases.push(() => {
        if (tails.get(key) === own.promise) tails.delete(key);
        own.resolve();
      });
      await before;
    }
    return await work();
  } finally {
    for (const release of releases) release();
  }
}

/** Names what is being worked on, for `oneAtATime`. */
export function keyOf({ kind, numberKind, number }: UnitKey): string {
  return `${kind} ${numberKind} ${number}`;
}
