import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books, at } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

/** Ways in which books could look green without proof, or red for ever without cause. */

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  await books.proven('A1', '2026-02-20', '2026-03-07');
});
afterEach(() => database.close());

async function openMarch(): Promise<void> {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.entries('A1', [
    { id: 'open', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' },
  ]);
}

test('a deposit of March that the books have in February, before their opening, is an opening difference', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-02-28 10:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('breaks');
  expect(await books.found(proof.runId)).toEqual(['opening A1 A1 500']);
  expect(proof.accounts[0]).toMatchObject({ differenceFen: 500n, openingDifferenceFen: 500n });
});

test('a deposit of 23:59 before the opening that the books have at 00:01 after it is no difference', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.entries('A1', [
    { id: 'open', kind: 'opening', amountFen: 99_500n, at: '2026-03-01 00:00:00' },
    { id: 'E1', amountFen: 500n, at: '2026-03-01 00:01:00', reference: 'D1' },
  ]);
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-02-28 23:59:00', amountFen: 500n }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(await books.found(proof.runId)).toEqual([]);
  expect(proof.accounts[0]).toMatchObject({
    verdict: 'reconciled',
    differenceFen: 0n,
    openingDifferenceFen: 0n,
  });
});

test('the same with an opening that is only assumed', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-02-28 23:59:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 00:01:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  const proof = await books.night('2026-03-01');
  expect(proof.accounts[0]).toMatchObject({ verdict: 'reconciled', differenceFen: 0n });
});

test('the balance the baseline was rolled back from proves no other day either', async () => {
  await books.account('A1');
  await books.balance('A1', { at: '2026-03-05 02:00:00', fen: 700n });
  expect((await books.night('2026-03-02')).accounts[0]).toMatchObject({ reason: 'no_baseline' });
  expect((await books.night('2026-03-03')).accounts[0]).toMatchObject({
    verdict: 'unverified',
    reason: 'no_baseline',
  });
});

test('an entry dated after the run does not exist for it: the deposit is not booked', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2099-01-01 00:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  const proof = await books.night('2026-03-01');
  expect(proof.verdict).toBe('breaks');
  expect(await books.found(proof.runId)).toEqual(['platform_only A1 D1 500']);
});

test('a change that a snapshot noticed on the day itself is said by the night of that day', async () => {
  await openMarch();
  await books.deposits(
    'A1',
    [{ orderNo: 'D1', at: '2026-03-02 10:00:00', amountFen: 1_000n }],
    's1',
    '2026-03-01',
  );
  await books.deposits(
    'A1',
    [{ orderNo: 'D1', at: '2026-03-02 10:00:00', amountFen: 900n }],
    's2',
    '2026-03-01',
  );
  await books.entries('A1', [{ id: 'E1', amountFen: 900n, at: '2026-03-02 10:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_900n });
  const proof = await books.night('2026-03-02');
  expect(await books.found(proof.runId)).toEqual(['record_changed A1 D1 0']);
});

test('fees that contradict themselves and empty listings stay open until they are cured', async () => {
  await openMarch();
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, feeFen: 30n, realFen: 123n },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 470n, at: '2026-03-01 10:00:00', reference: 'D1' },
    { id: 'E2', amountFen: 60n, at: '2026-03-02 10:00:00', reference: 'D2' },
  ]);
  for (const day of ['02', '03', '04', '05']) {
    await books.balance('A1', { at: `2026-03-${day} 00:00:05`, fen: 100_470n });
  }
  expect(await books.found((await books.night('2026-03-01')).runId)).toEqual(['fee_invariant A1 D1 0']);
  const second = ['empty_suspect A1 A1 0', 'fee_invariant A1 D1 0', 'ledger_only A1 D2 -60'];
  expect(await books.found((await books.night('2026-03-02')).runId)).toEqual(second);
  expect(await books.found((await books.night('2026-03-03')).runId)).toEqual(second);
  await books.withdraw('E2');
  await books.deposits(
    'A1',
    [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, feeFen: 30n }],
    'n4',
    '2026-02-01',
  );
  const cured = await books.found((await books.night('2026-03-04')).runId);
  expect(cured).toEqual(['record_changed A1 D1 0']);
});

test('a record that comes late moves the baseline of a first balance and is no difference', async () => {
  await books.account('A1');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 02:00:00', fen: 1_500n });
  await books.night('2026-03-01');
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 500n }]);
  await books.night('2026-03-01');
  await books.balance('A1', { at: '2026-03-03 02:00:00', fen: 1_500n });
  const second = await books.night('2026-03-02');
  expect(await books.found(second.runId)).toEqual([]);
  expect(second.accounts[0]).toMatchObject({ verdict: 'reconciled', differenceFen: 0n });
});

test('a fee beside a deposit that turns to none, and another bearer, are posted and matched anew', async () => {
  await openMarch();
  const fee = { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, feeType: 'ACCOUNT' };
  await books.deposits('A1', [{ ...fee, feeFen: 30n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_470n });
  expect(await books.found((await books.night('2026-03-01')).runId)).toEqual(['fee A1 D1 -30']);
  const external = await books.night('2026-03-01', { bearer: 'external' });
  expect(await books.found(external.runId)).toEqual(['unexplained A1 A1 -30']);
  const back = await books.night('2026-03-01', { bearer: 'payee' });
  expect(await books.found(back.runId)).toEqual(['fee A1 D1 -30']);
  await books.deposits('A1', [{ ...fee, feeFen: 0n }], 'n2', '2026-03-01');
  await books.balance('A1', { at: '2026-03-02 00:00:04', fen: 100_500n });
  expect(await books.found((await books.night('2026-03-01')).runId)).toEqual(['record_changed A1 D1 0']);
});

test('a break that one version of a day closed and the next finds again is the same break', async () => {
  await openMarch();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_500n });
  await books.night('2026-03-01');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  await books.night('2026-03-02');
  await books.withdraw('E1');
  await books.night('2026-03-02');
  const breaks = await database.db.selectFrom('break').selectAll().execute();
  expect(breaks.map((row) => [row.status, row.first_day, row.closed_day])).toEqual([
    ['open', '2026-03-01', null],
  ]);
  const events = await database.db.selectFrom('break_event').selectAll().orderBy('event_no').execute();
  expect(events.map((row) => row.event)).toEqual(['opened', 'closed', 'reopened']);
});

test('a deposit of the very second of a balance stays in it when its record changes later', async () => {
  await openMarch();
  const deposit = { orderNo: 'D1', at: '2026-03-02 00:00:05', amountFen: 700n };
  await books.deposits('A1', [deposit]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_700n, closedAt: '2026-03-02 00:00:07' });
  await database.db
    .updateTable('deposit')
    .set({ seen_at: at('2026-03-02 00:00:06') })
    .execute();
  await books.deposits('A1', [{ ...deposit, payerName: 'Other' }], 'n2', '2026-03-02');
  const [row] = await database.db.selectFrom('deposit').selectAll().execute();
  expect([row?.version, row?.seen_at]).toEqual([2, at('2026-03-02 00:00:06')]);
  const proof = await books.night('2026-03-01');
  expect(proof.accounts[0]).toMatchObject({ verdict: 'reconciled', numbers: { platformFen: 100_000n } });
});
