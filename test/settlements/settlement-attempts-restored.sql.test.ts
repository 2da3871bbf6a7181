/** H18: the book of the retried settlements after its database was restored: on the database and on the maps alike. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SettleBook } from '../../src/store/settle-book.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { second } from '../helpers/order-looks.ts';
import {
  FRESH,
  STAMP,
  anAnswer,
  anAttempt,
  databaseWorld,
  failedIn,
  limits,
  memoryWorld,
} from '../helpers/settle-worlds.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const WORLDS = [
  ['in memory', memoryWorld()],
  ['in the database', databaseWorld(() => database.db)],
  ['in the database, its rows written again', databaseWorld(() => database.db, 'the same rows again')],
] as const;

describe.each(WORLDS)('the book of settlements %s', (_name, world) => {
  let book: SettleBook;
  beforeEach(async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2', 'T3', 'T4');
    book = world.open(await world.takeLease('one'));
  });

  const planAndSend = async (): Promise<string> => {
    const { reqId } = anAttempt();
    expect(await book.plan(anAttempt(), limits(), FRESH)).toBe('planned');
    await book.markSent(reqId, STAMP, FRESH);
    return reqId;
  };

  test('H18: a first use is no replacement; the sequence counts the changes', async () => {
    expect(await book.guard()).toEqual({ sequence: 0n, holdUntil: undefined, isReplaced: false });
    expect(await book.plan(anAttempt(), limits({ maxPerRun: 0 }), FRESH)).toBe('capped');
    expect(await book.guard()).toEqual({ sequence: 0n, holdUntil: undefined, isReplaced: false });
    await planAndSend();
    expect(await book.guard()).toEqual({ sequence: 2n, holdUntil: undefined, isReplaced: false });
  });

  test('H18: a replaced database is accepted by a hold, which a later one does not shorten', async () => {
    const reqId = await planAndSend();
    await world.replace();
    expect(await book.guard()).toEqual({ sequence: 2n, holdUntil: undefined, isReplaced: true });
    await book.saveAnswer(reqId, anAnswer('UNKNOWN'));
    expect((await book.guard()).isReplaced).toBe(true);
    await book.hold(second(600));
    expect(await book.guard()).toEqual({ sequence: 3n, holdUntil: second(600), isReplaced: false });
    await book.hold(second(500));
    expect(await book.guard()).toEqual({ sequence: 3n, holdUntil: second(600), isReplaced: false });
    await book.hold(second(700));
    expect((await book.guard()).holdUntil).toBe(second(700));
    // But one that a clock stored which was ahead is.
    await book.hold(second(500), { latest: second(650) });
    expect((await book.guard()).holdUntil).toBe(second(650));
    await book.hold(second(700), { latest: second(800) });
    expect((await book.guard()).holdUntil).toBe(second(700));
  });

  test('H18: what a restored book calls planned is unknown from the hold on, as sent at the latest moment', async () => {
    await book.plan(anAttempt(), limits(), FRESH);
    await book.hold(second(500));
    expect((await book.listOpen()).map(({ state }) => state)).toEqual(['PLANNED']);
    const latest = { reqTime: second(70), sentAt: second(60), sentMonoMs: 60_000 };
    await book.hold(second(600), { latestSend: latest });
    const note = 'the database was restored: whether it was sent is not known';
    // Sent it may have been accepted too, in an answer that the backup does not know.
    expect(await book.listOpen()).toMatchObject([{ state: 'UNKNOWN', isClaimed: true, sent: latest, note }]);
    await expect(book.markSent(anAttempt().reqId, STAMP, FRESH)).rejects.toThrow(
      'only what is PLANNED may be sent',
    );
    await expect(
      book.close(anAttempt().reqId, { outcome: 'NOT_SENT', at: second(80), note: '' }),
    ).rejects.toThrow('NOT_SENT');
    await book.close(anAttempt().reqId, { outcome: 'SUCCESS', at: second(80), note: '' });
    expect(await book.listOpen()).toEqual([]);
  });

  test('H18: a mark without a book is held before anything was planned here', async () => {
    await book.hold(second(600));
    expect(await book.guard()).toEqual({ sequence: 0n, holdUntil: second(600), isReplaced: false });
    await planAndSend();
    expect(await book.guard()).toEqual({ sequence: 2n, holdUntil: second(600), isReplaced: false });
  });
});
