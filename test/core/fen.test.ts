import { describe, expect, test } from 'vitest';

import {
  absolute,
  FEN_MAX,
  parseFen,
  parseSignedFen,
  parseSignedYuan,
  yuanCell,
  yuanForPeople,
  yuanText,
} from '../../src/core/fen.ts';
import { fc } from '../helpers/properties.ts';

const anAmount = fc.bigInt({ min: -FEN_MAX, max: FEN_MAX });

describe('an amount of the platform (ENV-24, U59, P9)', () => {
  test.each<[unknown, bigint]>([
    [0, 0n],
    [100, 100n],
    ['0', 0n],
    ['30000', 30_000n],
    ['007', 7n],
    [1_000_000_000_000_000, 1_000_000_000_000_000n],
    ['1000000000000000', 1_000_000_000_000_000n],
  ])('%o is %s fen', (given, fen) => {
    expect(parseFen(given)).toBe(fen);
  });

  test.each([
    [1.5],
    [-1],
    [Number.NaN],
    [1e15 + 1],
    [2 ** 53],
    ['1e3'],
    ['100.0'],
    ['12.5'],
    ['-1'],
    ['+1'],
    [' 1'],
    ['1\n'],
    [''],
    ['１００'],
    ['1000000000000001'],
    ['99999999999999999'],
    [null],
    [undefined],
    [true],
    [[1]],
    [{}],
    [10n],
  ])('P9: %o is no amount', (given) => {
    expect(parseFen(given)).toBeUndefined();
  });

  test('every amount up to the limit survives text and back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: FEN_MAX }), (fen) => {
        expect(parseFen(fen.toString())).toBe(fen);
      }),
    );
  });

  test('a number of JSON is what its digits are', () => {
    const aNumber = fc.oneof(fc.maxSafeInteger(), fc.double(), fc.constantFrom(1e15, 1e15 + 1, -0, 2 ** 53));
    fc.assert(
      fc.property(aNumber, (number) => {
        expect(parseFen(number)).toBe(Number.isSafeInteger(number) ? parseFen(String(number)) : undefined);
      }),
    );
  });
});

describe('an amount in a file', () => {
  test.each([
    ['-1250', -1250n],
    ['+1250', 1250n],
    ['0', 0n],
    ['-0', 0n],
  ])('%s fen', (text, fen) => {
    expect(parseSignedFen(text)).toBe(fen);
  });

  test.each([
    ['12.50', 1250n],
    ['-0.05', -5n],
    ['+1.00', 100n],
    ['-0.00', 0n],
  ])('%s yuan', (text, fen) => {
    expect(parseSignedYuan(text)).toBe(fen);
  });

  test.each(['12.5', '12', '.50', '1,000.00', '1e2', '--1.00', '1.005', '', ' 1.00', '10000000000000.01'])(
    '%j is no amount in yuan',
    (text) => {
      expect(parseSignedYuan(text)).toBeUndefined();
    },
  );

  test.each(['12.50', '1e3', '', '--1', '1000000000000001', '-1000000000000001'])(
    '%j is no amount in fen',
    (text) => {
      expect(parseSignedFen(text)).toBeUndefined();
    },
  );

  test('fen written as yuan are the same fen when read', () => {
    fc.assert(
      fc.property(anAmount, (fen) => {
        expect(parseSignedYuan(yuanText(fen))).toBe(fen);
        expect(parseSignedFen(fen.toString())).toBe(fen);
        expect(parseSignedYuan(yuanForPeople(fen).replaceAll(',', ''))).toBe(fen);
      }),
    );
  });
});

describe('an amount for people', () => {
  test.each([
    [-123_456_789n, '-1234567.89', '-1,234,567.89'],
    [-5n, '-0.05', '-0.05'],
    [0n, '0.00', '0.00'],
    [100n, '1.00', '1.00'],
    [99_999n, '999.99', '999.99'],
    [100_000n, '1000.00', '1,000.00'],
    [1_000_000_000_000_000n, '10000000000000.00', '10,000,000,000,000.00'],
  ])('%s fen', (fen, plain, grouped) => {
    expect(yuanText(fen)).toBe(plain);
    expect(yuanForPeople(fen)).toBe(grouped);
  });

  test('the number of a cell shows every amount to the fen', () => {
    fc.assert(
      fc.property(anAmount, (fen) => {
        expect(yuanCell(fen).toFixed(2)).toBe(fen === 0n ? '0.00' : yuanText(fen));
      }),
    );
  });

  test('the absolute amount', () => {
    expect(absolute(-1n)).toBe(1n);
    expect(absolute(1n)).toBe(1n);
  });
});
