/** Asking the sandbox for batches and withdrawals: enrolled, asked, saved, asked again at their turn. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recheckOrders } from '../../../jobs/night/collect/collect-orders.ts';
import { at } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { OrderNight, isBetween } from '../../helpers/company/order-night.ts';
import { register } from '../../helpers/company/order-registering.ts';

let order: OrderNight;

beforeEach(async () => {
  order = await OrderNight.open();
});
afterEach(() => order.close());

test('what was registered is asked for, with fees, settlement and refunds as the platform states them', async () => {
  order.batch('B1', [{ feeFen: 30n, feeType: 'ACCOUNT' }, { state: 'FAIL' }], {
    refunds: [{ outOrderNo: 'B1-1', at: '2026-03-01 12:00:00', amountFen: 4_000n }],
  });
  order.batch('B2', [{ settle: { delayMs: 999_000_000 } }]);
  order.withdrawal('W1', { feeFen: 20n });
  order.withdrawal('W2', { state: 'PROCESSING' });
  await order.registerBatches('B1', 'B2');
  await order.registerWithdrawals('W1', 'W2');
  expect(await order.collect()).toEqual({
    batches: 2,
    transferOrders: 3,
    withdrawals: 2,
    failed: 0,
    ledgerOnly: 0,
    unaskable: 0,
    changed: 5,
  });
  expect(await order.orders()).toEqual(['B1-1 moved none 4000', 'B1-2 failed none 0', 'B2-1 moved open 0']);
  expect(
    await lines(order.night.db, 'transfer_order', [
      'out_order_no',
      'amount_fen',
      'fee_fen',
      'fee_type',
      'real_fen',
    ]),
  ).toEqual(['B1-1 10000 30 ACCOUNT 10000', 'B1-2 10000 0 ORDER 10000', 'B2-1 10000 0 ORDER 10000']);
  expect(
    await lines(order.night.db, 'withdrawal', ['out_order_no', 'effective_state', 'fee_fen', 'real_fen']),
  ).toEqual(['W1 moved 20 4980', 'W2 open 0 5000']);
  expect(await order.dues()).toEqual([
    'out B1 final 2026-03-03 night-1',
    'out B2 open  night-1',
    'out W1 final 2026-03-03 night-1',
    'out W2 open  night-1',
  ]);
  expect(await lines(order.night.db, 'order_fault', ['class'])).toEqual([]);
});

test('U50: the interval of a change lies between our looks, in the platform’s time', async () => {
  order.batch('B1', [{ finalAt: '2026-03-02 02:30:00' }]);
  await order.registerBatches('B1');
  await order.collect();
  order.night.moveTo('2026-03-02 03:00:00');
  await order.collect({ runId: 'night-2' });
  const change = await order.night.db.selectFrom('order_state_seen').selectAll().executeTakeFirstOrThrow();
  expect(change.since).toBe(at('2026-03-01 09:00:00'));
  // The platform's time is known to the second.
  expect(isBetween(change.last_open_at, '2026-03-02 01:59:59', '2026-03-02 02:00:30')).toBe(true);
  expect(isBetween(change.first_final_at, '2026-03-02 02:59:59', '2026-03-02 03:00:30')).toBe(true);
});

test('final orders are asked for at their turn only, open ones every night; a second look is not a second order', async () => {
  order.batch('B1', [{}]);
  order.batch('B2', [{ finalAt: '2026-03-09 00:00:00' }]);
  await order.registerBatches('B1', 'B2');
  const askedPerNight: number[] = [];
  for (const day of ['02', '03', '04', '05', '06', '07']) {
    const before = order.asked('division/query');
    await order.collectOn(day);
    askedPerNight.push(order.asked('division/query') - before);
  }
  // B1 at ages 0, 1, 2, 3 and 5; B2 always.
  expect(askedPerNight).toEqual([2, 2, 2, 2, 1, 2]);
  expect(await order.orders()).toEqual(['B1-1 moved none 0', 'B2-1 open none 0']);
});

test('P14: not found is not failed; the company that was refused expects nothing', async () => {
  await order.registerBatches('B1', 'B2');
  await register(order.night.db, {
    kind: 'withdrawal',
    out_order_no: 'W1',
    payer_account_no: 'P',
    outcome: 'refused',
  });
  await order.collect();
  expect(await order.dues()).toEqual([
    'out B1 not_found  night-1',
    'out B2 not_found  night-1',
    'out W1 refused - night-1',
  ]);
  order.batch('B2', [{}]);
  await order.collect({ runId: 'night-2' });
  expect(await order.dues()).toEqual([
    'out B1 not_found  night-2',
    'out B2 final 2026-03-03 night-2',
    'out W1 refused - night-1',
  ]);
  expect(await order.orders()).toEqual(['B2-1 moved none 0']);
});

test('an order that is not found by the company’s number is asked for by the platform’s, and from then on', async () => {
  order.batch('B1', [{}], { batchNo: 'N-1' });
  order.withdrawal('W1', { orderNo: 'N-2' });
  await register(
    order.night.db,
    { kind: 'transfer', out_batch_no: 'OURS', batch_no: 'N-1', payer_account_no: 'P' },
    { kind: 'withdrawal', out_order_no: 'OURS', order_no: 'N-2', payer_account_no: 'P' },
  );
  await order.collect();
  expect(await order.dues()).toEqual([
    'platform N-1 final 2026-03-03 night-1',
    'platform N-2 final 2026-03-03 night-1',
  ]);
  expect(await order.collect({ runId: 'night-2', today: '2026-03-03' })).toMatchObject({
    batches: 1,
    transferOrders: 1,
    withdrawals: 1,
    changed: 0,
  });
});

describe('orders that only the ledger names', () => {
  test('are asked for, withdrawals by either number; transfers without batch number are said', async () => {
    order.batch('B1', [{}]);
    order.withdrawal('W1', { orderNo: 'N-W1' });
    order.withdrawal('W2', { orderNo: 'N-W2' });
    await order.night.entries([
      {
        id: '1',
        account: 'P',
        fen: -10_000n,
        at: '2026-03-01 09:00:00',
        kind: 'transfer_out',
        reference: 'B1-1',
      },
      { id: '2', account: 'P', fen: -5_000n, at: '2026-03-01 10:00:00', kind: 'withdrawal', reference: 'W1' },
      {
        id: '3',
        account: 'P',
        fen: -5_000n,
        at: '2026-03-01 10:00:00',
        kind: 'withdrawal',
        reference: 'N-W2',
      },
      { id: '4', account: 'P', fen: -7n, at: '2026-03-01 11:00:00', kind: 'transfer_out', reference: 'T9' },
    ]);
    await order.night.db
      .updateTable('ledger_entry')
      .set({ out_batch_no: 'B1' })
      .where('entry_id', '=', '1')
      .execute();
    expect(await order.collect()).toMatchObject({
      batches: 1,
      withdrawals: 2,
      ledgerOnly: 3,
      unaskable: 1,
    });
    expect(await lines(order.night.db, 'order_due', ['number_kind', 'number', 'origin', 'state'])).toEqual([
      'out B1 ledger final',
      'out W1 ledger final',
      'platform N-W2 ledger final',
    ]);
    expect(await lines(order.night.db, 'withdrawal', ['out_order_no', 'order_no'])).toEqual([
      'W1 N-W1',
      'W2 N-W2',
    ]);
    expect(order.job.log.lines.filter(({ event }) => event === 'order.unaskable')).toMatchObject([
      { accountNo: 'P', count: 1 },
    ]);
  });
});

test('REF-10: a refund 45 days after success is found when its account’s batches are asked again, out of turn', async () => {
  order.batch('B1', [{}], { refunds: [{ outOrderNo: 'B1-1', at: '2026-04-15 12:00:00' }] });
  order.batch('B2', [{}]);
  await order.registerBatches('B1', 'B2');
  await order.collect();
  await order.night.db.updateTable('order_due').set({ next_day: '2026-05-01' }).execute();
  order.night.moveTo('2026-04-16 02:00:00');
  const run = { runId: 'night-2', toDay: '2026-04-15', today: '2026-04-16' };
  expect(await order.collect(run)).toMatchObject({ batches: 0, changed: 0 });
  expect(await recheckOrders(order.job, run, ['R'])).toBe(0);
  expect(await recheckOrders(order.job, run, ['Q'])).toBe(1);
  expect(await order.orders()).toEqual(['B1-1 moved none 10000', 'B2-1 moved none 0']);
  expect(await recheckOrders(order.job, run, ['P', 'Q'])).toBe(0);
});

test('U49: a settlement and a withdrawal that come back within ten days are seen the night after', async () => {
  const day = 86_400_000;
  order.batch('B1', [{ settle: { returnAfterMs: 6 * day } }]);
  order.withdrawal('W1', { returnAfterMs: 6 * day });
  await order.registerBatches('B1');
  await order.registerWithdrawals('W1');
  for (const date of ['02', '03', '04', '05', '06', '07', '08', '09']) await order.collectOn(date);
  expect(
    await lines(order.night.db, 'order_state_seen', ['out_order_no', 'subject', 'change_no', 'state']),
  ).toEqual([
    'B1-1 settlement 1 moved',
    'B1-1 settlement 2 returned',
    'B1-1 transfer 1 moved',
    'W1 withdrawal 1 moved',
    'W1 withdrawal 2 returned',
  ]);
  const returned = await order.night.db
    .selectFrom('order_state_seen')
    .select(['last_open_at', 'first_final_at'])
    .where('state', '=', 'returned')
    .execute();
  for (const change of returned) {
    expect(isBetween(change.last_open_at, '2026-03-07 01:59:59', '2026-03-07 02:01:00')).toBe(true);
    expect(isBetween(change.first_final_at, '2026-03-08 01:59:59', '2026-03-08 02:01:00')).toBe(true);
  }
});

test('with accounts, only what concerns them or nobody known is asked for', async () => {
  await order.night.accounts({ no: 'Z', heldFen: 1_000_000n });
  order.batch('B1', [{}]);
  order.batch('B2', [{}], { payerAcctNo: 'Z' });
  order.withdrawal('W1');
  await register(
    order.night.db,
    { kind: 'transfer', out_batch_no: 'B1', payer_account_no: 'P' },
    { kind: 'transfer', out_batch_no: 'B2', payer_account_no: 'Z' },
    { kind: 'withdrawal', out_order_no: 'W1' },
  );
  expect(await order.collect({ accounts: ['P'] })).toMatchObject({ batches: 1, withdrawals: 1 });
  expect(await order.orders()).toEqual(['B1-1 moved none 0']);
});
