import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { openMarchIn } from './orders-in-march.ts';

/** Small edges on which rules turn: the cut, the age, the day of a zone, the word against the amount. */

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'A1');
});
afterEach(() => database.close());

/** The night of that day of March, and what the account holds and its books say at the cut. */
async function night(day: number, heldFen: bigint, frozenFen = 0n) {
  await books.balance('A1', { at: `2026-03-0${day + 1} 02:00:05`, fen: heldFen, frozenFen });
  const proof = await books.night(`2026-03-0${day}`);
  const { platformFen, ledgerFen, unexplainedFen } = proof.accounts[0]?.numbers ?? {};
  const found = (await books.found(proof.runId)).filter((line) => !line.startsWith('empty_suspect'));
  return { found, platformFen, ledgerFen, unexplainedFen };
}

test('a deposit with its entry at the very cut counts on the next day, on both sides', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-02 00:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E1', amountFen: 500n, at: '2026-03-02 00:00:00', reference: 'D1' }]);
  const nothing = { found: [], unexplainedFen: 0n };
  expect(await night(1, 100_500n)).toEqual({ ...nothing, platformFen: 100_000n, ledgerFen: 100_000n });
  expect(await night(2, 100_500n)).toEqual({ ...nothing, platformFen: 100_500n, ledgerFen: 100_500n });
});

test('one side at the very cut and the other a moment before it is late, not equal', async () => {
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-02 00:00:00', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-01 23:59:59', amountFen: 70n },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 500n, at: '2026-03-01 23:59:59', reference: 'D1' },
    { id: 'E2', amountFen: 70n, at: '2026-03-02 00:00:00', reference: 'D2' },
  ]);
  expect(await night(1, 100_570n)).toEqual({
    found: ['late A1 D1 -500', 'late A1 D2 70'],
    platformFen: 100_070n,
    ledgerFen: 100_500n,
    unexplainedFen: 0n,
  });
});

test('what only one side has, at the very cut, is nobody’s business yet', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-02 00:00:00', amountFen: 500n }]);
  await books.entries('A1', [{ id: 'E2', amountFen: 70n, at: '2026-03-02 00:00:00', reference: 'D2' }]);
  expect((await night(1, 100_500n)).found).toEqual([]);
  expect((await night(2, 100_500n)).found).toEqual(['ledger_only A1 D2 -70', 'platform_only A1 D1 500']);
});

test('what lies at the very opening is after it', async () => {
  await books.deposits('A1', [{ orderNo: 'D1', at: '2026-03-01 00:00:00', amountFen: 500n }]);
  expect((await night(1, 100_500n)).found).toEqual(['platform_only A1 D1 500']);
});

test('a pending entry is old after agingDays and not at agingDays', async () => {
  const entry = { amountFen: 500n, at: '2026-03-02 01:00:00', status: 'pending' as const };
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-02 00:00:00', amountFen: 500n },
    { orderNo: 'D2', at: '2026-03-01 23:59:59', amountFen: 500n },
  ]);
  await books.entries('A1', [
    { ...entry, id: 'E1', reference: 'D1' },
    { ...entry, id: 'E2', reference: 'D2' },
  ]);
  expect((await night(4, 101_000n)).found).toEqual(['pending A1 D1 500', 'state A1 D2 500']);
});

const OPEN = { account: 'A1', amountFen: 500n, state: 'open', lastOpenAt: '2026-03-05 02:00:05' } as const;

test('an order exactly agingDays under way is in flight, and a state break a second later', async () => {
  await orders.withdrawal({ ...OPEN, out: 'W1', submittedAt: '2026-03-02 00:00:00' });
  await orders.withdrawal({ ...OPEN, out: 'W2', submittedAt: '2026-03-01 23:59:59' });
  expect((await night(4, 100_000n, 1_000n)).found).toEqual(['in_flight A1 W1 0', 'state A1 W2 0']);
});

test('the same where the books are ahead of it', async () => {
  for (const [out, submittedAt] of [
    ['W1', '2026-03-02 00:00:00'],
    ['W2', '2026-03-01 23:59:59'],
  ] as const) {
    await orders.withdrawal({ ...OPEN, out, submittedAt });
    await books.entries('A1', [
      { id: out, kind: 'withdrawal', amountFen: -500n, at: '2026-03-02 09:00:00', reference: out },
    ]);
  }
  expect((await night(4, 100_000n, 1_000n)).found).toEqual(['pending A1 W1 500', 'state A1 W2 500']);
});

test('and where the platform does not know it', async () => {
  for (const [out, submittedAt] of [
    ['W1', '2026-03-02 00:00:00'],
    ['W2', '2026-03-01 23:59:59'],
  ] as const) {
    await orders.registered({ kind: 'withdrawal', out, payer: 'A1', amountFen: 500n, submittedAt });
    await orders.due({ kind: 'withdrawal', number: out, account: 'A1', state: 'not_found', submittedAt });
  }
  expect((await night(4, 100_000n)).found).toEqual(['state A1 W2 0', 'unknown_not_found A1 W1 0']);
});

test('an order that a look did not find within its minutes of grace is under way, and unknown after them', async () => {
  for (const [out, askedAt] of [
    ['W1', '2026-03-04 23:50:00'],
    ['W2', '2026-03-04 23:50:01'],
  ] as const) {
    const submittedAt = '2026-03-04 23:20:00';
    await orders.registered({ kind: 'withdrawal', out, payer: 'A1', amountFen: 500n, submittedAt });
    await orders.due({
      kind: 'withdrawal',
      number: out,
      account: 'A1',
      state: 'not_found',
      submittedAt,
      askedAt,
    });
  }
  expect((await night(4, 100_000n)).found).toEqual(['in_flight A1 W1 0', 'unknown_not_found A1 W2 0']);
});

test('registered without a submission it ages from the first look that did not find it, booked or not', async () => {
  for (const [out, notFoundSince] of [
    ['W1', '2026-03-02 00:00:00'],
    ['W2', '2026-03-01 23:59:59'],
    ['W3', '2026-03-01 23:59:59'],
  ] as const) {
    await orders.registered({ kind: 'withdrawal', out, payer: 'A1', amountFen: 500n, submittedAt: null });
    await orders.due({
      kind: 'withdrawal',
      number: out,
      account: 'A1',
      state: 'not_found',
      submittedAt: null,
      notFoundSince,
    });
  }
  await books.entries('A1', [
    { id: 'E3', kind: 'withdrawal', amountFen: -500n, at: '2026-03-04 12:00:00', reference: 'W3' },
  ]);
  expect((await night(4, 100_000n)).found).toEqual([
    'ledger_only A1 W3 500',
    'state A1 W2 0',
    'unknown_not_found A1 W1 0',
  ]);
});

test('an entry with a wrong reference is not taken for a deposit that it is otherwise alike to', async () => {
  const alike = { amountFen: 500n, at: '2026-03-01 10:00:00' };
  await books.deposits('A1', [
    { ...alike, orderNo: 'D1', payerName: 'P' },
    { ...alike, orderNo: 'D2', payerName: 'Q' },
  ]);
  await books.entries('A1', [
    { ...alike, id: 'E1', reference: 'WRONG', counterparty: 'P' },
    { ...alike, id: 'E2', counterparty: 'Q' },
  ]);
  expect((await night(1, 101_000n)).found).toEqual(['ledger_only A1 WRONG -500', 'platform_only A1 D1 500']);
});

test('days of look-alikes are the service’s: an entry of 00:30 is a day from a deposit of the day after', async () => {
  await books.deposits('A1', [
    { orderNo: 'D1', at: '2026-03-03 12:00:00', amountFen: 500n, payerName: 'P' },
    { orderNo: 'D2', at: '2026-03-03 00:30:00', amountFen: 70n, payerName: 'Q' },
  ]);
  await books.entries('A1', [
    { id: 'E1', amountFen: 500n, at: '2026-03-02 00:30:00', counterparty: 'P' },
    { id: 'E2', amountFen: 70n, at: '2026-03-01 12:00:00', counterparty: 'Q' },
  ]);
  expect((await night(3, 100_570n)).found).toEqual(['ledger_only A1 E2 -70', 'platform_only A1 D2 70']);
});

test('a credited amount equal to the amount does not override the word ORDER: the fee is inside', async () => {
  const stated = { amountFen: 1_000n, feeFen: 30n, realFen: 1_000n, feeType: 'ORDER' } as const;
  await books.deposits('A1', [{ ...stated, orderNo: 'D1', at: '2026-03-01 10:00:00' }]);
  await orders.withdrawal({ ...stated, out: 'W1', account: 'A1', finalAt: '2026-03-01 13:00:00' });
  await books.entries('A1', [
    { id: 'E1', amountFen: 970n, at: '2026-03-01 10:00:00', reference: 'D1' },
    { id: 'E2', kind: 'withdrawal', amountFen: -1_000n, at: '2026-03-01 12:00:00', reference: 'W1' },
  ]);
  expect(await night(1, 99_970n)).toEqual({
    found: ['fee_invariant A1 D1 0', 'fee_invariant A1 W1 0'],
    platformFen: 99_970n,
    ledgerFen: 99_970n,
    unexplainedFen: 0n,
  });
  expect(await orders.movements()).toEqual(['A1 deposit:D1 970 (30)', 'A1 withdrawal:W1 -1000 (30)']);
});
