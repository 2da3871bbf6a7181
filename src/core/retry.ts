/** The one layer of repetition, for reads only: calls that change something are never repeated (ENV-22). */
import { NotSent, OutcomeUnknown } from './errors.ts';
import type { Clock, Ids } from './ports.ts';

/** Bounds of the pause between two attempts (N1). */
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;

/** What an attempt brought, and when the platform wishes another, where it says so. */
export interface Read {
  /** Refused for a reason that passes: another attempt may cure it. */
  isTransient: boolean;
  retryAfterMs: number | undefined;
}

export interface RetryLimits {
  clock: Clock;
  ids: Ids;
  /** The first attempt included. */
  attemptsMax: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a read until it answers. Repeated is only what provably was not sent, brought no whole answer or was refused for
 * the moment; every attempt is a new request (ENV-29), so `attempt` must sign anew.
 * @returns what the last attempt brought
 * @throws what the last attempt threw, at once when it is of another kind; the signal's reason when aborted
 */
export async function retryRead<T extends Read>(
  limits: RetryLimits,
  attempt: (attemptNumber: number) => Promise<T>,
): Promise<T> {
  const { clock, ids, attemptsMax, signal } = limits;
  for (let attemptNumber = 1; ; attemptNumber++) {
    signal?.throwIfAborted();
    const isLast = attemptNumber >= attemptsMax;
    let retryAfterMs: number | undefined;
    try {
      const read = await attempt(attemptNumber);
      if (isLast || !read.isTransient) return read;
      ({ retryAfterMs } = read);
    } catch (error) {
      const isUnknown = error instanceof OutcomeUnknown;
      if (isLast || !(isUnknown || error instanceof NotSent)) throw error;
      retryAfterMs = isUnknown ? error.retryAfterMs : undefined;
    }
    await clock.sleep(pauseMs({ ids, attemptNumber, retryAfterMs }), signal);
  }
}

/**
 * The pause after a failed attempt: a random part ("full jitter") of a ceiling that doubles from 1 s to
 * 30 s, at least half a second, and at least as long as the platform wished.
 */
export function pauseMs(after: {
  ids: Ids;
  attemptNumber: number;
  retryAfterMs: number | undefined;
}): number {
  const ceiling = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** after.attemptNumber);
  const drawn = Math.max(PAUSE_MS_MIN, Math.round(after.ids.jitter() * ceiling));
  return Math.max(drawn, after.retryAfterMs ?? 0);
}
