import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, openBook, publish, statementOf } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ACCOUNTS, aSampleRun } from './sample-run.ts';

const folder = await testFolder();
let database: TestDatabase;
let book: PublishedBook;

beforeAll(async () => {
  database = await databaseToSpoil();
  const runId = await aSampleRun(database.db);
  const limits = { detailRows: 5, sheetRows: 9 };
  book = await publish(database.db, { runId, path: folder.path('long.xlsx'), limits });
});
afterAll(() => database.close());

const row = (at: number, columns: string) =>
  columns.split('').map((column) => book.value('充值', `${column}${at}`));

describe('H13: a list too long for the main workbook', () => {
  test('stands in a workbook of its own, and the main one says where', () => {
    expect(book.published.paths).toEqual([
      folder.path('long.xlsx'),
      folder.path('long-breaks.xlsx'),
      folder.path('long-deposits.xlsx'),
    ]);
    expect(book.value('充值', 'A7')).toBe('共 6 行，超过 5 行，明细见文件 long-deposits.xlsx');
  });

  test('has its totals in the main workbook as values, and they still tie out', () => {
    expect(row(4, 'ABCDEFG')).toEqual(['笔数', 6, 2, 2, 1, 1, '相符']);
    expect(['B4', 'C4', 'B5'].map((at) => book.cell('充值', at)?.formula)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(book.cell('汇总', 'D28')).toMatchObject({ value: -3, formula: undefined });
    const added = statementOf(book, { sheet: '余额调节表', accountNo: ACCOUNTS[0] })[4];
    expect(added?.slice(0, 2)).toEqual(['加：平台已收企业未收', 70]);
    expect(columnValues(book, { sheet: '汇总', column: 'D', from: 63, to: 70 })).toEqual([
      '相符',
      '相符',
      '相符',
      '相符',
      '相符',
      '相符',
      '相符',
      '相符',
    ]);
  });

  test('continues on further sheets, every row once, and is checked against the tables', async () => {
    const own = await openBook(folder.path('long-deposits.xlsx'));
    expect(
      book.published.sheets
        .filter(({ path }) => path.endsWith('-deposits.xlsx'))
        .map(({ name, rows }) => [name, rows]),
    ).toEqual([
      ['充值', 3],
      ['充值 (2)', 3],
      ['核对', 1],
    ]);
    expect([
      ...columnValues(own, { sheet: '充值', column: 'D', from: 7, to: 9 }),
      ...columnValues(own, { sheet: '充值 (2)', column: 'D', from: 3, to: 5 }),
    ]).toEqual(['D-0001', 'D-0002', 'D-0003', 'D-0005', 'D-0004', 'D-0006']);
    expect(['B4', 'C4', 'B5', 'C5', 'B6', 'C6'].map((at) => own.value('核对', at))).toEqual([
      6,
      1_234_568_210.13,
      6,
      1_234_568_210.13,
      '相符',
      '相符',
    ]);
    expect(own.names.get('recon_check_rows')).toBe("'核对'!$B$6");
  });

  test('short lists stay where they were, with their formulas', () => {
    expect(book.value('未达账项', 'T7')).toBe('B-carried');
    expect(book.cell('未达账项', 'G4')?.formula).toBeDefined();
  });
});
