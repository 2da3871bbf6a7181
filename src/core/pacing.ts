/** Keeps all calls to the platform below its rate and bounds how many are in flight (U47, N18). */
import pLimit from 'p-limit';

import type { Clock } from './ports.ts';

export interface Pacer {
  /** Runs the task as soon as a place and a token are free; the wait is over before the task begins (N15). */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/**
 * Tokens the bucket may hold, in parts of a second: timers wake no finer than a millisecond, so a high rate
 * is only reached in small groups.
 */
const BURST_PER_SECOND = 100;

/** A timer that wakes early is off by less than a millisecond; a clock that needs more wakes stands still. */
const WAKES_MAX = 100;

/** Resolves when the next call may start. */
export type TakeTurn = (signal: AbortSignal | undefined) => Promise<void>;

/** A bounded number of tasks in flight, each begun in its turn. */
export function pacedBy(concurrency: number, takeTurn: TakeTurn): Pacer {
  const places = pLimit(concurrency);
  return {
    run: (task, signal) =>
      places(async () => {
        signal?.throwIfAborted();
        await takeTurn(signal);
        return await task();
      }),
  };
}

/**
 * A token bucket before a bounded number of tasks in flight. In no second do more than `perSecond` tasks
 * start: the bucket fills a little slower than that rate, by what it may hold beyond one token.
 */
export function pacer(limits: { clock: Clock; perSecond: number; concurrency: number }): Pacer {
  const { clock, perSecond, concurrency } = limits;
  const capacity = Math.max(1, Math.floor(perSecond / BURST_PER_SECOND));
  // Whole microseconds, rounded up: sums of fractions would let one start too many into a second.
  const intervalUs = Math.ceil(1_000_000 / (perSecond - (capacity - 1)));
  /** When the bucket is full again. */
  let fullAtUs = Number.NEGATIVE_INFINITY;

  return pacedBy(concurrency, async (signal) => {
    const nowUs = Math.ceil(clock.monoMs() * 1_000);
    const startUs = Math.max(nowUs, fullAtUs - (capacity - 1) * intervalUs);
    fullAtUs = Math.max(startUs, fullAtUs) + intervalUs;
    if (startUs > nowUs) await sleepUntil(clock, startUs / 1_000, signal);
  });
}

/** A timer may wake a little early, and one start too early is one too many in its second. */
export async function sleepUntil(
  clock: Clock,
  startMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let wakes = 0; wakes < WAKES_MAX; wakes++) {
    const leftMs = startMs - clock.monoMs();
    if (leftMs <= 0) return;
    await clock.sleep(leftMs, signal);
  }
  throw new Error('Bug: the clock sleeps, but its time does not go on');
}
