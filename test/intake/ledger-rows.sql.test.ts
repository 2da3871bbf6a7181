/** A figure of the books leads back to the row of the file that stated it. */
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../helpers/database.ts';
import { takeAccounts, takeLedger, withdraw } from './books.ts';
import { testFolder } from './in-folder.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const HEADER = 'entry_id,account_no,kind,amount_fen,booked_at\n';

async function take(name: string, rows: string): Promise<void> {
  const path = await folder.write(name, `${HEADER}${rows}`);
  await takeLedger(db, { source: 'erp', path, replace: false });
}

async function rowsOf(): Promise<string[]> {
  const rows = await db
    .selectFrom('ledger_entry')
    .innerJoin('intake_file', 'intake_file.file_id', 'ledger_entry.file_id')
    .select(['entry_id', 'version', 'current', 'name', 'file_row'])
    .orderBy('entry_id')
    .orderBy('version')
    .execute();
  return rows.map((row) =>
    [row.entry_id, row.version, row.name, row.file_row, ...(row.current ? [] : ['former'])].join(' '),
  );
}

test('each version of an entry says its row, header counted, of the file that stated it', async () => {
  await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n'));
  await take(
    'one.csv',
    'Z1,62001,deposit,100,2026-03-01 10:00:00\n\nA1,62001,deposit,200,2026-03-01 11:00:00\n',
  );
  await take(
    'two.csv',
    'A1,62001,deposit,250,2026-03-01 11:00:00\nZ1,62001,deposit,100,2026-03-01 10:00:00\n',
  );
  expect(await rowsOf()).toEqual(['A1 1 one.csv 4 former', 'A1 2 two.csv 2', 'Z1 1 one.csv 2']);
  await withdraw(db, { file: 'two.csv', source: 'erp' });
  expect(await rowsOf()).toEqual([
    'A1 1 one.csv 4 former',
    'A1 2 two.csv 2 former',
    'A1 3 one.csv 4',
    'Z1 1 one.csv 2',
  ]);
});
