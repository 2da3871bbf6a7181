import { describe, expect, test } from 'vitest';

import { isJsonObject, jsonText, member, parseJson } from '../../src/core/json.ts';
import { fc } from '../helpers/properties.ts';

describe('numbers keep their digits (ENV-25, U59)', () => {
  test.each([
    ['{"a":1934567890123456789}', { a: '1934567890123456789' }],
    ['{"a":[9007199254740993]}', { a: ['9007199254740993'] }],
    ['{"a":9007199254740991}', { a: 9_007_199_254_740_991 }],
    ['{"a":100.0}', { a: '100.0' }],
    ['{"a":12.5,"b":7}', { a: '12.5', b: 7 }],
    ['{"a":1e3}', { a: '1e3' }],
    ['{"a":1E+3}', { a: '1E+3' }],
    ['{"a":1e+21}', { a: '1e+21' }],
    ['{"a":9007199254740992}', { a: '9007199254740992' }],
    ['{"a":-9007199254740992}', { a: '-9007199254740992' }],
    ['{"a":5e-324}', { a: '5e-324' }],
    ['{"a":-1}', { a: -1 }],
    ['{"a": -12345678901234567890 }', { a: '-12345678901234567890' }],
    ['{"a":"1.5","b":" 12345678901234567890"}', { a: '1.5', b: ' 12345678901234567890' }],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('a number that is the whole document keeps its digits too', () => {
    expect(parseJson('9007199254740993')).toBe('9007199254740993');
    expect(parseJson('1.0')).toBe('1.0');
    expect(parseJson('12')).toBe(12);
  });

  test('every integer comes back digit for digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.constantFrom('', ' ', '\n'),
        (value, blank) => {
          const read = parseJson(`{"x":[${blank}${value}]}`) as { x: [unknown] };
          expect(String(read.x[0])).toBe(value.toString());
        },
      ),
    );
  });

  test('a number keeps its digits wherever it stands among texts', () => {
    const aText = fc.string({ maxLength: 5 });
    fc.assert(
      fc.property(
        aText,
        fc.constantFrom('1.50', '1e3', '12345678901234567890'),
        aText,
        (before, number, after) => {
          const [first, last] = [JSON.stringify(before), JSON.stringify(after)];
          const read = parseJson(`{"a":${first},"b":[{"c":${last}},{"c":[${first},${number}]}],"d":${last}}`);
          expect(read).toEqual({ a: before, b: [{ c: after }, { c: [before, number] }], d: after });
        },
      ),
    );
  });

  const aValue = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  })).value;

  test('texts, safe integers and all else are what was written', () => {
    fc.assert(
      fc.property(aValue, fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.stringify(parseJson(text), null, indent)).toBe(text);
      }),
    );
  });
});

describe('hostile documents', () => {
  test('N7: a document nested 65 levels deep is refused, 64 levels are read', () => {
    expect(() => parseJson('['.repeat(65) + ']'.repeat(65))).toThrow('JSON nests deeper than 64 levels');
    expect(parseJson('['.repeat(64) + ']'.repeat(64))).toHaveLength(1);
  });

  test('N7: 200,000 levels are refused without a crash', () => {
    expect(() => parseJson('{"a":'.repeat(200_000))).toThrow(SyntaxError);
  });

  test('brackets inside a text are no levels', () => {
    const text = '['.repeat(100);
    expect(parseJson(JSON.stringify([text, `\\"${text}`]))).toEqual([text, `\\"${text}`]);
  });

  test('N10: __proto__ is an ordinary member and changes no object', () => {
    const read = parseJson('{"__proto__":{"admin":1},"a":1.0}');
    expect(isJsonObject(read) && member(read, 'admin')).toBeUndefined();
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  test.each([
    '{"a":1,"a":2}',
    '{"a" : 1, "b": [{"c":1,"\\u0063":1}]}',
    '{"__proto__":{},"__proto__":{}}',
    String.raw`{"a\\":"\"","a\\":":"}`,
  ])('N10: %s says two things of one member, and is refused', (text) => {
    expect(() => parseJson(text)).toThrow(new SyntaxError('JSON states a member twice'));
  });

  test.each([
    [String.raw`{"a":"\"a\":1,\"a\":2","b":":\\"}`, { a: '"a":1,"a":2', b: ':\\' }],
    ['[{"a":": "},{"a" \n:":"},":",[]]', [{ a: ': ' }, { a: ':' }, ':', []]],
  ])('N10: %s has every member once', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each(['', '{', '{"a":}', 'NaN', '[1,]', "{'a':1}", '{"a":01}'])('%j is refused', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('a member that is only inherited is not there', () => {
    expect(member({}, 'toString')).toBeUndefined();
    expect(member({ a: 1 }, 'a')).toBe(1);
  });

  test.each([null, [], 'a', 1, undefined])('%j is no object', (value) => {
    expect(isJsonObject(value)).toBe(false);
  });
});

describe('documents for other programs', () => {
  test('fen become JSON integers', () => {
    expect(jsonText({ amountFen: 1_000_000_000_000_000n, a: [-5n] })).toBe(
      '{"amountFen":1000000000000000,"a":[-5]}',
    );
  });

  test('an integer that JSON readers would change is a bug', () => {
    expect(() => jsonText({ a: 2n ** 53n })).toThrow('Bug: 9007199254740992 does not fit a JSON integer');
  });
});
