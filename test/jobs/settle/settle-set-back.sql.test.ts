/** A clock that is set back while a query is on its way makes what it shows no older than its request (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';
import { openSlowQuery } from './slow-query.ts';
import type { SlowQuery } from './slow-query.ts';

let world: SettleWorld;
let query: SlowQuery;
beforeEach(async () => {
  world = await SettleWorld.open();
  query = await openSlowQuery(world);
});
afterEach(async () => {
  query.end();
  await world.close();
});

/** What a collection then is told of the settlement. */
async function collects(time: string, settleState: string, heardAt?: string): Promise<void> {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
  world.moveTo(`02 ${time}`);
  query.heardAt = heardAt === undefined ? undefined : `02 ${heardAt}`;
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
  expect(query.heardAt).toBeUndefined();
}

test('what somebody else has settled is not retried on the word of a view that lags behind', async () => {
  await world.failed('B1', {});
  await collects('06:00:00', 'PROCESSING', '04:00:00');
  expect(await world.orders.orders()).toEqual(['B1-1 moved open 0']);
  await collects('06:02:00', 'FAIL');
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  const step = await world.step();
  expect([leftLines(step), settledLines(step), world.sends()]).toEqual([['B1-1 cool_down'], [], 0]);
});
