/** A machine is suspended between a query and its answer, which is no news when it is read. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { leftLines, SettleWorld } from './settle-world.ts';
import { openSlowQuery } from './slow-query.ts';
import type { SlowQuery } from './slow-query.ts';

let world: SettleWorld;
let query: SlowQuery;
beforeEach(async () => {
  world = await SettleWorld.open();
  query = await openSlowQuery(world);
});
afterEach(async () => {
  query.end();
  await world.close();
});

/** T1 was refunded at half past twelve, which came back; it was refunded again at 01:40, which is done three days later. */
async function refundedTwice(returnAfterMs: number): Promise<void> {
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  world.sandbox.setSwitches({ queryShowsRefund: false, settleGuard: false, refundViewLagMs: HOUR_MS });
  world.sandbox.planOutcomes([{ kind: 'refund', returnAfterMs }]);
  const refund = async (time: string): Promise<void> => {
    world.moveTo(time);
    const { outcome } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
    expect(outcome).toBe('accepted');
  };
  await refund('03 00:30:00');
  world.sandbox.setSwitches({ refundDelayMs: 3 * DAY_MS });
  await refund('03 01:40:00');
}

async function doneAlone(): Promise<void> {
  await world.orders.collectOn('04');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect(world.paid('T1')).toBe(0);
}

test('of a refund that was done before the next, which waits, no query tells that is heard only after that', async () => {
  await refundedTwice(HOUR_MS);
  // What it shows at two was so at one.
  query.heardAt = '03 03:00:00';
  await world.orders.collectOn('03');
  expect(query.heardAt).toBeUndefined();
  await doneAlone();
});

test('nor does one that is heard in time, where a call may take long, and that was answered before', async () => {
  await world.orders.profile({ http: { timeouts: { deadlineMs: 10 * MINUTE_MS } } });
  await refundedTwice(68 * MINUTE_MS);
  world.moveTo('03 02:37:00');
  query.heardAt = '03 02:43:00';
  await world.orders.collect({ runId: 'night-03', toDay: '2026-03-02', today: '2026-03-03' });
  expect(query.heardAt).toBeUndefined();
  await doneAlone();
});
