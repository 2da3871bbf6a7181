/** One session of a program on the test's database: its own connection on a server, the only one when embedded. */
import { CompiledQuery } from 'kysely';
import pg from 'pg';
import type { ClientBase } from 'pg';
import { runScript } from '../../src/store/database/driver-commands.ts';
import type { TestDatabase } from '../helpers/database.ts';

export interface Session {
  /** Statements without parameters. */
  script(text: string): Promise<void>;
  client: ClientBase;
  close(): Promise<void>;
}

export async function openSession(database: TestDatabase): Promise<Session> {
  return database.url === undefined ? embeddedSession(database) : serverSession(database.url);
}

async function serverSession(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    client,
    script: async (text) => void (await client.query(text)),
    close: () => client.end(),
  };
}

/** A role that is set here is set for the test's own queries too. */
function embeddedSession({ db }: TestDatabase): Session {
  const query = (text: string, values: unknown[] = []) => db.executeQuery(CompiledQuery.raw(text, values));
  return {
    client: { query } as unknown as ClientBase,
    script: (text) => runScript(db, text),
    close: () => Promise.resolve(),
  };
}
