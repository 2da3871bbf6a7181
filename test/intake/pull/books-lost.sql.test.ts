/** A database that goes away while it is read ends the pull with an error: never with the rows that came, never not at all. */
import mysql from 'mysql2/promise';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readSettings } from '../../../src/core/config/config.ts';
import { openBooks } from '../../../src/intake/pull/books-database.ts';
import { COMPANY_DATABASES } from '../../helpers/company-database.ts';
import { shanghai } from '../books.ts';

const MANY = {
  PostgreSQL: `insert into many select n, repeat('x', 200) from generate_series(1, 100000) n`,
  MariaDB: `insert into many select seq, repeat('x', 200) from seq_1_to_100000`,
};

/** Ends the sessions of recon alone. */
const END_READERS = {
  PostgreSQL: async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'recon pull'`);
    await client.end();
  },
  MariaDB: async (url: string) => {
    const connection = await mysql.createConnection(url);
    const [sessions] = await connection.query<mysql.RowDataPacket[]>(
      `select id from information_schema.processlist where db = database() and info like '%from many%' and id <> connection_id()`,
    );
    for (const { id } of sessions) await connection.query(`kill connection ${String(id)}`);
    await connection.end();
  },
};

test.each(COMPANY_DATABASES.filter(({ isThere }) => isThere))(
  'a session of $kind that is ended while it is read is an error',
  async ({ kind, open }) => {
    const company = await open();
    try {
      await company.run('create table many (n integer, filler varchar(200))');
      await company.run(MANY[kind]);
      const env = { LEDGER_DATABASE_URL: company.url, LEDGER_DATABASE_QUERY: import.meta.filename };
      const { books } = readSettings({ env, needs: { platform: false } });
      if (books === undefined) throw new Error('there are no books');
      const database = await openBooks(books, shanghai);
      const readAll = async (): Promise<number> => {
        let count = 0;
        for await (const batch of database.rows('select * from many')) {
          if (count === 0) await END_READERS[kind](company.url);
          count += batch.length;
        }
        return count;
      };
      await expect(readAll()).rejects.toThrow("cannot read the company's database");
      await database.close();
    } finally {
      await company.close();
    }
  },
);
