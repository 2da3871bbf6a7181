/** What a look showed paid, or under way, a view that lags behind may show as failed for as long as that (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bootIdentity } from '../../../src/core/machine.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { at, machineOff, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

const night = async (time: string): Promise<void> => {
  world.moveTo(`02 ${time}`);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
};

const step = async (time: string): Promise<string[]> => {
  world.moveTo(`02 ${time}`);
  return settledLines(await world.step({ runId: time }));
};

/** What queries state of it; undefined: what is so. */
function shows(settleState?: string, also: { extParam?: string } = {}): void {
  world.sandbox.liftFaults();
  if (settleState === undefined) return;
  const set = { settleState, ...also };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
}

test.each(['a night', 'a retry'])(
  'a retry that %s was shown as paid is not taken for failed by a view of before',
  async (who) => {
    world.sandbox.setSwitches({ settleGuard: false });
    const retries = [{ state: 'SUCCESS' as const, delayMs: 9 * MINUTE_MS }];
    world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
    await world.failed('B1', { settle: { state: 'FAIL', retries } });
    // The result of a retry appears in settleState once there is one (STL-14).
    shows('FAIL');
    world.sandbox.addFault({ kind: 'drop_after', path: 'order/settle', times: 1 });
    expect(await step('02:00:00')).toEqual(['B1-1 1 UNKNOWN']);
    shows();
    if (who === 'a night') await night('02:10:00');
    else expect(await step('02:10:00')).toEqual(['B1-1 1 UNKNOWN']);
    expect(await world.orders.orders()).toContain('B1-1 moved settled 0');
    // Views of 02:03.
    shows('FAIL');
    const seen = [...(await step('03:03:00')), ...(await step('03:03:40'))];
    const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
    await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
    expect(seen).toEqual(['B1-1 1 UNKNOWN', 'B1-1 1 UNKNOWN']);
  },
);

/** Sent at two, its answer lost, paid 20 hours later. */
async function sent(): Promise<void> {
  world.sandbox.setSwitches({ settleGuard: false });
  const retries = [{ state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS }];
  world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
  await world.failed('B1', { settle: { state: 'FAIL', retries } });
  shows('FAIL');
  world.sandbox.addFault({ kind: 'drop_after', path: 'order/settle', times: 1 });
  expect(await step('02:00:00')).toEqual(['B1-1 1 UNKNOWN']);
}

test('nor is one that a night was shown under way, which asked before and heard after another look', async () => {
  await sent();
  // A look without news leaves the order as one before it was seen.
  shows('FAIL', { extParam: 'news' });
  world.moveTo('02 05:00:00');
  const { clock, client } = await machineOff(world.orders, 7_000);
  const seen = settledLines(await world.step({ runId: 'ahead' }, { clock, client }));
  shows('PROCESSING');
  await night('05:00:01');
  shows('FAIL');
  seen.push(...(await step('05:00:40')));
  const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
  expect(seen).toEqual(['B1-1 1 UNKNOWN', 'B1-1 1 UNKNOWN']);
});

test.each([
  ['', null],
  [', where a clock that is ahead has dated a lost look', at('2026-03-02 09:00:00')],
])('nor one that is shown under way in a record that contradicts itself%s', async (_, may_have_shown_at) => {
  await sent();
  await world.db.updateTable('order_due').set({ may_have_shown_at }).execute();
  world.sandbox.liftFaults();
  const set = { settleState: 'PROCESSING', state: 'INIT' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  const seen = await step('05:00:00');
  shows('FAIL');
  seen.push(...(await step('05:01:00')), ...(await step('05:01:40')));
  const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
  expect(seen).toEqual(['B1-1 1 AWAITING', 'B1-1 1 UNKNOWN', 'B1-1 1 UNKNOWN']);
});

test('nor one that is shown under way once more after it was shown as paid, as by somebody else', async () => {
  await sent();
  shows('SUCCESS');
  await night('03:10:00');
  shows('PROCESSING');
  await night('05:00:00');
  shows('FAIL');
  const seen = [...(await step('05:10:00')), ...(await step('05:10:40'))];
  const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
  expect(seen).toEqual(['B1-1 1 UNKNOWN', 'B1-1 1 UNKNOWN']);
});

test('nor one that is shown under way so a moment before it ends', async () => {
  await sent();
  shows('FAIL');
  const seen = await step('05:00:00');
  world.moveTo('02 05:01:00');
  const { book } = await world.ports({}, 'run-3');
  const close: typeof book.close = async (...args) => {
    world.sandbox.liftFaults();
    const set = { settleState: 'PROCESSING', state: 'INIT' };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
    await night('05:01:01');
    return book.close(...args);
  };
  seen.push(...settledLines(await world.step({ runId: 'run-3' }, { book: { ...book, close } })));
  const refund = world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'B1-1' });
  await expect(refund).rejects.toThrow('attempt 1 to settle B1-1 is open');
  expect(seen).toEqual(['B1-1 1 UNKNOWN', 'B1-1 1 UNKNOWN']);
});
