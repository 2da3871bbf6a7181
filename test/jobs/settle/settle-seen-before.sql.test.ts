/** What a view that lags behind shows after a send may be the settlement before it (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

/** The result of a retry appears in settleState once there is one (STL-14). */
function saysFailed(): void {
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
}

test('that the settlement before the send was under way says nothing of the retry, whoever is shown it after that', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  const retries = Array.from({ length: 3 }, () => ({ state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS }));
  const settle = { state: 'FAIL', delayMs: 50 * MINUTE_MS, retries };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  world.orders.batch('B1', [{ settle }], { submittedAt: '2026-03-02 01:00:00' });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  saysFailed();
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
  world.sandbox.liftFaults();
  // A snapshot, whose view is of half past one.
  world.moveTo('02 02:20:00');
  world.sandbox.setSwitches({ settleViewLagMs: 50 * MINUTE_MS });
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night-2' });
  world.sandbox.setSwitches({ settleViewLagMs: 0 });
  saysFailed();
  const seen: string[] = [];
  for (const time of ['02 04:00:00', '02 04:01:00', '02 05:00:00']) {
    world.moveTo(time);
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  expect(seen).toEqual(['B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
  world.moveTo('04 04:01:00');
  expect(world.paid('B1-1')).toBe(1);
});

const SLOW = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };

/** The next query is of now, the one after it of when the settlement before was paid, and all others of now. */
function showsPaidSecond(): void {
  const query = { kind: 'record', path: 'division/query' } as const;
  world.sandbox.liftFaults();
  // The result of a retry appears in settleState once there is one (STL-14).
  world.sandbox.addFault({ ...query, times: 1, set: { settleState: 'FAIL' } });
  world.sandbox.addFault({ ...query, skip: 1, times: 1, set: { settleState: 'SUCCESS' } });
  world.sandbox.addFault({ ...query, skip: 2, times: 100, set: { settleState: 'FAIL' } });
}

/** What the night of that time collects, and its step. */
async function night(time: string): Promise<string[]> {
  world.moveTo(time);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
  return settledLines(await world.step({ runId: time }));
}

test('that the settlement before the send was paid ends no retry, which would free its order an hour later', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  // Paid at 01:20, and sent back at 01:50.
  const settle = { delayMs: 20 * MINUTE_MS, returnAfterMs: 30 * MINUTE_MS, retries: [SLOW, SLOW] };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  world.orders.batch('B1', [{ settle }], { submittedAt: '2026-03-02 01:00:00' });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  showsPaidSecond();
  const seen = settledLines(await world.step());
  for (const time of ['02 04:00:00', '02 04:01:00', '02 06:00:00']) {
    seen.push(...(await night(time)));
  }
  expect(seen).toEqual(['B1-1 1 PROCESSING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
  expect(world.sends()).toBe(1);
});

test('nor does that the retry before it was paid, which a person ended when it had come back', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  const back = { state: 'SUCCESS' as const, delayMs: 12 * HOUR_MS, returnAfterMs: 20 * MINUTE_MS };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  await world.failed('B1', { settle: { state: 'FAIL', retries: [back, SLOW, SLOW] } });
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  await world.step();
  world.moveTo('02 14:24:00');
  await world.step({ runId: 'run-2' });
  world.moveTo('02 14:25:00');
  const shown = await world.step({ runId: 'run-3' });
  const approve = { digest: shown.settlements[0]?.awaiting?.digest ?? '', by: 'Li' };
  const seen = settledLines(await world.step({ runId: 'run-4', approve }));
  showsPaidSecond();
  world.moveTo('02 14:36:00');
  seen.push(...settledLines(await world.step({ runId: 'run-5' })));
  for (const time of ['02 16:00:00', '02 16:01:00', '02 18:00:00']) {
    seen.push(...(await night(time)));
  }
  expect(seen).toEqual([
    'B1-1 1 FAIL',
    'B1-1 2 PROCESSING',
    'B1-1 2 AWAITING',
    'B1-1 2 AWAITING',
    'B1-1 2 AWAITING',
  ]);
  world.moveTo('05 04:01:00');
  expect(world.paid('B1-1')).toBe(2);
});

test('nor does it keep a retry open that is answered as failed at once', async () => {
  const settle = { state: 'FAIL', delayMs: 50 * MINUTE_MS, retries: [{ state: 'FAIL' as const }] };
  world.orders.batch('B1', [{ settle }], { submittedAt: '2026-03-02 01:00:00' });
  await world.orders.registerBatches('B1');
  world.moveTo('02 01:20:00');
  await world.orders.collect();
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  world.moveTo('02 03:20:00');
  await world.orders.collect({ runId: 'night-2' });
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  world.moveTo('02 04:20:00');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 FAIL']);
});
