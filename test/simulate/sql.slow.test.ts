/** The simulation on a real database: the same protocol, the same faults, transactions that are really undone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onPostgres, databaseToSpoil } from '../helpers/database.ts';
import { runBatch } from './batch.ts';
import { drawPlan } from './world/draw-plan.ts';
import { runSeed } from './run-seed.ts';
import { SqlStore } from './sql-store.ts';

/** The embedded database has one connection and is slower; it is the same SQL. */
const SEEDS = onPostgres ? 25 : 8;

let store: SqlStore;
beforeAll(async () => {
  store = await SqlStore.open(await databaseToSpoil());
});
afterAll(() => store.close());

describe('seeds on a database', () => {
  test(`no order is paid twice in ${SEEDS} seeds, nothing is claimed that is not so, nothing stays open`, async () => {
    const report = await runBatch(store, { first: 1, last: SEEDS, without: [] });
    expect(report.violated).toEqual([]);
    expect(report.sends).toBeGreaterThan(SEEDS);
  }, 300_000);

  test('the same seed gives the same trace', async () => {
    for (const seed of [7, 8]) {
      const one = await runSeed({ store, plan: drawPlan(seed) });
      const other = await runSeed({ store, plan: drawPlan(seed) });
      expect(other.digest, `seed ${seed}`).toBe(one.digest);
    }
  }, 120_000);
});
