import { execFile, execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { monthWordsOf } from '../../reports/month/month-words.ts';
import { publishMonth } from '../../reports/month-book.ts';
import { diskFiles } from '../../src/core/files.ts';
import { findRun } from '../../src/store/runs/runs.ts';
import { zone } from '../helpers/company/run-rows.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { testFolder } from '../intake/in-folder.ts';
import { openBook, publish } from './publish.ts';
import type { PublishedBook } from './publish.ts';
import { ORDER_RUN } from './sample-order-run.ts';
import { aSampleOfOrders } from './sample-orders.ts';
import { aSampleRun } from './sample-run.ts';
import { RUN as VOUCHER_RUN, VoucherBooks } from './sample-vouchers.ts';

const folder = await testFolder();

function hasLibreOffice(): boolean {
  try {
    execFileSync('libreoffice', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Recalculates everything when it opens a workbook; its default is to believe the stored values. */
const ALWAYS_RECALCULATE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`;

async function recalculated(name: string): Promise<Omit<PublishedBook, 'published'>> {
  await mkdir(folder.path('office/user'), { recursive: true });
  await folder.write('office/user/registrymodifications.xcu', ALWAYS_RECALCULATE);
  await promisify(execFile)('libreoffice', [
    `-env:UserInstallation=file://${folder.path('office')}`,
    '--headless',
    '--convert-to',
    'xlsx',
    '--outdir',
    folder.path('recalculated'),
    folder.path(name),
  ]);
  return openBook(folder.path(`recalculated/${name}`));
}

/** Formulas of a workbook and what they come to, by sheet and address. */
function results(book: Omit<PublishedBook, 'published'>, sheets: readonly string[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const sheet of sheets) {
    for (const [address, cell] of book.sheet(sheet).cells) {
      if (cell.formula !== undefined) values.set(`${sheet}!${address}`, cell.value);
    }
  }
  return values;
}

/** A word is compared as such: an error value is one, too. */
function shown(values: Map<string, unknown>): (readonly [string, unknown])[] {
  return [...values].map(([at, value]) => [at, typeof value === 'string' ? value : Number(value)] as const);
}

const MONTH_SHEETS = Object.values(monthWordsOf('zh-CN').sheets);

describe.skipIf(!hasLibreOffice())('a recalculation by LibreOffice', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await aSampleRun(database.db);
    await aSampleOfOrders(database.db);
  });
  afterAll(() => database.close());

  test.each([
    ['zh-CN', 'nightly-2026-03-01-v2'],
    ['en', 'nightly-2026-03-01-v2'],
    ['zh-CN', ORDER_RUN],
  ] as const)('changes no cell (%s, %s)', { timeout: 120_000 }, async (locale, runId) => {
    const name = `${locale}-${runId}.xlsx`;
    const book = await publish(database.db, { runId, path: folder.path(name), locale });
    const sheets = book.published.sheets.map((sheet) => sheet.name);
    const stored = results(book, sheets);
    const fresh = results(await recalculated(name), sheets);
    expect(stored.size).toBeGreaterThan(100);
    expect(shown(fresh)).toEqual(shown(stored));
  });

  test('changes no cell of a month', { timeout: 120_000 }, async () => {
    const run = await findRun(database.db, 'nightly-2026-03-01-v2');
    if (run === undefined) throw new Error('the sample has no run');
    const { to_day: day } = run;
    await publishMonth({
      db: database.db,
      path: folder.path('month.xlsx'),
      files: diskFiles(),
      locale: 'zh-CN',
      companyName: '示例科技有限公司',
      serviceName: '沙箱平台',
      zone,
      period: { name: '2026-03', from: day, to: day },
      days: [{ day, run }],
      before: undefined,
      last: run,
    });
    const stored = results(await openBook(folder.path('month.xlsx')), MONTH_SHEETS);
    const fresh = results(await recalculated('month.xlsx'), MONTH_SHEETS);
    expect(stored.size).toBeGreaterThan(50);
    expect(shown(fresh)).toEqual(shown(stored));
  });

  test('changes no link and no total of the vouchers', { timeout: 120_000 }, async () => {
    const own = await testDatabase();
    try {
      await new VoucherBooks(own.db, folder.path('home')).firstNight();
      const book = await publish(own.db, { runId: VOUCHER_RUN, path: folder.path('vouchers.xlsx') });
      const sheets = book.published.sheets.map((sheet) => sheet.name);
      const stored = results(book, sheets);
      const fresh = results(await recalculated('vouchers.xlsx'), sheets);
      expect(shown(fresh)).toEqual(shown(stored));
      expect(stored.get('凭证!M15')).toBe('凭证');
      expect(stored.get('凭证!P15')).toBe('第 1 版 第 1 册 第 3 页');
    } finally {
      await own.close();
    }
  });
});
