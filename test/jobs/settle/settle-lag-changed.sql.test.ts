/** How far queries lag behind is learned while a retry is under way (settle.viewLagSeconds, docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootIdentity } from '../../../src/core/machine.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

async function lags(viewLagSeconds: number): Promise<void> {
  await world.orders.profile({ settle: { viewLagSeconds } });
  await world.restart();
}

function shows(settleState: string): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
}

test('what was seen under way when queries were thought never to lag behind shows no retry once they do', async () => {
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
  await lags(0);
  world.sandbox.setSwitches({ settleGuard: false });
  const retries = Array.from({ length: 3 }, () => ({ state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS }));
  const settle = { state: 'FAIL', delayMs: 50 * MINUTE_MS, retries };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  world.orders.batch('B1', [{ settle }], { submittedAt: '2026-03-02 01:00:00' });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  shows('FAIL');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
  // Its view is of a quarter past one.
  shows('PROCESSING');
  world.moveTo('02 02:05:00');
  expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 PROCESSING']);
  shows('FAIL');
  await lags(3_600);
  const seen: string[] = [];
  for (const time of ['02 04:10:00', '02 04:11:00', '02 05:30:00']) {
    world.moveTo(time);
    seen.push(...settledLines(await world.step({ runId: time })), ...(await world.reported()));
  }
  // A person is told as soon as it is seen failed, by the report of a night too.
  expect(seen).toEqual(Array.from({ length: 6 }, () => 'B1-1 1 AWAITING'));
  world.moveTo('05 04:01:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
});
