/** A record with the platform's number of an order may be of that order, whichever batch lists it (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TransferSeed } from '../../../src/sandbox/orders/order-schema.ts';
import { scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { register } from '../../helpers/company/order-registering.ts';
import type { Registered } from '../../helpers/company/order-registering.ts';
import { leftLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
});
afterEach(() => world.close());

const viewLags = (settleViewLagMs: number) => world.sandbox.setSwitches({ settleViewLagMs });

/** Of two orders, the settlement of the first of which failed; known by the number of the platform. */
async function batch(over: Partial<TransferSeed>): Promise<void> {
  const settle = { state: 'FAIL', remark: '账户异常', retries: [{ state: 'SUCCESS', delayMs: 600_000 }] };
  world.orders.batch('B1', [{ settle }, { settle: null }], { batchNo: 'TB1', ...over });
  await registered({ batch_no: 'TB1', out_order_no: 'B1-1' });
}

async function registered(own: Partial<Registered>): Promise<void> {
  await register(world.db, { kind: 'transfer', payer_account_no: 'P', ...own });
  await scheduleOrderQueries(world.db, world.orders.night.clock.wall());
}

async function nightAsks(time: string, ...numbers: readonly string[]): Promise<void> {
  world.moveTo(`02 ${time}`);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-09' }).execute();
  const due = world.db.updateTable('order_due').set({ next_day: '2026-03-02' });
  await due.where('number', 'in', numbers).execute();
  await world.orders.collect({ runId: `night of ${time}` });
}

async function settledByHand(): Promise<void> {
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
}

test('one that is listed so as of another batch, which turns out to be the same, is not sent once more', async () => {
  const changes = [
    { at: '2026-03-02 02:02:00', set: { outBatchNo: 'B1' }, remove: ['batchNo'] },
    { at: '2026-03-02 02:04:00', set: { batchNo: 'TB1' } },
  ];
  await batch({ listed: { remove: ['outBatchNo'] }, changes });
  await nightAsks('02:00:30', 'TB1');
  await settledByHand();
  await registered({ out_batch_no: 'B1', out_order_no: 'B1-2' });
  const remove = ['outOrderNo'];
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, row: 0, remove });
  await nightAsks('02:03:00', 'B1');
  // A view that lags behind.
  viewLags(1_200_000);
  await nightAsks('02:05:00', 'TB1', 'B1');
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0', 'B1-2 moved none 0']);
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test.each([
  ['that an answer shows', {}],
  ['that an answer shows which is not kept', { payerAcctNo: 'p', payeyAcctNo: 'p' }],
])(
  'nor is one whose number of the platform another order of another batch states, %s',
  async (_name, misspelt) => {
    await batch({});
    await nightAsks('02:00:30', 'TB1');
    world.orders.batch('B2', [{ settle: null }]);
    await registered({ out_batch_no: 'B2' });
    await nightAsks('02:01:30', 'B2');
    await settledByHand();
    const [known = ''] = await lines(world.db, 'transfer_order', ['order_no', 'out_order_no']);
    const set = { orderNo: known.split(' ')[0], settleState: 'PROCESSING', ...misspelt };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', about: 'B2', times: 1, row: 0, set });
    await nightAsks('02:03:00', 'B2');
    // A view that lags behind.
    viewLags(1_200_000);
    await nightAsks('02:05:00', 'TB1');
    expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
  },
);
