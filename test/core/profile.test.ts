import { describe, expect, test } from 'vitest';

import { WrongInput } from '../../src/core/errors.ts';
import { profileAssumptions, profileDigest, readProfile } from '../../src/core/profile/profile.ts';
import { endpointName } from '../../src/core/profile/profile-leaf.ts';
import { classifyRefusal } from '../../src/core/profile/refusals.ts';
import { ENDPOINT_NAMES } from '../../src/platform/contract.ts';

const usual = readProfile(undefined, 'defaults');

function faultsOf(profile: unknown): readonly string[] {
  try {
    readProfile(JSON.stringify(profile), 'p.json');
    return [];
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return error.faults;
  }
}

test('the word for adjustments is none that ledger files have for something else', () => {
  expect(faultsOf({ ledger: { kinds: { adjustment: 'correction' } } })).toEqual([]);
  expect(faultsOf({ ledger: { kinds: { adjustment: 'fee' } } })).toEqual([
    expect.stringContaining('ledger.kinds.adjustment'),
  ]);
});

describe('the defaults', () => {
  const values = Object.fromEntries(profileAssumptions(usual).map((row) => [row.key, row.value]));

  test.each([
    ['signing.secretName.apiKey', 'appSecret'],
    ['signing.secretName.app', 'appSecret'],
    ['signing.response.fields', 'all'],
    ['signing.requireResponseSign', 'auto'],
    ['service.timeZone', 'Asia/Shanghai'],
    ['http.rate.perSecond', '10'],
    ['http.rate.concurrency', '4'],
    ['http.maxAttempts', '5'],
    ['http.timeouts.deadlineMs', '30000'],
    ['http.timeouts.filesDeadlineMs', '120000'],
    ['http.bytesMax', '8388608'],
    ['http.filesBytesMax', '33554432'],
    ['deposits.endInclusive', 'unknown'],
    ['deposits.lookbackDays', '7'],
    ['deposits.pageSize', '100'],
    ['bracket.triesMax', '5'],
    ['snapshot.observedMinutes', '15'],
    ['agingDays', '3'],
    ['limits.childAmountMaxFen', '5000000'],
    ['fees.bearer.deposit', 'payee'],
    ['fees.settle', 'null'],
    ['settle.maxAttempts', '3'],
    ['settle.coolDownMinutes', '10'],
    ['settle.maxPerRun', '100'],
    ['settle.maxFenPerRun', '1000000000'],
    ['settle.breaker.orders', '50'],
    ['settle.breaker.fen', '100000000'],
    ['settle.remark.template', 'recon retry {attempt}'],
    ['recheck.withdrawDays', '10'],
    ['recheck.batchDays', '90'],
    ['vouchers.retryDays', '30'],
    ['notify.ackBody', 'success'],
  ])('%s is %s', (key, value) => {
    expect(values[key]).toBe(value);
  });

  test('every key has a description and a source, and none differs from its default', () => {
    const rows = profileAssumptions(usual);
    expect(rows.length).toBeGreaterThan(100);
    for (const row of rows) {
      expect(row.u).toMatch(/^(?:U\d{1,2}|[A-Z]{1,3}-?\d+|\d\.\d|workbook)$/);
      expect(row.description.length).toBeGreaterThan(10);
      expect([row.key, row.changed, row.value]).toEqual([row.key, false, row.default]);
    }
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
  });

  test('every question that has a key is answered', () => {
    /** Without a key of the profile: answered by a rule of the parser or by tolerance. */
    const withoutKey = [9, 20, 50, 58, 59];
    const answered = new Set(profileAssumptions(usual).map((row) => row.u));
    const open = Array.from({ length: 60 }, (_, at) => at + 1).filter(
      (number) => !answered.has(`U${number}`),
    );
    expect(open).toEqual(withoutKey);
  });

  test('the endpoints a key may name are the 17 of the contract', () => {
    expect(endpointName.options).toEqual(ENDPOINT_NAMES);
  });

  test('nobody can change them', () => {
    expect(() => Object.assign(usual.deposits, { pageSize: 1 })).toThrow(TypeError);
  });
});

describe('a file', () => {
  test('changes what it names and nothing else', () => {
    const profile = readProfile(
      '\uFEFF{"signing":{"secretName":{"apiKey":"apiSecret"}},"fees":{"settle":{"feeType":"ACCOUNT","feeFen":60}},"http":{"rate":{"perSecond":0.5}}}',
      'p.json',
    );
    expect(profile.signing.secretName).toEqual({ apiKey: 'apiSecret', app: 'appSecret' });
    expect(profile.fees.settle).toEqual({ feeType: 'ACCOUNT', feeFen: 60n });
    expect(profile.http.rate).toEqual({ perSecond: 0.5, concurrency: 4 });
    const changed = profileAssumptions(profile).filter((row) => row.changed);
    expect(changed.map((row) => [row.key, row.u, row.value, row.default])).toEqual([
      ['signing.secretName.apiKey', 'U1', 'apiSecret', 'appSecret'],
      ['http.rate.perSecond', 'U47', '0.5', '10'],
      ['fees.settle', 'U37', '{"feeFen":60,"feeType":"ACCOUNT"}', 'null'],
    ]);
  });

  test('U34: adds words to the known settlement states', () => {
    const { stateMap } = readProfile(
      '{"settle":{"stateMap":{"退回":"failed","INIT":"unknown"}}}',
      'p.json',
    ).settle;
    expect(stateMap).toEqual({
      SUCCESS: 'settled',
      FAIL: 'failed',
      FAILED: 'failed',
      INIT: 'unknown',
      PROCESSING: 'inFlight',
      退回: 'failed',
    });
  });

  test('of another order or spelling with the same meaning has the same digest', () => {
    const digest = (text: string): string => profileDigest(readProfile(text, 'p.json'));
    const left = digest('{"agingDays":4,"settle":{"stateMap":{"A":"failed","B":"none"},"maxFenPerRun":"5"}}');
    const right = digest('{"settle":{"maxFenPerRun":5,"stateMap":{"B":"none","A":"failed"}},"agingDays":4}');
    expect(left).toMatch(/^[0-9a-f]{64}$/);
    expect(right).toBe(left);
    expect(digest('{"agingDays":3}')).toBe(profileDigest(usual));
    expect(digest('{"agingDays":4}')).not.toBe(profileDigest(usual));
  });
});

describe('a file with faults', () => {
  test.each([
    [
      { deposits: { endInclusiv: 'yes' } },
      'unknown key "deposits.endInclusiv" (did you mean "deposits.endInclusive"?)',
    ],
    [{ bogus: 1 }, 'unknown key "bogus"'],
    [
      { fees: { settle: { feeType: 'X', feeFen: 1 } } },
      'fees.settle.feeType must be one of ORDER, ACCOUNT: "X"',
    ],
    [
      { fees: { settle: { feeType: 'ORDER' } } },
      'fees.settle.feeFen must be whole fen from 0 to 10^15: nothing',
    ],
    [
      { fees: { bearer: { deposit: 'bank' } } },
      'fees.bearer.deposit must be payer, payee, self, external or acct:<account number>: "bank"',
    ],
    [{ deposits: { pageSize: 101 } }, 'deposits.pageSize must be at most 100: 101'],
    [{ deposits: { lookbackDays: 1.5 } }, 'deposits.lookbackDays must be a whole number: 1.5'],
    [{ deposits: { windowMonths: 2 } }, 'deposits.windowMonths must be 1: 2'],
    [{ http: { rate: 5 } }, 'http.rate must be an object: 5'],
    [{ http: { rate: { perSecond: 0 } } }, 'http.rate.perSecond must be at least 0.01: 0'],
    [{ settle: { maxFenPerRun: 1.5 } }, 'settle.maxFenPerRun must be whole fen from 0 to 10^15: 1.5'],
    [{ settle: { allowRecvAcct: true } }, 'settle.allowRecvAcct must be false: true'],
    [{ notify: { trust: true } }, 'notify.trust must be false: true'],
    [
      { settle: { remark: { template: '结算失败后再次重试第{attempt}次' } } },
      'settle.remark.template must have at most 32 bytes',
    ],
    [
      // Up to the 99th attempt it would fit.
      { settle: { remark: { template: 'settlement tried again no {attempt}' } } },
      'settle.remark.template must have at most 32 bytes, 10 of them for each {attempt}',
    ],
    [{ signing: { response: { fields: [] } } }, 'signing.response.fields must have at least 1 element: []'],
    [
      { signing: { secretNameByPath: { 'order/setle': 'x' } } },
      'unknown key "signing.secretNameByPath.order/setle"',
    ],
    [
      { errors: { classes: [{ msg: '(', class: 'AUTH' }] } },
      'errors.classes[0].msg must be a regular expression: "("',
    ],
    [
      { errors: { classes: [{ msg: 'x'.repeat(301), class: 'AUTH' }] } },
      'errors.classes[0].msg must have at most 300 characters',
    ],
    [
      { service: { timeZone: 'Mars/X' } },
      'service.timeZone must be a time zone such as Asia/Shanghai: "Mars/X"',
    ],
    [{ signing: { md5Case: 'UPPER' } }, 'signing.md5Case must be one of upper, lower: "UPPER"'],
    [[], 'the profile must be an object: []'],
  ])('I2: %j', (profile, fault) => {
    expect(faultsOf(profile)).toHaveLength(1);
    expect(faultsOf(profile)[0]).toContain(fault);
  });

  test('names all of them at once, and its own name', () => {
    const text = '{"x":1,"agingDays":-1,"http":{"y":2}}';
    expect(() => readProfile(text, 'my.json')).toThrow(
      'wrong profile my.json:\n- unknown key "http.y"\n- agingDays must be at least 0: -1\n- unknown key "x"',
    );
  });

  test('that is no JSON says so', () => {
    expect(() => readProfile('{', 'my.json')).toThrow('wrong profile my.json:\n- it is not JSON: ');
  });

  test('N10: __proto__ is an unknown key', () => {
    expect(() => readProfile('{"__proto__":{"a":1}}', 'p')).toThrow('unknown key "__proto__"');
  });
});

describe('what a refusal means (U42)', () => {
  test.each([
    ['订单不存在', 'NOT_FOUND'],
    ['Order not found', 'NOT_FOUND'],
    ['请求过于频繁，请稍后再试', 'RATE_LIMIT'],
    ['Too many requests', 'RATE_LIMIT'],
    ['签名错误', 'AUTH'],
    ['invalid signature', 'AUTH'],
    ['商户批次号重复', 'DUPLICATE'],
    ['duplicate or concurrent submission', 'DUPLICATE'],
    ['参数错误：startDate', 'PARAM'],
    ['余额不足', 'BUSINESS'],
    ['', 'BUSINESS'],
  ])('%j is %s', (msg, expected) => {
    expect(classifyRefusal(usual, { path: 'division/query', code: '9999', msg })).toBe(expected);
  });

  test('the first rule whose patterns all match decides', () => {
    const profile = readProfile(
      JSON.stringify({
        errors: {
          classes: [
            { path: '^order/', code: '^E1$', class: 'DUPLICATE' },
            { code: '^E1$', class: 'RATE_LIMIT' },
            { msg: 'gone', class: 'NOT_FOUND' },
          ],
        },
      }),
      'p.json',
    );
    const classOf = (path: string, code: string, msg: string): string =>
      classifyRefusal(profile, { path, code, msg });
    expect(classOf('order/settle', 'E1', 'gone')).toBe('DUPLICATE');
    expect(classOf('query/deposit', 'E1', 'gone')).toBe('RATE_LIMIT');
    expect(classOf('query/deposit', 'E2', 'GONE')).toBe('NOT_FOUND');
    expect(classOf('query/deposit', 'E2', '不存在')).toBe('BUSINESS');
  });

  test('what lies beyond 500 characters of a reason is not searched', () => {
    const msg = `${'x'.repeat(500)}不存在`;
    expect(classifyRefusal(usual, { path: 'division/query', code: '1', msg })).toBe('BUSINESS');
  });
});
