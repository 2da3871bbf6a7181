/** A fee beside an amount that another account bears by now: what was posted for it is taken back, and its line ends. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks, postingRules } from '../helpers/company/order-books.ts';
import { T1, bookedT1, openMarchIn } from './orders-in-march.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  await openMarchIn(books, 'P', 'Q', 'X');
});
afterEach(() => database.close());

/** Balances after the day on which Q bore a fee of 30 that X was thought to bear. */
async function held(day: number, fen: Record<string, bigint>): Promise<void> {
  for (const [accountNo, heldFen] of Object.entries(fen)) {
    await books.balance(accountNo, { at: `2026-03-0${day + 1} 00:00:05`, fen: heldFen });
  }
}

async function lineOfX(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('break')
    .selectAll()
    .where('account_no', '=', 'X')
    .where('item_key', 'like', 'line:%')
    .execute();
  return rows.map((row) => [row.status, row.cleared_cause, row.cleared_by].filter(Boolean).join(' '));
}

const D1 = { orderNo: 'D1', amountFen: 10_000n, feeFen: 30n, feeType: 'ACCOUNT', at: '2026-03-01 10:00:00' };
const rules = (deposit: 'acct:X' | 'payee' | 'external') => postingRules({ bearers: { deposit } });

async function depositBorneByX(): Promise<void> {
  await books.deposits('Q', [D1]);
  await books.entries('Q', [{ id: 'q1', amountFen: 9_970n, at: '2026-03-01 11:00:00', reference: 'D1' }]);
  await held(1, { P: 100_000n, Q: 109_970n, X: 100_000n });
  const first = await books.night('2026-03-01', { rules: rules('acct:X') });
  expect(await books.found(first.runId)).toContain('platform_only X D1 -30');
}

test.each(['payee', 'external'] as const)(
  'the line of a deposit fee that the profile takes from an account ends by the deposit: %s',
  async (bearer) => {
    await depositBorneByX();
    await held(2, { P: 100_000n, Q: 109_970n, X: 100_000n });
    await books.night('2026-03-01', { rules: rules(bearer) });
    await books.night('2026-03-02', { rules: rules(bearer) });
    expect(await lineOfX()).toEqual(['closed record D1']);
  },
);

test('so does that of a fee which the platform states inside the amount by now', async () => {
  await depositBorneByX();
  await books.deposits('Q', [{ ...D1, feeType: 'ORDER' }], 'again');
  await held(2, { P: 100_000n, Q: 109_970n, X: 100_000n });
  await books.night('2026-03-02', { rules: rules('acct:X') });
  expect(await lineOfX()).toEqual(['closed record D1']);
});

test('so does that of the fee of a transfer', async () => {
  const orders = new OrderBooks(database.db);
  await orders.transfer({ ...T1, feeType: 'ACCOUNT' });
  await books.entries('P', [{ ...bookedT1.P, amountFen: -10_030n }]);
  await books.entries('Q', [{ ...bookedT1.Q, amountFen: 10_000n }]);
  for (const day of [1, 2]) await held(day, { P: 89_970n, Q: 110_000n, X: 100_000n });
  const of = (transfer: 'acct:X' | 'payer') => ({ rules: postingRules({ bearers: { transfer } }) });
  const first = await books.night('2026-03-01', of('acct:X'));
  expect(await books.found(first.runId)).toContain('platform_only X T1 -30');
  await books.night('2026-03-02', of('payer'));
  expect(await lineOfX()).toEqual(['closed record N-T1']);
});

test('a fee that is still borne there keeps its line, whatever else of the account is taken back', async () => {
  await depositBorneByX();
  await books.deposits('P', [{ ...D1, orderNo: 'D2' }]);
  await books.night('2026-03-01', { rules: rules('acct:X') });
  await books.deposits('P', [{ ...D1, orderNo: 'D2', feeType: 'ORDER' }], 'again');
  await held(2, { P: 109_970n, Q: 109_970n, X: 100_000n });
  await books.night('2026-03-02', { rules: rules('acct:X') });
  expect((await lineOfX()).toSorted()).toEqual(['closed record D2', 'open']);
});
