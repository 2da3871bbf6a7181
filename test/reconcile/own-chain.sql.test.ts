/** The chain of proofs is each account's own, and nothing leaves it by itself (docs/reconciliation.md 3.8). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.entries('A1', [{ id: 'O', kind: 'opening', amountFen: 100_000n, at: '2026-03-01 00:00:00' }]);
});
afterEach(() => database.close());

/** Every break there ever was: `class difference since day [closed on day by …]`. */
async function breaks(): Promise<string[]> {
  const rows = await database.db.selectFrom('break').selectAll().orderBy('first_run').execute();
  return rows
    .filter((row) => row.class !== 'empty_suspect')
    .map((row) => {
      const closed =
        row.closed_day === null ? '' : ` closed ${row.closed_day} by ${row.cleared_cause} ${row.cleared_by}`;
      return `${row.class} ${row.difference_fen} since ${row.first_day}${closed}`;
    })
    .toSorted();
}

const ids = async (): Promise<string[]> =>
  (await database.db.selectFrom('break').select('break_id').where('class', '=', 'unexplained').execute())
    .map((row) => row.break_id)
    .toSorted();

test('a night in which the account was not proven moves no opening: the next proof spans it and says so', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-01');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 101_000n });
  await books.night('2026-03-01');
  const [first] = await ids();

  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 101_500n });
  const unread = await books.night('2026-03-02');
  expect(unread.accounts[0]).toMatchObject({ verdict: 'incomplete', chained: false });
  expect(await books.found(unread.runId)).toContain('unexplained A1 A1 1000');
  expect(await breaks()).toEqual(['unexplained 1000 since 2026-03-01']);

  await books.proven('A1', '2026-03-02', '2026-03-04');
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 101_500n });
  const third = await books.night('2026-03-03');
  expect(third.accounts[0]).toMatchObject({
    verdict: 'breaks',
    differenceFen: 1_500n,
    openingDifferenceFen: 1_000n,
    numbers: { openingFen: 101_000n, unexplainedFen: 500n },
    assumptions: ['days_spanned:2026-03-02'],
  });
  const both = ['unexplained 1000 since 2026-03-01', 'unexplained 500 since 2026-03-03'];
  expect(await breaks()).toEqual(both);
  const named = await ids();
  expect(named).toContain(first);

  await books.night('2026-03-02');
  expect(await ids(), 'the day that is read after all finds the same amount, not another one').toEqual(named);
  const again = await books.night('2026-03-03');
  expect(again.accounts[0]).toMatchObject({ differenceFen: 1_500n, numbers: { unexplainedFen: 0n } });
  expect(await ids()).toEqual(named);
  expect(await breaks()).toEqual(['unexplained 1000 since 2026-03-01', 'unexplained 500 since 2026-03-02']);
});

test('errors of two days that cancel each other are both named once the day between them is read', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-01');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 101_000n });
  await books.night('2026-03-02');
  await books.proven('A1', '2026-03-02', '2026-03-04');
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 100_000n });
  await books.night('2026-03-03');
  await books.night('2026-03-02');
  await books.night('2026-03-03');
  expect(await breaks()).toEqual(['unexplained -1000 since 2026-03-03', 'unexplained 1000 since 2026-03-02']);
  await books.balance('A1', { at: '2026-03-05 00:00:05', fen: 100_000n });
  const fourth = await books.night('2026-03-04');
  expect(fourth.accounts[0]).toMatchObject({ differenceFen: 0n });
  expect(await breaks()).toEqual(['unexplained -1000 since 2026-03-03', 'unexplained 1000 since 2026-03-02']);
});

test('a backfill over days that a night has proven gives no amount a second id and opens nothing of the past', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-07');
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-03 23:59:00', amountFen: 70n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 70n, at: '2026-03-04 00:01:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-06 00:00:05', fen: 99_570n });
  const night = await books.night('2026-03-05');
  expect(await books.found(night.runId)).toEqual(['unexplained A1 A1 -500']);
  const before = await ids();

  const backfill = await books.night('2026-03-03', { from: '2026-03-01', provedAt: '2026-03-06 09:00:00' });
  expect(await books.found(backfill.runId)).toEqual(['late A1 D1 70', 'unexplained A1 A1 -500']);
  expect(await ids()).toEqual(before);
  expect(await breaks()).toEqual([
    'late 70 since 2026-03-03 closed 2026-03-05 by entry E1',
    'unexplained -500 since 2026-03-03',
  ]);

  await books.balance('A1', { at: '2026-03-07 00:00:05', fen: 99_570n });
  const next = await books.night('2026-03-06');
  expect(next.accounts[0]).toMatchObject({ differenceFen: -500n, numbers: { openingFen: 99_570n } });
  expect(await books.found(next.runId)).toEqual(['unexplained A1 A1 -500']);
  expect(await ids()).toEqual(before);
});

test('a backfill and a night of one last day give an amount one id, whichever comes first', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-07');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_500n });
  await books.night('2026-03-02', { from: '2026-03-01' });
  const [first] = await ids();
  await books.night('2026-03-02');
  expect(await ids()).toEqual([first]);
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 99_900n });
  await books.night('2026-03-03');
  const two = await ids();
  await books.night('2026-03-03', { from: '2026-03-01' });
  expect(two).toHaveLength(2);
  expect(await ids()).toEqual(two);
  expect(await breaks()).toEqual(['unexplained -600 since 2026-03-03', 'unexplained 500 since 2026-03-02']);
});

test('a backfill closes no break that was first seen before its own days', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-06');
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  for (const day of ['02', '03', '05', '06']) {
    await books.balance('A1', { at: `2026-03-${day} 00:00:05`, fen: 100_500n });
  }
  await books.night('2026-03-01');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await books.night('2026-03-04', { from: '2026-03-03' });
  expect(await breaks()).toEqual(['platform_only 500 since 2026-03-01']);
  await books.night('2026-03-05');
  expect(await breaks()).toEqual(['platform_only 500 since 2026-03-01 closed 2026-03-05 by entry E1']);
});

test('a run of a past day closes no break that a later run still finds', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-03');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  await books.night('2026-03-02');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  await books.night('2026-03-01');
  expect(await breaks()).toEqual(['ledger_only -500 since 2026-03-01']);
});

test('the database refuses a break that closes without a cause', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-01');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 101_000n });
  const { runId } = await books.night('2026-03-01');
  const closed = { status: 'closed', closed_day: '2026-03-02', closed_run: runId } as const;
  const close = (with_: { cleared_by: string | null; cleared_cause: 'reading' | null }) =>
    database.db
      .updateTable('break')
      .set({ ...closed, ...with_ })
      .execute();
  await expect(close({ cleared_by: '', cleared_cause: 'reading' })).rejects.toThrow(/closes_with_a_cause/);
  await expect(close({ cleared_by: null, cleared_cause: 'reading' })).rejects.toThrow(/closes_with_a_cause/);
  await expect(close({ cleared_by: 'E1', cleared_cause: null })).rejects.toThrow(/closes_with_a_cause/);
});

test('books that are not complete keep no night out of the chain: errors of two nights never net', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-03');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 101_000n });
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  const held = await books.night('2026-03-02', { ledgerIncomplete: 'erp to 2026-03-02 12:00:00' });
  expect(held.accounts[0]).toMatchObject({
    verdict: 'incomplete',
    reason: 'ledger_incomplete:erp to 2026-03-02 12:00:00',
    chained: true,
    numbers: { unexplainedFen: 1_000n },
  });
  expect(await breaks()).toEqual(['unexplained 1000 since 2026-03-02']);
  const third = await books.night('2026-03-03');
  expect(third.accounts[0]).toMatchObject({ verdict: 'breaks', numbers: { unexplainedFen: -1_000n } });
  expect(await breaks()).toEqual(['unexplained -1000 since 2026-03-03', 'unexplained 1000 since 2026-03-02']);
});

test('what incomplete books do not show ends no break of an earlier day', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-03');
  for (const day of ['02', '03', '04']) {
    await books.balance('A1', { at: `2026-03-${day} 00:00:05`, fen: 100_500n });
  }
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-02 10:00:00', amountFen: 500n }]);
  await books.night('2026-03-01');
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-03 09:00:00', reference: 'D1' }]);
  await books.night('2026-03-03', { ledgerIncomplete: 'erp to 2026-03-03 12:00:00' });
  await books.night('2026-03-02', { from: '2026-03-01', provedAt: '2026-03-04 09:00:00' });
  expect(await breaks()).not.toContainEqual(expect.stringContaining('closed 2026-03-03'));
});

test('what incomplete books would end stays among what is open until a night that may end it', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-03');
  for (const day of ['02', '03', '04']) {
    await books.balance('A1', { at: `2026-03-${day} 00:00:05`, fen: 100_500n });
  }
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 09:00:00', reference: 'D1' }]);
  const first = await books.night('2026-03-01');
  const held = await books.night('2026-03-02', { ledgerIncomplete: 'erp to 2026-03-02 12:00:00' });
  expect(await books.found(held.runId)).toEqual(await books.found(first.runId));
  expect(held.accounts[0]).toMatchObject({ verdict: 'incomplete', chained: true, differenceFen: 0n });
  const third = await books.night('2026-03-03');
  expect(await books.found(third.runId)).toEqual([]);
  expect(third.accounts[0]?.numbers.openingRun).toBe(held.runId);
});

test('a proof that spans days is split at every stored balance between them: their errors never net', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-04');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  await books.balance('A1', { at: '2026-03-03 09:00:00', fen: 101_000n });
  await books.balance('A1', { at: '2026-03-04 09:00:00', fen: 55n, state: 'moving' });
  await books.balance('A1', { at: '2026-03-05 00:00:05', fen: 100_000n });
  const spanning = await books.night('2026-03-04');
  expect(spanning.accounts[0]).toMatchObject({
    verdict: 'breaks',
    differenceFen: 0n,
    numbers: { openingFen: 100_000n, unexplainedFen: 0n },
  });
  expect(await books.found(spanning.runId)).toEqual(['unexplained A1 A1 1000', 'unexplained A1 A1 -1000']);
  const named = await ids();
  await books.night('2026-03-02');
  await books.night('2026-03-04');
  await books.balance('A1', { at: '2026-03-06 00:00:05', fen: 100_000n });
  await books.proven('A1', '2026-03-05', '2026-03-05');
  const next = await books.night('2026-03-05');
  expect(await books.found(next.runId), 'the rise of a day without a listed deposit stays suspect').toEqual([
    'empty_suspect A1 A1 0',
    'unexplained A1 A1 1000',
    'unexplained A1 A1 -1000',
  ]);
  expect(await ids(), 'the day between, proven after all, finds the same amount under the same id').toEqual(
    named,
  );
  expect(await breaks()).toEqual(['unexplained -1000 since 2026-03-04', 'unexplained 1000 since 2026-03-02']);
});

test('a day in a spanned gap that is explained after all closes its own amount and no other', async () => {
  await books.proven('A1', '2026-03-01', '2026-03-04');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  await books.balance('A1', { at: '2026-03-03 00:00:05', fen: 101_000n });
  await books.balance('A1', { at: '2026-03-05 00:00:05', fen: 102_000n });
  await books.night('2026-03-04');
  expect(await breaks()).toEqual(['unexplained 1000 since 2026-03-04', 'unexplained 1000 since 2026-03-04']);
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-02 10:00:00', amountFen: 1_000n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 1_000n, at: '2026-03-02 10:00:00', reference: 'D1' }]);
  const again = await books.night('2026-03-04');
  expect(await books.found(again.runId)).toContain('unexplained A1 A1 1000');
  expect(await breaks()).toEqual([
    'unexplained 1000 since 2026-03-04',
    `unexplained 1000 since 2026-03-04 closed 2026-03-04 by restatement ${again.runId}`,
  ]);
});
