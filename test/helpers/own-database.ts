/** A database that a process of its own can open: the test writes it first, and reads it when the process has ended. */
import path from 'node:path';
import { openEmbedded } from '../../src/store/database/database-embedded.ts';
import { migrateToLatest } from '../../src/store/database/migrate.ts';
import { onPostgres, testDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';

export interface Place {
  /** RECON_HOME of the process. */
  home: string;
  /** Settings of the process beside those of the platform. */
  settings: Record<string, string>;
  /** Works on the database while no process has it. */
  withDatabase<T>(work: (database: TestDatabase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openPlace(home: string): Promise<Place> {
  if (onPostgres) {
    const database = await testDatabase();
    return {
      home,
      settings: { RECON_HOME: home, DATABASE_URL: database.url ?? '' },
      withDatabase: (work) => work(database),
      close: () => database.close(),
    };
  }
  return {
    home,
    settings: { RECON_HOME: home },
    withDatabase: async (work) => {
      const database = { ...(await openEmbedded(path.join(home, 'db'))), url: undefined };
      try {
        await migrateToLatest(database.db);
        return await work(database);
      } finally {
        await database.close();
      }
    },
    close: () => Promise.resolve(),
  };
}
