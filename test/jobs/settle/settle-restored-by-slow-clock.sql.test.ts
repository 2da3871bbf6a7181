/**
 * What a restored database calls planned counts as sent at the latest possible moment, also where a machine finds it whose
 * clock is behind: what was seen under way long before it was planned is nothing that was seen of it.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPlatform } from '../../../jobs/context/platform.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { addMs, HOUR_MS } from '../../../src/core/time.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

/** The machine after it was started, as long as its clock is not set. */
async function behind(ms: number): Promise<Partial<SettlePorts>> {
  const { settings, profile, log, signal } = world.orders.job;
  const { clock } = world.orders.night;
  const wall = () => addMs(clock.wall(), -ms);
  const slow = { wall, monoMs: () => clock.monoMs(), sleep: clock.sleep.bind(clock) };
  const parts = { settings, profile, clock: slow, log, credentials: undefined };
  const { client } = await openPlatform(parts, { everSigned: true, signal });
  return { clock: slow, client };
}

/** Its automatic settlement is seen under way at 23:30, and fails at midnight. */
async function failedAtMidnight(): Promise<void> {
  world.moveTo('01 23:30:00');
  await world.failed('B1', { settle: { state: 'FAIL', delayMs: 15 * HOUR_MS } }, {});
  await world.orders.collectOn('02');
}

/** As the backup has it that was taken between the plan and the send. */
async function restore(): Promise<void> {
  await world.db.deleteFrom('settle_event').where('state', '<>', 'PLANNED').execute();
  await world.db
    .updateTable('settle_attempt')
    .set({ state: 'PLANNED', outcome: null, closed_at: null, note: '', req_time: null, sent_at: null })
    .execute();
  await setGuardBack(world.db, { sequence: 1n, database_identity: 'restored' });
}

async function stepAt(time: string, over: Partial<SettlePorts> = {}): Promise<string[]> {
  world.moveTo(time);
  world.skip(2 * HOUR_MS);
  await world.restart();
  return settledLines(await world.step({ runId: time, only: { outOrderNo: 'B1-1' } }, over));
}

test.each([0, 5 * HOUR_MS])('H18: found by a clock that is %d ms behind', async (ms) => {
  // Accepted, and queries show it hours later.
  world.sandbox.setSwitches({ settleGuard: false, settleQueueMs: 4 * HOUR_MS });
  await failedAtMidnight();
  expect(await stepAt('02 02:30:00')).toEqual(['B1-1 1 PROCESSING']);
  await restore();
  expect(await stepAt('02 02:31:00', await behind(ms))).toEqual(['B1-1 1 UNKNOWN']);
  const later: string[] = [];
  for (const time of ['02 03:45:00', '02 03:46:00', '02 04:00:00']) later.push(...(await stepAt(time)));
  world.moveTo('02 09:00:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  expect(later).toEqual(['B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
});
