/** `account/withdraw`: cards, codes and the money of withdrawals (WDR-04…12, U23, U28, U35, U49, U56). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SandboxOptions } from '../../../src/sandbox/server/create-sandbox.ts';
import type { Members } from '../caller.ts';
import {
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
  test('U28: strict types refuse digits for the amount', () => {
    expect(refused({ amount: '10000' }, { switches: { strictTypes: true } })).toContain('amount');
    expect(withdraw(sandboxWithOrders(), { amount: '10000' }).ok).toBe(true);
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

  test('WDR-12: a withdrawal that is accepted and fails for want of money says so', () => {
    const sandbox = sandboxWithOrders({ switches: { shortBalance: 'fail' } });
    const { biz } = withdraw(sandbox, { amount: 1_000_001 });
    expect(biz).toMatchObject({ state: 'FAIL', note: '可用余额不足', orderNo: 'WD20260301K000001' });
  });

  test('a fee larger than the amount it is taken from is refused', () => {
    expect(
      refused({ amount: 10 }, { switches: { withdrawFee: { feeType: 'ORDER', feeFen: 30 } } }),
    ).toContain('fee');
  });
});
