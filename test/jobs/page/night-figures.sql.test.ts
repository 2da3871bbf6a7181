/** Sums of nights are read once, so many rows a look, and anew where a night was proven anew. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { FiguresMemory } from '../../../jobs/page/night-figures.ts';
import { pageText } from '../../../jobs/page/page.ts';
import { readPage } from '../../../jobs/page/read-page.ts';
import { wordsEn } from '../../../jobs/page/words/words-en.ts';
import { listCalendar } from '../../../src/store/runs/night-calendar.ts';
import { at, zone } from '../../helpers/company/run-rows.ts';
import { testDatabase } from '../../helpers/database.ts';
import { manyNights } from './page-rows.ts';

const SPAN = { from: '2026-01-01', through: '2026-02-28' };

test('a look reads so many rows, the latest nights first, and says how many nights are left', async () => {
  const database = await testDatabase();
  const { db } = database;
  await manyNights(db, { nights: 10, accounts: 5, last: '2026-02-28' });
  const nights = await listCalendar(db, SPAN);
  const memory = new FiguresMemory(20);
  const known = async () => {
    const { of, left } = await memory.look(db, nights);
    return [nights.filter((night) => of(night) !== undefined).map(({ day }) => day.slice(8)), left];
  };
  expect(await known()).toEqual([['28', '27', '26', '25'], 6]);
  expect(await known()).toEqual([['28', '27', '26', '25', '24', '23', '22', '21'], 2]);
  expect(await known()).toEqual([nights.map(({ day }) => day.slice(8)), 0]);
  await database.close();
});

test('a night that was proven anew is summed anew, another is not asked for again', async () => {
  const database = await testDatabase();
  const { db } = database;
  await manyNights(db, { nights: 2, accounts: 1, last: '2026-02-28' });
  const memory = new FiguresMemory();
  const sums = async () => {
    const nights = await listCalendar(db, SPAN);
    const { of } = await memory.look(db, nights);
    return nights.map((night) => of(night)?.platformFen);
  };
  await sql`update run_account set platform_fen = 1`.execute(db);
  expect(await sums()).toEqual([1n, 1n]);
  await sql`update run_account set platform_fen = 2`.execute(db);
  expect(await sums()).toEqual([1n, 1n]);
  await sql`update run set finished_at = finished_at + interval '1 hour' where to_day = '2026-02-28'`.execute(
    db,
  );
  expect(await sums()).toEqual([2n, 1n]);
  await database.close();
});

test('the page says how many nights are still to be read', async () => {
  const database = await testDatabase();
  await manyNights(database.db, { nights: 9, accounts: 2, last: '2026-02-28' });
  const asked = { lang: undefined, until: undefined, day: undefined, group: undefined };
  const source = { db: database.db, zone, figures: new FiguresMemory(4) };
  const data = await readPage(source, asked, at('2026-03-01 09:00:00'));
  const text = pageText({ words: wordsEn, company: '', zone, mayLeave: false, asked }, data);
  expect(text).toContain('7 more nights are being read: refresh to see all.');
  await database.close();
});
