/**
 * Two machines, clocks up to 9.5 s off either way. What the approval itself reads counts only when its time is later
 * than the time of what was shown, though it was read later.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { addMs } from '../../../src/core/time.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

function balanceIs(balance: number): void {
  world.sandbox.liftFaults();
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.sandbox.addFault({
    kind: 'record',
    path: 'acct/queryInfo',
    times: 100,
    set: { balance, availableBalance: balance },
  });
}

const off = (ms: number): Partial<SettlePorts> => {
  const { clock } = world.orders.night;
  const wall = () => addMs(clock.wall(), ms);
  return { clock: { wall, monoMs: () => clock.monoMs(), sleep: clock.sleep.bind(clock) } };
};

test('the balance fell by the amount between what machine A showed and the approval on machine B', async () => {
  await world.failed('B1', {});
  balanceIs(30_000);
  world.moveTo('02 02:00:00');
  await world.step();
  world.moveTo('02 03:30:00');
  const shown = await world.step({ runId: 'run-2' }, off(9_500));
  const digest = shown.settlements[0]?.awaiting?.digest ?? '';
  expect(digest).not.toBe('');
  // The payout leaves the account.
  balanceIs(20_000);
  world.moveTo('02 03:30:12');
  const ended = await world.step({ runId: 'run-3', approve: { digest, by: 'Li' } }, off(-9_500));
  expect(settledLines(ended)).toEqual(['B1-1 1 AWAITING']);
});
