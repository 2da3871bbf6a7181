/**
 * The platform took the settlement and holds its money frozen on the payee's account until the bank is paid. Its
 * queries go on showing the failure; the balance is what it was, and what is frozen is not looked at.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { zone } from '../../helpers/night.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false, balanceHoldsFrozen: true });
});
afterEach(() => world.close());

const ONE = { outOrderNo: 'B1-1' };

test.each([
  ['is frozen', {}],
  ['is not available', { frozen: 0 }],
  ['is not available, and nothing is stated as frozen,', { frozen: null }],
])(
  'nothing is offered for approval, and none holds, while the amount that was sent %s since',
  async (_how, told) => {
    // The payee has the money of two orders; the bank is paid eight hours after the retry.
    const retries = [
      { state: 'SUCCESS' as const, delayMs: 8 * 3_600_000 },
      { state: 'SUCCESS' as const, delayMs: 0 },
    ];
    await world.failed('B1', { settle: { state: 'FAIL', retries } }, {});
    const set = { settleState: 'FAIL' };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
    world.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', times: null, set: told });
    const { client } = await world.ports();
    const info = async () => {
      const now = await client.call('acct/queryInfo', { accountNo: 'Q' });
      return now.kind === 'accepted' ? [now.answer.balanceFen, now.answer.availableFen] : [];
    };
    expect(await info()).toEqual([20_000n, 20_000n]);
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step({ only: ONE }))).toEqual(['B1-1 1 PROCESSING']);
    expect(await info()).toEqual([20_000n, 10_000n]);
    world.moveTo('02 03:30:00');
    await world.step({ runId: 'run-2', only: ONE });
    world.moveTo('02 03:31:00');
    const shown = await world.step({ runId: 'run-3', only: ONE });
    const text = settleText(shown, zone);
    expect(text).toContain('Nothing can be approved now: 100.00 yuan are frozen on Q');
    expect(text).not.toContain('--approve');
    // Not even by the digest under which the reading was kept.
    const [digest = ''] = await lines(world.db, 'settle_evidence', ['digest']);
    const ended = await world.step({ runId: 'run-4', only: ONE, approve: { digest, by: 'Li' } });
    const seen = settledLines(ended);
    world.moveTo('02 03:45:00');
    seen.push(...settledLines(await world.step({ runId: 'run-5', only: ONE })));
    world.moveTo('02 12:00:00');
    expect([...seen, `paid ${world.paid('B1-1')}`]).toEqual(['B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'paid 1']);
  },
);

test('nor is what is stated as available, and is no amount, taken for nothing frozen', async () => {
  const retries = [{ state: 'SUCCESS' as const, delayMs: 8 * 3_600_000 }];
  await world.failed('B1', { settle: { state: 'FAIL', retries } }, {});
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.moveTo('02 02:00:00');
  expect(settledLines(await world.step({ only: ONE }))).toEqual(['B1-1 1 PROCESSING']);
  const unread = { frozen: 0, availableBalance: -10_000 };
  world.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', times: null, set: unread });
  world.moveTo('02 03:30:00');
  await world.step({ runId: 'run-2', only: ONE });
  world.moveTo('02 03:31:00');
  const text = settleText(await world.step({ runId: 'run-3', only: ONE }), zone);
  expect(text).not.toContain('frozen 0.00');
  expect(text).not.toContain('--approve');
});
