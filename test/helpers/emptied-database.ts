/** The database that all nights of a test file share. */
import { afterAll } from 'vitest';
import { testDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { emptyTables } from './dump.ts';

let shared: Promise<TestDatabase> | undefined;
afterAll(async () => (await shared)?.close());

/** One database a test file, empty at each beginning. */
export async function emptiedDatabase(): Promise<TestDatabase> {
  shared ??= testDatabase();
  const database = await shared;
  await emptyTables(database.db, 'all');
  return database;
}
