/** Write-offs that expire night by night while people go on working: what each night's workbook counts, by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { publish } from '../../reports/publish.ts';
import { FilledBook, importFile, sayOf } from './work-list.ts';

const folder = await testFolder();
const A = '6217000000000000001';
let database: TestDatabase;
let books: Books;
beforeAll(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  const opening = '2026-03-01 00:00:00';
  await books.account(A, { fen: 100_000n, at: opening });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 100_000n, at: opening }]);
  await books.proven(A, '2026-03-01', '2026-03-09');
  await books.deposits(A, [
    { orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 300n },
    { orderNo: 'D2', at: '2026-03-01 09:00:00', amountFen: 400n },
  ]);
  for (let day = 2; day <= 8; day++)
    await books.balance(A, { at: `2026-03-0${day} 00:00:10`, fen: 100_700n });
});
afterAll(() => database.close());

const say = (
  day: string,
  by: string,
  saying: Parameters<typeof sayOf>[1]['saying'],
  ...references: string[]
) => sayOf(database.db, { day: `2026-03-0${day}`, by, saying, references });
const until = (day: string, reason: string) =>
  ({ kind: 'write-off', reason, expires: `2026-03-${day}` }) as const;

/** Of sheet 调整 the totals (合计, 已复核, 待复核, 再申请待复核) and the rows; and how both breaks stand in 差异. */
async function night(
  day: number,
): Promise<Record<'totals' | 'rows' | 'statuses', string[]> & { path: string }> {
  const { runId } = await books.night(`2026-03-0${day}`);
  const path = folder.path(`${runId}.xlsx`);
  const book = await publish(database.db, { runId, path });
  const row = (line: number, columns: string): string =>
    columns
      .split('')
      .map((column) => book.value('调整', `${column}${line}`) ?? '')
      .join('|');
  const list = await FilledBook.open(path);
  return {
    totals: [row(4, 'BCDE'), row(5, 'BCDE')],
    rows: [7, 8, 9].map((line) => row(line, 'EFIJ')).filter((text) => text !== '|||'),
    statuses: ['D1', 'D2'].map((of) => {
      const [status, note] = [list.value(of, '处理状态'), list.value(of, '备注')];
      return `${String(status)}|${typeof note === 'string' ? note : ''}`;
    }),
    path,
  };
}

test('written off till then, proposed anew, over while it awaits approval, in force again; with every amount counted once', async () => {
  await night(1);
  await say('2', '李娜', until('03', '尾差'), 'D1');
  await say('2', '李娜', until('04', '尾差'), 'D2');
  await say('2', '王伟', { kind: 'approve' }, 'D1', 'D2');
  expect(await night(2)).toMatchObject({
    totals: ['2|2|0|0', '7|7|0|0'],
    rows: ['3|已复核|王伟|尾差', '4|已复核|王伟|尾差'],
    statuses: ['已核销|', '已核销|'],
  });
  await say('3', '李娜', until('31', '延期'), 'D1');
  expect(await night(3)).toMatchObject({
    totals: ['2|2|0|1', '7|7|0|3'],
    rows: ['3|已复核|王伟|尾差', '4|已复核|王伟|尾差', '3|再申请待复核||延期'],
    statuses: ['已核销|', '已核销|'],
  });
  await say('4', '赵敏', { kind: 'note', text: '已催' }, 'D1');
  const fourth = await night(4);
  expect(fourth).toMatchObject({
    totals: ['2|1|1|0', '7|4|3|0'],
    rows: ['4|已复核|王伟|尾差', '3|待复核||延期'],
    statuses: ['核销已到期|已催', '已核销|'],
  });
  const book = await FilledBook.open(fourth.path);
  const filled = await book.fill(folder.path('filled.xlsx'), {
    D1: { 备注: '已再催' },
    D2: { 处理状态: '已说明', 原因: '三月 6 日补记' },
  });
  await say('5', '王伟', { kind: 'approve' }, 'D1');
  // The list is of the day before; D2 is over since.
  expect(await importFile(database.db, filled, { day: '2026-03-05' })).toMatchObject({ conflicts: [] });
  expect(await night(5)).toMatchObject({
    totals: ['1|1|0|0', '3|3|0|0'],
    rows: ['3|已复核|王伟|延期'],
    statuses: ['已核销|已再催', '已说明|'],
  });
});

test('a list of yesterday, and tonight it is another amount: what is told of now is so now', async () => {
  const book = await FilledBook.open(folder.path('nightly-2026-03-05-v1.xlsx'));
  const filled = await book.fill(folder.path('again.xlsx'), {
    D1: { 处理状态: '已解决', 原因: '已补记', 负责人: '赵敏' },
    D2: { 备注: '看过' },
  });
  await books.entries(A, [{ id: 'E1', reference: 'D1', amountFen: 100n, at: '2026-03-06 09:00:00' }]);
  expect(await night(6)).toMatchObject({
    rows: ['2|已失效|王伟|延期'],
    statuses: ['未处理|已再催', '已说明|'],
  });
  const read = await importFile(database.db, filled, { day: '2026-03-07' });
  const why = 'it was 3.00 (platform_only) and is 2.00 (amount) by now';
  expect('conflicts' in read && read.conflicts).toEqual([
    `差异!I6 处理状态: 未处理 ≠ 已解决, ${why}`,
    `差异!K6 原因: 延期 ≠ 已补记, ${why}`,
  ]);
  expect('cells' in read && read.cells).toEqual(['差异!J6 负责人:  → 赵敏', '差异!L7 备注:  → 看过']);
});
