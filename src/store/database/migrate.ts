/**
 * Brings the database to the current schema: the forward-only `.sql` files of `migrations/`, in order, each
 * once, all or none (H16).
 */
import { sql } from 'kysely';
import type { Migration, MigrationProvider } from 'kysely/migration';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Stopped, WrongInput, messageOf } from '../../core/errors.ts';
import { runScript } from './driver-commands.ts';
import type { Db } from '../schema/schema.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'migrations');

export const sqlFiles: MigrationProvider = {
  async getMigrations(): Promise<Record<string, Migration>> {
    const migrations: Record<string, Migration> = {};
    for (const name of await knownNames()) {
      const script = await readFile(path.join(FOLDER, `${name}.sql`), 'utf8');
      migrations[name] = { up: (db) => runScript(db, script) };
    }
    return migrations;
  },
};

/** In order. */
async function knownNames(): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'));
  return files.map((name) => path.basename(name, '.sql')).toSorted();
}

/**
 * Applies what is missing and returns the names applied.
 * @throws WrongInput when the schema is newer than this program's
 * @throws Stopped when a migration fails; the database is then as it was before
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  await requireNoNewerSchema(db);
  const { Migrator } = await import('kysely/migration');
  const { error, results = [] } = await new Migrator({ db, provider: sqlFiles }).migrateToLatest();
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error')?.migrationName ?? 'the migrations';
    throw new Stopped(`${failed} could not be applied: ${messageOf(error)}`, {}, { cause: error });
  }
  return results.map((result) => result.migrationName);
}

/**
 * Asks for the names alone: every command does it before its work.
 * @throws WrongInput when the schema is older or newer than this program's
 */
export async function requireCurrentSchema(db: Db): Promise<void> {
  const { known, applied } = await migrationsOf(db);
  const pending = known.filter((name) => !applied.includes(name));
  if (pending.length === 0) return;
  throw new WrongInput(`the database lacks ${migrationsText(pending)}: run recon migrate first`);
}

/** In one line, of as many as there are: they are applied in order, with none between them left out. */
export function migrationsText(names: readonly string[]): string {
  const [first = '', ...others] = names;
  const last = others.at(-1);
  return last === undefined ? `the migration ${first}` : `${names.length} migrations, ${first} to ${last}`;
}

/** @throws WrongInput when the schema is newer than this program's */
export async function requireNoNewerSchema(db: Db): Promise<void> {
  await migrationsOf(db);
}

/** A program that went back must not touch what a later one has made. @throws WrongInput */
async function migrationsOf(db: Db): Promise<{ known: string[]; applied: string[] }> {
  const [known, applied] = [await knownNames(), await appliedTo(db)];
  const foreign = applied.filter((name) => !known.includes(name));
  if (foreign.length === 0) return { known, applied };
  throw new WrongInput(
    `the database is newer than this program: it has ${foreign.join(', ')}, and the last migration known here is ${known.at(-1) ?? 'none'}; install the newer recon`,
  );
}

/** In order; none of a database that was never migrated. */
async function appliedTo(db: Db): Promise<string[]> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('kysely_migration') is not null as there`.execute(db);
  if (rows[0]?.there !== true) return [];
  const applied = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  return applied.map(({ name }) => name);
}
