import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportFolder } from '../../jobs/night/publish/publish.ts';
import { findRun, saveRunFacts } from '../../src/store/runs/runs.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, openBook, publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { A, B, HOSTILE, RUN, VoucherBooks, digestOf } from './sample-vouchers.ts';

const folder = await testFolder();
let database: TestDatabase;
let books: VoucherBooks;
let workbookFolder: string;
let book: PublishedBook;

beforeAll(async () => {
  database = await testDatabase();
  const home = folder.path('home');
  books = new VoucherBooks(database.db, home);
  await books.firstNight();
  const run = await findRun(database.db, RUN);
  if (run === undefined) throw new Error('no run');
  workbookFolder = reportFolder(home, run);
  await mkdir(workbookFolder, { recursive: true });
  book = await publish(database.db, { runId: RUN, path: path.join(workbookFolder, 'night.xlsx') });
});
afterAll(() => database.close());

const row = (sheet: string, at: number, columns: string) =>
  columns.split('').map((column) => book.value(sheet, `${column}${at}`));
const named = (from: PublishedBook, name: string) => {
  const [sheet = '', place = ''] = (from.names.get(name) ?? '').replaceAll(/['$]/g, '').split('!');
  return from.value(sheet, place);
};
const target = (formula: string | undefined): string =>
  /^HYPERLINK\("([^"]*)",/.exec(formula ?? '')?.[1] ?? '';

describe('VCH: the sheet of vouchers', () => {
  test('the states add up to all, by orders, files and amounts, as formulas with their values', () => {
    expect([3, 4, 5, 6].map((at) => row('凭证', at, 'ABCDEFGHI'))).toEqual([
      [undefined, '全部', '已归档', '无法读取', '缺失', '已停止查询', '尚未查询', '平台不提供', '是否相符'],
      ['订单数', 10, 5, 1, 1, 1, 1, 1, '相符'],
      ['份数', 7, 6, 1, 0, 0, 0, 0, '相符'],
      ['金额', 487, 207, 30, 40, 60, 50, 100, '相符'],
    ]);
    expect(book.cell('凭证', 'E4')?.formula).toBe(
      `COUNTIFS('凭证'!$J$8:$J$10,"缺失",'凭证'!$L$8:$L$10,">=0")` +
        `+COUNTIFS('凭证'!$J$14:$J$21,"缺失",'凭证'!$L$14:$L$21,">=0")`,
    );
    expect(book.cell('凭证', 'C6')?.formula).toContain('SUMIFS(');
  });

  test('they are as many as the tables have', async () => {
    const { rows } = await database.db
      .selectFrom('voucher')
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .where('condition', '<>', 'rejected')
      .execute()
      .then((counted) => ({ rows: counted.map(({ count }) => Number(count)) }));
    expect(rows).toEqual([book.value('凭证', 'B5')]);
  });

  test('what is missing stands first, with the day since when; none of it has an original', () => {
    expect([8, 9, 10].map((at) => row('凭证', at, 'ABDEFIJKLMN'))).toEqual([
      [1, A, '充值', undefined, 'D4', 40, '缺失', 46_083, 0, undefined, undefined],
      [1, A, '充值', undefined, 'D5', 50, '尚未查询', undefined, 0, undefined, undefined],
      [1, A, '充值', undefined, 'D6', 60, '已停止查询', 46_052, 0, undefined, undefined],
    ]);
    expect(row('凭证', 8, 'PQ')).toEqual(['第 1 版 第 2 册 第 5 页', undefined]);
    expect(row('凭证', 10, 'PQ')).toEqual([undefined, '平台的应答没有文件']);
  });

  test('then what cannot be read, and every file of every other order once', () => {
    const rows = Array.from({ length: 8 }, (_, at) => row('凭证', 14 + at, 'BDEFIJLMO'));
    expect(rows).toEqual([
      [A, '充值', undefined, 'D3', 30, '无法读取', 1, '凭证', undefined],
      [A, '充值', undefined, 'D1', 10, '已归档', 1, '凭证', 1],
      [A, '充值', undefined, 'D2', 20, '已归档', 2, '凭证', 1],
      [A, '充值', undefined, 'D2', undefined, '已归档', undefined, '凭证', 1],
      [A, '划付', 'T1', 'N-T1', 100, '已归档', 1, '凭证', 1],
      [A, '提现', 'W1', 'N-W1', 7, '已归档', 1, '凭证', 1],
      [A, '充值', undefined, HOSTILE, 70, '已归档', 1, '凭证', 1],
      [B, '结算', 'T1', 'N-T1', 100, '平台不提供', 0, undefined, undefined],
    ]);
    expect(columnValues(book, { sheet: '凭证', column: 'Q', from: 14, to: 21 })).toEqual([
      '文件已加密',
      '与划付 T1 的文件相同',
      undefined,
      undefined,
      '与充值 D1 的文件相同',
      undefined,
      undefined,
      '平台拒绝：404 unknown',
    ]);
    expect(book.value('凭证', 'N15')).toBe(digestOf('one'));
    expect(columnValues(book, { sheet: '凭证', column: 'P', from: 15, to: 18 })).toEqual([
      '第 1 版 第 1 册 第 3 页',
      '第 1 版 第 1 册 第 4 页',
      '第 1 版 第 2 册 第 2 页',
      undefined,
    ]);
  });

  test('every link leads from the workbook’s folder to a file that is there', async () => {
    const formulas = ['凭证', '充值', '划付', '提现']
      .flatMap((sheet) => [...book.sheet(sheet).cells.values()])
      .map(({ formula }) => formula)
      .filter((formula) => formula?.startsWith('HYPERLINK(') === true);
    expect(formulas).toHaveLength(7 + 4 + 3 + 2 + 1);
    for (const formula of formulas) {
      expect(target(formula)).toMatch(/^\.\.\/\.\.\/\.\.\/(?:vouchers|bundles)\//);
      expect((await stat(path.resolve(workbookFolder, target(formula)))).isFile()).toBe(true);
    }
    expect(target(book.cell('凭证', 'M15')?.formula)).toBe(
      `../../../vouchers/${digestOf('one').slice(0, 2)}/${digestOf('one')}.pdf`,
    );
    expect(target(book.cell('凭证', 'P17')?.formula)).toBe(
      `../../../bundles/2026-03/${A}/vouchers-${A}-2026-03-part02.pdf`,
    );
  });

  test('S6: what comes from outside is text', () => {
    expect(book.cell('凭证', 'F20')).toMatchObject({ type: 'inlineStr', value: HOSTILE, formula: undefined });
    expect(book.cell('凭证', 'H8')).toMatchObject({
      type: 'inlineStr',
      value: '@SUM(A1:A9)',
      formula: undefined,
    });
    const formulas = [...book.sheet('凭证').cells.values()].map(({ formula }) => formula ?? '');
    expect(formulas.filter((formula) => formula.includes('evil'))).toEqual([]);
  });
});

describe('VCH: the summary and the sheets of records', () => {
  test('the missing on the summary are those of the sheet, and that ties out', () => {
    expect(named(book, 'recon_vouchers_missing')).toBe(1);
    expect(named(book, 'recon_tie_vouchers')).toBe('相符');
    const [, place = ''] = (book.names.get('recon_tie_vouchers') ?? '').split('!');
    expect(book.cell('汇总', place.replaceAll('$', ''))?.formula).toBe(
      `IF(AND('凭证'!$I$4="相符",'凭证'!$I$5="相符",'凭证'!$I$6="相符",'凭证'!$B$4=10,'凭证'!$E$4=recon_vouchers_missing),"相符","不符")`,
    );
    const texts = [...book.sheet('汇总').cells.values()].map(({ value }) => value);
    for (const state of ['凭证归档', '已归档', '无法读取', '缺失', '已停止查询', '尚未查询', '平台不提供']) {
      expect(texts).toContain(state);
    }
  });

  test('a deposit links to its original where it has exactly one, else the cell says what there is', () => {
    expect(columnValues(book, { sheet: '充值', column: 'S', from: 6, to: 13 })).toEqual([
      '凭证',
      '凭证',
      '2 份',
      '无法读取',
      '缺失，自 2026-03-02',
      '尚未查询',
      '已停止查询，自 2026-01-30',
      '凭证',
    ]);
    expect(target(book.cell('充值', 'S7')?.formula)).toContain(digestOf('one'));
    expect(target(book.cell('充值', 'S9')?.formula)).toContain(digestOf('four'));
    expect(book.cell('充值', 'S8')).toMatchObject({ type: 'inlineStr', formula: undefined });
  });

  test('transfers on both sides, settlements and withdrawals have theirs, what failed has none', () => {
    const cells = [9, 10, 11, 12, 13].map((at) => [...row('划付', at, 'BDE'), book.value('划付', `AD${at}`)]);
    expect(cells).toEqual([
      [A, 'T1', '划付', '凭证'],
      [A, 'T2', '划付', undefined],
      [B, 'T1', '划付', '凭证'],
      [B, 'T1', '结算', '平台不提供'],
      [B, 'T2', '划付', undefined],
    ]);
    expect(row('提现', 7, 'DW')).toEqual(['W1', '凭证']);
  });
});

test('invariant 20: the workbook stays what it was after the next night filed, bundled and found more', async () => {
  await books.nextNight();
  const again = await publish(database.db, { runId: RUN, path: path.join(workbookFolder, 'again.xlsx') });
  for (const { name } of again.published.sheets) {
    expect([...again.sheet(name).cells]).toEqual([...book.sheet(name).cells]);
  }
});

describe('in English', () => {
  let english: PublishedBook;
  beforeAll(async () => {
    const file = path.join(workbookFolder, 'english.xlsx');
    english = await publish(database.db, { runId: RUN, path: file, locale: 'en', companyName: '' });
  });

  test('every label of the sheet and of the links is', () => {
    const texts = [...english.sheet('Vouchers').cells.values()].map(({ value }) => String(value));
    expect(texts.filter((text) => /[\u4e00-\u9fff]/.test(text) && !text.includes('沙箱平台'))).toEqual([]);
    expect(['J8', 'J10', 'P8', 'Q14', 'Q15'].map((at) => english.value('Vouchers', at))).toEqual([
      'Missing',
      'Given up',
      'version 1, part 2, page 5',
      'encrypted',
      'the same file as that of Transfer T1',
    ]);
    expect(columnValues(english, { sheet: 'Deposits', column: 'S', from: 7, to: 10 })).toEqual([
      'Voucher',
      '2 files',
      'Unreadable',
      'Missing since 2026-03-02',
    ]);
  });
});

describe('H13: a list of vouchers too long for the main workbook', () => {
  test('stands in a workbook of its own, whose links lead on, and still ties out', async () => {
    const file = path.join(workbookFolder, 'long.xlsx');
    const limits = { detailRows: 8, sheetRows: 1_000 };
    const long = await publish(database.db, { runId: RUN, path: file, limits });
    const ownFile = path.join(workbookFolder, 'long-vouchers.xlsx');
    expect(long.published.paths).toContain(ownFile);
    expect(long.value('凭证', 'A8')).toBe('共 11 行，超过 8 行，明细见文件 long-vouchers.xlsx');
    expect(long.cell('凭证', 'E4')).toMatchObject({ value: 1, formula: undefined });
    expect(named(long, 'recon_tie_vouchers')).toBe('相符');
    const own = await openBook(ownFile);
    expect(['B4', 'C4', 'B5', 'C5', 'B6', 'C6'].map((at) => own.value('核对', at))).toEqual([
      11,
      487,
      11,
      487,
      '相符',
      '相符',
    ]);
    expect(target(own.cell('凭证', 'M15')?.formula)).toContain(digestOf('one'));
  });
});

test('a run that archived none says so in one line, on its sheet and on the summary', async () => {
  const facts = JSON.stringify({ vouchers: null });
  await saveRunFacts(database.db, RUN, facts);
  const off = await publish(database.db, { runId: RUN, path: path.join(workbookFolder, 'off.xlsx') });
  expect(off.value('凭证', 'A8')).toBe('本次运行没有归档凭证。');
  expect(off.sheet('凭证').rows).toBe(8);
  expect([...off.sheet('汇总').cells.values()].map(({ value }) => value)).toContain('本次运行没有归档凭证。');
  expect(named(off, 'recon_tie_vouchers')).toBe('相符');
  expect(columnValues(off, { sheet: '充值', column: 'S', from: 7, to: 13 })).toEqual(
    Array(7).fill(undefined),
  );
});
