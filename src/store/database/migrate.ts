/**
 * Brings the database to the current schema: the forward-only `.sql` files of `migrations/`, in order, each
 * once, all or none (H16).
 */
import { Migrator } from 'kysely/migration';
import type { Migration, MigrationProvider } from 'kysely/migration';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Stopped, WrongInput, messageOf } from '../core/errors.ts';
import { runScript } from './driver-commands.ts';
import type { Db } from './schema.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', 'migrations');

export const sqlFiles: MigrationProvider = {
  async getMigrations(): Promise<Record<string, Migration>> {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
    const migrations: Record<string, Migration> = {};
    for (const name of names) {
      const script = await readFile(path.join(FOLDER, name), 'utf8');
      migrations[path.basename(name, '.sql')] = { up: (db) => runScript(db, script) };
    }
    return migrations;
  },
};

/**
 * Applies what is missing and returns the names applied.
 * @throws Stopped when a migration fails; the database is then as it was before
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const { error, results = [] } = await new Migrator({ db, provider: sqlFiles }).migrateToLatest();
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error')?.migrationName ?? 'the migrations';
    throw new Stopped(`${failed} could not be applied: ${messageOf(error)}`, {}, { cause: error });
  }
  return results.map((result) => result.migrationName);
}

/**
 * @throws WrongInput when the schema is older or newer than this program's
 */
export async function requireCurrentSchema(db: Db): Promise<void> {
  const known = await new Migrator({ db, provider: sqlFiles }).getMigrations();
  const pending = known.filter((migration) => migration.executedAt === undefined);
  if (pending.length > 0) {
    throw new WrongInput(
      `the database lacks ${pending.length} migration(s) (${pending.map(({ name }) => name).join(', ')}): run recon migrate first`,
    );
  }
  const applied = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = applied.filter(({ name }) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new WrongInput(
      `the database is newer than this program (${unknown.map(({ name }) => name).join(', ')}): install the newer recon`,
    );
  }
}
