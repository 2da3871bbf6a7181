/** The sheets of offsetting pairs, write-offs and prior-period changes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { say } from '../../jobs/breaks/work-on-breaks.ts';
import type { Clock } from '../../src/core/ports.ts';
import { aFinding, anAccount, aRun, aRunAccount, at } from '../helpers/company/run-rows.ts';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';

const folder = await testFolder();
const RUN = 'nightly-2026-03-01-v1';
const [A, B, C] = ['3100000001', '3100000002', '3100000003'];
let database: TestDatabase;
let book: PublishedBook;

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await aRun(db, { run_id: RUN, verdict: 'breaks' });
  for (const accountNo of [A, B, C]) {
    await anAccount(db, { account_no: accountNo, name: `户名 ${accountNo.slice(-1)}` });
    await aRunAccount(db, { run_id: RUN, account_no: accountNo, verdict: 'breaks' });
  }
  const found = (accountNo: string, breakId: string, fen: bigint, more: object = {}) =>
    aFinding(db, { run_id: RUN, account_no: accountNo, break_id: breakId, difference_fen: fen, ...more });
  await found(A, 'B1', 300n, { class: 'account', reference: 'D-1' });
  await found(B, 'B2', -300n, { class: 'account', reference: 'D-1' });
  // The same amount once more: it is no part of that pair.
  await found(A, 'B3', -300n, { reference: 'D-2' });
  await found(A, 'B4', 2_600n, { class: 'unexplained', reference: A, line: false });
  await found(A, 'B5', -2_600n, { class: 'ledger_only', reference: 'D-3' });
  await found(B, 'B6', 77n, { reference: 'D-4' });
  await found(C, 'B7', -77n, { reference: 'D-5' });
  await found(C, 'B8', 0n, {
    class: 'state_regression',
    reference: 'D-6',
    note: 'it had failed and is SUCCESS now',
  });
  const changed = { class: 'record_changed', line: false, platform_fen: 1_000_300n } as const;
  await found(C, 'B9', 0n, {
    ...changed,
    reference: 'D-7',
    note: 'was 1000000 fen, dated 2026-02-27 09:40:00',
  });
  await found(C, 'BA', 0n, {
    class: 'record_vanished',
    reference: 'D-8',
    line: false,
    platform_fen: 47_500n,
    platform_at: at('2026-02-26 10:00:00'),
  });
  book = await publish(db, { runId: RUN, path: folder.path('side.xlsx') });
});
afterAll(() => database.close());

const rows = (of: PublishedBook, sheet: string, columns: string, from: number, to: number): unknown[] =>
  Array.from({ length: to - from + 1 }, (_, at) =>
    columns.split('').map((column) => of.value(sheet, `${column}${from + at}`)),
  );

test('breaks that cancel out are pairs: of an order first, then within an account, then across', () => {
  expect(rows(book, '对冲', 'ABCDEFGHJ', 6, 9)).toEqual([
    ['同一业务编号', 3, A, '户名 1', '账户不符', 'D-1', B, '户名 2', 'D-1'],
    ['同一账户', 26, A, '户名 1', '余额不明差异', A, A, '户名 1', 'D-3'],
    ['不同账户', 0.77, B, '户名 2', '平台有企业无', 'D-4', C, '户名 3', 'D-5'],
    Array.from({ length: 9 }, () => undefined),
  ]);
  expect(rows(book, '对冲', 'AB', 4, 4)).toEqual([[3, 29.77]]);
  expect(book.cell('对冲', 'B4')?.formula).toBe("ROUND(SUM('对冲'!$B$6:$B$8),2)");
});

test('changes of earlier periods show what was recorded, what stands there now, and the difference', () => {
  expect(rows(book, '前期变动', 'BDEFGH', 6, 8)).toEqual([
    [C, '平台记录变更', 'D-7', 10_000, 10_003, 3],
    [C, '平台记录消失', 'D-8', 475, 0, -475],
    [C, '状态倒退', 'D-6', undefined, undefined, undefined],
  ]);
  expect(rows(book, '前期变动', 'AB', 4, 4)).toEqual([[3, -472]]);
  expect(book.value('前期变动', 'I8')).toBe(
    '订单（D-6，03-01 10:00）已有结果，平台又改为：成功。原已失败，现为成功',
  );
});

test('without rows each sheet says so in one line', () => {
  expect(book.value('调整', 'A7')).toBe('没有申请或批准的核销。');
  expect(rows(book, '调整', 'ABCD', 4, 5)).toEqual([
    ['笔数', 0, 0, 0],
    ['差额', 0, 0, 0],
  ]);
});

test('write-offs show who proposed and who approved; only approved ones count as such', async () => {
  const { db } = await testDatabase();
  const books = new Books(db);
  const account = '6217000000000000009';
  await books.account(account, { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.entries(account, [
    { id: 'E0', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' },
  ]);
  await books.proven(account, '2026-03-01', '2026-03-05');
  await books.deposits(account, [
    { orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 300n },
    { orderNo: 'D2', at: '2026-03-01 09:00:00', amountFen: 400n },
  ]);
  await books.balance(account, { at: '2026-03-02 00:00:10', fen: 100_700n });
  await books.balance(account, { at: '2026-03-03 00:00:10', fen: 100_700n });
  await books.night('2026-03-01');
  const clock: Pick<Clock, 'wall'> = { wall: () => at('2026-03-02 10:00:00') };
  const context = { db, clock: clock as Clock };
  const idOf = async (reference: string): Promise<string[]> =>
    (await db.selectFrom('break').select('break_id').where('reference', '=', reference).execute()).map(
      (row) => row.break_id,
    );
  for (const reference of ['D1', 'D2']) {
    await say(context, {
      selection: { breakIds: await idOf(reference) },
      saying: { kind: 'write-off', reason: '=尾差', expires: '2026-03-31' },
      speaker: { by: '李娜', today: '2026-03-02' },
    });
  }
  await say(context, {
    selection: { breakIds: await idOf('D1') },
    saying: { kind: 'approve' },
    speaker: { by: '王伟', today: '2026-03-02' },
  });
  const { runId } = await books.night('2026-03-02');
  const written = await publish(db, { runId, path: folder.path('write-offs.xlsx') });
  expect(rows(written, '调整', 'BEFHIJL', 7, 8)).toEqual([
    [account, 3, '已复核', '李娜', '王伟', '=尾差', '已核销'],
    [account, 4, '待复核', '李娜', undefined, '=尾差', '未处理'],
  ]);
  expect(written.cell('调整', 'J7')?.formula).toBeUndefined();
  expect(rows(written, '调整', 'ABCD', 4, 5)).toEqual([
    ['笔数', 2, 1, 1],
    ['差额', 7, 3, 4],
  ]);
  await say(context, {
    selection: { breakIds: await idOf('D1') },
    saying: { kind: 'write-off', reason: '延期', expires: '2026-06-30' },
    speaker: { by: '李娜', today: '2026-03-02' },
  });
  await books.balance(account, { at: '2026-03-04 00:00:10', fen: 100_700n });
  const extended = await books.night('2026-03-03');
  const later = await publish(db, { runId: extended.runId, path: folder.path('extended.xlsx') });
  // Each with its own reason: what is to be approved is not what was approved.
  expect(rows(later, '调整', 'EFHIJ', 7, 9)).toEqual([
    [3, '已复核', '李娜', '王伟', '=尾差'],
    [4, '待复核', '李娜', undefined, '=尾差'],
    [3, '再申请待复核', '李娜', undefined, '延期'],
  ]);
  // Two breaks of 7.00, and one of them is proposed anew: not three of 10.00.
  expect(rows(later, '调整', 'BCDE', 3, 5)).toEqual([
    ['合计', '已复核', '待复核', '再申请待复核'],
    [2, 1, 1, 1],
    [7, 3, 4, 3],
  ]);
});
