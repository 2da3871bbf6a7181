import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { findAll } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish } from './publish.ts';
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

describe('the statement of an account', () => {
  test('has four pure timing lines, errors on lines of their own, and the rest as the difference', () => {
    const statement = Array.from({ length: 10 }, (_, at) => row('余额调节表', 6 + at, 'ABDE'));
    expect(statement).toEqual([
      [`1  ${ACCOUNTS[0]}  示例甲公司备付金账户`, undefined, '平台余额来源: 实测', '存在差异'],
      ['企业账面余额', 1_000, '平台余额', 1_076.34],
      ['加：平台已收企业未收', 70, '加：企业已收平台未收', 10],
      ['减：平台已付企业未付', 0, '减：企业已付平台未付', 7],
      ['调整：金额不符', -3, undefined, undefined],
      ['调整：状态不符', 1, undefined, undefined],
      ['调节后企业账面余额', 1_068, '调节后平台余额', 1_079.34],
      ['差额（平台 − 企业账）', 11.34, '左右是否相符', false],
      ['其中：本期余额不明差异', 12.34, '其中：期初差异', -1],
      ['差额是否等于两项之和', true, undefined, undefined],
    ]);
  });

  test('is made of live formulas over the lists; accounts are told apart by their index, not by their digits', () => {
    const formula = (address: string) => book.cell('余额调节表', address)?.formula;
    expect(formula('B8')).toBe(
      `ROUND(SUMIFS('未达账项'!$H$7:$H$9,'未达账项'!$A$7:$A$9,1,'未达账项'!$D$7:$D$9,"平台已收企业未收")` +
        `+SUMIFS('差异'!$M$6:$M$11,'差异'!$A$6:$A$11,1,'差异'!$D$6:$D$11,"平台已收企业未收"),2)`,
    );
    expect(formula('B12')).toBe('ROUND(B7+B8-B9+SUM(B10:B11),2)');
    expect(formula('E12')).toBe('ROUND(E7+E8-E9,2)');
    expect(formula('E13')).toBe('ROUND(B12-E12,2)=0');
    expect(formula('B15')).toBe('ROUND(B13-SUM(B14,E14),2)=0');
  });

  test('what the platform paid and the books lack lessens the books', () => {
    expect(row('余额调节表', 38, 'AB')).toEqual(['减：平台已付企业未付', 30]);
    expect(row('余额调节表', 39, 'ABDE')).toEqual(['调节后企业账面余额', 970, '调节后平台余额', 970]);
    expect(book.value('余额调节表', 'E40')).toBe(true);
  });

  test('a balance the platform does not state is words and never zero', () => {
    expect(row('余额调节表', 27, 'DE')).toEqual(['平台余额', '平台未提供余额']);
    expect(row('余额调节表', 31, 'ABDE')).toEqual([
      '差额（平台 − 企业账）',
      '无法核对',
      '左右是否相符',
      '无法核对',
    ]);
    expect(row('余额滚动', 9, 'JKUX')).toEqual(['平台未提供余额', '无法核对', '无法核对', '无法核对']);
  });

  test('counts the accounts whose sides differ and those whose difference nobody accounts for', () => {
    expect(row('余额调节表', 3, 'AB')).toEqual(['左右不符的账户数', 1]);
    expect(row('余额调节表', 4, 'AB')).toEqual(['差额未被说明的账户数', 0]);
    expect(book.names.get('recon_statement_unexplained')).toBe("'余额调节表'!$B$4");
  });

  test('turns red where a check fails', () => {
    const rules = findAll(book.sheet('余额调节表').part, 'conditionalFormatting').map((rule) =>
      rule.attributes.get('sqref'),
    );
    expect(rules).toEqual(['B6:B53', 'E6:E53', 'B3:B4']);
  });
});

describe('the roll-forward', () => {
  test('shows both sides of an account in one row, each adding up', () => {
    expect(row('余额滚动', 7, 'ABCDEFGHIJK')).toEqual([
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
    expect(row('余额滚动', 7, 'LMNOPQUVWX')).toEqual([750, 260, 5, 5, 1_000, 1_000, 76.34, 65, -1, true]);
    const formula = (address: string) => book.cell('余额滚动', address)?.formula;
    expect(formula('I7')).toBe('ROUND(E7+F7-G7-H7,2)');
    expect(formula('P7')).toBe('ROUND(L7+M7-N7-O7,2)');
    expect(formula('X7')).toBe('AND(ROUND(U7-V7-W7-K7,2)=0,ROUND(Q7-P7,2)=0)');
  });

  test('adds up what is stated', () => {
    expect(row('余额滚动', 12, 'BEJKQV')).toEqual([
      '合计',
      4_801,
      1_234_571_936.46,
      12.34,
      1_234_572_890.12,
      35,
    ]);
    expect(book.cell('余额滚动', 'J12')?.formula).toBe('ROUND(SUM(J7:J11),2)');
  });
});
