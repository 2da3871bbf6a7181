import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { aProvenDay, aRun, aRunAccount, aWindow } from '../helpers/company/run-rows.ts';
import { testFolder } from '../intake/in-folder.ts';
import { columnValues, publish } from './publish.ts';

const folder = await testFolder();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a run in which nothing happened is green, and every sheet without rows says so', async () => {
  const { db } = database;
  const runId = await aRun(db);
  await aRunAccount(db, { run_id: runId, account_no: 'A1' });
  await aWindow(db, { run_id: runId, account_no: 'A1', total: 0, distinct_count: 0, inside_count: 0 });
  await aProvenDay(db, { account_no: 'A1', day: '2026-03-01' });
  const book = await publish(db, { runId, path: folder.path('quiet.xlsx') });
  expect(book.value('汇总', 'A3')).toBe('结论：已对平');
  expect(book.value('未达账项', 'A7')).toBe('没有未达账项。');
  expect(book.value('未达账项', 'A11')).toBe('本期没有核销。');
  expect(book.value('差异', 'A6')).toBe('没有差异。');
  expect(book.value('差异', 'A10')).toBe('没有需关注事项。');
  expect(book.value('充值', 'A7')).toBe('本期没有充值。');
  expect(book.value('划付', 'A9')).toBe('本期没有划付、退款或结算。');
  expect(book.value('提现', 'A7')).toBe('本期没有提现。');
  expect(book.value('凭证', 'A8')).toBe('本次运行没有归档凭证。');
  const texts = [...book.sheet('汇总').cells.values()].map(({ value }) => value);
  expect(texts).toContain('没有差异。');
  expect(texts).toContain('所有账户均已对平。');
  expect(texts.filter((value) => value === '相符')).toHaveLength(9);
  expect(texts.filter((value) => value === '不符')).toEqual([]);
});

test('a run without accounts is no green run', async () => {
  const { db } = database;
  const runId = await aRun(db, {
    run_id: 'nightly-2026-03-02-v1',
    from_day: '2026-03-02',
    to_day: '2026-03-02',
    verdict: null,
  });
  const book = await publish(db, { runId, path: folder.path('nobody.xlsx') });
  expect(book.value('汇总', 'A3')).toBe('结论：数据不完整');
  expect(book.value('余额调节表', 'A6')).toBe('本次运行没有账户。');
  expect(book.value('余额滚动', 'A7')).toBe('本次运行没有账户。');
  expect(columnValues(book, { sheet: '余额调节表', column: 'D', from: 3, to: 4 })).toEqual([0, 0]);
});
