/** What databases write otherwise than they hold it, or do not write at all, as they are set. */
import mysql from 'mysql2/promise';
import { expect, test } from 'vitest';
import { readSettings } from '../../../src/core/config/config.ts';
import { openBooks } from '../../../src/intake/pull/books-database.ts';
import { repeatedQuery } from '../../../src/intake/pull/pull-query.ts';
import type { BooksDatabase } from '../../../src/intake/pull/books-reading.ts';
import { COMPANY_DATABASES, isMysqlThere, openMysql, openPostgres } from '../../helpers/company-database.ts';
import type { CompanyDatabase } from '../../helpers/company-database.ts';
import { shanghai } from '../books.ts';

const hasMysql = await isMysqlThere();
const [postgres] = COMPANY_DATABASES;

async function reading(
  open: () => Promise<CompanyDatabase>,
  { before, reads }: { before: string; reads: (database: BooksDatabase) => Promise<void> },
): Promise<void> {
  const company = await open();
  try {
    await company.run(before);
    const env = { LEDGER_DATABASE_URL: company.url, LEDGER_DATABASE_QUERY: import.meta.filename };
    const { books } = readSettings({ env, needs: { platform: false } });
    if (books === undefined) throw new Error('there are no books');
    const database = await openBooks(books, shanghai);
    try {
      await reads(database);
    } finally {
      await database.close();
    }
  } finally {
    await company.close();
  }
}

async function rowsOf(database: BooksDatabase, query: string): Promise<unknown[]> {
  const read = [];
  for await (const batch of database.rows(query)) read.push(...batch);
  return read;
}

test.skipIf(!hasMysql)('a FLOAT, which the server rounds to six digits, is no amount; cast, it is', () =>
  reading(openMysql, {
    before: 'create table voucher (amount float); insert into voucher values (123456.78)',
    reads: async (database) => {
      await expect(
        database.columns('select * from (select amount as amount_yuan from voucher) q'),
      ).rejects.toThrow('column "amount_yuan" is a FLOAT');
      const cast = 'select * from (select cast(amount as decimal(18, 2)) as amount_yuan from voucher) q';
      expect(await database.columns(cast)).toEqual(['amount_yuan']);
      expect(await rowsOf(database, cast)).toEqual([['123456.78']]);
    },
  }),
);

test.skipIf(!postgres.isThere)(
  'a database that is set to show six digits of a number shows all that it holds',
  () =>
    reading(postgres.open, {
      before: `create table voucher (amount real); insert into voucher values (123456.78);
      do $$ begin execute format('alter database %I set extra_float_digits = 0', current_database()); end $$`,
      reads: async (database) => {
        expect(await rowsOf(database, 'select amount from voucher')).toEqual([['123456.78']]);
      },
    }),
);

/** Ids that stand in more than one row, of a database of any encoding. */
async function repeatedIn(database: BooksDatabase): Promise<unknown[]> {
  const query = { file: 'ledger.sql', text: 'select id as entry_id from voucher' };
  const asked = { changedFrom: null, bookedFrom: undefined };
  const { exact } = database;
  return rowsOf(database, repeatedQuery(query, { asked, zone: shanghai, exact, limit: 100 }));
}

test.skipIf(!postgres.isThere)('a database in LATIN1 can be asked for what it has twice', () =>
  reading(() => openPostgres("encoding 'LATIN1' locale 'C' template template0"), {
    before: "create table voucher (id text); insert into voucher values ('E1'), ('E1 '), ('E2')",
    reads: async (database) => expect(await repeatedIn(database)).toEqual([['E1']]),
  }),
);

test.skipIf(!hasMysql)(
  'a server that gives everybody so many rows at most gives all of the books',
  async () => {
    const server = await mysql.createConnection({ host: '127.0.0.1', port: 3306, user: 'root' });
    await server.query('set global sql_select_limit = 100000');
    try {
      await reading(openMysql, {
        before: 'create table voucher (n int); insert into voucher select seq from seq_1_to_100001',
        reads: async (database) => {
          expect((await rowsOf(database, 'select n from voucher')).length).toBe(100_001);
        },
      });
    } finally {
      await server.query('set global sql_select_limit = default');
      await server.end();
    }
  },
);
