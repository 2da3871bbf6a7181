/** The sheet of breaks as a work list: what has one cause stands together, and what happened is said in words. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { aFinding, anAccount, aRun, aRunAccount, at } from '../helpers/company/run-rows.ts';
import { findAll } from '../helpers/xml.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';

const folder = await testFolder();
const RUN = 'nightly-2026-03-01-v1';
const [A, B] = ['3100000001', '3100000002'];
let database: TestDatabase;
let book: PublishedBook;
let english: PublishedBook;

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await aRun(db, { run_id: RUN, verdict: 'breaks' });
  for (const [accountNo, name] of [
    [A, '甲公司'],
    [B, '乙公司'],
  ] as const) {
    await anAccount(db, { account_no: accountNo, name });
    await aRunAccount(db, { run_id: RUN, account_no: accountNo, verdict: 'breaks' });
  }
  const of = { run_id: RUN, account_no: A } as const;
  const nothingOnPlatform = { platform_fen: null, platform_ref: '', platform_state: '', platform_at: null };
  await aFinding(db, { ...of, break_id: 'B-alone', reference: 'D-1', counterparty: '=1+1' });
  await aFinding(db, {
    ...of,
    break_id: 'B-here',
    class: 'account',
    reference: 'D-2',
    platform_fen: 300n,
    difference_fen: 300n,
    note: `booked on ${B}`,
  });
  await aFinding(db, {
    ...of,
    ...nothingOnPlatform,
    account_no: B,
    break_id: 'B-there',
    class: 'account',
    reference: 'D-2',
    ledger_fen: 300n,
    ledger_ref: 'E-2',
    ledger_at: at('2026-03-01 11:00:00'),
    difference_fen: -300n,
    note: `on the platform on ${A}`,
  });
  const alike = { ...of, class: 'ambiguous', difference_fen: 60_000n, platform_fen: 60_000n } as const;
  await aFinding(db, { ...alike, break_id: 'B-alike1', reference: 'D-3' });
  await aFinding(db, { ...alike, break_id: 'B-alike2', reference: 'D-4' });
  await aFinding(db, {
    ...of,
    ...nothingOnPlatform,
    break_id: 'B-booked',
    class: 'ledger_only',
    reference: 'D-9',
    ledger_fen: 2_600n,
    ledger_ref: 'E-9',
    ledger_at: at('2026-03-01 12:00:00'),
    difference_fen: -2_600n,
  });
  await aFinding(db, {
    ...of,
    break_id: 'B-more',
    class: 'unexplained',
    reference: A,
    platform_ref: '',
    platform_at: null,
    line: false,
    difference_fen: 2_600n,
  });
  await aFinding(db, {
    ...of,
    break_id: 'B-swapped',
    class: 'amount',
    reference: 'D-5',
    platform_fen: 459_000n,
    ledger_fen: 495_000n,
    ledger_ref: 'E-5',
    difference_fen: -36_000n,
    note: 'fee was 0 fen and is 1000 now; it had moved its money and is PROCESSING now',
  });
  book = await publish(db, { runId: RUN, path: folder.path('groups.xlsx') });
  english = await publish(db, { runId: RUN, path: folder.path('english.xlsx'), locale: 'en' });
});
afterAll(() => database.close());

const rows = (of: PublishedBook, sheet: string, columns: string): unknown[] =>
  Array.from({ length: 8 }, (_, at) =>
    columns.split('').map((column) => of.value(sheet, `${column}${at + 6}`)),
  );

test('what has one cause stands together under one number, with the name of each account', () => {
  expect(rows(book, '差异', 'ABCD')).toEqual([
    ['B-here', 1, A, '甲公司'],
    ['B-there', 1, B, '乙公司'],
    ['B-alike1', 2, A, '甲公司'],
    ['B-alike2', 2, A, '甲公司'],
    ['B-swapped', undefined, A, '甲公司'],
    ['B-booked', 3, A, '甲公司'],
    ['B-more', 3, A, '甲公司'],
    ['B-alone', undefined, A, '甲公司'],
  ]);
});

test('what happened is said in words, with number, entry, counterparty and time', () => {
  expect(rows(book, '差异', 'F').flat()).toEqual([
    `平台收到 3.00（D-2，03-01 10:00），记错账户。企业账记在账户 ${B} 乙公司；与账户 ${B} 的 E-2 互为串户`,
    `企业账记收 3.00（E-2，D-2，03-01 11:00），记错账户。平台记在账户 ${A} 甲公司；与账户 ${A} 的 D-2 互为串户`,
    '平台收到 600.00（D-3，03-01 10:00），与另一侧几笔相同金额无法一一对应',
    '平台收到 600.00（D-4，03-01 10:00），与另一侧几笔相同金额无法一一对应',
    '平台 4,590.00，企业账 4,950.00（D-5，E-5），金额不同。' +
      '手续费原为 0.00 元，现为 10.00 元；原已成功，现为处理中；疑似数字颠倒：4,590.00 / 4,950.00',
    '企业账记收 26.00（E-9，D-9，03-01 12:00），平台没有；候选：余额不明差异（26.00）',
    '平台余额多了 26.00，没有任何记录可以说明；候选：E-9（26.00）',
    '平台收到 10.00（D-1，=1+1，03-01 10:00），企业账没有；没有同额的已过账分录待匹配，疑似漏记 10.00',
  ]);
  expect(english.value('Breaks', 'F10')).toBe(
    'platform 4,590.00, ledger 4,950.00 (D-5, E-5): amounts differ; ' +
      'fee was 0.00 yuan and is 10.00 yuan now; it had moved its money and is in progress now; digits probably swapped: 4,590.00 / 4,950.00',
  );
});

test('fits A4: what only a system needs is folded away behind the columns of the accountant', () => {
  const { part } = book.sheet('差异');
  const hidden = findAll(part, 'col').filter(({ attributes }) => attributes.get('hidden') === '1');
  expect(hidden.map(({ attributes }) => attributes.get('min')).at(0)).toBe('14');
  expect(hidden.map(({ attributes }) => attributes.get('max')).at(-1)).toBe('28');
  expect(findAll(part, 'pageSetup')[0]?.attributes.get('paperSize')).toBe('9');
});

test('the run is found by a name, and the columns that are read back by their headers', () => {
  const place = book.names.get('recon_run') ?? '';
  expect(book.value('汇总', place.replace(/^.*!|\$/g, ''))).toBe(RUN);
  const headers = 'AIJKLM'.split('').map((column) => book.value('差异', `${column}5`));
  expect(headers).toEqual(['差异编号', '处理状态', '负责人', '原因', '备注', '建议处理']);
});

test.each([
  ['zh-CN', () => book],
  ['en', () => english],
] as const)('no word of a developer stands in the workbook (%s)', (_locale, written) => {
  const log = ['运行日志', 'Run'];
  const texts = written()
    .published.sheets.filter(({ name }) => !log.includes(name))
    .flatMap(({ name }) => [...written().sheet(name).cells.values()])
    .flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const foreign =
    /\d fen\b|\d 分(?!钟)|\dT\d\d:\d\d|\bUTC\b|\b(?:ACCOUNT|ORDER|PROCESSING|SUCCESS|FAIL|TRUE|FALSE)\b|[[{]"/;
  expect(texts.filter((text) => foreign.test(text))).toEqual([]);
  expect(
    [
      ...written()
        .sheet(written().published.sheets[4]?.name ?? '')
        .cells.values(),
    ].filter(({ type }) => type === 'b'),
  ).toEqual([]);
});
