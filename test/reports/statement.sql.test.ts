import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { aFinding, aRun, aRunAccount } from '../helpers/company/run-rows.ts';
import { findAll } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish, statementOf } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ACCOUNTS, RUN, aSampleRun } from './sample-run.ts';

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

describe('the statement of an account', () => {
  test('has every item on one of four pure lines, errors on lines of their own, and the rest as the difference', () => {
    expect(statementOf(book, { sheet: '余额调节表', accountNo: ACCOUNTS[0] })).toEqual([
      [`1  ${ACCOUNTS[0]}  示例甲公司备付金账户`, '平台余额来源: 实测', '存在差异'],
      ['期初（上期结转）：企业账', 750, '期初（上期结转）：平台', 801],
      ['日期', '编号', '对方', '金额', '日期', '编号', '对方', '金额'],
      ['企业账面余额', 1_000, '平台余额', 1_076.34],
      ['加：平台已收企业未收', 70, '加：企业已收平台未收', 10],
      [46_082, 'D-0002', 50, 46_082, 'PZ-0009', 10],
      [46_082, 'D-0005', 20],
      ['减：平台已付企业未付', 0, '减：企业已付平台未付', 7],
      [46_082, 'W-0001', 7],
      ['调整：金额不符', -3],
      [46_082, 'D-0003', -3],
      ['调整：状态不符', 1],
      [46_082, 'D-B-moved', 1],
      ['调节后企业账面余额', 1_068, '调节后平台余额', 1_079.34],
      ['调节后差额（平台 − 企业账）', 11.34, '左右是否相符', '不符'],
      ['其中：本期余额不明差异', 12.34, '其中：期初差异', -1],
      ['差额是否等于两项之和', '相符'],
    ]);
  });

  test('is made of live formulas over the lists; accounts are told apart by their index, not by their digits', () => {
    const formulas = [...book.sheet('余额调节表').cells.values()].map(({ formula }) => formula);
    expect(formulas).toContain(
      `ROUND(SUMIFS('未达账项'!$I$7:$I$9,'未达账项'!$A$7:$A$9,1,'未达账项'!$E$7:$E$9,"平台已收企业未收")` +
        `+SUMIFS('差异'!$G$6:$G$11,'差异'!$O$6:$O$11,1,'差异'!$N$6:$N$11,"平台已收企业未收"),2)`,
    );
  });

  test('what the platform paid and the books lack lessens the books', () => {
    const rows = statementOf(book, { sheet: '余额调节表', accountNo: ACCOUNTS[3] });
    expect(rows.slice(6, 9)).toEqual([
      [46_082, 'W-0002', 30],
      ['调节后企业账面余额', 970, '调节后平台余额', 970],
      ['调节后差额（平台 − 企业账）', 0, '左右是否相符', '相符'],
    ]);
  });

  test('a balance the platform does not state is words and never zero', () => {
    const rows = statementOf(book, { sheet: '余额调节表', accountNo: ACCOUNTS[2] });
    expect(rows[3]?.slice(2)).toEqual(['平台余额', '平台未提供余额']);
    expect(rows[7]).toEqual(['调节后差额（平台 − 企业账）', '无法核对', '左右是否相符', '无法核对']);
    expect(row('余额滚动', 9, 'KLVY')).toEqual(['平台未提供余额', '无法核对', '无法核对', '无法核对']);
  });

  test('is signed on the page it stands on', () => {
    const signed = [...book.sheet('余额调节表').cells].filter(([, { value }]) => value === '编制');
    expect(signed).toHaveLength(4);
    const [first] = signed;
    const at = Number(first?.[0].slice(1));
    expect(row('余额调节表', at, 'ACFH')).toEqual(['编制', '日期', '复核', '日期']);
  });

  test('counts the accounts whose sides differ and those whose difference nobody accounts for', () => {
    expect(row('余额调节表', 3, 'AD')).toEqual(['左右不符的账户数', 1]);
    expect(row('余额调节表', 4, 'AD')).toEqual(['差额未被说明的账户数', 0]);
    expect(book.names.get('recon_statement_unexplained')).toBe("'余额调节表'!$D$4");
  });

  test('turns red where a check fails', () => {
    const rules = findAll(book.sheet('余额调节表').part, 'conditionalFormatting').map((rule) =>
      rule.attributes.get('sqref')?.replace(/\d+$/, ''),
    );
    expect(rules).toEqual(['D6:D', 'I6:I', 'D3:D']);
  });
});

describe('the order of the statements', () => {
  const heads = (of: PublishedBook): unknown[] =>
    [...of.sheet('余额调节表').cells]
      .filter(([place, { value }]) => /^A\d+$/.test(place) && /^\d {2}/.test(String(value)))
      .map(([, { value }]) => String(value).charAt(0));

  test('accounts that need somebody come first, the worst before the others; the reconciled are a row each', () => {
    expect(heads(book)).toEqual(['5', '3', '1', '4']);
    const title = [...book.sheet('余额调节表').cells].find(([, { value }]) => value === '已对平账户（1 个）');
    const at = Number(title?.[0].slice(1));
    expect(row('余额调节表', at + 2, 'ABCDFHI')).toEqual([
      2,
      ACCOUNTS[1],
      '乙',
      1_234_568_890.12,
      '已对平',
      1_234_568_890.12,
      0,
    ]);
  });

  test('all have a statement of their own where that is asked for', async () => {
    const all = await publish(database.db, {
      runId: RUN,
      path: folder.path('all.xlsx'),
      allStatements: true,
    });
    expect(heads(all)).toEqual(['5', '3', '1', '4', '2']);
    expect(row('余额调节表', 3, 'D')).toEqual([1]);
  });

  test('items beyond what a page shows are one row with what remains of the sum', async () => {
    const run = 'nightly-2026-03-05-v1';
    const accountNo = ACCOUNTS[1];
    const { db } = database;
    await aRun(db, { run_id: run, from_day: '2026-03-05', to_day: '2026-03-05', verdict: 'breaks' });
    await aRunAccount(db, { run_id: run, account_no: accountNo, verdict: 'breaks' });
    for (let n = 0; n < 65; n += 1) {
      await aFinding(db, { run_id: run, account_no: accountNo, break_id: `B-many${n}` });
    }
    const many = await publish(db, { runId: run, path: folder.path('many.xlsx') });
    const rows = statementOf(many, { sheet: '余额调节表', accountNo });
    expect(rows[4]).toEqual(['加：平台已收企业未收', 650, '加：企业已收平台未收', 0]);
    expect(rows[65]).toEqual(['其余 5 笔，见“未达账项”表和“差异”表', 50]);
    expect(many.cell('余额调节表', 'D71')?.formula).toBe('ROUND(D10-SUM(D11:D70),2)');
  });
});

describe('the roll-forward', () => {
  test('shows both sides of an account in one row, each adding up', () => {
    expect(row('余额滚动', 7, 'ABDEFGHIJKL')).toEqual([
      1,
      ACCOUNTS[0],
      '存在差异',
      '实测',
      801,
      300,
      30,
      7,
      1_064,
      1_076.34,
      12.34,
    ]);
    expect(row('余额滚动', 7, 'MNOPQRVWXY')).toEqual([750, 260, 5, 5, 1_000, 1_000, 76.34, 65, -1, '相符']);
    const formula = (address: string) => book.cell('余额滚动', address)?.formula;
    expect(formula('J7')).toBe('ROUND(F7+G7-H7-I7,2)');
    expect(formula('Q7')).toBe('ROUND(M7+N7-O7-P7,2)');
    expect(formula('Y7')).toBe('IF(AND(ROUND(V7-W7-X7-L7,2)=0,ROUND(R7-Q7,2)=0),"相符","不符")');
  });

  test('adds up what is stated', () => {
    expect(row('余额滚动', 12, 'BFKLRW')).toEqual([
      '合计',
      4_801,
      1_234_571_936.46,
      12.34,
      1_234_572_890.12,
      35,
    ]);
    expect(book.cell('余额滚动', 'K12')?.formula).toBe('ROUND(SUM(K7:K11),2)');
  });
});
