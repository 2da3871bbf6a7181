/** `order/settle`: cards, switches, and what is said of a retry (STL-04…10, ERR-03, U35…38, U49, U52). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { Members } from '../caller.ts';
import { expectRefused, theOrder } from './orders-caller.ts';
import { failed, retry, settledAs } from './settle-caller.ts';
import { seedOne, three } from '../three-accounts.ts';

/** The retry is refused and leaves no trace. @returns why */
function refused(sandbox: Sandbox, over: Members = {}): string {
  return String(expectRefused(sandbox, () => retry(sandbox, over)).envelope['msg']);
}

const bytes = (count: number): string => 'a'.repeat(count);

describe('the number', () => {
  test('an order that is not there, or not yet, is not found', () => {
    const sandbox = failed();
    seedOne(
      sandbox,
      { outOrderNo: 'O-2', settle: { state: 'FAIL' } },
      { outBatchNo: 'B-2', submittedAt: '2026-03-01 12:00:10' },
    );
    expect(refused(sandbox, { outOrderNo: 'O-3' })).toContain('order not found');
    expect(refused(sandbox, { outOrderNo: 'O-2' })).toContain('order not found');
    sandbox.clock.advance(10_000);
    expect(retry(sandbox, { outOrderNo: 'O-2' }).ok).toBe(true);
  });

  test('U37: a platform may want the number of the automatic withdrawal instead', () => {
    const sandbox = failed({ settleIdKind: 'withdrawal' });
    const { orderNo } = theOrder(sandbox, 'B-1');
    const byOrder = refused(sandbox, { outOrderNo: undefined, orderNo });
    expect(byOrder).toContain('unsupported for this order type');
    expect(refused(sandbox)).toBe(byOrder);
    const answer = retry(sandbox, { outOrderNo: undefined, orderNo: `S${String(orderNo)}` });
    expect(answer.biz).toMatchObject({ orderNo: `S${String(orderNo)}`, outOrderNo: 'O-1', state: 'SUCCESS' });
    expect(refused(failed(), { outOrderNo: undefined, orderNo: `S${String(orderNo)}` })).toContain(
      'not found',
    );
  });
});

describe('the remark', () => {
  test('U38: special characters are filtered and do not count, or count all the same', () => {
    const remark = `${bytes(30)}!@#-`;
    const after = failed({}, [{ delayMs: 1_000 }]);
    expect(retry(after, { remark }).ok).toBe(true);
    expect(settledAs(after)).toEqual(['PROCESSING', bytes(30)]);
    expect(refused(failed({ settleRemarkMeasured: 'before' }), { remark })).toContain('too long');
  });
});

describe('the receiving card', () => {
  const card = { bankAccountNo: '6222000011112222', bankAccountName: '另一户名' };
  const withCard = (): Sandbox => {
    const sandbox = three();
    sandbox.seedAccounts([{ accountNo: 'S', balanceFen: 0, settleCards: [card], name: '收款公司' }]);
    seedOne(sandbox, { payeeAcctNo: 'S', settle: { state: 'FAIL' } });
    return sandbox;
  };
  const paidTo = (sandbox: Sandbox): unknown => {
    const reply = sandbox.control({ method: 'GET', path: '/control/transfers', contentType: '', body: '' });
    const { transfers } = JSON.parse(reply.body) as { transfers: { orders: { settlements: Members[] }[] }[] };
    return transfers[0]?.orders[0]?.settlements.map(({ bankAccountNo }) => bankAccountNo);
  };

  test.each<[Members, string]>([
    [{}, 'BANKS'],
    [{ recvAcctNo: '', recvAcctName: '' }, 'BANKS'],
    [{ recvAcctNo: 'BANKS' }, 'BANKS'],
    [{ recvAcctNo: 'BANKS', recvAcctName: '收款公司' }, 'BANKS'],
    [{ recvAcctNo: card.bankAccountNo }, card.bankAccountNo],
    [{ recvAcctNo: card.bankAccountNo, recvAcctName: card.bankAccountName }, card.bankAccountNo],
  ])('STL-04, U52: %o is paid to %s', (over, bankAccountNo) => {
    const sandbox = withCard();
    expect(retry(sandbox, over).ok).toBe(true);
    expect(paidTo(sandbox)).toEqual(['BANKS', bankAccountNo]);
  });
});

describe('the order', () => {
  test('STL-05: nor one that was given back', () => {
    const sandbox = three({}, true);
    seedOne(
      sandbox,
      { settle: { state: 'FAIL' } },
      { submittedAt: '2026-03-01 11:00:00', refunds: [{ outOrderNo: 'O-1', at: '2026-03-01 11:30:00' }] },
    );
    expect(refused(sandbox)).toContain('cannot be initiated');
  });

  test('U49: one that came back can be retried from then on', () => {
    const sandbox = failed({}, [], { state: 'SUCCESS', returnAfterMs: 60_000 });
    expect(refused(sandbox)).toContain('only orders');
    sandbox.clock.advance(60_000);
    expect(retry(sandbox).biz['state']).toBe('SUCCESS');
  });

  test('STL-08: an account of another company is none of the caller’s', () => {
    const sandbox = three();
    sandbox.seedAccounts([{ accountNo: 'F', merchant: 'other', balanceFen: 0 }]);
    seedOne(sandbox, { payeeAcctNo: 'F', settle: { state: 'FAIL' } });
    expect(refused(sandbox)).toContain('account F not found');
  });
});

describe('the answer', () => {
  test('STL-10: has all its members', () => {
    const sandbox = failed({}, [{ feeType: 'ORDER', feeFen: 20, delayMs: 5 }]);
    const { orderNo } = theOrder(sandbox, 'B-1');
    expect(retry(sandbox).biz).toEqual({
      orderNo,
      outOrderNo: 'O-1',
      state: 'PROCESSING',
      note: '',
      amount: 10_000,
      fee: 20,
      realAmount: 9_980,
      acctNo: 'Q',
      feeType: 'ORDER',
      payerName: '测试账户',
      payerBankAcctNo: 'EAQ',
    });
  });

  test('STL-10, U35: a fee beside the amount does not lessen what arrives', () => {
    const answer = retry(failed({ settleFee: { feeType: 'ACCOUNT', feeFen: 20 } }));
    expect(answer.biz).toMatchObject({ amount: 10_000, fee: 20, realAmount: 10_000, feeType: 'ACCOUNT' });
  });
});

test('ERR-03: the six conditions of a retry have six messages', () => {
  const failing = three({}, true);
  seedOne(failing, { state: 'FAIL' });
  const plain = three();
  seedOne(plain, {});
  const settled = failed({}, [], { state: 'SUCCESS' });
  const claimed = failed({ settleRetryDelayMs: 1 });
  retry(claimed);
  const messages = [
    refused(failed(), { outOrderNo: undefined }),
    refused(failed(), { remark: bytes(33) }),
    refused(failing),
    refused(plain),
    refused(settled),
    refused(claimed),
  ];
  expect(messages).toEqual([
    '平台订单号和商户订单号参数有误，须且仅须传一个 (platform and merchant order number parameters invalid: send exactly one)',
    '备注过长 (remark too long: at most 32 bytes in UTF-8, a Chinese character takes 3)',
    '该订单不可发起提现 (withdrawal cannot be initiated: the order has not succeeded)',
    '该订单类型不支持此操作 (operation unsupported for this order type)',
    '仅到账状态为失败的订单可操作 (only orders whose arrival state is failed can be operated)',
    '重复或并发提交 (duplicate or concurrent submission)',
  ]);
  expect(new Set(messages).size).toBe(6);
});
