/** Deposit records as the document spells them, and as they may really come: every alias, every amount (P8–P17). */
import { describe, expect, test } from 'vitest';

import { OutcomeUnknown } from '../../../src/core/errors.ts';
import { decode } from './decoding.ts';
import { fc } from '../../helpers/properties.ts';

const DEPOSIT = `{"orderNo":"D1","amount":10000,"fee":30,"realAmount":9970,"feeType":"ORDER",
  "payerAcctNo":"622000","payerName":"张三","payerBankNo":"102","payeeAcctNo":"100001","payeeName":"甲公司",
  "payeeBankNo":"305","remark":"货款","errCode":"","depositTime":"2026-03-01 23:59:59"}`;

/** The page of one deposit whose members are replaced by those lexemes; null leaves a member out. */
function pageWith(members: Record<string, string | null>) {
  const record = Object.entries(JSON.parse(DEPOSIT) as Record<string, unknown>).map(
    ([name, value]): [string, string | null] => [name, JSON.stringify(value)],
  );
  const all = Object.entries({ ...Object.fromEntries(record), ...members }).filter(
    ([, lexeme]) => lexeme !== null,
  );
  const text = all.map(([name, lexeme]) => `${JSON.stringify(name)}:${lexeme}`).join(',');
  return decode('query/deposit', `{"total":1,"page":1,"pageSize":100,"depositList":[{${text}}]}`);
}

describe('deposits', () => {
  test('DEP-06, DEP-07: a page as documented', () => {
    expect(decode('query/deposit', `{"total":1,"page":1,"pageSize":100,"depositList":[${DEPOSIT}]}`)).toEqual(
      {
        total: 1,
        page: 1,
        pageSize: 100,
        deposits: [
          {
            orderNo: 'D1',
            amountFen: 10_000n,
            feeFen: 30n,
            realFen: 9_970n,
            feeType: 'ORDER',
            payerAcctNo: '622000',
            payerName: '张三',
            payerBankNo: '102',
            payeeAcctNo: '100001',
            payeeName: '甲公司',
            payeeBankNo: '305',
            remark: '货款',
            errCode: '',
            depositedAt: '2026-03-01T15:59:59.000Z',
          },
        ],
        unreadable: [],
      },
    );
  });

  test.each([
    ['0', 0n],
    ['"0"', 0n],
    ['1', 1n],
    ['"10000"', 10_000n],
    ['"007"', 7n],
    ['1000000000000000', 1_000_000_000_000_000n],
    ['"1000000000000000"', 1_000_000_000_000_000n],
  ])('P9: the amount %s is %s fen', (lexeme, expected) => {
    expect(pageWith({ amount: lexeme }).deposits.map(({ amountFen }) => amountFen)).toEqual([expected]);
  });

  test.each([
    ['100.0', 'amount is not whole fen from 0 to 10^15: "100.0"'],
    ['12.5', 'amount is not whole fen from 0 to 10^15: "12.5"'],
    ['1e3', 'amount is not whole fen from 0 to 10^15: "1e3"'],
    ['-1', 'amount is not whole fen from 0 to 10^15: -1'],
    ['9007199254740993', 'amount is not whole fen from 0 to 10^15: "9007199254740993"'],
    ['1000000000000001', 'amount is not whole fen from 0 to 10^15: 1000000000000001'],
    ['99999999999999999999', 'amount is not whole fen from 0 to 10^15: "99999999999999999999"'],
    ['"12.50"', 'amount is not whole fen from 0 to 10^15: "12.50"'],
    ['"-1"', 'amount is not whole fen from 0 to 10^15: "-1"'],
    ['"+1"', 'amount is not whole fen from 0 to 10^15: "+1"'],
    ['" 1"', 'amount is not whole fen from 0 to 10^15: " 1"'],
    ['""', 'amount is not whole fen from 0 to 10^15: ""'],
    ['"１"', 'amount is not whole fen from 0 to 10^15: "１"'],
    ['"0x10"', 'amount is not whole fen from 0 to 10^15: "0x10"'],
    ['true', 'amount is not whole fen from 0 to 10^15: true'],
    ['[1]', 'amount is not whole fen from 0 to 10^15: [1]'],
    ['{"fen":1}', 'amount is not whole fen from 0 to 10^15: {"fen":1}'],
    ['null', 'amount is missing'],
    [null, 'amount is missing'],
  ])('P9: the amount %s sets its record aside, and only that', (lexeme, reason) => {
    const outcome = pageWith({ amount: lexeme });
    expect(outcome.deposits).toEqual([]);
    expect(outcome.unreadable).toEqual([
      { reference: 'D1', depositedAt: '2026-03-01T15:59:59.000Z', reason },
    ]);
  });

  test('P9: every amount that is written down comes back digit for digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1_000_000_000_000_000n }), fc.boolean(), (fen, quoted) => {
        const [deposit] = pageWith({ amount: quoted ? `"${fen}"` : `${fen}` }).deposits;
        expect(deposit?.amountFen).toBe(fen);
      }),
    );
  });

  test.each<[string, Record<string, string | null>, string]>([
    ['no fee at all', { fee: null }, 'mchFee or fee is missing'],
    ['a null fee', { fee: 'null' }, 'mchFee or fee is missing'],
    ['two fees that differ', { mchFee: '31' }, 'mchFee and fee differ'],
    ['two payers that differ', { payeyAcctNo: '"9"' }, 'payerAcctNo and payeyAcctNo differ'],
    [
      'a real amount that is none',
      { realAmount: '9970.5' },
      'realAmount is not whole fen from 0 to 10^15: "9970.5"',
    ],
    [
      'two faults',
      { amount: '-1', fee: '-2' },
      'amount is not whole fen from 0 to 10^15: -1; fee is not whole fen from 0 to 10^15: -2',
    ],
  ])('P11: %s', (_name, members, reason) => {
    expect(pageWith(members).unreadable).toMatchObject([{ reference: 'D1', reason }]);
  });

  test('P11: either spelling of fee and payer, and both where they agree', () => {
    for (const members of [{ fee: null, mchFee: '30' }, { mchFee: '"30"' }, { mchFee: 'null' }]) {
      expect(pageWith(members).deposits).toMatchObject([{ feeFen: 30n }]);
    }
    for (const members of [{ payerAcctNo: null, payeyAcctNo: '"622000"' }, { payeyAcctNo: '"622000"' }]) {
      expect(pageWith(members).deposits).toMatchObject([{ payerAcctNo: '622000' }]);
    }
  });

  test.each([
    '2024-02-30 10:00:00',
    '2026-13-01 00:00:00',
    '2026-03-01',
    '2026-03-01 24:00:00',
    '20260301235959',
  ])('P17: the depositTime %s is no time, and no other is guessed', (time) => {
    expect(pageWith({ depositTime: `"${time}"` }).unreadable).toEqual([
      { reference: 'D1', depositedAt: undefined, reason: `depositTime is no time: "${time}"` },
    ]);
  });

  test('P17: an absent or empty depositTime', () => {
    for (const lexeme of [null, '""', 'null']) {
      expect(pageWith({ depositTime: lexeme }).unreadable).toMatchObject([
        { reason: 'depositTime is no time: nothing' },
      ]);
    }
  });

  test('a record without orderNo is named by its content, the same on every page', () => {
    const first = pageWith({ orderNo: null }).unreadable;
    expect(first).toMatchObject([
      { reference: expect.stringMatching(/^#[0-9a-f]{16}$/) as string, reason: 'orderNo is missing' },
    ]);
    expect(pageWith({ orderNo: null }).unreadable).toEqual(first);
    expect(pageWith({ orderNo: null, amount: '1' }).unreadable).not.toEqual(first);
  });

  test('ENV-25, P8: numbers where text is due keep their digits; texts keep their case', () => {
    const members = {
      orderNo: '1934567890123456789',
      feeType: '"order "',
      payerAcctNo: '6222021234567890123',
    };
    expect(pageWith(members).deposits).toMatchObject([
      { orderNo: '1934567890123456789', feeType: 'order ', payerAcctNo: '6222021234567890123' },
    ]);
  });

  test('P16: hostile text is storable and blocks nothing', () => {
    const members = {
      remark: '"a\\u0000b\\ud800"',
      payerName: `"${'长'.repeat(1_000_000)}"`,
      payeeName: '{"formula":"1"}',
    };
    const [deposit] = pageWith(members).deposits;
    expect(deposit).toMatchObject({ remark: 'a\\u0000b\\ud800', payeeName: '{"formula":"1"}' });
    expect(deposit?.payerName).toContain('… [1000000 characters, sha256 ');
    expect(deposit?.payerName.length).toBeLessThanOrEqual(4_000);
  });

  test('a bad record leaves its neighbours alone', () => {
    const page = decode('query/deposit', `{"total":4,"depositList":[${DEPOSIT},null,"x",{"orderNo":"D2"}]}`);
    expect(page.deposits.map(({ orderNo }) => orderNo)).toEqual(['D1']);
    expect(page.unreadable.map(({ reason }) => reason)).toEqual([
      'it is no object',
      'it is no object',
      'amount is missing; mchFee or fee is missing; depositTime is no time: nothing',
    ]);
    expect(page).toMatchObject({ page: undefined, pageSize: undefined });
  });

  test.each(['{}', '{"total":null}', '{"total":-1}', '{"total":1.5}', '{"total":"many"}', '{"total":1e2}'])(
    'DEP-06: a page with total as in %s is no answer',
    (text) => {
      expect(() => decode('query/deposit', text)).toThrow(OutcomeUnknown);
    },
  );

  test('DEP-10: an empty list may be empty, absent or null; digits in text are a total; a number is no list', () => {
    for (const text of ['{"total":0,"depositList":[]}', '{"total":"0"}', '{"total":0,"depositList":null}']) {
      expect(decode('query/deposit', text)).toMatchObject({ total: 0, deposits: [], unreadable: [] });
    }
    expect(() => decode('query/deposit', '{"total":0,"depositList":7}')).toThrow('depositList is no list');
  });
});
