/** What is asked of the server as such, beside the databases of the tests. */
import pg from 'pg';

export async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export function dropDatabase(url: string, name: string): Promise<void> {
  return onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`));
}

/** What a process that was killed still does in it ends. */
export function endSessions(url: string, name: string): Promise<void> {
  return onServer(url, (client) =>
    client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]),
  );
}
