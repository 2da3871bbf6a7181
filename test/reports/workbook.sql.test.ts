import ExcelJS from 'exceljs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { findAll } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, publish, statementOf } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ACCOUNTS, aSampleRun } from './sample-run.ts';

const folder = await testFolder();
let database: TestDatabase;
let runId: string;
let book: PublishedBook;

beforeAll(async () => {
  database = await testDatabase();
  runId = await aSampleRun(database.db);
  book = await publish(database.db, { runId, path: folder.path('sample.xlsx') });
});
afterAll(() => database.close());

const SHEETS = [
  '汇总',
  '余额调节表',
  '余额滚动',
  '未达账项',
  '差异',
  '对冲',
  '调整',
  '充值',
  '划付',
  '提现',
  '结算重试',
  '凭证',
  '前期变动',
  '运行日志',
];

describe('the workbook of a run', () => {
  test('has its sheets in the order of the book, with the rows of each list', () => {
    expect(book.published.sheets.map(({ name, rows }) => [name, rows])).toEqual([
      ['汇总', 0],
      ['余额调节表', 5],
      ['余额滚动', 5],
      ['未达账项', 4],
      ['差异', 7],
      ['对冲', 1],
      ['调整', 0],
      ['充值', 6],
      ['划付', 0],
      ['提现', 0],
      ['结算重试', 0],
      ['凭证', 0],
      ['前期变动', 0],
      ['运行日志', expect.any(Number)],
    ]);
    expect(book.published.paths).toEqual([folder.path('sample.xlsx')]);
  });

  test('says the verdict in words and in colour, and beside it how much of what', () => {
    expect(book.value('汇总', 'A3')).toBe('结论：数据不完整');
    expect(book.value('汇总', 'A5')).toBe('账户 5 个 · 差异 6 笔（总额 77.34 元） · 未达账项 3 笔');
    expect(book.names.get('recon_verdict')).toBe("'汇总'!$A$3");
    const tabs = SHEETS.map((name) => findAll(book.sheet(name).part, 'tabColor')[0]?.attributes.get('rgb'));
    expect(tabs).toEqual([
      'FF404040',
      'FF404040',
      'FF404040',
      'FFFFC000',
      'FFC00000',
      'FFFFC000',
      'FF00B050',
      'FF404040',
      'FF404040',
      'FF404040',
      'FF00B050',
      'FF808080',
      'FF00B050',
      'FF404040',
    ]);
  });

  test('names company, platform, period, version and what it supersedes', () => {
    expect(columnValues(book, { sheet: '汇总', column: 'B', from: 8, to: 11 })).toEqual([
      '示例科技有限公司',
      '每日对账',
      'nightly-2026-03-01-v2',
      '单位：人民币元',
    ]);
    expect([book.value('汇总', 'G8'), book.value('汇总', 'E9'), book.value('汇总', 'G9')]).toEqual([
      '2026-03-01',
      '第 2 版',
      'nightly-2026-03-01-v1',
    ]);
  });

  test('counts accounts by verdict and breaks by class with gross and net, as formulas over the lists', () => {
    expect(columnValues(book, { sheet: '汇总', column: 'B', from: 15, to: 19 })).toEqual([1, 1, 1, 1, 1]);
    expect(book.cell('汇总', 'B17')?.formula).toBe(`COUNTIFS('余额滚动'!$D$7:$D$11,"存在差异")`);
    const row = (at: number) => ['A', 'B', 'C', 'D'].map((column) => book.value('汇总', `${column}${at}`));
    expect([28, 29, 30, 31, 32, 33, 34].map(row)).toEqual([
      ['金额不符', 1, 3, -3],
      ['企业有平台无', 1, 10, -10],
      ['期初差异', 1, 1, -1],
      ['平台有企业无', 1, 50, 50],
      ['状态不符', 1, 1, 1],
      ['余额不明差异', 1, 12.34, 12.34],
      ['合计', 6, 77.34, 49.34],
    ]);
    expect(book.cell('汇总', 'D28')?.formula).toBe(
      `ROUND(SUMIFS('差异'!$G$6:$G$11,'差异'!$E$6:$E$11,"金额不符"),2)`,
    );
    expect(book.names.get('recon_breaks_net')).toBe("'汇总'!$D$34");
  });

  test('proves the extraction: windows, pages, records, gaps, what overlap days held twice', () => {
    expect(columnValues(book, { sheet: '汇总', column: 'G', from: 14, to: 21 })).toEqual([
      5, 4, 13, 4, 6, 4, 1, 0,
    ]);
    expect(book.names.get('recon_gaps')).toBe("'汇总'!$G$20");
  });

  test('ties out: every identity holds but the one that the unread window breaks', () => {
    const cells = columnValues(book, { sheet: '汇总', column: 'D', from: 63, to: 71 });
    expect(cells).toEqual(['相符', '相符', '相符', '相符', '相符', '相符', '相符', '相符', '不符']);
    expect(book.names.get('recon_tie_lines')).toBe("'汇总'!$D$64");
    expect(book.cell('汇总', 'D71')?.formula).toBe(
      'IF(AND(recon_gaps=0,recon_overlaps=0,recon_windows=recon_windows_verified),"相符","不符")',
    );
  });

  test('lists the files read with their digests, and how many assumptions are in force', () => {
    expect(['A76', 'B76', 'C76', 'E76', 'I76'].map((at) => book.value('汇总', at))).toEqual([
      '企业账',
      'erp',
      3,
      'ledger 2026-03.xlsx',
      'd'.repeat(64),
    ]);
    expect(book.value('汇总', 'A79')).toBe(
      '平台参数 2 项（其中 1 项不同于默认值），账户假设 2 项；清单见“运行日志”表。',
    );
  });

  test('prints the perspective and leaves room to sign', () => {
    expect(book.value('汇总', 'A82')).toBe('差额 = 平台 − 企业账；正数 = 平台多');
    expect(['A87', 'D87', 'G87'].map((at) => book.value('汇总', at))).toEqual(['编制', '复核', '日期']);
  });

  test('shows the accounts that are not reconciled, the worst first', () => {
    expect(columnValues(book, { sheet: '汇总', column: 'A', from: 47, to: 50 })).toEqual([
      ACCOUNTS[4],
      `${ACCOUNTS[2]}\n丙有限公司`,
      `${ACCOUNTS[0]}\n示例甲公司备付金账户`,
      `${ACCOUNTS[3]}\n丁 & <Co>`,
    ]);
    expect(book.value('汇总', 'I47')).toBe('有充值区间未能完整读取（1）');
  });

  test('every cell of money, time and text is what it looks like', () => {
    const format = (sheet: string, address: string) => book.formats[book.cell(sheet, address)?.style ?? -1];
    expect(format('充值', 'F7')).toBe('#,##0.00;[Red]-#,##0.00');
    expect(format('充值', 'D7')).toBe('@');
    expect(book.cell('充值', 'B7')).toMatchObject({ type: 'inlineStr', value: ACCOUNTS[0] });
    expect(format('充值', 'E10')).toBe('yyyy-mm-dd hh:mm:ss');
    expect(book.value('充值', 'E10')).toBe(46_082.9999884259);
    expect(book.cell('充值', 'J11')).toMatchObject({
      type: 'inlineStr',
      value: '=HYPERLINK("http://x")',
      formula: undefined,
    });
    expect(book.cell('充值', 'F11')).toMatchObject({ type: 'n', value: 1_234_567_890.12 });
  });

  test('has no formula but ours, and each comes with a value', () => {
    const formulas = SHEETS.flatMap((name) => [...book.sheet(name).cells.values()]).filter(
      (cell) => cell.formula !== undefined,
    );
    expect(formulas.length).toBeGreaterThan(100);
    expect(formulas.filter((cell) => cell.value === undefined)).toEqual([]);
    expect(formulas.filter((cell) => /HYPERLINK|http/.test(cell.formula ?? ''))).toEqual([]);
  });

  test('opens in another library with the same cells', async () => {
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.readFile(folder.path('sample.xlsx'));
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(SHEETS);
    expect(workbook.getWorksheet('充值')?.getCell('D7').value).toBe('D-0001');
    expect(workbook.getWorksheet('余额调节表')?.getCell('D3').result).toBe(1);
  });

  test('invariant 20: the same run gives the same file, byte for byte', async () => {
    await publish(database.db, { runId, path: folder.path('again.xlsx') });
    expect(await readFile(folder.path('again.xlsx'))).toEqual(await readFile(folder.path('sample.xlsx')));
  });

  test('a run nobody knows is said', async () => {
    await expect(publish(database.db, { runId: 'nothing', path: folder.path('no.xlsx') })).rejects.toThrow(
      'there is no run nothing',
    );
  });
});

describe('in English', () => {
  test('every sheet, label and class is', async () => {
    const english = await publish(database.db, {
      runId,
      path: folder.path('en.xlsx'),
      locale: 'en',
      companyName: '',
    });
    expect(english.published.sheets.map(({ name }) => name)).toEqual([
      'Summary',
      'Reconciliation',
      'Roll-forward',
      'Open items',
      'Breaks',
      'Offsetting',
      'Write-offs',
      'Deposits',
      'Transfers',
      'Withdrawals',
      'Settlements',
      'Vouchers',
      'Prior-period changes',
      'Run',
    ]);
    expect(english.value('Summary', 'A3')).toBe('Verdict: Incomplete data');
    const statement = statementOf(english, { sheet: 'Reconciliation', accountNo: ACCOUNTS[0] });
    expect(statement[4]?.slice(0, 2)).toEqual(['Add: received by platform, not in ledger', 70]);
    const own = /[\u4e00-\u9fff]/;
    const headers = ['Open items', 'Breaks', 'Deposits'].flatMap((name) =>
      [...english.sheet(name).cells]
        .filter(([address]) => (name === 'Breaks' ? /^[A-Z]+5$/ : /^[A-Z]+6$/).test(address))
        .map(([, cell]) => cell.value),
    );
    expect(headers.filter((text) => own.test(String(text)))).toEqual([]);
  });
});
