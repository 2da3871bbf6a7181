/** A batch that is found by the other of its numbers, and on the list by that from then on, is still the same (docs/reliability.md 2.3 a). */
import pLimit from 'p-limit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askClaimed } from '../../../jobs/night/collect/ask-claimed.ts';
import { askOrder } from '../../../jobs/night/collect/ask-order.ts';
import { OrderWriter } from '../../../jobs/night/collect/order-writer.ts';
import { lookAtOrder } from '../../../jobs/night/settle/settle-look.ts';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import type { TransferSeed } from '../../../src/sandbox/orders/order-schema.ts';
import { claimUnits } from '../../../src/store/orders/order-claims.ts';
import { scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import { SAVE } from '../../helpers/company/order-answers.ts';
import { register } from '../../helpers/company/order-registering.ts';
import type { Registered } from '../../helpers/company/order-registering.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

const B1 = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' } as const;

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
});
afterEach(() => world.close());

const viewLags = (settleViewLagMs: number) => world.sandbox.setSwitches({ settleViewLagMs });

/** Of two orders, the settlement of the first of which failed. */
async function registered(over: Partial<TransferSeed>, ...numbers: readonly Partial<Registered>[]) {
  const settle = { state: 'FAIL', remark: '账户异常', retries: [{ state: 'SUCCESS', delayMs: 600_000 }] };
  world.orders.batch('B1', [{ settle }, { settle: null }], { batchNo: 'TB1', ...over });
  const usual = { kind: 'transfer', payer_account_no: 'P' } as const;
  await register(world.db, ...numbers.map((own) => ({ ...usual, ...own })));
  await scheduleOrderQueries(world.db, world.orders.night.clock.wall());
}

/** A night asks for what is on the list by these numbers. */
async function nightAsks(...numbers: readonly string[]): Promise<void> {
  await world.db.updateTable('order_due').set({ next_day: '2026-03-09' }).execute();
  const due = world.db.updateTable('order_due').set({ next_day: '2026-03-02' });
  await due.where('number', 'in', numbers).execute();
  await world.orders.collect({ runId: `${numbers.join()} at ${world.orders.night.clock.wall()}` });
}

async function settledByHand(): Promise<void> {
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
}

/** The platform does not know a number, once. */
function unknown(about: string): void {
  const fault = { kind: 'unmapped_code', path: 'division/query', msg: '批次不存在', times: 1 } as const;
  world.sandbox.addFault({ ...fault, about });
}

async function listedByThePlatformNumber(): Promise<void> {
  expect(await world.orders.dues()).toEqual([expect.stringMatching(/^platform TB1 /)]);
}

test('one that a look by the second of its numbers shows under way, in an answer that states neither', async () => {
  unknown('outBatchNo');
  const changes = [{ at: '2026-03-02 02:04:00', remove: ['outBatchNo', 'batchNo'] }];
  await registered({ changes }, { out_batch_no: 'B1', batch_no: 'TB1', out_order_no: 'B1-1' });
  await nightAsks('B1');
  await listedByThePlatformNumber();
  await settledByHand();
  unknown('TB1');
  const remove = ['orderNo'];
  world.sandbox.addFault({
    kind: 'record',
    path: 'division/query',
    about: 'B1',
    times: null,
    row: 0,
    remove,
  });
  world.moveTo('02 02:05:00');
  expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
  expect(await world.orders.orders()).toEqual(['B1-1 moved open 0', 'B1-2 moved none 0']);
  viewLags(1_200_000);
  world.moveTo('02 02:07:00');
  expect([leftLines(await world.step()), world.sends()]).toEqual([[], 1]);
});

test('what somebody is shown who listed a batch before a retry found it by a number that nobody registered', async () => {
  await registered({}, { out_batch_no: 'B1', out_order_no: 'B1-1' });
  await nightAsks('B1');
  unknown('outBatchNo');
  const ports = await world.ports();
  for (const order of await ports.book.listFailed()) await lookAtOrder(ports, order);
  await listedByThePlatformNumber();
  await settledByHand();
  const { job } = world.orders;
  const shown = Promise.withResolvers<void>();
  const dying = Promise.withResolvers<never>();
  const asking = askClaimed(job, [B1], {
    by: 'another',
    runId: 'another',
    inTurn: pLimit(1),
    writer: () => new OrderWriter(world.db, job.log, { ...SAVE, runId: 'another' }),
    ask: async (unit) => {
      expect(await askOrder(job, unit)).toMatchObject({ kind: 'batch' });
      shown.resolve();
      return dying.promise;
    },
  });
  await Promise.race([shown.promise, asking]);
  viewLags(600_000);
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 state_changed'], 1]);
  dying.reject(new Error('died'));
  await expect(asking).rejects.toThrow('died');
});

test('one that an answer showed under way that is not kept, and alone has told that the batch has another number', async () => {
  const changes = [{ at: '2026-03-02 02:04:00', remove: ['batchNo'] }];
  const byEither = [
    { out_batch_no: 'B1', out_order_no: 'B1-1' },
    { batch_no: 'TB1', out_order_no: 'B1-2' },
  ];
  await registered({ changes }, ...byEither);
  await settledByHand();
  const set = { payeeAcctNo: 'q' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, row: 1, set });
  await nightAsks('TB1');
  viewLags(1_200_000);
  world.moveTo('02 02:05:00');
  await nightAsks('B1');
  expect(await world.orders.orders()).toContain('B1-1 moved failed 0');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test('one that an answer lists as of another batch, and without the number of the platform', async () => {
  const listed = { remove: ['outBatchNo'] };
  const changes = [{ at: '2026-03-02 02:02:00', set: { outBatchNo: 'B1' }, remove: ['batchNo'] }];
  await registered({ listed, changes }, { batch_no: 'TB1', out_order_no: 'B1-1' });
  await nightAsks('TB1');
  await settledByHand();
  await register(world.db, { kind: 'transfer', payer_account_no: 'P', out_batch_no: 'B1' });
  const fault = { kind: 'record', path: 'division/query', about: 'B1', times: 1 } as const;
  world.sandbox.addFault({ ...fault, row: 0, remove: ['orderNo'] });
  world.moveTo('02 02:03:00');
  await world.orders.collect({ runId: 'night for B1' });
  viewLags(1_200_000);
  world.moveTo('02 02:05:00');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

/** First known by the platform's number alone; the company's answers leave out by `without` from three past two on. */
async function knownByThePlatformNumber(own: Partial<Registered>): Promise<void> {
  const changes = [
    { at: '2026-03-02 02:01:00', set: { outBatchNo: 'B1' } },
    { at: '2026-03-02 02:03:00', remove: ['batchNo'] },
    { at: '2026-03-02 02:05:00', set: { batchNo: 'TB1' } },
  ];
  await registered(
    { listed: { remove: ['outBatchNo'] }, changes },
    { batch_no: 'TB1', out_order_no: 'B1-1' },
  );
  await nightAsks('TB1');
  const line = { kind: 'transfer', payer_account_no: 'P', out_batch_no: 'B1', ...own } as const;
  await register(world.db, { ...line, out_order_no: 'B1-2' });
  await scheduleOrderQueries(world.db, world.orders.night.clock.wall());
}

/** An answer by its own number shows the first order under way, and none with a number; then the view lags behind. */
async function shownNumberless(): Promise<void> {
  await settledByHand();
  const remove = ['outOrderNo', 'orderNo'];
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, row: 'all', remove });
  world.moveTo('02 02:03:30');
  await nightAsks('B1');
  viewLags(1_200_000);
  world.moveTo('02 02:07:00');
}

test("one that is listed without a number, in an answer by a number that was registered with the platform's", async () => {
  await knownByThePlatformNumber({ batch_no: 'TB1' });
  await shownNumberless();
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test("one that is listed without a number, in an answer by a number that an answer before told with the platform's", async () => {
  await knownByThePlatformNumber({});
  world.moveTo('02 02:02:00');
  await nightAsks('B1');
  await shownNumberless();
  await nightAsks('B1');
  expect(await world.orders.orders()).not.toContainEqual(expect.stringMatching(/^B1#/));
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test.each<[name: string, fault: FaultSeed]>([
  ['without a number', { kind: 'record', row: 'all', remove: ['outOrderNo', 'orderNo'] }],
  ['by another number', { kind: 'record', row: 'all', set: { outOrderNo: 'b1-1' }, remove: ['orderNo'] }],
  ['not at all', { kind: 'drop_row', row: 'all' }],
])(
  "one that is listed %s, in an answer by the platform's number that calls the batch otherwise",
  async (_how, fault) => {
    const changes = [
      { at: '2026-03-02 02:03:00', set: { outBatchNo: 'B9' } },
      { at: '2026-03-02 02:05:00', set: { outBatchNo: 'B1' } },
    ];
    await registered({ changes }, { batch_no: 'TB1', out_order_no: 'B1-1' });
    await nightAsks('TB1');
    await settledByHand();
    world.sandbox.addFault({ ...fault, path: 'division/query', times: 1 });
    world.moveTo('02 02:03:30');
    await nightAsks('TB1');
    viewLags(1_200_000);
    world.moveTo('02 02:07:00');
    expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
  },
);

test('one whose batch is registered with the number of another batch, which the platform calls otherwise, is not held', async () => {
  await registered({}, { out_batch_no: 'B1', batch_no: 'TB1', out_order_no: 'B1-1' });
  world.orders.batch('B2', [{ settle: null }], { batchNo: 'TB2' });
  const line = { kind: 'transfer', payer_account_no: 'P', out_batch_no: 'B2', batch_no: 'TB1' } as const;
  await register(world.db, { ...line, out_order_no: 'B2-1' });
  await scheduleOrderQueries(world.db, world.orders.night.clock.wall());
  await nightAsks('B1');
  await nightAsks('B2');
  expect(await world.orders.orders()).toContain('B2-1 moved none 0');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
});

test('one whose number another batch lists with another number of the platform is not held', async () => {
  await world.failedInTwoBatches('T1');
  expect(settledLines(await world.step())).toEqual(['T1 1 SUCCESS']);
});

test('one that a restored database does not know is asked for under no claim of other batches', async () => {
  await world.failed('B2', {});
  world.sandbox.addFault({ kind: 'drop_after', path: 'order/settle', times: 1 });
  expect(settledLines(await world.step())).toEqual(['B2-1 1 UNKNOWN']);
  for (const table of ['transfer_order', 'transfer_batch'] as const)
    await world.db.deleteFrom(table).execute();
  await registered({}, { batch_no: 'TB1' });
  const TB1 = { kind: 'batch', numberKind: 'platform', number: 'TB1' } as const;
  await claimUnits(world.db, [TB1], { by: 'another', at: world.orders.night.clock.wall() });
  expect(settledLines(await world.step({ only: { outOrderNo: 'B2-1' } }))).toEqual(['B2-1 1 UNKNOWN']);
  const claims = world.db.selectFrom('order_due').select(['claim_by', 'may_have_shown_at']);
  expect(await claims.where('number', '=', 'TB1').execute()).toEqual([
    { claim_by: 'another', may_have_shown_at: null },
  ]);
});

/** What is listed first, two minutes later, and from the fourth minute on; and what is registered before those two minutes. */
type Called = [how: string, listed: Patch, then: Patch, at4: Patch, ...beside: Partial<Registered>[]];
type Patch = { set?: Record<string, string>; remove?: string[] };

const ownB1 = { out_batch_no: 'B1', out_order_no: 'B1-2' };

test.each<Called>([
  ['otherwise once', {}, { set: { outBatchNo: 'B9' } }, { set: { outBatchNo: 'B1' } }],
  ['otherwise from the second on', { set: { outBatchNo: 'C1' } }, { set: { outBatchNo: 'B1' } }, {}],
  [
    'by the number alone that they are asked for by, and that is registered with the other',
    { remove: ['outBatchNo'] },
    { set: { outBatchNo: 'B1' }, remove: ['batchNo'] },
    {},
    { ...ownB1, batch_no: 'TB1' },
  ],
  [
    'by the number alone that they are asked for by, until one states both',
    { remove: ['outBatchNo'] },
    { set: { outBatchNo: 'B1' }, remove: ['batchNo'] },
    { set: { batchNo: 'TB1' } },
    ownB1,
  ],
])('one whose batch answers call %s is retried', async (_how, listed, then, at4, ...beside) => {
  const changes = [
    { at: '2026-03-02 02:02:00', ...then },
    { at: '2026-03-02 02:04:00', ...at4 },
  ];
  await registered({ listed, changes }, { batch_no: 'TB1', out_order_no: 'B1-1' });
  await nightAsks('TB1');
  for (const own of beside) await register(world.db, { kind: 'transfer', payer_account_no: 'P', ...own });
  await scheduleOrderQueries(world.db, world.orders.night.clock.wall());
  for (const at of ['02:03:00', '02:05:00']) {
    world.moveTo(`02 ${at}`);
    await nightAsks('TB1', 'B1');
  }
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0', 'B1-2 moved none 0']);
  world.moveTo('02 04:00:00');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
});

test('one that another batch lists by the same number, and none of the platform, stays what it is', async () => {
  world.sandbox.setSwitches({ numberScope: 'batch' });
  const each = { kind: 'record', path: 'division/query', times: null, row: 'all' } as const;
  world.sandbox.addFault({ ...each, remove: ['orderNo'] });
  for (const no of ['B1', 'B2']) {
    const settle = no === 'B1' ? { state: 'FAIL' } : null;
    world.orders.batch(no, [{ outOrderNo: 'T1', settle }], { listed: { set: { batchNo: '0' } } });
    await world.orders.registerBatches(no);
    await world.orders.collect();
  }
  expect(await world.orders.orders()).toEqual(['B2#1 open none 0', 'T1 moved failed 0']);
});
