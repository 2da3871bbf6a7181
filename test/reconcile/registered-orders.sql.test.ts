/** What the company registered is compared with what the platform states, whatever the books copied. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Books } from '../helpers/company/books.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { nightOfThree } from './night-of-three.ts';
import { openMarchIn } from './orders-in-march.ts';

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

const AT = '2026-03-01 09:05:00';
const night = (held: Record<string, bigint>): Promise<string[]> => nightOfThree({ books, database }, held);

const W1 = { out: 'W1', account: 'P', submittedAt: '2026-03-01 09:00:00' } as const;
const registered = { kind: 'withdrawal', out: 'W1', payer: 'P', amountFen: 100n } as const;
const asked = (account: string, number = 'W1', numberKind: 'out' | 'platform' = 'out') =>
  orders.due({
    kind: 'withdrawal',
    number,
    numberKind,
    account,
    state: 'final',
    askedAt: '2026-03-02 02:00:00',
  });
const withdrawn = (account: string, amountFen: bigint) =>
  books.entries(account, [{ id: 'w1', kind: 'withdrawal', amountFen, at: AT, reference: 'W1' }]);

test('a withdrawal registered with 100 and paid with 90,000 is an amount break, though the books copied it', async () => {
  await orders.withdrawal({ ...W1, amountFen: 90_000n, finalAt: '2026-03-02 02:00:00' });
  await orders.registered(registered);
  await asked('P');
  await withdrawn('P', -90_000n);
  expect(await night({ P: 10_000n })).toEqual(['amount P W1 0']);
  const [row] = await database.db.selectFrom('finding').selectAll().execute();
  expect([row?.platform_fen, row?.note]).toEqual([-90_000n, '100 fen were registered, 90000 are stated']);
  await database.db.deleteFrom('order_due').execute();
  expect(await night({ P: 10_000n })).toEqual(['amount P W1 0']);
  await database.db.updateTable('order_registry').set({ amount_fen: 90_000n }).execute();
  expect(await night({ P: 10_000n })).toEqual([]);
});

test('what was registered by the platform’s number is compared, and while it is open', async () => {
  await orders.withdrawal({ ...W1, amountFen: 90_000n, state: 'open', lastOpenAt: '2026-03-02 02:00:05' });
  await orders.registered({ ...registered, out: '', orderNo: 'N-W1' });
  await asked('P', 'N-W1', 'platform');
  expect(await night({})).toContain('amount P W1 0');
});

test('a withdrawal that left another account than it was registered for is an account break', async () => {
  await orders.withdrawal({ ...W1, account: 'Q', amountFen: 100n, finalAt: '2026-03-02 02:00:00' });
  await orders.registered(registered);
  await asked('Q');
  await withdrawn('Q', -100n);
  expect(await night({ Q: 99_900n })).toEqual(['account Q W1 0']);
});

test('a withdrawal as it was registered, or registered without an amount, is no break', async () => {
  await orders.withdrawal({ ...W1, amountFen: 100n, finalAt: '2026-03-02 02:00:00' });
  await orders.registered(registered);
  await asked('P');
  await withdrawn('P', -100n);
  expect(await night({ P: 99_900n })).toEqual([]);
  await database.db.updateTable('order_registry').set({ amount_fen: null }).execute();
  expect(await night({ P: 99_900n })).toEqual([]);
});

test('a withdrawal registered by both its numbers with unlike amounts is one break that names both', async () => {
  await orders.withdrawal({ ...W1, amountFen: 90_000n, finalAt: '2026-03-02 02:00:00' });
  await orders.registered(registered);
  await orders.registered({ ...registered, out: '', orderNo: 'N-W1', amountFen: 200n });
  await asked('P');
  await withdrawn('P', -90_000n);
  expect(await night({ P: 10_000n })).toEqual(['amount P W1 0']);
  const [row] = await database.db.selectFrom('finding').selectAll().execute();
  expect(row?.note).toBe('100 and 200 fen were registered, 90000 are stated');
});

test('of two registrations of a withdrawal one that it agrees with does not excuse the other', async () => {
  await orders.withdrawal({ ...W1, amountFen: 100n, finalAt: '2026-03-02 02:00:00' });
  await orders.registered(registered);
  await orders.registered({ ...registered, out: '', orderNo: 'N-W1', payer: 'Q', amountFen: 200n });
  await asked('P');
  await withdrawn('P', -100n);
  expect(await night({ P: 99_900n })).toEqual(['account P W1 0', 'amount P W1 0']);
});

test('a withdrawal of a strange account that two accounts registered is a break of each', async () => {
  await orders.withdrawal({ ...W1, account: 'X', amountFen: 100n, finalAt: '2026-03-02 02:00:00' });
  await orders.registered(registered);
  await orders.registered({ ...registered, out: '', orderNo: 'N-W1', payer: 'Q' });
  await asked('X');
  expect(await night({})).toEqual(['account P W1 0', 'account Q W1 0']);
});

test('a withdrawal that a program registered once more with another amount is an amount break, though it agrees with the first', async () => {
  await orders.withdrawal({ ...W1, amountFen: 100n, finalAt: '2026-03-02 02:00:00' });
  await orders.registered(registered);
  await database.db
    .insertInto('order_registry')
    .values({
      kind: 'withdrawal',
      out_order_no: 'W1',
      payer_account_no: 'Q',
      amount_fen: 200n,
      submitted_at: null,
      file_id: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await asked('P');
  await withdrawn('P', -100n);
  expect(await night({ P: 99_900n })).toEqual(['account P W1 0', 'amount P W1 0']);
  await database.db
    .updateTable('order_contradiction')
    .set({ settled_at: '2026-03-03T00:00:00.000Z' })
    .execute();
  expect(await night({ P: 99_900n })).toEqual([]);
});
