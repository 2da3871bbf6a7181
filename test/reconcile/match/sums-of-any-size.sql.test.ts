/** What the books of one account add up to keeps no other account from being matched and proven. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FEN_MAX } from '../../../src/core/fen.ts';
import { Books, at } from '../../helpers/company/books.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
let books: Books;

beforeEach(async () => {
  database = await testDatabase();
  books = new Books(database.db);
});
afterEach(() => database.close());

test.each(['deposit', 'fee'])(
  'ten thousand largest entries of kind %s under one number stop nobody else',
  async (kind) => {
    for (const accountNo of ['A1', 'A2']) {
      await books.account(accountNo, { fen: 100_000n, at: '2026-03-01 00:00:00' });
      await books.proven(accountNo, '2026-03-01', '2026-03-01');
      await books.deposits(accountNo, [
        { orderNo: `D-${accountNo}`, amountFen: 500n, at: '2026-03-01 10:00:00' },
      ]);
      await books.balance(accountNo, { at: '2026-03-02 00:00:05', fen: 100_500n });
      await books.entries(accountNo, [
        { id: `E-${accountNo}`, amountFen: 500n, at: '2026-03-01 11:00:00', reference: `D-${accountNo}` },
      ]);
    }
    await sql`
    insert into ledger_entry (account_no, source, entry_id, version, kind, amount_fen, reference, counterparty,
      booked_at, status, file_id, written_no)
    select 'A1', 'erp', 'big-' || n, 1, ${kind}, ${FEN_MAX}::bigint, 'D-A1', '', ${at('2026-03-01 11:00:00')},
      'posted', 'f1', (select max(written_no) from ledger_entry)
    from generate_series(1, 10000) n`.execute(database.db);
    const { accounts, verdict } = await books.night('2026-03-01');
    expect(verdict).toBe('incomplete');
    expect(accounts.map(({ accountNo, verdict: of }) => `${accountNo} ${of}`)).toEqual(['A2 reconciled']);
  },
);
