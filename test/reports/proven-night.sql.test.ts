import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, publish, statementOf } from './publish.ts';
import type { PublishedBook } from './publish.ts';

const folder = await testFolder();
const A = '6217000000000000001';
let database: TestDatabase;
let first: PublishedBook;
let second: PublishedBook;
let books: Books;

/** Two nights of a company, posted, matched and proven by the job's own steps. */
beforeAll(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  await books.account(A, { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.proven(A, '2026-03-01', '2026-03-03');
  await books.deposits(A, [
    { orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 1_000n },
    { orderNo: 'D2', at: '2026-03-01 10:00:00', amountFen: 2_000n, feeFen: 20n },
    { orderNo: 'D3', at: '2026-03-01 11:00:00', amountFen: 500n },
    { orderNo: 'D4', at: '2026-03-01 23:59:00', amountFen: 700n },
  ]);
  await books.entries(A, [
    { id: 'E0', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' },
    { id: 'E1', amountFen: 1_000n, at: '2026-03-01 12:00:00', reference: 'D1' },
    { id: 'E2', amountFen: 2_000n, at: '2026-03-01 12:00:00', reference: 'D2' },
    { id: 'E4', amountFen: 700n, at: '2026-03-02 00:01:00', reference: 'D4' },
    { id: 'E9', amountFen: 333n, at: '2026-03-01 13:00:00', reference: 'X9' },
  ]);
  await books.balance(A, { at: '2026-03-02 00:00:10', fen: 105_414n });
  const { runId } = await books.night('2026-03-01');
  first = await publish(database.db, { runId, path: folder.path('first.xlsx') });
  await books.balance(A, { at: '2026-03-03 00:00:10', fen: 105_414n });
  const next = await books.night('2026-03-02');
  second = await publish(database.db, { runId: next.runId, path: folder.path('second.xlsx') });
});
afterAll(() => database.close());

const ties = (book: PublishedBook): unknown[] =>
  [...book.names]
    .filter(([name]) => name.startsWith('recon_tie_'))
    .map(([name, place]) => [name, book.value('汇总', place.split('!')[1]?.replaceAll('$', '') ?? '')]);

describe('a night as the job proves it', () => {
  test('ties out on every sheet', () => {
    expect(ties(first)).toEqual([
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
  });

  test('the unexplained amount is what remains between the adjusted sides', () => {
    const rows = statementOf(first, { sheet: '余额调节表', accountNo: A });
    const lines = rows.filter(([label]) => /^[^\d日]/.test(String(label))).slice(1);
    expect(lines).toEqual([
      ['企业账面余额', 1_033.33, '平台余额', 1_054.14],
      ['加：平台已收企业未收', 12, '加：企业已收平台未收', 3.33],
      ['减：平台已付企业未付', 0, '减：企业已付平台未付', 0],
      ['调整：手续费不符', -0.2],
      ['调节后企业账面余额', 1_045.13, '调节后平台余额', 1_057.47],
      ['调节后差额（平台 − 企业账）', 12.34, '左右是否相符', '不符'],
      ['其中：本期余额不明差异', 12.34, '其中：期初差异', 0],
      ['差额是否等于两项之和', '相符'],
    ]);
  });

  test('a deposit of the evening booked after midnight is a timing item, cleared the next night', () => {
    expect(columnValues(first, { sheet: '未达账项', column: 'F', from: 7, to: 7 })).toEqual(['D4']);
    const rows = columnValues(second, { sheet: '未达账项', column: 'F', from: 7, to: 12 });
    expect(rows).toContain('D4');
    expect(second.value('未达账项', 'H4')).toBe('相符');
    expect(columnValues(second, { sheet: '未达账项', column: 'N', from: 9, to: 12 })).toContain('已核销');
  });

  test('the workbook of the first night stays what it was after the second', async () => {
    const runId = 'nightly-2026-03-01-v1';
    const again = await publish(database.db, { runId, path: folder.path('first-again.xlsx') });
    for (const sheet of [
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
    ]) {
      expect([...again.sheet(sheet).cells]).toEqual([...first.sheet(sheet).cells]);
    }
  });

  test('so does that of the second, though what it had cleared is found again by another version of it', async () => {
    await books.withdraw('E4');
    const { runId } = await books.night('2026-03-02');
    expect(runId).toBe('nightly-2026-03-02-v2');
    expect(await books.found(runId)).toContain(`platform_only ${A} D4 700`);
    const path = folder.path('second-again.xlsx');
    const again = await publish(database.db, { runId: 'nightly-2026-03-02-v1', path });
    const { cells } = second.sheet('未达账项');
    expect([...again.sheet('未达账项').cells]).toEqual([...cells]);
  });
});
