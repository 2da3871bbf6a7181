/** A lease lapses by itself, whatever the database's clock said when it was written (M4). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renewLease, takeLease } from '../../src/store/database/leases.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const clockAt = (time: string) => ({ wall: () => `2026-03-02T${time}.000Z` });
const take = (holder: string, time: string) =>
  takeLease(database.db, { name: 'night', holder, realClock: clockAt(time) });

test('one that was written while the clock was hours ahead does not hold for hours', async () => {
  await take('of a host that is gone', '12:00:00');
  await expect(take('next', '02:00:00')).rejects.toThrow('another run holds the lock night');
  await expect(take('next', '02:00:59')).rejects.toThrow('another run holds the lock night');
  expect((await take('next', '02:01:00')).fence).toBe(2n);
});

test('whoever lives keeps it', async () => {
  const living = await take('living', '23:00:00');
  await expect(take('next', '03:00:00')).rejects.toThrow('another run holds the lock night');
  await renewLease(database.db, living, clockAt('03:00:50'));
  await expect(take('next', '03:01:40')).rejects.toThrow('another run holds the lock night');
  await renewLease(database.db, living, clockAt('03:01:45'));
});
