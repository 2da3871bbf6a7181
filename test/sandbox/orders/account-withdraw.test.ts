/** `account/withdraw` and `account/queryWithdraw` (WDR-01…15, U23, U35, U48, U49). */
import { describe, expect, test } from 'vitest';

import type { Sandbox, SandboxOptions } from '../../src/sandbox/create-sandbox.ts';
import { md5Signed, members, send } from './caller.ts';
import type { Members } from './caller.ts';
import {
  call,
  everything,
  expectRefused,
  money,
  PAYER,
  queryWithdrawal,
  sandboxWithOrders,
  smsCode,
  withdraw,
} from './orders-caller.ts';

function refused(over: Members, options: SandboxOptions = {}): string {
  const sandbox = sandboxWithOrders(options);
  return String(expectRefused(sandbox, () => withdraw(sandbox, over)).envelope['msg']);
}

describe('the request', () => {
  test.each<[string, Members, string]>([
    ['WDR-01: no outOrderNo', { outOrderNo: undefined }, 'outOrderNo'],
    ['WDR-01, LIM-04: 33 characters', { outOrderNo: 'w'.repeat(33) }, 'outOrderNo'],
    ['WDR-02: no acctNo', { acctNo: undefined, accountNo: PAYER }, 'acctNo'],
    ['WDR-02: an unknown account', { acctNo: '999999' }, 'not found'],
    ['WDR-03: no amount', { amount: undefined }, 'amount'],
    ['WDR-03: zero', { amount: 0 }, 'amount'],
    ['WDR-03: negative', { amount: -1 }, 'amount'],
    ['WDR-03, ENV-24: a fraction', { amount: 1.5 }, 'amount'],
    ['WDR-03, ENV-24: no number', { amount: 'abc' }, 'amount'],
    ['WDR-04: channelExtra that is no text', { channelExtra: {} }, 'channelExtra'],
    ['WDR-04: channelExtra that is no JSON', { channelExtra: '{' }, 'channelExtra'],
    ['WDR-06: another card', { recvAcctNo: 'BANK-OTHER' }, 'recvAcctNo'],
  ])('%s is refused', (_what, over, named) => {
    expect(refused(over)).toContain(named);
  });

  test('WDR-01, LIM-04: 32 characters are accepted; an empty channelExtra is none', () => {
    expect(withdraw(sandboxWithOrders(), { outOrderNo: 'w'.repeat(32), channelExtra: '' }).ok).toBe(true);
  });

  test('U28: strict types refuse digits for the amount', () => {
    expect(refused({ amount: '10000' }, { switches: { strictTypes: true } })).toContain('amount');
    expect(withdraw(sandboxWithOrders(), { amount: '10000' }).ok).toBe(true);
  });

  test('WDR-01, U26: a number that is used is refused, no second debit', () => {
    const sandbox = sandboxWithOrders();
    withdraw(sandbox, { outOrderNo: 'W-1' });
    expectRefused(sandbox, () => withdraw(sandbox, { outOrderNo: 'W-1', amount: 5 }));
    expect(money(sandbox, PAYER)).toEqual([990_000, 0]);
    sandbox.setSwitches({ duplicate: 'returnFirst' });
    expect(withdraw(sandbox, { outOrderNo: 'W-1', amount: 5 }).biz['amount']).toBe(10_000);
    expect(money(sandbox, PAYER)).toEqual([990_000, 0]);
  });

  test.each<[string, object]>([
    ['WDR-02, ENV-28: foreign', { merchant: 'other' }],
    ['WDR-02, ACC-04: closed', { state: '0' }],
    ['U21: pending activation', { state: '2' }],
  ])('%s accounts may not withdraw', (_what, over) => {
    const sandbox = sandboxWithOrders();
    sandbox.seedAccounts([{ accountNo: '300001', balanceFen: 50_000, ...over }]);
    expectRefused(sandbox, () => withdraw(sandbox, { acctNo: '300001' }));
  });

  test('a payee account may withdraw', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedAccounts([{ accountNo: '300001', balanceFen: 50_000 }]);
    expect(withdraw(sandbox, { acctNo: '300001' }).ok).toBe(true);
  });
});

describe('the card', () => {
  const card = (bankAccountNo: string, over = {}) => ({ bankAccountNo, bankAccountName: '某公司', ...over });

  function withCards(): Sandbox {
    const sandbox = sandboxWithOrders();
    const whiteCards = [card('BANK-OUT', { accountType: 'P' }), card('BANK-IN', { whiteType: 'IN' })];
    sandbox.seedAccounts([
      { accountNo: '300001', balanceFen: 50_000, whiteCards, bindCard: card('BANK-BOUND') },
    ]);
    return sandbox;
  }

  function paidTo(sandbox: Sandbox): unknown {
    const [, , shown] = everything(sandbox) as [unknown, unknown, { withdrawals: Members[] }];
    const last = shown.withdrawals.at(-1);
    return [last?.['bankAccountNo'], last?.['payment']];
  }

  test.each<[string, Members, unknown]>([
    ['WDR-05: the bound one by default', {}, ['BANK-BOUND', 'corporate']],
    ['WDR-06: the bound one by its number', { recvAcctNo: 'BANK-BOUND' }, ['BANK-BOUND', 'corporate']],
    ['WDR-06, WDR-08: a whitelisted one', { recvAcctNo: 'BANK-OUT' }, ['BANK-OUT', 'personal']],
    [
      'WDR-04: placed in channelExtra',
      { channelExtra: '{"recvAcctNo":"BANK-OUT"}' },
      ['BANK-OUT', 'personal'],
    ],
  ])('%s', (_what, over, expected) => {
    const sandbox = withCards();
    expect(withdraw(sandbox, { acctNo: '300001', ...over }).ok).toBe(true);
    expect(paidTo(sandbox)).toEqual(expected);
  });

  test('WDR-06: one whitelisted for deposits alone is refused, wherever it is placed', () => {
    const sandbox = withCards();
    for (const over of [{ recvAcctNo: 'BANK-IN' }, { channelExtra: '{"recvAcctNo":"BANK-IN"}' }]) {
      expectRefused(sandbox, () => withdraw(sandbox, { acctNo: '300001', ...over }));
    }
  });
});

describe('WDR-07, U56: without password-free mode a code is needed', () => {
  test.each([
    ['of the account', { accountNo: '300001', passwordFree: false }, {}],
    ['of the company', { accountNo: '300001' }, { switches: { passwordFree: false } }],
  ])('%s', (_what, account, options) => {
    const sandbox = sandboxWithOrders(options);
    sandbox.seedAccounts([{ balanceFen: 50_000, ...account }]);
    const over = { acctNo: '300001' };
    expectRefused(sandbox, () => withdraw(sandbox, over));
    const other = smsCode(sandbox, { reqNo: `RQ${PAYER}` });
    expectRefused(sandbox, () => withdraw(sandbox, { ...over, ...other }));
    const codes = [1, 2].map(() => smsCode(sandbox, { reqNo: 'RQ300001' }));
    expect(withdraw(sandbox, { ...over, ...codes[0] }).ok).toBe(true);
    expectRefused(sandbox, () => withdraw(sandbox, { ...over, ...codes[0] }));
    expect(withdraw(sandbox, { ...over, channelExtra: JSON.stringify(codes[1]) }).ok).toBe(true);
  });
});

describe('the answer', () => {
  test('WDR-09, WDR-10: exactly the members of its table; the query says the same', () => {
    const sandbox = sandboxWithOrders({ switches: { withdrawFee: { feeType: 'ORDER', feeFen: 30 } } });
    const expected = {
      outOrderNo: 'W-1',
      orderNo: 'WD20260301K000001',
      acctNo: PAYER,
      state: 'SUCCESS',
      amount: 10_000,
      fee: 30,
      feeType: 'ORDER',
      realAmount: 9_970,
      note: '',
    };
    expect(withdraw(sandbox, { outOrderNo: 'W-1' }).biz).toEqual(expected);
    expect(queryWithdrawal(sandbox, 'W-1')).toEqual(expected);
  });

  test('WDR-09, U48: the fee is spelled fee, mchFee, or both', () => {
    const sandbox = sandboxWithOrders({ switches: { withdrawFee: { feeType: 'ORDER', feeFen: 30 } } });
    withdraw(sandbox, { outOrderNo: 'W-1' });
    const spelled = (): unknown => {
      const { fee, mchFee } = queryWithdrawal(sandbox, 'W-1');
      return [fee, mchFee];
    };
    expect(spelled()).toEqual([30, undefined]);
    sandbox.setSwitches({ withdrawFeeName: 'mchFee' });
    expect(spelled()).toEqual([undefined, 30]);
    sandbox.setSwitches({ withdrawFeeName: 'both' });
    expect(spelled()).toEqual([30, 30]);
  });

  test('WDR-13, ENV-27: asked by either number; none, unknown and foreign ones are refused', () => {
    const sandbox = sandboxWithOrders();
    const { orderNo } = withdraw(sandbox, { outOrderNo: 'W-1' }).biz;
    const query = (biz: Members) => call(sandbox, 'account/queryWithdraw', biz);
    expect(query({ orderNo }).biz).toEqual(query({ outOrderNo: 'W-1' }).biz);
    for (const biz of [{}, { outOrderNo: 'W-2' }, { orderNo: 'W-1' }, { outOrderNo: 'W-1', orderNo }]) {
      expectRefused(sandbox, () => query(biz));
    }
    const biz = members({ outOrderNo: 'W-1' }, { apiKey: 'ak_sandbox_other' });
    const other = send(sandbox, 'account/queryWithdraw', md5Signed(biz, 'synthetic-api-secret-other'));
    expect(other.envelope['msg']).toContain('not found');
  });

  test.each(['INIT', 'PROCESSING', 'SUCCESS', 'FAIL', 'XYZ'])('WDR-14: asked in state %s', (state) => {
    const sandbox = sandboxWithOrders();
    sandbox.planOutcomes([{ kind: 'withdrawal', state }]);
    withdraw(sandbox, { outOrderNo: 'W-1' });
    expect(queryWithdrawal(sandbox, 'W-1')['state']).toBe(state);
  });
});

describe('money', () => {
  test.each<[string, 'ORDER' | 'ACCOUNT', string, number, number, number]>([
    ['E4, WDR-11', 'ORDER', 'self', 9_970, 990_000, 0],
    ['E4, WDR-11', 'ACCOUNT', 'self', 10_000, 989_970, 0],
    ['U35', 'ACCOUNT', 'payer', 10_000, 989_970, 0],
    ['U35', 'ACCOUNT', 'payee', 10_000, 989_970, 0],
    ['U35', 'ACCOUNT', 'external', 10_000, 990_000, 0],
    ['U35', 'ACCOUNT', 'acct:300001', 10_000, 990_000, -30],
  ])('%s: 10,000 with an %s fee of 30 borne by %s', (_what, feeType, bearer, real, balance, other) => {
    const fee = { withdrawFee: { feeType, feeFen: 30 }, withdrawFeeBearer: bearer };
    const sandbox = sandboxWithOrders({ switches: fee });
    sandbox.seedAccounts([{ accountNo: '300001', balanceFen: 100 }]);
    expect(withdraw(sandbox).biz['realAmount']).toBe(real);
    expect([money(sandbox, PAYER), money(sandbox, '300001')]).toEqual([
      [balance, 0],
      [100 + other, 0],
    ]);
  });

  test('WDR-12: 10,000 of 10,000 with a fee of 50: beside it refused, inside it accepted', () => {
    const sandbox = sandboxWithOrders();
    sandbox.seedAccounts([{ accountNo: '300001', balanceFen: 10_000 }]);
    sandbox.setSwitches({ withdrawFee: { feeType: 'ACCOUNT', feeFen: 50 } });
    expectRefused(sandbox, () => withdraw(sandbox, { acctNo: '300001' }));
    sandbox.setSwitches({ shortBalance: 'fail' });
    expect(withdraw(sandbox, { acctNo: '300001' }).biz).toMatchObject({
      state: 'FAIL',
      note: '可用余额不足',
    });
    expect(money(sandbox, '300001')).toEqual([10_000, 0]);
    sandbox.setSwitches({ withdrawFee: { feeType: 'ORDER', feeFen: 50 }, shortBalance: 'refuse' });
    expect(withdraw(sandbox, { acctNo: '300001' }).biz).toMatchObject({
      state: 'SUCCESS',
      realAmount: 9_950,
    });
    expect(money(sandbox, '300001')).toEqual([0, 0]);
  });

  test.each<['frozen' | 'debited', 'SUCCESS' | 'FAIL', unknown]>([
    [
      'frozen',
      'SUCCESS',
      [
        [1_000_000, 10_030],
        [989_970, 0],
      ],
    ],
    [
      'frozen',
      'FAIL',
      [
        [1_000_000, 10_030],
        [1_000_000, 0],
      ],
    ],
    [
      'debited',
      'SUCCESS',
      [
        [989_970, 0],
        [989_970, 0],
      ],
    ],
    [
      'debited',
      'FAIL',
      [
        [989_970, 0],
        [1_000_000, 0],
      ],
    ],
  ])('U23: %s while in flight, then %s', (inflightModel, state, expected) => {
    const sandbox = sandboxWithOrders({ switches: { inflightModel } });
    sandbox.planOutcomes([{ kind: 'withdrawal', state, delayMs: 1_000, feeType: 'ACCOUNT', feeFen: 30 }]);
    expect(withdraw(sandbox, { outOrderNo: 'W-1' }).biz['state']).toBe('PROCESSING');
    const before = money(sandbox, PAYER);
    sandbox.clock.advance(1_000);
    expect(queryWithdrawal(sandbox, 'W-1')['state']).toBe(state);
    expect([before, money(sandbox, PAYER)]).toEqual(expected);
  });

  test('U49: it comes back after success, fee and all', () => {
    const sandbox = sandboxWithOrders();
    const back = { returnAfterMs: 86_400_000, returnNote: '退票' };
    sandbox.planOutcomes([{ kind: 'withdrawal', feeType: 'ACCOUNT', feeFen: 30, ...back }]);
    withdraw(sandbox, { outOrderNo: 'W-1' });
    expect(money(sandbox, PAYER)).toEqual([989_970, 0]);
    sandbox.clock.advance(86_400_000);
    expect(queryWithdrawal(sandbox, 'W-1')).toMatchObject({ state: 'FAIL', note: '退票' });
    expect(money(sandbox, PAYER)).toEqual([1_000_000, 0]);
  });

  test('a fee larger than the amount it is taken from is refused', () => {
    expect(
      refused({ amount: 10 }, { switches: { withdrawFee: { feeType: 'ORDER', feeFen: 30 } } }),
    ).toContain('fee');
  });
});

test('WDR-15: a withdrawal pushes nothing', () => {
  const sandbox = sandboxWithOrders();
  withdraw(sandbox, { notifyUrl: 'http://127.0.0.1:9/push' });
  expect(sandbox.pushes()).toEqual([]);
});
