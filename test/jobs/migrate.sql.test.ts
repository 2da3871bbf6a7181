/** What is said of the schema: of one that is made, one that is behind, and one that a later version has migrated. */
import { expect, test } from 'vitest';
import { migrationsText, sqlFiles } from '../../src/store/database/migrate.ts';
import { runScript } from '../../src/store/database/driver-commands.ts';
import { faultsOf } from '../helpers/cli.ts';
import { onPostgres } from '../helpers/database.ts';
import { commandBooks } from './command-books.ts';

const { recon, onDatabase } = commandBooks({ isSpoilt: true });

test('what is missing and what was applied is a line, however many migrations there are; --json has each', async () => {
  const names = Object.keys(await sqlFiles.getMigrations());
  const all = `${names.length} migrations, ${names[0]} to ${names.at(-1)}`;
  if (onPostgres) {
    await onDatabase((db) => runScript(db, 'drop schema public cascade; create schema public'));
    expect(faultsOf((await recon('accounts', 'list')).stderr)).toEqual([
      `the database lacks ${all}: run recon migrate first`,
    ]);
  }
  expect((await recon('migrate')).stdout).toMatch(new RegExp(`^\\S+: applied ${all}\n`));
  expect((await recon('migrate')).stdout).toMatch(/^\S+ is current\n/);
});

test('one migration is called by its name', () => {
  expect(migrationsText(['0091_batch_no_of_due'])).toBe('the migration 0091_batch_no_of_due');
});

test('a database of a later version is named as newer, with what it has and what is known here, and not as corrupted', async () => {
  expect((await recon('migrate')).status).toBe(0);
  const later = ['9998_later', '9999_latest'];
  await onDatabase(async (db) => {
    const values = later.map((name) => ({ name, timestamp: '2099-01-01T00:00:00.000Z' }));
    await db
      .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
      .insertInto('kysely_migration')
      .values(values)
      .execute();
  });
  const last = Object.keys(await sqlFiles.getMigrations()).at(-1) ?? '';
  const sentence = `the database is newer than this program: it has 9998_later, 9999_latest, and the last migration known here is ${last}; install the newer recon`;
  for (const command of [['migrate'], ['accounts', 'list']]) {
    const { status, stderr } = await recon(...command);
    expect([status, faultsOf(stderr)]).toEqual([2, [sentence]]);
  }
  const { stdout } = await recon('doctor', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    checks: expect.arrayContaining([{ name: 'schema', state: 'fail', detail: sentence }]) as unknown,
  });
});
