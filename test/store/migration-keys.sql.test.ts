/** Keys of breaks that were stored under the names of an earlier schema are those under which proofs find them now. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runScript } from '../../src/store/database/driver-commands.ts';
import { Books } from '../helpers/company/books.ts';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, openMarchIn } from '../reconcile/orders-in-march.ts';

const MIGRATION = path.join(import.meta.dirname, '..', '..', 'migrations', '0023_break_lives_on.sql');

let database: TestDatabase;
let books: Books;
let orders: OrderBooks;

/** The schema before the migration, with what the platform said. */
beforeEach(async () => {
  database = await databaseToSpoil();
  books = new Books(database.db);
  orders = new OrderBooks(database.db);
  await openMarchIn(books, 'P', 'Q');
  await runScript(database.db, 'alter table run_unexplained drop column until');
});
afterEach(() => database.close());

async function stored(
  accountNo: string,
  itemKey: string,
  of: { class: string; status?: 'open' | 'closed'; occurrence?: number },
): Promise<void> {
  const reference = itemKey.split(':').at(-1) ?? '';
  const { status = 'open', occurrence = 1 } = of;
  await sql`
    insert into break (break_id, account_no, item_key, occurrence, class, severity, reference, difference_fen, status,
      first_day, first_run, last_day, last_run, closed_day, closed_run,
      cleared_by, cleared_cause)
    values (${`${accountNo} ${itemKey} ${occurrence}`}, ${accountNo}, ${itemKey}, ${occurrence}, ${of.class}, 'break',
      ${reference}, 0, ${status}, '2026-03-01', 'r', '2026-03-01', 'r',
      ${status === 'closed' ? '2026-03-02' : null}, ${status === 'closed' ? 'r' : null}, ${status === 'closed' ? 'x' : null},
      ${status === 'closed' ? 'entry' : null})`.execute(database.db);
}

/** By the key that it had. */
async function migrated(): Promise<Record<string, string>> {
  await runScript(database.db, await readFile(MIGRATION, 'utf8'));
  const rows = await database.db.selectFrom('break').selectAll().orderBy('break_id').execute();
  return Object.fromEntries(rows.map((row) => [row.break_id, `${row.item_key} ${row.occurrence}`]));
}

test('faults of records are named by what they are about', async () => {
  await books.deposits('P', [
    { orderNo: 'D1', amountFen: 500n, at: '2026-03-01 10:00:00', payerName: 'X' },
    { orderNo: 'BOTH', amountFen: 500n, at: '2026-03-01 10:00:00', payerName: 'X' },
  ]);
  await orders.transfer(T1);
  await orders.transfer({ ...T1, out: 'BOTH' });
  await orders.withdrawal({ out: 'W1', account: 'P', amountFen: 100n, submittedAt: T1.submittedAt });
  for (const reference of ['D1', 'T1', 'W1', 'BOTH']) {
    await stored('P', `fee_invariant:${reference}`, { class: 'fee_invariant' });
    await stored('P', `record_changed:${reference}`, { class: 'record_changed' });
  }
  expect(await migrated()).toEqual({
    'P fee_invariant:D1 1': 'fee_invariant:deposit:D1 1',
    'P fee_invariant:T1 1': 'fee_invariant:transfer:T1 1',
    'P fee_invariant:W1 1': 'fee_invariant:withdrawal:W1 1',
    'P fee_invariant:BOTH 1': 'fee_invariant:deposit:BOTH 1',
    'P record_changed:D1 1': 'record_changed:deposit:D1 1',
    'P record_changed:T1 1': 'record_changed:order:T1 1',
    'P record_changed:W1 1': 'record_changed:order:W1 1',
    'P record_changed:BOTH 1': 'record_changed:deposit:BOTH 1',
  });
});

test('what is about an order of another payer names that payer, and keeps its occurrences', async () => {
  await orders.transfer(T1);
  await orders.fault({ account: 'P', reference: 'T1', class: 'unknown_state', note: 'settleState X' });
  await stored('P', 'unknown_state:T1', { class: 'unknown_state' });
  await stored('Q', 'unknown_state:T1', { class: 'unknown_state', status: 'closed' });
  await stored('Q', 'unknown_state:T1', { class: 'unknown_state', occurrence: 2 });
  await stored('Q', 'settle_failed:T1', { class: 'settle_failed' });
  await stored('P', 'registered_amount:W1', { class: 'amount' });
  await stored('P', 'registered_account:W1', { class: 'account' });
  expect(await migrated()).toEqual({
    'P registered_account:W1 1': 'registered_account:P:W1 1',
    'P registered_amount:W1 1': 'registered_amount:P:W1 1',
    'P unknown_state:T1 1': 'unknown_state:order:T1 1',
    'Q settle_failed:T1 1': 'settle_failed:P:T1 1',
    'Q unknown_state:T1 1': 'unknown_state:payer/P:T1 1',
    'Q unknown_state:T1 2': 'unknown_state:payer/P:T1 2',
  });
});

test('what agrees only in sum takes the key of its group, and what lay apart beside it goes on as the rest', async () => {
  await stored('P', 'line:transfer:T1', { class: 'late', status: 'closed' });
  await stored('P', 'line:transfer:T1', { class: 'late', occurrence: 2 });
  await stored('P', 'line:parts:transfer:T1', { class: 'amount' });
  await stored('P', 'line:rest:transfer:T1', { class: 'late', status: 'closed' });
  await stored('Q', 'line:parts:transfer:T2', { class: 'amount', status: 'closed' });
  await stored('Q', 'line:parts:transfer:T2', { class: 'amount', occurrence: 2 });
  await stored('Q', 'line:transfer:T3', { class: 'late' });
  expect(await migrated()).toEqual({
    'P line:parts:transfer:T1 1': 'line:transfer:T1 2',
    'P line:rest:transfer:T1 1': 'line:rest:transfer:T1 1',
    'P line:transfer:T1 1': 'line:transfer:T1 1',
    'P line:transfer:T1 2': 'line:rest:transfer:T1 2',
    'Q line:parts:transfer:T2 1': 'line:parts:transfer:T2 1',
    'Q line:parts:transfer:T2 2': 'line:transfer:T2 1',
    'Q line:transfer:T3 1': 'line:transfer:T3 1',
  });
});
