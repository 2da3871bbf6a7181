/** What accountants write in sheet 差异 is read back, said once, and carried on by the next night's workbook. */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { checkCode } from '../../../reports/read/check-code.ts';
import { findRun, trailOfRun } from '../../../src/store/runs/runs.ts';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { editSheet } from '../../helpers/fill-workbook.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { publish } from '../../reports/publish.ts';
import { FilledBook, importFile, sayOf } from './work-list.ts';

const folder = await testFolder();
const A = '6217000000000000001';
let database: TestDatabase;
let books: Books;
let book: FilledBook;

/** Five deposits that the books do not have, and the workbook of that night. */
beforeEach(async () => {
  await database?.close();
  database = await testDatabase();
  books = new Books(database.db);
  const opening = '2026-03-01 00:00:00';
  await books.account(A, { fen: 100_000n, at: opening });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 100_000n, at: opening }]);
  await books.proven(A, '2026-03-01', '2026-03-06');
  const deposits = [100n, 200n, 300n, 400n, 500n].map((amountFen, n) => ({
    orderNo: `D${n + 1}`,
    at: '2026-03-01 09:00:00',
    amountFen,
  }));
  await books.deposits(A, deposits);
  for (let day = 2; day <= 5; day++)
    await books.balance(A, { at: `2026-03-0${day} 00:00:10`, fen: 101_500n });
  book = await nightsBook('2026-03-01');
});
afterAll(() => database.close());

async function nightsBook(day: string): Promise<FilledBook> {
  const { runId } = await books.night(day);
  const path = folder.path(`${runId}.xlsx`);
  await publish(database.db, { runId, path });
  return FilledBook.open(path);
}

function eventsOf(): Promise<string[]> {
  return database.db
    .selectFrom('break_event as e')
    .innerJoin('break as b', 'b.break_id', 'e.break_id')
    .select(['b.reference', 'e.event', 'e.actor'])
    .where('e.run_id', 'is', null)
    .orderBy('e.trail_no')
    .execute()
    .then((rows) => rows.map((row) => `${row.reference} ${row.event} ${row.actor}`));
}

const FILLED = {
  D1: {
    处理状态: '已说明',
    负责人: '赵敏',
    原因: '三月 5 日补记',
    备注: '已致电\n平台',
    建议处理: '补记企业账',
  },
  D2: { 负责人: '赵敏' },
  D3: { 处理状态: '已解决', 原因: 'V-2381 已补记' },
  D4: { 建议处理: '申请核销', 原因: '尾差', 核销: '2026-03-31' },
} as const;

test('every column is said as a command says it, in one go, and the next workbook carries it on', async () => {
  const filled = await book.fill(folder.path('filled.xlsx'), FILLED);
  const dry = await importFile(database.db, filled, { dryRun: true });
  expect(dry).toMatchObject({ status: 0, conflicts: [] });
  expect(await eventsOf()).toEqual([]);
  const done = await importFile(database.db, filled);
  expect(done).toMatchObject({ status: 0, conflicts: [], unchanged: 0 });
  expect('cells' in done && done.cells).toEqual([
    `差异!${book.cell('D1', '处理状态')} 处理状态: 未处理 → 已说明`,
    `差异!${book.cell('D1', '负责人')} 负责人:  → 赵敏`,
    `差异!${book.cell('D1', '原因')} 原因:  → 三月 5 日补记`,
    `差异!${book.cell('D1', '备注')} 备注:  → 已致电 平台`,
    `差异!${book.cell('D1', '建议处理')} 建议处理:  → 补记企业账`,
    `差异!${book.cell('D2', '负责人')} 负责人:  → 赵敏`,
    `差异!${book.cell('D3', '处理状态')} 处理状态: 未处理 → 已解决`,
    `差异!${book.cell('D3', '原因')} 原因:  → V-2381 已补记`,
    `差异!${book.cell('D4', '原因')} 原因:  → 尾差`,
    `差异!${book.cell('D4', '建议处理')} 建议处理:  → 申请核销`,
    `差异!${book.cell('D4', '核销')} 核销:  → 2026-03-31`,
  ]);
  expect(await eventsOf()).toEqual([
    'D1 assigned 李娜',
    'D1 explained 李娜',
    'D1 action_proposed 李娜',
    'D1 noted 李娜',
    'D2 assigned 李娜',
    'D3 resolved 李娜',
    'D4 write_off_proposed 李娜',
  ]);
  expect((await verifyTrail(database.db)).faults).toEqual([]);
  const next = await nightsBook('2026-03-02');
  const row = (reference: string): unknown[] =>
    ['处理状态', '负责人', '原因', '备注', '建议处理', '核销'].map((title) => next.value(reference, title));
  expect(row('D1')).toEqual(['已说明', '赵敏', '三月 5 日补记', '已致电 平台', '补记企业账', undefined]);
  expect(row('D2')).toEqual(['处理中', '赵敏', undefined, undefined, undefined, undefined]);
  // A night of the day on which it was resolved finds it again.
  expect(row('D3')).toEqual(['未处理', undefined, 'V-2381 已补记', undefined, undefined, undefined]);
  expect(row('D4')).toEqual([
    '未处理',
    undefined,
    '尾差',
    undefined,
    '申请核销',
    '至 2026-03-31，李娜 申请，待复核',
  ]);
  expect(await importFile(database.db, next.path)).toMatchObject({ status: 0, cells: [], unchanged: 0 });
});

test('the same file once more changes nothing, also when a night or the approval came in between', async () => {
  const filled = await book.fill(folder.path('filled.xlsx'), FILLED);
  await importFile(database.db, filled);
  const events = await eventsOf();
  const again = { status: 0, cells: [], conflicts: [], unchanged: 4 };
  expect(await importFile(database.db, filled)).toMatchObject(again);
  await books.night('2026-03-02');
  expect(await importFile(database.db, filled, { day: '2026-03-03' })).toMatchObject(again);
  expect(await eventsOf()).toEqual(events);
  const saying = { kind: 'approve' } as const;
  await sayOf(database.db, { day: '2026-03-03', by: '王伟', saying, references: ['D4'] });
  expect(await importFile(database.db, filled, { day: '2026-03-03' })).toMatchObject(again);
});

test('a last day that the spreadsheet took for a date, or that has strokes, is that day once more too', async () => {
  const text = await book.fill(folder.path('text.xlsx'), {
    D3: { ...FILLED.D4, 核销: '2026/3/31' },
    D4: FILLED.D4,
  });
  const filled = await editSheet(text, folder.path('dates.xlsx'), { sheet: '差异', edit: asDate });
  const days = (reference: string): string => `差异!${book.cell(reference, '核销')} 核销:  → 2026-03-31`;
  const done = await importFile(database.db, filled);
  expect('cells' in done && done.cells.filter((cell) => cell.includes(' 核销: '))).toEqual([
    days('D3'),
    days('D4'),
  ]);
  const again = { status: 0, cells: [], conflicts: [], unchanged: 2 };
  expect(await importFile(database.db, filled)).toMatchObject(again);

  function asDate(xml: string): string {
    const style = new RegExp(`<c r="${book.cell('D4', '首次发现')}" (s="\\d+")`).exec(xml)?.[1] ?? '';
    const cell = book.cell('D4', '核销');
    return xml.replace(new RegExp(`<c r="${cell}".*?</c>`, 's'), `<c r="${cell}" ${style}><v>46112</v></c>`);
  }
});

test.each([
  '2026年3月31日',
  '2026 年 03 月 31 日',
  '2026.3.31',
  '２０２６／３／３１',
  '２０２６－０３－３１',
])('a last day may be written %s', async (day) => {
  const filled = await book.fill(folder.path('day.xlsx'), { D4: { ...FILLED.D4, 核销: day } });
  const done = await importFile(database.db, filled, { dryRun: true });
  expect('cells' in done && done.cells).toContain(`差异!${book.cell('D4', '核销')} 核销:  → 2026-03-31`);
});

test('a cell that two people changed differently is shown and stays; what they agree on or did apart is no conflict', async () => {
  const filled = await book.fill(folder.path('filled.xlsx'), FILLED);
  const by = '王伟';
  const day = '2026-03-02';
  const explain = { kind: 'explain', reason: '重复' } as const;
  await sayOf(database.db, { day, by, saying: explain, references: ['D1'] });
  await sayOf(database.db, { day, by, saying: { kind: 'assign', to: '赵敏' }, references: ['D2'] });
  await sayOf(database.db, { day, by, saying: { kind: 'note', text: '见邮件' }, references: ['D3'] });
  const done = await importFile(database.db, filled);
  expect(done).toMatchObject({ status: 1, unchanged: 1 });
  expect('conflicts' in done && done.conflicts).toEqual([
    `差异!${book.cell('D1', '原因')} 原因: 重复 ≠ 三月 5 日补记, 王伟 said so on 2026-03-02 10:00:00`,
  ]);
  expect((await eventsOf()).slice(3)).toEqual([
    'D1 assigned 李娜',
    'D1 action_proposed 李娜',
    'D1 noted 李娜',
    'D3 resolved 李娜',
    'D4 write_off_proposed 李娜',
  ]);
  const text = 'text' in done ? done.text : '';
  expect(text).toMatch(/^conflict +id +column +was +is +file +because$/m);
  expect(text).toContain('; 1 cell conflicts and stays as it is');
});

test('a write-off in force is proposed anew by a later day, and stays in force until that is approved', async () => {
  const on = { day: '2026-03-02', references: ['D4'] };
  const saying = { kind: 'write-off', reason: '尾差', expires: '2026-03-31' } as const;
  await sayOf(database.db, { ...on, by: '李娜', saying });
  await sayOf(database.db, { ...on, by: '王伟', saying: { kind: 'approve' } });
  const next = await nightsBook('2026-03-02');
  const filled = await next.fill(folder.path('longer.xlsx'), {
    D4: { 建议处理: '申请核销', 核销: '2026-06-30' },
  });
  const done = await importFile(database.db, filled, { day: '2026-03-03' });
  expect(done).toMatchObject({ status: 0, conflicts: [] });
  const later = await nightsBook('2026-03-03');
  expect(['处理状态', '原因', '建议处理', '核销'].map((title) => later.value('D4', title))).toEqual([
    '已核销',
    '尾差',
    '申请核销',
    '至 2026-03-31，李娜 申请，王伟 复核 / 至 2026-06-30，李娜 申请，待复核',
  ]);
  expect(await importFile(database.db, filled, { day: '2026-03-04' })).toMatchObject({
    cells: [],
    unchanged: 1,
  });
});

test('a file that would be worded otherwise by now is taken as it was written; a cell that was changed is not', async () => {
  await database.db.updateTable('account').set({ name: '旧名公司' }).execute();
  const older = await nightsBook('2026-03-02');
  await database.db.updateTable('account').set({ name: '新名公司' }).execute();
  const taken = await importFile(
    database.db,
    await older.fill(folder.path('older.xlsx'), { D1: { 备注: '昨晚打开的表' } }),
    { day: '2026-03-03' },
  );
  expect(taken).toMatchObject({ status: 0, conflicts: [] });
  expect(await eventsOf()).toEqual(['D1 noted 李娜']);
  const changed = await older.fill(folder.path('changed.xlsx'), { D2: { 户名: '别的公司', 备注: '好' } });
  expect(await importFile(database.db, changed, { day: '2026-03-03' })).toEqual([
    `差异!${older.cell('D2', '户名')} "别的公司": "户名" is not to be changed: put "新名公司" back`,
  ]);
});

test('a file of a version that kept no digest of its cells says what to do where one is worded otherwise', async () => {
  await database.db.updateTable('account').set({ name: '旧名公司' }).execute();
  const code = book.value('D1', '核对码');
  const run = await findRun(database.db, 'nightly-2026-03-01-v1');
  if (run === undefined) throw new Error('no night');
  const trail = trailOfRun(run) ?? '0:';
  const written = { runId: run.run_id, trail, today: '2026-03-01', rows: 5 };
  const codes = ['D1', 'D2', 'D3', 'D4', 'D5'].map((reference) => {
    const breakId = String(book.value(reference, '差异编号'));
    return [reference, { 核对码: checkCode(written, { breakId, cells: undefined }) }] as const;
  });
  expect(String(code).split(' ')).toHaveLength(6);
  const old = await book.fill(folder.path('old.xlsx'), Object.fromEntries(codes));
  const faults = await importFile(database.db, old);
  expect(faults).toHaveLength(5);
  expect(Array.isArray(faults) && faults[0]).toContain(
    'where nobody changed it, an earlier version wrote the file: fill in a new one (recon breaks export)',
  );
});

test('what has ended or is of another amount by now is judged anew by a person, not by an older file', async () => {
  const filled = await book.fill(folder.path('filled.xlsx'), {
    D1: { 处理状态: '已说明', 原因: '补记' },
    D2: { 处理状态: '已说明', 原因: '补记', 备注: '见邮件' },
  });
  await books.entries(A, [
    { id: 'E1', amountFen: 100n, at: '2026-03-02 11:00:00', reference: 'D1' },
    { id: 'E2', amountFen: 150n, at: '2026-03-02 11:00:00', reference: 'D2' },
  ]);
  await books.night('2026-03-02');
  const done = await importFile(database.db, filled, { day: '2026-03-03' });
  expect('conflicts' in done && done.conflicts.map((line) => line.replace(/^.* ≠ /, ''))).toEqual([
    '已说明, it has ended on 2026-03-02',
    '补记, it has ended on 2026-03-02',
    '已说明, it was 2.00 (platform_only) and is 0.50 (amount) by now',
    '补记, it was 2.00 (platform_only) and is 0.50 (amount) by now',
  ]);
  expect(await eventsOf()).toEqual(['D2 noted 李娜']);
});
