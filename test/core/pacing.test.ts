import { describe, expect, test } from 'vitest';

import { pacer } from '../../src/core/pacing.ts';
import { virtualClock } from './virtual-clock.ts';
import { fc, runs } from '../helpers/properties.ts';

/** The most tasks that started within any one second (one second long, its end not included). */
function busiestSecond(startsMs: readonly number[]): number {
  const inSecondFrom = (from: number): number =>
    startsMs.filter((at) => at >= from && at < from + 1_000).length;
  return Math.max(...startsMs.map(inSecondFrom));
}

describe('the rate (N18, U47)', () => {
  test('ten a second means one every 100 ms, the first at once', async () => {
    const clock = virtualClock();
    const pace = pacer({ clock, perSecond: 10, concurrency: 4 });
    const starts: number[] = [];
    const task = async (): Promise<number> => await Promise.resolve(starts.push(clock.monoMs()));
    await Promise.all(Array.from({ length: 5 }, () => pace.run(task)));
    expect(starts).toEqual([0, 100, 200, 300, 400]);
  });

  test('time without calls is not saved up', async () => {
    const clock = virtualClock();
    const pace = pacer({ clock, perSecond: 10, concurrency: 4 });
    const starts: number[] = [];
    const task = async (): Promise<number> => await Promise.resolve(starts.push(clock.monoMs()));
    await pace.run(task);
    await clock.sleep(60_000);
    await Promise.all([pace.run(task), pace.run(task)]);
    expect(starts).toEqual([0, 60_000, 60_100]);
  });

  test('in no second more tasks start than the rate says, whatever it is', async () => {
    const aPause = fc.integer({ min: 0, max: 1_500 });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(aPause, { maxLength: 4 }),
        async (perSecond, pauses) => {
          const clock = virtualClock();
          const pace = pacer({ clock, perSecond, concurrency: 64 });
          const starts: number[] = [];
          const task = async (): Promise<number> => await Promise.resolve(starts.push(clock.monoMs()));
          for (const pause of [0, ...pauses]) {
            if (pause > 0) await clock.sleep(pause);
            await Promise.all(Array.from({ length: 100 }, () => pace.run(task)));
          }
          expect(busiestSecond(starts)).toBeLessThanOrEqual(perSecond);
        },
      ),
      { numRuns: runs(15) },
    );
  });
});

describe('what is in flight', () => {
  test('is bounded', async () => {
    const clock = virtualClock();
    const pace = pacer({ clock, perSecond: 1_000, concurrency: 3 });
    let [inFlight, most] = [0, 0];
    const task = async (): Promise<void> => {
      most = Math.max(most, ++inFlight);
      await clock.sleep(50);
      inFlight--;
    };
    await Promise.all(Array.from({ length: 20 }, () => pace.run(task)));
    expect([inFlight, most]).toEqual([0, 3]);
  });

  test('a task that fails gives its place back and its error to its caller', async () => {
    const pace = pacer({ clock: virtualClock(), perSecond: 10, concurrency: 1 });
    await expect(pace.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(pace.run(() => Promise.resolve(7))).resolves.toBe(7);
  });

  test('a task whose run was stopped does not begin', async () => {
    const pace = pacer({ clock: virtualClock(), perSecond: 10, concurrency: 1 });
    const begun: number[] = [];
    const task = async (): Promise<number> => await Promise.resolve(begun.push(1));
    await expect(pace.run(task, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    expect(begun).toEqual([]);
  });
});
