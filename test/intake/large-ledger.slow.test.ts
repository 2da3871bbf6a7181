/** H13: a large file passes through; memory does not grow with it. */
import ExcelJS from 'exceljs';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

import { onPostgres, databaseToSpoil } from '../helpers/database.ts';
import { countsOf, takeAccounts, takeLedger } from './books.ts';
import { testFolder } from './in-folder.ts';

const ROWS = 200_000;
/** exceljs takes its time to write a sheet. */
const SHEET_ROWS = 80_000;
const HEADER = [
  'entry_id',
  'account_no',
  'kind',
  'amount_fen',
  'reference',
  'counterparty',
  'booked_at',
  'memo',
];
const LIMIT_MS = 300_000;

const folder = await testFolder();
const database = await databaseToSpoil();
afterAll(() => database.close());

function cells(at: number): string[] {
  const time = `2026-03-${String(1 + (at % 28)).padStart(2, '0')} 12:00:00`;
  return [
    `E${at}`,
    '62001',
    'deposit',
    String(100 + at),
    `R${at}`,
    `甲公司${at % 1000}`,
    time,
    'a memo of some length',
  ];
}

async function largeCsv(): Promise<string> {
  const out = createWriteStream(folder.path('large.csv'));
  out.write(`${HEADER.join(',')}\n`);
  for (let at = 0; at < ROWS; at++) if (!out.write(`${cells(at).join(',')}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  return folder.path('large.csv');
}

async function largeWorkbook(): Promise<string> {
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: folder.path('large.xlsx') });
  const sheet = workbook.addWorksheet('ledger');
  sheet.addRow(HEADER).commit();
  for (let at = 0; at < SHEET_ROWS; at++) sheet.addRow(cells(at)).commit();
  await workbook.commit();
  return folder.path('large.xlsx');
}

/** Kept, the cells of so many rows would take some hundred megabytes. */
async function readWithLittleMemory(file: string): Promise<string> {
  const script = path.join(import.meta.dirname, 'read-all.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=40', script, file]);
  return stdout;
}

test(
  'a CSV file of 200,000 rows and a workbook of 80,000 are read with 40 MB of heap',
  async () => {
    const fromCsv = await readWithLittleMemory(await largeCsv());
    expect(fromCsv).toBe('200000 rows, 2200000 cells, 0 faults\n');
    const fromWorkbook = await readWithLittleMemory(await largeWorkbook());
    expect(fromWorkbook).toBe('80000 rows, 880000 cells, 0 faults\n');
  },
  LIMIT_MS,
);

test(
  'H12: 200,000 entries are imported, and again without writing one',
  async () => {
    await takeAccounts(database.db, await folder.write('accounts.csv', 'account_no\n62001\n'));
    const file = await largeCsv();
    const before = process.memoryUsage().rss;
    const first = await takeLedger(database.db, { path: file, source: 'large' });
    // The embedded database lives in this process, and grows by what it stores.
    const grownMax = onPostgres ? 400_000_000 : 2_000_000_000;
    expect(process.memoryUsage().rss - before).toBeLessThan(grownMax);
    const counts = { stored: true, rows: ROWS, replaced: 0, withdrawn: 0 };
    expect(countsOf(first)).toEqual({ ...counts, added: ROWS, unchanged: 0 });
    const again = await takeLedger(database.db, { path: file, source: 'large', replace: true });
    expect(countsOf(again)).toEqual({ ...counts, added: 0, unchanged: ROWS });
    const { rows, sum } = await database.db
      .selectFrom('ledger_entry')
      .select(({ fn }) => [fn.countAll<bigint>().as('rows'), fn.sum<string>('amount_fen').as('sum')])
      .executeTakeFirstOrThrow();
    // 100 + 101 + … + 200,099
    expect([rows, sum]).toEqual([200_000n, '20019900000']);
  },
  LIMIT_MS,
);
