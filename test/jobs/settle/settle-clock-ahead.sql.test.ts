/** H18: what a clock that was ahead has stored ends all the same, and never sooner than this process has waited. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/ports.ts';
import { addMs, DAY_MS } from '../../../src/core/time.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

const ahead = (): { clock: Clock } => {
  const { clock } = world.orders.night;
  const wall = () => addMs(clock.wall(), 365 * DAY_MS);
  return { clock: { wall, monoMs: () => clock.monoMs(), sleep: clock.sleep.bind(clock) } };
};

test('a hold by a clock that was a year ahead begins anew by one that is right, and is over after its length', async () => {
  await world.failed('B1', {});
  await world.mark().write(await world.sure({ sequence: 7n }));
  expect((await world.step({}, ahead())).heldUntil).toMatch(/^2027-/);
  world.moveTo('09 02:00:00');
  await world.restart();
  const held = await world.step({ runId: 'run-2' });
  expect(held.heldUntil).toMatch(/^2026-03-08T19:1/);
  expect(await world.mark().read()).toMatchObject({ heldUntil: held.heldUntil, isDoubtful: true });
  // Whichever of the two is lost, the other has the new end.
  await rm(world.markFile);
  expect((await world.step({ runId: 'run-3' })).heldUntil).toBe(held.heldUntil);
  expect(world.sends()).toBe(0);
  world.moveTo('10 02:00:00');
  expect(settledLines(await world.step({ runId: 'run-4' }))).toEqual(['B1-1 1 SUCCESS']);
  // Window, margin and lag on this process's own clock, whatever the other one says.
  expect(world.orders.night.clock.cutShort.some((ms) => ms > 3_749_000)).toBe(true);
});

test('an attempt that was doubted by a clock that was a year ahead comes to a person all the same', async () => {
  await world.failed('B1', {});
  const { book } = await world.ports();
  const markSent: SettlementAttemptStore['markSent'] = () => Promise.reject(new Error('power cut'));
  await expect(world.step({}, { book: { ...book, markSent } })).rejects.toThrow('power cut');
  world.boot = 'boot-2';
  await world.restart();
  await world.step({ runId: 'run-2', mode: 'resolve-only' }, ahead());
  const seen: string[] = [];
  for (const time of ['02 02:30:00', '02 03:50:00', '02 03:51:00']) {
    world.moveTo(time);
    seen.push(...settledLines(await world.step({ runId: time, mode: 'resolve-only' })));
  }
  expect(seen).toEqual(['B1-1 1 UNKNOWN', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
});

test('a failure that is certain and was ended by a clock that was a year ahead cools down no longer for that', async () => {
  await world.failed('B1', { settle: { state: 'FAIL', retries: [{ state: 'FAIL', delayMs: 0 }] } });
  const { book } = await world.ports();
  const dies = { ...book, close: () => Promise.reject(new Error('power cut')) };
  await expect(world.step({}, { book: dies })).rejects.toThrow('power cut');
  expect(await world.attempts()).toEqual(['B1-1 1 ACK_FAIL -']);
  await world.restart();
  expect(settledLines(await world.step({ runId: 'run-2', mode: 'resolve-only' }, ahead()))).toEqual([
    'B1-1 1 FAIL',
  ]);
  world.skip(DAY_MS);
  for (const [time, left, sends] of [
    ['02 02:09:00', ['B1-1 cool_down'], 1],
    ['02 02:11:00', [], 2],
  ] as const) {
    world.moveTo(time);
    await world.restart();
    expect(leftLines(await world.step({ runId: time }))).toEqual(left);
    expect(world.sends()).toBe(sends);
  }
});
