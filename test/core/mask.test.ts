import { describe, expect, test } from 'vitest';

import {
  maskCard,
  maskField,
  maskIdentity,
  maskMobile,
  maskName,
  maskPersonal,
  maskText,
  secretForms,
} from '../../src/core/mask.ts';
import { fc } from '../helpers/properties.ts';

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Numbers with the right form; the check digits of cards and identities are of no person (S8). */
const digits = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength: length, maxLength: length });
const aMobile = fc.tuple(fc.constantFrom('13', '15', '18', '19'), digits(9)).map((parts) => parts.join(''));
const anIdentity = fc
  .tuple(
    fc.constantFrom('110105', '440300', '659001'),
    fc.integer({ min: 1900, max: 2026 }),
    fc.constantFrom('0101', '0229', '1231'),
    digits(3),
    fc.constantFrom(...DIGITS, 'X'),
  )
  .map((parts) => parts.join(''));
const aCard = fc
  .integer({ min: 16, max: 19 })
  .chain((length) => digits(length).map((text) => `6${text.slice(1)}`));
const aPersonalNumber = fc.oneof(aMobile, anIdentity, aCard);
/** Text without digits and without the letter that may end an identity number. */
const someWords = fc.string({ unit: fc.constantFrom(...Array.from(' ,:;：，汇款手机号卡abyz-_/()')) });

describe('personal numbers in free text (S6)', () => {
  test.each([
    ['卡号6222021234567890123转账', '卡号****0123转账'],
    ['card 6222 0212 3456 7890', 'card ****7890'],
    ['6222-0212-3456-7890-123', '****0123'],
    ['手机13812345678', '手机138****5678'],
    ['+8613812345678', '+138****5678'],
    ['138 1234 5678 and 138-1234-5678', '138****5678 and 138****5678'],
    ['身份证11010519491231002X。', '身份证110***********002X。'],
    ['110105194912310029', '110***********0029'],
    ['110105491231002', '110********1002'],
    ['１３８１２３４５６７８', '138****5678'],
    ['Visa 4111111111111111', 'Visa ****1111'],
    ['Diners 30569309025904', 'Diners ****5904'],
    ['card 6222\u00A00210\u00A00123\u00A04567\u00A0890', 'card ****7890'],
    ['6222  0210  0123  4567', '****4567'],
    ['6222 - 0210 - 0123 - 4567', '****4567'],
    ['６２２２－０２１０－０１２３－４５６７', '****4567'],
    ['6222\u20110210\u20110123\u20114567', '****4567'],
    ['card 622202 1001234567896', 'card ****7896'],
    ['card 62220210 01234561', 'card ****4561'],
    ['身份证 110105 19491231 002X 不符', '身份证 110***********002X 不符'],
    ['110105-1949-1231-002x', '110***********002X'],
    ['11010519491231 002Ｘ', '110***********002X'],
  ])('%s', (text, masked) => {
    expect(maskPersonal(text)).toBe(masked);
  });

  test.each([
    'order 20260301120000 at 2026-03-01 16:00:00',
    '1234567890',
    'amount 1000000 fen',
    'reqId 0123456789abcdef0123456789abcdef',
    'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '30569309025903',
    '12345678901',
    '28 digits 2026030112000012345678901234',
    '300001 20260301 1000',
    '62220210 01234562 and 20260301 20260302',
    '',
  ])('%j holds none', (text) => {
    expect(maskPersonal(text)).toBe(text);
  });

  test('wherever such a number stands, it is not there any more', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(someWords, aPersonalNumber), { minLength: 1, maxLength: 4 }),
        someWords,
        (parts, end) => {
          const text = parts.map(([before, number]) => `${before}~${number}~`).join('') + end;
          const masked = maskPersonal(text);
          for (const [, number] of parts) expect(masked).not.toContain(number);
          expect(masked).not.toMatch(/\d{5}/);
          expect(maskPersonal(masked)).toBe(masked);
        },
      ),
    );
  });

  test('no more than the first three and the last four characters of a number remain', () => {
    fc.assert(
      fc.property(aPersonalNumber, (number) => {
        const shown = maskPersonal(number).replaceAll('*', '');
        expect(shown.length).toBeLessThanOrEqual(7);
        expect(number.endsWith(shown.slice(-4))).toBe(true);
      }),
    );
  });

  test('text without digits is never changed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/[0-9\uFF10-\uFF19a-f]/.test(text));
        expect(maskPersonal(text)).toBe(text);
      }),
    );
  });
});

describe('secrets by their value (S4)', () => {
  test('every occurrence goes, also of one secret inside another', () => {
    expect(maskText('a=sk_test_001&b=sk_test_0012', ['sk_test_001', 'sk_test_0012'])).toBe(
      'a=[masked]&b=[masked]',
    );
    expect(maskText('$& costs $1', ['$1xx', '$& c'])).toBe('[masked]osts $1');
  });

  test.each<[string, (secret: string) => string]>([
    ['in the other case', (secret) => secret.toUpperCase()],
    ['in an address', (secret) => encodeURIComponent(secret)],
    ['in an address, in small letters', (secret) => encodeURIComponent(secret).toLowerCase()],
    ['in a form, which escapes more', (secret) => encodeURIComponent(secret).replace('!', '%21')],
    ['in an address within an address', (secret) => encodeURIComponent(encodeURIComponent(secret))],
    ['in JSON that escapes slashes', (secret) => secret.replace('/', '\\/')],
    [
      'in JSON for a page',
      (secret) => secret.replace(/[=&'<]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
    ],
    ['in JSON within JSON', (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['in a page', (secret) => secret.replace('&', '&amp;').replace('<', '&lt;').replace("'", '&#039;')],
    ['in digits', (secret) => Buffer.from(secret, 'utf8').toString('hex').toUpperCase()],
    ['in Base64', (secret) => Buffer.from(secret, 'utf8').toString('base64url')],
  ])('no echo shows a secret %s', (_name, written) => {
    const secret = `kX9/ab"c+d\\EF&q!<密'z==`;
    expect(maskText(`key=${written(secret)};`, secretForms([secret]))).toMatch(/^key=\[masked\]\w?;$/);
  });

  test('a very short one goes where it stands alone', () => {
    expect(maskText('password pw, power, pw.', ['pw'])).toBe('password [masked], power, [masked].');
    expect(maskText('a.b (a.b) aab', ['a.b'])).toBe('[masked] ([masked]) aab');
    expect(maskText('text', [''])).toBe('text');
  });

  test('no secret of four characters or more is left in any text', () => {
    const aSecret = fc
      .string({ unit: 'grapheme', minLength: 4, maxLength: 12 })
      .filter((text) => !'[masked]'.includes(text));
    fc.assert(
      fc.property(aSecret, fc.array(fc.string(), { minLength: 1 }), (secret, parts) => {
        expect(maskText(parts.join(secret), [secret]).replaceAll('[masked]', '')).not.toContain(secret);
      }),
    );
  });
});

describe('fields', () => {
  test.each([
    ['accountNo', '6222021234567890123'],
    ['orderNo', '1234567890123456789'],
    ['outOrderNo', 'D20260301-13812345678'],
    ['reference', '13812345678'],
    ['reqId', '12345678901234567890123456789012'],
    ['runId', '110105194912310029'],
    ['sha256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ])('%s holds a number of ours and is shown', (name, value) => {
    expect(maskField(name, value)).toBe(value);
  });

  test('such a field that holds free text is free text', () => {
    expect(maskField('reference', '张三 13812345678')).toBe('张三 138****5678');
  });

  test.each([
    ['idCardNo', '11010519491231002X', '110***********002X'],
    ['settAccountNo', '6222021234567890123', '****0123'],
    ['bankAccountNo', '1234567', '****'],
    ['payerBankNo', '102100099996', '****9996'],
    ['mobile', '13812345678', '138****5678'],
    ['phone', '010-66554433', '****4433'],
    ['payerName', '张三丰', '张*'],
    ['idCardName', '𠮷田', '𠮷*'],
    ['address', '北京市朝阳区', '[masked]'],
    ['smsCode', '123456', '[masked]'],
    ['remark', '还款13812345678', '还款138****5678'],
    ['msg', '账户6222021234567890123不存在', '账户****0123不存在'],
  ])('%s: %s is shown as %s', (name, value, shown) => {
    expect(maskField(name, value)).toBe(shown);
  });

  test('numbers too short to be shown in part are hidden whole', () => {
    expect([maskCard('1234567'), maskIdentity('12345678'), maskMobile('12345')]).toEqual([
      '****',
      '****',
      '****',
    ]);
    expect(maskName('')).toBe('');
  });
});
