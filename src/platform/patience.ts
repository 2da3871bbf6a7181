/**
 * How long one call waits, and whether its silence says anything. That nothing came back proves something only where
 * the process was there to hear it: one that stood still (stopped, blocked, on a machine that was suspended) finds its
 * time over before it has read what lies in its socket (docs/reliability.md 2.3 a).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errors } from 'undici';
import { hostTimes, systemClock } from '../core/clock.ts';

/** A busy machine is late by tenths of a second; who is later than that was not there. */
const STOOD_STILL_MS = 2_000;

export interface Limits {
  /** Until the last byte, from now. */
  deadlineMs: number;
  /** Until the head of the answer, from when the request has a connection. */
  headersMs: number;
  /** When it got one, on the monotonic clock; undefined: not yet. */
  carriedSinceMs: () => number | undefined;
}

export interface Patience {
  /** Aborted when it is over. */
  signal: AbortSignal;
  headCame(): void;
  /** The call has ended, however it did. */
  end(): void;
  /** For longer than a busy machine does, the process or the machine did not run: silence says nothing. */
  stoodStill(): boolean;
}

export function patience({ deadlineMs, headersMs, carriedSinceMs }: Limits): Patience {
  const begun = hostTimes();
  const [lost, head, whole] = [new AbortController(), new AbortController(), new AbortController()];
  let lateMs = 0;
  const giveUp = async (stop: AbortSignal, dueMs: () => number, why: () => Error): Promise<void> => {
    if (!(await liveUntil(dueMs, stop))) return;
    lateMs = Math.max(lateMs, clock.monoMs() - dueMs());
    // A loop that stood still finds its timers due before it reads: it reads once, then it is judged.
    await nextTurn();
    if (!stop.aborted) lost.abort(why());
  };
  const deadline = begun.monoMs + deadlineMs;
  void giveUp(
    whole.signal,
    () => deadline,
    () => new DOMException(`no whole answer within ${deadlineMs} ms`, 'TimeoutError'),
  );
  void giveUp(
    head.signal,
    () => (carriedSinceMs() ?? clock.monoMs()) + headersMs,
    () => new errors.HeadersTimeoutError(),
  );
  return {
    signal: lost.signal,
    headCame: () => head.abort(),
    end: () => {
      head.abort();
      whole.abort();
    },
    stoodStill: () => {
      const now = hostTimes();
      const livedMs = now.monoMs - begun.monoMs;
      const asleepMs = Math.max(now.bootMs - begun.bootMs, now.wallMs - begun.wallMs) - livedMs;
      return Math.max(lateMs, livedMs - deadlineMs, asleepMs) > STOOD_STILL_MS;
    },
  };
}

const clock = systemClock();

/** @returns false where it was called off first */
async function liveUntil(dueMs: () => number, stop: AbortSignal): Promise<boolean> {
  try {
    for (let left = dueMs() - clock.monoMs(); left > 0; left = dueMs() - clock.monoMs())
      await clock.sleep(left, stop);
    return !stop.aborted;
  } catch (error) {
    if (stop.aborted) return false;
    throw error;
  }
}
