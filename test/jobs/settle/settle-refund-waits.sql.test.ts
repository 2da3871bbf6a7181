/** A settlement is never retried while a refund of its order waits, however little queries show of that (U36). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/core/time.ts';
import { leftLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

test('a refund that the batch alone says waits for its confirmation is one of its orders, as long as none says so', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  const refunds = [{ outOrderNo: 'B1-1', at: '2026-03-01 12:00:00', delayMs: 2 * DAY_MS }];
  const settle = { state: 'FAIL' };
  // The words of an order are not those of its batch (DIV-26).
  const listed = { set: { state: 'SUCCESS', refundAmount: 0 } };
  world.orders.batch('B1', [{ settle, listed }, { settle: null }], { refunds });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
  await world.orders.collectOn('04');
  // Paid back to P, and to nobody else.
  expect([world.sends(), world.paid('B1-1')]).toEqual([0, 0]);
});
