/** Somebody else settles the order, and has it back, right before our look (docs/reliability.md 2.3 a, M8). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
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

/** What the night of that time collects, and its step. */
async function night(time: string): Promise<string[]> {
  world.moveTo(time);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
  return settledLines(await world.step({ runId: time }));
}

test.each(['SUCCESS', 'PROCESSING'])(
  'that one by somebody else, which came back, was seen as %s shows no retry after it, however long the failure is known',
  async (said) => {
    world.sandbox.setSwitches({ settleGuard: false });
    const slow = { state: 'SUCCESS' as const, delayMs: 20 * HOUR_MS };
    const back = { state: 'SUCCESS' as const, delayMs: 0, returnAfterMs: 20 * MINUTE_MS };
    world.orders.batch('B0', [{ settle: null, amountFen: 50_000n }]);
    await world.failed('B1', { settle: { state: 'FAIL', retries: [back, slow, slow] } });
    // Through the platform's pages.
    world.moveTo('05 01:30:00');
    await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
    world.moveTo('05 02:00:00');
    // The view right after the send is of before that; the result of a retry appears once there is one (STL-14).
    shows('FAIL', said, 'FAIL');
    const seen = settledLines(await world.step());
    for (const time of ['05 04:00:00', '05 04:01:00', '05 06:00:00']) seen.push(...(await night(time)));
    expect(seen).toEqual(['B1-1 1 PROCESSING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING', 'B1-1 1 AWAITING']);
    world.moveTo('09 04:01:00');
    // By hand, and by the one retry.
    expect([world.sends(), world.paid('B1-1')]).toEqual([2, 2]);
  },
);
