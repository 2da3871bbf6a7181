import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import type { DatabaseConnection, KyselyPlugin } from 'kysely';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { declaredStatements } from './declared.ts';
import { pluginOf } from './held-to-rows.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** A database that answers everything with one row. */
function answering(row: object, plugin: KyselyPlugin): Kysely<object> {
  const connection: DatabaseConnection = {
    executeQuery: () => Promise.resolve({ rows: [row as never] }),
    streamQuery: () => {
      throw new Error('nothing is streamed');
    },
  };
  class OneRow extends DummyDriver {
    override acquireConnection(): Promise<DatabaseConnection> {
      return Promise.resolve(connection);
    }
  }
  return new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new OneRow(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [plugin],
  });
}

describe('a raw statement is held to the row its type declares', () => {
  const plugin = pluginOf({
    'select a, b from t where c = \u0000': { a: ['bigint'], b: ['null', 'string'] },
  });
  const read = (row: object) => sql`select a, b from t where c = ${1}`.execute(answering(row, plugin));

  test('what it declares is given on', async () => {
    expect((await read({ a: 1n, b: null })).rows).toEqual([{ a: 1n, b: null }]);
  });

  test.each([
    [{ a: 1n, b: 'x', c: 1 }, 'column c is read and not declared'],
    [{ a: 1n }, 'column b is undefined and declared null | string'],
    [{ a: '1', b: 'x' }, 'column a is string and declared bigint'],
    [{ a: null, b: 'x' }, 'column a is null and declared bigint'],
  ])('%o: %s', async (row, fault) => {
    await expect(read(row)).rejects.toThrow(fault);
  });

  test('who reads a whole record need not use all of it, but what it declares must be there', async () => {
    const whole = pluginOf({ 'select t.* from t': { a: ['bigint'] } });
    const readWhole = (row: object) => sql`select t.* from t`.execute(answering(row, whole));
    expect((await readWhole({ a: 1n, b: 2 })).rows).toEqual([{ a: 1n, b: 2 }]);
    await expect(readWhole({ b: 2 })).rejects.toThrow('column a is undefined and declared bigint');
  });

  test('what nobody declared is nobody’s business', async () => {
    expect((await sql`select 1`.execute(answering({ d: 1 }, plugin))).rows).toEqual([{ d: 1 }]);
  });

  test('the statements of the product are found, with what their types mean', () => {
    const declared = declaredStatements(ROOT);
    expect(Object.keys(declared).length).toBeGreaterThan(100);
    expect(declared[" select date_trunc('milliseconds', clock_timestamp()) as now"]).toBeUndefined();
    const clock = Object.entries(declared).find(([text]) => text.includes('clock_timestamp()) as now'));
    expect(clock?.[1]).toEqual({ now: ['string'] });
  }, 60_000);
});
