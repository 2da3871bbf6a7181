/** Two things that are wrong are two items, though they share a number. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { nightOfThree } from '../night-of-three.ts';
import { T1, openMarchIn } from '../orders-in-march.ts';

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P', 'Q', 'R');
});
afterEach(() => database.close());

const night = (held: Record<string, bigint>): Promise<string[]> => nightOfThree({ books, database }, held);
const FREE = { ...T1, feeFen: 0n } as const;
const settle = { state: 'failed', finalAt: '2026-03-02 02:00:00' } as const;

test('settlements that failed under one number of two payers are two items of their payee', async () => {
  await orders.transfer({ ...FREE, payee: 'R', settle });
  await orders.transfer({ ...FREE, payee: 'R', payer: 'Q', orderNo: 'N2', settle });
  const found = await night({ P: 90_000n, Q: 90_000n, R: 120_000n });
  expect(found.filter((line) => line.startsWith('settle_failed'))).toEqual([
    'settle_failed R T1 0',
    'settle_failed R T1 0',
  ]);
});

test('fees that contradict themselves under one number are as many items as there are records', async () => {
  const wrong = { amountFen: 1_000n, feeFen: 30n, realFen: 123n } as const;
  await orders.transfer({ ...T1, ...wrong });
  await orders.withdrawal({ ...T1, ...wrong, account: 'P', orderNo: 'N2' });
  await books.deposits('P', [{ orderNo: 'T1', at: '2026-03-01 10:00:00', ...wrong }]);
  const found = await night({ P: 98_970n, Q: 100_970n });
  expect(found.filter((line) => line.startsWith('fee_invariant'))).toEqual([
    'fee_invariant P T1 0',
    'fee_invariant P T1 0',
    'fee_invariant P T1 0',
  ]);
});

test('faults under one number of a deposit and an order, and of two payers, are each an item', async () => {
  await orders.transfer({ ...FREE, payee: 'R' });
  await orders.transfer({ ...FREE, payee: 'R', payer: 'Q', orderNo: 'N2' });
  const unknown = { reference: 'T1', class: 'unknown_state', note: 'settleState "X"' } as const;
  await orders.fault({ ...unknown, account: 'P' });
  await orders.fault({ ...unknown, account: 'Q' });
  await orders.fault({ account: 'P', reference: 'T1', class: 'bad_record' });
  await books.faults([
    { accountNo: 'P', reference: 'T1', kind: 'unreadable', reason: 'no amount', depositedAt: undefined },
  ]);
  const found = await night({ P: 90_000n, Q: 90_000n, R: 120_000n });
  expect(found.filter((line) => /^(unknown_state|bad_record)/.test(line))).toEqual([
    'bad_record P T1 0',
    'bad_record P T1 0',
    'unknown_state R T1 0',
    'unknown_state R T1 0',
  ]);
});
