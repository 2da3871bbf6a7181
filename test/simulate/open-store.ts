/** Where a simulation keeps its books. */
import type { BookStore } from './book-store.ts';
import { MemoryStore } from './memory-store.ts';

export const STORES = ['memory', 'postgres', 'embedded'] as const;
export type StoreKind = (typeof STORES)[number];

/** @throws Error when PostgreSQL is wanted and DATABASE_URL names no server */
export async function openStore(kind: StoreKind): Promise<BookStore> {
  if (kind === 'memory') return new MemoryStore();
  if (kind === 'embedded') delete process.env['DATABASE_URL'];
  else if (process.env['DATABASE_URL'] === undefined)
    throw new Error('set DATABASE_URL to a PostgreSQL server');
  // Which database it opens is settled when it is loaded.
  const { databaseToSpoil } = await import('../helpers/database.ts');
  const { SqlStore } = await import('./sql-store.ts');
  return await SqlStore.open(await databaseToSpoil());
}
