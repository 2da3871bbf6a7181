/** Tables for a terminal: columns stand below each other, also with Chinese text, and a row is one line. */
import { expect, test } from 'vitest';

import { tableText } from '../../jobs/table-text.ts';

test('a Chinese character takes two places; numbers stand at the right', () => {
  const text = tableText(
    ['name', 'fen'],
    [
      ['张三', '5'],
      ['ab', '12345'],
    ],
    { right: [1] },
  );
  expect(text.split('\n')).toEqual(['name    fen', '────  ─────', '张三      5', 'ab    12345']);
});

test('I9: text from outside stays on its line: it cannot pretend to be a row', () => {
  const text = tableText(['number', 'state'], [['B1\n2026-03-01  transfer\u2028x', 'a\tb']]);
  expect(text.split(/[\n\u2028]/)).toHaveLength(3);
  expect(text).toContain('B1 2026-03-01  transfer x  a b');
});
