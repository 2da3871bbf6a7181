/** What the next workbook says of a signed period: by whom, when, its digest, and what the statement goes on from. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPeriodEvents } from '../../../src/store/periods/sign-offs.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { publish, statementOf } from '../../reports/publish.ts';
import type { PublishedBook } from '../../reports/publish.ts';
import { DAY, WITH_OPEN, firstOfMarch, sectionOf, sign } from './signed-world.ts';

const folder = await testFolder();
let database: TestDatabase;
let digest = '';
const book: Record<string, PublishedBook> = {};

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  const books = await firstOfMarch(db);
  await sign(db, DAY, { by: '李娜', ...WITH_OPEN });
  digest = (await listPeriodEvents(db, DAY))[0]?.details.digest ?? '';
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_570n });
  await books.deposits('A1', [{ orderNo: 'D3', at: '2026-03-01 13:00:00', amountFen: 30n }]);
  await books.night(DAY);
  await books.night('2026-03-02');
  const read = async (name: string, runId: string): Promise<void> => {
    book[name] = await publish(db, { runId, path: folder.path(`${name}.xlsx`) });
  };
  await read('signed', 'nightly-2026-03-01-v1');
  await read('next', 'nightly-2026-03-02-v1');
  await read('other', 'nightly-2026-03-01-v2');
});
afterAll(() => database.close());

const section = (name: string, title: string): unknown[][] => sectionOf(book[name], title);

test('the next workbook says that the day is signed off, by whom, when, and its digest', () => {
  const [, , row] = section('next', '签核');
  expect(row?.slice(0, 3)).toEqual([DAY, '李娜', '李娜']);
  expect(row?.slice(4)).toEqual([1, 'nightly-2026-03-01-v1', 'with the platform', digest]);
});

test('the workbook that was signed says nothing of it: it was written before, and is written the same again', () => {
  expect(section('signed', '签核')).toEqual([]);
});

test('another version of a signed day says that it is another one', () => {
  expect(section('other', '签核').at(-1)).toEqual([
    '注意：2026-03-01 签核的是 nightly-2026-03-01-v1，本表是另一版。',
  ]);
});

test('a night that knows of another version of a signed day says so', () => {
  expect(section('next', '签核').at(-1)).toEqual([
    '注意：2026-03-01 签核的 nightly-2026-03-01-v1 之后已重述为 nightly-2026-03-01-v2；请比较两版，撤回签核后重新签核。',
  ]);
  expect(section('next', '签核')).toHaveLength(4);
});

test('the statement goes on from the balances and items that were signed', () => {
  const rows = statementOf(book['next'] as PublishedBook, { sheet: '余额调节表', accountNo: 'A1' });
  expect(rows.slice(2, 4)).toEqual([
    [
      '上次签核（2026-03-01）：调节后企业账面余额',
      1_005.7,
      '上次签核（2026-03-01）：调节后平台余额',
      1_005.7,
    ],
    ['其时未达账项 0 笔，差额合计', 0, '其时差异 1 笔，差额合计', 0.7],
  ]);
});
