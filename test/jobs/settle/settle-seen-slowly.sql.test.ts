/** A look of a night is dated when it is heard; what it shows was so when it was asked (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { settledLines, SettleWorld } from './settle-world.ts';
import { openSlowQuery } from './slow-query.ts';
import type { SlowQuery } from './slow-query.ts';

let world: SettleWorld;
let query: SlowQuery;
beforeEach(async () => {
  world = await SettleWorld.open();
  await world.orders.profile({ http: { timeouts: { deadlineMs: 10 * MINUTE_MS } } });
  query = await openSlowQuery(world);
});
afterEach(async () => {
  query.end();
  await world.close();
});

function shows(settleState: string): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
}

/** A retry of two o'clock, and a snapshot of what was before it, which is heard after that cannot be shown any more. */
async function isHeardSlowly(): Promise<void> {
  world.sandbox.setSwitches({ settleGuard: false });
  const retries = Array.from({ length: 3 }, () => ({ state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS }));
  // It failed at 01:59, and that was first shown at two.
  const settle = { state: 'FAIL', delayMs: 59 * MINUTE_MS, retries };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  world.orders.batch('B1', [{ settle }], { submittedAt: '2026-03-02 01:00:00' });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  shows('FAIL');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
  // A snapshot, whose view is of 01:58.
  world.sandbox.liftFaults();
  world.sandbox.setSwitches({ settleViewLagMs: 58 * MINUTE_MS });
  world.moveTo('02 02:56:00');
  query.heardAt = '02 03:02:00';
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night-2' });
  expect([query.heardAt, await world.orders.orders()]).toEqual([undefined, ['B1-1 moved open 0']]);
  world.sandbox.setSwitches({ settleViewLagMs: 0 });
  shows('FAIL');
}

test('that the settlement before the send was under way shows no retry, however slowly it is heard', async () => {
  await isHeardSlowly();
  const seen: string[] = [];
  for (const time of ['02 04:20:00', '02 04:21:00', '02 05:30:00']) {
    world.moveTo(time);
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  expect(seen).toEqual(['B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
  world.moveTo('05 04:01:00');
  expect(world.paid('B1-1')).toBe(1);
});

test('nor when queries were thought never to lag behind as it was heard', async () => {
  const lags = async (viewLagSeconds: number): Promise<void> => {
    await world.orders.profile({
      http: { timeouts: { deadlineMs: 10 * MINUTE_MS } },
      settle: { viewLagSeconds },
    });
    await world.restart();
  };
  await lags(0);
  await isHeardSlowly();
  const seen: string[] = [];
  const step = async (time: string): Promise<void> => {
    world.moveTo(time);
    seen.push(...settledLines(await world.step({ runId: time })));
  };
  await step('02 03:03:00');
  await lags(3_600);
  for (const time of ['02 04:20:00', '02 04:21:00', '02 05:30:00']) await step(time);
  expect(seen).toEqual(['B1-1 1 PROCESSING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
  world.moveTo('05 04:01:00');
  expect(world.paid('B1-1')).toBe(1);
});

test('nor when a query may take less time by then', async () => {
  await isHeardSlowly();
  await world.orders.profile({ http: { timeouts: { deadlineMs: 30_000 } } });
  await world.restart();
  const seen: string[] = [];
  for (const time of ['02 04:10:00', '02 04:11:00', '02 05:30:00']) {
    world.moveTo(time);
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  expect(seen).toEqual(['B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
  world.moveTo('05 04:01:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
});
