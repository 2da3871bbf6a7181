/**
 * A migrated, empty database for a test: a clone of a template on PostgreSQL when `DATABASE_URL` is set, else an
 * embedded one filled from a dump. Never a mock. Closed, it is kept for the tests after it, which find it emptied:
 * to make and to drop one takes as long as a night.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openInMemory } from '../../src/store/database/database-embedded.ts';
import { openPostgres } from '../../src/store/database/database-postgres.ts';
import type { OpenDatabase } from '../../src/store/database/open-database.ts';
import { migrateToLatest } from '../../src/store/database/migrate.ts';
import { heldToRows } from '../statements/held-to-rows.ts';
import { emptyTables } from './dump.ts';
import { quietLog } from './log.ts';
import { isRunThatDrops, noteMade } from './made-databases.ts';
import { dropDatabase, endSessions, onServer } from './server.ts';

/** The server the tests run on, or undefined for the embedded database. */
export const serverUrl: string | undefined = process.env['DATABASE_URL'];
export const onPostgres = serverUrl !== undefined;

export interface TestDatabase extends OpenDatabase {
  /** The address of this very database, on PostgreSQL. */
  url: string | undefined;
}

/**
 * For tests that change neither tables nor roles: what they leave in tables is all that is emptied.
 * @throws Error in a file whose name does not say that it opens a database: the files of the project `unit` share
 * their threads (vitest.config.ts).
 */
export async function testDatabase(): Promise<TestDatabase> {
  if (!isRunThatDrops) return databaseToSpoil();
  refuseUnnamed();
  const known = await kept.pop()?.();
  if (known !== undefined) {
    await emptyTables(known.db, 'all');
    return held(known);
  }
  return held(await (serverUrl === undefined ? keptEmbedded(await embedded()) : keptOnServer(serverUrl)));
}

/**
 * As `testDatabase`, for tests that change the schema or store rows by the ten thousand: nobody had it before or gets
 * it afterwards. A table that was analyzed and then emptied is planned for as one that stays empty.
 */
export async function databaseToSpoil(): Promise<TestDatabase> {
  refuseUnnamed();
  return held(await (serverUrl === undefined ? embedded() : cloned(serverUrl)));
}

function refuseUnnamed(): void {
  if (process.env['TEST_OPENS'] === 'no database')
    throw new Error('This test opens a database: its file is to be named *.sql.test.ts or *.slow.test.ts');
}

function held(opened: TestDatabase): TestDatabase {
  const plugin = heldToRows();
  return plugin === undefined ? opened : { ...opened, db: opened.db.withPlugin(plugin) };
}

/** Databases of this process that no test has. */
const kept: (() => Promise<TestDatabase>)[] = [];

/** Closed twice, it is kept once: what two tests had at a time would be emptied under one of them. */
function keptAsClosed(
  opened: TestDatabase,
  { close: leave, again }: { close: () => Promise<void>; again: () => Promise<TestDatabase> },
): TestDatabase {
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await leave();
    kept.push(again);
  };
  return { ...opened, close };
}

/** It stays open: to open it anew is to fill it anew. */
function keptEmbedded(database: TestDatabase): TestDatabase {
  return keptAsClosed(database, {
    close: () => Promise.resolve(),
    again: () => Promise.resolve(keptEmbedded(database)),
  });
}

async function migrationsDigest(): Promise<string> {
  const folder = path.join(import.meta.dirname, '..', '..', 'migrations');
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).toSorted())
    hash.update(name).update(await readFile(path.join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}

async function embedded(): Promise<TestDatabase> {
  const file = path.join(os.tmpdir(), 'recon-test', `template-${await migrationsDigest()}.tar`);
  const known = await readFile(file).catch(() => undefined);
  if (known !== undefined) return { ...(await openInMemory(new Blob([known]))), url: undefined };
  const template = await openInMemory();
  await migrateToLatest(template.db);
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(temporary, Buffer.from(await (await template.dump()).arrayBuffer()));
  await rename(temporary, file);
  return { ...template, url: undefined };
}

/** Dropped as it is closed. */
async function cloned(url: string): Promise<TestDatabase> {
  const name = await makeClone(url);
  const opened = await openPostgres({ url: withDatabase(url, name) }, quietLog);
  const close = async (): Promise<void> => {
    await opened.close();
    await dropDatabase(url, name);
  };
  return { ...opened, close, url: withDatabase(url, name) };
}

async function makeClone(url: string): Promise<string> {
  const template = `recon_test_${await migrationsDigest()}`;
  const name = `recon_test_${randomBytes(6).toString('hex')}`;
  await onServer(url, async (client) => {
    await client.query('select pg_advisory_lock(4711)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(url, template, client);
    await client.query(`create database ${name} template ${template}`);
    // Nobody pulls the plug on the server of the tests; what is killed are processes, whose commits stay.
    await client.query(`alter database ${name} set synchronous_commit = off`);
  });
  return name;
}

/** Kept as it is closed; the run drops it (test/helpers/global-setup.ts). */
async function keptOnServer(url: string): Promise<TestDatabase> {
  const name = await makeClone(url);
  await noteMade(name);
  return openKept(url, name);
}

async function openKept(url: string, name: string): Promise<TestDatabase> {
  const own = withDatabase(url, name);
  const opened = { ...(await openPostgres({ url: own }, quietLog)), url: own };
  return keptAsClosed(opened, {
    close: () => opened.close(),
    again: async () => {
      await endSessions(url, name);
      return openKept(url, name);
    },
  });
}

async function makeTemplate(url: string, template: string, client: pg.Client): Promise<void> {
  const building = `${template}_building`;
  await client.query(`drop database if exists ${building} with (force)`);
  await client.query(`create database ${building} template template0 encoding 'UTF8'`);
  const opened = await openPostgres({ url: withDatabase(url, building) }, quietLog);
  await migrateToLatest(opened.db);
  await opened.close();
  await client.query(`alter database ${building} rename to ${template}`);
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
