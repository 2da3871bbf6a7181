/** What a look showed of a settlement or refund counts whatever else is odd in its answer (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notRefunded } from '../../../jobs/call/not-refunded.ts';
import { askBatch } from '../../../jobs/night/collect/ask-order.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import { DAY_MS } from '../../../src/core/time.ts';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import { leftLines, SettleWorld, settledLines } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

/** What a view states of B1-1 that has not heard of the retry. */
const LAGGING = { settleState: 'FAIL', settleRemark: '账户异常' };

type Row = Pick<FaultSeed & { kind: 'record' }, 'row' | 'set' | 'remove'>;

/** A night at that time of 2 March is shown these rows so, and one of them twice. */
async function nightSees(time: string, rows: readonly Row[], twice?: number): Promise<void> {
  world.moveTo(`02 ${time}`);
  if (twice !== undefined) {
    world.sandbox.addFault({ kind: 'repeat_row', path: 'division/query', times: 1, row: twice });
  }
  for (const row of rows)
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, ...row });
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
  world.sandbox.liftFaults();
}

/** One of two orders, at two. */
async function settledThroughPages(): Promise<void> {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failed(
    'B1',
    { settle: { state: 'FAIL', retries: [{ state: 'SUCCESS', delayMs: 600_000 }] } },
    { settle: null },
  );
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
}

test.each([
  ['the payee of another order', { row: 1, set: { payeeAcctNo: 'q' } }],
  ['its payer', { row: 0, set: { settleState: 'PROCESSING', payeyAcctNo: ' P' } }],
])(
  'a settlement that a night was shown under way is not sent again, where that answer misspelt %s',
  async (_name, odd) => {
    await settledThroughPages();
    await nightSees('02:03:00', [odd]);
    // A view that lags behind.
    world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
    world.moveTo('02 02:05:00');
    expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
  },
);

test.each([
  ['states no number', { row: 0, remove: ['outOrderNo', 'orderNo'] }],
  ['states another one', { row: 0, set: { outOrderNo: 'b1-1' }, remove: ['orderNo'] }],
])('nor is one that a night was shown under way in a record that %s', async (_name, odd) => {
  await settledThroughPages();
  await nightSees('02:03:00', [odd]);
  // A view that lags behind.
  world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
  await nightSees('02:05:00', []);
  expect(await world.orders.orders()).toContain('B1-1 moved failed 0');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test('nor is one that a night was shown under way by no record, where its payer is not that of the batch', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.orders.night.accounts({ no: 'R', heldFen: 10_000_000n });
  const set = { payerAcctNo: 'R', payeyAcctNo: 'R' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, row: 1, set });
  await world.failed(
    'B1',
    { settle: null },
    { settle: { state: 'FAIL', retries: [{ state: 'SUCCESS', delayMs: 600_000 }] } },
  );
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-2', remark: 'by hand' });
  world.sandbox.addFault({ kind: 'drop_row', path: 'division/query', times: 1, row: 1 });
  await nightSees('02:03:00', []);
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: null, row: 1, set });
  // A view that lags behind.
  world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
  world.moveTo('02 02:05:00');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-2 fault'], 1]);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night of 02:05:00' });
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-2 cool_down'], 1]);
});

test.each<[string, FaultSeed, string]>([
  ['cannot be read', { kind: 'biz_data_object' }, 'bizData'],
  ['was altered on its way', { kind: 'corrupt_biz_data' }, 'signature'],
  ['is no envelope', { kind: 'body', content: 'array', contentType: 'application/json' }, 'unreadable'],
  ['is about another batch', { kind: 'swapped', between: ['B1', 'B2'] }, 'the answer is about B2'],
])(
  'nor is one that was under way when a night was given an answer that %s',
  async (_name, fault, failure) => {
    world.orders.batch('B2', [{ settle: null }]);
    await settledThroughPages();
    world.sandbox.addFault({ ...fault, path: 'division/query', times: null });
    await nightSees('02:03:00', []);
    expect(await world.db.selectFrom('order_due').select('failure').execute()).toEqual([
      { failure: expect.stringContaining(failure) as string },
    ]);
    // A view that lags behind.
    world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
    await nightSees('02:05:00', []);
    expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
  },
);

test('nor is one of which only the first try of a query cannot be read', async () => {
  await settledThroughPages();
  world.moveTo('02 02:03:00');
  world.sandbox.addFault({ kind: 'biz_data_object', path: 'division/query', times: 1 });
  // A view that lags behind from the second try on.
  world.sandbox.addFault({ kind: 'record', path: 'division/query', skip: 1, times: 1, row: 0, set: LAGGING });
  await nightSees('02:03:00', []);
  world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
  world.moveTo('02 02:05:00');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test.each<[string, FaultSeed]>([
  ['was cut off', { kind: 'drop_after' }],
  ['had no answer but a page', { kind: 'http_status', status: 502, content: 'html' }],
  ['was refused', { kind: 'too_frequent' }],
])('a query that %s shows nothing, and delays no retry', async (_name, fault) => {
  await world.failed('B1', {});
  world.sandbox.addFault({ ...fault, path: 'division/query', times: null });
  await nightSees('02:03:00', []);
  expect(await world.db.selectFrom('order_due').where('failure', '=', '').select('number').execute()).toEqual(
    [],
  );
  expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
});

test("nor is one that an answer by the platform's number shows in a batch of another name", async () => {
  await settledThroughPages();
  world.moveTo('02 02:03:00');
  const ports = await world.ports();
  const [{ batchNo: number } = { batchNo: '' }] = await ports.book.listFailed();
  const { answer } = await askBatch(ports, { kind: 'batch', numberKind: 'platform', number });
  if (answer.kind !== 'batch') throw new Error('the platform does not know the batch');
  const orders = answer.batch.orders.map((order) => ({ ...order, orderNo: '' }));
  await ports.book.saveLook({ ...answer, batch: { ...answer.batch, outBatchNo: 'b1', orders } });
  // A view that lags behind.
  world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
  world.moveTo('02 02:05:00');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test.each<[string, readonly Row[], number?]>([
  [
    'in the second record of an order that is listed twice',
    [{ row: 2, set: { state: 'WAIT_CONFIRM', refundAmount: 10_000 } }],
    0,
  ],
  ['of which the sum cannot be read', [{ row: 0, set: { refundAmount: '10000.0' } }]],
])('nor does the word that none was taken stand against a refund %s', async (_name, rows, twice) => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 5 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  const { reqId } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
  world.moveTo('02 05:00:00');
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  const said = { accountNo: 'P', outOrderNo: 'T1', by: 'Li Na', reqId: String(reqId) };
  expect((await notRefunded(world.orders.job, said)).document).toMatchObject({ deniedBy: 'Li Na' });
  await world.restart();
  await nightSees('06:00:00', rows, twice);
  await world.orders.collectOn('04');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect([world.sends(), world.paid('T1')]).toEqual([0, 0]);
});

test.each([
  ['the number of the platform alone', { row: 2, remove: ['outOrderNo'] }],
  ["another order's number besides that of the platform", { row: 2, set: { outOrderNo: 'B1-2' } }],
])('nor is one that a second record shows under way, which states %s', async (_name, second) => {
  const remove = ['orderNo'];
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, row: 0, remove });
  await settledThroughPages();
  await nightSees('02:03:00', [{ row: 0, set: LAGGING }, second], 0);
  // A view that lags behind.
  world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
  await nightSees('02:05:00', []);
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0', 'B1-2 moved none 0']);
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});

test.each([
  ['as its own record does', {}],
  ['and its own one does not', { remove: ['orderNo'] }],
])(
  'nor does one end as paid whose number of the platform another record states, under way, %s',
  async (_name, own) => {
    await world.failed(
      'B1',
      { settle: { state: 'FAIL', retries: [{ state: 'PROCESSING' }] } },
      { settle: null },
    );
    world.moveTo('02 02:00:00');
    await world.step();
    const [{ orderNo } = { orderNo: '' }] = await (await world.ports()).book.listOpen();
    const other = { row: 1, set: { orderNo, settleState: 'PROCESSING' } };
    for (const odd of [{ row: 0, set: { settleState: 'SUCCESS' }, ...own }, other])
      world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, ...odd });
    world.moveTo('02 04:00:00');
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 AWAITING']);
  },
);

test.each<[string, readonly Row[], number?]>([
  [
    'of another payer',
    [{ row: 0, set: { refundAmount: 10_000, payerAcctNo: 'R', payeyAcctNo: 'R' }, remove: ['orderNo'] }],
  ],
  ['that is listed twice', [{ row: 0, set: { refundAmount: 10_000 } }], 0],
  [
    'whose number of the platform another one states',
    [
      { row: 0, set: { refundAmount: 10_000 }, remove: ['orderNo'] },
      { row: 1, set: { orderNo: 'T1' } },
    ],
  ],
  ['of another amount', [{ row: 0, set: { refundAmount: 9_000, amount: 9_000, realAmount: 9_000 } }]],
  ['of another payee', [{ row: 0, set: { refundAmount: 10_000, payeeAcctNo: 'R' } }]],
])(
  'a refund that is on its way is not taken for done where a record %s shows one',
  async (_name, rows, twice) => {
    world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 5 * DAY_MS, settleGuard: false });
    await world.orders.night.accounts({ no: 'R', heldFen: 10_000_000n });
    await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
    await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
    const { order_no: orderNo } = await world.db
      .selectFrom('transfer_order')
      .select('order_no')
      .where('out_order_no', '=', 'T1')
      .executeTakeFirstOrThrow();
    await nightSees(
      '06:00:00',
      rows.map((row) => (row.set?.['orderNo'] === 'T1' ? { ...row, set: { orderNo } } : row)),
      twice,
    );
    await world.orders.collectOn('03');
    await world.orders.collectOn('04');
    world.moveTo('04 14:00:00');
    expect(leftLines(await world.step())).toEqual(['T1 refunded']);
    await world.orders.collectOn('08');
    expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
    expect([world.sends(), world.paid('T1')]).toEqual([0, 0]);
  },
);

test.each<[string, number | undefined, string[]]>([
  ['once is given back is waited for no longer', undefined, []],
  ['twice again is waited for', 0, ['T1 refunded']],
])(
  'a refund that is shown done by a record that is listed twice, and by one that is listed %s',
  async (_name, twice, left) => {
    world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 5 * DAY_MS });
    await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
    await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
    const done = { row: 0, set: { refundAmount: 10_000 } };
    await nightSees('06:00:00', [done], 0);
    await nightSees('10:00:00', [done], twice);
    await world.orders.collectOn('03');
    world.moveTo('03 14:00:00');
    expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 0');
    expect(leftLines(await world.step({ mode: 'dry-run' }))).toEqual(left);
  },
);
