/** What ended a break is named: not what merely is there beside it. */
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
  await books.proven('A1', '2026-02-20', '2026-03-09');
});
afterEach(() => database.close());

const opening = (id: string, amountFen: bigint, at = '2026-03-01 00:00:00') =>
  books.entries('A1', [{ id, kind: 'opening', amountFen, at }]);
const ended = async (itemKey: string): Promise<string[]> => {
  const rows = await database.db.selectFrom('break').selectAll().where('item_key', '=', itemKey).execute();
  return rows.map((row) => [row.status, row.cleared_cause, row.cleared_by].filter(Boolean).join(' '));
};
async function night(day: number, fen: bigint) {
  await books.balance('A1', { at: `2026-03-0${day + 1} 00:00:05`, fen });
  return books.night(`2026-03-0${day}`);
}

const D1 = { orderNo: 'D1', amountFen: 500n, at: '2026-03-01 10:00:00', payerName: 'X' };

test('of the entries of a reference the one that made it agree ended its break', async () => {
  await opening('A1-open', 100_000n);
  await books.deposits('A1', [D1]);
  await books.entries('A1', [{ id: 'a', amountFen: 300n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  expect(await books.found((await night(1, 100_500n)).runId)).toEqual(['amount A1 D1 200']);
  await books.entries('A1', [{ id: 'z', amountFen: 200n, at: '2026-03-02 11:00:00', reference: 'D1' }]);
  await night(2, 100_500n);
  expect(await ended('line:deposit:D1')).toEqual(['closed entry z']);
});

test('of entries that were known before the one that was booked last ended what was late', async () => {
  await opening('A1-open', 100_000n);
  await books.deposits('A1', [D1]);
  await books.entries('A1', [
    { id: 'z', amountFen: 300n, at: '2026-03-01 11:00:00', reference: 'D1' },
    { id: 'b', amountFen: 100n, at: '2026-03-01 11:00:00', reference: 'D1' },
    { id: 'c', amountFen: 100n, at: '2026-03-02 01:00:00', reference: 'D1' },
  ]);
  expect(await books.found((await night(1, 100_500n)).runId)).toEqual(['late A1 D1 100']);
  await night(2, 100_500n);
  expect(await ended('line:deposit:D1')).toEqual(['closed entry c']);
});

test('an opening difference ends by what was booked across it, not by the opening entry that was there before', async () => {
  await opening('A1-open', 99_500n);
  await books.deposits('A1', [{ ...D1, at: '2026-02-28 10:00:00' }]);
  expect(await books.found((await night(1, 100_000n)).runId)).toEqual(['opening A1 A1 500']);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  expect((await night(2, 100_000n)).verdict).toBe('reconciled');
  expect(await ended('opening')).toEqual(['closed entry E1']);
});

test('an opening that is put right again ends by the entry that does it', async () => {
  await opening('A1-open', 100_000n);
  await night(1, 100_000n);
  await opening('A2-open', 700n);
  expect(await books.found((await night(2, 100_000n)).runId)).toEqual(['period_changed A1 A1 -700']);
  await books.withdraw('A2-open');
  expect((await night(3, 100_000n)).verdict).toBe('reconciled');
  expect(await ended('period_changed:ledger')).toEqual(['closed entry A2-open']);
});
