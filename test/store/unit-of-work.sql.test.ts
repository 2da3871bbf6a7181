import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unitOfWork } from '../../src/store/database/unit-of-work.ts';
import { progressOf, saveProgress } from '../../src/store/database/writing.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

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
