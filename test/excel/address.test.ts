import { expect, test } from 'vitest';
import {
  address,
  columnLetters,
  columnRange,
  fixedAddress,
  formulaText,
  onSheet,
} from '../../src/excel/address.ts';
import { sectionFirstRows } from '../../src/excel/table.ts';

test('columns are A … Z, AA … XFD', () => {
  expect([1, 26, 27, 52, 53, 702, 703, 16_384].map(columnLetters)).toEqual([
    'A',
    'Z',
    'AA',
    'AZ',
    'BA',
    'ZZ',
    'AAA',
    'XFD',
  ]);
});

test('a reference names its sheet so that any name is safe', () => {
  expect(address({ row: 7, column: 2 })).toBe('B7');
  expect(fixedAddress({ row: 7, column: 28 })).toBe('$AB$7');
  expect(onSheet("it's", 'A1')).toBe("'it''s'!A1");
  expect(columnRange('差异', { column: 3, firstRow: 6, rows: 10 })).toBe("'差异'!$C$6:$C$15");
});

test('a list without rows is the one row that says so', () => {
  expect(columnRange('Breaks', { column: 3, firstRow: 6, rows: 0 })).toBe("'Breaks'!$C$6:$C$6");
  expect(sectionFirstRows(5, [4, 2])).toEqual([7, 14]);
  expect(sectionFirstRows(5, [0, 0])).toEqual([7, 11]);
});

test('a text in a formula is quoted', () => {
  expect(formulaText('a "b"')).toBe('"a ""b"""');
});
