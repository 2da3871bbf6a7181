/** A difference of the openings ends when what made it is known, and by that. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books, at } from '../../helpers/company/books.ts';
import type { NightOptions } from '../../helpers/company/books.ts';
import { postingRules } from '../../helpers/company/order-books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
});
afterEach(() => database.close());

/** The night of a day in March; its findings in lines, without the suspicion of empty listings. */
async function night(day: number, fen: bigint, options: NightOptions = {}): Promise<string[]> {
  const runId = `read-${day}-${Math.random()}`;
  await books.balance('A1', { at: `2026-03-0${day + 1} 00:00:05`, fen, runId });
  const proof = await books.night(`2026-03-0${day}`, options);
  return (await books.found(proof.runId)).filter((line) => !line.startsWith('empty_suspect'));
}

const ended = async (itemKey: string): Promise<string[]> => {
  const rows = await database.db.selectFrom('break').selectAll().where('item_key', '=', itemKey).execute();
  return rows.map((row) => [row.status, row.cleared_cause, row.cleared_by].filter(Boolean).join(' '));
};

/** The account list states an opening, by a file of that time. */
async function state(opening: { fen: bigint; at: string }, importedAt: string): Promise<void> {
  const name = `accounts of ${importedAt}`;
  const file = { file_id: name, kind: 'accounts', source: 'test', name, sha256: name, row_count: 1 } as const;
  await database.db
    .insertInto('intake_file')
    .values({ ...file, spans_from: null, spans_to: null, imported_at: at(importedAt) })
    .execute();
  await database.db
    .updateTable('account')
    .set({
      opening_fen: opening.fen,
      opening_at: at(opening.at),
      opening_file_id: name,
      opening_since: at(importedAt),
    })
    .execute();
}

const opening = (amountFen: bigint, when = '2026-03-01 00:00:00', id = 'O'): Promise<void> =>
  books.entries('A1', [{ id, kind: 'opening', amountFen, at: when }]);
const D1 = { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n };
const E1 = { id: 'E1', at: '2026-03-01 10:00:00', amountFen: 500n, reference: 'D1' };

/** An account without a stated opening, whose first balance the books cannot explain. */
async function firstBalanceOf(fen: bigint): Promise<void> {
  await books.account('A1');
  await books.proven('A1', '2026-02-20', '2026-03-09');
  await opening(100_000n);
  expect(await night(1, fen)).toEqual([`opening A1 A1 ${fen - 100_000n}`]);
}

test('a late record that the first balance held ends the difference of the openings', async () => {
  await firstBalanceOf(100_500n);
  expect(await night(2, 100_500n)).toEqual(['opening A1 A1 500']);
  await books.deposits('A1', [D1]);
  await books.entries('A1', [E1]);
  expect(await night(3, 100_500n)).toEqual([]);
  expect(await ended('opening')).toEqual(['closed record D1']);
});

test('no late record ends it that the first balance did not hold', async () => {
  await firstBalanceOf(100_500n);
  await books.deposits('A1', [{ ...D1, at: '2026-03-02 10:00:00' }]);
  await books.entries('A1', [{ ...E1, at: '2026-03-02 10:00:00' }]);
  expect(await night(2, 101_000n)).toEqual(['opening A1 A1 500']);
  expect(await ended('opening')).toEqual(['open']);
});

test('a list that states an opening of an account that was never proven ends it', async () => {
  await firstBalanceOf(100_500n);
  await state({ fen: 100_000n, at: '2026-03-01 00:00:00' }, '2026-03-02 12:00:00');
  expect(await night(2, 100_500n)).toEqual(['unexplained A1 A1 500']);
  expect(await ended('opening')).toEqual(['closed statement accounts of 2026-03-02 12:00:00']);
});

test('an entry that is booked between two openings ends what they differ by', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.proven('A1', '2026-02-20', '2026-03-09');
  await opening(100_000n);
  expect(await night(1, 100_000n)).toEqual([]);
  await opening(100_500n, '2026-03-03 00:00:00');
  await books.deposits('A1', [{ ...D1, at: '2026-03-02 10:00:00' }]);
  expect(await night(3, 100_500n)).toEqual(['period_changed A1 A1 -500', 'platform_only A1 D1 500']);
  await books.entries('A1', [{ ...E1, at: '2026-03-02 10:00:00' }]);
  expect(await night(4, 100_500n)).toEqual([]);
  expect(await ended('period_changed:ledger')).toEqual(['closed entry E1']);
});

test('a fee that another bears by now, which the first balance was rolled back over, ends it', async () => {
  const by = (deposit: 'payee' | 'external') => ({ rules: postingRules({ bearers: { deposit } }) });
  await books.account('A1');
  await books.proven('A1', '2026-02-20', '2026-03-09');
  await opening(100_000n);
  await books.deposits('A1', [{ ...D1, feeFen: 30n, feeType: 'ACCOUNT' }]);
  await books.entries('A1', [E1]);
  expect(await night(1, 100_500n, by('payee'))).toEqual(['fee A1 D1 -30', 'opening A1 A1 30']);
  expect(await night(2, 100_500n, by('external'))).toEqual([]);
  expect(await ended('opening')).toEqual(['closed record D1']);
});

test('an entry that was known at midnight ends what it lies across once its day has come', async () => {
  await books.account('A1', { fen: 100_500n, at: '2026-03-01 00:00:00' });
  await books.proven('A1', '2026-02-20', '2026-03-09');
  await opening(100_000n);
  await books.deposits('A1', [{ ...D1, at: '2026-02-28 23:00:00' }]);
  await books.entries('A1', [{ ...E1, at: '2026-03-02 00:30:00' }]);
  expect(await night(1, 100_500n)).toEqual(['opening A1 A1 500']);
  expect(await night(2, 100_500n)).toEqual([]);
  expect(await ended('opening')).toEqual(['closed entry E1']);
});

test('a record that is dated to the other side of them by now ends what it made them differ by', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.proven('A1', '2026-02-20', '2026-03-09');
  await opening(100_000n);
  await books.deposits('A1', [{ ...D1, at: '2026-02-28 23:59:00' }]);
  await books.entries('A1', [E1]);
  expect(await night(1, 100_500n)).toEqual(['opening A1 A1 -500', 'unexplained A1 A1 500']);
  await books.deposits('A1', [{ ...D1, at: '2026-03-01 00:01:00' }]);
  expect(await night(1, 100_500n)).toEqual(['record_changed A1 D1 0']);
  expect(await ended('opening')).toEqual(['closed record D1']);
});

test('none does that the books never had across them', async () => {
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.proven('A1', '2026-02-20', '2026-03-09');
  await opening(100_000n);
  await books.deposits('A1', [
    { ...D1, at: '2026-02-28 23:59:00' },
    { orderNo: 'D2', at: '2026-02-28 23:59:00', amountFen: 7n },
  ]);
  await books.entries('A1', [E1]);
  expect(await night(1, 100_000n)).toEqual(['opening A1 A1 -500']);
  await books.deposits('A1', [{ orderNo: 'D2', at: '2026-03-02 00:01:00', amountFen: 7n }]);
  await books.entries('A1', [
    { ...E1, id: 'E3' },
    { id: 'E2', at: '2026-03-01 10:00:00', amountFen: 7n, reference: 'D2' },
  ]);
  const found = ['duplicate A1 D1 -1000', 'opening A1 A1 -500', 'record_changed A1 D2 0'];
  expect(await night(2, 100_007n)).toEqual(found);
  expect(await ended('opening')).toEqual(['open']);
});
