import { expect, test } from 'vitest';
import { sharedTurns } from '../../src/core/shared-turns.ts';
import type { TurnsTaken } from '../../src/core/shared-turns.ts';
import { systemClock } from '../../src/core/clock.ts';
import { virtualClock } from './virtual-clock.ts';

const clock = systemClock();

/** What all of them take from; who is far from it hears later. */
class Schedule {
  #nextMs = 0;

  async take({ turns, intervalMs, padMs }: TurnsTaken, slowMs: number): Promise<number> {
    await clock.sleep(slowMs / 2);
    const nowMs = clock.monoMs();
    const firstMs = Math.max(this.#nextMs, nowMs);
    this.#nextMs = firstMs + turns * intervalMs + padMs;
    await clock.sleep(slowMs / 2);
    return firstMs - nowMs;
  }
}

/** Most starts in any stretch of a second. */
function mostInASecond(startsMs: readonly number[]): number {
  const sorted = startsMs.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((ms) => ms >= from && ms < from + 1_000).length));
}

test.each([
  { perSecond: 20, slow: [2, 2, 2] },
  { perSecond: 100, slow: [2, 10, 30] },
  { perSecond: 400, slow: [2, 10, 30] },
  { perSecond: 20, slow: [2, 80, 200] },
])('N18: $perSecond a second among three whose database answers in $slow ms', async ({ perSecond, slow }) => {
  const schedule = new Schedule();
  const startsMs: number[] = [];
  const untilMs = clock.monoMs() + 2_500;
  await Promise.all(
    slow.flatMap((slowMs) => {
      const takeSome = (request: TurnsTaken) => schedule.take(request, slowMs);
      const { take } = sharedTurns({ clock, perSecond, takeSome });
      return Array.from({ length: 4 }, async () => {
        while (clock.monoMs() < untilMs) {
          await take(undefined);
          startsMs.push(clock.monoMs());
        }
      });
    }),
  );
  expect(startsMs.length).toBeGreaterThan(perSecond / 2);
  expect(mostInASecond(startsMs)).toBeLessThanOrEqual(perSecond);
});

/** Calls of a tenth of a second one after the other, in virtual time, against a database whose answer takes 10 ms. */
async function callInTurn(calls: number, perSecond: number): Promise<{ waitedMs: number; turns: number }> {
  const virtual = virtualClock();
  let turns = 0;
  const shared = sharedTurns({
    clock: virtual,
    perSecond,
    takeSome: async (request) => {
      turns += request.turns;
      await virtual.sleep(10);
      return 0;
    },
  });
  for (let call = 0; call < calls; call++) {
    await shared.take(undefined);
    await virtual.sleep(100);
  }
  return { waitedMs: shared.waitedMs(), turns };
}

test('N18: where the platform allows far more than is asked, no call but the first waits for the answer of the database', async () => {
  const { waitedMs } = await callInTurn(50, 10_000);
  expect(waitedMs).toBeLessThanOrEqual(20);
});

test('N18: where it does not, no turn is taken that is not used', async () => {
  expect(await callInTurn(50, 100)).toEqual({ waitedMs: 500, turns: 50 });
});
