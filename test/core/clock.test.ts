import { describe, expect, test } from 'vitest';

import { rehearsalClock, systemClock } from '../../src/core/clock.ts';
import { randomIds } from '../../src/core/ids.ts';
import { epochMs } from '../../src/core/time.ts';

describe('the clocks', () => {
  test('a rehearsal starts at its instant and runs on', async () => {
    const clock = rehearsalClock('2026-03-01T23:59:59.990Z');
    const first = clock.wall();
    await clock.sleep(20);
    const second = clock.wall();
    expect(first.slice(0, 20)).toMatch(/^2026-03-0(?:1T23:59:59|2T00:00:0)/);
    expect(epochMs(second) - epochMs(first)).toBeGreaterThanOrEqual(18);
    expect(second).toHaveLength(24);
  });

  test('the monotonic clock only runs forward (N16)', async () => {
    const clock = systemClock();
    const before = clock.monoMs();
    await clock.sleep(2);
    expect(clock.monoMs()).toBeGreaterThan(before);
    expect(clock.wall()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('a sleep that is stopped rejects with the reason, before and while it sleeps', async () => {
    const stop = new AbortController();
    const sleeping = systemClock().sleep(3_600_000, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(sleeping).rejects.toThrow('stopped');
    await expect(systemClock().sleep(1, stop.signal)).rejects.toThrow('stopped');
  });

  test('a sleep longer than a timer can hold does not end at once', async () => {
    const stop = new AbortController();
    let over = false;
    const sleeping = systemClock()
      .sleep(3_000_000_000, stop.signal)
      .then(() => (over = true));
    await systemClock().sleep(30);
    expect(over).toBe(false);
    stop.abort(new Error('enough'));
    await expect(sleeping).rejects.toThrow('enough');
  });
});

test('N17: a request number is 32 hex digits and never comes twice', () => {
  const ids = randomIds();
  const drawn = Array.from({ length: 10_000 }, () => ids.reqId());
  expect(drawn.every((reqId) => /^[0-9a-f]{32}$/.test(reqId))).toBe(true);
  expect(new Set(drawn).size).toBe(10_000);
  expect(ids.jitter()).toBeGreaterThanOrEqual(0);
  expect(ids.jitter()).toBeLessThan(1);
});
