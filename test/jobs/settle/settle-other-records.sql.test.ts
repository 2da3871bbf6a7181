/** Which records of an answer may be of an order whose retry was taken: those of others end it by no word (docs/reliability.md 2.3 a). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
});
afterEach(() => world.close());

type Row = Pick<FaultSeed & { kind: 'record' }, 'row' | 'set' | 'remove'>;

/** What the next looks are shown of these rows. */
function shows(...rows: readonly Row[]): void {
  world.sandbox.liftFaults();
  for (const row of rows)
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: null, ...row });
}

/** The platform's number of B1-1, as it is stored; empty: no answer has stated it. */
async function knownNumber(): Promise<string> {
  const { order_no: orderNo } = await world.db
    .selectFrom('transfer_order')
    .select('order_no')
    .where('out_order_no', '=', 'B1-1')
    .executeTakeFirstOrThrow();
  return orderNo;
}

/** One of two orders, whose number no answer has stated; its retry was taken, and no view shows it for twelve hours. */
async function takenWithoutNumber(): Promise<void> {
  shows({ row: 0, remove: ['orderNo'] });
  const settle = { state: 'FAIL', remark: '账户异常', retries: [{ state: 'SUCCESS', delayMs: 36_000_000 }] };
  await world.failed('B1', { settle }, { settle: null });
  world.sandbox.setSwitches({ settleViewLagMs: 43_200_000 });
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
}

const OTHER = { orderNo: 'N-OTHER', settleState: 'SUCCESS' };
const TWICE: readonly Row[] = [
  { row: 0, set: { settleState: 'SUCCESS' } },
  {
    row: 1,
    set: { outOrderNo: 'B1-1', settleState: 'FAIL' },
    remove: ['payerAcctNo', 'payeyAcctNo', 'orderNo'],
  },
];

test.each<[string, readonly Row[], string[]]>([
  ["another order's is stated as paid", [{ row: 0, set: OTHER }], ['B1-1 1 AWAITING']],
  [
    'it is stated as paid without a number, and as failed by its number alone',
    [
      { row: 0, set: { settleState: 'SUCCESS' }, remove: ['orderNo'] },
      { row: 1, set: { settleState: 'FAIL' } },
    ],
    ['B1-1 1 AWAITING'],
  ],
  ['it is stated as paid, and as failed without a payer', TWICE, ['B1-1 1 AWAITING']],
  [
    'it is stated as paid, and as failed of another payer',
    [
      { row: 0, set: { settleState: 'SUCCESS' } },
      {
        row: 1,
        set: { outOrderNo: 'B1-1', settleState: 'FAIL', payerAcctNo: 'R', payeyAcctNo: 'R' },
        remove: ['orderNo'],
      },
    ],
    ['B1-1 1 AWAITING'],
  ],
  ['it is stated as paid', [{ row: 0, set: { settleState: 'SUCCESS' } }], ['B1-1 1 SUCCESS']],
])('once the number is known: where %s', async (_name, rows, expected) => {
  await takenWithoutNumber();
  shows();
  world.moveTo('02 04:00:00');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 AWAITING']);
  const orderNo = await knownNumber();
  shows(
    ...rows.map((row) =>
      row.row === 1 && row.remove === undefined ? { ...row, set: { orderNo, ...row.set } } : row,
    ),
  );
  world.moveTo('02 06:00:00');
  expect(settledLines(await world.step())).toEqual(expected);
});

test.each<[string, readonly Row[]]>([
  ['another order as paid', [{ row: 0, set: OTHER }]],
  ['it as paid, and as failed without a payer', TWICE],
  ['it as paid to another account', [{ row: 0, set: { settleState: 'SUCCESS', payeeAcctNo: 'X' } }]],
  [
    'it as paid, and as of another payer',
    [{ row: 0, set: { settleState: 'SUCCESS', payerAcctNo: 'R', payeyAcctNo: 'R' }, remove: ['orderNo'] }],
  ],
])('so one that was taken is not sent once more where queries state %s', async (_name, rows) => {
  await takenWithoutNumber();
  shows();
  world.moveTo('02 04:00:00');
  await world.step();
  shows(...rows);
  world.moveTo('02 06:00:00');
  await world.step();
  shows();
  world.moveTo('02 10:00:00');
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: 'night of ten' });
  expect(await world.orders.orders()).toContain('B1-1 moved failed 0');
  world.moveTo('02 12:00:00');
  await world.step();
  world.moveTo('02 12:20:00');
  await world.step();
  world.moveTo('02 13:40:00');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 AWAITING']);
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
});

test.each<[string, readonly Row[], string[]]>([
  ["another order's is stated as paid", [{ row: 0, set: OTHER }], ['B1-1 1 AWAITING']],
  [
    'it is stated as paid without a number, and as failed by its number alone',
    [
      { row: 0, set: { settleState: 'SUCCESS' }, remove: ['orderNo'] },
      { row: 1, set: { settleState: 'FAIL' } },
    ],
    ['B1-1 1 AWAITING'],
  ],
  ['it is stated as paid', [{ row: 0, set: { settleState: 'SUCCESS' } }], ['B1-1 1 SUCCESS']],
])('once its number became known after it was listed: where %s', async (_name, rows, expected) => {
  await takenWithoutNumber();
  world.moveTo('02 06:00:00');
  const { book } = await world.ports();
  const listOpen: typeof book.listOpen = async () => {
    const open = await book.listOpen();
    shows();
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: 'meanwhile' });
    const orderNo = await knownNumber();
    shows(...rows.map((row) => (row.row === 1 ? { ...row, set: { orderNo, ...row.set } } : row)));
    return open;
  };
  expect(settledLines(await world.step({}, { book: { ...book, listOpen } }))).toEqual(expected);
});

test('a settlement whose number became known after it was listed is not retried where another record states that', async () => {
  const remove = ['orderNo'];
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, row: 0, remove });
  await world.failed('B1', { settle: { state: 'FAIL' } }, { settle: null });
  world.moveTo('02 02:00:00');
  const { book } = await world.ports();
  const listFailed: typeof book.listFailed = async () => {
    const failed = await book.listFailed();
    world.sandbox.liftFaults();
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: 'meanwhile' });
    const orderNo = await knownNumber();
    expect([failed.map((order) => order.orderNo), orderNo === '']).toEqual([[''], false]);
    shows({ row: 0, remove }, { row: 1, set: { orderNo, settleState: 'PROCESSING' } });
    return failed;
  };
  expect(leftLines(await world.step({}, { book: { ...book, listFailed } }))).toEqual(['B1-1 not_listed']);
  expect(world.sends()).toBe(0);
});
