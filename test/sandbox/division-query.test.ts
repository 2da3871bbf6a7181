/** `division/query`: batches and orders as they are shown (DIV-23…31, ENV-26…28, U27, U32). */
import { describe, expect, test } from 'vitest';

import type { OutcomeSeed } from '../../src/sandbox/orders/order-schema.ts';
import { md5Signed, members, send } from './caller.ts';
import type { Members } from './caller.ts';
import {
  anOrder,
  call,
  expectRefused,
  money,
  ordersOf,
  OTHER_PAYEE,
  pay,
  PAYEE,
  PAYER,
  queryBatch,
  refund,
  sandboxWithOrders,
  smsCode,
  theOrder,
} from './orders-caller.ts';

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
  test('DIV-23, DIV-24: pay has exactly the members of its table', () => {
    const sandbox = sandboxWithOrders();
    const order = anOrder({ outOrderNo: 'O-1', extParam: 'a' });
    const answer = pay(sandbox, [order], { outBatchNo: 'B-1', extParam: 'b' });
    expect(answer.biz).toEqual({
      outBatchNo: 'B-1',
      batchNo: 'TB20260301K000001',
      state: 'SUCCESS',
      orderList: expect.any(String) as string,
      extParam: 'b',
      note: '',
    });
    expect(ordersOf(answer)).toEqual([
      {
        outOrderNo: 'O-1',
        orderNo: 'TO20260301K000002',
        body: '货款',
        amount: 10_000,
        realAmount: 10_000,
        mchFee: 0,
        feeType: 'ORDER',
        payerAcctNo: PAYER,
        payeeAcctNo: PAYEE,
        state: 'SUCCESS',
        extParam: 'a',
        note: '',
      },
    ]);
  });

  test('DIV-24, DIV-25: query adds settlement and refund, and spells the payer in its own way', () => {
    const sandbox = sandboxWithOrders();
    pay(sandbox, [anOrder({ outOrderNo: 'O-1' })], { outBatchNo: 'B-1' });
    expect(theOrder(sandbox, 'B-1')).toEqual({
      outOrderNo: 'O-1',
      orderNo: 'TO20260301K000002',
      body: '货款',
      amount: 10_000,
      realAmount: 10_000,
      mchFee: 0,
      feeType: 'ORDER',
      payeyAcctNo: PAYER,
      payeeAcctNo: PAYEE,
      state: 'SUCCESS',
      settleState: '',
      settleRemark: '',
      refundAmount: 0,
      extParam: '',
      note: '',
    });
  });

  test('DIV-25, REF-11, U32: the payer is spelled as documented, in one way, or in both', () => {
    const sandbox = sandboxWithOrders();
    const spelled = (): unknown[] => {
      const paid = pay(sandbox, [anOrder({ amount: '1' })]);
      const { outOrderNo } = ordersOf(paid)[0] ?? {};
      const of = { outBatchNo: paid.biz['outBatchNo'], outOrderNos: outOrderNo };
      return [paid, queryBatch(sandbox, of.outBatchNo), refund(sandbox, of)].map((answer) =>
        Object.keys(ordersOf(answer)[0] ?? {}).filter(
          (name) => (name.startsWith('paye') && name !== 'payeeAcctNo') || name === 'payerAcctNo',
        ),
      );
    };
    expect(spelled()).toEqual([['payerAcctNo'], ['payeyAcctNo'], ['payeyAcctNo']]);
    sandbox.setSwitches({ payerField: 'payerAcctNo' });
    expect(spelled()).toEqual([['payerAcctNo'], ['payerAcctNo'], ['payerAcctNo']]);
    sandbox.setSwitches({ payerField: 'both' });
    expect(spelled()[1]).toEqual(['payerAcctNo', 'payeyAcctNo']);
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

  test('DIV-09, DIV-30: extension values are echoed by pay and query', () => {
    const sandbox = sandboxWithOrders();
    const answers = [
      pay(sandbox, [anOrder({ extParam: '订单一' })], { outBatchNo: 'B-1', extParam: '批次一' }),
      queryBatch(sandbox, 'B-1'),
    ];
    expect(answers.map(({ biz }) => biz['extParam'])).toEqual(['批次一', '批次一']);
    expect(answers.map((answer) => ordersOf(answer)[0]?.['extParam'])).toEqual(['订单一', '订单一']);
  });
});

describe('which batch', () => {
  test('DIV-29, ENV-27: by either number; none and unknown ones are refused', () => {
    const sandbox = sandboxWithOrders();
    const { batchNo } = pay(sandbox, [anOrder()], { outBatchNo: 'B-1' }).biz;
    const query = (biz: Members) => call(sandbox, 'division/query', biz);
    expect(query({ outBatchNo: 'B-1' }).biz).toEqual(query({ batchNo }).biz);
    for (const biz of [
      {},
      { outBatchNo: '' },
      { outBatchNo: 'B-2' },
      { batchNo: 'B-1' },
      { outBatchNo: batchNo },
    ]) {
      expectRefused(sandbox, () => query(biz));
    }
  });

  test('U27: both numbers are refused, or one of them prevails', () => {
    const sandbox = sandboxWithOrders();
    pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    const { batchNo } = pay(sandbox, [anOrder()], { outBatchNo: 'B-2' }).biz;
    const both = () => call(sandbox, 'division/query', { outBatchNo: 'B-1', batchNo });
    expectRefused(sandbox, both);
    sandbox.setSwitches({ bothIds: 'own' });
    expect(both().biz['outBatchNo']).toBe('B-1');
    sandbox.setSwitches({ bothIds: 'platform' });
    expect(both().biz['outBatchNo']).toBe('B-2');
  });

  test('ENV-28: a batch of another company does not exist', () => {
    const sandbox = sandboxWithOrders();
    pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    const biz = members({ outBatchNo: 'B-1' }, { apiKey: 'ak_sandbox_other' });
    const other = send(sandbox, 'division/query', md5Signed(biz, 'synthetic-api-secret-other'));
    expect(other.envelope['msg']).toContain('not found');
  });
});

describe('DIV-26, DIV-31: the label follows the orders', () => {
  test.each<[string, string[]]>([
    ['SUCCESS', ['SUCCESS', 'SUCCESS']],
    ['PART_SUCCESS', ['SUCCESS', 'FAIL']],
    ['PART_SUCCESS', ['SUCCESS', 'CLOSE']],
    ['FAIL', ['FAIL', 'FAIL']],
    ['FAIL', ['FAIL', 'CLOSE']],
    ['CLOSE', ['CLOSE', 'CLOSE']],
    ['PROCESSING', ['SUCCESS', 'PROCESSING']],
    ['PROCESSING', ['INIT', 'FAIL']],
    ['INIT', ['INIT', 'INIT']],
    ['PROCESSING', ['SUCCESS', 'XYZ']],
  ])('%s of %j', (label, states) => {
    const shown = batchOf(...states.map((state) => ({ state })));
    expect(shown).toMatchObject({ state: label, states });
  });

  test('DIV-30: an order that failed says why', () => {
    expect(batchOf({ state: 'FAIL' }, { state: 'CLOSE', note: '已关闭' }, {}).notes).toEqual([
      '交易失败',
      '已关闭',
      '',
    ]);
  });
});

test('DIV-28, ENV-21: accepted as PROCESSING, then SUCCESS; the balances move once', () => {
  const sandbox = sandboxWithOrders({ switches: { transferDelayMs: 60_000 } });
  const answer = pay(sandbox, [anOrder(), anOrder({ payeeAcctNo: OTHER_PAYEE })], { outBatchNo: 'B-1' });
  expect(answer.envelope['code']).toBe('000000');
  expect(answer.biz['state']).toBe('PROCESSING');
  const seen = [59_999, 1, 3_600_000].map((ms) => {
    sandbox.clock.advance(ms);
    const { state } = queryBatch(sandbox, 'B-1').biz;
    return [state, money(sandbox, PAYER), money(sandbox, PAYEE), money(sandbox, OTHER_PAYEE)];
  });
  expect(seen).toEqual([
    ['PROCESSING', [1_000_000, 20_000], [0, 0], [0, 0]],
    ['SUCCESS', [980_000, 0], [10_000, 0], [10_000, 0]],
    ['SUCCESS', [980_000, 0], [10_000, 0], [10_000, 0]],
  ]);
});

test('DIV-27: realAmount is what arrives', () => {
  const sandbox = sandboxWithOrders();
  sandbox.planOutcomes([
    { kind: 'transfer', outOrderNo: 'O-1', feeFen: 30, feeType: 'ORDER' },
    { kind: 'transfer', outOrderNo: 'O-2', feeFen: 30, feeType: 'ACCOUNT' },
  ]);
  pay(sandbox, [anOrder({ outOrderNo: 'O-1' }), anOrder({ outOrderNo: 'O-2' })], { outBatchNo: 'B-1' });
  expect(ordersOf(queryBatch(sandbox, 'B-1'))).toMatchObject([
    { amount: 10_000, realAmount: 9_970, mchFee: 30, feeType: 'ORDER' },
    { amount: 10_000, realAmount: 10_000, mchFee: 30, feeType: 'ACCOUNT' },
  ]);
});

test('ENV-08, SMS-06: refunds work under either credential', () => {
  const sandbox = sandboxWithOrders();
  pay(sandbox, [anOrder({ outOrderNo: 'O-1' })], { outBatchNo: 'B-1' });
  const biz = { outBatchNo: 'B-1', outOrderNos: 'O-1', channelExtra: JSON.stringify(smsCode(sandbox)) };
  const inAppMode = members(biz, { appId: 'app_sandbox_main' });
  const answer = send(sandbox, 'division/refund', md5Signed(inAppMode, 'synthetic-app-secret-main'));
  expect(answer.biz['state']).toBe('REFUND');
});
