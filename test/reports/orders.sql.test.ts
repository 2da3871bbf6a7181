import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ORDER_ACCOUNTS } from './sample-order-run.ts';
import { aSampleOfOrders } from './sample-orders.ts';

const [B1, B2, B3, B4] = ORDER_ACCOUNTS;
const folder = await testFolder();
let database: TestDatabase;
let runId: string;
let book: PublishedBook;

beforeAll(async () => {
  database = await testDatabase();
  runId = await aSampleOfOrders(database.db);
  book = await publish(database.db, { runId, path: folder.path('orders.xlsx') });
});
afterAll(() => database.close());

const row = (sheet: string, at: number, columns: string) =>
  (columns.match(/(?<!^)A[A-C]|[A-Z]/g) ?? []).map((column) => book.value(sheet, `${column}${at}`));

/** A service time as the cell holds it. */
const time = (serial: number): unknown => expect.closeTo(serial, 6);

describe('DIV: transfers, refunds and settlements', () => {
  test('matched + breaks + timing + not compared + not counted = all, for each side, by count and effect', () => {
    expect([3, 4, 5, 6, 7].map((at) => row('划付', at, 'ABCDEFGH'))).toEqual([
      [undefined, '全部', '已匹配', '差异', '未达', '未核对', '未计入', '是否相符'],
      ['付方 · 笔数', 6, 2, 3, 1, 0, 0, '相符'],
      ['付方 · 影响', -11_828.45, -10_123.45, -1_705, 0, 0, 0, '相符'],
      ['收方 · 笔数', 7, 4, 0, 0, 0, 3, '相符'],
      ['收方 · 影响', 1_700, 1_700, 0, 0, 0, 0, '相符'],
    ]);
    expect(book.cell('划付', 'D5')?.formula).toBe(
      `ROUND(SUMIFS('划付'!$V$9:$V$21,'划付'!$F$9:$F$21,"付方",'划付'!$AB$9:$AB$21,"差异"),2)`,
    );
    expect(book.cell('划付', 'H5')?.formula).toBe('IF(ROUND(B5-SUM(C5:G5),2)=0,"相符","不符")');
  });

  test('each account has its rows, by time', () => {
    const rows = Array.from({ length: 14 }, (_, at) => row('划付', 9 + at, 'BDEFRUAB').join(' '));
    expect(rows).toEqual([
      `${B1} =1+1 划付 付方 成功 是 已匹配`,
      `${B1} T1 划付 付方 成功 是 已匹配`,
      `${B1} T2 划付 付方 成功 是 差异`,
      `${B1} T4 划付 付方 失败 否 差异`,
      `${B1} T5 退款 付方 成功 是 差异`,
      `${B1} T3 划付 付方 在途 否 未达`,
      `${B2} T1 划付 收方 成功 是 已匹配`,
      `${B2} T2 划付 收方 成功 是 已匹配`,
      `${B2} T2 结算 收方 失败 否 未计入`,
      `${B2} T4 划付 收方 失败 否 未计入`,
      `${B2} T1 结算 收方 成功 是 已匹配`,
      `${B2} T5 退款 收方 成功 是 已匹配`,
      `${B2} T3 划付 收方 在途 否 未计入`,
      '      ',
    ]);
  });

  test('a fee beside the amount is part of the effect on the account that bears it', () => {
    expect(row('划付', 11, 'ADGHIK')).toEqual([1, 'T2', 'N-T2', 'B1', B1, B2]);
    expect(row('划付', 11, 'OPQSTV')).toEqual([2_000, 5, '外扣', '失败', undefined, -2_005]);
    expect(row('划付', 11, 'WYZAAAC')).toEqual(['E-T2', -2_000, -5, '编号一致', '手续费不符']);
    expect(row('划付', 11, 'MN')).toEqual([time(46_086.4166666), time(46_086.4208333)]);
  });

  test('a fee inside the order lessens what the payee gets; the order shows how its settlement stands', () => {
    expect(row('划付', 15, 'DOPQSVYZ')).toEqual(['T1', 10_000, 30, '内扣', '已结算', 9_970, 9_970, 0]);
    expect(row('划付', 19, 'DEOPQVWYZ')).toEqual([
      'T1',
      '结算',
      9_970,
      undefined,
      undefined,
      -9_970,
      'E-S1',
      -9_970,
      0,
    ]);
  });

  test('REF-10: a refund is a row of its own on either side, with the order it belongs to', () => {
    expect(row('划付', 13, 'DEOTVWZAC')).toEqual([
      'T5',
      '退款',
      300,
      300,
      300,
      undefined,
      300,
      '平台有企业无',
    ]);
    expect(row('划付', 20, 'DEOTVWZ')).toEqual(['T5', '退款', 300, 300, -300, 'E-R5b', 0]);
    expect(row('划付', 13, 'MN')).toEqual([time(46_054.375), time(46_086.6666666)]);
  });

  test('what is in flight or failed has its state and no effect; the books’ entry for it is shown', () => {
    expect(row('划付', 14, 'DNORUVWZAC')).toEqual([
      'T3',
      undefined,
      500,
      '在途',
      '否',
      undefined,
      undefined,
      0,
      '在途',
    ]);
    expect(row('划付', 12, 'DORUVWYZAC')).toEqual([
      'T4',
      700,
      '失败',
      '否',
      undefined,
      'E-T4',
      -700,
      700,
      '状态不符',
    ]);
  });

  test('faults of the order stand beside it: one that went backwards, a settlement that failed', () => {
    expect(row('划付', 10, 'DABAC')).toEqual(['T1', '已匹配', '状态倒退']);
    expect(row('划付', 17, 'DEABAC')).toEqual(['T2', '结算', '未计入', '结算失败']);
  });

  test('S6: numbers from outside are text, whatever they look like', () => {
    for (const [at, value] of [
      ['D9', '=1+1'],
      ['G9', '@N6'],
      ['H9', '-B6'],
      ['K9', '@SUM(A1)'],
      ['W9', '+E-T6'],
    ] as const) {
      expect(book.cell('划付', at)).toMatchObject({ type: 'inlineStr', value, formula: undefined });
    }
  });
});

describe('WDR: withdrawals', () => {
  test('tie out; a fee that another account bears is that account’s row', () => {
    expect([4, 5, 6, 7].map((at) => row('提现', at, 'ABCDEFGH'))).toEqual([
      ['本户 · 笔数', 5, 1, 1, 2, 0, 1, '相符'],
      ['本户 · 影响', 2_000, -1_000, 3_000, 0, 0, 0, '相符'],
      ['费用方 · 笔数', 1, 0, 1, 0, 0, 0, '相符'],
      ['费用方 · 影响', -1, 0, -1, 0, 0, 0, '相符'],
    ]);
    expect(row('提现', 14, 'BDFJKOSUV')).toEqual([
      B4,
      'W1',
      '费用方',
      1_000,
      1,
      -1,
      -1,
      '差异',
      '平台有企业无',
    ]);
  });

  test('show order, state, whether it counts, both sides and what became of it', () => {
    expect(row('提现', 9, 'BDFGJKLMNOPRSTU')).toEqual([
      B2,
      'W1',
      '本户',
      'N-W1',
      1_000,
      1,
      '外扣',
      '成功',
      '是',
      -1_000,
      'E-W1',
      -1_000,
      0,
      '编号一致',
      '已匹配',
    ]);
  });

  test('U49: one that came back is a row of the day it came back', () => {
    expect(row('提现', 12, 'BDMNOPRSUV')).toEqual([
      B3,
      'W2',
      '已退回',
      '是',
      3_000,
      'E-W2',
      -3_000,
      3_000,
      '差异',
      '金额不符',
    ]);
  });

  test('booked at submission is timing; what moved after the cut was in flight at it; failed is not counted', () => {
    expect(row('提现', 10, 'DMNORSUV')).toEqual([
      'W3',
      '在途',
      '否',
      undefined,
      -4_000,
      4_000,
      '未达',
      '待处理',
    ]);
    expect(row('提现', 13, 'DMNOSUV')).toEqual(['W5', '成功', '否', undefined, 0, '未达', '在途']);
    expect(row('提现', 11, 'DMNOSUV')).toEqual([
      'W4',
      '失败',
      '否',
      undefined,
      undefined,
      '未计入',
      undefined,
    ]);
  });
});

test('in English every label is', async () => {
  const english = await publish(database.db, {
    runId,
    path: folder.path('orders-en.xlsx'),
    locale: 'en',
    companyName: '',
  });
  const own = /[\u4e00-\u9fff]/;
  for (const name of ['Transfers', 'Withdrawals']) {
    const texts = [...english.sheet(name).cells.values()].map(({ value }) => String(value));
    expect(texts.filter((text) => own.test(text) && !text.includes('沙箱平台'))).toEqual([]);
  }
  expect(english.value('Transfers', 'A4')).toBe('Payer · count');
  expect(english.value('Transfers', 'E11')).toBe('Transfer');
});
