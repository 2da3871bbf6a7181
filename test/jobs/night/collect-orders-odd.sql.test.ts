/** What the platform says of orders may be unreadable, contradictory or unknown: kept, said, and never money. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recheckOrders } from '../../../jobs/night/collect/collect-orders.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { at } from '../../helpers/night.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';
import { register } from '../../helpers/company/order-registering.ts';

let order: OrderNight;

beforeEach(async () => {
  order = await OrderNight.open();
});
afterEach(() => order.close());

describe('what cannot be read', () => {
  test('is a failure of the run, kept as it was, and asked for again when the run is resumed', async () => {
    order.batch('B1', [{}]);
    order.batch('B2', [{}]);
    await order.registerBatches('B1', 'B2');
    order.night.sandbox.addFault({
      kind: 'unmapped_code',
      path: 'division/query',
      times: 1,
      msg: '系统繁忙 13812345678',
    });
    expect(await order.collect()).toMatchObject({ failed: 1, batches: 2, transferOrders: 1 });
    const failed = await order.night.db
      .selectFrom('order_due')
      .selectAll()
      .where('failure', '<>', '')
      .execute();
    expect(failed).toMatchObject([
      { state: 'new', asked_run: 'night-1', failure: 'the platform refused: E77777 系统繁忙 138****5678' },
    ]);
    const before = order.asked('division/query');
    expect(await order.collect()).toMatchObject({
      failed: 0,
      batches: 2,
      transferOrders: 2,
      changed: 1,
    });
    expect(order.asked('division/query') - before).toBe(1);
    expect(await order.orders()).toEqual(['B1-1 moved none 0', 'B2-1 moved none 0']);
  });

  test('N1: a platform that is away is not asked without end; what was not asked is said and asked later', async () => {
    const numbers = Array.from({ length: 150 }, (_, place) => `W${place}`);
    for (const no of numbers) order.withdrawal(no, { amountFen: 1n });
    await order.registerWithdrawals(...numbers);
    order.night.sandbox.addFault({
      kind: 'http_status',
      status: 503,
      path: 'account/queryWithdraw',
      times: null,
    });
    expect(await order.collect()).toMatchObject({ failed: 150, withdrawals: 150 });
    const failures = await lines(order.night.db, 'order_due', ['failure']);
    const notAsked = failures.filter((failure) => failure.startsWith('not asked: '));
    // Some more than fifty were under way before fifty had failed.
    expect(notAsked.length).toBeGreaterThan(90);
    order.night.sandbox.liftFaults();
    expect(await order.collect()).toMatchObject({ failed: 0, changed: 150 });
  });

  test('a question that failed out of turn is asked again in the resumed run, whatever its turn', async () => {
    order.batch('B1', [{}]);
    await order.registerBatches('B1');
    await order.collect();
    const run = { runId: 'night-2', toDay: '2026-03-01', today: '2026-03-02' };
    order.night.sandbox.addFault({ kind: 'unmapped_code', path: 'division/query', times: 1 });
    await recheckOrders(order.job, run, ['P']);
    expect(await lines(order.night.db, 'order_due', ['state', 'next_day', 'asked_run', 'failure'])).toEqual([
      'final  night-2 the platform refused: E77777 系统繁忙',
    ]);
    expect(await order.collect(run)).toMatchObject({ batches: 1, failed: 0 });
    expect(await order.dues()).toEqual(['out B1 final 2026-03-03 night-2']);
  });

  test('P13: an orderList that is no list, and a batch that is not the one asked for, are no facts', async () => {
    order.batch('B1', [{}], { listed: { set: { orderList: 'no list' } } });
    order.batch('B2', [{}], { listed: { set: { outBatchNo: 'B7' } } });
    await order.registerBatches('B1', 'B2');
    expect(await order.collect()).toMatchObject({ failed: 2, transferOrders: 0 });
    expect(await lines(order.night.db, 'order_due', ['number', 'failure'])).toEqual([
      'B1 division/query: unreadable answer: orderList is no list of objects',
      'B2 division/query: asked for B2, the answer is about B7',
    ]);
    expect(await order.orders()).toEqual([]);
  });

  test('a batch with an order that could not be read is asked for again by the resumed run', async () => {
    order.batch('B1', [{}]);
    await order.registerBatches('B1');
    order.night.sandbox.addFault({ kind: 'amount', path: 'division/query', form: 'fraction', times: 1 });
    await order.collect();
    expect(await order.orders()).toEqual(['B1-1 open none 0']);
    await order.collect();
    expect(await order.orders()).toEqual(['B1-1 moved none 0']);
    const asked = order.night.sandbox.requests().length;
    await order.collect();
    expect(order.night.sandbox.requests(), 'what was read is not asked for again').toHaveLength(asked);
  });

  test('P9: an amount that cannot be read keeps its order open and says so; the others of the batch count', async () => {
    order.batch('B1', [{ listed: { set: { amount: '12.5' } } }, {}]);
    await order.registerBatches('B1');
    await order.collect();
    expect(await order.orders()).toEqual(['B1-1 open none 0', 'B1-2 moved none 0']);
    expect(await lines(order.night.db, 'order_fault', ['reference', 'class', 'note'])).toEqual([
      'B1-1 bad_record amount is not whole fen from 0 to 10^15: "12.5"',
    ]);
    expect(await order.dues()).toEqual(['out B1 open  night-1']);
  });
});

test('P6, P7: steps back and unknown words change nothing that counts and are said until they are cured', async () => {
  order.batch('B1', [
    {
      changes: [
        { at: '2026-03-03 00:00:00', set: { state: 'PROCESSING' } },
        { at: '2026-03-04 00:00:00', set: { state: 'SUCCESS', settleState: 'ODD' } },
        { at: '2026-03-05 00:00:00', set: { state: 'SUCCESS', settleState: '' } },
      ],
    },
  ]);
  await order.registerBatches('B1');
  const seen: string[][] = [];
  for (const day of ['02', '03', '04', '05']) {
    await order.collectOn(day);
    seen.push(await lines(order.night.db, 'order_fault', ['class', 'first_day', 'cured_day']));
  }
  expect(seen).toEqual([
    [],
    ['state_regression 2026-03-02 -'],
    ['state_regression 2026-03-02 2026-03-03', 'unknown_state 2026-03-03 -'],
    ['state_regression 2026-03-02 2026-03-03', 'unknown_state 2026-03-03 -'],
  ]);
  expect(await lines(order.night.db, 'transfer_order', ['effective_state', 'settlement'])).toEqual([
    'moved unknown',
  ]);
});

test('DIV-31: a batch whose label contradicts its orders or the registry says so, until it agrees', async () => {
  order.batch('B1', [{}, { state: 'FAIL' }], {
    listed: { set: { state: 'SUCCESS' } },
    changes: [{ at: '2026-03-03 00:00:00', set: { state: 'PART_SUCCESS' } }],
  });
  await register(
    order.night.db,
    { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1', amount_fen: 9_000n },
    { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-2' },
  );
  await order.collect();
  expect(await lines(order.night.db, 'transfer_batch', ['contradiction', 'contradiction_day'])).toEqual([
    'the batch says SUCCESS, but not all of its orders moved money (of 2: 1 moved, 1 failed, 0 open, 0 refunded); ' +
      'order B1-1: amount 90.00 was registered, 100.00 is stated 2026-03-01',
  ]);
  await order.night.db
    .updateTable('order_registry')
    .set({ amount_fen: 10_000n })
    .where('out_order_no', '=', 'B1-1')
    .execute();
  await order.collectOn('03');
  expect(
    await lines(order.night.db, 'transfer_batch', ['state', 'contradiction', 'contradiction_day']),
  ).toEqual(['PART_SUCCESS  ']);
});

test('a transfer that a program registered once more with another payee contradicts, until that is put right', async () => {
  order.batch('B1', [{}]);
  await order.registerBatches('B1');
  await order.collect();
  const { db } = order.night;
  const again = {
    kind: 'transfer',
    out_batch_no: 'B1',
    out_order_no: 'B1-1',
    payee_account_no: '99',
    amount_fen: null,
    submitted_at: null,
    file_id: null,
  } as const;
  await db
    .insertInto('order_registry')
    .values(again)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await order.collectOn('03');
  const said = await lines(db, 'transfer_batch', ['contradiction']);
  expect(said.join()).toContain('payee 99 was registered');
  await db.updateTable('order_contradiction').set({ settled_at: '2026-03-03T00:00:00.000Z' }).execute();
  await db.updateTable('order_registry').set({ enrolled: false }).execute();
  await order.collectOn('04');
  expect(await lines(db, 'transfer_batch', ['contradiction'])).toEqual(['']);
});

test("two registrations of one transfer, by its own number and by the platform's, are both compared and named", async () => {
  order.batch('B1', [{}]);
  await order.registerBatches('B1');
  await order.collect();
  const [numbers] = await order.night.db
    .selectFrom('transfer_order as o')
    .innerJoin('transfer_batch as b', 'b.out_batch_no', 'o.out_batch_no')
    .select(['o.order_no', 'b.batch_no'])
    .execute();
  const registered = { kind: 'transfer', amount_fen: 20_000n, ...numbers } as const;
  await register(order.night.db, registered);
  await order.night.db
    .updateTable('order_registry')
    .set({ amount_fen: 10_000n })
    .where('out_order_no', '=', 'B1-1')
    .execute();
  await order.collectOn('03');
  expect(await lines(order.night.db, 'transfer_batch', ['contradiction'])).toEqual([
    'order B1-1: amount 200.00 was registered, 100.00 is stated; ' +
      'order B1-1: amount 100.00 and 200.00 were both registered',
  ]);
});

test('a submission that was mistyped and corrected bounds neither the order nor its query any more', async () => {
  const { db } = order.night;
  order.batch('B1', [{}]);
  const registered = { kind: 'transfer', out_batch_no: 'B1', out_order_no: 'B1-1' } as const;
  await register(db, { ...registered, payer_account_no: 'P', submitted_at: at('2026-02-01 09:00:00') });
  await order.collect();
  const bounds = async () => [
    ...(await lines(db, 'order_state_seen', ['since'])),
    ...(await lines(db, 'order_due', ['submitted_at'])),
  ];
  expect(new Set(await bounds())).toEqual(new Set([at('2026-02-01 09:00:00')]));
  const corrected = { submitted_at: at('2026-03-01 09:00:00'), enrolled: false };
  await db.updateTable('order_registry').set(corrected).execute();
  await order.collectOn('03');
  expect(new Set(await bounds())).toEqual(new Set([at('2026-03-01 09:00:00')]));
});

test('the profile decides what is final, what moved, and how a refund is known', async () => {
  await order.profile({
    states: {
      child: { final: ['SUCCESS', 'FAIL', 'PART_SUCCESS'], moved: ['SUCCESS', 'PART_SUCCESS', 'REFUND'] },
    },
    settle: { stateMap: { DONE: 'settled' } },
    refund: { postBy: 'state' },
  });
  order.batch('B1', [
    { listed: { set: { state: 'PART_SUCCESS', settleState: 'DONE' } } },
    { listed: { set: { state: 'CLOSE' } } },
    { listed: { set: { state: 'SUCCESS', refundAmount: 500 } } },
    { listed: { set: { state: 'REFUND', refundAmount: null } } },
  ]);
  await order.registerBatches('B1');
  await order.collect();
  expect(await order.orders()).toEqual([
    'B1-1 moved settled 0',
    'B1-2 open none 0',
    'B1-3 moved none 500',
    'B1-4 moved none 10000',
  ]);
});
