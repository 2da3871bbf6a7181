import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runScript } from '../../src/store/database/driver-commands.ts';
import { Books } from '../helpers/company/books.ts';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { OrderBooks } from '../helpers/company/order-books.ts';
import { T1, openMarchIn } from '../reconcile/orders-in-march.ts';

const MIGRATION = path.join(import.meta.dirname, '..', '..', 'migrations', '0015_groups_of_parts.sql');

let database: TestDatabase;
beforeEach(async () => {
  database = await databaseToSpoil();
});
afterEach(() => database.close());

test('groups that were stored as equal by their sum alone are held against each other part by part', async () => {
  const books = new Books(database.db);
  await openMarchIn(books, 'P', 'Q');
  await new OrderBooks(database.db).transfer({ ...T1, feeFen: 0n, payee: 'P' });
  const booked = { at: '2026-03-01 09:05:00', reference: 'T1' } as const;
  await books.entries('P', [
    { ...booked, id: 'p1', kind: 'transfer_out', amountFen: -9_000n },
    { ...booked, id: 'p2', kind: 'transfer_in', amountFen: 9_000n },
  ]);
  await books.balance('P', { at: '2026-03-02 02:00:05', runId: 'read', fen: 100_000n });
  const found = async () => books.found((await books.night('2026-03-01', { accounts: ['P'] })).runId);
  expect(await found()).toEqual(['amount P T1 0']);
  await database.db.updateTable('match').set({ outcome: 'equal' }).execute();
  expect(await found()).not.toContain('amount P T1 0');
  const script = await readFile(MIGRATION, 'utf8');
  await runScript(database.db, script);
  expect(await found()).toEqual(['amount P T1 0']);
});
