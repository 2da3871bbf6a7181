/**
 * The platform's time as well as we know it: our clock corrected by what its signed answers told (N15). Within one
 * process, and from a night to its units and back, it never runs backwards, so that what was looked at later never seems
 * to have been seen before.
 */
import type { Clock } from '../../src/core/ports.ts';
import { addMs, epochMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import type { PlatformClient } from '../../src/platform/client.ts';

/** Estimates narrow by a second at most; a clock that is further behind was set, and is believed. */
const BEHIND_MS_MAX = 10_000;

/** The latest instant given out, by the process's clock. */
const given = new WeakMap<Clock, Instant>();

export interface PlatformTime {
  now(): Instant;
  /** An instant of our clock in the platform's time. */
  at(wallAt: Instant): Instant;
}

/** What another process has seen was so by then: from now on nothing here is seen earlier. */
export function seenElsewhere(clock: Clock, at: Instant): void {
  const last = given.get(clock);
  if (last === undefined || last < at) given.set(clock, at);
}

export function platformTime(clock: Clock, client: Pick<PlatformClient, 'clockOffsetMs'>): PlatformTime {
  const at = (wallAt: Instant): Instant => addMs(wallAt, client.clockOffsetMs() ?? 0);
  return {
    at,
    now: () => {
      const estimate = at(clock.wall());
      const last = given.get(clock);
      const isBehind =
        last !== undefined && last > estimate && epochMs(last) - epochMs(estimate) < BEHIND_MS_MAX;
      const now = isBehind ? last : estimate;
      given.set(clock, now);
      return now;
    },
  };
}
