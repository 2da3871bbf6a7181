import { expect, test } from 'vitest';
import { writeBook } from '../../src/excel/book.ts';
import { numberCell, textCell } from '../../src/excel/cell.ts';
import type { Chart } from '../../src/excel/chart.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import { at } from '../helpers/company/run-rows.ts';
import { findAll, parseXml, textOf } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';

const folder = await testFolder();
const HOSTILE = '=1+1 <c:f>&"\u0000\ufffe 甲';

function chart(kind: Chart['kind'], row: number): Chart {
  return {
    kind,
    title: `Chart ${row}`,
    format: '#,##0.00',
    place: { column: 4, row, endColumn: 8, endRow: row + 10 },
    categories: { reference: "'List'!$A$1:$A$2", texts: [HOSTILE, 'b'] },
    series: [
      {
        name: { reference: "'List'!$B$1", text: HOSTILE },
        numbers: { reference: "'List'!$B$1:$B$2", values: ['1.50', null] },
      },
    ],
  };
}

async function written(name: string) {
  const path = folder.path(name);
  await writeBook(
    { path, createdAt: at('2026-03-02 02:00:00'), creator: 'recon', fontName: 'Arial' },
    async (book) => {
      for (const sheetName of ['List', 'Other', 'None']) {
        const sheet = book.addSheet({
          name: sheetName,
          tone: 'good',
          widths: [10],
          frozen: { rows: 0, columns: 0 },
          footer: '&P',
          pageHeader: '',
        });
        sheet.addRow([textCell('a'), numberCell(1)]);
        if (sheetName === 'List') sheet.draw([chart('bars', 3), chart('lines', 20)]);
        if (sheetName === 'Other') sheet.draw([chart('columns', 3)]);
        await sheet.finish();
      }
    },
  );
  return readWorkbook(path);
}

test('charts are parts of the package that the sheet, the drawing and the list of contents name', async () => {
  const { parts } = await written('charts.xlsx');
  const part = (name: string) => parseXml(parts.get(name)?.toString('utf8') ?? '');
  const types = findAll(part('[Content_Types].xml'), 'Override').map(({ attributes }) =>
    attributes.get('PartName'),
  );
  const own = [...parts.keys()].filter((name) => /charts\/|drawings\/drawing/.test(name)).toSorted();
  expect(own).toEqual([
    'xl/charts/chart1.xml',
    'xl/charts/chart2.xml',
    'xl/charts/chart3.xml',
    'xl/drawings/drawing1.xml',
    'xl/drawings/drawing2.xml',
  ]);
  for (const name of own) expect(types).toContain(`/${name}`);
  const targets = (name: string) =>
    findAll(part(name), 'Relationship').map(({ attributes }) => attributes.get('Target'));
  expect(targets('xl/worksheets/_rels/sheet1.xml.rels')).toEqual(['../drawings/drawing1.xml']);
  expect(targets('xl/drawings/_rels/drawing1.xml.rels')).toEqual([
    '../charts/chart1.xml',
    '../charts/chart2.xml',
  ]);
  expect(targets('xl/drawings/_rels/drawing2.xml.rels')).toEqual(['../charts/chart3.xml']);
  expect(findAll(part('xl/worksheets/sheet1.xml'), 'drawing')).toHaveLength(1);
  expect(findAll(part('xl/worksheets/sheet3.xml'), 'drawing')).toEqual([]);
});

test('a chart reads cells, keeps their values beside, and nothing of a text becomes markup or a formula', async () => {
  const { parts } = await written('values.xlsx');
  const xml = parseXml(parts.get('xl/charts/chart1.xml')?.toString('utf8') ?? '');
  expect(findAll(xml, 'c:f').map(textOf)).toEqual(["'List'!$B$1", "'List'!$A$1:$A$2", "'List'!$B$1:$B$2"]);
  expect(findAll(xml, 'c:v').map(textOf)).toEqual([
    '=1+1 <c:f>&"\\u0000\\ufffe 甲',
    '=1+1 <c:f>&"\\u0000\\ufffe 甲',
    'b',
    '1.50',
  ]);
});

test('the same book is the same file', async () => {
  const [one, other] = [await written('one.xlsx'), await written('two.xlsx')];
  expect([...one.parts]).toEqual([...other.parts]);
});
