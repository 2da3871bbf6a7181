/** What is gone from a signed period, and what has left its books since they were proven, is seen like what came. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyPeriods } from '../../../jobs/sign-off/verify-periods.ts';
import type { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { DAY, WITH_OPEN, firstOfMarch, needs, sign } from './signed-world.ts';

const ALL = { fromDay: '2000-01-01', toDay: '9999-12-31' };

let database: TestDatabase;
let books: Books;
beforeEach(async () => {
  database = await testDatabase();
  books = await firstOfMarch(database.db);
});
afterEach(() => database.close());

async function changes(): Promise<string[]> {
  const found = (await verifyPeriods(needs(database.db), ALL)).changes;
  return found.map(({ change, kind, day, key }) => [change, kind, day, key].join(' '));
}

async function endOfMarch(): Promise<void> {
  await books.balance('A1', { at: '2026-04-01 00:00:05', fen: 100_570n });
  await books.night('2026-03-31');
  const written = sql`jsonb_build_object('writtenUpTo', (select last_value from write_no))`;
  await sql`update run set facts = ${written}`.execute(database.db);
}

test('a night of a signed month that is gone from the tables is told with all that was signed of it', async () => {
  await endOfMarch();
  await sign(database.db, '2026-03', { by: 'Li', ...WITH_OPEN });
  expect(await changes()).toEqual([]);
  await sql`set session_replication_role = replica`.execute(database.db);
  for (const table of ['run_account', 'run_file', 'finding', 'run'])
    await sql`delete from ${sql.table(table)} where run_id = 'nightly-2026-03-01-v1'`.execute(database.db);
  expect(await changes()).toEqual([
    'altered account 2026-03-01 A1',
    'altered file 2026-03-01 reports/2026-03-01/v1/reconciliation-2026-03-01.xlsx',
    'altered run 2026-03-01 nightly-2026-03-01-v1',
  ]);
});

test('a backfill that has the other days of a month is signed with its nights', async () => {
  const { db } = database;
  await books.balance('A1', { at: '2026-03-31 00:00:05', fen: 100_570n });
  await books.night('2026-03-30', { from: '2026-03-02' });
  await books.night('2026-03-30');
  await endOfMarch();
  await sign(db, '2026-03', { by: 'Li', ...WITH_OPEN });
  expect(await changes()).toEqual([]);
  const backfill = 'backfill-2026-03-02_2026-03-30-v1';
  await db.updateTable('run_account').set({ in_fen: 1n }).where('run_id', '=', backfill).execute();
  expect(await changes()).toEqual([`altered account 2026-03-30 A1 of ${backfill}`]);
});

async function openPoints(): Promise<unknown> {
  return sign(database.db, DAY, { by: 'Li' }).catch((error: unknown) =>
    (error as { faults: string[] }).faults.at(-1),
  );
}

test('an entry that was changed, or booked elsewhere, since its day was proven stands open, and is one', async () => {
  await books.entries('A1', [{ id: 'E1', amountFen: 400n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  const one =
    'ledger entries booked in the period that came or changed since nightly-2026-03-01-v1: 1; run it again to prove them';
  expect(await openPoints()).toBe(one);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  expect(await openPoints()).toBe(one);
});

test.each([
  ['lacks a number', `details - 'rowsNo'`],
  ['states a word for a number', `details || '{"trailNo":"x"}'`],
  ['states a word for its runs', `details || '{"runs":"x"}'`],
  ['is a number alone', `'5'`],
])(
  'a sign-off whose event was edited and %s is named, and the others are compared',
  async (_how, details) => {
    const { db } = database;
    await endOfMarch();
    await sign(db, DAY, { by: 'Li', ...WITH_OPEN });
    await sign(db, '2026-03', { by: 'Li', ...WITH_OPEN });
    await sql`update break_event set details = ${sql.raw(details)} where period = ${DAY}`.execute(db);
    expect(await changes()).toEqual(['rows sign_off 2026-03-01 2026-03-01']);
    await db
      .updateTable('run_account')
      .set({ in_fen: 1n })
      .where('run_id', 'like', 'nightly-2026-03-31%')
      .execute();
    expect(await changes()).toEqual(['altered account 2026-03-31 A1', 'rows sign_off 2026-03-01 2026-03-01']);
  },
);
