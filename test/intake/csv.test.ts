import iconv from 'iconv-lite';
import { mkdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

import { readTable, readCells, refusal } from './read-table.ts';
import { testFolder } from './in-folder.ts';
import { ACCOUNTS_LAYOUT } from '../../src/intake/read-accounts.ts';
import { delimiterOf } from '../../src/intake/csv-rows.ts';
import { LEDGER_LAYOUT } from '../../src/intake/read-ledger.ts';
import { ORDERS_LAYOUT } from '../../src/intake/read-orders.ts';

const folder = await testFolder();

describe('encodings', () => {
  const text = 'account_no,name\r\n62001,甲公司\r\n62002,乙公司（上海）\r\n';
  const expected = [
    { account_no: '62001', name: '甲公司' },
    { account_no: '62002', name: '乙公司（上海）' },
  ];

  test('UTF-8 without a mark', async () => {
    expect(await readCells(await folder.write('a.csv', text), ACCOUNTS_LAYOUT)).toEqual(expected);
  });

  test('UTF-8 with a byte order mark', async () => {
    expect(await readCells(await folder.write('b.csv', `\uFEFF${text}`), ACCOUNTS_LAYOUT)).toEqual(expected);
  });

  test('GBK, also when the first Chinese character stands behind megabytes of digits', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `${10_000 + at},n`).join('\n');
    const late = `account_no,name\n${rows}\n62001,甲公司\n`;
    const cells = await readCells(await folder.write('c.csv', iconv.encode(late, 'gbk')), ACCOUNTS_LAYOUT);
    expect(cells).toHaveLength(60_001);
    expect(cells.at(-1)).toEqual({ account_no: '62001', name: '甲公司' });
  });

  test('GB18030: a character outside GBK', async () => {
    const path = await folder.write('d.csv', iconv.encode('account_no,name\n62001,𠮷野\n', 'gb18030'));
    expect(await readCells(path, ACCOUNTS_LAYOUT)).toEqual([{ account_no: '62001', name: '𠮷野' }]);
  });

  test('UTF-8 with one corrupt byte is not read as GBK', async () => {
    const path = await folder.write(
      'e.csv',
      Buffer.concat([Buffer.from(text), Buffer.from([0xe7, 0x94, 0x0a])]),
    );
    expect(await refusal(path, ACCOUNTS_LAYOUT)).toBe(
      'e.csv is UTF-8 with corrupt characters in it; save it as CSV UTF-8 again',
    );
  });

  test('neither UTF-8 nor GBK', async () => {
    const path = await folder.write(
      'f.csv',
      Buffer.concat([Buffer.from('account_no,name\n1,'), Buffer.from([0xff, 0xff, 0xff, 0x0a])]),
    );
    expect(await refusal(path, ACCOUNTS_LAYOUT)).toBe('f.csv is neither UTF-8 nor GBK; save it as CSV UTF-8');
  });

  test('UTF-16 is named', async () => {
    const path = await folder.write('g.csv', Buffer.from(`\uFEFF${text}`, 'utf16le'));
    expect(await refusal(path, ACCOUNTS_LAYOUT)).toBe('g.csv is UTF-16 text; save it as CSV UTF-8');
  });
});

describe('delimiters, quotes and blank rows', () => {
  test.each([
    ['comma', ','],
    ['semicolon', ';'],
    ['tab', '\t'],
  ])('the %s is found out', async (_name, delimiter) => {
    const path = await folder.write(
      'd.csv',
      `account_no,name,role\n62001,"a,b;c\td",JS\n`.replace(/,(?=[nrJ"])/g, delimiter),
    );
    expect(await readCells(path, ACCOUNTS_LAYOUT)).toEqual([
      { account_no: '62001', name: 'a,b;c\td', role: 'JS' },
    ]);
  });

  test.each([
    ['a heading of commas above a list of semicolons', 'Open items, as of today, for Li Na\n', ';', 'b, c'],
    ['amounts with decimal commas', '', ';', '1,5'],
    ['one row only, of which a name holds another delimiter', '', ',', 'a;b'],
  ])('most rows tell it: %s', async (_what, heading, delimiter, name) => {
    const rows = ['account_no,name,role,b,c,d', `62001,NAME,JS,,,`, `62002,NAME,JS,,,`].map((row) =>
      row.replaceAll(',', delimiter).replace('NAME', name),
    );
    const beginning = `${heading}${rows.join('\n')}\n`;
    expect(delimiterOf(beginning)).toBe(delimiter);
  });

  test('quoted marks and line ends belong to the cell; rows are counted as a spreadsheet does', async () => {
    const path = await folder.write(
      'q.csv',
      'account_no,name\n62001,"a ""b""\nc"\n\n , \n62002,d\r\n62003,e',
    );
    const rows = await readTable(path, ACCOUNTS_LAYOUT);
    expect(rows.map((row) => [row.row, row.cells.get('account_no'), row.cells.get('name')])).toEqual([
      [2, '62001', 'a "b"\nc'],
      [5, '62002', 'd'],
      [6, '62003', 'e'],
    ]);
  });

  test('names of columns: letter case and blanks do not matter, nor do blank rows above', async () => {
    const path = await folder.write('n.csv', '\n,\n Account_No ,NAME\n62001,a\n');
    expect(await readCells(path, ACCOUNTS_LAYOUT)).toEqual([{ account_no: '62001', name: 'a' }]);
  });

  test('a quotation mark that is never closed is named with its row', async () => {
    const path = await folder.write('u.csv', 'account_no,name\n62001,a\n62002,"b\n62003,c\n');
    expect(await refusal(path, ACCOUNTS_LAYOUT)).toBe(
      'u.csv is no readable CSV from row 3 on: a quotation mark opens there and is never closed',
    );
  });

  test('a quotation mark inside a cell is named with its row', async () => {
    const path = await folder.write('i.csv', 'account_no,name\n62001,5" pipe\n');
    expect(await refusal(path, ACCOUNTS_LAYOUT)).toBe(
      'i.csv is no readable CSV from row 2 on: a quotation mark stands inside a cell; quote the whole cell and double the mark',
    );
  });

  test('a row with more or fewer cells than the header is a fault of that row', async () => {
    const path = await folder.write('w.csv', 'account_no,name,role\n62001,a, b,JS\n62002,c\n62003,d,JS,\n');
    const rows = await readTable(path, ACCOUNTS_LAYOUT);
    expect(rows.map((row) => row.faults)).toEqual([
      [
        {
          column: '',
          value: 'JS',
          reason: 'stands in a column without a name (an unquoted delimiter further left?)',
        },
      ],
      [{ column: '', value: '', reason: 'the row has 2 cells and the header 3' }],
      [],
    ]);
  });
});

describe('files that are no table', () => {
  test('every fault of the header is named at once, with what was meant', async () => {
    const path = await folder.write('h.csv', 'entry_id,entry_id,acount_no,kind,amount_fen,amount_yuan,sum\n');
    expect(await refusal(path, LEDGER_LAYOUT)).toBe(
      [
        'wrong columns in h.csv:',
        '- unknown column "acount_no"; did you mean "account_no"?',
        '- unknown column "sum"',
        '- column "entry_id" is there twice',
        '- column "account_no" is missing',
        '- column "booked_at" is missing',
        '- give either "amount_fen" or "amount_yuan", not both',
      ].join('\n'),
    );
  });

  test('an amount column is required of a ledger and not of accounts', async () => {
    const ledger = await folder.write('l.csv', 'entry_id,account_no,kind,booked_at\n');
    expect(await refusal(ledger, LEDGER_LAYOUT)).toBe(
      'wrong columns in l.csv:\n- column "amount_fen" or "amount_yuan" is missing',
    );
    const accounts = await folder.write('a.csv', 'account_no\n');
    expect(await readTable(accounts, ACCOUNTS_LAYOUT)).toEqual([]);
  });

  test.each([
    ['orders', 'kind,out_batch_no,payer_account_no,amount_yuan', LEDGER_LAYOUT, 'recon orders import'],
    [
      'ledger entries',
      'entry_id,account_no,kind,amount_yuan,booked_at',
      ORDERS_LAYOUT,
      'recon ledger import',
    ],
    ['accounts', 'account_no,ele_acct_no,name', LEDGER_LAYOUT, 'recon accounts import'],
  ])('a table of %s given as another one is told what takes it', async (noun, header, layout, command) => {
    const said = await refusal(await folder.write('o.csv', `${header}\n`), layout);
    expect(said).toContain(`- it looks like a table of ${noun}, which ${command} takes`);
  });

  test('a file with none of the columns is no table', async () => {
    const path = await folder.write('t.csv', 'Dear Sir,\nplease find enclosed\n');
    expect(await refusal(path, ACCOUNTS_LAYOUT)).toMatch(
      /^t\.csv is not a table of accounts: its first row holds none/,
    );
  });

  test.each([
    ['nothing', '', 'x is empty'],
    ['only a mark', '\uFEFF', 'x is empty'],
    ['only blank rows', ' \n\n,,\n', 'x is empty'],
    ['a PDF', '%PDF-1.7 account_no', 'x is a PDF, not a table'],
  ])('%s', async (_name, content, message) => {
    expect(await refusal(await folder.write('x', content), ACCOUNTS_LAYOUT)).toBe(message);
  });

  test('an old .xls or a workbook with a password', async () => {
    const path = await folder.write('x.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    expect(await refusal(path, ACCOUNTS_LAYOUT)).toBe(
      'x.xls is an old .xls or a workbook with a password; save it as .xlsx without one',
    );
  });

  test('no file, and a folder', async () => {
    expect(await refusal(folder.path('none.csv'), ACCOUNTS_LAYOUT)).toBe(
      `cannot read ${folder.path('none.csv')}: there is no such file`,
    );
    await mkdir(folder.path('sub'));
    expect(await refusal(folder.path('sub'), ACCOUNTS_LAYOUT)).toBe('cannot read sub: it is not a file');
  });
});

test('a number that a spreadsheet shortened is refused, as one of the workbook is: two of them would be one', async () => {
  const path = await folder.write(
    'short.csv',
    'entry_id,account_no,kind,amount_yuan,reference,booked_at,memo\nE-1E+2,62001,deposit,1.00,3.1E+17,2026-03-01,1.5E+17\n',
  );
  const reason = 'was stored as a number and lost digits; format the column as text';
  expect((await readTable(path, LEDGER_LAYOUT))[0]?.faults).toEqual([
    { column: 'reference', value: '3.1E+17', reason },
  ]);
});
