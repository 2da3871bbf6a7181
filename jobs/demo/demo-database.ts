/** On PostgreSQL the demo gets a database of its own, so that it never touches real books. */
import pg from 'pg';
import { wayTo } from '../../src/store/database/database-postgres.ts';
import type { PostgresAddress } from '../../src/store/database/database-postgres.ts';
import { Stopped, messageOf } from '../../src/core/errors.ts';

const NAME = 'recon_demo';

/**
 * Drops the database of the demo before and makes a new one beside the one that is named.
 * @throws Stopped when the role may not create databases or the server cannot be reached
 */
export async function freshDemoDatabase(address: PostgresAddress): Promise<string> {
  const client = new pg.Client({ ...(await wayTo(address)), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`drop database if exists ${NAME} with (force)`);
    await client.query(`create database ${NAME} template template0 encoding 'UTF8'`);
  } catch (error) {
    throw new Stopped(
      `the demo needs a database ${NAME} of its own beside the one in DATABASE_URL and could not make it: ${messageOf(error)}`,
      {},
      { cause: error },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
  const own = new URL(address.url);
  own.pathname = `/${NAME}`;
  return own.href;
}
