/** A settlement is never retried while a refund of its order is stated, or in doubt, however refunds are known (U36). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

/** What the platform states of an order of 10,000, and why that alone forbids the retry of what is planned. */
const STATED: readonly (readonly [
  postBy: string,
  set: Record<string, unknown>,
  stored: string,
  looked: string,
])[] = [
  ['state', { state: 'SUCCESS', refundAmount: 4_000 }, 'fault', 'facts_differ'],
  ['state', { state: 'REFUND', refundAmount: 0 }, 'fault', 'facts_differ'],
  ['state', { state: 'PART_REFUND', refundAmount: 4_000 }, 'refunded', 'state_changed'],
  ['state', { state: 'WAIT_CONFIRM', refundAmount: 4_000 }, 'refunded', 'state_changed'],
  ['state', { state: 'REFUND', refundAmount: null }, 'refunded', 'state_changed'],
  ['state', { state: 'REFUND', refundAmount: 10_001 }, 'fault', 'facts_differ'],
  ['refundAmount', { state: 'SUCCESS', refundAmount: 4_000 }, 'refunded', 'state_changed'],
  ['refundAmount', { state: 'REFUND', refundAmount: 0 }, 'fault', 'facts_differ'],
  ['refundAmount', { state: 'REFUND', refundAmount: null }, 'fault', 'facts_differ'],
];

describe.each(STATED)('known by %s, %o', (postBy, set, stored, looked) => {
  test('what is stored so is not planned', async () => {
    await world.orders.profile({ refund: { postBy } });
    await world.failed('B1', { listed: { set } }, {});
    const outcome = await world.step();
    expect([leftLines(outcome), settledLines(outcome)]).toEqual([[`B1-1 ${stored}`], ['B1-2 1 SUCCESS']]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 0]);
  });

  test('what is stated so right before the send is not sent', async () => {
    await world.orders.profile({ refund: { postBy } });
    await world.failed('B1', { changes: [{ at: '2026-03-02 02:00:30', set }] });
    world.moveTo('02 02:01:00');
    expect(leftLines(await world.step())).toEqual([`B1-1 ${looked}`]);
    expect(world.sends()).toBe(0);
  });
});
