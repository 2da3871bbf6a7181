/** The platform's clock as its signed answers tell it, seen from clocks that are off, slow or jump (N15, N16). */
import { describe, expect, test } from 'vitest';

import type { Clock } from '../../src/core/ports.ts';
import { addMs } from '../../src/core/time.ts';
import { clockIs, openClockOffset } from '../../src/platform/clock-offset.ts';
import type { SendStamp } from '../../src/platform/clock-offset.ts';
import { recordingLog } from '../helpers/log.ts';

/** The platform's true time at the start. */
const START = '2026-03-01T16:00:00.300Z';

/** Our clock, `skewMs` ahead of the platform's; time passes and jumps when the test says so. */
function world(skewMs: number, limits: { autoOffset?: boolean } = {}) {
  const now = { trueMs: 0, jumpMs: 0 };
  const clock: Clock = {
    wall: () => addMs(START, now.trueMs + skewMs + now.jumpMs),
    monoMs: () => now.trueMs,
    sleep: () => Promise.resolve(),
  };
  const log = recordingLog();
  const offset = openClockOffset({
    clock,
    log,
    limits: { autoOffset: true, warnOffsetSeconds: 3, stopOffsetSeconds: 8, ...limits },
  });
  const call = (times: {
    thereMs: number;
    backMs: number;
  }): { sent: SendStamp; apartMs: number | undefined } => {
    const sent = offset.stamp();
    now.trueMs += times.thereMs;
    const timestamp = `${addMs(START, now.trueMs).slice(0, 19)}.000Z`;
    now.trueMs += times.backMs;
    const apartMs = offset.observe({ sent, timestamp });
    return { sent, apartMs };
  };
  return { now, offset, log, call };
}

const QUICK = { thereMs: 20, backMs: 20 };

describe('the offset', () => {
  test('is unknown before the first signed time, and nothing is corrected', () => {
    const { offset } = world(5_000);
    expect(offset.offsetMs()).toBeUndefined();
    expect(offset.stamp().correctedAt).toBe('2026-03-01T16:00:05.300Z');
  });

  test('N15: is known to half a second from one answer, and narrower from several', () => {
    for (const skewMs of [-7_000, -2_500, 0, 2_500, 7_000]) {
      const { offset, call, now } = world(skewMs);
      call(QUICK);
      expect(Math.abs((offset.offsetMs() ?? 0) + skewMs)).toBeLessThanOrEqual(520);
      for (let step = 0; step < 40; step++) {
        now.trueMs += 130;
        call(QUICK);
      }
      expect(Math.abs((offset.offsetMs() ?? 0) + skewMs)).toBeLessThanOrEqual(100);
    }
  });

  test('U19: reqTime is corrected above 3 s, and left alone below or when not wished', () => {
    const behind = world(-5_000);
    behind.call(QUICK);
    expect(Math.abs(Date.parse(behind.offset.stamp().correctedAt) - Date.parse(START))).toBeLessThan(700);

    const near = world(-2_000);
    near.call(QUICK);
    const stamp = near.offset.stamp();
    expect(stamp.correctedAt).toBe(stamp.wallAt);

    const unwished = world(-5_000, { autoOffset: false });
    unwished.call(QUICK);
    const raw = unwished.offset.stamp();
    expect(raw.correctedAt).toBe(raw.wallAt);
  });

  test('N15: is warned of once above 3 s', () => {
    const { call, log } = world(4_500);
    for (let step = 0; step < 5; step++) call(QUICK);
    expect(log.lines.map(({ event, level }) => [event, level])).toEqual([['clock.differs', 'warn']]);
  });

  test('N15: refuses above 8 s, says in which direction, and learns nothing', () => {
    const ahead = world(12_000);
    const { apartMs } = ahead.call(QUICK);
    expect(clockIs(apartMs ?? 0)).toBe("this machine's clock is 12 s ahead of the platform's");
    expect(ahead.offset.offsetMs()).toBeUndefined();
    expect(clockIs(world(-9_200).call(QUICK).apartMs ?? 0)).toBe(
      "this machine's clock is 9 s behind the platform's",
    );
    expect(world(7_000).call(QUICK).apartMs).toBeUndefined();
  });

  test('N11: an answer that took 20 s proves no offset that the delay explains', () => {
    const { call, offset, log } = world(0);
    call({ thereMs: 0, backMs: 20_000 });
    call({ thereMs: 20_000, backMs: 0 });
    expect(Math.abs(offset.offsetMs() ?? 0)).toBeLessThan(1_000);
    expect(log.lines).toEqual([]);
  });

  test('N16: a clock that is stepped is measured anew', () => {
    const { now, call, offset, log } = world(0);
    call(QUICK);
    now.jumpMs = 6_000;
    now.trueMs += 1_000;
    expect(offset.stamp().correctedAt).toBe('2026-03-01T16:00:07.340Z');
    expect(offset.offsetMs()).toBeUndefined();
    call(QUICK);
    expect(Math.abs((offset.offsetMs() ?? 0) + 6_000)).toBeLessThan(600);
    expect(log.lines.map(({ event }) => event)).toEqual(['clock.jumped', 'clock.differs']);
  });

  test('a small step is noticed by the answers that contradict the older ones', () => {
    const { now, call, offset } = world(0);
    call(QUICK);
    now.jumpMs = 2_000;
    call(QUICK);
    expect(Math.abs((offset.offsetMs() ?? 0) + 2_000)).toBeLessThan(600);
  });
});
