/** A database server that ends all sessions of a database in the middle of a run (H5). */
import type { KyselyPlugin } from 'kysely';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/store/schema/schema.ts';

/** More than the pool holds. */
const CONNECTIONS_MAX = 10;

/** Counts results, and ends all sessions after so many of them. */
export function cutting(url: string, atResult: number): { plugin: KyselyPlugin; results: () => number } {
  let results = 0;
  return {
    results: () => results,
    plugin: {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        results += 1;
        if (results === atResult) await cut(url);
        return result;
      },
    },
  };
}

/** Ends all sessions of the database at once. */
export async function cut(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  } finally {
    await client.end();
  }
}

/** A pool notices the death of an idle connection when it next uses it; a new process would have none. */
export async function fillPool(db: Db): Promise<void> {
  for (let tries = 0; tries < CONNECTIONS_MAX; tries++) {
    const isUsable = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    if (isUsable) return;
  }
}
