/** What was noted of a number before faults named what they are of goes on, with its break, whoever has that number. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runScript } from '../../src/store/database/driver-commands.ts';
import { Books } from '../helpers/company/books.ts';
import { lines } from '../helpers/company/order-answers.ts';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, openMarchIn } from '../reconcile/orders-in-march.ts';

const MIGRATION = path.join(import.meta.dirname, '..', '..', 'migrations', '0093_fault_of_what.sql');

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;
beforeEach(async () => {
  database = await databaseToSpoil();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P', 'Q');
});
afterEach(() => database.close());

const ODD = 'unknown_state' as const;

async function migrated(): Promise<string[]> {
  await runScript(database.db, 'alter table order_fault drop column subject');
  const key =
    'alter table order_fault add constraint order_fault_pkey primary key (account_no, reference, class)';
  await runScript(database.db, key);
  await runScript(database.db, await readFile(MIGRATION, 'utf8'));
  return lines(database.db, 'order_fault', ['reference', 'subject', 'note']);
}

test('a fault is of what has its number; of each where more than one has it', async () => {
  await orders.transfer(T1);
  await orders.transfer({ ...T1, out: 'BOTH' });
  await orders.withdrawal({ out: 'W1', account: 'P', amountFen: 100n, submittedAt: T1.submittedAt });
  await orders.withdrawal({ out: 'BOTH', account: 'P', amountFen: 100n, submittedAt: T1.submittedAt });
  const noted: [string, string][] = [
    ['T1', 'state "A"'],
    ['W1', 'state "B"'],
    ['BOTH', 'state "C"'],
    ['B1', 'batch: state "D"'],
    ['GONE', 'state "E"'],
  ];
  for (const [reference, note] of noted) await orders.fault({ account: 'P', reference, class: ODD, note });
  expect(await migrated()).toEqual([
    'B1 batch batch: state "D"',
    'BOTH transfer state "C"',
    'BOTH withdrawal state "C"',
    'GONE transfer state "E"',
    'T1 transfer state "A"',
    'W1 withdrawal state "B"',
  ]);
});

test('the break of one keeps its id', async () => {
  const at = '2026-03-02 00:00:05';
  await orders.withdrawal({
    out: 'W1',
    account: 'P',
    amountFen: 100n,
    submittedAt: T1.submittedAt,
    state: 'open',
  });
  await orders.transfer({ ...T1, state: 'open' });
  await orders.fault({ account: 'P', reference: 'W1', subject: 'withdrawal', class: ODD, note: 'state "B"' });
  await orders.fault({
    account: 'P',
    reference: 'B1',
    subject: 'batch',
    class: ODD,
    note: 'batch: state "D"',
  });
  await books.balance('P', { at, fen: 100_000n });
  await books.balance('Q', { at, fen: 100_000n });
  await books.night('2026-03-01');
  // As it was found before.
  await sql`update break set item_key = class || ':order:' || reference where class = ${ODD}`.execute(
    database.db,
  );
  const told = async (): Promise<string[]> =>
    (await lines(database.db, 'break', ['class', 'break_id', 'status', 'reference'])).filter((line) =>
      line.startsWith(ODD),
    );
  const before = await told();
  expect(before).toHaveLength(2);
  await migrated();
  await books.balance('P', { at: '2026-03-03 00:00:05', fen: 100_000n });
  await books.balance('Q', { at: '2026-03-03 00:00:05', fen: 100_000n });
  await books.night('2026-03-02');
  expect(await told()).toEqual(before);
});
