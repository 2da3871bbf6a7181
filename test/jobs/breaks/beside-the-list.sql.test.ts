/** What people write where nobody reads it, a note, a copy of the sheet, a line below the list, is told with its place. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { editSheet } from '../../helpers/fill-workbook.ts';
import { readWorkbook, unzip } from '../../helpers/read-workbook.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { makeArchive } from '../../intake/make-archive.ts';
import { publish } from '../../reports/publish.ts';
import { FilledBook, importFile } from './work-list.ts';

const folder = await testFolder();
const A = '6217000000000000001';
let database: TestDatabase;
let book: FilledBook;
/** Of sheet 差异 in the archive. */
let sheetNo: number;

beforeAll(async () => {
  database = await testDatabase();
  const books = new Books(database.db);
  const opening = '2026-03-01 00:00:00';
  await books.account(A, { fen: 100_000n, at: opening });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 100_000n, at: opening }]);
  await books.proven(A, '2026-03-01', '2026-03-02');
  await books.deposits(A, [{ orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 100n }]);
  await books.balance(A, { at: '2026-03-02 00:00:10', fen: 100_100n });
  const { runId } = await books.night('2026-03-01');
  const path = folder.path(`${runId}.xlsx`);
  await publish(database.db, { runId, path });
  book = await FilledBook.open(path);
  const { sheets } = await readWorkbook(path);
  sheetNo = sheets.findIndex(({ name }) => name === '差异') + 1;
});
afterAll(() => database.close());

type Parts = Map<string, string>;

/** What a copy with other parts is answered. */
async function edited(edit: (parts: Parts) => void): ReturnType<typeof importFile> {
  const parts: Parts = new Map(
    [...unzip(await readFile(book.path))].map(([name, body]) => [name, body.toString('utf8')]),
  );
  edit(parts);
  const path = folder.path('edited.xlsx');
  await writeFile(path, makeArchive(Object.fromEntries(parts)));
  return importFile(database.db, path);
}

const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function replaced(parts: Parts, name: string, edit: (xml: string) => string): void {
  parts.set(name, edit(parts.get(name) ?? ''));
}

/** Adds a sheet of that name with that content. */
function withSheet(parts: Parts, name: string, xml: string): void {
  parts.set('xl/worksheets/copy.xml', xml);
  const relation = `<Relationship Id="copy" Type="${RELATION}/worksheet" Target="worksheets/copy.xml"/>`;
  replaced(parts, 'xl/_rels/workbook.xml.rels', (all) => all.replace('</Relationships>', `${relation}$&`));
  const sheet = `<sheet xmlns:r="${RELATION}" name="${name}" sheetId="90" r:id="copy"/>`;
  replaced(parts, 'xl/workbook.xml', (all) => all.replace('</sheets>', `${sheet}$&`));
}

/** As LibreOffice names it; a spreadsheet's own `差异 (2)` is read, and its rows stand twice. */
test('a copy of the sheet under another name', async () => {
  const faults = await edited((parts) =>
    withSheet(parts, '差异_2', parts.get(`xl/worksheets/sheet${sheetNo}.xml`) ?? ''),
  );
  const told = [
    '差异_2: is another list of breaks, which is not read: write what it says in sheet 差异, and remove it',
  ];
  expect(faults).toEqual(told);
  // What people see of it was copied, without its hidden column.
  const shown = await edited((parts) =>
    withSheet(
      parts,
      '差异_2',
      (parts.get(`xl/worksheets/sheet${sheetNo}.xml`) ?? '').replaceAll('核对码', '其他'),
    ),
  );
  expect(shown).toEqual(told);
});

/** Where the language of the reports was changed, or one was written for somebody else. */
test('a list in the other language that was copied in', async () => {
  const english = folder.path('english.xlsx');
  await publish(database.db, { runId: 'nightly-2026-03-01-v1', path: english, locale: 'en' });
  const parts = unzip(await readFile(english));
  const { sheets } = await readWorkbook(english);
  const no = sheets.findIndex(({ name }) => name === 'Breaks') + 1;
  const xml = parts.get(`xl/worksheets/sheet${no}.xml`)?.toString('utf8') ?? '';
  expect(await edited((own) => withSheet(own, 'Breaks', xml))).toEqual([
    'Breaks: is another list of breaks, which is not read: write what it says in sheet 差异, and remove it',
  ]);
});

test('notes of cells', async () => {
  const at = book.cell('D1', '负责人');
  const faults = await edited((parts) => {
    const relation = `<Relationship Id="n" Type="${RELATION}/comments" Target="../comments1.xml"/>`;
    parts.set(
      `xl/worksheets/_rels/sheet${sheetNo}.xml.rels`,
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`,
    );
    const note = `<comment ref="${at}" authorId="0"><text><t>请王伟处理</t></text></comment>`;
    parts.set(
      'xl/comments1.xml',
      `<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author/></authors><commentList>${note}</commentList></comments>`,
    );
  });
  expect(faults).toEqual([
    `差异!${at}: has a note, which is not read: what it says belongs into "备注"; remove it`,
  ]);
});

/** A spreadsheet keeps the first cell of those that are merged and empties the others. */
test('what is written once for several rows that are merged', async () => {
  const merge = (cells: string): ReturnType<typeof importFile> =>
    edited((parts) => {
      const merged = `<mergeCells count="1"><mergeCell ref="${cells}"/></mergeCells>`;
      replaced(parts, `xl/worksheets/sheet${sheetNo}.xml`, (xml) =>
        xml.replace('</sheetData>', `$&${merged}`),
      );
    });
  const at = book.cell('D1', '备注');
  const below = at.replace(/\d+/, (row) => String(Number(row) + 1));
  expect(await merge(`${at}:${below}`)).toEqual([
    `差异!${at}:${below}: are merged: only the first row says what stands there; split them, and write it in each row that is meant`,
  ]);
  expect(await merge('A1:D1')).toMatchObject({ status: 0, cells: [] });
});

test('lines of text below the list, but not its own titles and sentences', async () => {
  const line = (row: number, text: string): string =>
    `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const path = await editSheet(book.path, folder.path('below.xlsx'), {
    sheet: '差异',
    edit: (xml) =>
      xml.replace('</sheetData>', `${line(90, '第 1 笔已联系平台')}${line(92, '张三')}</sheetData>`),
  });
  const beside = 'stands beside the list: what it says belongs into "备注"';
  expect(await importFile(database.db, path)).toEqual([
    `差异!A90 "第 1 笔已联系平台": ${beside}`,
    `差异!A92 "张三": ${beside}`,
  ]);
  expect(await importFile(database.db, book.path)).toMatchObject({ status: 0, cells: [] });
});
