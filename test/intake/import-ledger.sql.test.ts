import ExcelJS from 'exceljs';
import { afterAll, describe, expect, test } from 'vitest';

import { LockHeld } from '../../src/core/errors.ts';
import { claimIntake } from '../../src/store/intake/intake-files.ts';
import { onPostgres, testDatabase } from '../helpers/database.ts';
import { recordingLog } from '../helpers/log.ts';
import { IMPORTED_AT, countsOf, entriesOf, takeAccounts, takeLedger } from './books.ts';
import { testFolder } from './in-folder.ts';

const folder = await testFolder();
const database = await testDatabase();
const { db } = database;
afterAll(() => database.close());
await takeAccounts(db, await folder.write('accounts.csv', 'account_no\n62001\n62002\n'));

const HEADER = 'entry_id,account_no,kind,amount_fen,booked_at\n';

/** Ids with amounts and the day of March on which they are booked at noon. */
const ledger = (...entries: readonly (readonly [string, number, number])[]): string =>
  HEADER +
  entries
    .map(([id, fen, day]) => `${id},62001,deposit,${fen},2026-03-${String(day).padStart(2, '0')} 12:00:00\n`)
    .join('');

const take = async (source: string, text: string, name = 'ledger.csv') =>
  takeLedger(db, { source, path: await folder.write(name, text) });

describe('ledger import', () => {
  test('every column finds its place, from CSV and from a workbook alike', async () => {
    const cells = [
      'E1',
      '62001',
      'transfer_out',
      '-1234.50',
      '1934567890123456789',
      'B7',
      '甲, 公司',
      '',
      '',
      '"m"',
    ];
    const header =
      'entry_id,account_no,kind,amount_yuan,reference,out_batch_no,counterparty,booked_at,status,memo';
    cells[7] = '2026-03-01T23:59:59.120+08:00';
    cells[8] = 'pending';
    const line = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';');
    await takeLedger(db, {
      source: 'csv',
      path: await folder.write('l.csv', `${header.replaceAll(',', ';')}\n${line}\n`),
    });
    const workbook = new ExcelJS.Workbook();
    const sheet = workbook.addWorksheet('ledger');
    sheet.addRow(header.split(','));
    sheet.addRow(cells.map((cell, at) => (at === 3 ? -1234.5 : at === 1 ? 62001 : cell)));
    await workbook.xlsx.writeFile(folder.path('l.xlsx'));
    await takeLedger(db, { source: 'xlsx', path: folder.path('l.xlsx'), force: true });
    const rows = await db
      .selectFrom('ledger_entry')
      .selectAll()
      .where('source', 'in', ['csv', 'xlsx'])
      .execute();
    const content = {
      account_no: '62001',
      entry_id: 'E1',
      version: 1,
      kind: 'transfer_out',
      amount_fen: -123450n,
      reference: '1934567890123456789',
      out_batch_no: 'B7',
      counterparty: '甲, 公司',
      booked_at: '2026-03-01T15:59:59.120Z',
      status: 'pending',
      memo: '"m"',
      current: true,
      withdrawn: false,
    };
    expect(rows).toMatchObject([content, content]);
  });

  test('what these books call an adjustment is one, and other strange words are none', async () => {
    const row = (id: string, kind: string) => `${id},62001,${kind},-20,2026-03-01 12:00:00\n`;
    const file = await folder.write('words.csv', HEADER + row('E1', 'correction') + row('E2', 'adjustment'));
    await takeLedger(db, { source: 'words', path: file, adjustmentKind: 'correction' });
    const rows = await db.selectFrom('ledger_entry').select('kind').where('source', '=', 'words').execute();
    expect(rows).toEqual([{ kind: 'adjustment' }, { kind: 'adjustment' }]);
    const strange = await take('strange', HEADER + row('E1', 'correction'));
    expect(strange.faults.map(({ column }) => column)).toEqual(['kind']);
  });

  test('what a file may leave out is empty, posted and in service time', async () => {
    await take('least', ledger(['E1', 5, 1]));
    const row = await db
      .selectFrom('ledger_entry')
      .selectAll()
      .where('source', '=', 'least')
      .executeTakeFirst();
    expect(row).toMatchObject({
      reference: '',
      out_batch_no: '',
      counterparty: '',
      memo: '',
      status: 'posted',
      booked_at: '2026-03-01T04:00:00.000Z',
    });
  });

  test('the same file twice is kept once and the second time nothing is written', async () => {
    const text = ledger(['E1', 100, 1], ['E2', 200, 2]);
    const first = await take('twice', text);
    const before = await db.selectFrom('ledger_entry').selectAll().where('source', '=', 'twice').execute();
    const second = await take('twice', text);
    expect(countsOf(first)).toEqual({
      stored: true,
      rows: 2,
      added: 2,
      unchanged: 0,
      replaced: 0,
      withdrawn: 0,
    });
    expect(countsOf(second)).toEqual({
      stored: true,
      rows: 2,
      added: 0,
      unchanged: 2,
      replaced: 0,
      withdrawn: 0,
    });
    expect(await db.selectFrom('ledger_entry').selectAll().where('source', '=', 'twice').execute()).toEqual(
      before,
    );
    const files = await db.selectFrom('intake_file').selectAll().where('source', '=', 'twice').execute();
    expect(files).toMatchObject([
      {
        kind: 'ledger',
        name: 'ledger.csv',
        sha256: first.sha256,
        row_count: 2,
        spans_from: '2026-03-01T04:00:00.000Z',
        spans_to: '2026-03-02T04:00:00.000Z',
        replaced: false,
        imported_at: IMPORTED_AT,
      },
    ]);
    expect(files[0]?.file_id).toMatch(/^[0-9a-f]{16}$/);
  });

  test('an entry with other content is a new version, the old one stays, the rest is not touched', async () => {
    await take('change', ledger(['E1', 100, 1], ['E2', 200, 2]));
    const untouched = (
      await db
        .selectFrom('ledger_entry')
        .selectAll()
        .where('entry_id', '=', 'E1')
        .where('source', '=', 'change')
        .execute()
    )[0];
    const result = await take('change', ledger(['E1', 100, 1], ['E2', 201, 2], ['E3', 300, 3]));
    expect(countsOf(result)).toMatchObject({ added: 1, unchanged: 1, replaced: 1, withdrawn: 0 });
    expect(await entriesOf(db, 'change')).toEqual([
      { id: 'E1', version: 1, fen: 100n, at: '2026-03-01T04:00:00.000Z', state: 'current' },
      { id: 'E2', version: 1, fen: 200n, at: '2026-03-02T04:00:00.000Z', state: 'former' },
      { id: 'E2', version: 2, fen: 201n, at: '2026-03-02T04:00:00.000Z', state: 'current' },
      { id: 'E3', version: 1, fen: 300n, at: '2026-03-03T04:00:00.000Z', state: 'current' },
    ]);
    const rows = await db
      .selectFrom('ledger_entry')
      .selectAll()
      .where('source', '=', 'change')
      .orderBy('entry_no')
      .execute();
    expect(rows[0]).toEqual(untouched);
    // The matching finds what was superseded and what came by the same, higher write number.
    const numbers = rows.map((row) => row.written_no);
    expect(numbers[1]).toBe(numbers[2]);
    expect(numbers[2]).toBe(numbers[3]);
    expect((numbers[1] ?? 0n) > (numbers[0] ?? 0n)).toBe(true);
  });

  test('a file that goes back to earlier content makes a third version', async () => {
    const first = ledger(['E1', 100, 1]);
    await take('back', first);
    await take('back', ledger(['E1', 150, 1]));
    expect(countsOf(await take('back', first))).toMatchObject({ replaced: 1 });
    const entries = await entriesOf(db, 'back');
    expect(entries.map((entry) => [entry.version, entry.fen, entry.state])).toEqual([
      [1, 100n, 'former'],
      [2, 150n, 'former'],
      [3, 100n, 'current'],
    ]);
  });

  test('ids are unique within their source only', async () => {
    await take('one', ledger(['E1', 1, 1]));
    expect(countsOf(await take('two', ledger(['E1', 2, 1])))).toMatchObject({ added: 1, replaced: 0 });
  });

  test('P16: poison text is stored as an escape; a NUL in a number is a fault', async () => {
    const header = 'entry_id,account_no,kind,amount_fen,booked_at,reference,counterparty,memo\n';
    const start = 'E1,62001,deposit,1,2026-03-01 00:00:00';
    await take('poison', `${header}${start},,"a\u0000\tb",\\\\N \\. x\n`);
    const row = await db
      .selectFrom('ledger_entry')
      .selectAll()
      .where('source', '=', 'poison')
      .executeTakeFirst();
    expect(row).toMatchObject({ counterparty: 'a\\u0000\tb', memo: '\\\\N \\. x' });
    const result = await take('poison', `${header}${start},R\u0000,,\n`);
    expect(result.faults).toEqual([
      { row: 2, column: 'reference', value: 'R\\u0000', reason: 'holds a character that cannot be seen' },
    ]);
  });

  test('the log says what was done, the progress how far it is', async () => {
    const log = recordingLog();
    const seen: number[] = [];
    const path = await folder.write('log.csv', ledger(['E1', 1, 1]));
    const result = await takeLedger(db, { source: 'log', path, log, progress: (rows) => seen.push(rows) });
    expect(log.lines).toEqual([
      {
        level: 'info',
        event: 'file.imported',
        file: 'log.csv',
        sha256: result.sha256,
        rows: 1,
        added: 1,
        unchanged: 0,
        replaced: 0,
        withdrawn: 0,
      },
    ]);
    expect(seen).toEqual([1]);
  });
});

test('two files at once: one after the other on one session, told to wait on a server; nothing is lost', async () => {
  if (!onPostgres) {
    const both = await Promise.all([
      take('busy', ledger(['E1', 1, 1]), 'busy.csv'),
      take('calm', ledger(['E2', 1, 2]), 'calm.csv'),
    ]);
    expect(both.map((result) => result.added)).toEqual([1, 1]);
    return;
  }
  await db.transaction().execute(async (trx) => {
    await claimIntake(trx);
    await expect(take('busy', ledger(['E1', 1, 1]))).rejects.toThrow(LockHeld);
  });
  expect(await entriesOf(db, 'busy')).toEqual([]);
  expect(countsOf(await take('busy', ledger(['E1', 1, 1])))).toMatchObject({ added: 1 });
});
