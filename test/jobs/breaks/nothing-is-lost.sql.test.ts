/** What a filled-in row asks for is done, or is told with its cell: no wish ends in "so already". */
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Saying } from '../../../jobs/breaks/say.ts';
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
let copies = 0;

/** Four deposits: the books lack three of them, and have one with another amount. */
beforeEach(async () => {
  await database?.close();
  database = await testDatabase();
  books = new Books(database.db);
  const opening = '2026-03-01 00:00:00';
  await books.account(A, { fen: 100_000n, at: opening });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 100_000n, at: opening }]);
  await books.proven(A, '2026-03-01', '2026-03-06');
  const deposits = [100n, 200n, 300n, 400n].map((amountFen, n) => ({
    orderNo: `D${n + 1}`,
    at: '2026-03-01 09:00:00',
    amountFen,
  }));
  await books.deposits(A, deposits);
  await booked(390n);
  for (let day = 2; day <= 5; day++)
    await books.balance(A, { at: `2026-03-0${day} 00:00:10`, fen: 101_000n });
  await books.night('2026-03-01');
});
afterAll(() => database.close());

function booked(amountFen: bigint): Promise<void> {
  return books.entries(A, [{ id: 'E4', amountFen, at: '2026-03-01 09:00:00', reference: 'D4' }]);
}

async function nightsBook(day: string): Promise<FilledBook> {
  const { runId } = await books.night(day);
  const path = folder.path(`${runId}.xlsx`);
  await publish(database.db, { runId, path });
  return FilledBook.open(path);
}

function said(reference: string, saying: Saying, by = '李娜'): Promise<void> {
  return sayOf(database.db, { day: '2026-03-02', by, references: [reference], saying });
}

type Rows = Parameters<FilledBook['fill']>[1];

/** What the file comes to on the third. */
async function filled(book: FilledBook, rows: Rows, by = '李娜'): ReturnType<typeof importFile> {
  const path = await book.fill(folder.path(`copy-${++copies}.xlsx`), rows);
  return importFile(database.db, path, { day: '2026-03-03', by });
}

/** Events of people: `D1 noted 李娜`. */
async function eventsOf(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('break_event as e')
    .innerJoin('break as b', 'b.break_id', 'e.break_id')
    .select(['b.reference', 'e.event', 'e.actor'])
    .where('e.run_id', 'is', null)
    .orderBy('e.trail_no')
    .execute();
  return rows.map((row) => `${row.reference} ${row.event} ${row.actor}`);
}

const PROPOSED = { kind: 'write-off', reason: '尾差', expires: '2026-03-31' } as const;

test('a write-off that was proposed is not taken back by a cell that was emptied, and that is told', async () => {
  await said('D1', PROPOSED);
  await said('D2', { kind: 'explain', reason: '平台补单' });
  await said('D2', PROPOSED);
  const book = await nightsBook('2026-03-02');
  const at = (reference: string, title: string): string => `差异!${book.cell(reference, title)}`;
  const told =
    'a write-off that was proposed is not taken back so: choose "已说明" or "已解决" with its reason in its place, or put back what stood there';
  expect(await filled(book, { D1: { 建议处理: null } })).toEqual([`${at('D1', '建议处理')}: ${told}`]);
  expect(await filled(book, { D2: { 建议处理: '联系平台' } })).toEqual([
    `${at('D2', '建议处理')} "联系平台": ${told}`,
  ]);
  expect(await filled(book, { D1: { 核销: null } }, '王伟')).toEqual([`${at('D1', '核销')}: ${told}`]);
  expect(await eventsOf()).toHaveLength(3);
  const instead = { 处理状态: '已说明', 原因: '平台重复推送', 建议处理: null };
  expect(await filled(book, { D1: instead, D2: { 原因: '平台迟到', 建议处理: '联系平台' } })).toMatchObject({
    status: 0,
    conflicts: [],
  });
  expect((await eventsOf()).slice(3)).toEqual([
    'D1 explained 李娜',
    'D2 explained 李娜',
    'D2 action_proposed 李娜',
  ]);
});

test('a write-off that was taken back in the file and approved meanwhile is a conflict', async () => {
  await said('D1', PROPOSED);
  const book = await nightsBook('2026-03-02');
  await said('D1', { kind: 'approve' }, '王伟');
  const place = `差异!${book.cell('D1', '建议处理')} 建议处理`;
  expect(await filled(book, { D1: { 建议处理: null } })).toMatchObject({
    status: 1,
    conflicts: [`${place}:  ≠ , 王伟 approved the write-off on 2026-03-02 10:00:00`],
  });
});

test('what is explained does not go back to being worked on, and that is told', async () => {
  await said('D1', { kind: 'assign', to: '赵敏' });
  await said('D1', { kind: 'explain', reason: '平台补单' });
  const book = await nightsBook('2026-03-02');
  expect(await filled(book, { D1: { 处理状态: '处理中' } })).toEqual([
    `差异!${book.cell('D1', '处理状态')} "处理中": cannot be together with the rest of the row: it would be "已说明"`,
  ]);
});

test('a write-off that was proposed until a day that is over stands in the way of nothing', async () => {
  await said('D1', { ...PROPOSED, expires: '2026-03-02' });
  const over = await nightsBook('2026-03-03');
  await said('D1', { kind: 'note', text: '已致电' }, '王伟');
  const done = await filled(over, { D1: { 建议处理: '联系平台', 负责人: '赵敏' } });
  expect(done).toMatchObject({ status: 0, conflicts: [] });
  expect((await nightsBook('2026-03-04')).value('D1', '建议处理')).toBe('联系平台');
});

test('a write-off of another amount is proposed anew, by the same words and whatever else the row says', async () => {
  await said('D4', PROPOSED);
  await booked(380n);
  const book = await nightsBook('2026-03-02');
  expect(book.value('D4', '差额')).toBe(0.2);
  const row = { 负责人: '赵敏', 建议处理: '申请核销', 原因: '尾差', 核销: '2026-03-31' };
  expect(await filled(book, { D4: row })).toMatchObject({ status: 0, conflicts: [] });
  expect(await eventsOf()).toEqual([
    'D4 write_off_proposed 李娜',
    'D4 assigned 李娜',
    'D4 write_off_proposed 李娜',
  ]);
  expect((await nightsBook('2026-03-03')).value('D4', '建议处理')).toBe('申请核销');
});

/** Reason, remark and the reason of the last write-off of each break of which anything was said, as they are stored. */
async function wordsOf(): Promise<Record<string, string[]>> {
  const rows = await database.db
    .selectFrom('break_event as e')
    .innerJoin('break as b', 'b.break_id', 'e.break_id')
    .select(['b.reference', 'e.work'])
    .where('e.work', 'is not', null)
    .orderBy('e.trail_no')
    .execute();
  return Object.fromEntries(
    rows.map(({ reference, work }) => [
      reference,
      [work?.reason ?? '', work?.note ?? '', work?.writeOff?.reason ?? ''],
    ]),
  );
}

test('numbers that the sheet masks are kept whole as they were written, and are no other text the next time', async () => {
  const text = '客户 13812345678 退回';
  await said('D3', { kind: 'explain', reason: text });
  await said('D4', { ...PROPOSED, reason: text });
  const book = await nightsBook('2026-03-02');
  expect(book.value('D3', '原因')).toBe('客户 138****5678 退回');
  const rows = {
    D1: { 处理状态: '已说明', 原因: text },
    D2: { 备注: text },
    D3: { 处理状态: '已解决' },
    D4: { 核销: '2026-06-30' },
  };
  const done = await filled(book, rows);
  expect(done).toMatchObject({ status: 0, conflicts: [], unchanged: 0 });
  expect('text' in done && done.text).not.toContain('13812345678');
  expect(await wordsOf()).toEqual({
    D1: [text, '', ''],
    D2: ['', text, ''],
    D3: [text, '', ''],
    D4: ['', '', text],
  });
  expect(await filled(book, rows)).toMatchObject({ status: 0, cells: [], conflicts: [], unchanged: 4 });
});

test('a masked text that was written on keeps its number, and another number is another text', async () => {
  await said('D1', { kind: 'explain', reason: '电 13812345678' });
  await said('D2', { kind: 'note', text: '电 13812345678' });
  const book = await nightsBook('2026-03-02');
  const rows = { D1: { 原因: '电 138****5678，已退' }, D2: { 备注: '电 13899995678' } };
  expect(await filled(book, rows)).toMatchObject({ status: 0, conflicts: [] });
  expect(await wordsOf()).toEqual({ D1: ['电 13812345678，已退', '', ''], D2: ['', '电 13899995678', ''] });
});

test('a long number that a spreadsheet shortened is told, in what is filled in and elsewhere', async () => {
  const book = await nightsBook('2026-03-02');
  const at = (title: string): string => `差异!${book.cell('D1', title)}`;
  const told =
    'was taken for a number by the spreadsheet and lost digits: fill in the .xlsx file (recon breaks export), where numbers are texts';
  expect(await filled(book, { D1: { 账户: '6.217E+18', 备注: '3.1E+17' } })).toEqual([
    `${at('账户')} "6.217E+18": ${told}`,
    `${at('备注')} "3.1E+17": ${told}`,
  ]);
  expect(await eventsOf()).toEqual([]);
});

test('a day in a text is that day, without a time that nobody wrote', async () => {
  const book = await nightsBook('2026-03-02');
  const path = await editSheet(book.path, folder.path('typed-day.xlsx'), {
    sheet: '差异',
    edit: (xml) =>
      xml.replace(
        new RegExp(`<c r="${book.cell('D1', '备注')}".*?(?:/>|</c>)`),
        `<c r="${book.cell('D1', '备注')}" t="d"><v>2026-03-05T00:00:00</v></c>`,
      ),
  });
  expect(await importFile(database.db, path, { day: '2026-03-03' })).toMatchObject({
    cells: [`差异!${book.cell('D1', '备注')} 备注:  → 2026-03-05`],
  });
});
