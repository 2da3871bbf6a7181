/** The book of the retried settlements: one contract, held to by the database and by the maps of the simulation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Stopped } from '../../src/core/errors.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import { testDatabase, type TestDatabase } from '../helpers/database.ts';
import { batchAnswer, batchUnit, listed } from '../helpers/company/order-answers.ts';
import { second } from '../helpers/company/order-observations.ts';
import {
  FRESH,
  PLANNED,
  PLAN_DAY,
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
] as const;

const closing = (outcome: 'SUCCESS' | 'FAIL' | 'RETURNED' | 'NOT_SENT', note = '') => ({
  outcome,
  at: second(60),
  note,
});

describe.each(WORLDS)('the book of settlements %s', (_name, world) => {
  let book: SettlementAttemptStore;
  beforeEach(async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2', 'T3', 'T4');
    book = world.open(await world.takeLease('one'));
  });

  const planAndSend = async (over: Parameters<typeof anAttempt>[0] = {}): Promise<string> => {
    const planned = anAttempt(over);
    expect(await book.plan(planned, FRESH)).toBe('planned');
    await book.markSent(planned.reqId, STAMP, FRESH);
    return planned.reqId;
  };

  test('what is planned is open with all that was said of it', async () => {
    expect(await book.plan(anAttempt(), FRESH)).toBe('planned');
    expect(await book.listOpen()).toEqual([PLANNED]);
    expect(await world.events()).toEqual(['1 T1/1 PLANNED run-1']);
  });

  test('planning the same request again is planned already, also when it is closed; another order is refused', async () => {
    await book.plan(anAttempt(), FRESH);
    expect(await book.plan(anAttempt(), under({ maxPerRun: 0 }))).toBe('planned');
    await book.close('req-T1-1', closing('NOT_SENT'));
    expect(await book.plan(anAttempt(), FRESH)).toBe('planned');
    await expect(book.plan(anAttempt({ outOrderNo: 'T2', reqId: 'req-T1-1' }), FRESH)).rejects.toThrow(
      'Bug: the request req-T1-1 was planned for another settlement',
    );
    expect(await book.listOpen()).toEqual([]);
    expect(await world.events()).toHaveLength(2);
  });

  test('STL-09, M3: of one order one attempt is open; a number that this run did not see is taken too', async () => {
    await book.plan(anAttempt(), FRESH);
    expect(await book.plan(anAttempt({ attemptNo: 2 }), FRESH)).toBe('taken');
    expect(await book.plan(anAttempt({ reqId: 'other' }), FRESH)).toBe('taken');
    await book.close('req-T1-1', closing('NOT_SENT'));
    expect(await book.plan(anAttempt({ reqId: 'other' }), FRESH)).toBe('taken');
    expect(await book.plan(anAttempt({ attemptNo: 3 }), FRESH)).toBe('taken');
    expect(await book.plan(anAttempt({ attemptNo: 2 }), FRESH)).toBe('planned');
    expect((await book.listOpen()).map(({ reqId }) => reqId)).toEqual(['req-T1-2']);
  });

  test('M5: number and sum of a day are kept to the last fen, whichever run sends; what was never sent uses nothing', async () => {
    const few = { maxPerRun: 2, maxFenPerRun: 19_940n };
    const [two, wealthy] = [under(few), under({ maxPerRun: 2 })];
    const run = { runId: 'run-2' };
    expect(await book.plan(anAttempt(), two)).toBe('planned');
    expect(await book.plan(anAttempt({ outOrderNo: 'T2', amountFen: 9_971n }), two)).toBe('capped');
    expect(await book.plan(anAttempt({ outOrderNo: 'T2', ...run }), two)).toBe('planned');
    expect(await book.plan(anAttempt({ outOrderNo: 'T3', amountFen: 1n }), two)).toBe('capped');
    expect(await book.plan(anAttempt({ outOrderNo: 'T3', amountFen: 1n }), wealthy)).toBe('capped');
    expect(await book.usedOn(PLAN_DAY)).toEqual({ attempts: 2, sumFen: 19_940n });
    await book.saveAnswer('req-T2-1', anAnswer('NOT_SENT'));
    expect(await book.usedOn(PLAN_DAY)).toEqual({ attempts: 1, sumFen: 9_970n });
    await book.close('req-T2-1', closing('NOT_SENT'));
    expect(await book.usedOn(PLAN_DAY)).toEqual({ attempts: 1, sumFen: 9_970n });
    expect(await book.plan(anAttempt({ outOrderNo: 'T3' }), two)).toBe('planned');
    const next = { from: PLAN_DAY.to, to: second(172_800) };
    expect(await book.usedOn(next)).toEqual({ attempts: 0, sumFen: 0n });
    const tomorrow = anAttempt({ outOrderNo: 'T4', plannedAt: next.from });
    expect(await book.plan(tomorrow, under({ maxPerRun: 2, maxFenPerRun: 19_940n, day: next }))).toBe(
      'planned',
    );
    expect(await book.usedOn(next)).toEqual({ attempts: 1, sumFen: 9_970n });
  });

  test('M5: an order has so many attempts over all runs, but for those that were never sent', async () => {
    const twice = under({ maxAttempts: 2 });
    await book.plan(anAttempt(), twice);
    await book.close('req-T1-1', closing('NOT_SENT'));
    for (const attemptNo of [2, 3]) {
      const reqId = await planAndSend({ attemptNo, runId: `run-${attemptNo}` });
      await book.close(reqId, closing('FAIL'));
    }
    expect(await book.plan(anAttempt({ attemptNo: 4 }), twice)).toBe('capped');
    expect(await book.plan(anAttempt({ attemptNo: 4 }), under({ maxAttempts: 3 }))).toBe('planned');
  });

  test('sending gives the number of the change; once more with the same stamp gives the same number', async () => {
    await book.plan(anAttempt(), FRESH);
    expect(await book.markSent('req-T1-1', STAMP, FRESH)).toBe(2n);
    await book.saveFailedSeen('req-T1-1', second(40));
    expect(await book.markSent('req-T1-1', STAMP, FRESH)).toBe(2n);
    expect(await book.listOpen()).toEqual([
      { ...PLANNED, state: 'SENT', sent: STAMP, failedSeenAt: second(40) },
    ]);
    expect(await world.events()).toEqual([
      '1 T1/1 PLANNED run-1',
      '2 T1/1 SENT run-1',
      '3 T1/1 SENT run-1 a query says that it failed',
    ]);
  });

  test('a fraction of a millisecond of the monotonic clock is rounded up', async () => {
    await book.plan(anAttempt(), FRESH);
    const sent = { ...STAMP, sentMonoMs: 12_000.25 };
    expect([
      await book.markSent('req-T1-1', sent, FRESH),
      await book.markSent('req-T1-1', sent, FRESH),
    ]).toEqual([2n, 2n]);
    expect((await book.listOpen())[0]?.sent).toEqual({ ...STAMP, sentMonoMs: 12_001 });
  });

  test('nothing is sent twice, and nothing that is not planned', async () => {
    await expect(book.markSent('req-T1-1', STAMP, FRESH)).rejects.toThrow(
      'no settlement attempt has the request req-T1-1',
    );
    const reqId = await planAndSend();
    for (const other of [{ reqTime: second(20) }, { sentAt: second(20) }, { sentMonoMs: 1 }]) {
      await expect(book.markSent(reqId, { ...STAMP, ...other }, FRESH)).rejects.toThrow(
        'the settlement attempt req-T1-1 is SENT: only what is PLANNED may be sent',
      );
    }
    await book.saveAnswer(reqId, anAnswer('UNKNOWN'));
    await expect(book.markSent(reqId, STAMP, FRESH)).rejects.toThrow('is UNKNOWN');
    await book.close(reqId, closing('FAIL'));
    await expect(book.markSent(reqId, STAMP, FRESH)).rejects.toThrow('is CLOSED');
    expect(await world.events()).toHaveLength(4);
  });

  test.each(['ACK_PROCESSING', 'ACK_SUCCESS', 'ACK_FAIL', 'UNKNOWN', 'NOT_SENT'] as const)(
    'what came of the send is kept once: %s',
    async (state) => {
      const reqId = await planAndSend();
      const answer = anAnswer(state, { note: 'as noted', code: '900001' });
      await book.saveAnswer(reqId, answer);
      await book.saveAnswer(reqId, answer);
      expect(await book.listOpen()).toEqual([
        { ...PLANNED, state, sent: STAMP, answeredAt: second(13), note: 'as noted' },
      ]);
      expect((await world.events()).slice(2)).toEqual([`3 T1/1 ${state} run-1 as noted`]);
      const other = state === 'UNKNOWN' ? 'ACK_FAIL' : 'UNKNOWN';
      await expect(book.saveAnswer(reqId, anAnswer(other))).rejects.toThrow(
        `the settlement attempt req-T1-1 is ${state}: it cannot become ${other}`,
      );
    },
  );

  test('of what was never sent nothing can be answered but that; a closed attempt is left alone', async () => {
    await book.plan(anAttempt(), FRESH);
    await expect(book.saveAnswer('req-T1-1', anAnswer('ACK_SUCCESS'))).rejects.toThrow('is PLANNED');
    await book.saveAnswer('req-T1-1', anAnswer('NOT_SENT'));
    await book.close('req-T1-1', closing('NOT_SENT'));
    await book.saveAnswer('req-T1-1', anAnswer('ACK_SUCCESS'));
    await book.saveFailedSeen('req-T1-1', second(70));
    expect(await world.events()).toHaveLength(3);
  });

  test('of several looks that agree the one that was judged the first is kept, until one does not agree', async () => {
    const reqId = await planAndSend();
    const seen = async () => (await book.listOpen())[0]?.failedSeenAt;
    await book.saveFailedSeen(reqId, undefined);
    await book.saveFailedSeen(reqId, second(100));
    await book.saveFailedSeen(reqId, second(100));
    expect(await seen()).toBe(second(100));
    await book.saveFailedSeen(reqId, second(140));
    expect(await seen()).toBe(second(140));
    await book.saveFailedSeen(reqId, undefined);
    expect(await seen()).toBeUndefined();
    expect((await world.events()).slice(2)).toEqual([
      '3 T1/1 SENT run-1 a query says that it failed',
      '4 T1/1 SENT run-1 a query says that it failed',
      '5 T1/1 SENT run-1 a query says no more that it failed',
    ]);
  });

  test('closing twice is closing once: the first outcome stands', async () => {
    const reqId = await planAndSend();
    await book.close(reqId, closing('SUCCESS', 'paid'));
    await book.close(reqId, closing('FAIL'));
    expect(await book.listOpen()).toEqual([]);
    expect((await world.events()).slice(2)).toEqual(['3 T1/1 CLOSED run-1 SUCCESS paid']);
  });

  test('only what was never sent is closed as never sent, and it can have come to nothing else (M4)', async () => {
    await book.plan(anAttempt(), FRESH);
    for (const outcome of ['SUCCESS', 'FAIL', 'RETURNED'] as const) {
      await expect(book.close('req-T1-1', closing(outcome))).rejects.toThrow(
        `the settlement attempt req-T1-1 is PLANNED: it cannot have come to ${outcome}`,
      );
    }
    await book.markSent('req-T1-1', STAMP, FRESH);
    await expect(book.close('req-T1-1', closing('NOT_SENT'))).rejects.toThrow('is SENT');
    await book.saveAnswer('req-T1-1', anAnswer('UNKNOWN'));
    await expect(book.close('req-T1-1', closing('NOT_SENT'))).rejects.toThrow('is UNKNOWN');
    expect(await book.listOpen()).toHaveLength(1);
  });

  test('a later run that closes an attempt is the run of that change', async () => {
    const reqId = await planAndSend();
    const later = world.open(await world.takeLease('one'), { runId: 'run-2' });
    await later.close(reqId, closing('FAIL'));
    expect(await world.events()).toEqual([
      '1 T1/1 PLANNED run-1',
      '2 T1/1 SENT run-1',
      '3 T1/1 CLOSED run-2 FAIL',
    ]);
  });

  test('open attempts come by key', async () => {
    await world.enrol('B2');
    const other = listed('SUCCESS', { payerAccountNo: 'P2', outOrderNo: 'T0', settleState: 'FAIL' });
    await world.see(batchAnswer(0, [other], { unit: batchUnit('B2'), outBatchNo: 'B2', batchNo: 'N-B2' }));
    for (const reqId of ['P2 T0', 'P T3', 'P T2']) {
      const [accountNo = '', outOrderNo = ''] = reqId.split(' ');
      await book.plan(anAttempt({ accountNo, outOrderNo, reqId }), FRESH);
    }
    expect((await book.listOpen()).map(({ reqId }) => reqId)).toEqual(['P T2', 'P T3', 'P2 T0']);
  });

  test('M10: an approval holds for exactly its plan and its day, and is no first use of the database', async () => {
    const approval = { approvedBy: 'Li', approvedAt: second(5), runId: 'run-1', orders: 2, amountFen: 9n };
    expect(await book.isApproved('d1', PLAN_DAY)).toBe(false);
    await book.saveApproval({ planDigest: 'd1', ...approval });
    await book.saveApproval({ planDigest: 'd1', ...approval, approvedBy: 'Wang' });
    expect(await book.isApproved('d1', PLAN_DAY)).toBe(true);
    expect(await book.isApproved('d2', PLAN_DAY)).toBe(false);
    const nextDay = { from: PLAN_DAY.to, to: second(172_800) };
    expect(await book.isApproved('d1', nextDay)).toBe(false);
    await book.saveApproval({ planDigest: 'd1', ...approval, runId: 'run-2', approvedAt: second(90_000) });
    expect(await book.isApproved('d1', nextDay)).toBe(true);
    expect((await book.guard()).isReplaced).toBe(false);
  });

  test('M4: who lost the lease writes nothing more, and still may read', async () => {
    const reqId = await planAndSend();
    await world.takeLease('two');
    const approval = { approvedBy: 'Li', approvedAt: second(5), runId: 'run-1', orders: 2, amountFen: 9n };
    const writes: (() => Promise<unknown>)[] = [
      () => book.plan(anAttempt({ outOrderNo: 'T2' }), FRESH),
      () => book.plan(anAttempt(), FRESH),
      () => book.markSent(reqId, STAMP, FRESH),
      () => book.saveAnswer(reqId, anAnswer('UNKNOWN')),
      () => book.saveFailedSeen(reqId, second(50)),
      () => book.close(reqId, closing('FAIL')),
      () => book.hold(second(600)),
      () => book.saveApproval({ planDigest: 'd1', ...approval }),
    ];
    for (const write of writes) {
      const thrown = await write().catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(Stopped);
      expect(String(thrown)).toContain('this run lost its lock settle to another');
    }
    expect(await world.events()).toHaveLength(2);
    expect(await book.listOpen()).toEqual([{ ...PLANNED, state: 'SENT', sent: STAMP }]);
    expect(await book.guard()).toEqual({ sequence: 2n, holdUntil: undefined, isReplaced: false });
    expect(await book.isApproved('d1', PLAN_DAY)).toBe(false);
  });

  test.each([
    anAnswer('ACK_PROCESSING'),
    anAnswer('ACK_SUCCESS'),
    anAnswer('UNKNOWN', { isClaimed: true, note: 'as noted' }),
  ])('2.3 a: what the platform took is kept also by whoever lost the lease: $state', async (answer) => {
    const reqId = await planAndSend();
    await world.takeLease('two');
    await book.saveAnswer(reqId, answer);
    expect(await book.listOpen()).toMatchObject([{ state: answer.state, isClaimed: answer.isClaimed }]);
    expect(await world.events()).toHaveLength(3);
  });
});
