/** `division/refund`: the money of refunds, and what becomes of them later (REF-07, REF-08, U8, U36). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import type { Answered, Members } from '../caller.ts';
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

const OF = { outBatchNo: 'B-1', outOrderNos: 'O-1' };

/** A paid batch of two orders of 10,000 to one payee. */
function paid(options: SandboxOptions = {}, over: Members = {}): Sandbox {
  const sandbox = sandboxWithOrders(options);
  const orders = ['O-1', 'O-2'].map((outOrderNo) => anOrder({ outOrderNo, ...over }));
  expect(pay(sandbox, orders, { outBatchNo: 'B-1' }).ok).toBe(true);
  return sandbox;
}

/** Refused, whatever is right about its code. */
function expectRefusedRefund(sandbox: Sandbox, of: Members, over: Members = {}): string {
  const channelExtra = 'channelExtra' in over ? over['channelExtra'] : JSON.stringify(smsCode(sandbox));
  const act = (): Answered => call(sandbox, 'division/refund', { ...of, ...over, channelExtra });
  return String(expectRefused(sandbox, act).envelope['msg']);
}

describe('REF-05, SMS-06: the code', () => {
  test('U8: of one payee does not do for orders of two; that of the channel code does', () => {
    const sandbox = sandboxWithOrders();
    const orders = [anOrder({ outOrderNo: 'O-1' }), anOrder({ outOrderNo: 'O-2', payeeAcctNo: OTHER_PAYEE })];
    pay(sandbox, orders, { outBatchNo: 'B-1' });
    const both = { ...OF, outOrderNos: 'O-1,O-2' };
    expectRefusedRefund(sandbox, both);
    const channelExtra = JSON.stringify(smsCode(sandbox, { reqNo: 'SANDBOX' }));
    expect(refund(sandbox, both, { channelExtra }).biz['state']).toBe('REFUND');
  });
});

describe('REF-07: money', () => {
  test.each<['ORDER' | 'ACCOUNT', SandboxOptions['switches'], number, [number, number], [number, number]]>([
    ['ORDER', { refundAmountRule: 'amount' }, 10_000, [1_000_000, 0], [970, 0]],
    ['ORDER', { refundAmountRule: 'realAmount' }, 9_970, [999_970, 0], [1_000, 0]],
    ['ORDER', { refundFeeReturned: true }, 10_000, [1_000_000, 0], [1_000, 0]],
    ['ORDER', { refundFeeReturned: true, refundAmountRule: 'realAmount' }, 9_970, [1_000_000, 0], [1_000, 0]],
    ['ACCOUNT', {}, 10_000, [999_970, 0], [1_000, 0]],
    ['ACCOUNT', { refundFeeReturned: true }, 10_000, [1_000_000, 0], [1_000, 0]],
    ['ACCOUNT', { refundFeeReturned: true, transferFeeBearer: 'payee' }, 10_000, [1_000_000, 0], [1_000, 0]],
    [
      'ACCOUNT',
      { refundFeeReturned: true, transferFeeBearer: 'external' },
      10_000,
      [1_000_000, 0],
      [1_000, 0],
    ],
  ])('E5, U36: %s fee of 30, %o: refundAmount %i', (feeType, switches, refundAmount, payer, payee) => {
    const sandbox = sandboxWithOrders({ switches: { transferFee: { feeType, feeFen: 30 }, ...switches } });
    sandbox.seedMovements([{ kind: 'interest', accountNo: PAYEE, amountFen: 1_000 }]);
    pay(sandbox, [anOrder({ outOrderNo: 'O-1' })], { outBatchNo: 'B-1' });
    expect(ordersOf(refund(sandbox, OF))).toMatchObject([{ refundAmount, state: 'REFUND' }]);
    expect([money(sandbox, PAYER), money(sandbox, PAYEE)]).toEqual([payer, payee]);
  });

  test('REF-08: or accepted and failed, nothing moves', () => {
    const sandbox = paid({ switches: { shortBalance: 'fail' } });
    call(sandbox, 'account/withdraw', { outOrderNo: 'W-1', acctNo: PAYEE, amount: 10_001 });
    const answer = refund(sandbox, OF);
    expect(answer.biz['state']).toBe('SUCCESS');
    expect(ordersOf(answer)[0]).toMatchObject({ state: 'SUCCESS', refundAmount: 0, note: '可用余额不足' });
    expect([money(sandbox, PAYER), money(sandbox, PAYEE)]).toEqual([
      [980_000, 0],
      [9_999, 0],
    ]);
  });
});

describe('states', () => {
  test('U36: it waits for confirmation, the payee’s money is held meanwhile', () => {
    const sandbox = paid({ switches: { refundDelayMs: 60_000 } });
    expect(refund(sandbox, OF).biz['state']).toBe('WAIT_CONFIRM');
    const seen = [59_999, 1].map((ms) => {
      sandbox.clock.advance(ms);
      const [order] = ordersOf(queryBatch(sandbox, 'B-1'));
      return [order?.['state'], order?.['refundAmount'], money(sandbox, PAYER), money(sandbox, PAYEE)];
    });
    expect(seen).toEqual([
      ['WAIT_CONFIRM', 10_000, [980_000, 0], [20_000, 10_000]],
      ['REFUND', 10_000, [990_000, 0], [10_000, 0]],
    ]);
  });

  test('U36: or it is rejected, and the amount falls back', () => {
    const sandbox = paid();
    sandbox.planOutcomes([
      { kind: 'refund', outOrderNo: 'O-1', state: 'FAIL', delayMs: 1_000, note: '付款方已注销' },
    ]);
    refund(sandbox, OF);
    sandbox.clock.advance(1_000);
    expect(ordersOf(queryBatch(sandbox, 'B-1'))[0]).toMatchObject({
      state: 'SUCCESS',
      refundAmount: 0,
      note: '付款方已注销',
    });
    expect(money(sandbox, PAYEE)).toEqual([20_000, 0]);
    expect(refund(sandbox, OF).ok).toBe(true);
  });

  test('refundAmount falls and rises again', () => {
    const sandbox = paid();
    sandbox.planOutcomes([{ kind: 'refund', returnAfterMs: 1_000 }]);
    const amounts = [refund(sandbox, OF)].map((answer) => ordersOf(answer)[0]?.['refundAmount']);
    sandbox.clock.advance(1_000);
    amounts.push(ordersOf(queryBatch(sandbox, 'B-1'))[0]?.['refundAmount']);
    expect(money(sandbox, PAYEE)).toEqual([20_000, 0]);
    amounts.push(ordersOf(refund(sandbox, OF))[0]?.['refundAmount']);
    expect(amounts).toEqual([10_000, 0, 10_000]);
    expect(money(sandbox, PAYEE)).toEqual([10_000, 0]);
  });

  test('seeded: a part of an order, then the rest', () => {
    const sandbox = sandboxWithOrders();
    const orders = [{ outOrderNo: 'O-1', payeeAcctNo: PAYEE, amountFen: 10_000 }];
    const refunds = [
      { outOrderNo: 'O-1', at: '2026-03-01 12:00:01', amountFen: 4_000 },
      { outOrderNo: 'O-1', at: '2026-03-01 12:00:02', amountFen: 6_000 },
    ];
    const submittedAt = '2026-03-01 11:00:00';
    sandbox.seedTransfers([{ outBatchNo: 'B-1', payerAcctNo: PAYER, submittedAt, orders, refunds }]);
    const seen = [0, 1_000, 1_000].map((ms) => {
      sandbox.clock.advance(ms);
      const { state, refundAmount } = theOrder(sandbox, 'B-1');
      return [queryBatch(sandbox, 'B-1').biz['state'], state, refundAmount, money(sandbox, PAYEE)[0]];
    });
    expect(seen).toEqual([
      ['SUCCESS', 'SUCCESS', 0, 10_000],
      ['PART_REFUND', 'SUCCESS', 4_000, 6_000],
      ['REFUND', 'REFUND', 10_000, 0],
    ]);
  });
});
