/** The databases that tests kept for one another are dropped when all have been run. */
import { beginRun, endRun } from './made-databases.ts';
import { dropDatabase } from './server.ts';

export async function setup(): Promise<() => Promise<void>> {
  await beginRun();
  return async () => {
    const url = process.env['DATABASE_URL'];
    for (const name of await endRun()) if (url !== undefined) await dropDatabase(url, name);
  };
}
