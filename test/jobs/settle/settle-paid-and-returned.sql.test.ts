/** Paid, seen paid by a look of the night or of a snapshot, and sent back by the bank before the retry looks again. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import { zone } from '../../helpers/night.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

const HOUR_MS = 3_600_000;

const ONE = { outOrderNo: 'B1-1' };

test('what was seen paid and came back is RETURNED, not FAIL', async () => {
  const retry = { state: 'SUCCESS' as const, delayMs: HOUR_MS, returnAfterMs: 5 * HOUR_MS };
  await world.failed(
    'B1',
    { settle: { state: 'FAIL', retries: [{ ...retry, feeFen: 20n, feeType: 'ACCOUNT' }] } },
    {},
  );
  world.moveTo('02 02:00:00');
  expect(settledLines(await world.step({ only: ONE }))).toEqual(['B1-1 1 PROCESSING']);
  // As a snapshot or the next night looks at what is open.
  world.moveTo('02 04:00:00');
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night-2' });
  expect((await world.orders.orders())[0]).toBe('B1-1 moved settled 0');
  world.moveTo('02 09:00:00');
  await world.step({ runId: 'run-2', only: ONE });
  world.moveTo('02 09:01:00');
  const ended = await world.step({ runId: 'run-3', only: ONE });
  expect(settledLines(ended)).toEqual(['B1-1 1 RETURNED']);
});

test('what a look of the night showed under way counts as seen under way', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failed('B1', {});
  const query = { kind: 'record', path: 'division/query', times: 100 } as const;
  world.sandbox.addFault({ ...query, set: { settleState: 'FAIL' } });
  world.moveTo('02 02:00:00');
  await world.step();
  world.sandbox.liftFaults();
  world.sandbox.addFault({ ...query, set: { settleState: 'PROCESSING' } });
  world.moveTo('02 03:10:00');
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night-2' });
  expect(await world.orders.orders()).toEqual(['B1-1 moved open 0']);
  world.sandbox.liftFaults();
  world.sandbox.addFault({ ...query, set: { settleState: 'FAIL' } });
  const seen: string[] = [];
  for (const time of ['02 06:00:00', '02 06:01:00']) {
    world.moveTo(time);
    const { settlements } = await world.step({ runId: time });
    seen.push(...settlements.map(({ outcome, awaiting }) => `${outcome} ${awaiting?.why ?? ''}`));
  }
  expect(seen.at(-1)).toMatch(/^(?:FAIL|RETURNED)/);
});

test('what a look of the night showed paid and queries state as failed past the view lag is no case of a person', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failed('B1', {}, {});
  const query = { kind: 'record', path: 'division/query', times: 100, set: { settleState: 'FAIL' } } as const;
  world.sandbox.addFault(query);
  world.moveTo('02 02:00:00');
  await world.step({ only: ONE });
  world.sandbox.liftFaults();
  world.moveTo('02 03:10:00');
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night-2' });
  expect((await world.orders.orders())[0]).toBe('B1-1 moved settled 0');
  world.sandbox.addFault(query);
  const seen: string[] = [];
  for (const time of ['02 04:00:00', '02 04:20:00', '02 04:21:00']) {
    world.moveTo(time);
    seen.push(...settledLines(await world.step({ runId: time, only: ONE })));
  }
  expect(seen).toEqual(['B1-1 1 PROCESSING', 'B1-1 1 PROCESSING', 'B1-1 1 RETURNED']);
  expect(world.sends()).toBe(1);
});

test('a person who ends what a look showed paid is told so, and says that it came back', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failed('B1', {}, {});
  world.moveTo('02 02:00:00');
  const dies = { ...(await world.ports()).book, close: () => Promise.reject(new Error('power cut')) };
  world.sandbox.addFault({
    kind: 'record',
    path: 'division/query',
    skip: 1,
    times: 1,
    set: { settleState: 'FAIL' },
  });
  await world.step({ only: ONE }, { book: dies });
  world.moveTo('02 02:30:00');
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night-2' });
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState: 'ODD' } });
  world.sandbox.addFault({
    kind: 'record',
    path: 'acct/queryInfo',
    times: 100,
    set: { balance: 10_000, availableBalance: 10_000 },
  });
  world.moveTo('02 04:00:00');
  const shown = await world.step({ runId: 'run-2', only: ONE });
  expect(settledLines(shown)).toEqual(['B1-1 1 AWAITING']);
  expect(settleText(shown, zone)).toContain('a query showed it PAID, on 2026-03-02 02:30');
  const approve = { digest: shown.settlements[0]?.awaiting?.digest ?? '', by: 'Li' };
  expect(settledLines(await world.step({ runId: 'run-3', only: ONE, approve }))).toEqual(['B1-1 1 RETURNED']);
});
