import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, openBook, publish, statementOf } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ORDER_ACCOUNTS } from './sample-order-run.ts';
import { aSampleOfOrders, whatCameLater } from './sample-orders.ts';

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
  (columns.match(/AA|[A-Z]/g) ?? []).map((column) => book.value(sheet, `${column}${at}`));

describe('orders on the other sheets', () => {
  test('every identity of the summary holds', () => {
    const named = [...book.names].filter(([name]) => name.startsWith('recon_tie_'));
    expect(
      named.map(([name, place]) => [
        name,
        book.value('汇总', place.split('!')[1]?.replaceAll('$', '') ?? ''),
      ]),
    ).toEqual([
      ['recon_tie_statement', '相符'],
      ['recon_tie_lines', '相符'],
      ['recon_tie_roll_forward', '相符'],
      ['recon_tie_open_items', '相符'],
      ['recon_tie_deposits', '相符'],
      ['recon_tie_transfers', '相符'],
      ['recon_tie_withdrawals', '相符'],
      ['recon_tie_vouchers', '相符'],
      ['recon_tie_gaps', '相符'],
    ]);
    expect(
      book.cell('汇总', book.names.get('recon_tie_transfers')?.slice(-5).replaceAll('$', '') ?? ''),
    ).toMatchObject({
      formula: `IF(AND('划付'!$H$4="相符",'划付'!$H$5="相符",'划付'!$H$6="相符",'划付'!$H$7="相符",ROUND('划付'!$B$5+'划付'!$B$7-(-1012845)/100,2)=0),"相符","不符")`,
    });
  });

  test('the summary counts what moved and what did not, and says what was asked and what is in flight', () => {
    const at = findRow('划付、退款、结算与提现');
    expect([2, 3, 4, 5, 6, 7].map((down) => row('汇总', at + down, 'ABCD'))).toEqual([
      ['划付 · 付方', 3, -12_128.45, 2],
      ['划付 · 收方', 2, 11_970, 2],
      ['退款 · 付方', 1, 300, 0],
      ['退款 · 收方', 1, -300, 0],
      ['结算 · 收方', 1, -9_970, 1],
      ['提现', 2, 2_000, 3],
    ]);
    expect(book.cell('汇总', `B${at + 2}`)?.formula).toBe(
      `COUNTIFS('划付'!$E$9:$E$21,"划付",'划付'!$F$9:$F$21,"付方",'划付'!$U$9:$U$21,"是")`,
    );
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((down) => row('汇总', at + down, 'FGH'))).toEqual([
      ['查询的划付批次', 3, undefined],
      ['其中划付订单', 6, undefined],
      ['查询的提现', 6, undefined],
      ['其中仅企业账提到', 2, undefined],
      ['仅企业账提到、无法查询', 1, undefined],
      ['在途金额合计', 4_700, undefined],
      ['在途即扣的账户', 1, undefined],
      [B3, 4_200, '即扣'],
    ]);
  });

  test('timing items have their amounts, also what is in flight and differs by nothing', () => {
    const at = findRow('未达账项分类', 'F');
    expect([2, 3, 4, 5].map((down) => row('汇总', at + down, 'FGHI'))).toEqual([
      ['在途', 2, 700, 0],
      ['待处理', 1, 4_000, 4_000],
      ['平台查无此单', 1, 6, 6],
      ['合计', 4, 4_706, 4_006],
    ]);
    expect(row('未达账项', 4, 'BCDEFGH')).toEqual([0, 4, 0, 0, 0, 4, '相符']);
    expect(row('未达账项', 7, 'DEFHIQR')).toEqual(['在途', '不计入调节', 'T3', -500, 0, B2, '处理中']);
    expect(row('未达账项', 9, 'DEFHIR')).toEqual(['待处理', '企业已付平台未付', 'W3', -4_000, 4_000, 'XYZ']);
  });

  test('the statement has pending and unknown orders on the line of their side, errors on their own', () => {
    const lines = (accountNo: string) =>
      statementOf(book, { sheet: '余额调节表', accountNo }).filter(
        ([, second]) => typeof second === 'number',
      );
    expect(lines(B1).slice(1, 7)).toEqual([
      ['企业账面余额', 87_176.55, '平台余额', 88_171.55],
      ['加：平台已收企业未收', 300, '加：企业已收平台未收', 0],
      ['减：平台已付企业未付', 0, '减：企业已付平台未付', 0],
      ['调整：手续费不符', -5],
      ['调整：状态不符', 700],
      ['调节后企业账面余额', 88_171.55, '调节后平台余额', 88_171.55],
    ]);
    expect(lines(B3).slice(1, 6)).toEqual([
      ['企业账面余额', 95_994, '平台余额', 103_000],
      ['加：平台已收企业未收', 0, '加：企业已收平台未收', 0],
      ['减：平台已付企业未付', 0, '减：企业已付平台未付', 4_006],
      ['调整：金额不符', 3_000],
      ['调节后企业账面余额', 98_994, '调节后平台余额', 98_994],
    ]);
  });

  test('the roll-forward shows what is frozen, what is in flight, and how it affects the balance', () => {
    expect([7, 8, 9, 10, 11].map((at) => row('余额滚动', at, 'BSTU'))).toEqual([
      [B1, 500, 500, '冻结'],
      [B2, 0, 0, undefined],
      [B3, 0, 4_200, '即扣'],
      [B4, 0, 0, undefined],
      ['合计', 500, 4_700, undefined],
    ]);
    expect(columnValues(book, { sheet: '余额滚动', column: 'Y', from: 7, to: 10 })).toEqual([
      '相符',
      '相符',
      '相符',
      '相符',
    ]);
  });

  test('assumptions about orders, and what else the balance could mean, have words', () => {
    const log = [...book.sheet('运行日志').cells.values()].map(({ value }) => value);
    expect(log).toContain('按余额与企业账推定了这些订单在截止时点的哪一侧（T1、T2 等，另有 3 笔）');
    expect(log).toContain(
      '推定在途金额已从余额扣除（只有这样才能说明余额），可能掩盖同样金额的损失（4,200.00 元）',
    );
    expect(log).toContain('若提现 W5 在截止时点前，则差额为 6,806.00 元');
  });
});

test('H13: too long for the main workbook, they stand in their own and still tie out', async () => {
  const path = folder.path('long.xlsx');
  const long = await publish(database.db, { runId, path, limits: { detailRows: 5, sheetRows: 12 } });
  expect(long.published.paths.slice(-2)).toEqual([
    folder.path('long-transfers.xlsx'),
    folder.path('long-withdrawals.xlsx'),
  ]);
  expect(long.value('划付', 'A9')).toBe('共 13 行，超过 5 行，明细见文件 long-transfers.xlsx');
  expect(long.cell('划付', 'B5')).toMatchObject({ value: -11_828.45, formula: undefined });
  const own = await openBook(folder.path('long-transfers.xlsx'));
  expect(['B4', 'C4', 'B5', 'C5', 'B6', 'C6'].map((at) => own.value('核对', at))).toEqual([
    13,
    -10_128.45,
    13,
    -10_128.45,
    '相符',
    '相符',
  ]);
  const ties = [...long.sheet('汇总').cells.values()].filter(({ value }) => value === '不符');
  expect(ties).toEqual([]);
});

test('invariant 20: what becomes of the orders after the run changes nothing in its workbook', async () => {
  const later = await testDatabase();
  try {
    await aSampleOfOrders(later.db);
    await whatCameLater(later.db);
    const again = await publish(later.db, { runId, path: folder.path('again.xlsx') });
    for (const { name } of again.published.sheets) {
      expect([...again.sheet(name).cells]).toEqual([...book.sheet(name).cells]);
    }
  } finally {
    await later.close();
  }
});

/** The row of the summary whose cell in that column says so. */
function findRow(text: string, column = 'A'): number {
  const found = [...book.sheet('汇总').cells].find(
    ([address, { value }]) => value === text && address.startsWith(column),
  );
  return Number(found?.[0].slice(1));
}
