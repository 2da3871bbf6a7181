/** What retried settlements do to balances, fen by fen, by script or by switch (STL-14, STL-15, U23, U35, U37, U49). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import type { SwitchesPatch } from '../../../src/sandbox/control/switches.ts';
import { expectRefused, money, pay, theOrder } from './orders-caller.ts';
import { failed, payouts, retry, seenAfter, settledAs } from './settle-caller.ts';
import { balances, three } from '../three-accounts.ts';

describe('one retry', () => {
  test.each<[SwitchesPatch['inflightModel'], [number, number]]>([
    ['frozen', [15_000, 10_000]],
    ['debited', [5_000, 0]],
  ])('STL-14, U23: %s: held while it is under way, gone on success', (inflightModel, held) => {
    const sandbox = failed({ inflightModel }, [{ delayMs: 60_000 }]);
    expect(retry(sandbox).biz['state']).toBe('PROCESSING');
    expect(seenAfter(sandbox, [0, 59_999, 1])).toEqual([
      ['PROCESSING', held],
      ['PROCESSING', held],
      ['SUCCESS', [5_000, 0]],
    ]);
    expect(payouts(sandbox)).toEqual([[60_000, 10_000n, undefined]]);
  });

  test.each<[SwitchesPatch['inflightModel'], [number, number]]>([
    ['frozen', [15_000, 10_000]],
    ['debited', [5_000, 0]],
  ])('STL-14, U23: %s: held while it is under way, back on failure', (inflightModel, held) => {
    const sandbox = failed({ inflightModel }, [{ state: 'FAIL', delayMs: 60_000, remark: '户名不符' }]);
    retry(sandbox);
    expect(seenAfter(sandbox, [0, 60_000])).toEqual([
      ['PROCESSING', held],
      ['FAIL', [15_000, 0]],
    ]);
    expect(settledAs(sandbox)[1]).toBe('户名不符');
    expect(payouts(sandbox)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['self', [90_000, 4_980, 5_000]],
    ['payee', [90_000, 4_980, 5_000]],
    ['payer', [89_980, 5_000, 5_000]],
    ['external', [90_000, 5_000, 5_000]],
    ['acct:X', [90_000, 5_000, 4_980]],
  ])('U35: its fee of 20 beside the amount is borne by %s', (settleFeeBearer, expected) => {
    const sandbox = failed({ settleFeeBearer }, [{ feeType: 'ACCOUNT', feeFen: 20, delayMs: 10 }]);
    retry(sandbox);
    sandbox.clock.advance(10);
    expect(balances(sandbox)).toEqual((expected as number[]).map((fen) => [fen, 0]));
  });

  test('U37: what its script leaves open of the fee is as it was at the first try', () => {
    const sandbox = failed({}, [{}], { feeType: 'ACCOUNT', feeFen: 30 });
    sandbox.setSwitches({ settleFee: { feeType: 'ORDER', feeFen: 7 } });
    expect(retry(sandbox).biz).toMatchObject({ fee: 30, feeType: 'ACCOUNT' });
    expect(money(sandbox, 'Q')).toEqual([4_970, 0]);
  });

  test('U49: it comes back after success, and can be retried', () => {
    const sandbox = failed({}, [{ returnAfterMs: 60_000, returnRemark: '退票' }, { delayMs: 5_000 }]);
    retry(sandbox);
    expect(seenAfter(sandbox, [0, 60_000])).toEqual([
      ['SUCCESS', [5_000, 0]],
      ['FAIL', [15_000, 0]],
    ]);
    expect(settledAs(sandbox)[1]).toBe('退票');
    retry(sandbox);
    expect(seenAfter(sandbox, [5_000])).toEqual([['SUCCESS', [5_000, 0]]]);
    expect(payouts(sandbox)).toEqual([
      [0, 10_000n, 60_000],
      [65_000, 10_000n, undefined],
    ]);
  });

  test('too little money is refused, or fails, as the switch has it', () => {
    const poor = (shortBalance: 'refuse' | 'fail'): Sandbox => {
      const sandbox = failed({ shortBalance }, [{ delayMs: 1_000 }]);
      sandbox.seedMovements([{ kind: 'freeze', accountNo: 'Q', amountFen: 5_001 }]);
      return sandbox;
    };
    const refusing = poor('refuse');
    const refusal = expectRefused(refusing, () => retry(refusing));
    expect(refusal.envelope['msg']).toContain('account Q has too little available');
    const failing = poor('fail');
    expect(retry(failing).biz).toMatchObject({ state: 'FAIL', note: '可用余额不足' });
    expect(money(failing, 'Q')).toEqual([15_000, 5_001]);
    expect(payouts(failing)).toEqual([]);
  });

  test('a bearer that is not there refuses it without a trace', () => {
    const sandbox = failed({ settleFee: { feeType: 'ACCOUNT', feeFen: 1 } });
    sandbox.setSwitches({ settleFeeBearer: 'acct:nobody' });
    const refusal = expectRefused(sandbox, () => retry(sandbox));
    expect(refusal.envelope['msg']).toContain('no account nobody');
  });
});

describe('scripts', () => {
  test('STL-15: retries fail and recover as the seed has it', () => {
    const sandbox = failed({}, [{ state: 'FAIL' }, { state: 'FAIL', delayMs: 5 }, { delayMs: 5 }]);
    const states = [0, 1, 2].map(() => {
      const { state } = retry(sandbox).biz;
      sandbox.clock.advance(5);
      return [state, settledAs(sandbox)[0]];
    });
    expect(states).toEqual([
      ['FAIL', 'FAIL'],
      ['PROCESSING', 'FAIL'],
      ['PROCESSING', 'SUCCESS'],
    ]);
    expect(money(sandbox, 'Q')).toEqual([5_000, 0]);
    expect(payouts(sandbox)).toEqual([[15, 10_000n, undefined]]);
  });

  test('a refused retry uses nothing of the script', () => {
    const sandbox = failed({}, [{ state: 'FAIL' }]);
    expect(retry(sandbox, { remark: '' }).ok).toBe(false);
    expect([retry(sandbox).biz['state'], retry(sandbox).biz['state']]).toEqual(['FAIL', 'SUCCESS']);
  });

  test('beyond the script, and without one, the switches decide', () => {
    const sandbox = failed({ settleRetryState: 'FAIL' });
    expect(retry(sandbox).biz['state']).toBe('FAIL');
    sandbox.setSwitches({ settleRetryState: 'PROCESSING', settleRetryDelayMs: 5 });
    retry(sandbox);
    expect(seenAfter(sandbox, [0, 86_400_000])).toEqual([
      ['PROCESSING', [15_000, 10_000]],
      ['PROCESSING', [15_000, 10_000]],
    ]);
  });

  test('planned outcomes script the retries of orders that are sent', () => {
    const sandbox = three({}, true);
    const settle = { state: 'FAIL', retries: [{ state: 'FAIL' }, {}] };
    sandbox.planOutcomes([{ kind: 'transfer', payeeAcctNo: 'Q', settle }]);
    const order = { outOrderNo: 'O-1', body: '货款', amount: '10000', payeeAcctNo: 'Q' };
    pay(sandbox, [order], { outBatchNo: 'B-1', payerAcctNo: 'P' });
    expect(theOrder(sandbox, 'B-1')['settleState']).toBe('FAIL');
    expect([retry(sandbox).biz['state'], retry(sandbox).biz['state']]).toEqual(['FAIL', 'SUCCESS']);
  });

  test('a fee of a retry that is larger than the amount is a fault of the seed', () => {
    expect(() => failed({}, [{ feeType: 'ORDER', feeFen: 10_001 }])).toThrow('its fee is larger');
  });

  test('the platform’s own retry to come does not happen once a request has claimed the record', () => {
    const states = [
      { afterMs: 0, state: 'FAIL' },
      { afterMs: 60_000, state: 'PROCESSING' },
      { afterMs: 120_000, state: 'SUCCESS' },
    ];
    const sandbox = failed({}, [{ delayMs: 1_000 }], { states });
    retry(sandbox);
    expect(seenAfter(sandbox, [1_000, 120_000])).toEqual([
      ['SUCCESS', [5_000, 0]],
      ['SUCCESS', [5_000, 0]],
    ]);
    expect(payouts(sandbox)).toEqual([[1_000, 10_000n, undefined]]);
  });

  test('a claim that is refused leaves the platform’s own retry in place', () => {
    const states = [
      { afterMs: 0, state: 'FAIL' },
      { afterMs: 60_000, state: 'SUCCESS' },
    ];
    const sandbox = failed({}, [{ feeType: 'ACCOUNT', feeFen: 5_001 }], { states });
    expectRefused(sandbox, () => retry(sandbox));
    expect(seenAfter(sandbox, [60_000])).toEqual([['SUCCESS', [5_000, 0]]]);
  });
});
