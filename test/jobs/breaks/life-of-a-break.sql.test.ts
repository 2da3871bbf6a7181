/** What people say of breaks over several nights: how long it holds, and that no proof reads it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginLists, listsOfRun } from '../../../jobs/night/publish/result-lists.ts';
import { say } from '../../../jobs/breaks/work-on-breaks.ts';
import type { Saying } from '../../../jobs/breaks/say.ts';
import type { Day } from '../../../src/core/time.ts';
import { findBreaks, listBreakEvents, listEarlier } from '../../../src/store/runs/breaks.ts';
import type { WorkedBreak } from '../../../src/store/runs/breaks.ts';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import { Books } from '../../helpers/company/books.ts';
import { onPostgres, testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { at } from '../../helpers/service-time.ts';

let database: TestDatabase;
let books: Books;
beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
});
afterEach(() => database.close());

/** A1 holds 1,000.00 as March begins and gets D1 (5.00) and D2 (0.70), which the books do not have. */
async function openMarch(): Promise<void> {
  const opening = '2026-03-01 00:00:00';
  await books.account('A1', { fen: 100_000n, at: opening });
  await books.entries('A1', [{ id: 'O', kind: 'opening', amountFen: 100_000n, at: opening }]);
  await books.proven('A1', '2026-02-20', '2026-03-08');
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-01 10:00:00', amountFen: 70n },
  ]);
  for (let day = 2; day <= 8; day++) {
    await books.balance('A1', { at: `2026-03-0${day} 00:00:05`, fen: 100_570n });
  }
}

async function idOf(reference: string): Promise<string> {
  const row = await database.db
    .selectFrom('break')
    .select('break_id')
    .where('reference', '=', reference)
    .orderBy('occurrence', 'desc')
    .executeTakeFirstOrThrow();
  return row.break_id;
}

/** At ten in the morning of that day. */
async function on(day: Day, by: string, saying: Saying, ...references: string[]): Promise<string[]> {
  const breakIds = await Promise.all(references.map(idOf));
  const clock = { wall: () => at(`${day} 10:00:00`) };
  const request = { selection: { breakIds }, saying, speaker: { by, today: day } };
  const { changes } = await say({ db: database.db, clock: clock as never }, request);
  return changes.map(({ found, work }) => `${found.reference} ${found.work_status} → ${work.status}`);
}

async function seen(day: Day): Promise<Record<string, WorkedBreak>> {
  const rows = await findBreaks(database.db, { withClosed: true }, day);
  return Object.fromEntries(rows.map((row) => [row.reference, row]));
}

async function statuses(day: Day): Promise<string[]> {
  const rows = await findBreaks(database.db, { withClosed: true }, day);
  return rows.map(
    (row) => `${row.reference} ${row.status} ${row.work_status}${row.is_proposed ? ' proposed' : ''}`,
  );
}

async function eventsOf(reference: string): Promise<string[]> {
  return (await listBreakEvents(database.db, await idOf(reference))).map(
    (row) => `${row.event} ${row.actor}`,
  );
}

const WRITE_OFF = { kind: 'write-off', reason: 'rounding', expires: '2026-03-04' } as const;

test('a write-off is in force from its approval to its last day, and the proof keeps the break all the time', async () => {
  await openMarch();
  const plain = await books.night('2026-03-01');
  await on('2026-03-02', 'Li Na', { kind: 'assign', to: 'Zhao' }, 'D2');
  await on('2026-03-02', 'Li Na', WRITE_OFF, 'D2');
  expect(await statuses('2026-03-02')).toEqual(['D1 open open', 'D2 open assigned proposed']);
  const spaced = ['li  NA', 'LiNa', 'Ｌｉ　Ｎａ', 'Li\u200b Na', 'Li Na\ufe00', 'Li\u3164Na', 'Li\u2800Na'];
  for (const name of [...spaced, 'Li·Na', 'Li•Na', 'Li・Na', 'Li-Na', "Li'Na", 'Li’Na', 'Li. Na']) {
    await expect(on('2026-03-02', name, { kind: 'approve' }, 'D2'), name).rejects.toThrow(
      /was proposed by Li Na: another person approves it/,
    );
  }
  await on('2026-03-02', 'Wang', { kind: 'approve' }, 'D2');
  expect(await statuses('2026-03-04')).toEqual(['D1 open open', 'D2 open written_off']);
  expect(await statuses('2026-03-05')).toEqual(['D1 open open', 'D2 open expired']);
  const again = await books.night('2026-03-02');
  expect([again.verdict, again.accounts[0]?.lineDifferenceFen]).toEqual(['breaks', 570n]);
  expect((await books.found(again.runId)).slice(0, 2)).toEqual(await books.found(plain.runId));
  await books.night('2026-03-03');
  await books.night('2026-03-04');
  expect(await statuses('2026-03-04')).toContain('D2 open written_off');
  await books.night('2026-03-05');
  expect(await eventsOf('D2')).toEqual([
    'opened recon',
    'assigned Li Na',
    'write_off_proposed Li Na',
    'written_off Wang',
    'expired recon',
  ]);
  expect((await seen('2026-03-06'))['D2']?.work).toMatchObject({ owner: 'Zhao', status: 'expired' });
  expect((await verifyTrail(database.db)).faults).toEqual([]);
});

test('one that is in force stays so, until the one that is proposed after it is approved', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await on('2026-03-02', 'Li Na', WRITE_OFF, 'D1', 'D2');
  await on('2026-03-02', 'Wang', { kind: 'approve' }, 'D1', 'D2');
  await on('2026-03-03', 'Li Na', { ...WRITE_OFF, reason: 'still', expires: '2026-03-06' }, 'D1', 'D2');
  await on('2026-03-03', 'Li Na', { ...WRITE_OFF, reason: 'still there', expires: '2026-03-06' }, 'D1', 'D2');
  expect(await statuses('2026-03-04')).toEqual([
    'D1 open written_off proposed',
    'D2 open written_off proposed',
  ]);
  expect((await seen('2026-03-04'))['D1']?.work).toMatchObject({
    reason: 'rounding',
    inForce: { expires: '2026-03-04', approvedBy: 'Wang' },
    writeOff: { expires: '2026-03-06', approvedBy: null },
  });
  await on('2026-03-04', 'Wang', { kind: 'approve' }, 'D2');
  await books.night('2026-03-05');
  expect(await statuses('2026-03-06')).toEqual(['D1 open expired proposed', 'D2 open written_off']);
  expect((await seen('2026-03-06'))['D2']?.work).toMatchObject({ reason: 'still there', inForce: null });
  await on('2026-03-06', 'Wang', { kind: 'approve' }, 'D1');
  expect(await statuses('2026-03-06')).toEqual(['D1 open written_off', 'D2 open written_off']);
});

test('what was said of an amount is not said of another one', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await on('2026-03-02', 'Li Na', { kind: 'explain', reason: 'booked tomorrow' }, 'D1');
  await on('2026-03-02', 'Li Na', { ...WRITE_OFF, expires: '2026-12-31' }, 'D2');
  await books.entries('A1', [
    { id: 'E1', amountFen: 400n, at: '2026-03-02 11:00:00', reference: 'D1' },
    { id: 'E2', amountFen: 10n, at: '2026-03-02 11:00:00', reference: 'D2' },
  ]);
  await books.night('2026-03-02');
  expect(await statuses('2026-03-03')).toEqual(['D1 open open', 'D2 open open']);
  expect((await eventsOf('D1')).slice(-2)).toEqual(['changed recon', 'reopened recon']);
  await expect(on('2026-03-03', 'Wang', { kind: 'approve' }, 'D2')).rejects.toThrow(
    'was proposed for 0.70 (platform_only) and is 0.60 (amount) by now: propose it anew',
  );
});

test('what is said to be resolved is open again once a night of that day finds it, and closed once none does', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await on('2026-03-02', 'Li Na', { kind: 'assign', to: 'Li Na' }, 'D1');
  await on('2026-03-02', 'Li Na', { kind: 'resolve', reason: 'V-1' }, 'D1', 'D2');
  await books.entries('A1', [{ id: 'E2', amountFen: 70n, at: '2026-03-02 11:00:00', reference: 'D2' }]);
  // The day before, proven again, says nothing of what was done since.
  await books.night('2026-03-01');
  expect(await statuses('2026-03-02')).toEqual(['D1 open resolved', 'D2 open resolved']);
  await books.night('2026-03-02');
  expect(await statuses('2026-03-03')).toEqual(['D1 open assigned', 'D2 closed resolved']);
  expect(await eventsOf('D1')).toEqual([
    'opened recon',
    'assigned Li Na',
    'resolved Li Na',
    'reopened recon',
  ]);
  await expect(on('2026-03-03', 'Li Na', { kind: 'explain', reason: 'x' }, 'D2')).rejects.toThrow(
    /is closed since 2026-03-02: nothing is to be said of it/,
  );
  await books.withdraw('E2');
  await books.night('2026-03-02');
  expect(await statuses('2026-03-03')).toEqual(['D1 open assigned', 'D2 open open']);
  expect(await eventsOf('D2')).toEqual([
    'opened recon',
    'resolved Li Na',
    'closed recon',
    'reopened recon',
    'reopened recon',
  ]);
});

test('what a run ended stays in its result, whatever becomes of the break', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  const ended = await books.night('2026-03-02');
  const result = listsOfRun(database.db, ended.runId, 'zh-CN');
  const closed = [{ id: await idOf('D1'), clearedBy: 'E1', cause: 'entry' }];
  expect(await result.closed.whole()).toEqual(closed);
  await books.withdraw('E1');
  const again = await books.night('2026-03-02');
  expect((await statuses('2026-03-03'))[0]).toBe('D1 open open');
  expect(await result.closed.whole()).toEqual(closed);
  expect(await listsOfRun(database.db, again.runId, 'zh-CN').closed.whole()).toEqual([]);
  expect((await beginLists(database.db, ended.runId, 10)).closed).toBe(1);
});

test('what one try of a run ended and the next one found again, the run did not end', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  const { runId } = await books.night('2026-03-02');
  await database.db.updateTable('run').set({ state: 'incomplete' }).where('run_id', '=', runId).execute();
  await books.withdraw('E1');
  expect((await books.night('2026-03-02')).runId).toBe(runId);
  expect(await listsOfRun(database.db, runId, 'zh-CN').closed.whole()).toEqual([]);
});

test('nor did it end what another run of the day found again between its tries', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  const { runId } = await books.night('2026-03-02');
  await database.db.updateTable('run').set({ state: 'incomplete' }).where('run_id', '=', runId).execute();
  await books.withdraw('E1');
  const backfill = await books.night('2026-03-02', { from: '2026-03-01' });
  expect((await books.night('2026-03-02')).runId).toBe(runId);
  const { breaks, closed } = listsOfRun(database.db, runId, 'zh-CN');
  expect((await breaks.whole()).map(({ reference }) => reference)).toEqual(['D1', 'D2']);
  expect([
    await closed.whole(),
    await listsOfRun(database.db, backfill.runId, 'zh-CN').closed.whole(),
  ]).toEqual([[], []]);
});

test('one that comes back days after its end is told with what it was before', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await on('2026-03-02', 'Li Na', { kind: 'explain', reason: 'booked today' }, 'D1');
  const before = await idOf('D1');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  await books.night('2026-03-02');
  await books.night('2026-03-03');
  await books.withdraw('E1');
  await books.night('2026-03-04');
  const again = (
    await findBreaks(database.db, { breakIds: [await idOf('D1')], withClosed: true }, '2026-03-05')
  )[0];
  expect([again?.status, again?.work_status, again?.break_id === before]).toEqual(['open', 'open', false]);
  expect(again && (await listEarlier(database.db, again))).toEqual([
    { break_id: before, closed_day: '2026-03-02' },
  ]);
});

test('saying it twice is saying it once', async () => {
  await openMarch();
  await books.night('2026-03-01');
  const twice = async (by: string, saying: Saying): Promise<string[]> => [
    ...(await on('2026-03-02', by, saying, 'D1')),
    ...(await on('2026-03-02', by, saying, 'D1')),
  ];
  expect(await twice('Li Na', { kind: 'assign', to: 'Zhao' })).toEqual(['D1 open → assigned']);
  expect(await twice('Li Na', { kind: 'note', text: 'asked' })).toEqual(['D1 assigned → assigned']);
  expect(await twice('Li Na', { kind: 'explain', reason: 'fee' })).toEqual(['D1 assigned → explained']);
  expect(await twice('Li Na', WRITE_OFF)).toEqual(['D1 explained → explained']);
  expect(await twice('Wang', { kind: 'approve' })).toEqual(['D1 explained → written_off']);
  expect(await twice('Li Na', { kind: 'resolve', reason: 'V-1' })).toEqual(['D1 written_off → resolved']);
  expect((await seen('2026-03-02'))['D1']?.work).toEqual({
    status: 'resolved',
    owner: 'Zhao',
    reason: 'V-1',
    note: 'asked',
    class: 'platform_only',
    differenceFen: 500,
    day: '2026-03-02',
    writeOff: null,
    inForce: null,
  });
});

test('one break of which it cannot be said leaves all as they were', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await on('2026-03-02', 'Li Na', WRITE_OFF, 'D1');
  await expect(on('2026-03-02', 'Wang', { kind: 'approve' }, 'D1', 'D2')).rejects.toThrow(
    /^nothing was changed:\n- B[0-9a-f]+ has no write-off that awaits approval$/,
  );
  expect(await statuses('2026-03-02')).toEqual(['D1 open open proposed', 'D2 open open']);
});

test.runIf(onPostgres)('people and a night at once: all of it is said, one behind the other', async () => {
  await openMarch();
  await books.night('2026-03-01');
  await Promise.all([
    books.night('2026-03-02'),
    ...['a', 'b', 'c'].map((text) => on('2026-03-02', `Li ${text}`, { kind: 'note', text }, 'D1', 'D2')),
    on('2026-03-02', 'Zhao', { kind: 'assign', to: 'Zhao' }, 'D1', 'D2'),
  ]);
  expect(await statuses('2026-03-02')).toEqual(['D1 open assigned', 'D2 open assigned']);
  expect((await eventsOf('D1')).toSorted()).toEqual([
    'assigned Zhao',
    'noted Li a',
    'noted Li b',
    'noted Li c',
    'opened recon',
  ]);
  expect((await verifyTrail(database.db)).faults).toEqual([]);
});
