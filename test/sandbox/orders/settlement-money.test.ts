/** What automatic withdrawals do to balances, fen by fen (docs/reconciliation.md 3.3, U34, U35, U37, U49, U60). */
import { describe, expect, test } from 'vitest';

import { anOrder, money, pay, sandboxWithOrders, theOrder } from './orders-caller.ts';
import { balances, seedOne, three } from '../three-accounts.ts';

describe('automatic settlement', () => {
  test('E6, U60: it begins when the transfer has arrived, and takes what arrived', () => {
    const sandbox = three({ settleFee: { feeType: 'ORDER', feeFen: 20 }, settleDelayMs: 5_000 }, true);
    seedOne(sandbox, { feeType: 'ORDER', feeFen: 30, delayMs: 1_000 });
    const seen = [0, 1_000, 5_000].map((ms) => {
      sandbox.clock.advance(ms);
      const { state, settleState, settleRemark } = theOrder(sandbox, 'B-1');
      return [state, settleState, settleRemark, money(sandbox, 'Q')];
    });
    expect(seen).toEqual([
      ['PROCESSING', '', '', [5_000, 0]],
      ['SUCCESS', 'PROCESSING', '', [14_970, 9_970]],
      ['SUCCESS', 'SUCCESS', '', [5_000, 0]],
    ]);
  });

  test.each<[string, unknown]>([
    [
      'self',
      [
        [90_000, 0],
        [4_980, 0],
        [5_000, 0],
      ],
    ],
    [
      'payee',
      [
        [90_000, 0],
        [4_980, 0],
        [5_000, 0],
      ],
    ],
    [
      'payer',
      [
        [89_980, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'external',
      [
        [90_000, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'acct:X',
      [
        [90_000, 0],
        [5_000, 0],
        [4_980, 0],
      ],
    ],
  ])('E7, U35: its fee of 20 beside the amount is borne by %s', (settleFeeBearer, expected) => {
    const sandbox = three({ settleFeeBearer });
    seedOne(sandbox, { settle: { feeType: 'ACCOUNT', feeFen: 20 } });
    expect(balances(sandbox)).toEqual(expected);
  });

  test('U34: a failed one leaves the money on the account and says why', () => {
    const sandbox = three({}, true);
    seedOne(sandbox, { settle: { state: 'FAIL', remark: '账户已注销' } });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({
      state: 'SUCCESS',
      settleState: 'FAIL',
      settleRemark: '账户已注销',
    });
    expect(money(sandbox, 'Q')).toEqual([15_000, 0]);
  });

  test('U34: FAILED means the same, and a word nobody knows holds the money', () => {
    const sandbox = three({}, true);
    seedOne(sandbox, { settle: { state: 'FAILED' } });
    expect(money(sandbox, 'Q')).toEqual([15_000, 0]);
    const other = three({}, true);
    seedOne(other, { settle: { state: '已受理' } });
    expect(money(other, 'Q')).toEqual([15_000, 10_000]);
  });

  test('U49: it comes back after success, its fee too', () => {
    const sandbox = three({}, true);
    seedOne(sandbox, {
      settle: { feeType: 'ACCOUNT', feeFen: 20, returnAfterMs: 60_000, returnRemark: '退票' },
    });
    expect(money(sandbox, 'Q')).toEqual([4_980, 0]);
    sandbox.clock.advance(60_000);
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ settleState: 'FAIL', settleRemark: '退票' });
    expect(money(sandbox, 'Q')).toEqual([15_000, 0]);
  });

  test('STL-15: failed, tried again, settled: it leaves once', () => {
    const sandbox = three({}, true);
    const states = [
      { afterMs: 0, state: 'FAIL' },
      { afterMs: 1_000, state: 'PROCESSING' },
      { afterMs: 2_000, state: 'SUCCESS' },
    ];
    seedOne(sandbox, { settle: { states } });
    const seen = [0, 1_000, 1_000].map((ms) => {
      sandbox.clock.advance(ms);
      return money(sandbox, 'Q');
    });
    expect(seen).toEqual([
      [15_000, 0],
      [15_000, 10_000],
      [5_000, 0],
    ]);
  });

  test('null: none, although the payee settles; none for an order that fails', () => {
    const sandbox = three({}, true);
    seedOne(sandbox, { settle: null });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ settleState: '' });
    const failing = three({}, true);
    seedOne(failing, { state: 'FAIL', settle: {} });
    expect(theOrder(failing, 'B-1')).toMatchObject({ state: 'FAIL', settleState: '' });
  });

  test('of a paid order whose fee the account cannot bear, it fails at once and nothing is held', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedAccounts([{ accountNo: '200003', autoSettle: true }]);
    sandbox.setSwitches({ settleFee: { feeType: 'ACCOUNT', feeFen: 1 }, settleDelayMs: 1_000 });
    pay(sandbox, [anOrder({ payeeAcctNo: '200003' })], { outBatchNo: 'B-1' });
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ settleState: 'FAIL', settleRemark: '可用余额不足' });
    expect(money(sandbox, '200003')).toEqual([10_000, 0]);
  });
});
