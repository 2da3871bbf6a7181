/** An account has one spelling in the account list, the books and the order registry. */
import { afterAll, expect, test } from 'vitest';
import type { ImportResult } from '../../src/intake/import-file.ts';
import { testDatabase } from '../helpers/database.ts';
import { takeAccounts, takeLedger } from './books.ts';
import { testFolder } from './in-folder.ts';
import { takeOrders } from './order-files.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const numbers = async () =>
  (await db.selectFrom('account').select('account_no').orderBy('account_no').execute()).map(
    (row) => row.account_no,
  );
/** What is wrong with the file, cell by cell. */
async function faultsOf(taking: Promise<ImportResult>): Promise<string[]> {
  const { faults } = await taking;
  return faults.map(({ row, column, reason }) => `${row} ${column}: ${reason}`);
}
const accounts = async (text: string) => takeAccounts(db, await folder.write('accounts.csv', text));

test('space around a number is none of it, and a number in another case is no second account', async () => {
  await accounts('account_no\n A1 \n');
  expect(await numbers()).toEqual(['A1']);
  expect(await faultsOf(accounts('account_no\na1\n'))).toEqual([
    '2 account_no: differs from account A1 only in upper and lower case',
  ]);
  expect(await faultsOf(accounts('account_no,replaced_by\nB1,\nb1,a1\n'))).toEqual([
    '3 account_no: differs from account B1 only in upper and lower case',
    '3 replaced_by: differs from account A1 only in upper and lower case',
  ]);
  expect(await numbers()).toEqual(['A1']);
});

test('an entry of the books and a registered order name the account as the list has it', async () => {
  const ledger = await folder.write(
    'ledger.csv',
    'entry_id,account_no,kind,amount_fen,booked_at\nE1, A1 ,deposit,5,2026-03-01 10:00:00\nE2,a1,deposit,5,2026-03-01 10:00:00\n',
  );
  expect(await faultsOf(takeLedger(db, { path: ledger, source: 'main' }))).toEqual([
    '3 account_no: differs from account A1 only in upper and lower case',
  ]);
  const orders = await folder.write(
    'orders.csv',
    'kind,out_batch_no,out_order_no,payer_account_no,payee_account_no,amount_fen\ntransfer,B1,T1,a1,X1,100\n',
  );
  expect(await faultsOf(takeOrders(db, { path: orders }))).toEqual([
    '2 payer_account_no: differs from account A1 only in upper and lower case',
  ]);
});
