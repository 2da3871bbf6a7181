/** How far a ledger is complete where files of days are missing, as a person states it. */
import { afterAll, expect, test } from 'vitest';
import {
  findCompleteTo,
  noteMissing,
  saveCompleteTo,
  stateDay,
} from '../../src/store/intake/ledger-complete.ts';
import { testDatabase } from '../helpers/database.ts';
import { at, zone } from '../helpers/night.ts';

const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const say = (source: string, to: string): Promise<void> =>
  db.transaction().execute((trx) => saveCompleteTo(trx, { source, completeTo: at(to), zone }));
const take = (source: string, day: string, to: string): Promise<void> =>
  db.transaction().execute((trx) => stateDay(trx, { source, day, completeTo: at(to), isWhole: true, zone }));

test.each([
  ['the middle of the day', '2026-03-11 12:00:00', '2026-03-11 12:00:00'],
  ['its beginning', '2026-03-11 00:00:00', '2026-03-11 00:00:00'],
  ['its end', '2026-03-12 00:00:00', '2026-03-15 00:00:00'],
] as const)(
  'of a day whose file was refused a person says that the books are complete to %s',
  async (source, to, whole) => {
    await take(source, '2026-03-10', '2026-03-11 00:00:00');
    await noteMissing(db, { source, tried: ['2026-03-11'], waiting: [], zone });
    await take(source, '2026-03-14', '2026-03-15 00:00:00');
    await say(source, to);
    expect(await findCompleteTo(db, source)).toBe(at(whole));
    await take(source, '2026-03-11', '2026-03-12 00:00:00');
    expect(await findCompleteTo(db, source)).toBe(at('2026-03-15 00:00:00'));
  },
);
