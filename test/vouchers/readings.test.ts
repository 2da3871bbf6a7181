/** A bundle shows of a voucher what its original shows: what can be read in two ways is not merged. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { openChecker } from '../../src/vouchers/check/check.ts';
import type { Checker } from '../../src/vouchers/check/check.ts';
import { anEntry, bundle, MemoryArchive } from './bundling.ts';
import { readBundle } from './read-bundle.ts';
import { CATALOG, ONE_PAGE, page, rawPdf, rawStream } from './slips.ts';

let checker: Checker;
beforeAll(() => {
  checker = openChecker({ clock: systemClock() });
});
afterAll(() => checker.close());

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const said = (words: string): Uint8Array =>
  rawStream('', Buffer.from(`BT /A 12 Tf 40 200 Td (${words}) Tj ET`));
const PAGE = page('/Contents 4 0 R /Resources << /Font << /A 5 0 R >> >>');
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const object = (number: number, body: string | Uint8Array): string =>
  `${number} 0 obj\n${typeof body === 'string' ? body : latin1(body)}\nendobj\n`;

/** A sound slip that says `FIRST`, as its table has it. */
const slip = (): string => latin1(rawPdf([CATALOG, ONE_PAGE, PAGE, said('FIRST'), FONT]));

/** Something put before the table, whose pointer is set right again. */
function before(text: string, more: string): string {
  const at = text.indexOf('xref\n0 ');
  const put = `${text.slice(0, at)}${more}${text.slice(at)}`;
  return put.replace(/startxref\n\d+/, `startxref\n${at + more.length}`);
}

/** Written behind, with a table of its own that leads to the older one. */
function updated(text: string, number: number, body: string | Uint8Array, at?: number): string {
  const older = text.slice(text.lastIndexOf('startxref') + 10).split('\n')[0] ?? '';
  const own = text.length;
  const more = object(number, body);
  const line = `${String(at ?? own).padStart(10, '0')} 00000 n \n`;
  return (
    `${text}${more}xref\n${number} 1\n${line}trailer\n<< /Size 9 /Root 1 0 R /Prev ${older} >>\n` +
    `startxref\n${own + more.length}\n%%EOF\n`
  );
}

const unpointed = (text: string): string => text.replace(/startxref\n\d+/, 'startxref\n7');

/** Objects 4 and 5 lie in a stream of objects, the table is a stream too. */
function streamed(held: string): string {
  const parts = ['%PDF-1.7\n'];
  const offsets: number[] = [];
  const put = (number: number, body: string | Uint8Array): void => {
    offsets[number] = parts.join('').length;
    parts.push(object(number, body));
  };
  put(1, CATALOG);
  put(2, ONE_PAGE);
  put(3, page('/Contents 6 0 R /Resources << /Font << /A 4 0 R >> >>'));
  const heads = `4 0 5 ${held.indexOf('|')} `;
  put(7, rawStream(`/Type /ObjStm /N 2 /First ${heads.length}`, bytesOf(heads + held.replace('|', ' '))));
  put(6, said('STREAMED'));
  const at = parts.join('').length;
  const entry = (type: number, one: number, two: number): number[] => [type, one >> 8, one & 255, two];
  const table = [
    entry(0, 0, 0),
    ...[1, 2, 3].map((number) => entry(1, offsets[number] ?? 0, 0)),
    entry(2, 7, 0),
    entry(2, 7, 1),
    ...[6, 7].map((number) => entry(1, offsets[number] ?? 0, 0)),
    entry(1, at, 0),
  ].flat();
  parts.push(object(8, rawStream('/Type /XRef /Size 9 /W [1 2 1] /Root 1 0 R', Uint8Array.from(table))));
  return `${parts.join('')}startxref\n${at}\n%%EOF\n`;
}

async function judged(text: string): Promise<string> {
  const { condition, remark } = await checker.check(bytesOf(text));
  return remark === '' ? condition : `${condition}: ${remark}`;
}

const TWO_WAYS = 'hostile: it can be read in two ways: one number stands for two objects';

test.each<[string, () => string, string]>([
  [
    'a second object of one number that no table names',
    () => before(slip(), object(4, said('OTHER'))),
    TWO_WAYS,
  ],
  [
    'the same, where the table leads nowhere',
    () => unpointed(before(slip(), object(4, said('OTHER')))),
    TWO_WAYS,
  ],
  [
    'an update whose table leads to the older object and not to its own',
    () => updated(slip(), 4, said('OTHER'), slip().indexOf('4 0 obj')),
    TWO_WAYS,
  ],
  [
    'an object within the data of another, to which the table leads',
    () => {
      const hiding = latin1(
        rawPdf([
          CATALOG,
          ONE_PAGE,
          PAGE,
          said('FIRST'),
          FONT,
          rawStream('', bytesOf(object(4, said('OTHER')))),
        ]),
      );
      const [first, hidden] = [hiding.indexOf('4 0 obj'), hiding.lastIndexOf('4 0 obj')];
      return hiding.replace(String(first).padStart(10, '0'), String(hidden).padStart(10, '0'));
    },
    TWO_WAYS,
  ],
  [
    'an object in a stream and another of its number in the file',
    () => streamed(`${FONT}|${FONT}`).replace('startxref', `${object(4, '<< /Type /Font >>')}startxref`),
    TWO_WAYS,
  ],
  [
    'two objects of one number in a stream of objects',
    () => streamed(`${FONT}|${FONT}`).replace('4 0 5 ', '4 0 4 '),
    TWO_WAYS,
  ],
  [
    'a table for newer viewers that says otherwise than the one for all',
    () => updated(slip(), 4, said('OTHER')).replace('/Prev', '/XRefStm 9 /Prev'),
    TWO_WAYS,
  ],
  [
    'a reference to a generation that is not there',
    () => slip().replace('/Contents 4 0 R', '/Contents 4 1 R'),
    TWO_WAYS,
  ],
  [
    'two contents of one page',
    () => unpointed(slip().replace('/Contents 4 0 R /Res', '/Contents 5 0 R /#43ontents 4 0 R /Res')),
    'hostile: it says one thing twice, and viewers choose differently',
  ],
  [
    'two beginnings, where the table leads nowhere',
    () => unpointed(before(slip(), `${object(8, CATALOG)}trailer\n<< /Root 8 0 R >>\n`)),
    'hostile: it can be read in two ways: it begins at two places',
  ],
  [
    'a content that is longer than it says',
    () => slip().replace(/\/Length \d+/, '/Length 12'),
    'damaged: the content of a page is missing',
  ],
])('%s: a page stands for it', async (_name, made, expected) => {
  const text = made();
  expect(text).not.toBe(slip());
  expect(await judged(text)).toBe(expected);
});

test.each<[string, () => string, string]>([
  ['a sound slip', slip, 'FIRST'],
  ['an update that its table names', () => updated(slip(), 4, said('SECOND')), 'SECOND'],
  ['an update of an update', () => updated(updated(slip(), 4, said('SECOND')), 4, said('THIRD')), 'THIRD'],
  ['a table that leads nowhere, where each number stands for one object', () => unpointed(slip()), 'FIRST'],
  ['objects in streams', () => streamed(`${FONT}|${FONT}`), 'STREAMED'],
  ['the same without a table', () => unpointed(streamed(`${FONT}|${FONT}`)), 'STREAMED'],
])('%s is merged as it shows', async (_name, made, expected) => {
  expect(await judged(made())).toBe('whole');
  const archive = new MemoryArchive();
  const { parts } = await bundle({ archive, entries: [anEntry({ files: [archive.add(bytesOf(made()))] })] });
  const { pages } = await readBundle(parts[0] ?? new Uint8Array());
  expect(pages[2]?.text).toBe(expected);
});
