/** A database that a later version has migrated: every command says so, and nothing is changed. */
import { expect, test } from 'vitest';
import { sqlFiles } from '../../src/store/database/migrate.ts';
import { faultsOf } from '../helpers/cli.ts';
import { commandBooks } from './command-books.ts';

const { recon, onDatabase } = commandBooks();

test('it is named as newer, with what it has and what is known here, and not as corrupted', async () => {
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
