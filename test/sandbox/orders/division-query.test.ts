/** `division/query`: how switches spell batches and orders (ENV-26, DIV-30, U34, U48, U59). */
import { describe, expect, test } from 'vitest';

import type { OutcomeSeed } from '../../../src/sandbox/orders/order-schema.ts';
import { anOrder, ordersOf, pay, queryBatch, sandboxWithOrders, theOrder } from './orders-caller.ts';

type Planned = Omit<Extract<OutcomeSeed, { kind: 'transfer' }>, 'kind'>;

/** A batch whose orders end as planned, one after the other. */
function batchOf(...planned: Planned[]): { state: unknown; states: unknown[]; notes: unknown[] } {
  const sandbox = sandboxWithOrders();
  sandbox.planOutcomes(planned.map((outcome) => ({ kind: 'transfer', ...outcome })));
  pay(
    sandbox,
    planned.map(() => anOrder()),
    { outBatchNo: 'B-1' },
  );
  const answer = queryBatch(sandbox, 'B-1');
  const orders = ordersOf(answer);
  return {
    state: answer.biz['state'],
    states: orders.map(({ state }) => state),
    notes: orders.map(({ note }) => note),
  };
}

describe('answers', () => {
  test('a batch and its orders have numbers that say what they are', () => {
    const sandbox = sandboxWithOrders();
    const answer = pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    expect(answer.biz).toMatchObject({ batchNo: 'TB20260301K000001' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ orderNo: 'TO20260301K000002' });
  });

  test('U48: the fee is spelled mchFee, fee, or both', () => {
    const sandbox = sandboxWithOrders({ switches: { transferFee: { feeType: 'ORDER', feeFen: 30 } } });
    pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ mchFee: 30 });
    sandbox.setSwitches({ transferFeeName: 'fee' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ fee: 30 });
    expect(theOrder(sandbox, 'B-1')).not.toHaveProperty('mchFee');
    sandbox.setSwitches({ transferFeeName: 'both' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ fee: 30, mchFee: 30 });
  });

  test('ENV-26: orderList is a text, by a switch an array', () => {
    const sandbox = sandboxWithOrders();
    pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    expect(typeof queryBatch(sandbox, 'B-1').biz['orderList']).toBe('string');
    sandbox.setSwitches({ orderListAs: 'array' });
    expect(Array.isArray(queryBatch(sandbox, 'B-1').biz['orderList'])).toBe(true);
  });

  test('U59: amounts are numbers, by a switch texts', () => {
    const sandbox = sandboxWithOrders({ switches: { numbersAs: 'string' } });
    pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({
      amount: '10000',
      realAmount: '10000',
      refundAmount: '0',
    });
  });

  test('U34: without automatic withdrawal settleState is empty, null or absent', () => {
    const sandbox = sandboxWithOrders();
    pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ settleState: '' });
    sandbox.setSwitches({ noSettleState: 'null' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ settleState: null, settleRemark: null });
    sandbox.setSwitches({ noSettleState: 'absent' });
    expect(theOrder(sandbox, 'B-1')).not.toHaveProperty('settleState');
  });
});

describe('DIV-26, DIV-31: the label follows the orders', () => {
  test('DIV-30: an order that failed says why', () => {
    expect(batchOf({ state: 'FAIL' }, { state: 'CLOSE', note: '已关闭' }, {}).notes).toEqual([
      '交易失败',
      '已关闭',
      '',
    ]);
  });
});
