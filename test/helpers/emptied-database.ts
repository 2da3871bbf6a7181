/** The database that all nights of a worker share. */
import { testDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { emptyTables } from './dump.ts';

let shared: Promise<TestDatabase> | undefined;

/** One database a worker, empty at each beginning. */
export async function emptiedDatabase(): Promise<TestDatabase> {
  shared ??= testDatabase();
  const database = await shared;
  await emptyTables(database.db, 'all');
  return database;
}
