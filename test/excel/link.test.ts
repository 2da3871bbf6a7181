import { expect, test } from 'vitest';
import { writeBook } from '../../src/excel/book.ts';
import type { Link } from '../../src/excel/link.ts';
import { openTable } from '../../src/excel/table.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import type { ReadWorkbook } from '../helpers/read-workbook.ts';
import { at, zone } from '../helpers/company/run-rows.ts';
import { testFolder } from '../intake/in-folder.ts';
import { fc, runs } from '../helpers/properties.ts';

const folder = await testFolder();

async function written(links: readonly (Link | null)[]): Promise<ReadWorkbook> {
  const path = folder.path('links.xlsx');
  await writeBook(
    { path, createdAt: at('2026-03-02 02:00:00'), creator: 'recon', fontName: 'Arial' },
    async (book) => {
      const table = openTable<Link | null>(book, {
        sheet: { name: 'List', tone: 'good', footer: '&P', pageHeader: '' },
        top: [],
        columns: [{ kind: 'link', title: 'Link', value: (link) => link }],
        frozenColumns: 0,
        zone,
      });
      table.section({ empty: 'none' });
      await table.write(links);
      await table.finish();
    },
  );
  return readWorkbook(path);
}

const cells = (workbook: ReadWorkbook, count: number) =>
  Array.from({ length: count }, (_, at) => workbook.sheets[0]?.cells.get(`A${at + 2}`));

test('a link is a formula with its text stored, and looks like one; a text without a target is a text', async () => {
  const workbook = await written([
    { text: 'Voucher', target: '../../../vouchers/ab/ab12.pdf' },
    { text: 'say "so" & <so>', target: 'a_b-c.pdf' },
    { text: '2 files' },
    { text: '', target: 'a.pdf' },
    null,
  ]);
  const [link, quoted, text, nothing, absent] = cells(workbook, 5);
  expect(link).toMatchObject({
    type: 'str',
    value: 'Voucher',
    formula: 'HYPERLINK("../../../vouchers/ab/ab12.pdf","Voucher")',
  });
  expect(quoted).toMatchObject({
    value: 'say "so" & <so>',
    formula: 'HYPERLINK("a_b-c.pdf","say ""so"" & <so>")',
  });
  expect(text).toMatchObject({ type: 'inlineStr', value: '2 files', formula: undefined });
  expect([nothing?.value, absent?.value]).toEqual([undefined, undefined]);
  expect(text?.style).not.toBe(link?.style);
  expect(absent?.style).toBe(text?.style);
});

test.each([
  'http://evil.example/',
  'file:///etc/passwd',
  '//server/share',
  '\\\\server\\share',
  '/etc/passwd',
  'a/../../b',
  '..',
  '',
  'a b.pdf',
  'a.pdf#page=3',
  'a.pdf","x")+cmd|"',
  'C:/a.pdf',
  'x'.repeat(256),
])('I5: a target that is no plain relative path leaves the text alone: %s', async (target) => {
  const [cell] = cells(await written([{ text: 'Voucher', target }]), 1);
  expect(cell).toMatchObject({ type: 'inlineStr', value: 'Voucher', formula: undefined });
});

test('I3: no text and no target makes another formula than one link', { timeout: 60_000 }, async () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '"',
      '","',
      '")',
      '=1+1',
      '\n',
      '\u0000',
      '_x0022_',
      'a.pdf',
      '../a.pdf',
      'x'.repeat(300),
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const link = fc.record({ text: hostile, target: hostile });
  await fc.assert(
    fc.asyncProperty(fc.array(link, { minLength: 1, maxLength: 20 }), async (links) => {
      const workbook = await written(links);
      for (const cell of cells(workbook, links.length)) {
        expect(cell?.formula ?? 'HYPERLINK("a","a")').toMatch(
          /^HYPERLINK\("[A-Za-z0-9_.\-/]+","(?:[^"]|"")*"\)$/,
        );
      }
      expect([...workbook.parts].filter(([, body]) => body.includes('External'))).toEqual([]);
    }),
    { numRuns: runs(25) },
  );
});
