/** Signed periods: what is signed, by whom and how often, and that whatever changes of it afterwards is found and named. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { say } from '../../../jobs/breaks/work-on-breaks.ts';
import type { Saying } from '../../../jobs/breaks/say.ts';
import { decideToApprove, decideToWithdraw } from '../../../jobs/sign-off/decide.ts';
import { signPeriod, withdraw } from '../../../jobs/sign-off/signing.ts';
import { verifyPeriods } from '../../../jobs/sign-off/verify-periods.ts';
import { periodOf } from '../../../src/store/periods/period.ts';
import { listPeriodEvents } from '../../../src/store/periods/sign-offs.ts';
import { verifyTrail } from '../../../src/store/runs/verify-trail.ts';
import type { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { DAY, WITH_OPEN, firstOfMarch, needs as needsOf, sign as signIn } from './signed-world.ts';
import type { How } from './signed-world.ts';

const ALL = { fromDay: '2000-01-01', toDay: '9999-12-31' };

let database: TestDatabase;
let books: Books;
beforeEach(async () => {
  database = await testDatabase();
  books = await firstOfMarch(database.db);
});
afterEach(() => database.close());

function sign(period: string, by: string, how: How = {}): Promise<string> {
  return signIn(database.db, period, { ...how, by });
}

function needs() {
  return needsOf(database.db);
}

async function approve(period: string, by: string): Promise<string> {
  const { decision } = await signPeriod(needs(), {
    period: periodOf(period),
    by,
    decide: (known, read) => decideToApprove(period, known, { ...read, by }),
  });
  return decision === 'unchanged' ? decision : decision.event;
}

async function takeBack(period: string, by: string, reason: string): Promise<string | undefined> {
  const decide = (known: Parameters<typeof decideToWithdraw>[1]) => decideToWithdraw(period, known, reason);
  return (await withdraw(needs(), { period: periodOf(period), by, decide }))?.event;
}

async function on(reference: string, saying: Saying): Promise<void> {
  const { break_id: id } = await database.db
    .selectFrom('break')
    .select('break_id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  const speaker = { by: 'Wang', today: '2026-03-02' };
  await say(needs(), { selection: { breakIds: [id] }, saying, speaker });
}

/** `change kind key field recorded actual difference note`. */
async function changes(): Promise<string[]> {
  const found = (await verifyPeriods(needs(), ALL)).changes;
  return found.map((one) =>
    [one.change, one.kind, one.key, one.field, one.recorded, one.actual, one.difference, one.note].join(' '),
  );
}

test('what nobody explained is signed with a reason alone; what is explained stands open no more', async () => {
  await expect(sign(DAY, 'Li')).rejects.toMatchObject({
    message: expect.stringContaining('1 point stands open') as string,
    faults: [expect.stringMatching(/^B[0-9a-f]{15} platform_only D2 of A1: 0\.70, open$/) as string],
  });
  await on('D2', { kind: 'assign', to: 'Wang' });
  await expect(sign(DAY, 'Li')).rejects.toMatchObject({
    faults: [expect.stringContaining(', assigned') as string],
  });
  await on('D2', { kind: 'explain', reason: 'booked tomorrow' });
  expect(await sign(DAY, 'Li')).toBe('signed_off');
  expect(await sign(DAY, 'Li')).toBe('unchanged');
  const [event, ...more] = await listPeriodEvents(database.db, DAY);
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    event: 'signed_off',
    by: 'Li',
    details: { open: 0, reason: '', verdict: 'breaks' },
  });
  expect(await changes()).toEqual([]);
  expect((await verifyTrail(database.db)).faults).toEqual([]);
});

test('one prepares and another approves, the same figures and breaks', async () => {
  const four = { ...WITH_OPEN, fourEyes: true };
  await expect(approve(DAY, 'Zhao')).rejects.toThrow(`${DAY} awaits no approval`);
  expect(await sign(DAY, '李娜', four)).toBe('prepared');
  expect(await sign(DAY, '李 娜', four)).toBe('unchanged');
  await expect(approve(DAY, '李 娜')).rejects.toThrow('was prepared by 李娜: another person approves it');
  await on('D2', { kind: 'note', text: 'asked' });
  expect(await changes()).toEqual([]);
  await on('D2', { kind: 'explain', reason: 'booked tomorrow' });
  await expect(approve(DAY, 'Zhao')).rejects.toThrow('what 李娜 prepared of 2026-03-01 has changed since');
  expect(await sign(DAY, '李娜', { fourEyes: true })).toBe('prepared');
  expect(await approve(DAY, 'Zhao')).toBe('signed_off');
  expect(await approve(DAY, 'zhao')).toBe('unchanged');
  await expect(approve(DAY, 'Sun')).rejects.toThrow('is signed off by Zhao, prepared by 李娜 already');
  const events = await listPeriodEvents(database.db, DAY);
  expect(events.map(({ event, by, details }) => `${event} ${by} ${details.preparedBy}`)).toEqual([
    'prepared 李娜 李娜',
    'prepared 李娜 李娜',
    'signed_off Zhao 李娜',
  ]);
  expect(await changes()).toEqual([]);
});

test('figures, breaks and files that are altered past recon are told, recorded, actual and difference', async () => {
  await sign(DAY, 'Li', WITH_OPEN);
  const { db } = database;
  await db.updateTable('run_account').set({ platform_fen: 100_571n }).execute();
  expect(await changes()).toEqual([
    'altered account A1 adjustedDifferenceFen 0 1 1 ',
    'altered account A1 adjustedPlatformFen 100570 100571 1 ',
    'altered account A1 platformFen 100570 100571 1 ',
  ]);
  await db.updateTable('run_account').set({ platform_fen: 100_570n }).execute();
  await db.updateTable('run_file').set({ sha256: 'bb' }).execute();
  expect(await changes()).toEqual([
    'altered file reports/2026-03-01/v1/reconciliation-2026-03-01.xlsx sha256 aa bb  published anew since with other content; the signed file is kept beside it (.aside-…)',
  ]);
  await db.updateTable('run_file').set({ sha256: 'aa' }).execute();
  await db.updateTable('run').set({ verdict: 'reconciled' }).execute();
  expect(await changes()).toEqual(['altered run nightly-2026-03-01-v1 verdict breaks reconciled  ']);
  await db.updateTable('run').set({ verdict: 'breaks' }).execute();
  await sql`delete from finding`.execute(db);
  expect((await changes()).filter((line) => line.includes(' item '))).toEqual([
    expect.stringMatching(/^altered item B[0-9a-f]{15}  70  -70 $/),
  ]);
});

test('an entry that comes into a signed day, and one that is changed past recon, are told as such', async () => {
  await sign(DAY, 'Li', WITH_OPEN);
  await books.entries('A1', [{ id: 'E2', amountFen: 70n, at: '2026-03-01 12:00:00', reference: 'D2' }]);
  const late = await changes();
  expect(late.filter((line) => !line.includes(' digest '))).toEqual([
    'books ledger A1 records 2 3 1 entry E2 of erp version 1: 0.70',
    'books ledger A1 sumFen 100500 100570 70 entry E2 of erp version 1: 0.70',
  ]);
  await takeBack(DAY, 'Li', 'E2 came late');
  expect(await changes()).toEqual([]);
  await expect(sign(DAY, 'Li')).rejects.toMatchObject({
    faults: [
      expect.stringContaining('platform_only D2') as string,
      'ledger entries booked in the period that came or changed since nightly-2026-03-01-v1: 1; run it again to prove them',
    ],
  });
  await sign(DAY, 'Li', WITH_OPEN);
  await database.db
    .updateTable('ledger_entry')
    .set({ amount_fen: 71n })
    .where('entry_id', '=', 'E2')
    .execute();
  expect((await changes()).filter((line) => !line.includes(' digest '))).toEqual([
    'books ledger A1 sumFen 100570 100571 1 nothing is written since: it was changed past recon',
  ]);
});

test('a signed day that is restated is told with its new version, and is signed anew once it was taken back', async () => {
  await sign(DAY, 'Li', WITH_OPEN);
  await books.deposits('A1', [{ orderNo: 'D3', at: '2026-03-01 13:00:00', amountFen: 30n }]);
  await books.night(DAY);
  const told = await changes();
  expect(told).toContain('restated account A1 unexplainedFen 0 -30 -30 nightly-2026-03-01-v2');
  expect(told.filter((line) => line.startsWith('altered'))).toEqual([]);
  expect(
    told.filter((line) => line.startsWith('books')).map((line) => line.split(' ').slice(0, 4).join(' ')),
  ).toEqual(['books platform A1 digest', 'books platform A1 records', 'books platform A1 sumFen']);
  expect(told.filter((line) => line.startsWith('restated item'))).toHaveLength(2);
  await expect(sign(DAY, 'Li', WITH_OPEN)).rejects.toThrow('take it back first (--withdraw --reason TEXT)');
  expect(await takeBack(DAY, 'Li', 'D3 came late')).toBe('withdrawn');
  await expect(takeBack(DAY, 'Li', 'again')).rejects.toThrow('was taken back by Li already');
  expect(await sign(DAY, 'Li', WITH_OPEN)).toBe('signed_off');
  expect(await changes()).toEqual([]);
  expect((await listPeriodEvents(database.db, DAY)).map(({ event }) => event)).toEqual([
    'signed_off',
    'withdrawn',
    'signed_off',
  ]);
});

test('a signed day that is proven anew as it was signed needs no new signature', async () => {
  await sign(DAY, 'Li', WITH_OPEN);
  await books.entries('A1', [{ id: 'E3', amountFen: 10n, at: '2026-03-01 12:00:00' }]);
  await books.night(DAY);
  await expect(sign(DAY, 'Li', WITH_OPEN)).rejects.toThrow('take it back first (--withdraw --reason TEXT)');
  await books.withdraw('E3');
  const { runId } = await books.night(DAY);
  expect(runId).toBe('nightly-2026-03-01-v3');
  expect(await changes()).toEqual([]);
  expect(await sign(DAY, 'Li', WITH_OPEN)).toBe('unchanged');
  expect((await listPeriodEvents(database.db, DAY)).map(({ event }) => event)).toEqual(['signed_off']);
});

test('a sign-off that is removed, altered or whose rows are touched is named', async () => {
  await sign(DAY, 'Li', WITH_OPEN);
  const { db } = database;
  const edited = sql`
    update signed_row set figures = figures || ${'{"platformFen":1}'}::jsonb where kind = 'account'`;
  await edited.execute(db);
  expect((await changes()).map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual([
    'rows sign_off 2026-03-01 digest',
    'altered account A1 platformFen',
  ]);
  await db.updateTable('break_event').set({ actor: 'Sun' }).where('period', '=', DAY).execute();
  expect((await verifyTrail(db)).faults.map(({ fault }) => fault)).toEqual([
    expect.stringMatching(/^event 2 \(signed_off of 2026-03-01 by Sun at .*\) is not as it was written$/),
  ]);
  await db.deleteFrom('break_event').where('period', '=', DAY).execute();
  expect((await verifyTrail(db)).faults.map(({ fault }) => fault)).toEqual(['event 2 is missing']);
  expect(await changes()).toEqual([
    'rows sign_off 2026-03-01 digest 2   event 2 of the audit trail, which signed them, is gone',
  ]);
});

test('a month is signed by its last day; days that nobody proved stand open', async () => {
  await expect(sign('2026-03', 'Li')).rejects.toThrow('no night has been run for 2026-03-31');
  await books.balance('A1', { at: '2026-04-01 00:00:05', fen: 100_570n });
  await books.night('2026-03-31');
  await expect(sign('2026-03', 'Li')).rejects.toMatchObject({
    message: expect.stringContaining('30 points stand open') as string,
  });
  expect(await sign('2026-03', 'Li', WITH_OPEN)).toBe('signed_off');
  const [event] = await listPeriodEvents(database.db, '2026-03');
  expect(event?.details.runs).toEqual(['nightly-2026-03-01-v1', 'nightly-2026-03-31-v1']);
  expect(event?.details.open).toBe(30);
  expect(await changes()).toEqual([]);
  await database.db
    .updateTable('run_account')
    .set({ in_fen: 571n })
    .where('run_id', '=', 'nightly-2026-03-01-v1')
    .execute();
  expect(await changes()).toEqual(['altered account A1 inFen 570 571 1 ']);
});

test('an account that is on the list and that no run has shown stands open, one that begins later does not', async () => {
  await on('D2', { kind: 'explain', reason: 'booked tomorrow' });
  await books.account('B1', { fen: 0n, at: '2026-03-01 00:00:00' });
  await books.account('B2', { fen: 0n, at: '2026-03-02 00:00:00' });
  await books.account('B3');
  await books.account('B4');
  const { db } = database;
  await db
    .updateTable('account')
    .set({ active_from: '2026-03-01T16:00:00.000Z' })
    .where('account_no', '=', 'B3')
    .execute();
  await db
    .updateTable('account')
    .set({ active_to: '2026-02-28T16:00:00.000Z' })
    .where('account_no', '=', 'B4')
    .execute();
  await expect(sign(DAY, 'Li')).rejects.toMatchObject({
    message: expect.stringContaining('1 point stands open') as string,
    faults: [
      expect.stringContaining('account B1 is on the list and no part of nightly-2026-03-01-v1') as string,
    ],
  });
});

test('what stands open since it was prepared is prepared anew, with its reason, before it is approved', async () => {
  await on('D2', { kind: 'explain', reason: 'booked tomorrow' });
  expect(await sign(DAY, '李娜', { fourEyes: true })).toBe('prepared');
  await books.account('B1', { fen: 0n, at: '2026-03-01 00:00:00' });
  await expect(approve(DAY, 'Zhao')).rejects.toThrow('what 李娜 prepared of 2026-03-01 has changed since');
  await expect(sign(DAY, '李娜', { fourEyes: true })).rejects.toThrow('1 point stands open');
  expect(await sign(DAY, '李娜', { ...WITH_OPEN, fourEyes: true })).toBe('prepared');
  // Another one in its place.
  await books.account('B2', { fen: 0n, at: '2026-03-01 00:00:00' });
  const ended = { active_to: '2026-02-27T16:00:00.000Z' };
  await database.db.updateTable('account').set(ended).where('account_no', '=', 'B1').execute();
  await expect(approve(DAY, 'Zhao')).rejects.toThrow('what 李娜 prepared of 2026-03-01 has changed since');
  expect(await sign(DAY, '李娜', { ...WITH_OPEN, fourEyes: true })).toBe('prepared');
  expect(await approve(DAY, 'Zhao')).toBe('signed_off');
});

test('who prepares it anew with another reason has that approved', async () => {
  expect(await sign(DAY, '李娜', { ...WITH_OPEN, fourEyes: true })).toBe('prepared');
  expect(await sign(DAY, '李娜', { ...WITH_OPEN, fourEyes: true })).toBe('unchanged');
  expect(await sign(DAY, '李娜', { reason: 'the bank has confirmed it', fourEyes: true })).toBe('prepared');
  expect(await approve(DAY, 'Zhao')).toBe('signed_off');
  const events = await listPeriodEvents(database.db, DAY);
  expect(events.at(-1)?.details.reason).toBe('the bank has confirmed it');
});

test('a day that is incomplete or has no verdict cannot be signed, whatever is said of it', async () => {
  await expect(sign('2026-03-02', 'Li', WITH_OPEN)).rejects.toThrow('no night has been run for 2026-03-02');
  await books.night('2026-03-02', { ledgerIncomplete: 'the books end before the cut' });
  await expect(sign('2026-03-02', 'Li', WITH_OPEN)).rejects.toThrow(
    'nightly-2026-03-02-v1 is incomplete, and its figures cannot be signed',
  );
});
