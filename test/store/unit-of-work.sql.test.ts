import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import { progressOf, saveProgress } from '../../src/store/database/writing.ts';
import { POSTGRES_LIMITS, openPostgres } from '../../src/store/database/database-postgres.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { onPostgres, testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { quietLog } from '../helpers/log.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Raises that SQLSTATE inside the transaction, as the server would. */
const raise = (state: string) =>
  sql.raw(`do $$ begin raise exception 'made' using errcode = '${state}'; end $$`);

test.each(['40P01', '40001', '55P03', '53300', '57P01'])(
  'H8: %s: the whole unit is done again, once',
  async (state) => {
    let tries = 0;
    await unitOfWork(database.db, async (trx) => {
      tries += 1;
      await saveProgress(trx, state, BigInt(tries));
      if (tries === 1) await raise(state).execute(trx);
    });
    expect(tries).toBe(2);
    expect(await progressOf(database.db, state)).toBe(2n);
  },
);

test('any other fault is thrown at once, and nothing is kept', async () => {
  let tries = 0;
  const work = unitOfWork(database.db, async (trx) => {
    tries += 1;
    await saveProgress(trx, 'other', 1n);
    await raise('22012').execute(trx);
  });
  await expect(work).rejects.toThrow('made');
  expect(tries).toBe(1);
  expect(await progressOf(database.db, 'other')).toBe(0n);
});

function together(db: Db, count: number, seconds: number): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, () => sql`select pg_sleep(${seconds})`.execute(db)));
}

test.runIf(onPostgres)('H9: while others have all connections, the unit waits for one', async () => {
  const { url = '' } = database;
  const crowded = await openPostgres({ url }, quietLog, { ...POSTGRES_LIMITS, connectMs: 500 });
  try {
    // Connected before: a busy machine may take long to connect so many at once.
    for (let connected = 1; connected <= 5; connected++) await together(crowded.db, connected, 0.01);
    const others = together(crowded.db, 5, 2);
    await expect(sql`select 1`.execute(crowded.db)).rejects.toThrow('timeout exceeded');
    await unitOfWork(crowded.db, (trx) => saveProgress(trx, 'crowded', 1n));
    expect(await progressOf(crowded.db, 'crowded')).toBe(1n);
    await others;
  } finally {
    await crowded.close();
  }
});
