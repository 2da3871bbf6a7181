/** What MySQL and MariaDB write otherwise than they hold it. */
import { expect, test } from 'vitest';
import { readSettings } from '../../../src/core/config/config.ts';
import { openBooks } from '../../../src/intake/pull/books-database.ts';
import { isMysqlThere, openMysql } from '../../helpers/company-database.ts';
import { shanghai } from '../books.ts';

test.skipIf(!(await isMysqlThere()))(
  'a FLOAT, which the server rounds to six digits, is no amount; cast, it is',
  async () => {
    const company = await openMysql();
    try {
      await company.run('create table voucher (amount float); insert into voucher values (123456.78)');
      const env = { LEDGER_DATABASE_URL: company.url, LEDGER_DATABASE_QUERY: import.meta.filename };
      const { books } = readSettings({ env, needs: { platform: false } });
      if (books === undefined) throw new Error('there are no books');
      const database = await openBooks(books, shanghai);
      await expect(
        database.columns('select * from (select amount as amount_yuan from voucher) q'),
      ).rejects.toThrow('column "amount_yuan" is a FLOAT');
      const cast = 'select * from (select cast(amount as decimal(18, 2)) as amount_yuan from voucher) q';
      expect(await database.columns(cast)).toEqual(['amount_yuan']);
      const read = [];
      for await (const batch of database.rows(cast)) read.push(...batch);
      expect(read).toEqual([['123456.78']]);
      await database.close();
    } finally {
      await company.close();
    }
  },
);
