import { expect, test } from 'vitest';
import { queriedCell } from '../../../src/intake/pull/queried-cell.ts';
import { shanghai } from '../books.ts';

test.each([
  ['2026-03-01 09:00:00', '2026-03-01 09:00:00'],
  ['2026-03-01 09:00:00.000000', '2026-03-01 09:00:00'],
  ['2026-03-01 09:00:00.1239', '2026-03-01T01:00:00.123Z'],
  ['2026-03-01 09:00:00.5+08', '2026-03-01T09:00:00.500+08:00'],
  ['2026-03-01 09:00:00-0330', '2026-03-01T09:00:00.000-03:30'],
  ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
  ['0000-00-00 00:00:00', '0000-00-00 00:00:00'],
  [' 2026-03-01 ', '2026-03-01'],
])('a time that a database writes as %s', (value, text) => {
  expect(queriedCell(value, 'time', shanghai)).toBe(text);
});

test.each([
  ['12.5000', 'yuan', '12.50'],
  ['-3', 'yuan', '-3.00'],
  ['12.505', 'yuan', '12.505'],
  ['1250.00', 'fen', '1250'],
  ['12.5', 'fen', '12.5'],
  ['1e3', 'yuan', '1e3'],
] as const)('an amount of %s in %s', (value, form, text) => {
  expect(queriedCell(value, form, shanghai)).toBe(text);
});

test('a number of ours keeps its zeros, and nothing is nothing', () => {
  expect(queriedCell('0012', 'number', shanghai)).toBe('0012');
  expect(queriedCell(null, 'text', shanghai)).toBe('');
});
