/** Faults of what the platform says: authentic answers with wrong content (docs/reliability.md 1b). */
import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import type { FaultSeed } from '../../src/sandbox/faults/fault-schema.ts';
import { API_SECRET, ask, deposits, md5, orderNos, rows, sandboxAtNoon, textToSign } from './caller.ts';
import type { Answered, Members } from './caller.ts';

const LISTING = 'query/deposit' as const;

function sandboxWith(...faults: FaultSeed[]): Sandbox {
  const sandbox = sandboxAtNoon();
  sandbox.seedAccounts([{ accountNo: '100001', balanceFen: 500 }]);
  sandbox.seedDeposits(
    [9, 10, 11].map((hour) => ({
      payeeAcctNo: '100001',
      orderNo: `D${hour}`,
      amountFen: hour,
      remark: '货款',
      depositTime: `2026-03-01 ${String(hour).padStart(2, '0')}:00:00`,
    })),
  );
  for (const fault of faults) sandbox.addFault(fault);
  return sandbox;
}

function isAuthentic({ envelope }: Answered): boolean {
  const text = textToSign(envelope, ['code', 'msg', 'timestamp', 'signType', 'bizData']);
  return envelope['sign'] === md5(`${text}&appSecret=${API_SECRET}`);
}

/** The first record of the page, and the text it was written in. */
function firstRow(...faults: FaultSeed[]): { row: Members; text: string } {
  const page = deposits(sandboxWith(...faults));
  expect(isAuthentic(page)).toBe(true);
  return { row: rows(page)[0] ?? {}, text: String(page.envelope['bizData']) };
}

describe('amounts', () => {
  test.each([
    ['string', '"amount":"12345"'],
    ['exponent', '"amount":1e3'],
    ['point', '"amount":100.0'],
    ['fraction', '"amount":12.5'],
    ['negative', '"amount":-1'],
    ['null', '"amount":null'],
    ['empty', '"amount":""'],
    ['blank', '"amount":" 100"'],
    ['boolean', '"amount":true'],
    ['beyond_2_53', '"amount":9007199254740993'],
    ['beyond_limit', '"amount":"1000000000000001"'],
  ] as const)('P9: an amount in the form %s is written %s', (form, written) => {
    expect(firstRow({ kind: 'amount', path: LISTING, form }).text).toContain(`${written},`);
  });

  test('P9: any member of any record, and the balance of an account', () => {
    const sandbox = sandboxWith(
      { kind: 'amount', path: LISTING, form: 'null', member: 'fee', row: 'all' },
      { kind: 'amount', path: 'acct/queryInfo', form: 'fraction' },
    );
    expect(rows(deposits(sandbox)).map((row) => row['fee'])).toEqual([null, null, null]);
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).biz['balance']).toBe(12.5);
  });
});

describe('texts and times', () => {
  test.each([
    ['nul', 'a\u0000b', '\\u0000'],
    ['lone_surrogate', 'a\ud800b', '\\ud800'],
    ['fffe', 'a\ufffeb', '\ufffe'],
    ['rtl', 'a\u202egnp.exe\u200f', '\u202e'],
    ['control', 'a\u0007\u001b[31m\r\nb_x0041_', '\\u0007\\u001b[31m\\r\\n'],
    ['formula', '=HYPERLINK("http://example.invalid","x")', '=HYPERLINK'],
  ] as const)('P16: a remark that is poison: %s', (form, value, written) => {
    const { row, text } = firstRow({ kind: 'text', path: LISTING, form });
    expect(row['remark']).toBe(value);
    expect(text).toContain(written);
  });

  test('P16: a remark of a hundred thousand characters, and one that is an object', () => {
    expect(firstRow({ kind: 'text', path: LISTING, form: 'long' }).row['remark']).toHaveLength(100_000);
    const object = firstRow({ kind: 'text', path: LISTING, form: 'object' }).row['remark'];
    expect(object).toEqual({ formula: 'HYPERLINK("http://example.invalid")' });
  });

  test.each([
    ['outside', '2001-01-01 00:00:00'],
    ['impossible', '2024-02-30 12:00:00'],
    ['empty', ''],
    ['date_only', '2024-02-29'],
    ['number', 1_709_179_200_000],
  ] as const)('P17: a depositTime in the form %s', (form, value) => {
    expect(firstRow({ kind: 'time', path: LISTING, form }).row['depositTime']).toBe(value);
  });
});

describe('members', () => {
  test('P7, P8: a word nobody knows, or a number in its place', () => {
    expect(firstRow({ kind: 'unknown_enum', path: LISTING }).row['feeType']).toBe('XYZ');
    const sandbox = sandboxWith({ kind: 'unknown_enum', path: 'acct/queryInfo', value: 1 });
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).biz['accountState']).toBe(1);
  });

  test('P10, P11: members set, set as lexemes, removed and misspelt', () => {
    const patch = { kind: 'record', path: LISTING, set: { realAmount: 1 }, raw: { amount: '9e0' } } as const;
    const { row, text } = firstRow({ ...patch, remove: ['payerName'] });
    expect(row).toMatchObject({ realAmount: 1, amount: 9 });
    expect(text).toContain('"amount":9e0');
    expect(row).not.toHaveProperty('payerName');
    const renamed = firstRow({ kind: 'rename_member', path: LISTING, from: 'fee', to: 'mchFee' }).row;
    expect([renamed['mchFee'], 'fee' in renamed]).toEqual([0, false]);
  });

  test('ACC-02: an account without a balance', () => {
    const sandbox = sandboxWith({ kind: 'record', path: 'acct/queryInfo', remove: ['balance'] });
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).biz).not.toHaveProperty('balance');
  });

  test('N10: a member twice, and __proto__, in the very text that is signed', () => {
    const twice = deposits(sandboxWith({ kind: 'duplicate_member', member: 'total', value: 99 }));
    expect(String(twice.envelope['bizData'])).toMatch(/^\{"total":99,"total":3,/);
    expect(isAuthentic(twice)).toBe(true);
    const value = { total: 99 };
    const proto = deposits(sandboxWith({ kind: 'duplicate_member', member: '__proto__', value }));
    expect(String(proto.envelope['bizData'])).toMatch(/^\{"__proto__":\{"total":99\},/);
  });
});

describe('pages', () => {
  test('P1: a total that is wrong once, or grows at every call', () => {
    const wrong = sandboxWith({ kind: 'total', path: LISTING, by: -1 });
    expect([deposits(wrong), deposits(wrong)].map((page) => page.biz['total'])).toEqual([2, 3]);
    const growing = sandboxWith({ kind: 'total', path: LISTING, by: 2, growing: true, times: null });
    expect([1, 2, 3].map(() => deposits(growing).biz['total'])).toEqual([5, 7, 9]);
  });

  test('P2: a record twice on a page; P1: a record missing on it', () => {
    const repeated = deposits(sandboxWith({ kind: 'repeat_row', path: LISTING, row: 1 }));
    expect(orderNos(repeated)).toEqual(['D11', 'D10', 'D9', 'D10']);
    const dropped = deposits(sandboxWith({ kind: 'drop_row', path: LISTING }));
    expect([orderNos(dropped), dropped.biz['total']]).toEqual([['D10', 'D9'], 3]);
  });

  test('U24: an empty success', () => {
    const page = deposits(sandboxWith({ kind: 'empty_list', path: LISTING }));
    expect([page.ok, page.biz['total'], rows(page)]).toEqual([true, 0, []]);
  });
});

describe('which calls', () => {
  const met = (sandbox: Sandbox, calls: number): boolean[] =>
    Array.from({ length: calls }, () => !deposits(sandbox).ok);
  const refusal = { kind: 'too_frequent' } as const;

  test('by default the next call of any path', () => {
    expect(met(sandboxWith(refusal), 3)).toEqual([true, false, false]);
  });

  test('the next n, after some that pass', () => {
    expect(met(sandboxWith({ ...refusal, skip: 1, times: 2 }), 5)).toEqual([false, true, true, false, false]);
  });

  test('every k-th', () => {
    expect(met(sandboxWith({ ...refusal, everyKth: 3 }), 7)).toEqual([
      false,
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  test('one path and not another', () => {
    const sandbox = sandboxWith({ ...refusal, path: 'acct/queryInfo' });
    expect(met(sandbox, 2)).toEqual([false, false]);
    expect(ask(sandbox, 'acct/queryInfo', { accountNo: '100001' }).ok).toBe(false);
  });

  test('until it is lifted', () => {
    const sandbox = sandboxAtNoon();
    const no = sandbox.addFault({ ...refusal, times: null });
    expect(met(sandbox, 2)).toEqual([true, true]);
    sandbox.liftFaults(no);
    expect(met(sandbox, 1)).toEqual([false]);
  });

  test('several at once', () => {
    const page = deposits(sandboxWith({ kind: 'total', path: LISTING, by: 1 }, { kind: 'omit_sign' }));
    expect(page.biz['total']).toBe(4);
    expect(page.envelope).not.toHaveProperty('sign');
  });

  test('a fault that is none is refused with its place', () => {
    expect(() => sandboxWith({ kind: 'amount', form: 'roman' as never })).toThrow('form');
    expect(() => sandboxWith({ kind: 'total', path: 'query/nothing' as never })).toThrow('path');
  });
});
