/** `division/pay`: what a transfer request must hold (DIV-01…22, LIM-04…08, LIM-14). */
import { describe, expect, test } from 'vitest';

import type { Members } from './caller.ts';
import {
  anOrder,
  call,
  expectRefused,
  money,
  newNumber,
  ordersOf,
  OTHER_PAYEE,
  pay,
  PAYEE,
  PAYER,
  payBiz,
  queryBatch,
  sandboxWithOrders,
} from './orders-caller.ts';

function refused(orders: readonly Members[], over: Members = {}, options = {}): string {
  const sandbox = sandboxWithOrders(options);
  return String(expectRefused(sandbox, () => pay(sandbox, orders, over)).envelope['msg']);
}

describe('the batch', () => {
  test.each([
    ['DIV-01: absent', { outBatchNo: undefined }, 'outBatchNo'],
    ['DIV-01, LIM-04: 33 characters', { outBatchNo: 'b'.repeat(33) }, 'outBatchNo'],
    ['DIV-02: absent', { payerAcctNo: undefined }, 'payerAcctNo'],
    ['DIV-02: unknown', { payerAcctNo: '999999' }, 'not found'],
    ['DIV-03: absent', { num: undefined }, 'num'],
    ['DIV-03, LIM-07: 3 of 2', { num: 3 }, 'num'],
    ['DIV-03: a fraction', { num: 2.5 }, 'num'],
    ['DIV-04: absent', { amount: undefined }, 'amount'],
    ['DIV-04, LIM-07: one fen too much', { amount: 20_001 }, 'amount'],
    ['DIV-04, LIM-07: one fen too little', { amount: 19_999 }, 'amount'],
    ['ENV-24: a fraction', { amount: 1.5 }, 'amount'],
    ['ENV-24: negative', { amount: -1 }, 'amount'],
    ['ENV-24: no number', { amount: 'abc' }, 'amount'],
    ['DIV-05: absent', { currency: undefined }, 'currency'],
    ['DIV-05: USD', { currency: 'USD' }, 'currency'],
    ['DIV-05: lower case', { currency: 'cny' }, 'currency'],
    ['DIV-06: absent', { clientIp: undefined }, 'clientIp'],
    ['DIV-06: IPv6', { clientIp: '::1' }, 'clientIp'],
    ['DIV-06: no address', { clientIp: '999.1.1.1' }, 'clientIp'],
    ['DIV-07: absent', { orderList: undefined }, 'orderList'],
    ['DIV-07: empty', { orderList: '[]', num: 0, amount: 0 }, 'orderList'],
    ['DIV-07: an object', { orderList: '{}' }, 'orderList'],
    ['DIV-07: no JSON', { orderList: '[' }, 'orderList'],
    ['DIV-07: no objects', { orderList: '[1,2]' }, 'orderList'],
    ['DIV-08: 2', { payMethod: 2 }, 'payMethod'],
    ['DIV-20, LIM-14: extParam of 101', { extParam: 'x'.repeat(101) }, 'extParam'],
    ['DIV-20: extParam of 34 Chinese characters', { extParam: '附'.repeat(34) }, 'extParam'],
  ])('%s is refused', (_what, over, named) => {
    expect(refused([anOrder(), anOrder()], over)).toContain(named);
  });

  test.each([
    ['DIV-01, LIM-04: 32 characters', { outBatchNo: 'b'.repeat(32) }],
    ['DIV-08: payMethod 1', { payMethod: 1 }],
    ['DIV-08: without payMethod', {}],
    ['DIV-10: a remark', { remark: '三月货款' }],
    ['DIV-11: a body', { body: '货款' }],
    ['DIV-12: without notifyUrl', { notifyUrl: undefined }],
    ['DIV-20: extParam of 100', { extParam: 'x'.repeat(100) }],
    ['DIV-20: a remark of 101, which the limit does not name', { remark: 'x'.repeat(101) }],
    ['U28: digits for numbers, where types are not strict', { num: '2', amount: '20000' }],
  ])('%s is accepted', (_what, over) => {
    const { ok, biz } = pay(sandboxWithOrders(), [anOrder(), anOrder()], over);
    expect(ok).toBe(true);
    expect(biz['state']).toBe('SUCCESS');
  });

  test('DIV-01, U26: a number that is used is refused, and the first batch is unchanged', () => {
    const sandbox = sandboxWithOrders();
    pay(sandbox, [anOrder({ amount: '700' })], { outBatchNo: 'B-1' });
    expectRefused(sandbox, () => pay(sandbox, [anOrder()], { outBatchNo: 'B-1' }));
    expect(ordersOf(queryBatch(sandbox, 'B-1'))).toMatchObject([{ amount: 700 }]);
    expect(money(sandbox, PAYER)).toEqual([999_300, 0]);
  });

  test('U26: where the first is returned, the second call moves nothing', () => {
    const sandbox = sandboxWithOrders({ switches: { duplicate: 'returnFirst' } });
    const first = pay(sandbox, [anOrder({ amount: '700' })], { outBatchNo: 'B-1' });
    const second = pay(sandbox, [anOrder()], { outBatchNo: 'B-1' });
    expect(second.biz).toEqual(first.biz);
    expect(money(sandbox, PAYER)).toEqual([999_300, 0]);
  });

  test.each([
    ['DIV-02, ENV-28: a foreign account', { accountNo: '300001', merchant: 'other', role: 'FQ' as const }],
    ['DIV-02, ACC-04: a closed account', { accountNo: '300001', state: '0', role: 'FQ' as const }],
    ['DIV-02, U21: an account pending activation', { accountNo: '300001', state: '2', role: 'FQ' as const }],
    ['DIV-02, U25: a payee account', { accountNo: '300001' }],
    [
      'DIV-21: an account without payment password',
      { accountNo: '300001', role: 'FQ' as const, paymentPassword: false },
    ],
  ])('%s may not pay', (_what, account) => {
    const sandbox = sandboxWithOrders();
    sandbox.seedAccounts([{ balanceFen: 50_000, ...account }]);
    expectRefused(sandbox, () => pay(sandbox, [anOrder()], { payerAcctNo: '300001' }));
  });

  test('U21, U25: switches let payees and accounts pending activation pay', () => {
    const sandbox = sandboxWithOrders({ switches: { payerRoles: ['FQ', 'JS'], pendingMayOperate: true } });
    sandbox.seedAccounts([{ accountNo: '300001', state: '2', balanceFen: 10_000 }]);
    expect(pay(sandbox, [anOrder()], { payerAcctNo: '300001' }).ok).toBe(true);
  });

  test('DIV-21: without a payment password of the company nothing is paid', () => {
    expect(refused([anOrder()], {}, { switches: { paymentPassword: false } })).toContain('password');
  });

  test('ENV-26: an array of orders is refused, unless the switch is lenient', () => {
    const orders = [anOrder(), anOrder()];
    expect(refused(orders, { orderList: orders })).toContain('orderList');
    const sandbox = sandboxWithOrders({ switches: { orderListArrayAccepted: true } });
    expect(pay(sandbox, orders, { orderList: orders }).ok).toBe(true);
  });

  test('U28: strict types refuse digits for numbers and numbers for digits', () => {
    const options = { switches: { strictTypes: true } };
    expect(refused([anOrder()], { num: '1' }, options)).toContain('num');
    expect(refused([anOrder()], { amount: '10000' }, options)).toContain('amount');
    expect(refused([anOrder()], { payMethod: '1' }, options)).toContain('payMethod');
    expect(refused([anOrder({ amount: 10_000 })], {}, options)).toContain('amount');
    expect(pay(sandboxWithOrders(options), [anOrder()]).ok).toBe(true);
  });
});

describe('the orders', () => {
  test.each([
    ['DIV-13: no outOrderNo', { outOrderNo: undefined }, 'outOrderNo'],
    ['DIV-13, LIM-04: outOrderNo of 33', { outOrderNo: 'o'.repeat(33) }, 'outOrderNo'],
    ['DIV-14: no body', { body: undefined }, 'body'],
    ['DIV-15: yuan', { amount: '300.00' }, 'amount'],
    ['DIV-15: zero', { amount: '0' }, 'amount'],
    ['DIV-15: negative', { amount: '-1' }, 'amount'],
    ['DIV-15: empty', { amount: '' }, 'amount'],
    ['DIV-15: absent', { amount: undefined }, 'amount'],
    ['DIV-15: a fraction', { amount: 1.5 }, 'amount'],
    ['DIV-16: no payee', { payeeAcctNo: undefined }, 'payeeAcctNo'],
    ['DIV-16: an unknown payee', { payeeAcctNo: '999999' }, 'not found'],
    ['DIV-17, LIM-08: extParam of 33', { extParam: 'x'.repeat(33) }, 'extParam'],
    ['DIV-17: extParam of 11 Chinese characters', { extParam: '附'.repeat(11) }, 'extParam'],
    ['DIV-19, LIM-06: one fen above 50,000 yuan', { amount: '5000001' }, 'amount'],
  ])('%s is refused', (_what, over, named) => {
    expect(refused([anOrder(over)], { amount: 10_000 })).toContain(named);
  });

  test.each([
    ['DIV-13, LIM-04: outOrderNo of 32', { outOrderNo: 'o'.repeat(32) }],
    ['DIV-15: a JSON number', { amount: 10_000 }],
    ['DIV-17, LIM-08: extParam of 32', { extParam: 'x'.repeat(32) }],
    ['DIV-17: extParam of 10 Chinese characters and 2 others', { extParam: `${'附'.repeat(10)}ab` }],
  ])('%s is accepted', (_what, over) => {
    expect(pay(sandboxWithOrders(), [anOrder(over)]).ok).toBe(true);
  });

  test('DIV-13: a number twice in a batch is refused', () => {
    expect(refused([anOrder({ outOrderNo: 'O-1' }), anOrder({ outOrderNo: 'O-1' })])).toContain('duplicate');
  });

  test('DIV-13, U26: a number of another batch or of a withdrawal is refused, as far as it has to be unique', () => {
    const sandbox = sandboxWithOrders();
    pay(sandbox, [anOrder({ outOrderNo: 'O-1', amount: '1' })]);
    call(sandbox, 'account/withdraw', { outOrderNo: 'W-1', acctNo: PAYER, amount: 1 });
    const again = (outOrderNo: string): boolean => pay(sandbox, [anOrder({ outOrderNo, amount: '1' })]).ok;
    expect([again('O-1'), again('W-1')]).toEqual([false, false]);
    sandbox.setSwitches({ numberScope: 'kind' });
    expect([again('O-1'), again('W-1')]).toEqual([false, true]);
    sandbox.setSwitches({ numberScope: 'batch' });
    expect(again('O-1')).toBe(true);
  });

  test('DIV-16: an unknown or closed payee fails alone, where the switch says so', () => {
    const sandbox = sandboxWithOrders({ switches: { unknownPayee: 'fail' } });
    sandbox.seedAccounts([{ accountNo: '200003', state: '0' }]);
    const orders = [anOrder(), anOrder({ payeeAcctNo: '999999' }), anOrder({ payeeAcctNo: '200003' })];
    const answer = pay(sandbox, orders);
    expect(answer.biz['state']).toBe('PART_SUCCESS');
    expect(ordersOf(answer).map(({ state, note }) => [state, note !== ''])).toEqual([
      ['SUCCESS', false],
      ['FAIL', true],
      ['FAIL', true],
    ]);
    expect([money(sandbox, PAYER), money(sandbox, PAYEE)]).toEqual([
      [990_000, 0],
      [10_000, 0],
    ]);
  });

  test('DIV-18, LIM-05: 20 orders are accepted, 21 refused', () => {
    const orders = (length: number): Members[] => Array.from({ length }, () => anOrder({ amount: '1' }));
    expect(pay(sandboxWithOrders(), orders(20)).ok).toBe(true);
    expect(refused(orders(21))).toContain('orderList');
  });

  test('DIV-19, LIM-06, U29: an order of exactly 50,000 yuan is accepted', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedMovements([{ kind: 'interest', accountNo: PAYER, amountFen: 4_000_000 }]);
    expect(pay(sandbox, [anOrder({ amount: '5000000' })]).ok).toBe(true);
    expect(money(sandbox, PAYER)).toEqual([0, 0]);
  });
});

describe('DIV-22: too little money', () => {
  const dear = (): Members[] => [
    anOrder({ amount: '600000' }),
    anOrder({ amount: '400000', payeeAcctNo: OTHER_PAYEE }),
  ];
  const fee = { transferFee: { feeType: 'ACCOUNT' as const, feeFen: 1 } };

  test('is refused, nothing moves', () => {
    const sandbox = sandboxWithOrders({ switches: fee });
    expectRefused(sandbox, () => pay(sandbox, dear()));
    sandbox.setSwitches({ transferFee: { feeType: 'ORDER', feeFen: 1 } });
    expect(pay(sandbox, dear()).ok).toBe(true);
    expect(money(sandbox, PAYER)).toEqual([0, 0]);
  });

  test('or is accepted and fails, nothing moves', () => {
    const sandbox = sandboxWithOrders({ switches: { ...fee, shortBalance: 'fail' } });
    const answer = pay(sandbox, dear());
    expect(answer.biz['state']).toBe('FAIL');
    expect(ordersOf(answer).map(({ state }) => state)).toEqual(['FAIL', 'FAIL']);
    expect([money(sandbox, PAYER), money(sandbox, PAYEE)]).toEqual([
      [1_000_000, 0],
      [0, 0],
    ]);
  });

  test('is refused whatever would have become of the orders', () => {
    const sandbox = sandboxWithOrders();
    sandbox.planOutcomes([{ kind: 'transfer', times: null, state: 'FAIL' }]);
    expectRefused(sandbox, () => pay(sandbox, [...dear(), anOrder({ amount: '1' })]));
  });

  test('what is frozen is not available', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedMovements([{ kind: 'freeze', accountNo: PAYER, amountFen: 995_000 }]);
    expectRefused(sandbox, () => pay(sandbox, [anOrder()]));
  });

  test('money that a seeded movement takes later cannot be paid now', () => {
    const sandbox = sandboxWithOrders();
    const at = '2026-03-01 13:00:00';
    sandbox.seedMovements([{ kind: 'hidden_fee', accountNo: PAYER, amountFen: 995_000, at }]);
    expectRefused(sandbox, () => pay(sandbox, [anOrder()]));
  });
});

test('SIG-12, ERR-06: a batch with a wrong signature does not exist afterwards', () => {
  const sandbox = sandboxWithOrders();
  const biz = payBiz([anOrder()], { outBatchNo: newNumber('B') });
  expectRefused(sandbox, () => call(sandbox, 'division/pay', biz, { signType: 'md5' }));
  expect(queryBatch(sandbox, biz['outBatchNo']).ok).toBe(false);
});

test('ENV-16: a reqId that a query used up pays nothing at +1 s', () => {
  const sandbox = sandboxWithOrders();
  const reqId = newNumber('reqId');
  call(sandbox, 'acct/queryInfo', { accountNo: PAYER }, { reqId });
  sandbox.clock.advance(1_000);
  const biz = payBiz([anOrder()]);
  expectRefused(sandbox, () => call(sandbox, 'division/pay', biz, { reqId }));
  sandbox.clock.advance(600_000);
  expect(call(sandbox, 'division/pay', biz, { reqId }).ok).toBe(true);
});
