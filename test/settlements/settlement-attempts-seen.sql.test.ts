/** What was seen before and after a send, in the book of the retried settlements: on the database and on the maps alike. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StaleLook } from '../../src/settlements/settle-intent.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { second } from '../helpers/company/order-observations.ts';
import {
  FRESH,
  STALE,
  STAMP,
  anAnswer,
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

const WORLDS = [
  ['in memory', memoryWorld()],
  ['in the database', databaseWorld(() => database.db)],
] as const;

describe.each(WORLDS)('the book of settlements %s', (_name, world) => {
  let book: SettlementAttemptStore;
  beforeEach(async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2', 'T3', 'T4');
    book = world.open(await world.takeLease('one'));
  });

  test('2.3 b: what rests on a look that does not hold any more is neither planned nor sent, and leaves nothing', async () => {
    expect(await book.plan(anAttempt(), STALE)).toBe('stale');
    expect([await book.listOpen(), await world.events()]).toEqual([[], []]);
    expect(await book.plan(anAttempt(), FRESH)).toBe('planned');
    await expect(book.markSent('req-T1-1', STAMP, STALE)).rejects.toThrow(StaleLook);
    expect(await book.listOpen()).toMatchObject([{ state: 'PLANNED', sent: undefined }]);
    expect(await world.events()).toEqual(['1 T1/1 PLANNED run-1']);
    expect(await book.markSent('req-T1-1', STAMP, FRESH)).toBe(2n);
  });

  test('2.3 a: the latest look that shows it under way stands, and takes back that it was seen failed', async () => {
    const { reqId } = anAttempt();
    await book.plan(anAttempt(), FRESH);
    await book.markSent(reqId, STAMP, FRESH);
    await book.saveAnswer(reqId, anAnswer('UNKNOWN', { isClaimed: true }));
    await book.saveFailedSeen(reqId, second(100));
    await book.saveOpenSeen(reqId, second(200));
    await book.saveOpenSeen(reqId, second(300));
    await book.saveOpenSeen(reqId, second(250));
    expect(await book.listOpen()).toMatchObject([
      { isClaimed: true, openSeenAt: second(300), failedSeenAt: undefined },
    ]);
    expect((await world.events()).slice(3)).toEqual([
      '4 T1/1 UNKNOWN run-1 a query says that it failed',
      '5 T1/1 UNKNOWN run-1 a query shows it under way',
    ]);
  });

  test('N16: a look that shows it under way takes back a failure also by a clock that was set back', async () => {
    const { reqId } = anAttempt();
    await book.plan(anAttempt(), FRESH);
    await book.markSent(reqId, STAMP, FRESH);
    await book.saveOpenSeen(reqId, second(300));
    await book.saveFailedSeen(reqId, second(400));
    await book.saveOpenSeen(reqId, second(100));
    expect(await book.listOpen()).toMatchObject([{ openSeenAt: second(300), failedSeenAt: undefined }]);
    expect((await world.events()).slice(4)).toEqual(['5 T1/1 SENT run-1 a query shows it under way']);
  });

  test('2.3 a: that only a person can end it is noted once, until something changes, and not of what is closed', async () => {
    const { reqId } = anAttempt();
    await book.plan(anAttempt(), FRESH);
    await book.markSent(reqId, STAMP, FRESH);
    await book.saveAwaiting(reqId, 'the order is CLOSE now');
    await book.saveAwaiting(reqId, 'the order is CLOSE now');
    await book.saveOpenSeen(reqId, second(300));
    await book.saveAwaiting(reqId, 'its settlement is ODD');
    await book.close(reqId, { outcome: 'FAIL', at: second(400), note: '' });
    await book.saveAwaiting(reqId, 'its settlement is ODD');
    expect((await world.events()).slice(2)).toEqual([
      '3 T1/1 SENT run-1 the order is CLOSE now',
      '4 T1/1 SENT run-1 a query shows it under way',
      '5 T1/1 SENT run-1 its settlement is ODD',
      '6 T1/1 CLOSED run-1 FAIL',
    ]);
  });

  test('2.3 c: a change is known as the send of its request, and of no other', async () => {
    const { reqId } = anAttempt();
    await book.plan(anAttempt(), FRESH);
    const sequence = await book.markSent(reqId, STAMP, FRESH);
    expect(await book.isSend(sequence, reqId)).toBe(true);
    expect(await book.isSend(sequence - 1n, reqId)).toBe(false);
    expect(await book.isSend(sequence, 'another')).toBe(false);
  });
});
