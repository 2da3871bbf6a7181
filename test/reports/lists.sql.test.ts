import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { findAll } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ACCOUNTS, aSampleRun } from './sample-run.ts';

const folder = await testFolder();
let database: TestDatabase;
let book: PublishedBook;

beforeAll(async () => {
  database = await testDatabase();
  const runId = await aSampleRun(database.db);
  book = await publish(database.db, { runId, path: folder.path('sample.xlsx') });
});
afterAll(() => database.close());

const row = (sheet: string, at: number, columns: string) =>
  columns.split('').map((column) => book.value(sheet, `${column}${at}`));
const attribute = (sheet: string, element: string, name: string) =>
  findAll(book.sheet(sheet).part, element).map(({ attributes }) => attributes.get(name));

describe('open items', () => {
  test('open = previous + new − cleared − moved + changed, by count and by difference', () => {
    expect(row('未达账项', 4, 'ABCDEFGH')).toEqual(['笔数', 3, 2, 1, 1, 0, 3, '相符']);
    expect(row('未达账项', 5, 'ABCDEFGH')).toEqual(['差额', 65, -23, 45, 1, 1, -3, '相符']);
    expect(book.cell('未达账项', 'G4')?.formula).toBe(`COUNTA('未达账项'!$T$7:$T$9)`);
  });

  test('carry class, line, date, amount, age, bucket and the day they should have cleared by', () => {
    expect(row('未达账项', 7, 'ABDEFHIJKLMNT')).toEqual([
      1,
      ACCOUNTS[0],
      '跨日入账',
      '平台已收企业未收',
      'D-0005',
      20,
      20,
      46_080,
      2,
      '2–7 天',
      46_083,
      '前期结转',
      'B-carried',
    ]);
    expect(row('未达账项', 8, 'DEHILN')).toEqual(['待处理', '企业已付平台未付', -7, 7, '0–1 天', '本期新增']);
  });

  test('cleared since the run before stand below with the day and what cleared them', () => {
    expect(row('未达账项', 11, 'A')).toEqual(['本期已核销的前期未达账项']);
    expect(row('未达账项', 13, 'BINOPT')).toEqual([
      ACCOUNTS[3],
      45,
      '已核销',
      46_082,
      'PZ-0301-007',
      'B-cleared',
    ]);
  });
});

describe('breaks', () => {
  test('stand above what only needs attention, each in its own block', () => {
    expect(columnValues(book, { sheet: '差异', column: 'A', from: 6, to: 15 })).toEqual([
      'B-opening',
      'B-moved',
      'B-amount',
      'B-ledger',
      'B-only',
      'B-unexplained',
      undefined,
      '需关注事项（不影响余额）',
      '差异编号',
      'B-voucher',
    ]);
    expect(book.value('差异', 'A13')).toBe('需关注事项（不影响余额）');
    expect(row('差异', 4, 'CDFG')).toEqual([6, 77.34, 49.34, 38]);
  });

  test('show both sides, the difference and the line of the statement', () => {
    expect(row('差异', 8, 'ENQRUVGH')).toEqual(['金额不符', '金额不符', 'D-0003', 97, 'PZ-0003', 100, -3, 0]);
    expect(row('差异', 9, 'ENPRUVWG')).toEqual([
      '企业有平台无',
      '企业已收平台未收',
      'D-0009',
      undefined,
      'PZ-0009',
      10,
      '已过账',
      -10,
    ]);
    expect(row('差异', 11, 'ENPG')).toEqual(['余额不明差异', '不计入调节', ACCOUNTS[0], 12.34]);
  });

  test('S6: personal numbers in free text are masked', () => {
    expect(book.value('差异', 'F8')).toContain('。payer ****0123 called 138****5678');
  });

  test('have columns for the accountant, two of them to choose from', () => {
    expect(row('差异', 5, 'IJKLM')).toEqual(['处理状态', '负责人', '原因', '备注', '建议处理']);
    expect(row('差异', 6, 'IJKLM')).toEqual(['未处理', undefined, undefined, undefined, undefined]);
    expect(attribute('差异', 'dataValidation', 'sqref')).toEqual(['I15:I15', 'I6:I11', 'M15:M15', 'M6:M11']);
    expect(findAll(book.sheet('差异').part, 'formula1')[1]?.children).toEqual([
      // What a file may say, and what to put back: nobody writes off by choosing a word (汇总 counts it as done).
      '"未处理,处理中,已说明,已解决"',
    ]);
  });

  test('the filter covers the breaks and nothing below them', () => {
    expect(attribute('差异', 'autoFilter', 'ref')).toEqual(['A5:AB11']);
  });
});

describe('deposits', () => {
  test('matched + breaks + timing + not compared = all', () => {
    expect(row('充值', 4, 'ABCDEFG')).toEqual(['笔数', 6, 2, 2, 1, 1, '相符']);
    expect(row('充值', 5, 'ABCDEFG')).toEqual([
      '充值金额',
      1_234_568_210.13,
      1_234_568_043.12,
      147,
      20,
      0.01,
      '相符',
    ]);
    expect(book.cell('充值', 'C4')?.formula).toBe(`COUNTIFS('充值'!$Q$7:$Q$12,"已匹配")`);
  });

  test('show both sides, fee, rule, result; a payer’s bank account is masked', () => {
    expect(row('充值', 7, 'ABDFGHIKLNOPQR')).toEqual([
      1,
      ACCOUNTS[0],
      'D-0001',
      153,
      3,
      '内扣',
      150,
      '****0123',
      'PZ-0001',
      150,
      0,
      '编号一致',
      '已匹配',
      undefined,
    ]);
    expect(row('充值', 9, 'DFLNOQR')).toEqual(['D-0003', 97, 'PZ-0003', 100, -3, '差异', '金额不符']);
    expect(row('充值', 12, 'DQR')).toEqual(['D-0006', '未核对', undefined]);
  });

  test('only those of the period are there: the next day’s first second is not', () => {
    expect(columnValues(book, { sheet: '充值', column: 'D', from: 7, to: 13 })).toEqual([
      'D-0001',
      'D-0002',
      'D-0003',
      'D-0005',
      'D-0004',
      'D-0006',
      undefined,
    ]);
  });
});

describe('the run', () => {
  const log = () => [...book.sheet('运行日志').cells].map(([, cell]) => cell.value);

  test('shows its windows with passes and what failed', () => {
    expect(log()).toContain('total kept changing');
    expect(log().filter((value) => value === '已验证')).toHaveLength(4);
  });

  test('shows its facts by name, durations in seconds, and an unknown one by its path', () => {
    expect(log()).toContain('采集耗时（秒）');
    expect(log()).toContain(12.345);
  });

  test('lists the assumptions on accounts and every value of the profile', () => {
    expect(log()).toContain('企业账没有期初分录，假定期初等于基准余额');
    expect(log()).toContain('期初之前的分录已保留但不计入（12）');
    expect(log()).toContain('deposits.endInclusive');
    expect(log()).toContain('U44');
  });
});

test('every list has its header repeated in print and its pages numbered', () => {
  for (const sheet of ['未达账项', '差异', '充值']) {
    expect(findAll(book.sheet(sheet).part, 'oddFooter')[0]?.children).toEqual(['&C第 &P 页，共 &N 页']);
    expect(attribute(sheet, 'pageSetup', 'orientation')).toEqual(['landscape']);
    expect(attribute(sheet, 'pageSetup', 'paperSize')).toEqual(['9']);
  }
});

test('a list that is wider than a page is read on several', () => {
  const pages = (sheet: string) => attribute(sheet, 'pageSetup', 'fitToWidth');
  expect(['差异', '未达账项', '充值'].map(pages)).toEqual([['1'], ['2'], ['2']]);
});
