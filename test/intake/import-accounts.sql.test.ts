import { afterAll, describe, expect, test } from 'vitest';

import { listAccounts, requireAccount } from '../../src/store/intake/accounts.ts';
import { testDatabase } from '../helpers/database.ts';
import { IMPORTED_AT, countsOf, takeAccounts } from './books.ts';
import { testFolder } from './in-folder.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());

const take = async (text: string, name = 'accounts.csv') => takeAccounts(db, await folder.write(name, text));

describe('accounts import', () => {
  test('every column finds its place; days are the starts of service days', async () => {
    const result = await take(
      'account_no,ele_acct_no,name,role,subject_id,auto_settle,opening_yuan,opening_at,active_from,active_to,replaced_by,group\n' +
        'A-1,E_1,甲公司,JS,S1,yes,-12.50,2026-03-01,2026-01-01 08:00:00,2026-12-31T00:00:00+08:00,A-2,华东\n' +
        'A-2,,,,,,,,,,,\n',
    );
    expect(countsOf(result)).toEqual({
      stored: true,
      rows: 2,
      added: 2,
      unchanged: 0,
      replaced: 0,
      withdrawn: 0,
    });
    const [first, second] = await listAccounts(db);
    const fileId = first?.file_id;
    expect(first).toEqual({
      account_no: 'A-1',
      ele_acct_no: 'E_1',
      name: '甲公司',
      role: 'JS',
      subject_id: 'S1',
      auto_settle: 'yes',
      opening_fen: -1250n,
      opening_at: '2026-02-28T16:00:00.000Z',
      active_from: '2026-01-01T00:00:00.000Z',
      active_to: '2026-12-30T16:00:00.000Z',
      replaced_by: 'A-2',
      account_group: '华东',
      file_id: fileId,
      opening_file_id: fileId,
      opening_since: IMPORTED_AT,
    });
    expect(second).toEqual({
      account_no: 'A-2',
      ele_acct_no: null,
      name: '',
      role: null,
      subject_id: null,
      auto_settle: 'unknown',
      opening_fen: null,
      opening_at: null,
      active_from: null,
      active_to: null,
      replaced_by: null,
      account_group: '',
      file_id: fileId,
      opening_file_id: fileId,
      opening_since: IMPORTED_AT,
    });
    const files = await db.selectFrom('intake_file').selectAll().execute();
    expect(files).toEqual([
      {
        file_id: fileId,
        kind: 'accounts',
        source: '',
        name: 'accounts.csv',
        sha256: result.sha256,
        row_count: 2,
        spans_from: null,
        spans_to: null,
        withdrawn_at: null,
        of_day: null,
        replaced: false,
        imported_at: IMPORTED_AT,
      },
    ]);
  });

  test('a file without the column leaves accounts in their group, an empty cell takes them out', async () => {
    const groups = async (): Promise<string[]> =>
      (await listAccounts(db)).flatMap((row) => (row.account_no.startsWith('G-') ? [row.account_group] : []));
    await take('account_no,group\nG-1,华东\nG-2,华南\n');
    await take('account_no,name\nG-1,a\nG-2,b\n');
    expect(await groups()).toEqual(['华东', '华南']);
    const emptied = await take('account_no,group\nG-1,\nG-2,华南\n');
    expect(countsOf(emptied)).toMatchObject({ replaced: 1, unchanged: 1 });
    expect(await groups()).toEqual(['', '华南']);
  });

  test('a file that is equal writes nothing; a changed account names the file that changed it', async () => {
    const first = 'account_no,name\nB-1,a\nB-2,b\n';
    await take(first);
    const before = await requireAccount(db, 'B-1');
    expect(countsOf(await take(first))).toMatchObject({ added: 0, unchanged: 2, replaced: 0 });
    expect(countsOf(await take('account_no,name\nB-1,a\nB-2,c\nB-3,d\n'))).toMatchObject({
      added: 1,
      unchanged: 1,
      replaced: 1,
    });
    expect(await requireAccount(db, 'B-1')).toEqual(before);
    const changed = await requireAccount(db, 'B-2');
    expect(changed.name).toBe('c');
    expect(changed.file_id).not.toBe(before.file_id);
  });

  test('a column the file lacks keeps what is known; an empty cell clears it', async () => {
    await take(
      'account_no,name,role,opening_fen,opening_at\nC-1,a,FQ,100,2026-03-01\nC-2,b,JS,200,2026-03-01\n',
    );
    await take('account_no,role\nC-1,\nC-2,JS\n');
    expect(await requireAccount(db, 'C-1')).toMatchObject({ name: 'a', role: null, opening_fen: 100n });
    await take('account_no,opening_fen,opening_at\nC-1,,\n');
    expect(await requireAccount(db, 'C-1')).toMatchObject({ name: 'a', opening_fen: null, opening_at: null });
    expect(await requireAccount(db, 'C-2')).toMatchObject({ name: 'b', role: 'JS', opening_fen: 200n });
  });

  test('an opening names the file that stated it otherwise last, whatever else another one changes', async () => {
    const first = 'account_no,name,opening_fen,opening_at\nD-1,a,100,2026-03-01\n';
    await take(first);
    const stated = await requireAccount(db, 'D-1');
    await take('account_no,name,opening_fen,opening_at\nD-1,b,100,2026-03-01\n');
    const renamed = await requireAccount(db, 'D-1');
    expect(renamed.file_id).not.toBe(stated.file_id);
    expect(renamed.opening_file_id).toBe(stated.opening_file_id);
    await take('account_no,opening_fen,opening_at\nD-1,900,2026-03-01\n');
    expect((await requireAccount(db, 'D-1')).opening_file_id).not.toBe(stated.opening_file_id);
    await take(first);
    expect(await requireAccount(db, 'D-1')).toEqual(stated);
  });

  test('an account that is not in the list is a wrong input', async () => {
    await expect(requireAccount(db, 'Z-9')).rejects.toThrow('account Z-9 is not in the account list');
  });

  test('P16: poison in a name is stored as an escape', async () => {
    await take('account_no,name\nD-1,"a\u0000b\uFFFE"\n');
    expect((await requireAccount(db, 'D-1')).name).toBe('a\\u0000b\\ufffe');
  });
});

describe('faults of an account file', () => {
  test('each is named with row, column, value and reason, and nothing is stored', async () => {
    const result = await take(
      'account_no,ele_acct_no,name,role,subject_id,auto_settle,opening_fen,opening_at,active_from,active_to,replaced_by\n' +
        'E-1,,ok,,,,,,,,\n' +
        ',,no number,,,,,,,,\n' +
        'E 2,e/3,,js,a\u200Bb,maybe,1.5,2026-02-30,soon,,\n' +
        'E-3,,,,,,100,,,,\n' +
        'E-4,,,,,,,2026-03-01,,,\n' +
        'E-5,,,,,,,,2026-03-02,2026-03-01,E-5\n' +
        'E-1,,again,,,,,,,,\n',
    );
    const number = 'must be 1 to 64 letters, digits, "_" or "-"';
    const time = 'must be yyyy-MM-dd, yyyy-MM-dd HH:mm:ss in Asia/Shanghai, or ISO 8601 with its offset';
    expect(result.faults).toEqual([
      { row: 3, column: 'account_no', value: '', reason: 'is required' },
      { row: 4, column: 'account_no', value: 'E 2', reason: number },
      { row: 4, column: 'ele_acct_no', value: 'e/3', reason: number },
      { row: 4, column: 'role', value: 'js', reason: 'must be one of FQ, JS; did you mean "JS"?' },
      { row: 4, column: 'subject_id', value: 'a\\u200bb', reason: 'holds a character that cannot be seen' },
      { row: 4, column: 'auto_settle', value: 'maybe', reason: 'must be one of yes, no, unknown' },
      {
        row: 4,
        column: 'opening_fen',
        value: '1.5',
        reason: 'must be a whole number of fen, such as -1250, of at most 10^15',
      },
      { row: 4, column: 'opening_at', value: '2026-02-30', reason: time },
      { row: 4, column: 'active_from', value: 'soon', reason: time },
      { row: 5, column: 'opening_fen', value: '100', reason: 'needs opening_at' },
      { row: 6, column: 'opening_at', value: '2026-03-01', reason: 'needs opening_fen or opening_yuan' },
      { row: 7, column: 'active_to', value: '2026-03-01', reason: 'must be later than active_from' },
      { row: 7, column: 'replaced_by', value: 'E-5', reason: 'an account cannot replace itself' },
      { row: 8, column: 'account_no', value: 'E-1', reason: 'is in row 2 already' },
    ]);
    expect(result).toMatchObject({ stored: false, rows: 7, added: 0, unchanged: 0, faultCount: 14 });
    await expect(requireAccount(db, 'E-1')).rejects.toThrow('is not in the account list');
  });
});
