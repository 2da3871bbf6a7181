/** Answers of the other endpoints: aliases, nested lists, unknown states, members that are missing or odd. */
import { describe, expect, test } from 'vitest';

import { OutcomeUnknown } from '../../../src/core/errors.ts';
import { isJsonObject } from '../../../src/core/json.ts';
import { ENDPOINT_NAMES } from '../../../src/platform/contract.ts';
import { decode } from './decoding.ts';
import { fc, runs } from '../../helpers/properties.ts';

describe('accounts', () => {
  test('ACC-02, ACC-03: stated amounts, and absent ones that are unknown and never zero', () => {
    const text =
      '{"openReqNo":"R1","accountNo":"100001","accountState":1,"balance":"12345","frozen":0,"availableBalance":12345}';
    expect(decode('acct/queryInfo', text)).toEqual({
      accountNo: '100001',
      eleAcctNo: undefined,
      eleAcctName: undefined,
      accountState: '1',
      balanceFen: 12_345n,
      frozenFen: 0n,
      availableFen: 12_345n,
      bindAcctInfo: undefined,
      whiteAcctList: undefined,
      openReqNo: 'R1',
      remark: undefined,
    });
    for (const balance of ['null', '1.5', '"1.50"', '-1', '""']) {
      expect(decode('acct/queryInfo', `{"balance":${balance}}`)).toMatchObject({ balanceFen: undefined });
    }
  });

  test('ACC-06, P16: unknown members of the lists are kept, and storable', () => {
    const text = '{"bindAcctInfo":{"mobile":"1\\u0000"},"whiteAcctList":[{"n\\ufffe":[1,"\\ud800"]}]}';
    expect(decode('acct/queryInfo', text)).toMatchObject({
      bindAcctInfo: { mobile: '1\\u0000' },
      whiteAcctList: [{ 'n\\ufffe': [1, '\\ud800'] }],
    });
  });
});

const ORDER =
  '{"outOrderNo":"C1","amount":"10000","realAmount":9970,"mchFee":30,"feeType":"ORDER","payeyAcctNo":"P","state":"SUCCESS"}';

describe('transfer batches', () => {
  test('ENV-26, P13: orderList as text, as a list, empty or absent', () => {
    for (const orderList of [JSON.stringify(`[${ORDER}]`), `[${ORDER}]`]) {
      expect(
        decode('division/query', `{"outBatchNo":"B1","state":"SUCCESS","orderList":${orderList}}`),
      ).toMatchObject({
        outBatchNo: 'B1',
        orders: [
          {
            outOrderNo: 'C1',
            amountFen: 10_000n,
            feeFen: 30n,
            payerAcctNo: 'P',
            refundFen: undefined,
            faults: [],
          },
        ],
      });
    }
    for (const orderList of ['""', 'null', '[]', '"[]"']) {
      expect(decode('division/query', `{"orderList":${orderList}}`)).toMatchObject({ orders: [] });
    }
  });

  test('P13: an orderList that is none makes the answer unreadable', () => {
    for (const orderList of ['"x"', '7', '{}', '"{}"', '[null]', '"[1]"']) {
      expect(() => decode('division/query', `{"orderList":${orderList}}`)).toThrow(OutcomeUnknown);
    }
  });

  test('DIV-25: the payer from either spelling on all three endpoints', () => {
    for (const endpoint of ['division/pay', 'division/query', 'division/refund'] as const) {
      for (const name of ['payerAcctNo', 'payeyAcctNo']) {
        const batch = decode(endpoint, `{"orderList":[{"${name}":"P1"}]}`);
        expect(batch.orders.map(({ payerAcctNo }) => payerAcctNo)).toEqual(['P1']);
      }
    }
  });

  test('P9, P11: an order with contradicting members says so and stays in its batch', () => {
    const orders =
      '[{"outOrderNo":"C1","amount":1.5,"mchFee":1,"fee":2,"payerAcctNo":"a","payeyAcctNo":"b"}]';
    expect(decode('division/query', `{"orderList":${orders}}`).orders).toMatchObject([
      {
        outOrderNo: 'C1',
        amountFen: undefined,
        feeFen: undefined,
        payerAcctNo: undefined,
        faults: [
          'amount is not whole fen from 0 to 10^15: "1.5"',
          'mchFee and fee differ',
          'payerAcctNo and payeyAcctNo differ',
        ],
      },
    ]);
  });

  test('P7, P8: states are kept as given, whatever they are', () => {
    for (const [lexeme, state] of [
      ['"FAIL"', 'FAIL'],
      ['"fail "', 'fail '],
      ['3', '3'],
      ['"XYZ"', 'XYZ'],
      ['null', undefined],
    ] as const) {
      const batch = decode('division/query', `{"state":${lexeme},"orderList":[{"settleState":${lexeme}}]}`);
      expect([batch.state, batch.orders[0]?.settleState]).toEqual([state, state]);
    }
  });
});

describe('withdrawals and settlements', () => {
  test('WDR-09: mchFee or fee; a missing fee is unknown, two that differ are no answer', () => {
    for (const endpoint of ['account/withdraw', 'account/queryWithdraw', 'order/settle'] as const) {
      expect(decode(endpoint, '{"state":"SUCCESS","fee":30}')).toMatchObject({ feeFen: 30n });
      expect(decode(endpoint, '{"state":"SUCCESS","mchFee":"30","fee":30}')).toMatchObject({ feeFen: 30n });
      expect(decode(endpoint, '{"state":"SUCCESS"}')).toMatchObject({
        feeFen: undefined,
        amountFen: undefined,
      });
      expect(() => decode(endpoint, '{"mchFee":30,"fee":31}')).toThrow('mchFee and fee differ');
      expect(() => decode(endpoint, '{"amount":"12.5"}')).toThrow(OutcomeUnknown);
    }
  });

  test('STL-10: the answer of a settlement', () => {
    const text =
      '{"orderNo":"O1","state":"PROCESSING","amount":9970,"fee":20,"realAmount":9950,"payerName":"甲","payerBankAcctNo":"9"}';
    expect(decode('order/settle', text)).toMatchObject({
      orderNo: 'O1',
      state: 'PROCESSING',
      amountFen: 9_970n,
      realFen: 9_950n,
      payerName: '甲',
      payerBankAcctNo: '9',
    });
  });
});

describe('openings, codes, files', () => {
  test('OPN-18, OPN-25: unknown states are kept, recordId is looked for where configured', () => {
    expect(
      decode('acct/auditApplyResult', '{"reqNo":"R","state":12,"recordId":1934567890123456789}'),
    ).toMatchObject({
      state: 12,
      recordId: '1934567890123456789',
    });
    const profile = { opening: { recordIdPaths: ['recordId', 'record.id'] } };
    expect(decode('acct/addApply', '{"state":"5","record":{"id":"77"}}', profile)).toMatchObject({
      state: 5,
      recordId: '77',
    });
    expect(decode('acct/addApply', '{"state":"soon"}')).toMatchObject({
      state: undefined,
      recordId: undefined,
    });
  });

  test('SMS-05: sceneType may be absent, smsFlowNo may not', () => {
    expect(decode('acct/sendMsg', '{"smsFlowNo":"F1","mobile":"138****5678"}')).toEqual({
      smsFlowNo: 'F1',
      mobile: '138****5678',
      sceneType: undefined,
    });
    expect(() => decode('acct/sendMsg', '{}')).toThrow(OutcomeUnknown);
  });

  test('VCH-06, U51: all files, from a list or its text', () => {
    expect(decode('get/transFiles', '{"fileList":[{"file":"QQ=="},{"file":"Qg=="}]}').files).toEqual([
      'QQ==',
      'Qg==',
    ]);
    expect(decode('get/transFiles', '{"fileList":"[{\\"file\\":\\"QQ==\\"}]"}').files).toEqual(['QQ==']);
    expect(decode('get/transFiles', '{}').files).toEqual([]);
    expect(() => decode('get/transFiles', '{"fileList":[{}]}')).toThrow(OutcomeUnknown);
  });
});

test('VER-03: no answer, whatever its members, ends in anything but a value or an unreadable answer', () => {
  const names = fc.constantFrom(
    'total',
    'depositList',
    'orderList',
    'fileList',
    'amount',
    'fee',
    'state',
    'smsFlowNo',
    'bindAcctInfo',
    'whiteAcctList',
    'x',
  );
  const biz = fc.dictionary(names, fc.jsonValue());
  fc.assert(
    fc.property(fc.constantFrom(...ENDPOINT_NAMES), biz, (endpoint, members) => {
      const outcome = attempt(() => decode(endpoint, JSON.stringify(members)));
      expect(outcome instanceof OutcomeUnknown || isJsonObject(outcome)).toBe(true);
    }),
    { numRuns: runs(1_000) },
  );
});

function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('numbers that are too long to be one', () => {
  const long = 'N'.repeat(129);

  test.each(['outOrderNo', 'orderNo', 'payerAcctNo', 'payeeAcctNo'])(
    'the %s of a transfer order is a fault of that order alone',
    (name) => {
      const row = { outOrderNo: 'O1', orderNo: 'P1', payerAcctNo: 'A1', payeeAcctNo: 'A2', amount: 1 };
      const orderList = [{ ...row, [name]: long }, row];
      const batch = decode('division/query', JSON.stringify({ outBatchNo: 'B1', orderList }));
      expect(batch.orders[0]).toMatchObject({
        [name]: undefined,
        faults: [`${name} is longer than 128 characters`],
      });
      expect(batch.orders[1]).toMatchObject({ [name]: row[name as keyof typeof row], faults: [] });
    },
  );

  test.each([
    ['division/query', 'outBatchNo'],
    ['division/query', 'batchNo'],
    ['account/queryWithdraw', 'outOrderNo'],
    ['account/queryWithdraw', 'orderNo'],
    ['account/queryWithdraw', 'acctNo'],
    ['order/settle', 'orderNo'],
  ] as const)('of %s, %s makes the answer unreadable', (endpoint, name) => {
    expect(() => decode(endpoint, JSON.stringify({ [name]: long }))).toThrow(OutcomeUnknown);
    expect(decode(endpoint, JSON.stringify({ [name]: long.slice(1) }))).toMatchObject({
      [name]: long.slice(1),
    });
  });
});
