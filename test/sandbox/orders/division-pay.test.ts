/** `division/pay`: types, numbers that are used, and too little money (DIV-13, DIV-22, U26, U28). */
import { describe, expect, test } from 'vitest';

import type { Members } from '../caller.ts';
import { anOrder, call, expectRefused, OTHER_PAYEE, pay, PAYER, sandboxWithOrders } from './orders-caller.ts';

function refused(orders: readonly Members[], over: Members = {}, options = {}): string {
  const sandbox = sandboxWithOrders(options);
  return String(expectRefused(sandbox, () => pay(sandbox, orders, over)).envelope['msg']);
}

describe('the batch', () => {
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
});

describe('DIV-22: too little money', () => {
  const dear = (): Members[] => [
    anOrder({ amount: '600000' }),
    anOrder({ amount: '400000', payeeAcctNo: OTHER_PAYEE }),
  ];

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
