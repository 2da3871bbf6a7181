/** A list that was exported as CSV and saved again by a spreadsheet says what it said, but for what people wrote. */
import { readFile, writeFile } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readWorkList, writeListCsv } from '../../../reports/work-list.ts';
import { diskFiles } from '../../../src/core/files.ts';
import { findTrailHead, headText } from '../../../src/store/runs/audit-trail.ts';
import { Books } from '../../helpers/company/books.ts';
import { zone } from '../../helpers/company/run-rows.ts';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { importFile, sayOf } from './work-list.ts';

const folder = await testFolder();
const A = '6217000000000000001';
let database: TestDatabase;
/** The list of the first night as it was exported. */
let csv: string;

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  const books = new Books(db);
  const opening = '2026-03-01 00:00:00';
  await books.account(A, { fen: 100_000n, at: opening });
  await books.entries(A, [{ id: 'E0', kind: 'opening', amountFen: 100_000n, at: opening }]);
  await books.proven(A, '2026-03-01', '2026-03-01');
  await books.deposits(A, [
    { orderNo: 'D1', at: '2026-03-01 09:00:00', amountFen: 100n },
    { orderNo: 'D2', at: '2026-03-01 09:00:00', amountFen: 200n },
  ]);
  await books.balance(A, { at: '2026-03-02 00:00:10', fen: 100_300n });
  const { runId } = await books.night('2026-03-01');
  const on = { day: '2026-03-02', by: '李娜' };
  await sayOf(db, { ...on, references: ['D1'], saying: { kind: 'note', text: '已问𠮷野，待回复?' } });
  await sayOf(db, { ...on, references: ['D2'], saying: { kind: 'note', text: "'=A1 是他们写的" } });
  const rows = await db.selectFrom('break').select('break_id').execute();
  const list = await readWorkList(db, {
    runId,
    locale: 'zh-CN',
    zone,
    trail: headText(await findTrailHead(db)),
    today: '2026-03-02',
    breakIds: rows.map((row) => row.break_id),
  });
  const path = folder.path('list.csv');
  await writeListCsv(list, { path, files: diskFiles(), zone });
  csv = await readFile(path, 'utf8');
});
afterAll(() => database.close());

let copies = 0;

async function imported(body: string | Buffer): ReturnType<typeof importFile> {
  const path = folder.path(`copy-${++copies}.csv`);
  await writeFile(path, body);
  return importFile(database.db, path);
}

test('a text that begins like a formula behind an apostrophe is that text', async () => {
  expect(csv).toContain("''=A1 是他们写的");
  expect(await imported(csv)).toMatchObject({ status: 0, cells: [], conflicts: [] });
});

/** A spreadsheet writes a question mark for each character that the encoding lacks, or for each half of it. */
test('a note of which the encoding lacks a character is not changed by that', async () => {
  for (const mark of ['?', '??']) {
    const saved = csv.replace('\ufeff', '').replace('𠮷', mark);
    expect(await imported(iconv.encode(saved, 'gbk'))).toMatchObject({ status: 0, cells: [], conflicts: [] });
  }
  const written = csv.replace('\ufeff', '').replace('已问𠮷野，待回复?', '已问?野，已回复');
  expect(await imported(iconv.encode(written, 'gbk'))).toMatchObject({
    cells: [expect.stringContaining('已问?野，已回复') as string],
  });
});
