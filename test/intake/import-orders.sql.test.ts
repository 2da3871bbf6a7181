import ExcelJS from 'exceljs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { testDatabase } from '../helpers/database.ts';
import { recordingLog } from '../helpers/log.ts';
import { IMPORTED_AT, takeAccounts } from './books.ts';
import { testFolder } from './in-folder.ts';
import { registryOf, sumsOf, takeOrders } from './order-files.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n62002\n'));
beforeEach(async () => {
  await db.deleteFrom('order_registry').execute();
  await db.deleteFrom('order_alias').execute();
});

const take = async (text: string) => takeOrders(db, { path: await folder.write('orders.csv', text) });
const registry = () => registryOf(db);
const enrolAll = () => db.updateTable('order_registry').set({ enrolled: true }).execute();

describe('orders import', () => {
  test('every column finds its place, from CSV and from a workbook alike', async () => {
    const header =
      'kind,out_batch_no,out_order_no,batch_no,order_no,payer_account_no,payee_account_no,amount_yuan,submitted_at,outcome';
    const cells = ['transfer', 'B1', 'T1', '901', '1934567890123456789', '62001', '62002', '1234.50'];
    const said =
      'transfer: outBatch B1, out T1, batch 901, order 1934567890123456789, from 62001, to 62002, 123450 fen, ' +
      'at 2026-03-01T01:00:00.000Z, accepted';
    const result = await take(`${header}\n${cells.join(',')},2026-03-01 09:00:00,accepted\n`);
    expect(await registry()).toEqual([said]);
    const row = await db.selectFrom('order_registry').select('file_id').executeTakeFirstOrThrow();
    const files = await db.selectFrom('intake_file').selectAll().where('kind', '=', 'orders').execute();
    expect(files).toMatchObject([
      {
        file_id: row.file_id,
        source: '',
        name: 'orders.csv',
        sha256: result.sha256,
        row_count: 1,
        spans_from: '2026-03-01T01:00:00.000Z',
        spans_to: '2026-03-01T01:00:00.000Z',
        imported_at: IMPORTED_AT,
      },
    ]);

    await db.deleteFrom('order_registry').execute();
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('orders');
    sheet.addRow(header.split(','));
    const typed = cells.map((cell, at) => (at === 7 ? 1234.5 : at === 5 ? 62001 : cell));
    sheet.addRow([...typed, '2026-03-01T09:00:00+08:00', 'accepted']);
    await workbook.xlsx.writeFile(folder.path('orders.xlsx'));
    expect(sumsOf(await takeOrders(db, { path: folder.path('orders.xlsx') }))).toBe('1: 1 + 0 + 0');
    expect(await registry()).toEqual([said]);
  });

  test('what a file may leave out is empty, and the outcome unknown', async () => {
    await take('kind,out_batch_no,out_order_no,amount_fen\ntransfer,B1,,\nwithdrawal,,W,1\n');
    expect(await registry()).toEqual(['transfer: outBatch B1, unknown', 'withdrawal: out W, 1 fen, unknown']);
  });

  test('the same file twice is kept once, and the second time nothing is written', async () => {
    const text = 'kind,out_order_no,amount_fen,outcome\nwithdrawal,W1,100,sent\nwithdrawal,W2,200,\n';
    expect(sumsOf(await take(text))).toBe('2: 2 + 0 + 0');
    await enrolAll();
    expect(sumsOf(await take(text))).toBe('2: 0 + 0 + 2');
    expect(await registry()).toEqual([
      'withdrawal: out W1, 100 fen, sent, enrolled',
      'withdrawal: out W2, 200 fen, unknown, enrolled',
    ]);
  });

  test('a row that says more or another state replaces that, an empty cell erases nothing', async () => {
    await take('kind,out_batch_no,out_order_no,payer_account_no,amount_fen\ntransfer,B1,T1,62001,100\n');
    const more = await take(
      'kind,out_batch_no,out_order_no,batch_no,order_no,payer_account_no,payee_account_no,amount_fen,outcome\n' +
        'transfer,B1,T1,,P1,,62002,,accepted\n',
    );
    expect(sumsOf(more)).toBe('1: 0 + 1 + 0');
    expect(await registry()).toEqual([
      'transfer: outBatch B1, out T1, order P1, from 62001, to 62002, 100 fen, accepted',
    ]);
    const { file_id: fileId } = await db
      .selectFrom('order_registry')
      .select('file_id')
      .executeTakeFirstOrThrow();
    const file = await db
      .selectFrom('intake_file')
      .select('sha256')
      .where('file_id', '=', fileId)
      .executeTakeFirst();
    expect(file?.sha256).toBe(more.sha256);
  });

  test('what a program registered stays where the file has an empty cell', async () => {
    await db
      .insertInto('order_registry')
      .values({
        kind: 'withdrawal',
        out_order_no: 'W1',
        payer_account_no: '62001',
        amount_fen: 500n,
        submitted_at: '2026-03-01T01:00:00.000Z',
        outcome: 'sent',
        file_id: null,
      })
      .execute();
    await take('kind,out_order_no,order_no,amount_fen,submitted_at,outcome\nwithdrawal,W1,P1,,,\n');
    expect(await registry()).toEqual([
      'withdrawal: out W1, order P1, from 62001, 500 fen, at 2026-03-01T01:00:00.000Z, sent',
    ]);
  });

  test.each([
    ['sent', 'accepted', 'accepted'],
    ['sent', 'refused', 'refused'],
    ['sent', 'unknown', 'unknown'],
    ['unknown', 'sent', 'sent'],
    ['accepted', 'sent', 'accepted'],
    ['accepted', 'unknown', 'accepted'],
    ['accepted', 'refused', 'refused'],
    ['accepted', '', 'accepted'],
    ['refused', 'sent', 'sent'],
    ['refused', 'accepted', 'accepted'],
    ['refused', '', 'refused'],
  ])('an order that was %s and comes as "%s" is %s', async (before, then, after) => {
    const file = (outcome: string): string =>
      `kind,out_order_no,amount_fen,outcome\nwithdrawal,W1,100,${outcome}\n`;
    await take(file(before));
    await take(file(then));
    expect(await registry()).toEqual([`withdrawal: out W1, 100 fen, ${after}`]);
  });

  test('an order is put before the job anew when its numbers, or its parties or amount as they become known, submission change, or its refusal is taken back', async () => {
    const header =
      'kind,out_batch_no,out_order_no,batch_no,order_no,payer_account_no,amount_fen,submitted_at,outcome,payee_account_no\n';
    const before = [1, 3, 4, 5, 6, 7].map(
      (n) => `transfer,B1,T${n},,,,${n === 7 ? '' : 100},,${n === 5 ? 'refused' : 'sent'},\n`,
    );
    await take(header + before.join(''));
    await enrolAll();
    const after = [
      'transfer,B2,T1,,P1,,,,,\n',
      'transfer,B1,T3,,,62001,,,,\n',
      'transfer,B1,T4,,,,,2026-03-01 09:00:00,,\n',
      'transfer,B1,T5,,,,,,sent,\n',
      'transfer,B1,T6,,,,,,accepted,\n',
      'transfer,B1,T7,,,,101,,,62002\n',
    ];
    expect(sumsOf(await take(header + after.join('')))).toBe('6: 0 + 6 + 0');
    expect(await registry()).toEqual([
      'transfer: outBatch B2, out T1, order P1, 100 fen, sent',
      'transfer: outBatch B1, out T3, from 62001, 100 fen, sent',
      'transfer: outBatch B1, out T4, 100 fen, at 2026-03-01T01:00:00.000Z, sent',
      'transfer: outBatch B1, out T5, 100 fen, sent',
      'transfer: outBatch B1, out T6, 100 fen, accepted, enrolled',
      'transfer: outBatch B1, out T7, to 62002, 101 fen, sent',
    ]);
  });

  test('payers outside the account list are counted and taken in; a payee may be anybody', async () => {
    const header = 'kind,out_order_no,out_batch_no,payer_account_no,payee_account_no,amount_fen\n';
    const withdrawals = 'withdrawal,W1,,99999,,1\nwithdrawal,W2,,62001,,1\n';
    const result = await take(`${header}${withdrawals}transfer,T1,B1,88888,77777,\ntransfer,T2,B1,,77777,\n`);
    expect([sumsOf(result), result.unlistedPayers]).toEqual(['4: 4 + 0 + 0', 2]);
  });

  test('the log says what was done, the progress how far it is', async () => {
    const log = recordingLog();
    const seen: number[] = [];
    const path = await folder.write('log.csv', 'kind,out_order_no,amount_fen\nwithdrawal,W1,100\n');
    await takeOrders(db, { path, log, progress: (rows) => seen.push(rows) });
    expect(log.lines).toMatchObject([{ level: 'info', event: 'file.imported', rows: 1, added: 1 }]);
    expect(seen).toEqual([1]);
  });
});

describe('one order stays one row, by whichever number it comes', () => {
  const header = 'kind,out_batch_no,out_order_no,batch_no,order_no,amount_fen\n';

  test('an order known by the platform’s number alone gets its own number later', async () => {
    await take(`${header}withdrawal,,,,P1,100\ntransfer,,,901,,\n`);
    await enrolAll();
    expect(sumsOf(await take(`${header}withdrawal,,W1,,P1,\ntransfer,B1,,901,,\n`))).toBe('2: 0 + 2 + 0');
    expect(await registry()).toEqual([
      'transfer: outBatch B1, batch 901, unknown',
      'withdrawal: out W1, order P1, 100 fen, unknown',
    ]);
  });

  test('and the other way round: a later file may know the platform’s number alone', async () => {
    await take(`${header}withdrawal,,W1,,P1,100\ntransfer,B1,,901,,\n`);
    expect(sumsOf(await take(`${header}withdrawal,,,,P1,100\ntransfer,,,901,,300\n`))).toBe('2: 0 + 1 + 1');
    expect(await registry()).toEqual([
      'transfer: outBatch B1, batch 901, 300 fen, unknown',
      'withdrawal: out W1, order P1, 100 fen, unknown',
    ]);
  });

  test('what the platform answered tells too which own number it is', async () => {
    await db.insertInto('order_alias').values({ order_no: 'P1', out_order_no: 'W1' }).execute();
    await take(`${header}withdrawal,,W1,,,100\n`);
    expect(sumsOf(await take(`${header}withdrawal,,,,P1,100\n`))).toBe('1: 0 + 1 + 0');
    expect(await registry()).toEqual(['withdrawal: out W1, order P1, 100 fen, unknown']);
  });

  test('an order registered under both numbers becomes one row that says what either said', async () => {
    await take(`${header}withdrawal,,W1,,,100\nwithdrawal,,,,P1,100\ntransfer,B1,,,,\ntransfer,,,901,,300\n`);
    await db
      .updateTable('order_registry')
      .set({ outcome: 'accepted' })
      .where('order_no', '=', 'P1')
      .execute();
    expect(await registry()).toHaveLength(4);
    await take(`${header}withdrawal,,W1,,P1,\ntransfer,B1,,901,,\n`);
    expect(await registry()).toEqual([
      'transfer: outBatch B1, batch 901, 300 fen, unknown',
      'withdrawal: out W1, order P1, 100 fen, accepted',
    ]);
  });

  test('where both numbers were registered with another amount or party, both stand', async () => {
    const parties = 'kind,out_batch_no,out_order_no,order_no,payer_account_no,payee_account_no,amount_fen\n';
    await take(
      `${parties}withdrawal,,W1,,62001,,100\nwithdrawal,,,P1,62001,,200\n` +
        'transfer,B1,T1,,62001,62002,100\ntransfer,B1,,N1,62001,77777,100\n',
    );
    expect(sumsOf(await take(`${parties}withdrawal,,W1,P1,,,\ntransfer,B1,T1,N1,,,\n`))).toBe('2: 0 + 2 + 0');
    expect(await registry()).toEqual([
      'transfer: outBatch B1, out T1, order N1, from 62001, to 62002, 100 fen, unknown',
      'transfer: outBatch B1, order N1, from 62001, to 77777, 100 fen, unknown',
      'withdrawal: out W1, order P1, from 62001, 100 fen, unknown',
      'withdrawal: order P1, from 62001, 200 fen, unknown',
    ]);
  });

  test('a batch and the orders in it are registered side by side; kinds have numbers of their own', async () => {
    await take(`${header}transfer,B1,,,,\ntransfer,B1,X1,,,\nwithdrawal,,X1,,,100\n`);
    expect(await registry()).toEqual([
      'transfer: outBatch B1, out X1, unknown',
      'transfer: outBatch B1, unknown',
      'withdrawal: out X1, 100 fen, unknown',
    ]);
  });

  test('rows of one file that each say a part of an order are put together', async () => {
    const result = await take(`${header}withdrawal,,W1,,P1,\nwithdrawal,,W1,,,100\nwithdrawal,,,,P1,100\n`);
    expect(sumsOf(result)).toBe('3: 1 + 0 + 2');
    expect(await registry()).toEqual(['withdrawal: out W1, order P1, 100 fen, unknown']);
  });
});
