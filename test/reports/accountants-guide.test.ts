/** The guide for accountants speaks of the workbook in the workbook's own words, and of everything in it. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

import { wordsZh } from '../../reports/words/words-zh.ts';

const DOCS = path.join(import.meta.dirname, '..', '..', 'docs');
const guide = readFileSync(path.join(DOCS, 'accountants-guide.md'), 'utf8');
/** Small enough to be read over a slow line with the document. */
const PICTURE_BYTES_MAX = 200_000;

const firstCells = new Set(
  guide.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(' | ', 1)[0]?.slice(2)] : [])),
);

test('each verdict and each class of breaks and timing items has a row that says what to do', () => {
  const words = [...Object.values(wordsZh.verdicts), ...Object.values(wordsZh.classes)];
  expect(words.filter((word) => !firstCells.has(word))).toEqual([]);
});

test('each sheet, each status and action of the break list, and the words for signing are named', () => {
  const { breaks, summary, sheets } = wordsZh;
  const words = [
    ...Object.values(sheets),
    ...Object.values(breaks.statuses),
    ...Object.values(breaks.actions),
  ];
  words.push(summary.preparedBy, summary.reviewedBy, summary.date, ...Object.values(wordsZh.ageBuckets));
  expect(words.filter((word) => !guide.includes(word))).toEqual([]);
});

test('a reason it tells about is one that the workbook gives', () => {
  const section = guide.slice(guide.indexOf('## 5.'), guide.indexOf('## 6.'));
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| 说明'));
  const told = rows.flatMap((line) => line.split(' | ', 1)[0]?.slice(2).split('、') ?? []);
  const given = new Set<string>(Object.values(wordsZh.reasons));
  expect(told.length).toBeGreaterThan(6);
  expect(told.filter((reason) => !given.has(reason))).toEqual([]);
});

test('its pictures are there and small', () => {
  const pictures = [...guide.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, name = '']) => name);
  expect(pictures.length).toBeGreaterThan(5);
  for (const name of pictures) expect(statSync(path.join(DOCS, name)).size).toBeLessThan(PICTURE_BYTES_MAX);
});
