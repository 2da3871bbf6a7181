/** H5: a database that cuts the connections of a run: the process lives on, says so, and the next run converges. */
import type { KyselyPlugin } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { runRange } from '../../jobs/run-range.ts';
import { onPostgres } from '../helpers/database.ts';
import { differencesOf, dumpOf, emptyTables } from '../helpers/dump.ts';
import { Night } from '../helpers/night.ts';

let night: Night;
afterEach(() => night.close());

const REQUEST = { job: 'nightly', fromDay: '2026-03-10', toDay: '2026-03-10', accounts: [] } as const;

/** Ends all sessions of this database after so many results have come back. */
function cutting(url: string, atResult: number): { plugin: KyselyPlugin; results: () => number } {
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

async function cut(url: string): Promise<void> {
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

describe.runIf(onPostgres)('on PostgreSQL', () => {
  test('H5: connections cut at any moment cost at most this run; the next one comes to the same tables', async () => {
    night = await Night.open({ now: '2026-03-11 02:00:00' });
    await night.accounts({ no: 'A1', opening: { fen: 100_000n, at: '2026-03-01 00:00:00' } });
    night.deposits(
      { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500n, depositTime: '2026-03-09 09:00:00' },
      { payeeAcctNo: 'A1', orderNo: 'D2', amountFen: 800n, depositTime: '2026-03-10 10:00:00' },
    );
    await night.entries([{ id: 'E1', account: 'A1', fen: 500n, at: '2026-03-09 09:00:00', reference: 'D1' }]);
    const url = night.database.url ?? '';
    const run = async (atResult: number): Promise<{ results: number; failed: boolean }> => {
      const process = await night.process();
      const { plugin, results } = cutting(url, atResult);
      try {
        await runRange({ ...process, db: process.db.withPlugin(plugin) }, REQUEST);
        return { results: results(), failed: false };
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        expect((error as Error).message).not.toMatch(/^Bug:/);
        return { results: results(), failed: true };
      } finally {
        await process.close();
        await night.db.updateTable('lease').set({ pid: 2_147_483_646 }).execute();
      }
    };
    const whole = await run(Infinity);
    const expected = await dumpOf(night.db);
    expect(whole.failed).toBe(false);
    for (let moment = 1; moment < 12; moment++) {
      await emptyTables(night.db, 'made by the job');
      await run(Math.floor((moment * whole.results) / 12));
      expect(await run(Infinity)).toMatchObject({ failed: false });
      const found = await dumpOf(night.db);
      expect(differencesOf({ expected, found }), `cut at moment ${moment} of 12`).toEqual([]);
    }
  });
});
