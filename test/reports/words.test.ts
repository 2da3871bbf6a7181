import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../reports/words/words-of-report.ts';
import type { Words } from '../../reports/words/words.ts';
import { remarkText } from '../../reports/sheets/free-text.ts';
import { reasonText } from '../../reports/words/reason-text.ts';
import { REASONS } from '../../src/reconcile/balance/reasons.ts';

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
    const { classes, sideLines, outsideStatement, verdicts, results, itemStates, orders, vouchers } = words;
    for (const names of [
      [...Object.values(classes), ...Object.values(sideLines), outsideStatement],
      Object.values(verdicts),
      Object.values(results),
      Object.values(itemStates),
      Object.values(orders.kinds),
      Object.values(orders.sides),
      Object.values(vouchers.states),
      [words.common.yes, words.common.no],
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
    expect(Object.keys(words.reasons)).toEqual(expect.arrayContaining(Object.keys(REASONS)));
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

test('remarks of several sentences are translated one by one; what nobody knows stays as it is', () => {
  const report = { words: wordsOf('zh-CN'), accountNumbers: new Set(['6217000000000000001']) };
  const said = (remark: string): string => remarkText(report, remark);
  expect(
    said(
      'the batch says SUCCESS, but not all of its orders moved money (of 3: 2 moved, 1 failed, 0 open, 0 refunded); ' +
        'order T9 was registered with it and is not listed',
    ),
  ).toBe(
    '批次状态 SUCCESS 与明细不符（共 3 笔：成功 2，失败 1，在途 0，已退款 0）; 订单 T9 已登记，批次中没有',
  );
  expect(said('amount was 100 fen and is 90 now; the moon is full')).toBe(
    'amount 原为 100 分，现为 90 分; the moon is full',
  );
  expect(said('no deposit listed for the period; the books have 3 the platform lacks')).toBe(
    '平台本期没有列出充值；企业账有 3 笔平台没有',
  );
  expect(said('withdrawal W5 before the cut; refund T1 after the balance')).toBe(
    '提现 W5 在截止时点前; 退款 T1 在余额读取后',
  );
  expect(said('settleState "XYZ" is not known')).toBe('settleState 的取值“XYZ”未知');
  expect(said('it is REFUND, and refundAmount is 0')).toBe('状态为 REFUND，但 refundAmount 为 0');
  expect(
    said(
      'refundAmount is 11 fen, and SUCCESS is no word of a refund; ' +
        'refundAmount is 11 fen, more than its amount of 10 fen',
    ),
  ).toBe('refundAmount 为 11 分，但状态 SUCCESS 不表示退款; refundAmount 为 11 分，超过订单金额 10 分');
});

test.each(LANGUAGES)('S6: order numbers in the proof’s own sentences stay readable in $locale', (words) => {
  const report = { words, accountNumbers: new Set<string>() };
  const order = '6222021234567890123';
  expect(remarkText(report, `order ${order} is listed and was not registered with it`)).toContain(order);
  expect(remarkText(report, `withdrawal ${order} before the cut`)).toContain(order);
  expect(remarkText(report, `settleState "card ${order}" is not known`)).not.toContain(order);
  expect(remarkText(report, `the card ${order} is wrong`)).toBe('the card ****0123 is wrong');
});

test('fen in a reason are shown as yuan', () => {
  expect(reasonText(wordsOf('en'), 'debited_inferred:420000 fen')).toBe(
    'amounts in flight are taken to be debited already, because only that fits; it could hide a loss of as much (4,200.00 yuan)',
  );
});
