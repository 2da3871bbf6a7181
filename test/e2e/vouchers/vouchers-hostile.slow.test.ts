/**
 * The hostile corpus through the whole of step 7 (I6–I8, P18): every answer a platform can give that is no honest slip.
 * The night finishes in bounded time, each file is named with its reason, and the honest ones beside them are filed.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { VoucherReport } from '../../../jobs/night/vouchers/voucher-step.ts';
import type { VoucherSeed } from '../../../src/sandbox/vouchers/voucher-schema.ts';
import { VoucherNight } from '../../helpers/company/voucher-night.ts';

type Kind = NonNullable<VoucherSeed['as']>;

/** What is given, and what becomes of the order: its state, its file, and the words that say why. */
const CORPUS: readonly [Kind, string, RegExp][] = [
  ['slip', 'filed whole', /^$/],
  ['data_uri', 'filed whole', /^$/],
  ['wrong_offsets', 'filed whole', /^$/],
  ['javascript', 'filed whole', /^$/],
  ['launch', 'filed whole', /^$/],
  ['embedded_file', 'filed whole', /^$/],
  ['wrong_order', 'filed whole', /^$/],
  ['encrypted', 'filed encrypted', /^it is encrypted$/],
  ['no_pages', 'filed damaged', /^it has no page$/],
  ['page_cycle', 'filed hostile', /leads back to itself/],
  ['page_tree_bomb', 'filed hostile', /leads back to itself/],
  ['many_objects', 'filed hostile', /more than 100000 objects|within 5 s/],
  ['huge_page_count', 'filed hostile', /within 5 s|more than 200 pages/],
  ['stated_page_count', 'filed whole', /^$/],
  ['deep_nesting', 'filed whole', /^$/],
  ['object_stream_bomb', 'filed hostile', /more than 128 MB|memory|within 5 s/],
  ['empty_list', 'due', /no file/],
  ['null_list', 'due', /no file/],
  ['no_file', 'due', /holds no file/],
  ['file_number', 'due', /holds no file/],
  ['line_breaks', 'due rejected', /Base64/],
  ['url_safe', 'due rejected', /Base64/],
  ['bad_base64', 'due rejected', /Base64/],
  ['zero_bytes', 'due rejected', /empty/],
  ['html', 'due rejected', /%PDF-/],
  ['truncated', 'due rejected', /%%EOF/],
  ['no_end', 'due rejected', /%%EOF/],
  ['leading_junk', 'due rejected', /%PDF-/],
  ['trailing_junk', 'due rejected', /follows/],
  ['oversize', 'due rejected', /larger/],
];

let vouchers: VoucherNight;
let report: VoucherReport;
let tookMs: number;
let heaviestBytes = 0;
const outcomes = new Map<string, { became: string; why: string }>();

beforeAll(async () => {
  vouchers = await VoucherNight.open({
    profile: { http: { rate: { perSecond: 1_000, concurrency: 4 }, maxAttempts: 1 } },
  });
  await vouchers.deposits('2026-03-01', ...CORPUS.map(([kind]) => kind));
  vouchers.night.sandbox.planVouchers(
    CORPUS.map(([kind]) => ({
      number: kind,
      as: kind,
      ...(kind === 'object_stream_bomb' && { bytes: 700_000_000 }),
    })),
  );
  const watch = setInterval(() => (heaviestBytes = Math.max(heaviestBytes, process.memoryUsage.rss())), 20);
  const startedMs = performance.now();
  report = await vouchers.archive();
  tookMs = performance.now() - startedMs;
  clearInterval(watch);
  const rows = await vouchers.night.db.selectFrom('voucher_due').selectAll().execute();
  const files = await vouchers.night.db.selectFrom('voucher').selectAll().execute();
  for (const { number, state, reason } of rows) {
    const file = files.find((candidate) => candidate.number === number);
    const became = file === undefined ? state : `${state} ${file.condition}`;
    outcomes.set(number, { became, why: state === 'filed' ? (file?.remark ?? '') : reason });
  }
}, 300_000);
afterAll(() => vouchers.close());

test.each(CORPUS)('%s: %s', (kind, became, why) => {
  const outcome = outcomes.get(kind);
  expect(outcome?.became).toMatch(new RegExp(`^${became}$`));
  expect(outcome?.why).toMatch(why);
});

test('each of them is counted once, and none is left over', () => {
  const states = [...outcomes.values()].map(({ became }) => became);
  expect(outcomes.size).toBe(30);
  expect(report).toMatchObject({ due: 30, asked: 30, unanswered: 0, leftOver: 0, givenUp: 0 });
  expect(report.fetched).toBe(states.filter((became) => became.startsWith('filed')).length);
  expect(report.rejected).toBe(10);
  expect(report.missing).toBe(4);
});

test('the bundle holds all thirty orders: the honest ones merged, a page for each of the others', async () => {
  expect(report.bundles).toHaveLength(1);
  const text = await readFile(path.join(vouchers.night.home, 'bundles/2026-03/P/index.csv'), 'utf8');
  const statuses = new Map(
    text
      .trimEnd()
      .split(/\r?\n/)
      .map((row) => row.split(','))
      .map((cells) => [cells[3], cells.at(-2)]),
  );
  expect(statuses.size - 1).toBe(30);
  expect(
    ['slip', 'javascript', 'encrypted', 'no_pages', 'page_cycle', 'html', 'empty_list'].map((kind) =>
      statuses.get(kind),
    ),
  ).toEqual(['merged', 'merged', 'encrypted', 'damaged', 'hostile', 'missing', 'missing']);
});

test('I6: the night takes bounded time and memory', () => {
  // Six files at most are killed on time, after five seconds each; the rest is starting threads on a busy machine.
  expect(tookMs).toBeLessThan(150_000);
  expect(heaviestBytes).toBeLessThan(2_500_000_000);
});
