/** What is sent on the word of a commit must not be lost by the server that confirmed it (docs/reliability.md 2.2). */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commitDurably } from '../../src/store/database/unit-of-work.ts';
import { onPostgres, databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { anAttempt, databaseWorld, failedIn, FRESH, STAMP } from '../helpers/settlements/settle-worlds.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await databaseToSpoil();
  await sql`create table seen (what text, setting text)`.execute(database.db);
  await sql`create function note() returns trigger language plpgsql as $$ begin
    insert into seen values (tg_table_name, current_setting('synchronous_commit')); return null; end $$`.execute(
    database.db,
  );
  for (const table of ['settle_event', 'lease', 'settle_guard']) {
    await sql`create trigger note after insert or update on ${sql.table(table)} execute function note()`.execute(
      database.db,
    );
  }
});
afterAll(() => database.close());

const world = databaseWorld(() => database.db);
beforeEach(() => world.reset());

test.each([
  ['off', 'on'],
  ['local', 'on'],
  ['remote_write', 'on'],
  ['on', 'on'],
  ['remote_apply', 'remote_apply'],
])('a session that commits %s commits %s then, and only then', async (usual, then) => {
  const settings = await database.db.connection().execute(async (db) => {
    const setting = async (of: typeof db): Promise<string | undefined> =>
      (await sql<{ setting: string }>`select current_setting('synchronous_commit') as setting`.execute(of))
        .rows[0]?.setting;
    await sql`select set_config('synchronous_commit', ${usual}, false)`.execute(db);
    const within = await db.transaction().execute(async (trx) => {
      await commitDurably(trx);
      return setting(trx);
    });
    return [within, await setting(db)];
  });
  expect(settings).toEqual([then, usual]);
});

test('each change of an attempt and of its lease waits for its commit, though the database does not by itself', async () => {
  await failedIn(world, 'T1');
  await sql`set synchronous_commit = off`.execute(database.db);
  const settings = async (): Promise<string[]> => {
    const { rows } = await sql<{ line: string }>`
      delete from seen returning what || ' ' || setting as line`.execute(database.db);
    return [...new Set(rows.map(({ line }) => line))].toSorted();
  };
  await settings();
  const lease = await world.takeLease('one');
  expect(await settings()).toContain('lease on');
  const book = world.open(lease);
  await book.plan(anAttempt(), FRESH);
  await book.markSent('req-T1-1', STAMP, FRESH);
  await book.close('req-T1-1', { outcome: 'SUCCESS', at: STAMP.sentAt, note: '' });
  expect(await settings()).toEqual(['settle_event on', 'settle_guard on']);
});

/** As a server says it whose wait for a standby is cancelled; in which language is the server's. */
const CANCELLED = 'canceling wait for synchronous replication due to user request';

describe.runIf(onPostgres)('a commit that is confirmed with a warning', () => {
  beforeAll(async () => {
    await sql`create function speak() returns trigger language plpgsql as ${sql.raw(
      `$$ begin
        if tg_argv[0] = 'warning' then raise warning '${CANCELLED}'; else raise notice 'all is well'; end if;
        return null; end $$`,
    )}`.execute(database.db);
  });
  afterEach(async () => {
    await sql`drop trigger if exists at_commit on settle_event`.execute(database.db);
  });

  async function speaks(how: 'warning' | 'notice'): Promise<void> {
    await sql`create constraint trigger at_commit after insert on settle_event deferrable initially deferred
      for each row execute function speak(${sql.raw(`'${how}'`)})`.execute(database.db);
  }

  test('is none: who sends on the word of it is stopped, and what was stored is found later', async () => {
    await failedIn(world, 'T1');
    const book = world.open(await world.takeLease('one'));
    await book.plan(anAttempt(), FRESH);
    await speaks('warning');
    await expect(book.markSent('req-T1-1', STAMP, FRESH)).rejects.toThrow(
      `the database confirmed a commit with a warning only, and may yet lose it: ${CANCELLED}`,
    );
    expect((await world.events()).at(-1)).toContain(' SENT ');
    await sql`drop trigger at_commit on settle_event`.execute(database.db);
    // The session goes on, and its next commit is certain again.
    await book.close('req-T1-1', { outcome: 'SUCCESS', at: STAMP.sentAt, note: '' });
    expect((await world.events()).at(-1)).toContain(' CLOSED ');
  });

  test('is one where nothing is sent on it, and where it is no warning', async () => {
    await failedIn(world, 'T1');
    const book = world.open(await world.takeLease('one'));
    await speaks('notice');
    await book.plan(anAttempt(), FRESH);
    await sql`drop trigger at_commit on settle_event`.execute(database.db);
    expect((await world.events()).at(-1)).toContain(' PLANNED ');
    await sql`create table other (one integer)`.execute(database.db);
    await sql`create constraint trigger at_commit after insert on other deferrable initially deferred
      for each row execute function speak('warning')`.execute(database.db);
    await database.db.transaction().execute(async (trx) => {
      await sql`insert into other values (1)`.execute(trx);
    });
    expect((await sql`select from other`.execute(database.db)).rows).toHaveLength(1);
  });
});
