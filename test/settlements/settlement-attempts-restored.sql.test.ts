/** H18: the book of the retried settlements after its database was restored: on the database and on the maps alike. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { second } from '../helpers/company/order-observations.ts';
import {
  FRESH,
  PLANNED,
  STAMP,
  anAnswer,
  anAttempt,
  databaseWorld,
  failedIn,
  memoryWorld,
  under,
} from '../helpers/settlements/settle-worlds.ts';

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
  let book: SettlementAttemptStore;
  beforeEach(async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2', 'T3', 'T4');
    book = world.open(await world.takeLease('one'));
  });

  const planAndSend = async (): Promise<string> => {
    const { reqId } = anAttempt();
    expect(await book.plan(anAttempt(), FRESH)).toBe('planned');
    await book.markSent(reqId, STAMP, FRESH);
    return reqId;
  };

  test('H18: a first use is no replacement; the sequence counts the changes', async () => {
    expect(await book.guard()).toEqual({ sequence: 0n, holdUntil: undefined, isReplaced: false });
    expect(await book.plan(anAttempt(), under({ maxPerRun: 0 }))).toBe('capped');
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

  test('H18: where its server was started since the memory was judged, nothing is planned, and nothing sent', async () => {
    const judged = { ...FRESH, server: await book.serverStart() };
    const before = { ...FRESH, server: '1.5/2/3' };
    const started = 'the database server was started';
    await expect(book.plan(anAttempt(), before)).rejects.toThrow(started);
    expect(await book.listOpen()).toEqual([]);
    expect(await book.plan(anAttempt(), judged)).toBe('planned');
    await expect(book.markSent(anAttempt().reqId, STAMP, before)).rejects.toThrow(started);
    expect(await book.listOpen()).toMatchObject([{ state: 'PLANNED' }]);
    await book.markSent(anAttempt().reqId, STAMP, judged);
    expect(await book.listOpen()).toMatchObject([{ state: 'SENT' }]);
  });

  test('H18: what a restored book calls planned is unknown from the hold on, as sent at the latest moment', async () => {
    await book.plan(anAttempt(), FRESH);
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

  test('H18: no clock that is behind dates it back to before it was planned', async () => {
    const attempt = anAttempt({ plannedAt: second(100) });
    await book.plan(attempt, FRESH);
    const latest = { reqTime: second(50), sentAt: second(40), sentMonoMs: 60_000 };
    await book.hold(second(600), { latestSend: latest });
    const sent = { reqTime: second(110), sentAt: second(100), sentMonoMs: 60_000 };
    expect(await book.listOpen()).toMatchObject([{ state: 'UNKNOWN', isClaimed: true, sent }]);
  });

  /** What is known of an attempt that the book has forgotten. */
  const forgotten = { planned: anAttempt(), sent: STAMP };

  test('H18: an acceptance of what a restored book has forgotten makes it anew, open, once', async () => {
    const old = world.open(await world.takeLease('two'));
    book = world.open(await world.takeLease('three'));
    const answer = anAnswer('ACK_SUCCESS', { note: 'as noted', feeFen: 20n });
    await old.saveAnswer('req-T1-1', answer, forgotten);
    await old.saveAnswer('req-T1-1', answer, forgotten);
    const note =
      'the platform accepted it, and the database was restored during the call and had forgotten it';
    const known = { sent: STAMP, answeredAt: second(13), feeFen: 20n, note: `${note}: as noted` };
    expect(await book.listOpen()).toEqual([{ ...PLANNED, ...known, state: 'ACK_SUCCESS' }]);
    expect(await world.events()).toEqual([`1 T1/1 ACK_SUCCESS run-1 ${note}: as noted`]);
    await book.hold(second(14));
    expect(await book.plan(anAttempt({ attemptNo: 2, reqId: 'other' }), FRESH)).toBe('taken');
  });

  test('H18: what was not taken, or is not known to have been sent, makes nothing anew', async () => {
    for (const [state, known] of [
      ['UNKNOWN', forgotten],
      ['ACK_FAIL', forgotten],
      ['ACK_SUCCESS', undefined],
    ] as const) {
      await expect(book.saveAnswer('req-T1-1', anAnswer(state), known)).rejects.toThrow(
        'no settlement attempt has the request req-T1-1',
      );
    }
    expect(await book.listOpen()).toEqual([]);
  });

  test('H18: where another attempt was sent by then, both may be paid, and that one was sent beside it', async () => {
    const since = anAttempt({ reqId: 'since', plannedAt: second(5_000) });
    await book.plan(since, FRESH);
    await book.markSent('since', { ...STAMP, reqTime: second(5_001), sentAt: second(5_001) }, FRESH);
    await book.saveAnswer('req-T1-1', anAnswer('ACK_PROCESSING', { answeredAt: second(5_002) }), forgotten);
    expect(await book.listOpen()).toMatchObject([
      { reqId: 'since', attemptNo: 1, isFollowed: false, isBeside: true, besideEndedAt: undefined },
      { reqId: 'req-T1-1', attemptNo: 2, isFollowed: true, isBeside: false },
    ]);
  });

  test('H18: where it was never sent by what the backup knows, it was, and then', async () => {
    await book.plan(anAttempt(), FRESH);
    await book.saveAnswer('req-T1-1', anAnswer('ACK_SUCCESS'), forgotten);
    expect(await book.listOpen()).toMatchObject([{ state: 'ACK_SUCCESS', sent: STAMP }]);
    await book.plan(anAttempt({ outOrderNo: 'T2' }), FRESH);
    await book.close('req-T2-1', { outcome: 'NOT_SENT', at: second(20), note: '' });
    const known = { ...forgotten, planned: anAttempt({ outOrderNo: 'T2' }) };
    await book.saveAnswer('req-T2-1', anAnswer('ACK_SUCCESS'), known);
    expect((await book.listOpen())[1]).toMatchObject({
      state: 'ACK_SUCCESS',
      sent: STAMP,
      runner: 'runner-1',
    });
  });

  test('H18: a mark without a book is held before anything was planned here', async () => {
    await book.hold(second(600));
    expect(await book.guard()).toEqual({ sequence: 0n, holdUntil: second(600), isReplaced: false });
    await planAndSend();
    expect(await book.guard()).toEqual({ sequence: 2n, holdUntil: second(600), isReplaced: false });
  });
});
