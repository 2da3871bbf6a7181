import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../reports/words.ts';
import type { Words } from '../../reports/words.ts';
import { remarkText } from '../../reports/free-text.ts';
import { reasonText } from '../../reports/reason-text.ts';
import { REASONS } from '../../src/reconcile/reasons.ts';

const LANGUAGES = [wordsOf('zh-CN'), wordsOf('en')];

/** Every text of a language with where it stands. */
function texts(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return [];
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
}

describe.each(LANGUAGES)('the words in $locale', (words: Words) => {
  test('none is empty', () => {
    expect(texts(words, '').filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('what formulas look for is unambiguous: no name twice, none with a wildcard', () => {
    const { classes, sideLines, outsideStatement, verdicts, depositResults, itemStates } = words;
    for (const names of [
      [...Object.values(classes), ...Object.values(sideLines), outsideStatement],
      Object.values(verdicts),
      Object.values(depositResults),
      Object.values(itemStates),
    ]) {
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => /[*?~"<>=]/.test(name))).toEqual([]);
    }
  });

  test('sheets have names Excel takes', () => {
    for (const name of Object.values(words.sheets)) expect(name).toMatch(/^[^\\/?*[\]:']{1,25}$/);
  });

  test('what is chosen from a list fits the list', () => {
    for (const choices of [words.breaks.statuses, words.breaks.actions]) {
      expect(choices.join(',').length).toBeLessThanOrEqual(255);
      expect(choices.filter((choice) => choice.includes(','))).toEqual([]);
    }
  });

  test('every reason of the proof has words', () => {
    expect(Object.keys(words.reasons).toSorted()).toEqual(Object.keys(REASONS).toSorted());
  });

  test('an unknown reason is shown as it is', () => {
    expect(reasonText(words, 'moon_phase:3')).toBe('moon_phase (3)');
  });
});

test('the proof’s remarks are translated, and the run’s own accounts stay readable', () => {
  const report = { words: wordsOf('zh-CN'), accountNumbers: new Set(['6217000000000000001']) };
  expect(remarkText(report, 'booked on 6217000000000000001')).toBe('企业账记在账户 6217000000000000001');
  expect(remarkText(report, 'amount 100, fee 3 ORDER, credited 98 fen')).toBe(
    '金额 100 分，手续费 3 分（ORDER），实入 98 分',
  );
  expect(remarkText(report, 'card 6222021234567890123 of 6217000000000000001')).toBe(
    'card ****0123 of 6217000000000000001',
  );
  expect(remarkText(report, 'call 13812345678')).toBe('call 138****5678');
});
