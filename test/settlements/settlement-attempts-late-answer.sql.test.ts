/**
 * An acceptance that arrives after its attempt was ended, by a process that hung while another one resolved it: one
 * contract, held to by the database and by the maps of the simulation (docs/reliability.md 2.3 a).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Lease } from '../../src/store/database/leases.ts';
import { listAttempts, resultOfAttempt } from '../../src/settlements/settle-list.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { second } from '../helpers/company/order-observations.ts';
import {
  FRESH,
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

describe.each(WORLDS)('an acceptance after the end, %s', (_name, world) => {
  let hung: SettlementAttemptStore;
  let book: SettlementAttemptStore;
  let lease: Lease;
  beforeEach(async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2');
    hung = world.open(await world.takeLease('one'));
    await hung.plan(anAttempt(), FRESH);
    await hung.markSent('req-T1-1', STAMP, FRESH);
    lease = await world.takeLease('two');
    book = world.open(lease, { runId: 'run-2' });
  });

  const ended = (outcome: 'SUCCESS' | 'FAIL' | 'RETURNED') =>
    book.close('req-T1-1', { outcome, at: second(900), note: '' });
  const late = (state: 'ACK_SUCCESS' | 'ACK_PROCESSING' | 'UNKNOWN' | 'ACK_FAIL', isClaimed = false) =>
    anAnswer(state, { answeredAt: second(1_000), note: 'as noted', feeFen: 20n, isClaimed });

  test.each([
    ['ACK_SUCCESS', false],
    ['ACK_PROCESSING', false],
    ['UNKNOWN', true],
  ] as const)('opens what was ended as failed again: %s', async (state, isClaimed) => {
    await book.saveFailedSeen('req-T1-1', second(800));
    await ended('FAIL');
    const before = (await world.events()).length;
    await hung.saveAnswer('req-T1-1', late(state, isClaimed));
    expect(await book.listOpen()).toMatchObject([
      {
        state,
        isClaimed,
        answeredAt: second(1_000),
        feeFen: 20n,
        failedSeenAt: undefined,
        isFollowed: false,
      },
    ]);
    const note = 'the platform accepted it, as was known only after it was ended as FAIL: as noted';
    expect((await world.events()).slice(before)).toEqual([`5 T1/1 ${state} run-1 ${note}`]);
    const again = anAttempt({ attemptNo: 2 });
    expect(await book.plan(again, FRESH)).toBe('taken');
  });

  test('that it was seen under way before it was ended does not let it end by itself again', async () => {
    await book.saveOpenSeen('req-T1-1', second(500));
    await ended('FAIL');
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    expect(await book.listOpen()).toMatchObject([{ openSeenAt: undefined }]);
  });

  test('stored once more it is known, whatever became of the attempt since', async () => {
    await ended('FAIL');
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    await ended('FAIL');
    const before = (await world.events()).length;
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    expect(await book.listOpen()).toEqual([]);
    expect(await world.events()).toHaveLength(before);
  });

  test('of what was ended as paid it is kept', async () => {
    await hung.saveAnswer('req-T1-1', anAnswer('ACK_PROCESSING'));
    await ended('SUCCESS');
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    expect(await book.listOpen()).toEqual([]);
    const note = 'the platform accepted it, as was known only after it was ended as SUCCESS: as noted';
    expect((await world.events()).at(-1)).toBe(`5 T1/1 CLOSED run-1 SUCCESS ${note}`);
  });

  test('what was ended as sent back is open again: that may have been what was paid before it', async () => {
    await ended('RETURNED');
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    expect(await book.listOpen()).toMatchObject([{ state: 'ACK_SUCCESS', isFollowed: false }]);
    const note = 'the platform accepted it, as was known only after it was ended as RETURNED: as noted';
    expect((await world.events()).at(-1)).toBe(`4 T1/1 ACK_SUCCESS run-1 ${note}`);
  });

  test('what says nothing of an acceptance changes nothing any more', async () => {
    await ended('FAIL');
    const before = (await world.events()).length;
    await world.open(lease).saveAnswer('req-T1-1', late('ACK_FAIL'));
    await world.open(lease).saveAnswer('req-T1-1', late('UNKNOWN'));
    expect([await book.listOpen(), (await world.events()).length]).toEqual([[], before]);
  });

  test('what was ended as never sent is open as sent then', async () => {
    await book.plan(anAttempt({ outOrderNo: 'T2' }), FRESH);
    await book.close('req-T2-1', { outcome: 'NOT_SENT', at: second(900), note: '' });
    await hung.saveAnswer('req-T2-1', late('ACK_SUCCESS'));
    const [, open] = await book.listOpen();
    expect(open).toMatchObject({ state: 'ACK_SUCCESS', runner: '' });
    expect(open?.sent).toEqual({ reqTime: second(1_000), sentAt: second(1_000), sentMonoMs: 0 });
  });

  test('the next attempt, planned by then, does not leave any more', async () => {
    await ended('FAIL');
    await book.plan(anAttempt({ attemptNo: 2 }), FRESH);
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    await expect(book.markSent('req-T1-2', STAMP, FRESH)).rejects.toThrow(
      'another attempt of it is open by now: nothing was sent',
    );
    expect((await book.listOpen()).map(({ reqId, state }) => `${reqId} ${state}`)).toEqual([
      'req-T1-1 ACK_SUCCESS',
      'req-T1-2 PLANNED',
    ]);
  });

  test('the next attempt, sent by then, is open beside it, and it is known that one followed', async () => {
    await ended('FAIL');
    await book.plan(anAttempt({ attemptNo: 2 }), FRESH);
    await book.markSent('req-T1-2', STAMP, FRESH);
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    const open = async () =>
      (await book.listOpen()).map(({ attemptNo, isFollowed }) => [attemptNo, isFollowed]);
    expect(await open()).toEqual([
      [1, true],
      [2, false],
    ]);
    await book.close('req-T1-2', { outcome: 'SUCCESS', at: second(1_100), note: '' });
    expect(await open()).toEqual([[1, true]]);
    await ended('FAIL');
    expect(await book.listFailed()).toMatchObject([{ mayBeTakenTwice: true }, { mayBeTakenTwice: false }]);
    const next = { outOrderNo: 'T1', attemptNo: 2, state: 'CLOSED', payeeAccountNo: 'Q' };
    expect(await book.openMet({ orders: ['T2', 'N-T1'], accounts: [] })).toEqual([next]);
    expect(await book.openMet({ orders: ['T2'], accounts: ['Q'] })).toEqual([]);
  });

  test('when it ends is known of the next one, and one that is planned after that is beside none', async () => {
    await ended('FAIL');
    await book.plan(anAttempt({ attemptNo: 2 }), FRESH);
    await book.markSent('req-T1-2', STAMP, FRESH);
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    expect((await book.listOpen())[1]).toMatchObject({ isBeside: true, besideEndedAt: undefined });
    await book.close('req-T1-1', { outcome: 'FAIL', at: second(1_100), note: '' });
    expect((await book.listOpen())[0]).toMatchObject({ isBeside: true, besideEndedAt: second(1_100) });
  });

  test('where it had ended before another one was sent, it is retried as any other', async () => {
    await ended('FAIL');
    await hung.saveAnswer('req-T1-1', late('ACK_SUCCESS'));
    await ended('FAIL');
    await book.plan(anAttempt({ attemptNo: 2, plannedAt: second(2_000) }), FRESH);
    await book.markSent('req-T1-2', STAMP, FRESH);
    expect(await book.listOpen()).toMatchObject([{ isBeside: false, besideEndedAt: undefined }]);
    await book.close('req-T1-2', { outcome: 'FAIL', at: second(2_100), note: '' });
    expect(await book.listFailed()).toMatchObject([{ mayBeTakenTwice: false }, { mayBeTakenTwice: false }]);
  });

  test('M4: another holder with the same fence, as a restored database gives it, changes nothing', async () => {
    const other = world.open({ ...lease, holder: 'of before the restore' });
    await expect(other.saveFailedSeen('req-T1-1', second(800))).rejects.toThrow('lost its lock settle');
    await expect(other.plan(anAttempt({ outOrderNo: 'T2' }), FRESH)).rejects.toThrow('lost its lock settle');
  });

  test('an acceptance of what a restore made doubtful is kept', async () => {
    await book.plan(anAttempt({ outOrderNo: 'T2' }), FRESH);
    await book.hold(second(5_000), { latestSend: STAMP });
    await hung.saveAnswer('req-T2-1', late('ACK_SUCCESS'));
    expect((await book.listOpen())[1]).toMatchObject({
      reqId: 'req-T2-1',
      state: 'ACK_SUCCESS',
      feeFen: 20n,
    });
  });
});

test('a night reports it as one that awaits a person, and the nights before as they knew it', async () => {
  const world = databaseWorld(() => database.db);
  await world.reset();
  await failedIn(world, 'T1');
  const book = world.open(await world.takeLease('one'));
  await book.plan(anAttempt(), FRESH);
  await book.markSent('req-T1-1', STAMP, FRESH);
  await book.close('req-T1-1', { outcome: 'FAIL', at: second(900), note: '' });
  await book.saveAnswer('req-T1-1', anAnswer('ACK_SUCCESS', { answeredAt: second(1_000) }));
  const [then] = await listAttempts(database.db, { after: 0n, upTo: 3n });
  const [now] = await listAttempts(database.db, { after: 3n, upTo: 4n });
  expect([then, now].map((one) => one && [resultOfAttempt(one), one.closedAt])).toEqual([
    ['FAIL', second(900)],
    ['AWAITING', null],
  ]);
  expect(now?.note).toBe('the platform accepted it, as was known only after it was ended as FAIL');
});
