/** Charts on the summary: over which cells, and what they show. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFinding, anAccount, aRun, aRunAccount, at } from '../helpers/company/run-rows.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { findAll, parseXml, textOf } from '../helpers/xml.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';

const folder = await testFolder();
const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'];
const [A, B] = ['3100000001', '3100000002'];
let database: TestDatabase;
let book: PublishedBook;
let charts: { formulas: string[]; values: string[] }[];

const runOf = (day: string): string => `nightly-${day}-v1`;

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await anAccount(db, { account_no: A, name: '甲公司' });
  await anAccount(db, { account_no: B, name: '乙公司' });
  for (const [n, day] of DAYS.entries()) {
    await aRun(db, {
      run_id: runOf(day),
      from_day: day,
      to_day: day,
      verdict: 'breaks',
      started_at: at(`${day} 23:00:00`),
    });
    const of = { run_id: runOf(day), verdict: 'breaks' } as const;
    await aRunAccount(db, {
      ...of,
      account_no: A,
      platform_fen: 10_000n * BigInt(n + 1),
      unexplained_fen: -100n,
    });
    if (n > 0) await aRunAccount(db, { ...of, account_no: B, platform_fen: 500_000n, unexplained_fen: 50n });
  }
  const found = (breakId: string, ageDays: number, itemClass: 'amount' | 'platform_only') =>
    aFinding(db, {
      run_id: runOf('2026-03-03'),
      account_no: A,
      break_id: breakId,
      class: itemClass,
      age_days: ageDays,
    });
  await found('B1', 0, 'amount');
  await found('B2', 1, 'amount');
  await found('B3', 2, 'platform_only');
  await found('B4', 31, 'amount');
  // A night that is proven later is no part of it, and neither is a version that came after it.
  await aRun(db, {
    run_id: 'nightly-2026-03-02-v2',
    from_day: '2026-03-02',
    to_day: '2026-03-02',
    version: 2,
    verdict: 'breaks',
    started_at: at('2026-03-04 23:00:00'),
  });
  await aRunAccount(db, { run_id: 'nightly-2026-03-02-v2', account_no: A, platform_fen: 1n });
  const path = folder.path('charts.xlsx');
  book = await publish(db, { runId: runOf('2026-03-03'), path });
  const { parts } = await readWorkbook(path);
  charts = [1, 2, 3, 4].map((n) => {
    const xml = parseXml(parts.get(`xl/charts/chart${n}.xml`)?.toString('utf8') ?? '');
    return { formulas: findAll(xml, 'c:f').map(textOf), values: findAll(xml, 'c:v').map(textOf) };
  });
});
afterAll(() => database.close());

/** What stands in the cells of a reference to one column of the summary. */
function cellsOf(reference: string): unknown[] {
  const [, column = '', first = '', last = first] =
    /^'汇总'!\$([A-Z]+)\$(\d+)(?::\$[A-Z]+\$(\d+))?$/.exec(reference) ?? [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) =>
    book.value('汇总', `${column}${Number(first) + n}`),
  );
}

test('breaks by class and by age are drawn from the cells that count them', () => {
  const [classes, ages] = charts;
  expect(classes?.values).toEqual(['笔数', '金额不符', '平台有企业无', '3', '1']);
  expect(ages?.values).toEqual(['笔数', '0–1 天', '2–7 天', '8–30 天', '30 天以上', '2', '1', '0', '1']);
  const total = book.names.get('recon_breaks_count');
  expect(total).toBeDefined();
});

test('balances and what nobody can explain are those of the nights that stood when the run began', () => {
  const [, , balances, unexplained] = charts;
  expect(balances?.values).toEqual([
    `${B} 乙公司`,
    '46082',
    '46083',
    '46084',
    '5000.00',
    '5000.00',
    `${A} 甲公司`,
    '46082',
    '46083',
    '46084',
    '100.00',
    '200.00',
    '300.00',
  ]);
  expect(unexplained?.values.slice(-3)).toEqual(['1.00', '1.50', '1.50']);
});

test('each chart keeps the values of its cells', () => {
  for (const { formulas, values } of charts) {
    const cells = formulas.flatMap(cellsOf).filter((value) => value !== '—');
    expect(cells).toEqual(values.map((value) => (/^-?[\d.]+$/.test(value) ? Number(value) : value)));
  }
});

test('a run with nothing to draw has no chart', async () => {
  const { db } = database;
  await aRun(db, {
    run_id: 'nightly-2026-01-01-v1',
    from_day: '2026-01-01',
    to_day: '2026-01-01',
    verdict: 'reconciled',
  });
  await aRunAccount(db, { run_id: 'nightly-2026-01-01-v1', account_no: A });
  const path = folder.path('none.xlsx');
  await publish(db, { runId: 'nightly-2026-01-01-v1', path });
  const { parts } = await readWorkbook(path);
  expect([...parts.keys()].filter((name) => name.includes('chart'))).toEqual([]);
});
