/**
 * H18: a hold that was stored by a clock that is behind is over at once on every other one; each machine lives
 * through window, margin and lag all the same, by the clock that only runs forward (docs/reliability.md 2.3 c and d).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileMark } from '../../../jobs/night/settle/high-water-mark.ts';
import type { SettleMark } from '../../../jobs/night/settle/high-water-mark.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { addMs, DAY_MS } from '../../../src/core/time.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  await world.step();
  await world.failed('B1', {});
});
afterEach(() => world.close());

/** What the process waited for, in whole seconds; a test does not wait. */
const waited = (): number[] => world.orders.night.clock.cutShort.map((ms) => Math.round(ms / 1_000));

/** Window, margin, and the hour for which queries may lag behind. */
const LIFE_SECONDS = 30 + 120 + 3_600;

/** Another machine, whose clock is behind and whose mark is its own. */
function slowMachine(behindMs: number): Partial<SettlePorts> {
  const { clock } = world.orders.night;
  const wall = () => addMs(clock.wall(), -behindMs);
  const slow = { wall, monoMs: () => clock.monoMs(), sleep: clock.sleep.bind(clock) };
  const mark = fileMark(world.orders.job.files, `${world.markFile}-slow`);
  return { clock: slow, mark, boot: 'boot-slow' };
}

/** When the hold ends that it found or stored. */
async function heldBySlowMachine(behindMs = DAY_MS): Promise<string | undefined> {
  const { heldUntil } = await world.step({ runId: 'slow', mode: 'resolve-only' }, slowMachine(behindMs));
  await world.restart();
  return heldUntil;
}

test('a restore that a slow machine found keeps another one from sending at once', async () => {
  await setGuardBack(world.db, { database_identity: 'restored' });
  expect(await heldBySlowMachine()).toMatch(/^2026-02-28/);
  expect((await world.step({ mode: 'dry-run' })).wait).toEqual({
    seconds: LIFE_SECONDS,
    why: 'a restore was found elsewhere, by whatever clock',
  });
  expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 SUCCESS']);
  expect(waited()).toEqual([LIFE_SECONDS]);
  // Who has lived through it need not do so again.
  await world.failed('B2', {});
  expect(settledLines(await world.step({ runId: 'run-3' }))).toEqual(['B2-1 1 SUCCESS']);
  expect(waited()).toHaveLength(1);
});

test('nor is a hold over that a slow machine has cut short', async () => {
  const finder: Partial<SettlePorts> = {
    mark: fileMark(world.orders.job.files, `${world.markFile}-finder`),
    boot: 'boot-finder',
  };
  await setGuardBack(world.db, { database_identity: 'restored' });
  expect((await world.step({}, finder)).heldUntil).toMatch(/^2026-03-01/);
  expect(await heldBySlowMachine()).toMatch(/^2026-02-28/);
  expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 SUCCESS']);
  expect(waited()).toEqual([LIFE_SECONDS]);
});

test('nor where the slow machine found a second restore within a hold that others have lived through', async () => {
  world.moveTo('02 02:00:00');
  await setGuardBack(world.db, { database_identity: 'restored' });
  await world.step({ runId: 'run-2' });
  world.moveTo('03 02:00:00');
  await world.step({ runId: 'run-3' });
  expect([waited(), world.sends()]).toEqual([[LIFE_SECONDS], 1]);
  await world.failed('B2', {});
  await setGuardBack(world.db, { database_identity: 'restored again' });
  // Its hold would end a moment before the one that is stored, and is another one all the same.
  expect(await heldBySlowMachine(DAY_MS + 10_000)).toMatch(/^2026-03-01/);
  await world.step({ runId: 'run-4' });
  expect(waited()).toEqual([LIFE_SECONDS, LIFE_SECONDS]);
});

test('nor where whoever found it ended before its own mark was written', async () => {
  await setGuardBack(world.db, { database_identity: 'restored' });
  const write: SettleMark['write'] = () => Promise.reject(new Error('power cut'));
  await expect(world.step({}, { mark: { ...world.mark(), write } })).rejects.toThrow('power cut');
  await world.restart();
  world.moveTo('03 02:00:00');
  expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 SUCCESS']);
  expect(waited()).toEqual([LIFE_SECONDS]);
});
