/** M4: a night that stood still while another took its lease stores no proof, however far it had come. */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/store/database/database-postgres.ts';
import type { OpenDatabase } from '../../src/store/database/open-database.ts';
import { onPostgres } from '../helpers/database.ts';
import { findRun } from '../../src/store/runs/runs.ts';
import { discardRun, leaveAsItWas } from '../../src/store/runs/undone-runs.ts';
import { quietLog } from '../helpers/log.ts';
import { Night } from '../helpers/night.ts';
import { untilWaiting } from '../helpers/until-waiting.ts';

describe.runIf(onPostgres)('on a server', { timeout: 60_000 }, () => {
  let night: Night;
  let other: OpenDatabase;
  beforeEach(async () => {
    night = await Night.open({ now: '2026-03-02 02:00:00' });
    other = await openPostgres({ url: night.database.url ?? '' }, quietLog);
  });
  afterEach(async () => {
    await other.close();
    await night.close();
  });

  async function leaseGoesToAnother(): Promise<void> {
    await other.db
      .updateTable('lease')
      .set(({ eb }) => ({ fence: eb('fence', '+', 1n), holder: 'another' }))
      .where('name', '=', 'run')
      .execute();
  }

  test('the lease went to another while the proof was written', async () => {
    await night.accounts({ no: 'P', opening: { fen: 100n, at: '2026-03-01 00:00:00' } });
    const blocking = await other.db.startTransaction().execute();
    await sql`lock table run_account in exclusive mode`.execute(blocking);
    const proving = night.night('2026-03-01');
    await untilWaiting(other.db, 1);
    await leaseGoesToAnother();
    await Promise.all([expect(proving).rejects.toThrow('lost its lock run'), blocking.commit().execute()]);
    expect(await night.db.selectFrom('run_account').selectAll().execute()).toEqual([]);
    expect(await night.db.selectFrom('run').select('verdict').execute()).toEqual([{ verdict: null }]);
  });

  test('it went to another before what found nothing new was taken back: nothing of it is', async () => {
    await night.accounts({ no: 'P', opening: { fen: 100n, at: '2026-03-01 00:00:00' } });
    await night.night('2026-03-01');
    const run = await findRun(night.db, 'nightly-2026-03-01-v1');
    if (run === undefined) throw new Error('the night is missing');
    const lease = { name: 'run', holder: 'one of before', fence: run.fence };
    await leaseGoesToAnother();
    const before = { ...run, state: 'open' } as const;
    await expect(discardRun(night.db, run, lease)).rejects.toThrow('lost its lock run');
    await expect(leaveAsItWas(night.db, before, lease)).rejects.toThrow('lost its lock run');
    expect(await findRun(night.db, run.run_id)).toEqual(run);
  });
});
