/** What people were shown of attempts: one contract, held to by the database and by the maps of the simulation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { second } from '../helpers/company/order-observations.ts';
import {
  FRESH,
  anAttempt,
  databaseWorld,
  failedIn,
  memoryWorld,
} from '../helpers/settlements/settle-worlds.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe.each([
  ['in memory', memoryWorld()],
  ['in the database', databaseWorld(() => database.db)],
] as const)('what was shown, %s', (_name, world) => {
  const shown = (reqId: string, digest: string, at: number, balanceFen: bigint) => ({
    reqId,
    digest,
    shownAt: second(at + 1),
    why: 'it is shown as failed',
    known: `of ${digest}`,
    shown: `as ${digest}`,
    balance: { at: second(at), balanceFen },
  });

  test('it is found by its attempt and digest; the first stands; readings come by account and time', async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2');
    const book = world.open(await world.takeLease('one'));
    for (const outOrderNo of ['T1', 'T2']) await book.plan(anAttempt({ outOrderNo }), FRESH);
    const [late, early] = [shown('req-T1-1', 'd1', 900, 5n), shown('req-T2-1', 'd1', 800, 7n)];
    for (const evidence of [late, early, shown('req-T1-1', 'd1', 950, 6n)]) await book.saveEvidence(evidence);
    expect(await book.findEvidence('req-T1-1', 'd1')).toEqual(late);
    expect(await book.findEvidence('req-T2-1', 'd1')).toEqual(early);
    expect(await book.findEvidence('req-T1-1', 'd2')).toBeUndefined();
    expect(await book.shownBalancesOf('Q', second(800))).toEqual([early.balance, late.balance]);
    expect(await book.shownBalancesOf('Q', second(801))).toEqual([late.balance]);
    expect(await book.shownBalancesOf('R', second(0))).toEqual([]);
  });

  test('the newest is what was shown last, whatever the clocks said, also what was shown before', async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2');
    const book = world.open(await world.takeLease('one'));
    for (const outOrderNo of ['T1', 'T2']) await book.plan(anAttempt({ outOrderNo }), FRESH);
    expect(await book.newestShown('req-T1-1')).toBeUndefined();
    const show = async (digest: string, at: number) => {
      await book.saveEvidence(shown('req-T1-1', digest, at, 5n));
      return book.newestShown('req-T1-1');
    };
    const newest = [];
    for (const [digest, at] of [
      ['A', 900],
      ['B', 800],
      ['A', 950],
      ['A', 960],
      ['B', 700],
      ['C', 600],
    ] as const) {
      newest.push(await show(digest, at));
    }
    expect(newest).toEqual(['A', 'B', 'A', 'A', 'B', 'C']);
    expect(await book.findEvidence('req-T1-1', 'A')).toEqual(shown('req-T1-1', 'A', 900, 5n));
    expect(await book.newestShown('req-T2-1')).toBeUndefined();
  });

  test('M4: who lost the lease shows nothing that could be approved', async () => {
    await world.reset();
    await failedIn(world, 'T1');
    const book = world.open(await world.takeLease('one'));
    await book.plan(anAttempt(), FRESH);
    await world.takeLease('two');
    await expect(book.saveEvidence(shown('req-T1-1', 'd1', 900, 5n))).rejects.toThrow('lost its lock settle');
    expect(await book.findEvidence('req-T1-1', 'd1')).toBeUndefined();
  });
});
