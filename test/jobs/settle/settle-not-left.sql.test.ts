/** What `recon settle` was to send and what did not leave is no success of it, and is said first. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../jobs/cli/command.ts';
import { parseSettle, settleJob } from '../../../jobs/commands/settle.ts';
import { NotSent } from '../../../src/core/errors.ts';
import { SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

/** As the command line carries the job out. */
async function settle(): Promise<Outcome> {
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  return settleJob({}).work(world.orders.job, parseSettle({}));
}

/** While a query of this call is on its way. */
async function meanwhile(change: () => Promise<void>): Promise<void> {
  const client = await world.orders.job.platform();
  const real = client.call.bind(client);
  vi.spyOn(client, 'call').mockImplementation(async (...args) => {
    const answer = await real(...args);
    if (args[0] === 'division/query') await change();
    return answer;
  });
  world.orders.job.platform = () => Promise.resolve(client);
}

test('what did not leave, because no connection was made, is no success, and is said', async () => {
  await world.failed('B1', {});
  const client = await world.orders.job.platform();
  vi.spyOn(client, 'callIntended').mockImplementation(async (_path, _params, intent) => {
    const { clock } = world.orders.night;
    await intent.commit({ correctedAt: clock.wall(), wallAt: clock.wall(), monoMs: clock.monoMs() });
    throw new NotSent('connect ECONNREFUSED');
  });
  world.orders.job.platform = () => Promise.resolve(client);
  const { status, text } = await settle();
  expect([status, text.split('\n')[0]]).toEqual([
    1,
    'NOT_SENT 1 (100.00 yuan) · 1 (100.00 yuan) did not leave, so nothing was paid by it: call it again',
  ]);
});

test('what did not leave, because storing it took longer than a look holds, is no success, and is said', async () => {
  await world.failed('B1', {});
  const { clock } = world.orders.night;
  const real = clock.monoMs.bind(clock);
  let slowMs = 0;
  clock.monoMs = () => real() + (slowMs += 4_000);
  const { status, text } = await settle();
  expect(world.sends()).toBe(0);
  expect([status, text.split('\n')[0]]).toEqual([
    1,
    '1 (100.00 yuan) did not leave, so nothing was paid by it: call it again',
  ]);
  expect(text).toContain('storing it took longer than what was seen before it holds');
});

test('nor is one whose day ended before it could be stored: the next run plans it anew', async () => {
  await world.failed('B1', {});
  await world.failed('B2', {});
  world.moveTo('02 23:00:00');
  await meanwhile(() => {
    world.moveTo('03 00:00:01');
    return Promise.resolve();
  });
  const { status, text } = await settle();
  expect(world.sends()).toBe(0);
  expect([status, text.split('\n')[0]]).toEqual([
    1,
    '2 (200.00 yuan) did not leave, so nothing was paid by it: call it again',
  ]);
});

test('what the look right before the send shows paid, by whomever, is left to nobody', async () => {
  await world.failed('B1', {});
  const set = { settleState: 'SUCCESS' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  const { status, text } = await settle();
  expect([status, text.split('\n')[0]]).toEqual([0, 'no settlement was retried, and none was open']);
});

test('what that look shows with another amount is no success', async () => {
  await world.failed('B1', {});
  const set = { amount: '99.00', realAmount: '99.00' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  const { status, text } = await settle();
  expect(world.sends()).toBe(0);
  expect([status, text.split('\n')[0]]).toEqual([
    1,
    '1 (100.00 yuan) did not leave, so nothing was paid by it: call it again',
  ]);
});
