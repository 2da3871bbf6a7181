import { describe, expect, test } from 'vitest';
import { writeBook } from '../../src/excel/book.ts';
import { textCell } from '../../src/excel/cell.ts';
import type { Column } from '../../src/excel/column.ts';
import { openTable } from '../../src/excel/table.ts';
import type { SectionPlace } from '../../src/excel/table.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import type { ReadSheet } from '../helpers/read-workbook.ts';
import { at, zone } from '../helpers/company/run-rows.ts';
import { findAll } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';

const folder = await testFolder();

interface Line {
  id: string;
  fen: bigint | null;
}

const COLUMNS: Column<Line>[] = [
  { kind: 'text', title: '编号', value: (row) => row.id },
  { kind: 'money', title: 'Amount', value: (row) => row.fen },
  { kind: 'count', title: 'Length', value: (row) => row.id.length },
  { kind: 'day', title: 'Day', value: () => '2026-03-02' },
  { kind: 'time', title: 'Time', value: () => at('2026-03-02 12:00:00') },
];
const TOP = [[textCell('title', 'title')], [textCell('subtitle', 'subtitle')]];

interface Written {
  sheets: readonly ReadSheet[];
  places: readonly (readonly SectionPlace[])[];
}

async function write(
  name: string,
  sections: readonly { title?: string; rows: readonly Line[] }[],
  sheetRowsMax?: number,
): Promise<Written> {
  const path = folder.path(name);
  let places: Written['places'] = [];
  await writeBook(
    { path, createdAt: at('2026-03-02 02:00:00'), creator: 'recon', fontName: 'Arial' },
    async (book) => {
      const table = openTable(book, {
        sheet: { name: 'List', tone: 'good', footer: '&P', pageHeader: '' },
        top: TOP,
        columns: COLUMNS,
        frozenColumns: 1,
        zone,
        ...(sheetRowsMax !== undefined && { sheetRowsMax }),
      });
      for (const { title, rows } of sections) {
        table.section({ empty: 'nothing here', ...(title !== undefined && { title }) });
        await table.write(rows);
      }
      places = table.places();
      await table.finish();
    },
  );
  return { sheets: (await readWorkbook(path)).sheets, places };
}

const lines = (count: number): Line[] =>
  Array.from({ length: count }, (_, n) => ({ id: `id-${n}`, fen: BigInt(n) }));
const value = (sheet: ReadSheet | undefined, address: string) => sheet?.cells.get(address)?.value;

describe('a list', () => {
  test('has title, header and typed rows, and a filter over exactly its rows', async () => {
    const { sheets, places } = await write('list.xlsx', [{ rows: [...lines(2), { id: '=1', fen: null }] }]);
    const [sheet] = sheets;
    expect(['A1', 'A2', 'A3', 'B3'].map((address) => value(sheet, address))).toEqual([
      'title',
      'subtitle',
      '编号',
      'Amount',
    ]);
    expect(['A5', 'B5', 'C5', 'D5', 'E5'].map((address) => value(sheet, address))).toEqual([
      'id-1',
      0.01,
      4,
      46_083,
      46_083.5,
    ]);
    expect(sheet?.cells.get('A6')).toMatchObject({ type: 'inlineStr', value: '=1' });
    expect(sheet?.cells.get('B6')).toMatchObject({ value: undefined });
    expect(sheet && findAll(sheet.part, 'autoFilter')[0]?.attributes.get('ref')).toBe('A3:E6');
    expect(places).toEqual([[{ sheet: 'List', firstRow: 4, rows: 3 }]]);
  });

  test('without rows says so in one line', async () => {
    const { sheets } = await write('empty.xlsx', [{ rows: [] }]);
    expect(value(sheets[0], 'A3')).toBe('编号');
    expect(value(sheets[0], 'A4')).toBe('nothing here');
    expect(sheets[0] && findAll(sheets[0].part, 'autoFilter')).toEqual([]);
  });

  test('has further sections below, each with title and header', async () => {
    const { sheets, places } = await write('sections.xlsx', [
      { rows: [] },
      { title: 'More', rows: lines(1) },
      { title: 'Less', rows: [] },
    ]);
    expect(['A4', 'A6', 'A7', 'A8', 'A10', 'A11', 'A12'].map((address) => value(sheets[0], address))).toEqual(
      ['nothing here', 'More', '编号', 'id-0', 'Less', '编号', 'nothing here'],
    );
    expect(places.flat().map(({ firstRow, rows }) => [firstRow, rows])).toEqual([
      [4, 0],
      [8, 1],
      [12, 0],
    ]);
  });

  test('is as wide as its widest content, Chinese counting two', async () => {
    const { sheets } = await write('widths.xlsx', [
      { rows: [{ id: '余额调节表余额调节表', fen: 123_456_789_012n }] },
    ]);
    const widths =
      sheets[0] && findAll(sheets[0].part, 'col').map((col) => Number(col.attributes.get('width')));
    expect(widths?.slice(0, 2)).toEqual([23, 19]);
  });

  test('is as wide as its first rows, also below a section that has none', async () => {
    const { sheets } = await write('below.xlsx', [
      { rows: [] },
      { title: 'More', rows: [{ id: '6217000000000000001', fen: 123_456_789_012n }] },
    ]);
    const widths =
      sheets[0] && findAll(sheets[0].part, 'col').map((col) => Number(col.attributes.get('width')));
    expect(widths?.slice(0, 2)).toEqual([22, 19]);
  });
});

describe('H13: a list longer than a sheet', () => {
  test('continues on the next sheets with its header, no row lost or doubled', async () => {
    const { sheets, places } = await write('long.xlsx', [{ rows: lines(2_500) }], 1_000);
    expect(sheets.map(({ name }) => name)).toEqual(['List', 'List (2)', 'List (3)']);
    expect(places.flat().map(({ firstRow, rows }) => [firstRow, rows])).toEqual([
      [4, 997],
      [3, 998],
      [3, 505],
    ]);
    const ids = sheets.flatMap((sheet) =>
      [...sheet.cells].filter(([address]) => address.startsWith('A')).map(([, cell]) => cell.value),
    );
    expect(ids.filter((id) => String(id).startsWith('id-'))).toEqual(lines(2_500).map(({ id }) => id));
    expect(sheets.map((sheet) => value(sheet, 'A1'))).toEqual(['title', 'title', 'title']);
    expect(value(sheets[1], 'A2')).toBe('编号');
    expect(value(sheets[1], 'A3')).toBe('id-997');
  });

  test('that fills a sheet to its last row needs no further sheet', async () => {
    const { sheets } = await write('full.xlsx', [{ rows: lines(997) }], 1_000);
    expect(sheets.map(({ name, rows }) => [name, rows])).toEqual([['List', 1_000]]);
  });
});

test('columns are grouped and folded away, and a row is as high as its wrapped text', async () => {
  const path = folder.path('folded.xlsx');
  await writeBook(
    { path, createdAt: at('2026-03-02 02:00:00'), creator: 'recon', fontName: 'Arial' },
    async (book) => {
      const table = openTable<Line>(book, {
        sheet: { name: 'List', tone: 'good', footer: '&P', pageHeader: '' },
        top: TOP,
        columns: [
          {
            kind: 'text',
            title: 'Text',
            style: 'textWrap',
            widthMax: 10,
            widthMin: 10,
            value: (row) => row.id,
          },
          { kind: 'money', title: 'Amount', outOfSight: 'folded', value: (row) => row.fen },
          { kind: 'count', title: 'Length', outOfSight: 'folded', value: (row) => row.id.length },
        ],
        frozenColumns: 1,
        zone,
      });
      table.section({ empty: 'nothing' });
      await table.write([
        { id: 'short', fen: 1n },
        { id: '十二个汉字要占三行的地方', fen: 1n },
      ]);
      await table.finish();
    },
  );
  const [sheet] = (await readWorkbook(path)).sheets;
  const attributes = (element: string, name: string) =>
    sheet ? findAll(sheet.part, element).map((found) => found.attributes.get(name)) : [];
  expect(attributes('col', 'hidden')).toEqual([undefined, '1']);
  expect(attributes('col', 'outlineLevel')).toEqual([undefined, '1']);
  expect(attributes('sheetFormatPr', 'outlineLevelCol')).toEqual(['1']);
  expect(attributes('row', 'ht')).toEqual([undefined, undefined, undefined, undefined, '46.5']);
});
