/** A clock that is set back while a query is on its way makes what it shows no older than its request (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/time.ts';
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

function shows(settleState: string): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
}

/** What a collection then is told of the settlement. */
async function collects(time: string, settleState: string, heardAt?: string): Promise<void> {
  shows(settleState);
  world.moveTo(`02 ${time}`);
  query.heardAt = heardAt === undefined ? undefined : `02 ${heardAt}`;
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
  expect(query.heardAt).toBeUndefined();
}

/** Whom a look tells that the retry is under way: a night, or a retry where no signature covers the time. */
const asked: Readonly<Record<string, () => Promise<void>>> = {
  'a night': () => collects('06:00:00', 'PROCESSING', '04:00:00'),
  'a retry': async () => {
    shows('PROCESSING');
    world.moveTo('02 06:00:00');
    query.heardAt = '02 04:00:00';
    expect(settledLines(await world.step({ runId: 'set back' }))).toEqual(['B1-1 1 PROCESSING']);
    expect(query.heardAt).toBeUndefined();
  },
};

const FIELDS = ['code', 'msg', 'bizData', 'signType'];

test.each(Object.keys(asked))('nor is a retry ended by one that %s was told of', async (who) => {
  if (who === 'a retry') await world.orders.profile({ signing: { response: { fields: FIELDS } } });
  world.sandbox.setSwitches({ settleGuard: false, ...(who === 'a retry' && { responseSignFields: FIELDS }) });
  await world.failed('B1', {
    settle: { state: 'FAIL', retries: [{ state: 'SUCCESS', delayMs: 20 * HOUR_MS }] },
  });
  // The result of a retry appears in settleState once there is one (STL-14).
  shows('FAIL');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
  await asked[who]?.();
  shows('FAIL');
  const seen: string[] = [];
  for (const time of ['06:02:00', '06:03:00']) {
    world.moveTo(`02 ${time}`);
    world.skip(2 * HOUR_MS);
    seen.push(...settledLines(await world.step({ runId: time })));
  }
  expect(seen).toEqual(Array<string>(2).fill('B1-1 1 PROCESSING'));
  // What is closed as failed may be refunded by hand, and is paid in the end.
  const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
});

test('what somebody else has settled is not retried on the word of a view that lags behind', async () => {
  await world.failed('B1', {});
  await collects('06:00:00', 'PROCESSING', '04:00:00');
  expect(await world.orders.orders()).toEqual(['B1-1 moved open 0']);
  await collects('06:02:00', 'FAIL');
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
  const step = await world.step();
  expect([leftLines(step), settledLines(step), world.sends()]).toEqual([['B1-1 cool_down'], [], 0]);
});

test('nor was it so before it was asked for', async () => {
  await world.failed('B1', {});
  await collects('06:00:00', 'SUCCESS', '04:00:00');
  const { first_final_at: since } = await world.db
    .selectFrom('order_state_seen')
    .select('first_final_at')
    .where('subject', '=', 'settlement')
    .where('state', '=', 'moved')
    .executeTakeFirstOrThrow();
  expect(since).toMatch(/^2026-03-01T22:/);
});
