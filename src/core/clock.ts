/** The clocks of the real world: the host's, and one that rehearses another moment (`--clock`). */
import os from 'node:os';
import type { Clock } from './ports.ts';
import { addMs, instantOf, SECOND_MS } from './time.ts';
import type { Instant } from './time.ts';

/** A timer of Node holds no more than a signed 32-bit number of milliseconds; longer pauses take several. */
const TIMER_MS_MAX = 2_147_483_647;

/** The host's wall clock and its monotonic clock (N16). */
export function systemClock(): Clock {
  return { wall: () => instantOf(Date.now()), monoMs, sleep };
}

/** A clock that starts at that instant and runs on with the monotonic clock; pauses take real time. */
export function rehearsalClock(startsAt: Instant): Clock {
  const begunMs = monoMs();
  return { wall: () => addMs(startsAt, Math.floor(monoMs() - begunMs)), monoMs, sleep };
}

/** The host's clock, that much ahead: for a process that takes part in what another one rehearses. */
export function shiftedClock(aheadMs: number): Clock {
  return { wall: () => addMs(instantOf(Date.now()), aheadMs), monoMs, sleep };
}

/**
 * What each clock of the host says. The monotonic one does not run while the machine is suspended, that of its boot does,
 * and so does the wall clock, which may be set.
 */
export function hostTimes(): { monoMs: number; bootMs: number; wallMs: number } {
  return { monoMs: monoMs(), bootMs: os.uptime() * SECOND_MS, wallMs: Date.now() };
}

function monoMs(): number {
  return performance.now();
}

/** Calls back once after that long, unless it is called off: for who waits for many things of which hardly any comes. */
export function callBack(afterMs: number, then: () => void): { callOff: () => void } {
  const timer = setTimeout(then, Math.min(afterMs, TIMER_MS_MAX));
  return { callOff: () => clearTimeout(timer) };
}

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  for (let left = ms; left > 0; left -= TIMER_MS_MAX) await pause(Math.min(left, TIMER_MS_MAX), signal);
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
