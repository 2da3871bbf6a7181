/** Turns at the platform's rate, which all processes take from one schedule (U47, N18). */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeTurns } from '../../src/store/units/platform-rate.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

/** A schedule on which hours would pass before anybody else had a turn. */
const LONG = { platform: 'https://platform.example', turns: 10, intervalMs: 1_000, padMs: 0 };

test('who comes second gets the turns behind those of the first', async () => {
  const first = await takeTurns(database.db, { ...LONG, aheadMsMax: undefined });
  const second = await takeTurns(database.db, { ...LONG, aheadMsMax: undefined });
  expect(first).toBeLessThanOrEqual(0);
  expect(second).toBeGreaterThan(5_000);
  expect(second).toBeLessThanOrEqual(10_000);
});

test('a worker gets none where more than a second is given already, and everybody else does', async () => {
  await takeTurns(database.db, { ...LONG, aheadMsMax: 1_000 });
  expect(await takeTurns(database.db, { ...LONG, aheadMsMax: 1_000 })).toBeUndefined();
  expect(await takeTurns(database.db, { ...LONG, turns: 1, aheadMsMax: undefined })).toBeGreaterThan(5_000);
  const elsewhere = { ...LONG, platform: 'https://other.example', aheadMsMax: 1_000 };
  expect(await takeTurns(database.db, elsewhere)).toBeLessThanOrEqual(0);
});

test('after the database’s clock was set back, nobody waits until it is where it was', async () => {
  await takeTurns(database.db, { ...LONG, aheadMsMax: undefined });
  await sql`update platform_rate set next_at = next_at + interval '1 hour'`.execute(database.db);
  expect(await takeTurns(database.db, { ...LONG, aheadMsMax: 1_000 })).toBeLessThanOrEqual(0);
});
