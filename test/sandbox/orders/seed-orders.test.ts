/** Transfers, refunds and withdrawals that are seeded, and what is shown instead of the truth (CTL, P3–P5, P7, P9, P11). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { TransferSeed, WithdrawalSeed } from '../../../src/sandbox/orders/order-schema.ts';
import type { Members } from '../caller.ts';
import {
  anOrder,
  call,
  everything,
  money,
  ordersOf,
  pay,
  PAYEE,
  PAYER,
  queryBatch,
  queryWithdrawal,
  sandboxWithOrders,
  theOrder,
  withdraw,
} from './orders-caller.ts';

const AT = '2026-03-01 11:00:00';

function transfer(
  over: Partial<TransferSeed> = {},
  order: Partial<TransferSeed['orders'][number]> = {},
): TransferSeed {
  const orders = [{ outOrderNo: 'O-1', payeeAcctNo: PAYEE, amountFen: 10_000, ...order }];
  return { outBatchNo: 'B-1', payerAcctNo: PAYER, submittedAt: AT, orders, ...over };
}

function withdrawal(over: Partial<WithdrawalSeed> = {}): WithdrawalSeed {
  return { outOrderNo: 'W-1', acctNo: PAYER, amountFen: 10_000, submittedAt: AT, ...over };
}

describe('seeding', () => {
  test('a transfer of the past is found by all its numbers, and its money has moved', () => {
    const sandbox = sandboxWithOrders();
    const seed = transfer(
      { batchNo: 'TB-1', extParam: 'e', note: 'n' },
      { orderNo: 'TO-1', body: '租金', extParam: 'x' },
    );
    sandbox.seedTransfers([seed]);
    const { biz } = call(sandbox, 'division/query', { batchNo: 'TB-1' });
    expect(biz).toMatchObject({ outBatchNo: 'B-1', state: 'SUCCESS', extParam: 'e', note: 'n' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ orderNo: 'TO-1', body: '租金', extParam: 'x' });
    expect([money(sandbox, PAYER), money(sandbox, PAYEE)]).toEqual([
      [990_000, 0],
      [10_000, 0],
    ]);
  });

  test('one of the future does not exist before its instant, and its money has not moved', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedTransfers([transfer({ submittedAt: '2026-03-01T04:00:01Z' })]);
    sandbox.seedWithdrawals([withdrawal({ submittedAt: '2026-03-01 12:00:01' })]);
    const seen = (): unknown => [
      queryBatch(sandbox, 'B-1').ok,
      call(sandbox, 'account/queryWithdraw', { outOrderNo: 'W-1' }).ok,
      money(sandbox, PAYER),
    ];
    sandbox.clock.advance(999);
    expect(seen()).toEqual([false, false, [1_000_000, 0]]);
    sandbox.clock.advance(1);
    expect(seen()).toEqual([true, true, [980_000, 0]]);
    sandbox.clock.advance(-1);
    expect(seen()).toEqual([false, false, [1_000_000, 0]]);
  });

  test('a number of the future is used all the same', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedTransfers([transfer({ submittedAt: '2026-03-02 12:00:00' })]);
    expect(pay(sandbox, [anOrder()], { outBatchNo: 'B-1' }).ok).toBe(false);
    expect(pay(sandbox, [anOrder({ outOrderNo: 'O-1' })]).ok).toBe(false);
  });

  test.each<[string, TransferSeed[], string]>([
    ['an account that is not there', [transfer({ payerAcctNo: 'nobody' })], 'no account nobody'],
    ['a payee that is not there', [transfer({}, { payeeAcctNo: 'nobody' })], 'no account nobody'],
    ['a batch twice', [transfer(), transfer({}, { outOrderNo: 'O-2' })], 'batch B-1 exists already'],
    ['an order twice', [transfer(), transfer({ outBatchNo: 'B-2' })], 'order O-1 exists already'],
    ['more than there is', [transfer({}, { amountFen: 1_000_001 })], 'fall below zero'],
    [
      'more than there is while it is in flight',
      [transfer({}, { amountFen: 1_000_001, state: 'FAIL', delayMs: 1 })],
      'fall below zero',
    ],
    ['a fee above the amount', [transfer({}, { amountFen: 10, feeFen: 11 })], 'fee is larger'],
    ['an end before the beginning', [transfer({}, { finalAt: '2026-03-01 10:59:59' })], 'cannot end before'],
    ['a time that is none', [transfer({ submittedAt: '2026-02-30 10:00:00' })], 'is no time'],
    ['a change at no time', [transfer({ changes: [{ at: 'soon' }] })], 'is no time'],
    ['a lexeme that is none', [transfer({ listed: { raw: { state: '1e' } } })], 'must be a JSON value'],
    ['a refund of no order', [transfer({ refunds: [{ outOrderNo: 'O-2', at: AT }] })], 'no such order'],
    [
      'a refund before success',
      [transfer({ refunds: [{ outOrderNo: 'O-1', at: AT }] }, { delayMs: 1 })],
      'not succeeded',
    ],
    [
      'a refund of what has left',
      [transfer({ refunds: [{ outOrderNo: 'O-1', at: AT }] }, { settle: {} })],
      'fall below zero',
    ],
    ['a member nobody knows', [{ ...transfer(), colour: 'red' } as TransferSeed], 'colour'],
  ])('%s is a fault, and nothing is seeded', (_what, seeds, named) => {
    const sandbox = sandboxWithOrders();
    const before = everything(sandbox);
    const whole = transfer({ outBatchNo: 'B-9' }, { outOrderNo: 'O-9', amountFen: 1 });
    expect(() => sandbox.seedTransfers([whole, ...seeds])).toThrow(named);
    expect(everything(sandbox)).toEqual(before);
  });

  test.each<[string, Partial<WithdrawalSeed>, string]>([
    ['a card that may not be paid', { recvAcctNo: 'BANK-X' }, 'may not withdraw'],
    ['more than there is', { amountFen: 1_000_000, feeFen: 1, feeType: 'ACCOUNT' }, 'fall below zero'],
    ['an account that is not there', { acctNo: 'nobody' }, 'no account nobody'],
  ])('a withdrawal to %s is a fault, and nothing is seeded', (_what, over, named) => {
    const sandbox = sandboxWithOrders();
    const before = everything(sandbox);
    expect(() => sandbox.seedWithdrawals([withdrawal({ outOrderNo: 'W-9' }), withdrawal(over)])).toThrow(
      named,
    );
    expect(everything(sandbox)).toEqual(before);
  });

  test('a closed account neither pays nor is paid', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedMovements([{ kind: 'state', accountNo: PAYEE, state: '0', at: '2026-03-01 10:00:00' }]);
    expect(() => sandbox.seedTransfers([transfer()])).toThrow(`${PAYEE} is closed`);
    sandbox.seedTransfers([transfer({ submittedAt: '2026-03-01 09:00:00' })]);
  });

  test('whatever the order in which they are seeded, the balance follows their instants', () => {
    const sandbox = sandboxWithOrders();
    const hours = [9, 7, 11, 8, 10];
    sandbox.seedTransfers(
      hours.map((hour) =>
        transfer(
          { outBatchNo: `B-${hour}`, submittedAt: `2026-03-01 ${String(hour).padStart(2, '0')}:00:00` },
          { outOrderNo: `O-${hour}`, amountFen: hour },
        ),
      ),
    );
    const at = (hour: number): number => {
      sandbox.clock.set(`2026-03-01T${String(hour - 8).padStart(2, '0')}:00:00.000Z`);
      return money(sandbox, PAYEE)[0];
    };
    expect([9, 10, 11].map(at)).toEqual([24, 34, 45]);
  });
});

describe('what is shown instead', () => {
  test('a label that contradicts the orders, from the beginning or from an instant on', () => {
    const sandbox = sandboxWithOrders();
    const changes = [{ at: '2026-03-01 12:00:01', set: { state: 'PROCESSING' } }];
    sandbox.seedTransfers([transfer({ listed: { set: { state: 'FAIL' } }, changes })]);
    expect(queryBatch(sandbox, 'B-1').biz['state']).toBe('FAIL');
    expect(theOrder(sandbox, 'B-1')['state']).toBe('SUCCESS');
    sandbox.clock.advance(1_000);
    expect(queryBatch(sandbox, 'B-1').biz['state']).toBe('PROCESSING');
    expect(money(sandbox, PAYER)).toEqual([990_000, 0]);
  });

  test('an order that changes, goes back, or has amounts that are none', () => {
    const sandbox = sandboxWithOrders();
    const changes = [
      { at: '2026-03-01 12:00:03', raw: { realAmount: '100.0' }, remove: ['mchFee', 'feeType'] },
      { at: '2026-03-01 12:00:02', set: { state: 'PROCESSING' } },
    ];
    sandbox.seedTransfers([transfer({}, { changes })]);
    const seen = [0, 2_000, 1_000].map((ms) => {
      sandbox.clock.advance(ms);
      return theOrder(sandbox, 'B-1');
    });
    expect(seen.map((order) => [order['state'], order['realAmount'], 'mchFee' in order])).toEqual([
      ['SUCCESS', 10_000, true],
      ['PROCESSING', 10_000, true],
      ['PROCESSING', 100, false],
    ]);
    expect(queryBatch(sandbox, 'B-1').text).toContain('100.0');
  });

  test('an order that vanishes from its batch, and a batch that vanishes', () => {
    const sandbox = sandboxWithOrders();
    const first = transfer({}, { state: 'FAIL', vanishesAt: '2026-03-01 12:00:01' });
    sandbox.seedTransfers([
      { ...first, orders: [...first.orders, { outOrderNo: 'O-2', payeeAcctNo: PAYEE, amountFen: 1 }] },
      transfer({ outBatchNo: 'B-2', vanishesAt: '2026-03-01 12:00:01' }, { outOrderNo: 'O-3' }),
      transfer({ outBatchNo: 'B-3', visibleFrom: '2026-03-01 12:00:01' }, { outOrderNo: 'O-4' }),
    ]);
    const seen = (): unknown => [
      queryBatch(sandbox, 'B-1').biz['state'],
      ordersOf(queryBatch(sandbox, 'B-1')).map(({ outOrderNo }) => outOrderNo),
      queryBatch(sandbox, 'B-2').ok,
      queryBatch(sandbox, 'B-3').ok,
    ];
    expect(seen()).toEqual(['PART_SUCCESS', ['O-1', 'O-2'], true, false]);
    sandbox.clock.advance(1_000);
    expect(seen()).toEqual(['PART_SUCCESS', ['O-2'], false, true]);
  });

  test('a withdrawal that changes, is unknown for a while, and vanishes', () => {
    const sandbox = sandboxWithOrders();
    const changes = [{ at: '2026-03-01 12:00:02', set: { state: 'PROCESSING', amount: 1 } }];
    const shown = { visibleFrom: '2026-03-01 12:00:01', vanishesAt: '2026-03-01 12:00:03' };
    sandbox.seedWithdrawals([withdrawal({ changes, ...shown })]);
    const seen = [0, 1_000, 1_000, 1_000].map((ms) => {
      sandbox.clock.advance(ms);
      const { state, amount } = queryWithdrawal(sandbox, 'W-1');
      return [state, amount];
    });
    const gone = [undefined, undefined];
    expect(seen).toEqual([gone, ['SUCCESS', 10_000], ['PROCESSING', 1], gone]);
    expect(money(sandbox, PAYER)).toEqual([990_000, 0]);
  });

  test('faults of the data reach the orders of a batch, whole or one by one', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedTransfers([transfer({}, {}), transfer({ outBatchNo: 'B-2' }, { outOrderNo: 'O-2' })]);
    const once = (fault: Parameters<Sandbox['addFault']>[0]): Members[] => {
      sandbox.addFault({ path: 'division/query', ...fault });
      return ordersOf(queryBatch(sandbox, 'B-1'));
    };
    expect(once({ kind: 'empty_list' })).toEqual([]);
    expect(once({ kind: 'repeat_row' })).toHaveLength(2);
    expect(once({ kind: 'drop_row' })).toEqual([]);
    expect(once({ kind: 'amount', form: 'negative' })).toMatchObject([{ amount: -1 }]);
    expect(once({ kind: 'unknown_enum', value: 'XYZ' })).toMatchObject([{ state: 'XYZ' }]);
    expect(once({ kind: 'record', set: { mchFee: 7 }, remove: ['body'] })[0]).not.toHaveProperty('body');
    expect(once({ kind: 'rename_member', from: 'payeyAcctNo', to: 'payerAcctNo' })).toMatchObject([
      { payerAcctNo: PAYER },
    ]);
    sandbox.seedWithdrawals([withdrawal()]);
    sandbox.addFault({ kind: 'unknown_enum', path: 'account/queryWithdraw', value: 2 });
    expect(queryWithdrawal(sandbox, 'W-1')['state']).toBe(2);
  });
});

describe('planned outcomes', () => {
  test('go to the order, then to the account, then to the next ones; each as often as it says', () => {
    const sandbox = sandboxWithOrders();
    sandbox.planOutcomes([
      { kind: 'transfer', times: 2, state: 'CLOSE' },
      { kind: 'transfer', payeeAcctNo: PAYEE, state: 'FAIL' },
      { kind: 'transfer', outOrderNo: 'O-3', state: 'PROCESSING' },
    ]);
    const orders = ['O-1', 'O-2', 'O-3', 'O-4', 'O-5'].map((outOrderNo) => anOrder({ outOrderNo }));
    const states = ordersOf(pay(sandbox, orders)).map(({ state }) => state);
    expect(states).toEqual(['FAIL', 'CLOSE', 'PROCESSING', 'CLOSE', 'SUCCESS']);
  });

  test('times null decides all, until it is dropped; a refused call uses up none', () => {
    const sandbox = sandboxWithOrders();
    const [all, once] = sandbox.planOutcomes([
      { kind: 'withdrawal', times: null, state: 'FAIL' },
      { kind: 'withdrawal', acctNo: PAYER, state: 'PROCESSING' },
    ]);
    expect([all, once]).toEqual([1, 2]);
    expect(withdraw(sandbox, { amount: 1_000_001 }).ok).toBe(false);
    const states = (): unknown => withdraw(sandbox).biz['state'];
    expect([states(), states(), states()]).toEqual(['PROCESSING', 'FAIL', 'FAIL']);
    const drop = {
      method: 'POST',
      path: '/control/outcomes/drop',
      contentType: 'application/json',
      body: '{"no":1}',
    };
    expect(sandbox.control(drop).status).toBe(200);
    expect(states()).toBe('SUCCESS');
  });

  test('a batch’s answer, whatever its orders are', () => {
    const sandbox = sandboxWithOrders();
    sandbox.planOutcomes([
      { kind: 'batch', outBatchNo: 'B-2', note: '注意', listed: { set: { state: 'PART_SUCCESS' } } },
    ]);
    const paid = ['B-1', 'B-2'].map((outBatchNo) => pay(sandbox, [anOrder()], { outBatchNo }).biz);
    expect(paid.map(({ state, note }) => [state, note])).toEqual([
      ['SUCCESS', ''],
      ['PART_SUCCESS', '注意'],
    ]);
  });

  test('a fault in one of them plans none', () => {
    const sandbox = sandboxWithOrders();
    const wrong = { kind: 'withdrawal' as const, changes: [{ at: 'soon', set: {} }] };
    expect(() => sandbox.planOutcomes([{ kind: 'batch' }, wrong])).toThrow('is no time');
    expect(everything(sandbox)).toEqual(everything(sandboxWithOrders()));
  });
});
