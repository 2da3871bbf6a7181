/** DEP: which deposits are listed when, and how a record is written. */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { DepositSeed } from '../../src/sandbox/world/seed-schema.ts';
import type { SwitchesPatch } from '../../src/sandbox/control/switches.ts';
import { ask, deposits, orderNos, rows, sandboxAtNoon } from './caller.ts';

/** At the end of March, with one account and these deposits. */
function sandboxWith(seeds: readonly Partial<DepositSeed>[], switches: SwitchesPatch = {}): Sandbox {
  const sandbox = sandboxAtNoon({ switches });
  sandbox.seedAccounts([{ accountNo: '100001', eleAcctNo: 'E100001', name: '甲公司' }]);
  const usual = { payeeAcctNo: '100001', amountFen: 100, depositTime: '2026-03-01 10:00:00' };
  sandbox.seedDeposits(seeds.map((seed) => ({ ...usual, ...seed })));
  return sandbox;
}

describe('which records', () => {
  const boundaries = [
    '2026-02-28 23:59:59',
    '2026-03-01 00:00:00',
    '2026-03-01 11:59:59',
    '2026-03-01 12:00:00',
  ];
  const seeds = boundaries.map((depositTime) => ({ orderNo: depositTime, depositTime }));
  const seen = (sandbox: Sandbox, startDate: string, endDate: string) =>
    orderNos(deposits(sandbox, { startDate, endDate }));

  test.each([true, false])('DEP-12, U44: endDate included: %s, on the boundary instants', (endInclusive) => {
    const sandbox = sandboxWith(seeds, { endInclusive, depositOrder: 'oldest' });
    const [february, midnight, ...march] = boundaries;
    expect(seen(sandbox, '2026-02-28', '2026-02-28')).toEqual(endInclusive ? [february] : []);
    expect(seen(sandbox, '2026-02-28', '2026-03-01')).toEqual(endInclusive ? boundaries : [february]);
    expect(seen(sandbox, '2026-03-01', '2026-03-02')).toEqual([midnight, ...march]);
  });

  test('a record of the future appears when the clock gets there', () => {
    const sandbox = sandboxWith([{ depositTime: '2026-03-01 12:00:01' }]);
    expect(deposits(sandbox).biz['total']).toBe(0);
    sandbox.clock.advance(1_000);
    expect(deposits(sandbox).biz['total']).toBe(1);
  });

  test('U44: a record can become visible long after it was booked', () => {
    const late = { visibleFrom: '2026-03-03 12:00:00' };
    const sandbox = sandboxWith([late]);
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).biz['balance']).toBe(100);
    expect(deposits(sandbox).biz['total']).toBe(0);
    const delayed = sandboxWith([{}], { visibleDelayMs: 7_200_001 });
    expect(deposits(delayed).biz['total']).toBe(0);
    delayed.clock.advance(1);
    expect(deposits(delayed).biz['total']).toBe(1);
  });

  test.each([
    ['accountNo', 1, 0],
    ['eleAcctNo', 0, 1],
    ['both', 1, 1],
  ] as const)('U24: the listing knows accounts by %s', (depositAccountField, byAccountNo, byEleAcctNo) => {
    const sandbox = sandboxWith([{}], { depositAccountField });
    expect(deposits(sandbox).biz['total']).toBe(byAccountNo);
    const asked = deposits(sandbox, { payeeAcctNo: 'E100001' });
    expect(asked.biz['total']).toBe(byEleAcctNo);
    if (byEleAcctNo === 1) expect(rows(asked)[0]?.['payeeAcctNo']).toBe('E100001');
  });

  test('U24: an account whose listing is empty although money came in', () => {
    const sandbox = sandboxWith([{}], { emptyListingOf: ['100001'] });
    expect(deposits(sandbox).biz).toMatchObject({ total: 0, depositList: [] });
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).biz['balance']).toBe(100);
  });

  test('P1: a total that is wrong by a constant', () => {
    expect(deposits(sandboxWith([{}, {}], { totalOffset: 1 })).biz['total']).toBe(3);
  });
});

describe('records', () => {
  const full: Partial<DepositSeed> = {
    orderNo: 'D1',
    amountFen: 10_000,
    feeFen: 30,
    payerAcctNo: 'P1',
    payerName: '付款人',
    payerBankNo: 'B1',
    payeeBankNo: 'B2',
    remark: '货款',
    errCode: 'E9',
    depositTime: '2026-03-01 09:08:07',
  };

  test('DEP-07, DEP-09: all members as documented, in fen', () => {
    expect(rows(deposits(sandboxWith([full])))).toEqual([
      {
        orderNo: 'D1',
        amount: 10_000,
        fee: 30,
        realAmount: 9_970,
        feeType: 'ORDER',
        payerAcctNo: 'P1',
        payerName: '付款人',
        payerBankNo: 'B1',
        payeeAcctNo: '100001',
        payeeName: '甲公司',
        payeeBankNo: 'B2',
        remark: '货款',
        errCode: 'E9',
        depositTime: '2026-03-01 09:08:07',
      },
    ]);
    expect(rows(deposits(sandboxWith([{ ...full, feeType: 'ACCOUNT' }])))[0]?.['realAmount']).toBe(10_000);
  });

  test('U59: numbers as strings, the counts too', () => {
    const page = deposits(sandboxWith([full], { numbersAs: 'string' }));
    expect(page.biz).toMatchObject({ total: '1', page: '1', pageSize: '100' });
    expect(rows(page)[0]).toMatchObject({ amount: '10000', fee: '30', realAmount: '9970' });
  });

  test.each([
    ['local', '2026-03-01 09:08:07'],
    ['iso', '2026-03-01T01:08:07.000Z'],
    ['compact', '20260301090807'],
    ['epochMs', 1_772_327_287_000],
  ] as const)('depositTime in the form %s', (depositTimeForm, text) => {
    expect(rows(deposits(sandboxWith([full], { depositTimeForm })))[0]?.['depositTime']).toBe(text);
  });

  test('P3, P4: a record changes at an instant and vanishes at another; its money stays', () => {
    const changes = [{ at: '2026-03-01 12:00:01', set: { amount: 10_300, fee: 330 }, remove: ['errCode'] }];
    const sandbox = sandboxWith([{ ...full, changes, vanishesAt: '2026-03-01 12:00:02' }]);
    expect(rows(deposits(sandbox))[0]).toMatchObject({ amount: 10_000, errCode: 'E9' });
    sandbox.clock.advance(1_000);
    expect(rows(deposits(sandbox))[0]).toMatchObject({ amount: 10_300, fee: 330 });
    expect(rows(deposits(sandbox))[0]).not.toHaveProperty('errCode');
    sandbox.clock.advance(1_000);
    expect(rows(deposits(sandbox))).toEqual([]);
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).biz['balance']).toBe(9_970);
  });

  test('P9: a record can state what no amount is, to the digit', () => {
    const sandbox = sandboxWith([
      { ...full, creditedFen: 0, listed: { raw: { amount: '9007199254740993' } } },
    ]);
    const bizData = String(deposits(sandbox).envelope['bizData']);
    expect(bizData).toContain('"amount":9007199254740993,');
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).biz['balance']).toBe(0);
  });
});
