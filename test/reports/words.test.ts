import { describe, expect, test } from 'vitest';
import { PROFILE_ZH } from '../../reports/words/profile-zh.ts';
import { profileAssumptions, readProfile } from '../../src/core/profile/profile.ts';
import { wordsOf } from '../../reports/words/words-of-report.ts';
import type { Words } from '../../reports/words/words.ts';
import { counterpartyText, remarkText, withAccountNames } from '../../reports/sheets/free-text.ts';
import type { Speaker } from '../../reports/sheets/free-text.ts';
import type { Locale } from '../../reports/words/terms.ts';
import { zone } from '../helpers/company/run-rows.ts';
import { reasonText } from '../../reports/words/reason-text.ts';
import { REASONS } from '../../src/reconcile/balance/reasons.ts';

function speaker(locale: Locale, ...own: string[]): Speaker {
  return { words: wordsOf(locale), accountNames: new Map(own.map((no) => [no, ''])), zone };
}

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

  const actions = Object.values(words.breaks.actions);

  test('what is chosen from a list fits the list', () => {
    for (const choices of [
      Object.values(words.breaks.statuses),
      [...actions, words.breaks.proposeWriteOff],
    ]) {
      expect(choices.join(',').length).toBeLessThanOrEqual(255);
      expect(choices.filter((choice) => choice.includes(','))).toEqual([]);
    }
  });

  test('a write-off is proposed by an action of the list', () => {
    expect(actions).not.toContain(words.breaks.proposeWriteOff);
  });

  test('every reason of the proof has words', () => {
    expect(Object.keys(words.reasons)).toEqual(expect.arrayContaining(Object.keys(REASONS)));
  });

  test('an unknown reason is shown as it is', () => {
    expect(reasonText(words, 'moon_phase:3')).toBe(
      words.locale === 'en' ? 'moon_phase (3)' : 'moon_phase（3）',
    );
  });
});

test('the proof’s remarks are translated, and the run’s own accounts stay readable', () => {
  const report = speaker('zh-CN', '6217000000000000001');
  expect(remarkText(report, 'booked on 6217000000000000001')).toBe('企业账记在账户 6217000000000000001');
  expect(remarkText(report, 'amount 100, fee 3 ORDER, credited 98 fen')).toBe(
    '金额 1.00 元，手续费 0.03 元（内扣），实入 0.98 元',
  );
  expect(remarkText(report, 'card 6222021234567890123 of 6217000000000000001')).toBe(
    'card ****0123 of 6217000000000000001',
  );
  expect(remarkText(report, 'call 13812345678')).toBe('call 138****5678');
});

test('remarks of several sentences are translated one by one; what nobody knows stays as it is', () => {
  const report = speaker('zh-CN', '6217000000000000001');
  const said = (remark: string): string => remarkText(report, remark);
  expect(
    said(
      'the batch says SUCCESS, but not all of its orders moved money (of 3: 2 moved, 1 failed, 0 open, 0 refunded); ' +
        'order T9 was registered with it and is not listed',
    ),
  ).toBe('批次状态成功与明细不符（共 3 笔：成功 2，失败 1，在途 0，已退款 0）；订单 T9 已登记，批次中没有');
  expect(said('amount was 100 fen and is 90 now; the moon is full')).toBe(
    '金额原为 1.00 元，现为 0.90 元；the moon is full',
  );
  expect(said('no deposit listed for the period; the books have 3 the platform lacks')).toBe(
    '平台本期没有列出充值；企业账有 3 笔平台没有',
  );
  expect(said('withdrawal W5 before the cut; refund T1 after the balance')).toBe(
    '提现 W5 在截止时点前；退款 T1 在余额读取后',
  );
  expect(said('settleState "XYZ" is not known')).toBe('结算状态的取值“XYZ”未知');
  expect(said('it is listed 2 times in one answer; nothing of it counts')).toBe(
    '同一应答中列出 2 次；其内容均不计入',
  );
  expect(
    said(
      'orderNo was N-1 and is N-2 now; it is another order; another record of the answer states its orderNo N-1',
    ),
  ).toBe('平台订单号原为 N-1，现为 N-2；应为另一笔订单；同一应答中另有一条记录的平台订单号也是 N-1');
  expect(said('it is REFUND, and refundAmount is 0')).toBe('状态为已退款，但退款金额为 0.00 元');
  expect(
    said(
      'refundAmount is 11 fen, and SUCCESS is no word of a refund; ' +
        'refundAmount is 11 fen, more than its amount of 10 fen',
    ),
  ).toBe('退款金额为 0.11 元，但状态成功不表示退款；退款金额为 0.11 元，超过订单金额 0.10 元');
});

test.each(LANGUAGES)('S6: order numbers in the proof’s own sentences stay readable in $locale', (words) => {
  const report = speaker(words.locale);
  const order = '6222021234567890123';
  expect(remarkText(report, `order ${order} is listed and was not registered with it`)).toContain(order);
  expect(remarkText(report, `withdrawal ${order} before the cut`)).toContain(order);
  expect(remarkText(report, `settleState "card ${order}" is not known`)).not.toContain(order);
  expect(remarkText(report, `the card ${order} is wrong`)).toBe('the card ****0123 is wrong');
});

test('a registry account has its name beside it where it is named first, and a row its own not again', () => {
  const accountNames = new Map([
    ['3100000005', '远山公司'],
    ['3100000006', '朝露公司'],
    ['3100000007', ''],
  ]);
  const text = '账户 3100000005、3100000006、3100000007，再 3100000006；订单 DP3100000005';
  expect(withAccountNames({ accountNames }, text, '3100000005')).toBe(
    '账户 3100000005、3100000006 朝露公司、3100000007，再 3100000006；订单 DP3100000005',
  );
  expect(counterpartyText({ accountNames }, '3100000005')).toBe('3100000005 远山公司');
  expect(counterpartyText({ accountNames }, '13812345678')).toBe('138****5678');
});

test('fen in a reason are shown as yuan', () => {
  expect(reasonText(wordsOf('en'), 'debited_inferred:420000 fen')).toBe(
    'amounts in flight are taken to be debited already, because only that fits; it could hide a loss of as much (4,200.00 yuan)',
  );
});

test('what stands behind a reason is in the language of the report', () => {
  const zh = (stored: string): string => reasonText(wordsOf('zh-CN'), stored);
  const whole = '企业账尚未完整到截止时点';
  expect(zh('ledger_incomplete:no ledger has come yet')).toBe(`${whole}（还没有收到企业账）`);
  expect(zh('ledger_incomplete:no ledger says until when it is whole')).toBe(
    `${whole}（收到的企业账没有说明完整到哪一天）`,
  );
  expect(
    zh('ledger_incomplete:erp to 2026-03-11 00:00:00: a file of 2026-03-11 failed, waits or was withdrawn'),
  ).toBe(`${whole}（“erp”只到 2026-03-11 00:00:00：2026-03-11 的文件未能入账、仍在等待或已撤回）`);
  expect(zh('ledger_incomplete:erp to 2026-03-11 00:00:00')).toBe(
    `${whole}（“erp”只到 2026-03-11 00:00:00）`,
  );
  expect(zh('ledger_incomplete:erp has not come yet')).toBe(`${whole}（“erp”的账尚未取到）`);
  expect(
    zh('ledger_incomplete:erp has not come yet: a file of 2026-03-11 failed, waits or was withdrawn'),
  ).toBe(`${whole}（“erp”的账尚未取到：2026-03-11 的文件未能入账、仍在等待或已撤回）`);
  expect(
    zh('ledger_incomplete:erp is whole to no day: a file of 2026-03-11 failed, waits or was withdrawn'),
  ).toBe(`${whole}（“erp”的账没有一天完整：2026-03-11 的文件未能入账、仍在等待或已撤回）`);
  expect(zh('opening_in_doubt:T1, T2 and 3 more; the first balance moved by 1200 fen, D1')).toBe(
    '企业账的假定期初可能有误：有订单或迟到记录可能落在期初的另一侧（T1、T2 等，另有 3 笔；首次余额变动 12.00 元，D1）',
  );
  expect(reasonText(wordsOf('en'), 'opening_in_doubt:T1; the first balance moved by 1200 fen, D1')).toContain(
    '(T1; the first balance moved by 12.00 yuan, D1)',
  );
});

test('sentences of the proof have yuan, the service’s time and no word of the interface', () => {
  const zh = speaker('zh-CN');
  const en = speaker('en');
  expect(
    remarkText(
      zh,
      'was 900 fen, dated 2026-03-02 10:00:00; realAmount was 900 fen and is 890 now; fee was 0 fen and is 10 now',
    ),
  ).toBe(
    '原为 9.00 元，时间 2026-03-02 10:00:00；实际金额原为 9.00 元，现为 8.90 元；手续费原为 0.00 元，现为 0.10 元',
  );
  expect(remarkText(en, 'was 900 fen, dated 2026-03-02 10:00:00; fee was 0 fen and is 10 now')).toBe(
    'was 9.00 yuan, dated 2026-03-02 10:00:00; fee was 0.00 yuan and is 0.10 yuan now',
  );
  expect(remarkText(zh, 'was 1000000 fen, dated 2026-03-01T10:00:00Z')).toBe(
    '原为 10,000.00 元，时间 2026-03-01 18:00:00',
  );
  expect(remarkText(en, 'was 1000000 fen at 2026-03-01T10:00:00Z')).toBe(
    'was 10,000.00 yuan, dated 2026-03-01 18:00:00',
  );
  expect(remarkText(zh, 'amount is not whole fen from 0 to 10^15: "12.5"')).toBe(
    '金额无法解读，平台给出“12.5”',
  );
  expect(remarkText(zh, 'it had moved its money and is PROCESSING now')).toBe('原已成功，现为处理中');
  expect(remarkText(en, 'it had moved its money and is PROCESSING now')).toBe(
    'it had moved its money and is in progress now',
  );
});

test('what a sentence quotes stays as the platform said it, and an order number is no word of the interface', () => {
  expect(remarkText(speaker('zh-CN'), 'state "5 fen PROCESSING" is not known')).toBe(
    '状态的取值“5 fen PROCESSING”未知',
  );
  expect(remarkText(speaker('en'), 'order FAIL-1 was registered with it and is not listed')).toContain(
    'FAIL-1',
  );
});

test('every key of the profile has its meaning in both languages', () => {
  const rows = profileAssumptions(readProfile(undefined, 'the defaults'));
  const [zh, en] = [wordsOf('zh-CN').runLog, wordsOf('en').runLog];
  const untold = rows.filter(
    ({ key, description }) => !/\p{Script=Han}/u.test(zh.profileMeaning(key, description)),
  );
  expect(untold.map(({ key }) => key)).toEqual([]);
  for (const { key, description } of rows) expect(en.profileMeaning(key, description)).toBe(description);
  expect(zh.profileMeaning('a key of old', 'as it was described')).toBe('as it was described');
  expect(Object.keys(PROFILE_ZH).toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
});
