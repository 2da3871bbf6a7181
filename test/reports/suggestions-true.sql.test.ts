/** What a suggestion states of other accounts and of the other side is so. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSuggestedBreaks } from '../../jobs/breaks/suggested-breaks.ts';
import { Books } from '../helpers/company/books.ts';
import type { EntryLine } from '../helpers/company/books.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;
let books: Books;
beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  for (const account of ['A', 'B', 'C']) {
    const opening = { fen: 1_000_000n, at: '2026-03-01 00:00:00' };
    await books.account(account, opening);
    await books.entries(account, [
      { id: `O${account}`, kind: 'opening', amountFen: opening.fen, at: opening.at },
    ]);
    await books.proven(account, '2026-03-01', '2026-03-02');
  }
});
afterEach(() => database.close());

const at = '2026-03-01 09:00:00';
const entry = (id: string, reference: string, amountFen: bigint, kind?: EntryLine['kind']): EntryLine => ({
  id,
  reference,
  amountFen,
  at,
  ...(kind && { kind }),
});

/** What the night says, by account and number. */
async function told(held: Record<string, bigint> = {}): Promise<Record<string, string>> {
  for (const account of ['A', 'B', 'C'])
    await books.balance(account, { at: '2026-03-02 00:00:10', fen: 1_000_000n + (held[account] ?? 0n) });
  await books.night('2026-03-01');
  const listed = await listSuggestedBreaks(
    database.db,
    { withClosed: false },
    { today: '2026-03-02', locale: 'en', mask: String },
  ).whole();
  return Object.fromEntries(
    listed.map(({ shown: { accountNo, reference, suggestion } }) => [
      `${accountNo} ${reference}`,
      suggestion,
    ]),
  );
}

test('a transfer that the books have on both accounts, and the platform on neither, is not called unbooked', async () => {
  await books.entries('A', [entry('E1', 'T9', -500n, 'transfer_out')]);
  await books.entries('B', [entry('E2', 'T9', 500n, 'transfer_in')]);
  expect(await told()).toEqual({
    'A T9': 'booked on the other account B too, where the platform lacks it as well',
    'B T9': 'booked on the other account A too, where the platform lacks it as well',
  });
});

test('an amount that waits on several other accounts is not called unbooked, nor unknown to the platform', async () => {
  await books.deposits('A', [{ orderNo: 'D', at, amountFen: 777n }]);
  await books.entries('B', [entry('E1', 'X1', 777n)]);
  await books.entries('C', [entry('E2', 'X2', 777n)]);
  expect(await told({ A: 777n })).toMatchObject({
    'A D': 'other accounts have 2 unmatched of the same amount: probably the wrong account',
    'B X1': 'other accounts have 1 unmatched of the same amount: probably the wrong account',
  });
});

test('an entry of an order that failed is an unmatched one to what was sent in its place', async () => {
  const orders = new OrderBooks(database.db);
  const sent = { account: 'A', amountFen: 300n, submittedAt: at, finalAt: '2026-03-01 10:00:00' };
  await orders.withdrawal({ ...sent, out: 'W1', state: 'failed' });
  await orders.withdrawal({ ...sent, out: 'W2' });
  await books.entries('A', [entry('E1', 'W1', -300n, 'withdrawal')]);
  expect(await told({ A: -300n })).toEqual({
    'A W1': 'the books have 3.00: probably to be reversed',
    'A W2': 'candidates: E1 (3.00)',
  });
});

test.each([
  ['not for long', at],
  ['for too long', '2026-02-20 09:00:00'],
])(
  'to an entry under a wrong number an order that is under way, %s, is an unmatched record',
  async (_, submittedAt) => {
    const orders = new OrderBooks(database.db);
    const sent = { account: 'A', amountFen: 300n, submittedAt, state: 'open' } as const;
    await orders.withdrawal({ ...sent, out: 'W1', lastOpenAt: '2026-03-02 00:00:10' });
    await books.entries('A', [entry('E1', 'WI', -300n, 'withdrawal')]);
    expect(await told()).toMatchObject({ 'A WI': 'candidates: W1 (3.00)' });
  },
);

test('an amount of the other sign is booked too low by all that it is off', async () => {
  const orders = new OrderBooks(database.db);
  await books.deposits('A', [{ orderNo: 'D', at, amountFen: 10_000n }]);
  await books.entries('A', [entry('E1', 'D', -8_766n)]);
  const sent = { account: 'B', amountFen: 300n, submittedAt: at, finalAt: '2026-03-01 10:00:00' };
  await orders.withdrawal({ ...sent, out: 'W' });
  await books.entries('B', [entry('E2', 'W', 45_000n, 'withdrawal')]);
  expect(await told({ A: 10_000n, B: -300n })).toEqual({
    'A D': 'booked 187.66 too low',
    'B W': 'booked 453.00 too low',
  });
});

test('an entry that is not posted yet is told from none', async () => {
  await books.deposits('A', [{ orderNo: 'D', at, amountFen: 777n }]);
  await books.entries('A', [{ ...entry('E1', 'X1', 777n), status: 'pending' }]);
  expect(await told({ A: 777n })).toEqual({
    'A D': 'no posted entry of that amount is unmatched: 7.77 probably not booked',
  });
});

test('one number of two kinds is no order that nobody booked', async () => {
  const orders = new OrderBooks(database.db);
  const sent = { amountFen: 300n, submittedAt: at, finalAt: '2026-03-01 10:00:00' };
  await orders.withdrawal({ ...sent, account: 'A', out: 'N' });
  await books.entries('B', [entry('E1', 'N', -300n, 'transfer_out')]);
  expect(await told({ A: -300n })).toEqual({
    'A N': 'E1 of account B has the same amount: probably the wrong account',
    'B N': 'N of account A has the same amount: probably the wrong account',
  });
});

test('a candidate of several entries is one, and each of them is named whole or not at all', async () => {
  const long = (no: number) => `2026-${String(no).repeat(58)}`;
  await books.deposits('A', [{ orderNo: 'D', at, amountFen: 500n }]);
  await books.entries('A', [entry('E1', 'X1', 200n), entry('E2', 'X1', 300n)]);
  await books.deposits('B', [{ orderNo: 'F', at, amountFen: 400n }]);
  await books.entries(
    'B',
    [1, 2, 3, 4].map((no) => entry(long(no), 'X2', 100n)),
  );
  expect(await told({ A: 500n, B: 400n })).toMatchObject({
    'A D': 'candidates: E1 + E2 (5.00)',
    'B F': `candidates: ${long(1)} + ${long(2)} + ${long(3)} + … (4.00)`,
  });
});
