/** What people say of breaks, in the workbook: as it was when the run was proven, and the same whenever it is written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { say } from '../../jobs/breaks/work-on-breaks.ts';
import type { Saying } from '../../jobs/breaks/say.ts';
import type { Clock } from '../../src/core/ports.ts';
import { findRun } from '../../src/store/runs/runs.ts';
import { verifyTrail } from '../../src/store/runs/verify-trail.ts';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { at } from '../helpers/service-time.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';

const folder = await testFolder();
const A = '6217000000000000001';
const FIRST = 'nightly-2026-03-01-v1';
let database: TestDatabase;
let first: PublishedBook;
let second: PublishedBook;
let english: PublishedBook;

async function on(day: string, by: string, saying: Saying, ...references: string[]): Promise<void> {
  const rows = await database.db
    .selectFrom('break')
    .select('break_id')
    .where('reference', 'in', references)
    .execute();
  const clock: Pick<Clock, 'wall'> = { wall: () => at(`${day} 10:00:00`) };
  await say(
    { db: database.db, clock: clock as Clock },
    { selection: { breakIds: rows.map((row) => row.break_id) }, saying, speaker: { by, today: day } },
  );
}

/** Five deposits that the books do not have, and a day on which people work on them. */
beforeAll(async () => {
  database = await testDatabase();
  const books = new Books(database.db);
  await books.account(A, { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' }]);
  await books.proven(A, '2026-03-01', '2026-03-05');
  const deposits = [100n, 200n, 300n, 400n, 500n].map((amountFen, n) => ({
    orderNo: `D${n + 1}`,
    at: '2026-03-01 09:00:00',
    amountFen,
  }));
  await books.deposits(A, deposits);
  await books.balance(A, { at: '2026-03-02 00:00:10', fen: 101_500n });
  await books.balance(A, { at: '2026-03-03 00:00:10', fen: 101_500n });
  await books.night('2026-03-01');
  first = await publish(database.db, { runId: FIRST, path: folder.path('first.xlsx') });
  await on('2026-03-02', '李娜', { kind: 'assign', to: '赵敏' }, 'D1', 'D2');
  // The same person, with the blank that fills three places.
  await on('2026-03-02', '李娜', { kind: 'assign', to: '赵　敏' }, 'D3');
  await on('2026-03-02', '李娜', { kind: 'explain', reason: '=1+1 三月 5 日补记' }, 'D2');
  await on('2026-03-02', '李娜', { kind: 'note', text: '已致电 13812345678' }, 'D2');
  await on('2026-03-02', '李娜', { kind: 'action', action: 'ask_platform' }, 'D2', 'D4');
  const writeOff = { kind: 'write-off', reason: '尾差', expires: '2026-03-31' } as const;
  await on('2026-03-02', '李娜', writeOff, 'D3', 'D4');
  await on('2026-03-02', '王伟', { kind: 'approve' }, 'D3');
  await on('2026-03-02', '李娜', { ...writeOff, expires: '2026-06-30' }, 'D3');
  const { runId } = await books.night('2026-03-02');
  second = await publish(database.db, { runId, path: folder.path('second.xlsx') });
  await on('2026-03-03', '李娜', { kind: 'resolve', reason: '已补记' }, 'D1', 'D5');
  english = await publish(database.db, { runId, path: folder.path('english.xlsx'), locale: 'en' });
});
afterAll(() => database.close());

test('each break shows its status, owner, reason, note and write-off, with its age', () => {
  const row = (line: number): unknown[] =>
    ['P', 'H', 'I', 'J', 'K', 'L', 'M', 'AA'].map((column) => second.value('差异', `${column}${line}`));
  const nothing = undefined;
  expect([6, 7, 8, 9, 10].map(row)).toEqual([
    ['D1', 1, '处理中', '赵敏', nothing, nothing, nothing, nothing],
    ['D2', 1, '已说明', '赵敏', '=1+1 三月 5 日补记', '已致电 138****5678', '联系平台', nothing],
    [
      'D3',
      1,
      '已核销',
      '赵　敏',
      '尾差',
      nothing,
      '申请核销',
      '至 2026-03-31，李娜 申请，王伟 复核 / 至 2026-06-30，李娜 申请，待复核',
    ],
    ['D4', 1, '未处理', nothing, '尾差', nothing, '申请核销', '至 2026-03-31，李娜 申请，待复核'],
    ['D5', 1, '未处理', nothing, nothing, nothing, nothing, nothing],
  ]);
  expect(second.cell('差异', 'K7')?.formula).toBeUndefined();
  expect(english.value('Breaks', 'AA8')).toBe(
    'until 2026-03-31, proposed by 李娜, approved by 王伟 / until 2026-06-30, proposed by 李娜, awaits approval',
  );
  expect(english.value('Breaks', 'I8')).toBe('written off');
});

test('the summary counts them by status and owner, by formulas that follow the drop-downs', () => {
  const cells = [...second.sheet('汇总').cells];
  const rowOf = (text: string): number => Number(cells.find(([, { value }]) => value === text)?.[0].slice(1));
  const from = rowOf('处理进度（差异与需关注事项）');
  const rows = (columns: string, first: number, count: number): unknown[] =>
    Array.from({ length: count }, (_, n) =>
      columns.split('').map((column) => second.value('汇总', `${column}${first + n}`)),
    );
  expect(rows('ABCD', from + 1, 6)).toEqual([
    ['处理状态', '笔数', '总额（绝对值）', '最长账龄（天）'],
    ['未处理', 2, 9, 1],
    ['处理中', 1, 1, 1],
    ['已说明', 1, 2, 1],
    ['已核销', 1, 3, 1],
    ['合计', 5, 15, 1],
  ]);
  expect(second.cell('汇总', `B${from + 2}`)?.formula).toContain(`COUNTIFS('差异'!$I$6:$I$10,"未处理")`);
  expect(rows('FGHI', rowOf('按负责人') + 1, 3)).toEqual([
    ['负责人', '笔数', '总额（绝对值）', '最长账龄（天）'],
    ['赵敏', 3, 6, 1],
    ['（无人负责）', 2, 9, 1],
  ]);
});

test('the summary counts how far they are by age, by formulas too', () => {
  const cells = [...second.sheet('汇总').cells];
  const from = Number(cells.find(([, { value }]) => value === '按账龄')?.[0].slice(1));
  const rows = [1, 2, 3, 4, 5, 6].map((down) =>
    ['F', 'G', 'H', 'I'].map((column) => second.value('汇总', `${column}${from + down}`)),
  );
  expect(rows).toEqual([
    ['账龄区间', '未处理', '处理中', '已解决'],
    ['0–1 天', 2, 2, 1],
    ['2–7 天', 0, 0, 0],
    ['8–30 天', 0, 0, 0],
    ['30 天以上', 0, 0, 0],
    ['合计', 2, 2, 1],
  ]);
  expect(second.cell('汇总', `G${from + 3}`)?.formula).toContain(
    `COUNTIFS('差异'!$I$6:$I$10,"未处理",'差异'!$H$6:$H$10,">=2",'差异'!$H$6:$H$10,"<=7")`,
  );
});

test('what is written off is a break of the verdict all the same', () => {
  expect(second.value('汇总', 'A3')).toBe('结论：存在差异');
  expect(second.value('汇总', 'A5')).toBe('账户 1 个 · 差异 5 笔（总额 15.00 元） · 未达账项 0 笔');
});

test('the summary prints where the audit trail stood, and the trail is held against it', async () => {
  const run = await findRun(database.db, 'nightly-2026-03-02-v1');
  const printed = second.value('汇总', 'E11');
  expect(printed).toBe(`${run?.trail_no}:${run?.trail_digest}`);
  const [no = '', digest = ''] = String(printed).split(':');
  const paper = { no: BigInt(no), digest, keptBy: 'paper' };
  expect((await verifyTrail(database.db, [paper])).faults).toEqual([]);
});

test('a workbook that is written again shows what had been said by then, and no more', async () => {
  const again = await publish(database.db, { runId: FIRST, path: folder.path('again.xlsx') });
  for (const sheet of ['汇总', '差异']) {
    expect([...again.sheet(sheet).cells]).toEqual([...first.sheet(sheet).cells]);
  }
  expect(columnValues(first, { sheet: '差异', column: 'I', from: 6, to: 10 })).toEqual(
    Array.from({ length: 5 }, () => '未处理'),
  );
});
