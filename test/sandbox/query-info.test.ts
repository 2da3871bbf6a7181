/** ACC: what an account is and holds, as the sandbox's clock has it. */
import { describe, expect, test } from 'vitest';

import { Zone } from '../../src/core/time.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { MovementSeed } from '../../src/sandbox/world/seed-schema.ts';
import { ask, isRefusal, sandboxAtNoon } from './caller.ts';
import type { Answered } from './caller.ts';
import { fc, runs } from '../helpers/properties.ts';

const ZONE = new Zone('Asia/Shanghai');

const info = (sandbox: Sandbox, accountNo = '100001'): Answered =>
  ask(sandbox, 'acct/queryInfo', { accountNo });

const money = (sandbox: Sandbox, accountNo?: string): unknown[] => {
  const { biz } = info(sandbox, accountNo);
  return [biz['balance'], biz['frozen'], biz['availableBalance']];
};

describe('which account', () => {
  const sandbox = sandboxAtNoon();
  sandbox.seedAccounts([{ accountNo: '100001', openReqNo: 'RQ1' }]);

  test('U28: a number for the account is taken or refused as the switch says', () => {
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: 100001 }).ok).toBe(true);
    const strict = sandboxAtNoon({ switches: { strictTypes: true } });
    strict.seedAccounts([{ accountNo: '100001' }]);
    expect(isRefusal(ask(strict, 'acct/queryInfo', { accountNo: 100001 }))).toBe(true);
  });
});

describe('what it shows', () => {
  test('ACC-03, U59: amounts as strings of digits', () => {
    const sandbox = sandboxAtNoon({ switches: { numbersAs: 'string' } });
    sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 1_000_000_000_000_000n, frozenFen: 1n }]);
    expect(money(sandbox)).toEqual(['1000000000000000', '1', '999999999999999']);
  });
});

describe('money through time', () => {
  test('a deposit counts from its booking, an inner fee is taken out and an outer one beside it (3.3)', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 100_000 }]);
    sandbox.seedDeposits([
      { payeeAcctNo: '100001', amountFen: 10_000, feeFen: 30, depositTime: '2026-03-01 12:00:01' },
      {
        payeeAcctNo: '100001',
        amountFen: 10_000,
        feeFen: 30,
        feeType: 'ACCOUNT',
        depositTime: '2026-03-01 12:00:02',
        bookedAt: '2026-03-01 12:00:05',
      },
    ]);
    const seen = [0, 1_000, 3_000, 1_000].map((ms) => {
      sandbox.clock.advance(ms);
      return info(sandbox).biz['balance'];
    });
    expect(seen).toEqual([100_000, 109_970, 109_970, 119_940]);
  });

  test.each([
    ['payee', 109_970, 50_000],
    ['self', 109_970, 50_000],
    ['external', 110_000, 50_000],
    ['payer', 110_000, 50_000],
    ['acct:100002', 110_000, 49_970],
  ])('U35: the outer fee of a deposit borne by %s', (depositFeeBearer, payeeFen, otherFen) => {
    const sandbox = sandboxAtNoon({ switches: { depositFeeBearer } });
    sandbox.seedAccounts([
      { accountNo: '100001', balanceFen: 100_000 },
      { accountNo: '100002', balanceFen: 50_000 },
    ]);
    const deposit = {
      payeeAcctNo: '100001',
      amountFen: 10_000,
      feeFen: 30,
      depositTime: '2026-03-01 11:00:00',
    };
    sandbox.seedDeposits([{ ...deposit, feeType: 'ACCOUNT' }]);
    expect(info(sandbox).biz['balance']).toBe(payeeFen);
    expect(info(sandbox, '100002').biz['balance']).toBe(otherFen);
  });

  test('a failed deposit moves nothing', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001' }]);
    const depositTime = '2026-03-01 11:00:00';
    sandbox.seedDeposits([{ payeeAcctNo: '100001', amountFen: 10_000, depositTime, failed: true }]);
    expect(money(sandbox)).toEqual([0, 0, 0]);
  });

  test('U57: interest, hidden fees, adjustments and freezes take effect at their instants', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 10_000 }]);
    sandbox.seedMovements([
      { kind: 'interest', accountNo: '100001', amountFen: 1_234, at: '2026-03-01 12:00:01' },
      { kind: 'hidden_fee', accountNo: '100001', amountFen: 34, at: '2026-03-01 12:00:02' },
      { kind: 'adjustment', accountNo: '100001', amountFen: -200, at: '2026-03-01T12:00:03+08:00' },
      { kind: 'freeze', accountNo: '100001', amountFen: 1_000, at: '2026-03-01 12:00:03' },
      { kind: 'unfreeze', accountNo: '100001', amountFen: 400, at: '2026-03-01 12:00:04' },
    ]);
    const seen = [0, 1, 2, 3, 4].map(() => {
      const now = money(sandbox);
      sandbox.clock.advance(1_000);
      return now;
    });
    expect(seen).toEqual([
      [10_000, 0, 10_000],
      [11_234, 0, 11_234],
      [11_200, 0, 11_200],
      [11_000, 1_000, 10_000],
      [11_000, 600, 10_400],
    ]);
  });

  test('OPN-04, U31: a replaced account is closed and its money is on the other', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 700 }, { accountNo: '100002' }]);
    sandbox.seedMovements([{ kind: 'replacement', accountNo: '100001', toAccountNo: '100002' }]);
    expect(info(sandbox).biz['accountState']).toBe('0');
    expect([...money(sandbox), ...money(sandbox, '100002')]).toEqual([0, 0, 0, 700, 0, 700]);
    const deposit = { payeeAcctNo: '100001', amountFen: 1, depositTime: '2026-03-01 13:00:00' };
    expect(() => sandbox.seedDeposits([deposit])).toThrow('closed');
  });

  test('a drift moves the balance at each query until it is used up', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 100, drift: { fen: 5, queries: 2 } }]);
    expect([1, 2, 3].map(() => info(sandbox).biz['balance'])).toEqual([105, 110, 110]);
  });

  test('ACC-09: what would make the available balance negative at any time is refused and leaves no trace', () => {
    const sandbox = sandboxAtNoon();
    sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 1_000, frozenFen: 400 }]);
    const fee: MovementSeed = {
      kind: 'hidden_fee',
      accountNo: '100001',
      amountFen: 601,
      at: '2026-03-01 11:00:00',
    };
    expect(() => sandbox.seedMovements([fee])).toThrow('below zero');
    expect(() =>
      sandbox.seedMovements([{ kind: 'unfreeze', accountNo: '100001', amountFen: 401 }]),
    ).toThrow();
    expect(() => sandbox.seedAccounts([{ accountNo: '100002', balanceFen: 1, frozenFen: 2 }])).toThrow(
      'frozen',
    );
    expect(money(sandbox)).toEqual([1_000, 400, 600]);
  });
});

test('ACC-09: available = balance − frozen, never below zero, whatever is seeded and whenever it is looked at', () => {
  const minute = fc
    .integer({ min: 0, max: 59 })
    .map((value) => `2026-03-01 12:${String(value).padStart(2, '0')}:00`);
  const amountFen = fc.integer({ min: 0, max: 5_000 });
  const accountNo = fc.constant('100001');
  const kind = fc.constantFrom(
    'interest' as const,
    'hidden_fee' as const,
    'freeze' as const,
    'unfreeze' as const,
  );
  const movement = fc.record({ kind, accountNo, amountFen, at: minute });
  const deposit = fc.record({ payeeAcctNo: accountNo, amountFen, feeFen: amountFen, depositTime: minute });
  const operation = fc.oneof(movement, deposit);
  fc.assert(
    fc.property(
      fc.array(operation, { maxLength: 25 }),
      fc.array(fc.integer({ min: -60, max: 60 })),
      (seeds, looks) => {
        const sandbox = sandboxAtNoon();
        sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 3_000 }]);
        for (const seed of seeds) seedIfPossible(sandbox, seed);
        for (const minutes of looks) {
          sandbox.clock.set('2026-03-01T04:00:00.000Z');
          sandbox.clock.advance(minutes * 60_000);
          const { biz } = ask(
            sandbox,
            'acct/queryInfo',
            { accountNo: '100001' },
            { reqTime: ZONE.compactText(sandbox.clock.now()) },
          );
          const [balance, frozen, available] = [
            biz['balance'],
            biz['frozen'],
            biz['availableBalance'],
          ] as number[];
          expect(available).toBe((balance ?? Number.NaN) - (frozen ?? Number.NaN));
          expect(available).toBeGreaterThanOrEqual(0);
          expect(frozen).toBeGreaterThanOrEqual(0);
        }
      },
    ),
    { numRuns: runs(150) },
  );
});

function seedIfPossible(sandbox: Sandbox, seed: object): void {
  try {
    if ('kind' in seed) sandbox.seedMovements([seed as MovementSeed]);
    else sandbox.seedDeposits([seed as never]);
  } catch (error) {
    expect(String(error)).toContain('below zero');
  }
}
