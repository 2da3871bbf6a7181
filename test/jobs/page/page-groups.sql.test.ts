/** The calendar and the charts of one group of accounts, as the account list gathers them. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from '../../../src/store/schema/schema.ts';
import { manyNights } from './page-rows.ts';
import { openPageStand } from './page-stand.ts';

const EN = { 'accept-language': 'en' };
const LAST = '2026-02-28';
const DAY = /<a\s+class="day v-(\w+)"[^>]*title="([-0-9]+) /g;

/** The days of the calendar with their verdicts. */
function daysOf(page: string): string[] {
  return [...page.matchAll(DAY)].map(([, verdict = '', day = '']) => `${day} ${verdict}`);
}

/** Three nights of four accounts: the fourth alone has breaks on the last, and the third was not there on the first. */
async function grouped(db: Db): Promise<void> {
  await manyNights(db, { nights: 3, accounts: 4, last: LAST });
  await sql`update run set verdict = 'reconciled'`.execute(db);
  await sql`update run_account set verdict = 'reconciled', unexplained_fen = 0, platform_fen = 100, ledger_fen = 100`.execute(
    db,
  );
  await sql`
    update run_account set verdict = 'breaks', ledger_fen = 90
    where run_id = ${`nightly-${LAST}-v1`} and account_no = '622200100004'`.execute(db);
  await sql`update run set verdict = 'breaks' where to_day = ${LAST}`.execute(db);
  await sql`delete from run_account where run_id = 'nightly-2026-02-26-v1' and account_no = '622200100003'`.execute(
    db,
  );
  await put(db, '华南 & 港澳', ['622200100003']);
  await put(db, '华东', ['622200100001', '622200100004']);
}

async function put(db: Db, group: string, accounts: readonly string[]): Promise<void> {
  await sql`update account set account_group = ${group} where account_no = any(${accounts}::text[])`.execute(
    db,
  );
}

const ALL = ['2026-02-26 reconciled', '2026-02-27 reconciled', '2026-02-28 breaks'];

test('the calendar of a group has the worst verdict of its accounts, on the days on which it had any', async () => {
  await using stand = await openPageStand();
  await grouped(stand.database.db);
  const page = async (group: string): Promise<string> =>
    (await stand.get(`/?${new URLSearchParams({ group }).toString()}`, EN)).text();
  const all = await (await stand.get('/', EN)).text();
  expect(daysOf(all)).toEqual(ALL);
  expect(all).toMatch(/href="\/\?group=[^"]*"[^>]*>华南 &amp; 港澳</);
  const south = await page('华南 & 港澳');
  expect(daysOf(south)).toEqual(['2026-02-27 reconciled', '2026-02-28 reconciled']);
  expect(south).toContain('Calendar of verdicts · 华南 &amp; 港澳');
  expect(south).toMatch(/aria-current="true"\s*>华南 &amp; 港澳</);
  // The night itself is that of all accounts.
  expect(south).toContain('Breaks found');
  expect(daysOf(await page('华东'))).toEqual(ALL);
  expect(daysOf(await page('nobody'))).toEqual(ALL);
});

test('an account that a list moves to another group counts there from then on', async () => {
  await using stand = await openPageStand();
  const { db } = stand.database;
  await grouped(db);
  const south = async (): Promise<string[]> =>
    daysOf(await (await stand.get(`/?group=${encodeURIComponent('华南 & 港澳')}`, EN)).text());
  expect(await south()).toEqual(['2026-02-27 reconciled', '2026-02-28 reconciled']);
  await put(db, '华南 & 港澳', ['622200100004']);
  await sql`update intake_file set imported_at = imported_at + interval '1 day' where kind = 'accounts'`.execute(
    db,
  );
  expect(await south()).toEqual(ALL);
});

test('a list that gathers no accounts leaves the page as it was', async () => {
  await using stand = await openPageStand();
  await manyNights(stand.database.db, { nights: 2, accounts: 2, last: LAST });
  expect(await (await stand.get('/', EN)).text()).not.toContain('class="groups"');
});
