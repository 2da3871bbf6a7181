import { afterAll, describe, expect, test } from 'vitest';

import { faultLines } from '../../src/intake/import-file.ts';
import { testDatabase } from '../helpers/database.ts';
import { recordingLog } from '../helpers/log.ts';
import { entriesOf, takeAccounts, takeLedger } from './books.ts';
import { testFolder } from './in-folder.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n'));

const HEADER = 'entry_id,account_no,kind,amount_fen,reference,counterparty,booked_at,status\n';
const take = async (source: string, text: string) =>
  takeLedger(db, { source, path: await folder.write('ledger.csv', text) });

const TIME = 'must be yyyy-MM-dd HH:mm:ss in Asia/Shanghai, or ISO 8601 with its offset';
const FEN = 'must be a whole number of fen, such as -1250, of at most 10^15';

describe('faults of a ledger file', () => {
  test('every bad cell is named with row, column, value and reason; good rows are not stored either', async () => {
    const result = await take(
      'bad',
      HEADER +
        'E1,62001,deposit,100,,,2026-03-01 00:00:00,posted\n' +
        ',,,,,,,\n' +
        ',62001,,,,,,\n' +
        'E2,62001,deposti,12.5,,,2026-02-30 00:00:00,done\n' +
        'E3,62001,fee,10000000000000001,,,2026-03-01,\n' +
        'E4,99999,fee,-5,,,2026-03-01 24:00:00,\n' +
        'E1,6200 1,fee,-5,,,2026-03-01T00:00:00Z,\n',
    );
    expect(result.faults).toEqual([
      { row: 4, column: 'entry_id', value: '', reason: 'is required' },
      { row: 4, column: 'kind', value: '', reason: 'is required' },
      { row: 4, column: 'amount_fen', value: '', reason: 'is required' },
      { row: 4, column: 'booked_at', value: '', reason: 'is required' },
      {
        row: 5,
        column: 'kind',
        value: 'deposti',
        reason:
          'must be one of opening, deposit, transfer_in, transfer_out, withdrawal, settlement, refund_in, ' +
          'refund_out, fee, adjustment; did you mean "deposit"?',
      },
      { row: 5, column: 'amount_fen', value: '12.5', reason: FEN },
      { row: 5, column: 'booked_at', value: '2026-02-30 00:00:00', reason: TIME },
      { row: 5, column: 'status', value: 'done', reason: 'must be one of posted, pending' },
      { row: 6, column: 'amount_fen', value: '****0001', reason: FEN },
      { row: 6, column: 'booked_at', value: '2026-03-01', reason: TIME },
      { row: 7, column: 'booked_at', value: '2026-03-01 24:00:00', reason: TIME },
      {
        row: 7,
        column: 'account_no',
        value: '99999',
        reason: 'is not in the account list; import it with "accounts import"',
      },
      {
        row: 8,
        column: 'account_no',
        value: '6200 1',
        reason: 'must be 1 to 64 letters, digits, "_" or "-"',
      },
      { row: 8, column: 'entry_id', value: 'E1', reason: 'is in row 2 already' },
    ]);
    expect(result).toMatchObject({ stored: false, rows: 6, added: 0, unchanged: 0, faultCount: 14 });
    expect(await entriesOf(db, 'bad')).toEqual([]);
    expect(await db.selectFrom('intake_file').selectAll().where('source', '=', 'bad').execute()).toEqual([]);
    expect(faultLines(result)[5]).toBe(`row 5, amount_fen "12.5": ${FEN}`);
    expect(faultLines(result)[0]).toBe('row 4, entry_id: is required');
  });

  test('yuan need two decimals in text', async () => {
    const header = 'entry_id,account_no,kind,amount_yuan,booked_at\n';
    const result = await take(
      'yuan',
      `${header}E1,62001,fee,12.5,2026-03-01 00:00:00\nE2,62001,fee,,2026-03-01 00:00:00\n`,
    );
    const reason = 'must be yuan with two decimals, such as -12.50, of at most 10^13';
    expect(result.faults).toEqual([
      { row: 2, column: 'amount_yuan', value: '12.5', reason },
      { row: 3, column: 'amount_yuan', value: '', reason: 'is required' },
    ]);
  });

  test('S6: cards, identity and mobile numbers in values are masked, also in the log; account numbers are not', async () => {
    const log = recordingLog();
    const path = await folder.write(
      'masked.csv',
      HEADER +
        'E1,62001,deposit,6222021234567890123,,,11010519491231002X,posted\n' +
        'E2,62001,13812345678,100,,,2026-03-01 00:00:00,posted\n' +
        'E3,6222021234567890123,deposit,100,,,2026-03-01 00:00:00,posted\n' +
        'E4,6222 0212 3456 7890 123,deposit,100,,,2026-03-01 00:00:00,posted\n',
    );
    const result = await takeLedger(db, { source: 'masked', path, log });
    expect(result.faults.map((fault) => [fault.column, fault.value])).toEqual([
      ['amount_fen', '****0123'],
      ['booked_at', '110***********002X'],
      ['kind', '138****5678'],
      ['account_no', '6222021234567890123'],
      ['account_no', '****0123'],
    ]);
    expect(JSON.stringify(log.lines)).not.toMatch(/1234567890|13812345678|11010519491231002X/);
  });

  test('I9: a value is shown short and without characters that steer a terminal', async () => {
    const result = await take(
      'shown',
      `${HEADER}E1,62001,"\u001b[31m\u202e${'x'.repeat(500)}",1,,,2026-03-01 00:00:00,\n`,
    );
    expect(result.faults[0]?.value).toBe(`\\u001b[31m\\u202e${'x'.repeat(54)}…`);
  });

  test('numbers that are too long, and a row that is too short', async () => {
    const result = await take(
      'long',
      `${HEADER}${'E'.repeat(129)},62001,deposit,1,${'R'.repeat(129)},,2026-03-01 00:00:00,\nE2,62001\n`,
    );
    expect(result.faults.map((fault) => [fault.row, fault.column, fault.reason])).toEqual([
      [2, 'entry_id', 'is longer than 128 characters'],
      [2, 'reference', 'is longer than 128 characters'],
      [3, '', 'the row has 2 cells and the header 8'],
    ]);
  });

  test('the first hundred faults by row are kept, all are counted', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => {
      const amount = at >= 80 && at % 2 === 0 ? 'x' : '1';
      const account = at >= 80 && at % 2 === 1 ? '777' : '62001';
      return `E${at < 10 ? 0 : at},${account},deposit,${amount},,,2026-03-01 00:00:00,\n`;
    });
    const result = await take('many', HEADER + rows.join(''));
    expect(result.faultCount).toBe(9 + 110 + 110);
    expect(result.faults).toHaveLength(100);
    expect(result.faults.slice(0, 2).map((fault) => [fault.row, fault.column])).toEqual([
      [3, 'entry_id'],
      [4, 'entry_id'],
    ]);
    // Rows 3 to 11 repeat an id; from row 82 on every row has a fault.
    expect(result.faults.map((fault) => fault.row)).toEqual([
      ...Array.from({ length: 9 }, (_, at) => 3 + at),
      ...Array.from({ length: 91 }, (_, at) => 82 + at),
    ]);
    expect(faultLines(result).at(-1)).toBe('and 129 more');
  });

  test('a file that becomes unreadable in the middle leaves nothing behind', async () => {
    const good = Array.from({ length: 12_000 }, (_, at) => `E${at},62001,deposit,1,,,2026-03-01 00:00:00,\n`);
    await expect(take('half', `${HEADER}${good.join('')}E,62001,"deposit,1\n`)).rejects.toThrow(
      'ledger.csv is no readable CSV from row 12002 on: a quotation mark opens there and is never closed',
    );
    expect(await entriesOf(db, 'half')).toEqual([]);
    expect((await take('half', `${HEADER}E1,62001,deposit,1,,,2026-03-01 00:00:00,\n`)).added).toBe(1);
  });

  test.each(['', ' erp', 'a|b', 'x'.repeat(65), 'a\nb'])('a source named %j is refused', async (source) => {
    await expect(take(source, HEADER)).rejects.toThrow('a source is named by 1 to 64 letters');
  });
});
