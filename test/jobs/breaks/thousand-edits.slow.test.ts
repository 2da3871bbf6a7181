/** A thousand breaks that people filled in, in one round: all are said, the trail is whole, and once more is nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { publish } from '../../reports/publish.ts';
import { FilledBook, importFile } from './work-list.ts';

const COUNT = 1_000;
/** Opened by the night, then assigned, explained, an action proposed, noted. */
const EVENTS = 5;
const folder = await testFolder();
const A = '6217000000000000001';
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  const books = new Books(database.db);
  await books.account(A, { fen: 0n, at: '2026-03-01 00:00:00' });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 0n, at: '2026-03-01 00:00:00' }]);
  await books.proven(A, '2026-03-01', '2026-03-03');
  const deposits = Array.from({ length: COUNT }, (_, n) => ({
    orderNo: `D${n + 1}`,
    at: '2026-03-01 09:00:00',
    amountFen: BigInt(n + 1),
  }));
  await books.deposits(A, deposits);
  await books.balance(A, {
    at: '2026-03-02 00:00:10',
    fen: deposits.reduce((sum, one) => sum + one.amountFen, 0n),
  });
  const { runId } = await books.night('2026-03-01');
  await publish(database.db, { runId, path: folder.path('thousand.xlsx') });
});
afterAll(() => database.close());

test('a thousand at once', async () => {
  const book = await FilledBook.open(folder.path('thousand.xlsx'));
  const cells = {
    处理状态: '已说明',
    负责人: '赵敏',
    原因: '三月补记',
    备注: '见邮件',
    建议处理: '补记企业账',
  };
  const rows = Object.fromEntries(Array.from({ length: COUNT }, (_, n) => [`D${n + 1}`, cells]));
  const filled = await book.fill(folder.path('filled.xlsx'), rows);
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const done = await importFile(database.db, filled);
  const took = Math.round(performance.now() - began);
  const grown = Math.round((process.memoryUsage().rss - before) / 1_048_576);
  console.log(`${COUNT} rows, ${COUNT * 5} cells: ${took} ms, ${grown} MB more than before`);
  expect(done).toMatchObject({ status: 0, conflicts: [] });
  expect('cells' in done && done.cells.length).toBe(COUNT * 5);
  expect(await verifyTrail(database.db)).toMatchObject({ faults: [], events: BigInt(COUNT * EVENTS) });
  expect(await importFile(database.db, filled)).toMatchObject({ status: 0, cells: [], unchanged: COUNT });
});
