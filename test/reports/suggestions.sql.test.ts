/** For each break a sentence of what it probably is, from what the run found, in yuan and in both languages. */
import type { ItemRow } from '../../reports/read/read-items.ts';
import { suggestionText } from '../../reports/sheets/suggestion.ts';
import type { Locale } from '../../reports/words/terms.ts';
import { wordsOf } from '../../reports/words/words-of-report.ts';
import { listSuggestedBreaks } from '../../jobs/breaks/suggested-breaks.ts';
import { listsOfRun } from '../../jobs/night/publish/result-lists.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';

const folder = await testFolder();
const [A, B] = ['6217000000000000001', '6217000000000000002'];
let database: TestDatabase;
let run: string;
let chinese: PublishedBook;
let english: PublishedBook;

const at = '2026-03-01 09:00:00';

/** Two accounts, and everything that goes wrong in a day between people and a platform. */
beforeAll(async () => {
  database = await testDatabase();
  const books = new Books(database.db);
  for (const account of [A, B]) {
    await books.account(account, { fen: 1_000_000n, at: '2026-03-01 00:00:00' });
    const opening = {
      id: `O${account}`,
      kind: 'opening',
      amountFen: 1_000_000n,
      at: '2026-03-01 00:00:00',
    } as const;
    await books.entries(account, [opening]);
    await books.proven(account, '2026-03-01', '2026-03-03');
  }
  for (const [accountNo, name] of [
    [A, '甲公司'],
    [B, '乙公司'],
  ] as const)
    await database.db.updateTable('account').set({ name }).where('account_no', '=', accountNo).execute();
  const deposits: Record<string, bigint> = {
    SWAP: 459_000n,
    SHIFT: 12_300n,
    DIGIT: 12_300n,
    LESS: 10_000n,
    TWICE: 82_000n,
    WRONG: 300_000n,
    LOST: 128_800n,
    HALF: 66_600n,
    AWAY: 77_700n,
  };
  await books.deposits(
    A,
    Object.entries(deposits).map(([orderNo, amountFen]) => ({ orderNo, at, amountFen })),
  );
  const entry = (id: string, reference: string, amountFen: bigint) => ({ id, reference, amountFen, at });
  await books.entries(A, [
    entry('E1', 'SWAP', 495_000n),
    entry('E2', 'SHIFT', 123_000n),
    entry('E3', 'DIGIT', 12_800n),
    entry('E4', 'LESS', 8_766n),
    entry('E5', 'TWICE', 82_000n),
    entry('E6', 'TWICE', 82_000n),
    entry('E7', 'NONE', 5_500n),
    entry('E8', 'HALV', 66_600n),
  ]);
  await books.entries(B, [entry('F1', 'WRONG', 300_000n), entry('F2', 'AWAI', 77_700n)]);
  const sum = Object.values(deposits).reduce((fen, one) => fen + one, 1_000_000n);
  await books.balance(A, { at: '2026-03-02 00:00:10', fen: sum });
  await books.balance(B, { at: '2026-03-02 00:00:10', fen: 1_000_000n });
  const { runId } = await books.night('2026-03-01');
  run = runId;
  chinese = await publish(database.db, { runId, path: folder.path('zh.xlsx') });
  english = await publish(database.db, { runId, path: folder.path('en.xlsx'), locale: 'en' });
});
afterAll(() => database.close());

/** What the rows say, by the account and the number that they are about. */
function said(book: PublishedBook, sheet: string): Record<string, unknown> {
  const rows: Record<string, unknown> = {};
  for (const [address, { value }] of book.sheet(sheet).cells) {
    const row = address.slice(1);
    if (!/^C\d+$/.test(address) || !String(value).startsWith('6217')) continue;
    const account = String(value) === A ? 'A' : 'B';
    rows[`${account} ${String(book.value(sheet, `P${row}`))}`] = book.value(sheet, `F${row}`);
  }
  return rows;
}

/** What happened stands before what it probably is. */
function ending(suggestions: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(suggestions).map(([row, text]) => [row, expect.stringContaining(text) as unknown]),
  );
}

test('in Chinese', () => {
  expect(said(chinese, '差异')).toEqual(
    ending({
      'A SWAP': '疑似数字颠倒：4,590.00 / 4,950.00',
      'A SHIFT': '疑似小数点错位：123.00 / 1,230.00',
      'A DIGIT': '疑似一位数字记错：123.00 / 128.00',
      'A LESS': '企业账少记 12.34',
      'A TWICE': '疑似重复入账；同额另有一笔 E6',
      'A WRONG': `企业账记在账户 ${B} 乙公司；与账户 ${B} 的 F1 互为串户`,
      'B WRONG': `平台记在账户 ${A} 甲公司；与账户 ${A} 的 WRONG 互为串户`,
      'A LOST': '没有同额的已过账分录待匹配，疑似漏记 1,288.00',
      'A NONE': '平台没有同额的记录待匹配，55.00 疑似编号有误或并未发生',
      'A HALF': '候选：E8（666.00）',
      'A HALV': '候选：HALF（666.00）',
      'A AWAY': `账户 ${B} 乙公司 的 F2 金额相同，疑似串户`,
      [`B ${B}`]: '平台本期没有列出充值；企业账有 1 笔平台没有；企业账有 777.00 而平台没有列出',
      'B AWAI': `账户 ${A} 甲公司 的 AWAY 金额相同，疑似串户`,
    }),
  );
});

test('lists and documents say the same, of breaks that different runs found last too', async () => {
  const inBook = Object.fromEntries(
    Object.entries(said(chinese, '差异')).map(([row, text]) => [row, String(text)]),
  );
  const named = (found: { accountNo: string; reference: string; suggestion: string }) =>
    [`${found.accountNo === A ? 'A' : 'B'} ${found.reference}`, found.suggestion] as const;
  const { breaks } = listsOfRun(database.db, run, 'zh-CN');
  const ofResult = (await breaks.whole()).map(named);
  expect(ofResult).toHaveLength(Object.keys(inBook).length);
  expect(Object.fromEntries(ofResult)).toMatchObject({
    'A SWAP': '疑似数字颠倒：4,590.00 / 4,950.00',
    'A HALF': '候选：E8（666.00）',
    'B AWAI': `账户 ${A} 的 AWAY 金额相同，疑似串户`,
  });
  for (const [row, text] of ofResult)
    expect(inBook[row]?.replaceAll(/ [甲乙]公司/g, '').endsWith(text)).toBe(true);

  // The next night is about one account: it finds its breaks, the other's were found by the night before.
  const books = new Books(database.db);
  await books.balance(A, { at: '2026-03-03 00:00:10', fen: 3_000_000n });
  await books.night('2026-03-02');
  const of = { today: '2026-03-03', locale: 'en' as const, mask: String };
  const listed = await listSuggestedBreaks(database.db, { withClosed: true }, of).whole();
  const texts = Object.fromEntries(listed.map(({ shown }) => named(shown)));
  expect(texts).toMatchObject({ 'A HALF': 'candidates: E8 (666.00)', 'A TWICE': 'E6 has the same amount' });
});

test('of any number of equal amounts the first three are named and the others counted', () => {
  const row = { class: 'ambiguous', difference_fen: -60_000n, mirror_account: null, leg_account: null };
  const clues = { candidates: 'D1, D2, ', candidate_count: 40_000 };
  const text = (locale: Locale): string => suggestionText(wordsOf(locale), { ...row, ...clues } as ItemRow);
  expect(text('zh-CN')).toBe('候选：D1、D2、余额不明差异 等 40000 笔（600.00）');
  expect(text('en')).toBe('candidates: D1, D2, Unexplained balance difference and 39997 more (600.00)');
});

test('in English', () => {
  expect(said(english, 'Breaks')).toMatchObject(
    ending({
      'A SWAP': 'digits probably swapped: 4,590.00 / 4,950.00',
      'A TWICE': 'E6 has the same amount',
      'A LOST': 'no posted entry of that amount is unmatched: 1,288.00 probably not booked',
      'A HALF': 'candidates: E8 (666.00)',
    }),
  );
});
