/** How a retry that fails ends: by itself where it was seen under way, else by a person (docs/settlements.md). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootIdentity } from '../../../src/core/machine.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

/** What becomes of a retry of ten past two that fails so long after it: two hourly snapshots, then the nights. */
async function endsAs(delayMs: number): Promise<string[]> {
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  const retries = [{ state: 'FAIL' as const, delayMs }, { state: 'SUCCESS' as const }];
  await world.failed('B1', { settle: { state: 'FAIL', retries } });
  world.moveTo('02 02:10:00');
  const seen = settledLines(await world.step());
  for (const time of ['02 03:00:00', '02 04:00:00']) {
    world.moveTo(time);
    await world.orders.collect({ runId: `snapshot of ${time}` });
  }
  for (const time of ['03 02:00:00', '04 02:00:00', '05 02:00:00']) {
    world.moveTo(time);
    await world.orders.collect({ runId: `night of ${time}` });
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  return seen;
}

const BY_ITSELF = ['B1-1 1 PROCESSING', 'B1-1 1 PROCESSING', 'B1-1 1 FAIL', 'B1-1 2 SUCCESS'];

test('one that a snapshot showed under way, later than any view shows what was before it, ends by itself', async () => {
  expect(await endsAs(3 * HOUR_MS)).toEqual(BY_ITSELF);
});

test('one that failed before that comes to a person: its failure may be the one before it', async () => {
  expect(await endsAs(20 * MINUTE_MS)).toEqual([
    'B1-1 1 PROCESSING',
    'B1-1 1 AWAITING',
    'B1-1 1 AWAITING',
    'B1-1 1 AWAITING',
  ]);
});

test('where no view lags behind, the look right after the send is enough', async () => {
  await world.orders.profile({ settle: { viewLagSeconds: 0 } });
  await world.restart();
  expect(await endsAs(20 * MINUTE_MS)).toEqual(BY_ITSELF);
});
