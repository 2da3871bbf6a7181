/**
 * How long one call waits, and whether its silence says anything. That nothing came back proves something only where
 * the process was there to hear it: one that stood still (stopped, blocked, on a machine that was suspended) finds its
 * time over before it has read what lies in its socket (docs/reliability.md 2.3 a).
 */
import { errors } from 'undici';
import { callBack, hostTimes, systemClock } from '../core/clock.ts';

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
  headCame(): void;
  /** The call has ended, however it did. */
  end(): void;
  /** For longer than a busy machine does, the process or the machine did not run: silence says nothing. */
  stoodStill(): boolean;
}

/** @param giveUp told why, when its time is over */
export function patience(
  { deadlineMs, headersMs, carriedSinceMs }: Limits,
  giveUp: (why: Error) => void,
): Patience {
  const begun = hostTimes();
  let lateMs = 0;
  const giveUpAt = (dueMs: () => number, why: () => Error): Waiting =>
    waitUntil(dueMs, (late) => {
      lateMs = Math.max(lateMs, late);
      giveUp(why());
    });
  const deadline = begun.monoMs + deadlineMs;
  const whole = giveUpAt(
    () => deadline,
    () => new DOMException(`no whole answer within ${deadlineMs} ms`, 'TimeoutError'),
  );
  const head = giveUpAt(
    () => (carriedSinceMs() ?? clock.monoMs()) + headersMs,
    () => new errors.HeadersTimeoutError(),
  );
  return {
    headCame: () => head.end(),
    end: () => {
      head.end();
      whole.end();
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

interface Waiting {
  end(): void;
}

/** What is due may be put off meanwhile. */
function waitUntil(dueMs: () => number, then: (lateMs: number) => void): Waiting {
  let [hasEnded, lateMs] = [false, 0];
  let timer = { callOff: () => {} };
  const look = (): void => {
    const leftMs = dueMs() - clock.monoMs();
    if (leftMs > 0) {
      timer = callBack(leftMs, look);
      return;
    }
    lateMs = -leftMs;
    // A loop that stood still finds its timers due before it reads: it reads once, then it is judged.
    setImmediate(judge);
  };
  const judge = (): void => {
    if (!hasEnded) then(lateMs);
  };
  look();
  return {
    end: () => {
      hasEnded = true;
      timer.callOff();
    },
  };
}
