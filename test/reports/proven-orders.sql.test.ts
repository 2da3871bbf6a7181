import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveRunFacts } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { progressOf } from '../../src/store/database/writing.ts';
import { Books, at } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';

const folder = await testFolder();
const A = '6217000000000000001';
const B = '6217000000000000002';
const FIRST = 'nightly-2026-03-01-v1';
let database: TestDatabase;
let first: PublishedBook;
let second: PublishedBook;

/**
 * Two nights of orders, posted, matched and proven by the job's own steps. W1 is under way when the first day
 * ends and arrives on the second, T1 is refunded then, and T3 is booked although it failed.
 */
beforeAll(async () => {
  database = await testDatabase();
  const books = new Books(database.db);
  const orders = new OrderBooks(database.db);
  for (const account of [A, B]) {
    await books.account(account, { fen: 100_000n, at: '2026-03-01 00:00:00' });
    await books.proven(account, '2026-03-01', '2026-03-03');
  }
  const between = { payer: A, payee: B, submittedAt: '2026-03-01 10:00:00' } as const;
  const T1 = {
    ...between,
    out: 'T1',
    amountFen: 10_000n,
    feeFen: 30n,
    finalAt: '2026-03-01 10:05:00',
  } as const;
  const W1 = { account: A, out: 'W1', amountFen: 5_000n, submittedAt: '2026-03-01 20:00:00' } as const;
  await orders.transfer(T1);
  await orders.transfer({
    ...between,
    out: 'T2',
    amountFen: 2_000n,
    feeFen: 20n,
    feeType: 'ACCOUNT',
    finalAt: '2026-03-01 10:06:00',
  });
  await orders.transfer({
    ...between,
    out: 'T3',
    amountFen: 900n,
    state: 'failed',
    finalAt: '2026-03-01 11:00:00',
  });
  await orders.withdrawal({ ...W1, state: 'open', lastOpenAt: '2026-03-02 00:00:10' });
  await books.entries(A, [
    { id: 'A0', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' },
    { id: 'A1', kind: 'transfer_out', amountFen: -10_000n, at: '2026-03-01 12:00:00', reference: 'T1' },
    { id: 'A2', kind: 'transfer_out', amountFen: -2_000n, at: '2026-03-01 12:00:00', reference: 'T2' },
    { id: 'A3', kind: 'transfer_out', amountFen: -900n, at: '2026-03-01 12:00:00', reference: 'T3' },
  ]);
  await books.entries(B, [
    { id: 'B0', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' },
    { id: 'B1', kind: 'transfer_in', amountFen: 9_970n, at: '2026-03-01 12:00:00', reference: 'T1' },
    { id: 'B2', kind: 'transfer_in', amountFen: 2_000n, at: '2026-03-01 12:00:00', reference: 'T2' },
  ]);
  await books.balance(A, {
    at: '2026-03-02 00:00:05',
    fen: 87_980n,
    frozenFen: 5_000n,
    closedAt: '2026-03-02 00:00:20',
  });
  await books.balance(B, { at: '2026-03-02 00:00:05', fen: 111_970n, closedAt: '2026-03-02 00:00:20' });
  await books.night('2026-03-01');
  await keepWriteNumber(database.db, FIRST);
  first = await publish(database.db, { runId: FIRST, path: folder.path('first.xlsx') });

  await orders.transfer({
    ...T1,
    refunds: [{ amountFen: 10_000n, lastOpenAt: '2026-03-02 00:00:10', finalAt: '2026-03-02 15:00:00' }],
  });
  await orders.withdrawal({ ...W1, lastOpenAt: '2026-03-02 00:00:10', finalAt: '2026-03-02 09:00:00' });
  await books.entries(A, [
    { id: 'A4', kind: 'withdrawal', amountFen: -5_000n, at: '2026-03-02 09:00:00', reference: 'W1' },
    { id: 'A5', kind: 'refund_in', amountFen: 10_000n, at: '2026-03-02 15:00:00', reference: 'T1' },
  ]);
  await books.balance(A, { at: '2026-03-03 00:00:05', fen: 92_980n, closedAt: '2026-03-03 00:00:20' });
  await books.balance(B, { at: '2026-03-03 00:00:05', fen: 101_970n, closedAt: '2026-03-03 00:00:20' });
  // A newer look keeps when the order was first seen.
  const firstSeen = { first_seen_at: at('2026-03-02 00:00:10') };
  await database.db.updateTable('withdrawal').set(firstSeen).execute();
  const { runId } = await books.night('2026-03-02');
  second = await publish(database.db, { runId, path: folder.path('second.xlsx') });
});
afterAll(() => database.close());

/** As the job keeps it beside each run: what was written later is not part of it. */
async function keepWriteNumber(db: Db, runId: string): Promise<void> {
  const writtenUpTo = Number(await progressOf(db, 'match'));
  await saveRunFacts(db, runId, JSON.stringify({ writtenUpTo }));
}

const row = (book: PublishedBook, sheet: string, at: number, columns: string) =>
  (columns.match(/(?<!^)A[A-C]|[A-Z]/g) ?? []).map((column) => book.value(sheet, `${column}${at}`));
const failing = (book: PublishedBook): unknown[] =>
  [...book.names]
    .filter(([name]) => name.startsWith('recon_tie_'))
    .map(([name, place]) => [name, book.value('汇总', place.split('!')[1]?.replaceAll('$', '') ?? '')])
    .filter(([, holds]) => holds !== '相符');

describe('nights of orders as the job proves them', () => {
  test('tie out on every sheet', () => {
    expect(failing(first)).toEqual([]);
    expect(failing(second)).toEqual([]);
  });

  test('the first day: what moved, what failed and is booked, what is on its way', () => {
    expect([9, 10, 11, 12, 13, 14].map((at) => row(first, '划付', at, 'BDFRUVYZABAC'))).toEqual([
      [A, 'T1', '付方', '成功', '是', -100, -100, 0, '已匹配', undefined],
      [A, 'T2', '付方', '成功', '是', -20.2, -20, -0.2, '差异', '手续费不符'],
      [A, 'T3', '付方', '失败', '否', undefined, -9, 9, '差异', '状态不符'],
      [B, 'T1', '收方', '成功', '是', 99.7, 99.7, 0, '已匹配', undefined],
      [B, 'T2', '收方', '成功', '是', 20, 20, 0, '已匹配', undefined],
      [B, 'T3', '收方', '失败', '否', undefined, undefined, undefined, '未计入', undefined],
    ]);
    expect(row(first, '提现', 7, 'BDMNOUV')).toEqual([A, 'W1', '在途', '否', undefined, '未达', '在途']);
    expect(row(first, '未达账项', 7, 'DEFHI')).toEqual(['在途', '不计入调节', 'W1', -50, 0]);
    expect(row(first, '余额滚动', 7, 'BSTU')).toEqual([A, 50, 50, '冻结']);
  });

  test('the second day: the withdrawal arrived, the transfer of the first day was refunded', () => {
    expect([9, 10].map((at) => row(second, '划付', at, 'BDEFRTUVYZABAC'))).toEqual([
      [A, 'T1', '退款', '付方', '成功', 100, '是', 100, 100, 0, '已匹配', undefined],
      [B, 'T1', '退款', '收方', '成功', 100, '是', -100, undefined, -100, '差异', '平台有企业无'],
    ]);
    expect(row(second, '提现', 7, 'BDMNORSU')).toEqual([A, 'W1', '成功', '是', -50, -50, 0, '已匹配']);
  });

  test('invariant 20: the workbook of the first night stays what it was after the second', async () => {
    const again = await publish(database.db, { runId: FIRST, path: folder.path('again.xlsx') });
    for (const { name } of again.published.sheets) {
      expect([...again.sheet(name).cells]).toEqual([...first.sheet(name).cells]);
    }
  });
});
