/** Open questions of the document that a switch plays otherwise and no endpoint's own test asks for. */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { SwitchesPatch } from '../../src/sandbox/control/switches.ts';
import { isRefusal } from './caller.ts';
import { accepted, applied } from './openings/opening-caller.ts';
import {
  anOrder,
  call,
  ordersOf,
  pay,
  PAYEE,
  PAYER,
  queryBatch,
  sandboxWithOrders,
  withdraw,
} from './orders/orders-caller.ts';

const refused = (sandbox: Sandbox, ...asked: [endpoint: string, biz: unknown]): boolean =>
  isRefusal(call(sandbox, ...asked));

const played = (switches: SwitchesPatch): Sandbox => sandboxWithOrders({ switches });

describe('U6: how the voucher page spells apiKey', () => {
  test.each([
    [
      ['apiKey', 'APIkey'],
      [true, true],
    ],
    [['apiKey'], [true, false]],
    [['APIkey'], [false, true]],
  ] as const)('%j', (voucherKeyNames, taken) => {
    const sandbox = played({ voucherKeyNames: [...voucherKeyNames] });
    const paid = pay(sandbox, [anOrder({ outOrderNo: 'U6' })]);
    expect(paid.ok).toBe(true);
    const biz = { transType: '3', outOrderNo: 'U6' };
    const id = 'ak_sandbox_main';
    const answers = [{}, { apiKey: undefined, APIkey: id }].map((over) =>
      call(sandbox, 'get/transFiles', biz, over),
    );
    expect(answers.map(({ ok }) => ok)).toEqual(taken);
  });
});

test('U8: an outReqNo asks for a second code, or for one only; a refused call uses it up for nothing', () => {
  const biz = { reqNo: 'SANDBOX', outReqNo: 'ONCE', sceneType: 'REFUND' };
  const ask = (sandbox: Sandbox): boolean => call(sandbox, 'acct/sendMsg/SANDBOX', biz).ok;
  const [often, once] = [played({}), played({ smsOutReqNoOnce: true })];
  expect([ask(often), ask(often)]).toEqual([true, true]);
  expect(refused(once, 'acct/sendMsg/SANDBOX', { ...biz, sceneType: 'NONE' })).toBe(true);
  expect([ask(once), ask(once)]).toEqual([true, false]);
});

test('U13: auditApplyResult asks for outReqNo as well where the switch says so', () => {
  const sandbox = played({ resultNeedsOutReqNo: true });
  const { reqNo, outReqNo } = applied(sandbox);
  expect(refused(sandbox, 'acct/auditApplyResult', { reqNo })).toBe(true);
  expect(accepted(call(sandbox, 'acct/auditApplyResult', { reqNo, outReqNo }))['state']).toBe(5);
});

test('U23: what is frozen is part of the balance, or stands beside it', () => {
  const stated = (balanceHoldsFrozen: boolean): unknown[] => {
    const sandbox = played({ balanceHoldsFrozen });
    sandbox.seedMovements([{ kind: 'freeze', accountNo: PAYER, amountFen: 400 }]);
    const { balance, frozen, availableBalance } = call(sandbox, 'acct/queryInfo', { accountNo: PAYER }).biz;
    return [balance, frozen, availableBalance];
  };
  expect(stated(true)).toEqual([1_000_000, 400, 999_600]);
  expect(stated(false)).toEqual([999_600, 400, 999_600]);
});

describe('U38: which characters of a remark are left', () => {
  test.each([
    ['anyScript', true],
    ['ascii', false],
  ] as const)('%s', (settleRemarkKeeps, taken) => {
    const sandbox = played({ settleRemarkKeeps });
    sandbox.seedAccounts([{ accountNo: '200009', autoSettle: true }]);
    sandbox.planOutcomes([{ kind: 'transfer', settle: { state: 'FAIL' } }]);
    accepted(pay(sandbox, [anOrder({ outOrderNo: 'U38', payeeAcctNo: '200009' })]));
    expect(call(sandbox, 'order/settle', { outOrderNo: 'U38', remark: '重试' }).ok).toBe(taken);
  });
});

describe('U48: where the card of a withdrawal is read', () => {
  const elsewhere = { recvAcctNo: '6222999999999999' };
  const extra = { channelExtra: JSON.stringify(elsewhere) };
  test.each([
    ['either', [false, false]],
    ['bizData', [false, true]],
    ['channelExtra', [true, false]],
  ] as const)('%s: what stands elsewhere is not looked at', (withdrawExtraIn, taken) => {
    const sandbox = played({ withdrawExtraIn });
    expect([elsewhere, extra].map((over) => withdraw(sandbox, over).ok)).toEqual(taken);
  });
});

describe('U54: what 32 and 100 count', () => {
  test.each([
    ['documented', [true, false, false]],
    ['characters', [true, true, true]],
    ['bytes', [false, false, true]],
  ] as const)('%s', (textsCounted, taken) => {
    const sandbox = played({ textsCounted });
    const orders = [
      anOrder({ outOrderNo: '号'.repeat(12) }),
      anOrder({ extParam: '备'.repeat(11) }),
      anOrder({ extParam: 'é'.repeat(16) }),
    ];
    expect(orders.map((order) => pay(sandbox, [order]).ok)).toEqual(taken);
  });
});

test('U60: SUCCESS of an order waits for its automatic withdrawal where the switch says so; the money does not', () => {
  const words = (orderSuccessMeans: 'credited' | 'settled'): unknown[] => {
    const sandbox = played({ orderSuccessMeans, settleDelayMs: 60_000 });
    sandbox.seedAccounts([{ accountNo: '200009', autoSettle: true }]);
    const orders = [anOrder({ payeeAcctNo: '200009' }), anOrder({ payeeAcctNo: PAYEE })];
    const { biz } = pay(sandbox, orders, { outBatchNo: 'U60' });
    const before = ordersOf(queryBatch(sandbox, 'U60')).map(({ state }) => state);
    const credited = call(sandbox, 'acct/queryInfo', { accountNo: '200009' }).biz['balance'];
    sandbox.clock.advance(60_000);
    const after = ordersOf(queryBatch(sandbox, 'U60')).map(({ state }) => state);
    return [biz['state'], before, credited, after, queryBatch(sandbox, 'U60').biz['state']];
  };
  const [ended, held] = [
    ['SUCCESS', 'SUCCESS'],
    ['PROCESSING', 'SUCCESS'],
  ];
  expect(words('credited')).toEqual(['SUCCESS', ended, 10_000, ended, 'SUCCESS']);
  expect(words('settled')).toEqual(['PROCESSING', held, 10_000, ended, 'SUCCESS']);
});
