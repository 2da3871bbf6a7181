/** Books of their own for commands: files, a place for the database, and the executable run on them. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openDatabase } from '../../src/store/database/database.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { runCli, temporaryFolder } from '../helpers/cli.ts';
import type { CliOutcome, TemporaryFolder } from '../helpers/cli.ts';
import { databaseToSpoil, serverUrl, testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { quietLog } from '../helpers/log.ts';

/** To be called at the top of a test file. @param of.isSpoilt its schema is changed: no other test may have the database after it */
export function commandBooks({ isSpoilt = false }: { isSpoilt?: boolean } = {}) {
  let folder: TemporaryFolder;
  let server: TestDatabase | undefined;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const open = isSpoilt ? databaseToSpoil : testDatabase;
    server = serverUrl === undefined ? undefined : await open();
  });
  afterAll(async () => {
    await server?.close();
    await folder.remove();
  });
  const home = (): string => path.join(folder.path, 'home');
  const environment = (): Record<string, string> => {
    const database = server?.url === undefined ? {} : { DATABASE_URL: server.url };
    return { RECON_HOME: home(), LOG_LEVEL: 'error', ...database };
  };
  const reconWith = (
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<CliOutcome> => runCli(args, { env: { ...environment(), ...env } });
  return {
    environment,
    recon: (...args: readonly string[]): Promise<CliOutcome> => reconWith({}, ...args),
    reconWith,
    /** Writes a file and returns its path. */
    file: async (name: string, text: string): Promise<string> => {
      await writeFile(path.join(folder.path, name), text);
      return path.join(folder.path, name);
    },
    /** The job's own database, while no command runs. */
    onDatabase: async (work: (db: Db) => Promise<void>): Promise<void> => {
      const address = server?.url === undefined ? { folder: path.join(home(), 'db') } : { url: server.url };
      const opened = await openDatabase(address, quietLog);
      try {
        await work(opened.db);
      } finally {
        await opened.close();
      }
    },
  };
}
