import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';

/** Where the books begin is a fact once a proof has rested on it, and it absorbs no error. */

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  await books.account('A1', { fen: 100_000n, at: '2026-03-01 00:00:00' });
  await books.proven('A1', '2026-02-20', '2026-03-09');
});
afterEach(() => database.close());

const opening = (amountFen: bigint, at = '2026-03-01 00:00:00', id = 'O'): Promise<void> =>
  books.entries('A1', [{ id, kind: 'opening', amountFen, at }]);

/** What the night of that day of March finds; its figures add up. */
async function night(day: number, heldFen = 100_000n): Promise<string[]> {
  await books.balance('A1', { at: `2026-03-0${day + 1} 00:00:05`, fen: heldFen });
  const proof = await books.night(`2026-03-0${day}`);
  const [account] = proof.accounts;
  const { openingDifferenceFen, lineDifferenceFen = 0n, numbers } = account ?? {};
  expect(account?.differenceFen).toBe(
    (openingDifferenceFen ?? 0n) + lineDifferenceFen + (numbers?.unexplainedFen ?? 0n),
  );
  expect(account?.verdict).not.toBe('unverified');
  const found = await books.found(proof.runId);
  return [...found.filter((line) => !line.startsWith('empty_suspect')), `= ${account?.differenceFen}`];
}

const openBreaks = async () =>
  (
    await database.db
      .selectFrom('break')
      .select(['item_key', 'first_day', 'status'])
      .orderBy('item_key')
      .execute()
  ).map((row) => `${row.item_key} ${row.first_day} ${row.status}`);

test('an opening entry that is withdrawn closes no break and is a difference of its own', async () => {
  await opening(99_990n);
  expect(await night(1)).toEqual(['opening A1 A1 10', '= 10']);
  await books.withdraw('O');
  expect(await night(2)).toEqual(['opening A1 A1 10', 'period_changed A1 A1 -10', '= 0']);
  expect(await night(3)).toEqual(['opening A1 A1 10', 'period_changed A1 A1 -10', '= 0']);
  expect(await openBreaks()).toEqual(['opening 2026-03-01 open', 'period_changed:ledger 2026-03-02 open']);
});

test('nor is it green when the withdrawn entry was right, until it is there again', async () => {
  await opening(100_000n);
  expect(await night(1)).toEqual(['= 0']);
  await books.withdraw('O');
  expect(await night(2)).toEqual(['period_changed A1 A1 0', '= 0']);
  await opening(100_000n, '2026-03-01 00:00:00', 'O2');
  expect(await night(3)).toEqual(['= 0']);
});

test('a withdrawn opening entry takes nothing back on the same day either', async () => {
  await opening(99_990n);
  expect(await night(1)).toEqual(['opening A1 A1 10', '= 10']);
  await books.withdraw('O');
  const again = await books.night('2026-03-01');
  expect(await books.found(again.runId)).toEqual(['opening A1 A1 10', 'period_changed A1 A1 -10']);
});

test('an opening entry dated after the proof states nothing: the one in use is stated no more', async () => {
  await opening(100_000n);
  expect(await night(1)).toEqual(['= 0']);
  await opening(1n, '2027-03-01 00:00:00');
  expect(await night(2)).toEqual(['period_changed A1 A1 0', '= 0']);
  await opening(100_000n);
  expect(await night(3)).toEqual(['= 0']);
});

test('nor does one beside it hide what the books state now', async () => {
  await opening(100_000n);
  expect(await night(1)).toEqual(['= 0']);
  await opening(70_000n, '2027-03-01 00:00:00', 'O2');
  expect(await night(2)).toEqual(['period_changed A1 A1 0', '= 0']);
  await opening(30_000n);
  expect(await night(3)).toEqual(['period_changed A1 A1 70000', '= 70000']);
});

test('an opening that begins between the cut and the proof is held against the one in use', async () => {
  await opening(100_000n);
  expect(await night(1)).toEqual(['= 0']);
  await opening(99_300n, '2026-03-03 01:00:00');
  expect(await night(2)).toEqual(['period_changed A1 A1 700', '= 700']);
});

test.each(['2027-03-01 00:00:00', '2026-03-02 01:00:00'])(
  'books that begin only at %s prove nothing of the day before',
  async (begins) => {
    await opening(100_000n, begins);
    await books.entries('A1', [{ id: 'E1', amountFen: 700n, at: '2026-03-01 10:00:00', reference: 'D8' }]);
    await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_000n });
    const [account] = (await books.night('2026-03-01')).accounts;
    expect([account?.verdict, account?.reason, account?.chained]).toEqual([
      'unverified',
      'before_baseline',
      true,
    ]);
  },
);

test('another amount of the opening is a break for the difference', async () => {
  await opening(100_000n);
  expect(await night(1)).toEqual(['= 0']);
  await opening(99_300n);
  expect(await night(2)).toEqual(['period_changed A1 A1 700', '= 700']);
});

test('an opening at a later instant leaves the breaks before it where they are', async () => {
  await opening(100_000n);
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  expect(await night(1, 100_500n)).toEqual(['platform_only A1 D1 500', '= 500']);
  await opening(100_500n, '2026-03-03 00:00:00');
  expect(await night(3, 100_500n)).toEqual(['period_changed A1 A1 -500', 'platform_only A1 D1 500', '= 0']);
});

test('an opening at a later instant for what the books had by then is no difference', async () => {
  await opening(100_000n);
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 10:00:00', reference: 'D1' }]);
  expect(await night(1, 100_500n)).toEqual(['= 0']);
  await opening(100_500n, '2026-03-03 00:00:00');
  expect(await night(3, 100_500n)).toEqual(['= 0']);
  await opening(100_000n, '2026-02-25 00:00:00');
  expect(await night(4, 100_500n)).toEqual(['= 0']);
});

test('an opening stated after it had been assumed wipes no loss, with a later instant or without', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n }]);
  expect(await night(1, 100_500n)).toEqual(['platform_only A1 D1 500', '= 500']);
  await opening(100_500n, '2026-03-02 00:00:00');
  expect(await night(2, 100_500n)).toEqual(['opening A1 A1 -500', 'platform_only A1 D1 500', '= 0']);
  await opening(100_500n);
  expect(await night(3, 100_500n)).toEqual(['opening A1 A1 -500', 'platform_only A1 D1 500', '= 0']);
  await opening(100_000n);
  expect(await night(4, 100_500n)).toEqual(['platform_only A1 D1 500', '= 500']);
});

test('a deposit of 23:59 before an assumed opening, booked at 00:01, agrees with the opening stated later', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-02-28 23:59:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-01 00:01:00', reference: 'D1' }]);
  expect(await night(1)).toEqual(['= 0']);
  await opening(99_500n);
  expect(await night(2)).toEqual(['= 0']);
  await opening(100_000n);
  expect(await night(3)).toEqual(['opening A1 A1 -500', '= -500']);
});

test('70,000 against 10 under one reference does not cross an assumed opening', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 70_000n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 10n, at: '2026-02-28 10:00:00', reference: 'D1' }]);
  expect(await night(1, 170_000n)).toEqual(['amount A1 D1 70000', '= 70000']);
});

test('120 before an assumed opening and −60,000 after it under the same number is an amount break', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-02-28 10:00:00', amountFen: 120n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: -60_000n, at: '2026-03-01 10:00:00', reference: 'D1' }]);
  expect(await night(1)).toEqual(['amount A1 D1 60000', '= 60000']);
});

test('a missing booking of today is not paired with one that is alike from before an assumed opening', async () => {
  await books.deposits('A1', [
    { orderNo: 'D0', at: '2026-02-28 22:00:00', amountFen: 500n, payerName: 'P' },
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, payerName: 'P' },
  ]);
  await books.entries('A1', [{ id: 'E0', amountFen: 500n, at: '2026-02-28 23:00:00', counterparty: 'P' }]);
  expect(await night(1, 100_500n)).toEqual(['platform_only A1 D1 500', '= 500']);
});

test('nor is an entry of today with a deposit from before it, and two such do not cancel', async () => {
  await books.deposits('A1', [
    { orderNo: 'D0', at: '2026-02-28 22:00:00', amountFen: 500n, payerName: 'P' },
    { orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, payerName: 'Q' },
  ]);
  await books.entries('A1', [
    { id: 'E0', amountFen: 500n, at: '2026-02-28 23:00:00', counterparty: 'Q' },
    { id: 'E1', amountFen: 500n, at: '2026-03-01 10:00:00', counterparty: 'P' },
  ]);
  expect(await night(1, 100_500n)).toEqual(['ledger_only A1 E1 -500', 'platform_only A1 D1 500', '= 0']);
});

test('look-alikes on the same side of the opening are still paired, whatever lies on the other', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, payerName: 'P' }]);
  await books.entries('A1', [
    { id: 'E0', amountFen: 500n, at: '2026-02-28 23:00:00', counterparty: 'P' },
    { id: 'E1', amountFen: 500n, at: '2026-03-02 10:00:00', counterparty: 'P' },
  ]);
  expect(await night(2, 100_500n)).toEqual(['= 0']);
});

test('pairs of the first night, when no baseline was known, are given back once they cross it', async () => {
  await database.db.updateTable('account').set({ opening_fen: null, opening_at: null }).execute();
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 10:00:00', amountFen: 500n, payerName: 'P' }]);
  await books.entries('A1', [{ id: 'E0', amountFen: 500n, at: '2026-02-28 23:00:00', counterparty: 'P' }]);
  await books.balance('A1', { at: '2026-03-02 00:00:05', fen: 100_500n });
  expect(await books.found((await books.night('2026-03-01')).runId)).toEqual(['platform_only A1 D1 500']);
  expect(await night(2, 100_500n)).toEqual(['platform_only A1 D1 500', '= 500']);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 10:00:00', counterparty: 'P' }]);
  expect(await night(3, 100_500n)).toEqual(['= 0']);
});
