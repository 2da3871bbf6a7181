import ExcelJS from 'exceljs';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { writeBook } from '../../src/excel/book.ts';
import type { Book } from '../../src/excel/book.ts';
import {
  dayCell,
  emptyCell,
  formulaCell,
  moneyCell,
  numberCell,
  textCell,
  timeCell,
} from '../../src/excel/cell.ts';
import type { SheetOptions } from '../../src/excel/sheet.ts';
import { at, zone } from '../helpers/company/run-rows.ts';
import { readWorkbook, unzip } from '../helpers/read-workbook.ts';
import { findAll } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';

const folder = await testFolder();
const BOOK = { createdAt: at('2026-03-02 02:00:00'), creator: 'recon', fontName: '微软雅黑' };
const SHEET: SheetOptions = {
  name: '汇总 & "1"',
  tone: 'bad',
  widths: [20, 14, 14],
  frozen: { rows: 2, columns: 1 },
  printedHead: [2, 2],
  footer: '第 &P 页，共 &N 页',
  pageHeader: 'A & B',
};

async function write(name: string, fill: (book: Book) => Promise<void>): Promise<string> {
  const path = folder.path(name);
  await writeBook({ ...BOOK, path }, fill);
  return path;
}

async function aBook(book: Book): Promise<void> {
  const sheet = book.addSheet(SHEET);
  sheet.addRow([textCell('=1+1'), emptyCell(), numberCell(12_345)], 30);
  sheet.addRow([
    moneyCell(-123_456_789_012_345n),
    dayCell('2026-03-02'),
    timeCell(at('2026-03-02 23:59:59'), zone),
  ]);
  sheet.addEmptyRow();
  sheet.addRow([
    formulaCell('ROUND(SUM(A2:A2),2)', { fen: -123_456_789_012_345n }, 'totalMoney'),
    formulaCell('A4=0', { yes: false }, 'check'),
    formulaCell('"a"&"<b>"', { text: 'a<b>' }, 'text'),
  ]);
  sheet.filterOver('A2:C4');
  sheet.chooseFrom('C2:C9', ['open', 'closed']);
  sheet.redWhere('B4:B4', 'NOT(B4)');
  sheet.breakAfter(3);
  book.nameCell('recon_total', { sheet: SHEET.name, row: 4, column: 1 });
  await sheet.finish();
}

describe('a workbook', () => {
  test('I3: keeps each cell what its maker said it is', async () => {
    const { sheets, formats } = await readWorkbook(await write('cells.xlsx', aBook));
    const cell = (address: string) => sheets[0]?.cells.get(address);
    expect(cell('A1')).toMatchObject({ type: 'inlineStr', value: '=1+1', formula: undefined });
    expect(formats[cell('A1')?.style ?? -1]).toBe('@');
    expect(cell('C1')).toMatchObject({ type: 'n', value: 12_345 });
    expect(cell('A2')).toMatchObject({ type: 'n', value: -1_234_567_890_123.45 });
    expect(formats[cell('A2')?.style ?? -1]).toBe('#,##0.00;[Red]-#,##0.00');
    expect(cell('B2')).toMatchObject({ type: 'n', value: 46_083 });
    expect(cell('C2')).toMatchObject({ type: 'n', value: 46_083.9999884259 });
    expect(formats[cell('C2')?.style ?? -1]).toBe('yyyy-mm-dd hh:mm:ss');
  });

  test('stores with every formula what it comes to', async () => {
    const { sheets, names } = await readWorkbook(await write('formulas.xlsx', aBook));
    const cell = (address: string) => sheets[0]?.cells.get(address);
    expect(cell('A4')).toMatchObject({ formula: 'ROUND(SUM(A2:A2),2)', value: -1_234_567_890_123.45 });
    expect(cell('B4')).toMatchObject({ type: 'b', formula: 'A4=0', value: false });
    expect(cell('C4')).toMatchObject({ type: 'str', formula: '"a"&"<b>"', value: 'a<b>' });
    expect(names.get('recon_total')).toBe(`'${SHEET.name}'!$A$4`);
  });

  test('is set up to be read and printed', async () => {
    const { sheets, names } = await readWorkbook(await write('print.xlsx', aBook));
    const [sheet] = sheets;
    const one = (name: string) => (sheet ? findAll(sheet.part, name)[0]?.attributes : undefined);
    expect(one('pane')?.get('ySplit')).toBe('2');
    expect(one('pane')?.get('state')).toBe('frozen');
    expect(one('autoFilter')?.get('ref')).toBe('A2:C4');
    expect(one('pageSetup')?.get('orientation')).toBe('landscape');
    expect(one('pageSetup')?.get('fitToWidth')).toBe('1');
    expect(one('pageSetup')?.get('fitToHeight')).toBe('0');
    expect(one('tabColor')?.get('rgb')).toBe('FFC00000');
    expect(one('brk')?.get('id')).toBe('3');
    expect(one('dataValidation')?.get('sqref')).toBe('C2:C9');
    expect(sheet && findAll(sheet.part, 'oddFooter')[0]?.children).toEqual(['&C第 &P 页，共 &N 页']);
    expect(sheet && findAll(sheet.part, 'oddHeader')[0]?.children).toEqual(['&LA && B&R&A']);
    expect(names.get('_xlnm.Print_Titles')).toBe(`'${SHEET.name}'!$2:$2`);
    expect(sheet && findAll(sheet.part, 'col').map((col) => col.attributes.get('width'))).toEqual([
      '20',
      '14',
    ]);
  });

  test('prints what is wider than a page on several A4 pages that repeat the columns in view; what is folded takes none', async () => {
    const wide = { ...SHEET, widths: Array.from({ length: 16 }, () => 20), frozen: { rows: 2, columns: 2 } };
    const printed = async (name: string, options: SheetOptions) => {
      const path = await write(name, (book) => book.addSheet(options).finish());
      const { sheets, names } = await readWorkbook(path);
      const setup = sheets[0] && findAll(sheets[0].part, 'pageSetup')[0]?.attributes;
      return [setup?.get('paperSize'), setup?.get('fitToWidth'), names.get('_xlnm.Print_Titles')];
    };
    const rows = `'${SHEET.name}'!$2:$2`;
    expect(await printed('wide.xlsx', wide)).toEqual(['9', '2', `'${SHEET.name}'!$A:$B,${rows}`]);
    const folded = { ...wide, outOfSight: wide.widths.map((_, at) => (at < 10 ? undefined : 'folded')) };
    expect(await printed('folded.xlsx', folded as SheetOptions)).toEqual(['9', '1', rows]);
    expect(await printed('one.xlsx', { ...wide, onePage: true })).toEqual(['9', '1', rows]);
  });

  test('is read by another library as it was written', async () => {
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(await write('other.xlsx', aBook));
    const sheet = workbook.getWorksheet(SHEET.name);
    expect(sheet?.getCell('A1').value).toBe('=1+1');
    expect(sheet?.getCell('A2').value).toBe(-1_234_567_890_123.45);
    expect(sheet?.getCell('A4').result).toBe(-1_234_567_890_123.45);
    expect(sheet?.getRow(1).height).toBe(30);
    // Wider than its column, as a row far below the measured ones may be: smaller, and not ####.
    expect(sheet?.getCell('A2').alignment.shrinkToFit).toBe(true);
  });

  test('invariant 20: is the same file when it is written again', async () => {
    const [one, other] = [await write('one.xlsx', aBook), await write('other-one.xlsx', aBook)];
    expect(await readFile(one)).toEqual(await readFile(other));
  });

  test('without a row has a sheet all the same', async () => {
    const path = await write('empty.xlsx', async (book) => {
      await book.addSheet(SHEET).finish();
    });
    const { sheets } = await readWorkbook(path);
    expect(sheets.map(({ name, rows }) => ({ name, rows }))).toEqual([{ name: SHEET.name, rows: 0 }]);
  });
});

describe('H3: a workbook that cannot be finished', () => {
  const endless = async (book: Book): Promise<void> => {
    const sheet = book.addSheet(SHEET);
    for (let row = 0; row < 200_000; row++) {
      sheet.addRow([textCell(`row ${row} ${Math.sin(row)}`)]);
      await sheet.drained();
    }
    await sheet.finish();
  };

  test('a full disk is said as what it is, and nothing hangs', async () => {
    await expect(writeBook({ ...BOOK, path: '/dev/full' }, endless)).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    await expect(writeBook({ ...BOOK, path: '/dev/full' }, aBook)).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  test('a folder that is not there is said too', async () => {
    const path = folder.path('nowhere/book.xlsx');
    await expect(writeBook({ ...BOOK, path }, aBook)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('what the filling throws is what comes out', async () => {
    const failing = async (book: Book): Promise<void> => {
      book.addSheet(SHEET).addRow([textCell('a')]);
      await Promise.reject(new Error('the tables are gone'));
    };
    await expect(write('broken.xlsx', failing)).rejects.toThrow('the tables are gone');
  });
});

test('the archive carries no time of its own', async () => {
  const bytes = await readFile(await write('times.xlsx', aBook));
  expect([...unzip(bytes).keys()]).toContain('xl/workbook.xml');
  for (
    let from = bytes.indexOf('PK\u0001\u0002');
    from >= 0;
    from = bytes.indexOf('PK\u0001\u0002', from + 1)
  ) {
    expect(bytes.readUInt32LE(from + 12)).toBe(0x00210000);
  }
});

test('H3: a disk that became full before the last sheet is said as that, and nothing fails behind it', async () => {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));
  const noise = Array.from({ length: 3_000 }, () => randomBytes(30).toString('hex'));
  const full = writeBook({ ...BOOK, path: '/dev/full' }, async (book) => {
    for (const name of ['1', '2', '3', '4']) {
      const sheet = book.addSheet({ ...SHEET, name });
      for (const text of noise) sheet.addRow([textCell(text)]);
      await sheet.finish();
      await pause();
    }
  });
  await expect(full).rejects.toMatchObject({ code: 'ENOSPC' });
  // What the library does by itself afterwards would end the process, as a failure that nobody awaits.
  await pause();
});
