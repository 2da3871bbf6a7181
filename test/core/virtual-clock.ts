/** A clock that stands still until someone sleeps, and then jumps to the end of the shortest sleep. */
import type { Clock, Ids } from '../../src/core/ports.ts';
import { addMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';

interface Sleeper {
  dueMs: number;
  wake: () => void;
}

export interface VirtualClock extends Clock {
  /** The pauses asked for, in ms and in order. */
  readonly slept: readonly number[];
}

export function virtualClock(startsAt: Instant = '2026-03-01T16:00:00.000Z'): VirtualClock {
  let nowMs = 0;
  const slept: number[] = [];
  const sleepers: Sleeper[] = [];
  const advance = (): void => {
    sleepers.sort((left, right) => left.dueMs - right.dueMs);
    const next = sleepers.shift();
    if (!next) return;
    nowMs = Math.max(nowMs, next.dueMs);
    next.wake();
  };
  return {
    slept,
    wall: () => addMs(startsAt, Math.floor(nowMs)),
    monoMs: () => nowMs,
    sleep: (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      return new Promise((resolve) => {
        sleepers.push({ dueMs: nowMs + ms, wake: resolve });
        // Only when all that is ready has run may time go on.
        setImmediate(advance);
      });
    },
  };
}

/** Ids that count, and a jitter that is always the same fraction. */
export function countedIds(jitter: number): Ids {
  let count = 0;
  const next = (): string => String(++count).padStart(32, '0');
  return { reqId: next, token: next, jitter: () => jitter };
}
