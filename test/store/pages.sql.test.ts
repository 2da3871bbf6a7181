import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOfRows } from '../../src/store/database/pages.ts';
import { saveProgress } from '../../src/store/database/writing.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const keepProgress = (subject: string) =>
  database.db.transaction().execute((trx) => saveProgress(trx, subject, 1n));

const numbers = (upTo: number) =>
  sql<{ n: number }>`select n from generate_series(${upTo}::integer, 1, -1) as n`;

test.each([0, 1, 1_000, 2_500])('%d rows come in their order, a thousand at a time', async (count) => {
  const pages: number[] = [];
  const found: number[] = [];
  await listOfRows(database.db, numbers(count)).forEachPiece(async (rows) => {
    pages.push(rows.length);
    found.push(...rows.map(({ n }) => n));
  });
  expect(found).toEqual(Array.from({ length: count }, (_, at) => count - at));
  expect(Math.max(0, ...pages)).toBeLessThanOrEqual(1_000);
});

test('a walk shows what was there when it began, and the next one what is there by then', async () => {
  await keepProgress('first');
  const names = listOfRows(
    database.db,
    sql<{ subject: string }>`select p::text as subject from progress p, generate_series(1, 1500)`,
  );
  const before = (await names.whole()).length;
  let seen = 0;
  await names.forEachPiece(async (rows) => {
    if (seen === 0 && database.url !== undefined) await keepProgress('second');
    seen += rows.length;
  });
  expect(seen).toBe(before);
  if (database.url !== undefined) expect((await names.whole()).length).toBe(before + 1_500);
});

test('a walk that fails leaves the connection for the next, with nothing open on it', async () => {
  const failing = listOfRows(database.db, numbers(5)).forEachPiece(() =>
    Promise.reject(new Error('disk full')),
  );
  await expect(failing).rejects.toThrow('disk full');
  expect(await listOfRows(database.db, numbers(2)).whole()).toEqual([{ n: 2 }, { n: 1 }]);
  const { rows } = await sql`select name from pg_cursors where name = 'listed'`.execute(database.db);
  expect(rows).toEqual([]);
});

test("a list that an earlier walk could not close is in nobody's way", async () => {
  const left = sql`declare listed no scroll cursor with hold for select 1 as n`;
  await Promise.all(
    Array.from({ length: 10 }, () =>
      database.db.connection().execute((session) => left.execute(session).catch(() => undefined)),
    ),
  );
  expect(await listOfRows(database.db, numbers(2)).whole()).toEqual([{ n: 2 }, { n: 1 }]);
});
