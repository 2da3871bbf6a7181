import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyRows } from '../../src/store/database/bulk.ts';
import { migrateToLatest } from '../../src/store/database/migrate.ts';
import { highestWriteNo, progressOf, saveProgress, takeWriteNo } from '../../src/store/database/writing.ts';
import { onPostgres, testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('int8 is bigint, numeric is text, a timestamp is an instant in UTC, jsonb is parsed', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select 9007199254740993::bigint as big, 5::bigint as small, sum(x) as total,
      '2026-03-01 23:59:59.5+08'::timestamptz as at, '{"a":[1]}'::jsonb as json, true as yes
    from (values (1::bigint), (2::bigint)) as v (x)`.execute(database.db);
  expect(rows).toEqual([
    {
      big: 9_007_199_254_740_993n,
      small: 5n,
      total: '3',
      at: '2026-03-01T15:59:59.500Z',
      json: { a: [1] },
      yes: true,
    },
  ]);
});

test.runIf(onPostgres)('no statement is compiled, whatever the planner thinks that it costs', async () => {
  const { rows } = await sql<{ jit: string }>`select current_setting('jit') as jit`.execute(database.db);
  expect(rows).toEqual([{ jit: 'off' }]);
});

const STAGE = {
  name: 'stage_probe',
  columns: [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'bigint' },
  ],
};

test('COPY brings tabs, line ends, backslashes, quotes, NULL and Chinese through unharmed', async () => {
  const hostile = 'a\tb\nc\rd\\e"f\'g\\N长期';
  const rows = await database.db.transaction().execute(async (trx) => {
    await copyRows(trx, STAGE, [
      [hostile, '9007199254740993'],
      [null, null],
      ['\\.', '1'],
    ]);
    return sql<{ a: string; b: bigint }>`select a, b from stage_probe order by b`.execute(trx);
  });
  expect(rows.rows).toEqual([
    { a: '\\.', b: 1n },
    { a: hostile, b: 9_007_199_254_740_993n },
    { a: null, b: null },
  ]);
});

test('what was staged is gone after the transaction, committed or not', async () => {
  await expect(
    database.db.transaction().execute(async (trx) => {
      await copyRows(trx, STAGE, [['x', '1']]);
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  const count = await database.db.transaction().execute(async (trx) => {
    await copyRows(trx, STAGE, []);
    return sql<{ n: bigint }>`select count(*) as n from stage_probe`.execute(trx);
  });
  expect(count.rows).toEqual([{ n: 0n }]);
});

test('transactions that run at once do not mix', async () => {
  const add = (step: string) =>
    database.db.transaction().execute(async (trx) => {
      await saveProgress(trx, step, 1n);
      await sql`select pg_sleep(0.05)`.execute(trx);
      if (step === 'b') throw new Error('b is rolled back');
    });
  const outcomes = await Promise.allSettled([add('a'), add('b'), add('c'), progressOf(database.db, 'a')]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(await Promise.all(['a', 'b', 'c'].map((step) => progressOf(database.db, step)))).toEqual([
    1n,
    0n,
    1n,
  ]);
});

test('write numbers grow, and the highest is the last one taken', async () => {
  const first = await database.db.transaction().execute(takeWriteNo);
  const second = await database.db.transaction().execute(takeWriteNo);
  expect(second > first).toBe(true);
  expect(await database.db.transaction().execute(highestWriteNo)).toBe(second);
});

test('migrating twice is migrating once', async () => {
  expect(await migrateToLatest(database.db)).toEqual([]);
});

test('a statement that failed inside a transaction whose error was swallowed does not pass as committed', async () => {
  await expect(
    database.db.transaction().execute(async (trx) => {
      await saveProgress(trx, 'lost', 7n);
      await sql`select 1 / 0`.execute(trx).catch(() => undefined);
    }),
  ).rejects.toThrow();
  expect(await progressOf(database.db, 'lost')).toBe(0n);
});
