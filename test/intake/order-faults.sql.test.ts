import ExcelJS from 'exceljs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { testDatabase } from '../helpers/database.ts';
import { testFolder } from './in-folder.ts';
import { registryOf, sumsOf, takeOrders } from './order-files.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
beforeEach(() => db.deleteFrom('order_registry').execute());

const take = async (text: string) => takeOrders(db, { path: await folder.write('orders.csv', text) });
const registry = () => registryOf(db);

describe('faults of an orders file', () => {
  test('a withdrawal whose amount nobody states is refused; one that the registry or another row states is not', async () => {
    const header = 'kind,out_batch_no,out_order_no,order_no,amount_fen,outcome\n';
    expect(sumsOf(await take(`${header}withdrawal,,W1,,100,sent\n`))).toBe('1: 1 + 0 + 0');
    const refused = await take(
      `${header}withdrawal,,W1,,,accepted\nwithdrawal,,W2,,,sent\nwithdrawal,,W3,P3,,\nwithdrawal,,,P3,0,\nwithdrawal,,,P4,,\n`,
    );
    const reason = 'is required: without it nobody can say what the platform may pay out';
    expect(refused.faults).toEqual([
      { row: 3, column: 'amount_fen', value: '', reason },
      { row: 6, column: 'amount_fen', value: '', reason },
    ]);
    expect(await registry()).toEqual(['withdrawal: out W1, 100 fen, sent']);
    const taken = await take(`${header}withdrawal,,W1,,,accepted\ntransfer,B1,,,,\n`);
    expect(sumsOf(taken)).toBe('2: 1 + 1 + 0');
    const yuan = await take('kind,out_order_no\nwithdrawal,W2\n');
    expect(yuan.faults).toEqual([{ row: 2, column: 'amount_fen', value: '', reason }]);
  });

  test('every bad cell is named with row, column, value and reason; good rows are not stored either', async () => {
    const result = await take(
      'kind,out_batch_no,out_order_no,batch_no,order_no,payer_account_no,amount_fen,submitted_at,outcome\n' +
        'transfer,B1,T1,,,62001,100,2026-03-01 09:00:00,sent\n' +
        'transfer,,T2,,,,,,\n' +
        'withdrawal,B1,,901,,,,,\n' +
        ',B1,,,,,,,\n' +
        'transfr,B1,,,,,,,\n' +
        `transfer,${'B'.repeat(33)},${'T'.repeat(33)},,,6200 1,-5,2026-02-30 00:00:00,done\n`,
    );
    expect(result.faults).toEqual([
      {
        row: 3,
        column: 'out_batch_no',
        value: '',
        reason: 'a transfer needs out_batch_no or batch_no; without it nothing can be asked',
      },
      {
        row: 4,
        column: 'out_order_no',
        value: '',
        reason: 'a withdrawal needs out_order_no or order_no; without it nothing can be asked',
      },
      { row: 5, column: 'kind', value: '', reason: 'is required' },
      {
        row: 6,
        column: 'kind',
        value: 'transfr',
        reason: 'must be one of transfer, withdrawal; did you mean "transfer"?',
      },
      {
        row: 7,
        column: 'out_batch_no',
        value: 'B'.repeat(33),
        reason: 'is longer than 32 characters, which no such number on the platform is',
      },
      {
        row: 7,
        column: 'out_order_no',
        value: 'T'.repeat(33),
        reason: 'is longer than 32 characters, which no such number on the platform is',
      },
      {
        row: 7,
        column: 'payer_account_no',
        value: '6200 1',
        reason: 'must be 1 to 64 letters, digits, "_" or "-"',
      },
      {
        row: 7,
        column: 'submitted_at',
        value: '2026-02-30 00:00:00',
        reason: 'must be yyyy-MM-dd HH:mm:ss in Asia/Shanghai, or ISO 8601 with its offset',
      },
      {
        row: 7,
        column: 'outcome',
        value: 'done',
        reason: 'must be one of sent, accepted, refused, unknown',
      },
      { row: 7, column: 'amount_fen', value: '-5', reason: 'must not be negative' },
    ]);
    expect(sumsOf(result)).toBe('refused, 6: 0 + 0 + 0');
    expect(await registry()).toEqual([]);
    expect(
      await db.selectFrom('intake_file').select('file_id').where('sha256', '=', result.sha256).execute(),
    ).toEqual([]);
  });

  test('a number that a spreadsheet cut is called that, and not missing as well', async () => {
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('orders');
    sheet.addRow(['kind', 'batch_no']);
    sheet.addRow(['transfer', 1_934_567_890_123_456_800]);
    await workbook.xlsx.writeFile(folder.path('cut.xlsx'));
    const { faults } = await takeOrders(db, { path: folder.path('cut.xlsx') });
    expect(faults.map(({ column, reason }) => [column, reason])).toEqual([
      ['batch_no', 'was stored as a number and lost digits; format the column as text'],
    ]);
  });

  test('two rows that say different things about one order are a fault that names both', async () => {
    const { faults, stored } = await take(
      'kind,out_batch_no,out_order_no,order_no,amount_yuan,submitted_at,outcome\n' +
        'transfer,B1,T1,P1,1.00,2026-03-01 09:00:00,sent\n' +
        'transfer,B1,T1,P1,1.00,2026-03-01 09:00:00,sent\n' +
        'transfer,B2,T1,,1.50,2026-03-01 09:00:01,accepted\n' +
        'transfer,B1,T1,,1.00,2026-03-01T01:00:00.500Z,\n',
    );
    expect(stored).toBe(false);
    expect(faults).toEqual([
      { row: 4, column: 'amount_yuan', value: '1.50', reason: 'row 2 says "1.00" of the same order' },
      { row: 4, column: 'out_batch_no', value: 'B2', reason: 'row 2 says "B1" of the same order' },
      { row: 4, column: 'outcome', value: 'accepted', reason: 'row 2 says "sent" of the same order' },
      {
        row: 4,
        column: 'submitted_at',
        value: '2026-03-01 09:00:01',
        reason: 'row 2 says "2026-03-01 09:00:00" of the same order',
      },
      {
        row: 5,
        column: 'submitted_at',
        value: '2026-03-01T01:00:00.500Z',
        reason: 'row 2 says "2026-03-01 09:00:00" of the same order',
      },
    ]);
  });

  test('a row that states another amount or party than is registered of its order is a fault that names both', async () => {
    const header = 'kind,out_batch_no,out_order_no,order_no,payer_account_no,payee_account_no,amount_yuan\n';
    await take(`${header}transfer,B1,T1,,62001,62002,1.00\nwithdrawal,,,P1,62001,,2.00\n`);
    const before = await registry();
    const { faults, stored } = await take(
      `${header}transfer,B1,T1,N1,62001,62003,1.50\nwithdrawal,,W1,P1,62009,,2.00\nwithdrawal,,,P1,,,3.00\n`,
    );
    expect(stored).toBe(false);
    expect(faults).toEqual([
      { row: 2, column: 'amount_yuan', value: '1.50', reason: '"1.00" is registered of the same order' },
      {
        row: 2,
        column: 'payee_account_no',
        value: '62003',
        reason: '"62002" is registered of the same order',
      },
      {
        row: 3,
        column: 'payer_account_no',
        value: '62009',
        reason: '"62001" is registered of the same order',
      },
      { row: 4, column: 'amount_yuan', value: '3.00', reason: 'row 3 says "2.00" of the same order' },
      { row: 4, column: 'amount_yuan', value: '3.00', reason: '"2.00" is registered of the same order' },
    ]);
    expect(await registry()).toEqual(before);
    expect((await take(`${header}transfer,B1,T1,N1,62001,,1.00\nwithdrawal,,W1,P1,,,\n`)).stored).toBe(true);
  });

  test('a number of the platform stands for one number of the company’s', async () => {
    const { faults } = await take(
      'kind,out_batch_no,out_order_no,batch_no,order_no\n' +
        'withdrawal,,W1,,P1\nwithdrawal,,W2,,P1\n' +
        'transfer,B1,T1,901,\ntransfer,B2,T2,901,\ntransfer,B1,T3,902,\n',
    );
    expect(faults).toEqual([
      { row: 3, column: 'out_order_no', value: 'W2', reason: 'row 2 says "W1" of the same order_no' },
      { row: 5, column: 'out_batch_no', value: 'B2', reason: 'row 4 says "B1" of the same batch_no' },
      { row: 6, column: 'batch_no', value: '902', reason: 'row 4 says "901" of the same out_batch_no' },
    ]);
    expect(await registry()).toEqual([]);
  });
});
