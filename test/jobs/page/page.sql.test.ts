/** What the page shows, over HTTP from a real database: verdicts, what is open, and nothing that it must not show. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { at } from '../../helpers/company/run-rows.ts';
import { aNightUnderWay, anAttempt, manyNights, openBreaks, vouchersDue } from './page-rows.ts';
import { openPageStand } from './page-stand.ts';

const EN = { 'accept-language': 'en' };
const LAST = '2026-02-28';

/** The text of an element, without its markup. */
function textOf(page: string, pattern: RegExp): string {
  const found = pattern.exec(page)?.[0] ?? '';
  return found
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const night = /<section class="card night[^]*?<\/section>/;
const section = (id: string): RegExp =>
  new RegExp(`<section class="card" aria-labelledby="${id}">[^]*?</section>`);
const rowOf = (name: string): RegExp => new RegExp(`<tr[^>]*>\\s*<th[^>]*>${name}</th>[^]*?</tr>`);

test('an empty installation says what comes first, and draws neither calendar nor charts', async () => {
  await using stand = await openPageStand();
  const page = await (await stand.get('/', EN)).text();
  expect(page).toContain('No verdict yet');
  expect(page).toContain('The first verdict will stand here.');
  expect(page).toContain('Nothing is open.');
  expect(page).not.toContain('<svg');
  expect(page).not.toContain('class="month"');
});

test('the last night stands first, with its verdict in words, its sums and its accounts by verdict', async () => {
  await using stand = await openPageStand();
  await manyNights(stand.database.db, { nights: 10, accounts: 4, last: LAST });
  await sql`update run set verdict = 'breaks' where to_day = ${LAST}`.execute(stand.database.db);
  await sql`
    update run_account set verdict = 'breaks', platform_fen = 1000, ledger_fen = 2550, unexplained_fen = -7
    where run_id = ${`nightly-${LAST}-v1`} and account_no = '622200100002'`.execute(stand.database.db);
  await sql`
    update run_account set verdict = 'reconciled', platform_fen = 100, ledger_fen = 100, unexplained_fen = 0
    where run_id = ${`nightly-${LAST}-v1`} and account_no <> '622200100002'`.execute(stand.database.db);
  const page = await (await stand.get('/', EN)).text();
  expect(textOf(page, night)).toBe(
    'Verdict for 2026-02-28 ! Breaks found There are differences that need a person; work through the Breaks sheet. ' +
      'proven 2026-03-01 02:07 Platform balance 13.00 Ledger balance 28.50 Difference −15.50 Unexplained 0.07 ' +
      'Accounts by verdict 4 accounts ✓ Reconciled 3 ! Breaks found 1',
  );
});

test('a balance that nobody knows makes the sum unknown, and a gap in the chart, never a smaller one', async () => {
  await using stand = await openPageStand();
  await manyNights(stand.database.db, { nights: 3, accounts: 2, last: LAST });
  await sql`
    update run_account set platform_fen = null, unexplained_fen = null
    where run_id = ${`nightly-${LAST}-v1`} and account_no = '622200100001'`.execute(stand.database.db);
  const page = await (await stand.get('/', EN)).text();
  expect(textOf(page, night)).toContain('Platform balance not known');
  expect(textOf(page, night)).toContain('Difference not known Unexplained not known');
  expect(page).toContain('2026-02-28: Platform balance not known, Ledger balance');
  expect(page).toContain('2026-02-28: Unexplained not known');
});

test('the calendar names every night by a word, and a past day without a night as one', async () => {
  await using stand = await openPageStand();
  await manyNights(stand.database.db, { nights: 40, accounts: 1, last: LAST });
  const page = await (await stand.get('/', EN)).text();
  const days = [...page.matchAll(/title="(2026-01-\d\d|2026-02-\d\d) ([^"]+)"/g)];
  const named = new Map(days.map(([, day, words]) => [day, words]));
  expect(days).toHaveLength(39);
  expect(named.get('2026-02-28')).toBe('Breaks found');
  expect(named.get('2026-02-25')).toBe('Reconciled, with timing items');
  expect(named.get('2026-01-29')).toBe('Incomplete data');
  expect(named.has('2026-01-28')).toBe(false);
  expect(page.match(/no verdict<\/span>/g), 'that day and yesterday').toHaveLength(2);
});

test('a day that is chosen shows its night; one without a night says so; earlier months can be turned to', async () => {
  await using stand = await openPageStand({ isLarge: true });
  await manyNights(stand.database.db, { nights: 400, accounts: 1, last: LAST });
  const chosen = await (await stand.get('/?day=2025-03-04', EN)).text();
  expect(textOf(chosen, night)).toContain('Verdict for 2025-03-04');
  expect(await (await stand.get('/?day=2026-01-28', EN)).text()).toContain('2026-01-28 has no verdict.');
  const first = await (await stand.get('/', EN)).text();
  expect(first).toContain('href="/?until=2025-09"');
  const earlier = await (await stand.get('/?until=2025-09', EN)).text();
  expect(earlier).toContain('September 2025');
  expect(earlier).not.toContain('October 2025');
  expect(textOf(earlier, night), 'the last night still stands first').toContain('Verdict for 2026-02-28');
});

test('a version that took the place of another is the night of its day', async () => {
  await using stand = await openPageStand();
  const { db } = stand.database;
  await manyNights(db, { nights: 2, accounts: 1, last: LAST });
  await sql`
    insert into run select * from jsonb_populate_record(null::run, (select to_jsonb(r) ||
      jsonb_build_object('run_id', 'v2', 'version', 2, 'verdict', 'reconciled', 'supersedes', run_id)
      from run r where to_day = ${LAST}))`.execute(db);
  await sql`update run set superseded_by = 'v2', verdict = 'incomplete' where run_id = ${`nightly-${LAST}-v1`}`.execute(
    db,
  );
  expect(textOf(await (await stand.get('/', EN)).text(), night)).toContain(
    'Reconciled Every account agrees between platform and ledger, and all data was read. proven 2026-03-01 02:07 · version 2',
  );
});

test('nights that are missing are said: yesterday may still come, more is an alarm', async () => {
  await using stand = await openPageStand({ now: at('2026-03-02 09:00:00') });
  await manyNights(stand.database.db, { nights: 2, accounts: 1, last: '2026-03-01' });
  expect(await (await stand.get('/', EN)).text()).not.toContain('class="notice');
  await sql`delete from run_account`.execute(stand.database.db);
  await sql`delete from run where to_day = '2026-03-01'`.execute(stand.database.db);
  expect(textOf(await (await stand.get('/', EN)).text(), /<p class="notice[^]*?<\/p>/)).toBe(
    '2026-03-01 has no verdict yet.',
  );
  await using late = await openPageStand({ now: at('2026-03-05 09:00:00') });
  await manyNights(late.database.db, { nights: 2, accounts: 1, last: '2026-03-01' });
  const page = await (await late.get('/', EN)).text();
  expect(page).toContain('class="notice alarm"');
  expect(page).toContain('3 days have no verdict (up to 2026-03-04): find out why.');
});

test('the night under way shows its steps and how much is read; one that nobody is at is said to be unfinished', async () => {
  await using stand = await openPageStand();
  await aNightUnderWay(stand.database.db, '2026-03-01');
  const text = textOf(await (await stand.get('/', EN)).text(), section('under-way'));
  expect(text).toBe(
    'Reconciliation under way Nightly, 2026-03-01, all accounts · begun 2026-03-02 02:00, started 2 times ' +
      'Collect records under way Read balances to come Retry settlements, post to come Match to come Prove to come ' +
      'Vouchers, report to come 640 of 1000 windows verified, 2 could not be read',
  );
  await sql`update lease set until = '2026-01-01'`.execute(stand.database.db);
  const left = textOf(await (await stand.get('/', EN)).text(), section('under-way'));
  expect(left).toMatch(/^Reconciliation not finished It was begun and no process is at it\./);
  expect(left).not.toContain('under way');
});

test('what is open stands by class and age, with counts and amounts whatever their sign', async () => {
  await using stand = await openPageStand();
  await openBreaks(stand.database.db, { each: 9, last: LAST });
  await sql`update break set status = 'closed', closed_day = ${LAST}, closed_run = 'x', cleared_by = 'E', cleared_cause = 'entry'
    where class = 'late'`.execute(stand.database.db);
  const page = await (await stand.get('/', EN)).text();
  // 1 … 9 times 123.45 yuan; 0, 5, 10 … 40 days old.
  expect(textOf(page, rowOf('Amount differs'))).toBe('Amount differs 9 5,555.25 1 1 5 2');
  expect(textOf(page, rowOf('Breaks'))).toBe('Breaks 36 22,221.00 4 4 20 8');
  expect(textOf(page, rowOf('Timing items'))).toBe('Timing items 9 5,555.25 1 1 5 2');
  expect(page).not.toContain('Across the cut-off');
});

test('settlements that nobody can be sure of are listed, those under way are counted, those that ended are not', async () => {
  await using stand = await openPageStand();
  const { db } = stand.database;
  await anAttempt(db, { no: 1, state: 'UNKNOWN', isAwaiting: true, amountFen: 1_234_567n });
  await anAttempt(db, { no: 2, state: 'SENT' });
  await anAttempt(db, { no: 3, state: 'ACK_PROCESSING', amountFen: 200n });
  await anAttempt(db, { no: 4, state: 'CLOSED' });
  const text = textOf(await (await stand.get('/', EN)).text(), section('settlements'));
  expect(text).toContain('For a person 12,345.67 622200100002 2026-03-01 02:05 T202603-1 622200100001 1');
  expect(text).toContain('Unknown 2,500.00 622200100002 2026-03-01 02:05 T202603-2');
  expect(text).toContain('1 more is under way on the platform, 2.00 yuan in all');
  expect(text).not.toContain('T202603-4');
});

test('vouchers that are due are counted by month', async () => {
  await using stand = await openPageStand();
  await vouchersDue(stand.database.db, { month: '2026-02', count: 5, asked: 2 });
  const page = await (await stand.get('/', EN)).text();
  expect(textOf(page, rowOf('2026-02'))).toBe('2026-02 2 3 5');
});

test('no name of a payer or payee and no text of others is on the page, and the company’s own name is text', async () => {
  await using stand = await openPageStand({ company: `A&B <script>alert("x")</script> 'Co'` });
  const { db } = stand.database;
  await anAttempt(db, { no: 1, state: 'UNKNOWN' });
  await vouchersDue(db, { month: '2026-02', count: 1, asked: 0 });
  const page = await (await stand.get('/?lang=zh')).text();
  expect(page).not.toContain('张三');
  expect(page).not.toContain('李四');
  expect(page).not.toContain('<script');
  expect(page).toContain('A&amp;B &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &#39;Co&#39;');
});

test.each([
  ['/', 'de, en-GB;q=0.8, zh;q=0.3', 'en'],
  ['/', 'zh-TW, en;q=0.9', 'zh-CN'],
  ['/', 'en;q=0, fr', 'zh-CN'],
  ['/', '', 'zh-CN'],
  ['/?lang=en', 'zh-CN', 'en'],
  ['/?lang=zh', 'en', 'zh-CN'],
  ['/?lang=xx&lang=zh', 'en', 'en'],
])('%s for a browser of "%s" is in %s', async (address, accepted, locale) => {
  await using stand = await openPageStand();
  const response = await stand.get(address, { 'accept-language': accepted });
  expect(response.headers.get('content-language')).toBe(locale);
  expect(await response.text()).toContain(`<html lang="${locale}">`);
});

test('the language of the workbook is that of the page where the browser asks for neither', async () => {
  await using stand = await openPageStand({ env: { REPORT_LOCALE: 'en' } });
  expect((await stand.get('/', { 'accept-language': 'fr' })).headers.get('content-language')).toBe('en');
});

test.each(['/', '/page.css', '/page.svg', '/?day=nonsense&until=2026-13', '/files/x/y'])(
  '%s may be kept, framed and guessed by nobody, and runs no script',
  async (address) => {
    await using stand = await openPageStand();
    const { headers } = await stand.get(address);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  },
);

test('a database that is away is said in words and with 503', async () => {
  await using stand = await openPageStand();
  await sql`alter table run rename to run_away`.execute(stand.database.db);
  try {
    const response = await stand.get('/', EN);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('The database does not answer');
    expect(stand.log.lines.map(({ event }) => event)).toContain('page.failed');
  } finally {
    await sql`alter table run_away rename to run`.execute(stand.database.db);
  }
});

test('many who look at once are served one after the other, and more are told to come again', async () => {
  await using stand = await openPageStand();
  await manyNights(stand.database.db, { nights: 40, accounts: 50, last: LAST });
  const answers = await Promise.all(Array.from({ length: 60 }, () => stand.get('/', EN)));
  const counts = Map.groupBy(answers, ({ status }) => status);
  expect([...counts.keys()].every((status) => status === 200 || status === 503)).toBe(true);
  expect(counts.get(200)?.length ?? 0).toBeGreaterThan(20);
  for (const busy of counts.get(503) ?? []) expect(busy.headers.get('retry-after')).toBe('5');
});
