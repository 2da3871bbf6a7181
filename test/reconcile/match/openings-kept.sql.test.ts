/** An opening that a proof began with is a fact: stating another takes back nothing (docs/reconciliation.md 3.8). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books, at } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
});
afterEach(() => database.close());

/** By a list of that time. */
async function state(
  opening: { fen: bigint; at: string } | undefined,
  importedAt = '2026-03-05 12:00:00',
): Promise<void> {
  const name = `accounts of ${importedAt}`;
  await database.db
    .insertInto('intake_file')
    .values({
      file_id: name,
      kind: 'accounts',
      source: 'test',
      name,
      sha256: name,
      row_count: 1,
      spans_from: null,
      spans_to: null,
      imported_at: at(importedAt),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await database.db
    .updateTable('account')
    .set({
      opening_fen: opening?.fen ?? null,
      opening_at: opening ? at(opening.at) : null,
      opening_file_id: name,
      opening_since: at(importedAt),
    })
    .execute();
}

const OPENING = { fen: 100_000n, at: '2026-03-01 00:00:00' };

/** A night that is proven, and one in which 2.00 are lost. */
async function loseTwoYuan(): Promise<string> {
  await books.proven('A1', '2026-02-27', '2026-03-06');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  for (const day of ['03', '04', '05', '06']) {
    await books.balance('A1', { at: `2026-03-${day} 00:00:05`, fen: 99_800n });
  }
  await books.night('2026-03-01');
  const { runId } = await books.night('2026-03-02');
  expect(await books.found(runId)).toEqual(['unexplained A1 A1 -200']);
  return (await lost()).break_id;
}

const lost = () =>
  database.db.selectFrom('break').selectAll().where('class', '=', 'unexplained').executeTakeFirstOrThrow();

test.each([
  ['a later instant', { fen: 99_800n, at: '2026-03-03 00:00:00' }, 200n],
  ['another value', { fen: 99_800n, at: '2026-03-01 00:00:00' }, 200n],
  ['an earlier instant', { fen: 99_700n, at: '2026-02-27 00:00:00' }, 300n],
  ['nothing at all', undefined, 100_000n],
  ['what is only to come', { fen: 1n, at: '2027-03-01 00:00:00' }, 100_000n],
] as const)(
  'a list that states %s afterwards wipes no loss, and says what it changed',
  async (_of, stated, fen) => {
    await books.account('A1', OPENING);
    const id = await loseTwoYuan();
    await state(stated, '2026-03-03 12:00:00');
    for (const day of ['2026-03-03', '2026-03-04']) {
      const night = await books.night(day);
      expect(night.verdict).toBe('breaks');
      expect(await books.found(night.runId)).toEqual([
        `period_changed A1 A1 ${fen}`,
        'unexplained A1 A1 -200',
      ]);
    }
    expect(await lost()).toMatchObject({ break_id: id, status: 'open', first_day: '2026-03-02' });
    await state(OPENING);
    await books.night('2026-03-05');
    const changed = await database.db
      .selectFrom('break')
      .selectAll()
      .where('class', '=', 'period_changed')
      .execute();
    expect(changed.map((row) => [row.first_day, row.closed_day, row.cleared_cause, row.cleared_by])).toEqual([
      ['2026-03-03', '2026-03-05', 'statement', 'accounts of 2026-03-05 12:00:00'],
    ]);
    expect(await lost()).toMatchObject({ break_id: id, status: 'open' });
  },
);

test('an opening stated after the proof began with a first balance wipes no loss', async () => {
  await books.account('A1');
  const id = await loseTwoYuan();
  await state({ fen: 99_800n, at: '2026-03-03 00:00:00' });
  const night = await books.night('2026-03-03');
  expect(await books.found(night.runId)).toEqual(['period_changed A1 A1 200', 'unexplained A1 A1 -200']);
  expect(await lost()).toMatchObject({ break_id: id, status: 'open' });
});

test('an opening that no proof has used yet may be put right', async () => {
  await books.account('A1', { fen: 1n, at: '2026-03-01 00:00:00' });
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  expect((await books.night('2026-03-01')).verdict).toBe('incomplete');
  await state(OPENING);
  await books.proven('A1', '2026-03-01', '2026-03-01');
  const night = await books.night('2026-03-01');
  expect(night.verdict).toBe('reconciled');
  expect(await books.found(night.runId)).toEqual([]);
});

test('an opening stated afterwards parts no look-alikes: the one that proofs began with does', async () => {
  const deposit = { amountFen: 500n, payerName: 'X' };
  const entry = { amountFen: 500n, counterparty: 'X' };
  await books.account('A1', OPENING);
  await books.proven('A1', '2026-02-20', '2026-03-06');
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
  await books.night('2026-03-01');
  await state({ fen: 100_000n, at: '2026-03-03 00:00:00' }, '2026-03-02 12:00:00');
  await books.deposits('A1', [
    { ...deposit, orderNo: 'D0', amountFen: 700n, at: '2026-02-28 23:50:00' },
    { ...deposit, orderNo: 'D1', at: '2026-03-02 23:50:00' },
  ]);
  await books.entries('A1', [
    { ...entry, id: 'E0', amountFen: 700n, at: '2026-03-01 00:10:00' },
    { ...entry, id: 'E1', at: '2026-03-03 00:10:00' },
  ]);
  await books.balance('A1', { at: '2026-03-04 00:00:05', fen: 100_500n });
  const found = await books.found((await books.night('2026-03-03')).runId);
  expect(found.filter((line) => line.includes('_only'))).toEqual(['ledger_only A1 E0 -700']);
});
