/** What transfers do to balances, fen by fen (docs/reconciliation.md 3.3, ACC-09, U23, U33, U35). */
import { describe, expect, test } from 'vitest';

import { money, theOrder } from './orders-caller.ts';
import { balances, seedOne, three } from '../three-accounts.ts';

describe('a transfer of 10,000 with a fee of 30', () => {
  test.each<[string, 'ORDER' | 'ACCOUNT', string, unknown]>([
    [
      'E2',
      'ORDER',
      'payer',
      [
        [90_000, 0],
        [14_970, 0],
        [5_000, 0],
      ],
    ],
    [
      'E2',
      'ACCOUNT',
      'payer',
      [
        [89_970, 0],
        [15_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'U35',
      'ACCOUNT',
      'self',
      [
        [89_970, 0],
        [15_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'U35',
      'ACCOUNT',
      'payee',
      [
        [90_000, 0],
        [14_970, 0],
        [5_000, 0],
      ],
    ],
    [
      'U35',
      'ACCOUNT',
      'external',
      [
        [90_000, 0],
        [15_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'U35',
      'ACCOUNT',
      'acct:X',
      [
        [90_000, 0],
        [15_000, 0],
        [4_970, 0],
      ],
    ],
    [
      'U35: nobody else bears an inner fee',
      'ORDER',
      'acct:X',
      [
        [90_000, 0],
        [14_970, 0],
        [5_000, 0],
      ],
    ],
  ])('%s: %s, borne by %s', (_what, feeType, transferFeeBearer, expected) => {
    const sandbox = three({ transferFeeBearer });
    seedOne(sandbox, { feeType, feeFen: 30 });
    expect(balances(sandbox)).toEqual(expected);
  });

  test.each<[string, 'frozen' | 'debited', string, unknown]>([
    [
      'ACCOUNT',
      'frozen',
      'payer',
      [
        [100_000, 10_030],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'ACCOUNT',
      'debited',
      'payer',
      [
        [89_970, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'ACCOUNT',
      'frozen',
      'payee',
      [
        [100_000, 10_000],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'ACCOUNT',
      'frozen',
      'acct:X',
      [
        [100_000, 10_000],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'ORDER',
      'frozen',
      'payer',
      [
        [100_000, 10_000],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'ORDER',
      'debited',
      'payer',
      [
        [90_000, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
  ])('U23: %s in flight, %s, fee borne by %s', (feeType, inflightModel, transferFeeBearer, expected) => {
    const sandbox = three({ inflightModel, transferFeeBearer });
    seedOne(sandbox, { feeType: feeType as 'ORDER', feeFen: 30, state: 'PROCESSING' });
    expect(balances(sandbox)).toEqual(expected);
    sandbox.clock.advance(30 * 86_400_000);
    expect(balances(sandbox)).toEqual(expected);
  });
});

test('U35: a fee is held with the amount only where the order’s own side bears it, whoever that is', () => {
  const sandbox = three({ transferFeeBearer: 'acct:P' });
  seedOne(sandbox, { feeType: 'ACCOUNT', feeFen: 30, finalAt: '2026-03-01 12:00:10' });
  expect(money(sandbox, 'P')).toEqual([100_000, 10_000]);
  sandbox.clock.advance(10_000);
  expect(money(sandbox, 'P')).toEqual([89_970, 0]);
});

describe('U23, U33: what was in flight ends', () => {
  test.each<['frozen' | 'debited', string, unknown]>([
    [
      'frozen',
      'FAIL',
      [
        [100_000, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'debited',
      'FAIL',
      [
        [100_000, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'debited',
      'CLOSE',
      [
        [100_000, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'frozen',
      'SUCCESS',
      [
        [89_970, 0],
        [15_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'debited',
      'SUCCESS',
      [
        [89_970, 0],
        [15_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'frozen',
      'XYZ',
      [
        [100_000, 10_030],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
    [
      'debited',
      'XYZ',
      [
        [89_970, 0],
        [5_000, 0],
        [5_000, 0],
      ],
    ],
  ])('%s, then %s', (inflightModel, state, expected) => {
    const sandbox = three({ inflightModel });
    seedOne(sandbox, { feeType: 'ACCOUNT', feeFen: 30, state, finalAt: '2026-03-01 12:00:10' });
    const before = inflightModel === 'frozen' ? [100_000, 10_030] : [89_970, 0];
    sandbox.clock.advance(9_999);
    expect(balances(sandbox)).toEqual([before, [5_000, 0], [5_000, 0]]);
    sandbox.clock.advance(1);
    expect(theOrder(sandbox, 'B-1')).toMatchObject({ state });
    expect(balances(sandbox)).toEqual(expected);
  });

  test('a whole life of words is played as it is written', () => {
    const sandbox = three();
    const states = [
      { afterMs: 0, state: 'INIT' },
      { afterMs: 1_000, state: 'XYZ' },
      { afterMs: 2_000, state: 'SUCCESS' },
      { afterMs: 3_000, state: 'PROCESSING' },
    ];
    seedOne(sandbox, { states });
    const seen = [0, 1_000, 1_000, 1_000].map((ms) => {
      sandbox.clock.advance(ms);
      return [theOrder(sandbox, 'B-1')['state'], money(sandbox, 'P')];
    });
    expect(seen).toEqual([
      ['INIT', [100_000, 10_000]],
      ['XYZ', [100_000, 10_000]],
      ['SUCCESS', [90_000, 0]],
      ['PROCESSING', [90_000, 0]],
    ]);
  });
});

test('payer and payee may be one: the fee alone is lost', () => {
  const sandbox = three();
  seedOne(sandbox, { payeeAcctNo: 'P', feeType: 'ORDER', feeFen: 30 });
  expect(balances(sandbox)).toEqual([
    [99_970, 0],
    [5_000, 0],
    [5_000, 0],
  ]);
});

test('E3: a batch of two is worth its orders, and each fee beside them', () => {
  const sandbox = three();
  const orders = [
    { outOrderNo: 'O-1', payeeAcctNo: 'Q', amountFen: 10_000, feeFen: 30, feeType: 'ORDER' as const },
    { outOrderNo: 'O-2', payeeAcctNo: 'Q', amountFen: 10_000, feeFen: 30, feeType: 'ACCOUNT' as const },
  ];
  seedOne(sandbox, {}, { orders });
  expect(balances(sandbox)).toEqual([
    [79_970, 0],
    [24_970, 0],
    [5_000, 0],
  ]);
});
