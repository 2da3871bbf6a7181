/** What an answer shows that nobody signed proves nothing of a retry, whoever keeps it (docs/reliability.md 2.3 a, N9). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/time.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  await world.orders.profile({ signing: { requireResponseSign: 'never' } });
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

function shows(settleState: string): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
}

/** What a retry or a night is told then. */
const asked: Readonly<Record<string, () => Promise<unknown>>> = {
  'a retry': () => world.step({ runId: 'unsigned' }),
  'a night': async () => {
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: 'night-2' });
  },
};

test.each(Object.keys(asked))('that a retry is under way, as an unsigned answer tells %s', async (who) => {
  const retries = Array.from({ length: 3 }, () => ({ state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS }));
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  await world.failed('B1', { settle: { state: 'FAIL', retries } });
  // The result of a retry appears in settleState once there is one (STL-14).
  shows('FAIL');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
  shows('PROCESSING');
  world.sandbox.addFault({ kind: 'omit_sign', path: 'division/query', times: 100 });
  world.moveTo('02 03:10:00');
  await asked[who]?.();
  expect(await world.orders.orders()).toContain('B1-1 moved open 0');
  shows('FAIL');
  const seen: string[] = [];
  for (const time of ['04:20:00', '04:21:00', '05:00:00']) {
    world.moveTo(`02 ${time}`);
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  expect(seen).toEqual(Array<string>(3).fill('B1-1 1 AWAITING'));
  world.moveTo('05 04:01:00');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
});
