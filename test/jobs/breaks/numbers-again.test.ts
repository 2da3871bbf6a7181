/** A text that is shown masked and written on has its numbers again, whatever stands beside them. */
import { expect, test } from 'vitest';
import { shownText, withNumbers as filledIn } from '../../../jobs/breaks/import/input-cells.ts';
import type { WorkList } from '../../../reports/work-list.ts';

const list = { accountNames: new Map() } as unknown as WorkList;
let unclear: string[] = [];
const withNumbers = (of: WorkList, text: string, texts: readonly string[]): string => {
  unclear = [];
  return filledIn(of, text, { of: texts, unclear: (mask) => unclear.push(mask) });
};
const CARD = '6222021234567890123';
const OTHER = '6222031234567890123';

test.each([
  `退 ${CARD}x2 笔`,
  '电13812345678x2',
  '*13812345678',
  `**${CARD}**`,
  `3*${CARD}`,
  '身份证 11010519491231002X1',
  '电 86 138 1234 5678',
  `卡 ${CARD} 及 ${OTHER}x`,
  `卡 ${CARD}，再付 ${CARD}`,
])('%s', (text) => {
  const shown = shownText(list, text);
  expect(shown).not.toContain('1234567');
  expect(withNumbers(list, `已核 ${shown} 好`, [text])).toBe(`已核 ${text} 好`);
});

test('one number that was written in two ways is no two numbers', () => {
  const text = `卡 6222 0212 3456 7890 123，即 ${CARD}`;
  const filled = withNumbers(list, shownText(list, text), [text]);
  expect(filled.match(/[\d ]{19,}/g)?.map((number) => number.replaceAll(' ', ''))).toEqual([CARD, CARD]);
});

test('a mask of another number stays: a longer one, one with a digit beside it, one that two numbers have', () => {
  for (const text of ['110***********0123', '****01234', '1380****0123'])
    expect(withNumbers(list, text, [CARD])).toBe(text);
  expect(withNumbers(list, '乙 ****0123', [CARD, OTHER, CARD])).toBe('乙 ****0123');
  expect(unclear).toEqual(['****0123']);
});
