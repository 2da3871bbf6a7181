/** Work under a lease goes on through a lost heartbeat, and ends when the lease is another's or has lapsed (M3, M4). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../jobs/context/context.ts';
import { underLease } from '../../../jobs/context/under-lease.ts';
import type { Clock } from '../../../src/core/ports.ts';
import { addMs, DAY_MS } from '../../../src/core/time.ts';
import { LEASE_MS } from '../../../src/store/database/leases.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';

let orders: OrderNight;
beforeEach(async () => {
  orders = await OrderNight.open();
});
afterEach(() => orders.close());

/** A thousand times as fast: a heartbeat every 20 ms. */
function fast(over: Partial<Context> = {}): Context {
  const { job } = orders;
  const { realClock } = job;
  const clock: Clock = {
    wall: () => realClock.wall(),
    monoMs: () => realClock.monoMs() * 1_000,
    sleep: (ms, signal) => realClock.sleep(ms / 1_000, signal),
  };
  return { ...job, realClock: clock, ...over };
}

/** Whose renewals fail, so many times. */
function unreachable(times: number): Pick<Context, 'db'> {
  let left = times;
  const db = new Proxy(orders.job.db, {
    get(target, name) {
      if (name === 'updateTable' && left > 0) {
        left -= 1;
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { db };
}

const isAbortedAfter = (
  ms: number,
  context: Context,
  meanwhile = (): Promise<unknown> => Promise.resolve(),
) =>
  underLease(context, 'work', async ({ signal }) => {
    await meanwhile();
    await orders.job.realClock.sleep(ms);
    return signal.aborted;
  });

test('one heartbeat that cannot be stored does not end the work, and is said', async () => {
  expect(await isAbortedAfter(100, fast(unreachable(1)))).toBe(false);
  expect(orders.job.log.lines.map(({ event }) => event)).toContain('lease.unrenewed');
});

test('a lease that could not be renewed for as long as it holds ends the work', async () => {
  await expect(isAbortedAfter(1_000, fast(unreachable(1_000)))).rejects.toThrow('Connection terminated');
});

test("a lease that is another's by now ends the work", async () => {
  const take = () =>
    orders.job.db.updateTable('lease').set({ fence: 99n }).where('name', '=', 'work').execute();
  expect(await isAbortedAfter(500, fast(), take)).toBe(true);
});

test('a lease that was taken by a clock a year ahead, whose holder died elsewhere, is free a minute later', async () => {
  const { job } = orders;
  const { realClock } = job;
  const wall = () => addMs(realClock.wall(), 365 * DAY_MS);
  const ahead = { ...fast(), realClock: { ...fast().realClock, wall } };
  const untilOf = async () =>
    (await job.db.selectFrom('lease').select('until').executeTakeFirst())?.until ?? '';
  const until = await underLease(ahead, 'work', untilOf);
  expect(until <= addMs(realClock.wall(), LEASE_MS)).toBe(true);
  // Nor does such a clock take a lease from its living holder.
  await job.db.updateTable('lease').set({ holder: 'living', host: 'elsewhere', until }).execute();
  await expect(underLease(ahead, 'work', untilOf)).rejects.toThrow('another run holds the lock work');
});
