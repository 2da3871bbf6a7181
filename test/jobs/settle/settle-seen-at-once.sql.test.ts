/** A retry that follows the one before it at once, by a clock that is ahead (settle.coolDownMinutes 0, docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootIdentity } from '../../../src/core/machine.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { machineOff, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  await world.orders.profile({ settle: { coolDownMinutes: 0 } });
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

/** What queries state of it from now on, one after the other; the last one stays. */
function shows(...states: readonly string[]): void {
  world.sandbox.liftFaults();
  states.forEach((settleState, skip) => {
    const times = skip === states.length - 1 ? 100 : 1;
    world.sandbox.addFault({ kind: 'record', path: 'division/query', skip, times, set: { settleState } });
  });
}

test('that the retry before it was under way shows no retry that followed it at once', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  const ended = { state: 'FAIL' as const, delayMs: 23 * HOUR_MS + 50 * MINUTE_MS };
  const slow = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  await world.failed('B1', { settle: { state: 'FAIL', retries: [ended, slow, slow] } });
  const seen: string[] = [];
  /** @param time undefined: as the clock runs on, because a busy machine may have taken any time by now */
  const step = async (time: string | undefined, digest?: string) => {
    if (time !== undefined) world.moveTo(time);
    const { clock, platform } = await machineOff(world.orders, 5_000);
    const approve = digest === undefined ? undefined : { digest, by: 'Li' };
    const over = { clock, client: await platform() };
    const outcome = await world.step({ runId: `run of ${time ?? 'then'}`, approve }, over);
    seen.push(...settledLines(outcome));
    return outcome.settlements[0]?.awaiting?.digest;
  };
  // The result of a retry appears in settleState once there is one (STL-14).
  shows('FAIL');
  await step('02 02:00:00');
  // It failed at 01:50.
  await step('03 02:00:00');
  const digest = await step('03 02:01:00');
  await step('03 02:02:00', digest);
  // The view right after the send is of before that.
  shows('FAIL', 'PROCESSING', 'FAIL');
  await step(undefined);
  for (const time of ['03 04:10:00', '03 04:11:00', '03 05:30:00']) await step(time);
  expect(seen).toEqual([
    'B1-1 1 PROCESSING',
    'B1-1 1 AWAITING',
    'B1-1 1 AWAITING',
    'B1-1 1 FAIL',
    'B1-1 2 PROCESSING',
    'B1-1 2 AWAITING',
    'B1-1 2 AWAITING',
    'B1-1 2 AWAITING',
  ]);
  world.moveTo('05 04:01:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([2, 1]);
});
