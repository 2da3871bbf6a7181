/**
 * A fresh, migrated database for a test file: a clone of a template on PostgreSQL when `DATABASE_URL` is set,
 * else an embedded one filled from a dump. Never a mock.
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
import { quietLog } from './log.ts';

/** The server the tests run on, or undefined for the embedded database. */
export const serverUrl: string | undefined = process.env['DATABASE_URL'];
export const onPostgres = serverUrl !== undefined;

export interface TestDatabase extends OpenDatabase {
  /** The address of this very database, on PostgreSQL. */
  url: string | undefined;
}

/**
 * @throws Error in a file whose name does not say that it opens a database: the files of the project `unit` share
 * their threads (vitest.config.ts).
 */
export async function testDatabase(): Promise<TestDatabase> {
  if (process.env['TEST_OPENS'] === 'no database')
    throw new Error('This test opens a database: its file is to be named *.sql.test.ts or *.slow.test.ts');
  const opened = await (serverUrl === undefined ? embedded() : cloned(serverUrl));
  const held = heldToRows();
  return held === undefined ? opened : { ...opened, db: opened.db.withPlugin(held) };
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

async function cloned(url: string): Promise<TestDatabase> {
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
  const own = withDatabase(url, name);
  const opened = await openPostgres({ url: own }, quietLog);
  const close = async (): Promise<void> => {
    await opened.close();
    await onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`));
  };
  return { ...opened, close, url: own };
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

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
