/** Tables for a terminal: columns stand below each other, also with Chinese text, and a row is one line. */
import { expect, test } from 'vitest';

import { TextTable, tableText } from '../../jobs/cli/table-text.ts';

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

test('a long cell goes on below in its own column, and loses nothing', () => {
  const text = tableText(
    ['key', 'value', 'is'],
    [
      ['a', '["12","345","6789"]', 'x'],
      ['b', '123456789012345', 'y'],
    ],
    { widest: { 1: 10 } },
  );
  expect(text.split('\n')).toEqual([
    'key  value       is',
    '───  ──────────  ──',
    'a    ["12",      x',
    '     "345",',
    '     "6789"]',
    'b    1234567890  y',
    '     12345',
  ]);
});

test('a table that is shown row by row is the one that is held whole', () => {
  const titles = ['number', 'what'];
  const rows = [
    ['1', '付款'],
    ['20000', 'two\nlines'],
  ];
  const options = { right: [0], widest: { 1: 5 } };
  const table = new TextTable(titles, options);
  expect(table.isEmpty()).toBe(true);
  for (const row of rows) table.fit([row]);
  expect(table.isEmpty()).toBe(false);
  const shown = [...table.head(), ...rows.flatMap((row) => table.lines(row))];
  expect(shown.join('\n')).toBe(tableText(titles, rows, options));
});
