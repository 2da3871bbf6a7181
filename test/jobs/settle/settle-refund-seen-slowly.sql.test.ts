/** An earlier refund by hand that a slow look shows done says nothing of the next one, however fast queries are by then. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { leftLines, SettleWorld } from './settle-world.ts';
import { openSlowQuery } from './slow-query.ts';
import type { SlowQuery } from './slow-query.ts';

let world: SettleWorld;
let query: SlowQuery;
beforeEach(async () => {
  world = await SettleWorld.open();
  await takes(10 * MINUTE_MS);
  query = await openSlowQuery(world);
});
afterEach(async () => {
  query.end();
  await world.close();
});

/** So long a call takes at most from now on. */
async function takes(deadlineMs: number): Promise<void> {
  await world.orders.profile({ http: { timeouts: { deadlineMs } } });
  await world.restart();
}

const refund = () => world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });

/** Two refunds by hand: the earlier was given back a minute before the next, which waits for days. */
async function areRefunded(): Promise<void> {
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  world.sandbox.setSwitches({ queryShowsRefund: false, settleGuard: false });
  world.sandbox.planOutcomes([{ kind: 'refund', returnAfterMs: 69 * MINUTE_MS }]);
  world.moveTo('03 00:30:00');
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  world.moveTo('03 01:40:00');
  world.sandbox.setSwitches({ refundDelayMs: 3 * DAY_MS });
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
}

test('an earlier refund that a slow look shows done is not the next, when a query may take less time by then', async () => {
  await areRefunded();
  // A snapshot, whose view is of 01:38.
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, set: { refundAmount: 10_000 } });
  world.moveTo('03 02:38:00');
  query.heardAt = '03 02:44:00';
  await world.db.updateTable('order_due').set({ next_day: '2026-03-03' }).execute();
  await world.orders.collect({ runId: 'night-3', toDay: '2026-03-02', today: '2026-03-03' });
  expect([query.heardAt, (await world.orders.orders()).at(-1)]).toEqual([undefined, 'T1 moved failed 10000']);
  await takes(30_000);
  await world.orders.collectOn('04');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 0');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect([(await world.orders.orders()).at(-1), world.paid('T1')]).toEqual(['T1 moved failed 10000', 0]);
});
