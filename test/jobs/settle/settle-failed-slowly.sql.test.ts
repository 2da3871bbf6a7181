/** An answer is dated when it is signed, or kept; what it shows was so when it was asked (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import { at, settledLines, SettleWorld } from './settle-world.ts';
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

/** A query may take ten minutes. */
async function lags(viewLagSeconds: number): Promise<void> {
  const http = { timeouts: { deadlineMs: 10 * MINUTE_MS } };
  await world.orders.profile({ http, settle: { viewLagSeconds } });
  await world.restart();
}

/** The settlement of B1-1 has failed; a retry is paid 20 hours later; what would pay for a refund too lies on its account. */
async function failed(): Promise<void> {
  world.sandbox.setSwitches({ settleGuard: false });
  const retries = [{ state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS }];
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  await world.failed('B1', { settle: { state: 'FAIL', retries } });
}

async function step(time: string, client?: PlatformClient): Promise<string[]> {
  world.moveTo(`02 ${time}`);
  return settledLines(await world.step({ runId: time }, client && { client }));
}

/** A client whose query is answered, and its answer signed, at that time. */
async function answeredAt(time: string): Promise<PlatformClient> {
  const { client } = await world.ports();
  const call: PlatformClient['call'] = async (...asked) => {
    const outcome = await client.call(...asked);
    world.moveTo(`02 ${time}`);
    return { ...outcome, timestamp: at(`2026-03-02 ${time}`) };
  };
  return Object.assign(Object.create(client) as PlatformClient, {
    call,
    clockOffsetMs: () => client.clockOffsetMs(),
  });
}

/** Nobody refunds what is being paid out. */
async function isPaidOnly(): Promise<void> {
  const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
  world.moveTo('04 04:00:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
}

test('a failure that was seen by a wrong lag, and one that a slow query shows, do not end what was taken', async () => {
  await lags(0);
  await failed();
  world.sandbox.setSwitches({ settleViewLagMs: HOUR_MS });
  world.sandbox.addFault({ kind: 'drop_after', path: 'order/settle', times: 1 });
  expect(await step('02:00:00')).toEqual(['B1-1 1 UNKNOWN']);
  expect(await step('02:15:00')).toEqual(['B1-1 1 UNKNOWN']);
  await lags(3_600);
  // Its view is of 01:56.
  expect(await step('02:56:00', await answeredAt('03:03:00'))).toEqual(['B1-1 1 UNKNOWN']);
  await isPaidOnly();
});

test('nor do failures of before it was shown under way, to a query that was asked before and answered after that', async () => {
  await lags(3_600);
  await failed();
  const shows = (settleState: string): void => {
    world.sandbox.liftFaults();
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
  };
  const kept = async (time: string): Promise<void> => {
    world.moveTo(`02 ${time}`);
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: time });
  };
  shows('FAIL');
  expect(await step('02:00:00')).toEqual(['B1-1 1 PROCESSING']);
  // Of before the send, by a view that lags behind.
  shows('PROCESSING');
  await kept('02:10:00');
  // Asked before the channel has it, and answered after that.
  query.heardAt = '02 05:09:00';
  await kept('05:00:00');
  expect(query.heardAt).toBeUndefined();
  shows('FAIL');
  expect(await step('06:00:30')).toEqual(['B1-1 1 PROCESSING']);
  expect(await step('06:01:30')).toEqual(['B1-1 1 PROCESSING']);
  await isPaidOnly();
});
