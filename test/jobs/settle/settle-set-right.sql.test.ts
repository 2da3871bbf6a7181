/**
 * A clock that was off is set right between two tries of a query, as after a start of its machine, and no signature
 * covers the time of the answer: what it shows is of the try that was answered (docs/reliability.md 2.3 a).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { machineOff, settledLines, SettleWorld } from './settle-world.ts';

const FIELDS = ['code', 'msg', 'bizData', 'signType'];
const SLOW = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  await world.orders.profile({ signing: { response: { fields: FIELDS } } });
  world.sandbox.setSwitches({ settleGuard: false, responseSignFields: FIELDS });
});
afterEach(() => world.close());

function shows(settleState: string): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
}

async function sent(settle: object): Promise<void> {
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  world.orders.batch('B1', [{ settle }], { submittedAt: '2026-03-02 01:00:00' });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  // The result of a retry appears in settleState once there is one (STL-14).
  shows('FAIL');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
}

/** The settlement before the send, as a view that lags behind shows it to who is set right meanwhile. */
async function isShown(settleState: string, aheadMs: number, time = '02:05:00'): Promise<string[]> {
  shows(settleState);
  world.sandbox.addFault({ kind: 'drop_before', path: 'division/query', times: 1 });
  world.moveTo(`02 ${time}`);
  await world.restart();
  const { clock, client } = await machineOff(world.orders, aheadMs, true);
  const seen = settledLines(await world.step({ runId: 'set right' }, { clock, client }));
  shows('FAIL');
  return seen;
}

/** What the nights of these times collect, and their steps. */
async function nights(...times: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const time of times) {
    world.moveTo(`02 ${time}`);
    world.skip(2 * HOUR_MS);
    await world.restart();
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: `night of ${time}` });
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  return seen;
}

test('that the settlement before the send was paid ends no retry', async () => {
  // Paid at 01:20, and sent back at 01:50.
  await sent({ delayMs: 20 * MINUTE_MS, returnAfterMs: 30 * MINUTE_MS, retries: [SLOW, SLOW] });
  const seen = await isShown('SUCCESS', 2 * HOUR_MS);
  seen.push(...(await nights('04:00:00', '04:01:00', '06:00:00', '06:01:00')));
  expect(seen).toEqual(['B1-1 1 PROCESSING', ...Array<string>(4).fill('B1-1 1 AWAITING')]);
  world.moveTo('05 04:01:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 2]);
});

test('nor does that it was under way', async () => {
  await sent({ state: 'FAIL', delayMs: 50 * MINUTE_MS, retries: [SLOW, SLOW, SLOW] });
  const seen = await isShown('PROCESSING', 62 * MINUTE_MS);
  seen.push(...(await nights('04:20:00', '04:21:00', '05:40:00', '06:01:00')));
  expect(seen).toEqual(['B1-1 1 PROCESSING', ...Array<string>(4).fill('B1-1 1 AWAITING')]);
  world.moveTo('05 04:01:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
});

test('what was asked for by a clock that was behind is under way no earlier than it was answered', async () => {
  await world.orders.profile({ signing: { requireResponseSign: 'never', response: { fields: FIELDS } } });
  await sent({ state: 'FAIL', retries: [SLOW, SLOW, SLOW] });
  const seen = await isShown('PROCESSING', -55 * MINUTE_MS, '05:00:00');
  // A view that lags behind.
  for (const time of ['05:59:00', '05:59:40']) {
    world.moveTo(`02 ${time}`);
    world.skip(2 * HOUR_MS);
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  expect(seen).toEqual(Array<string>(3).fill('B1-1 1 PROCESSING'));
  // What is closed as failed may be refunded by hand, and is paid in the end.
  const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
});
