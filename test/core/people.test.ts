/** Who is the same person, for who may approve, whose breaks are listed, and the sums by owner. */
import { expect, test } from 'vitest';
import { isSamePerson } from '../../src/core/config/config-people.ts';

test('a person is the letters and digits of a name, and no two names of other signs are one person', () => {
  expect(isSamePerson('阿凡提·买买提', '阿凡提•买买提')).toBe(true);
  expect(isSamePerson("O'Brien-Li", 'o’brien li')).toBe(true);
  expect(isSamePerson('李娜 1', '李娜 2')).toBe(false);
  expect(isSamePerson('😀', '🎉')).toBe(false);
  expect(isSamePerson('***', '')).toBe(false);
});
