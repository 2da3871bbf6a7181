/** A workbook that LibreOffice saved again, as .xlsx or sheet 差异 as .csv, is what it was: nothing in it is a change. */
import { execFile, execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../helpers/database.ts';
import type { TestDatabase } from '../../helpers/database.ts';
import { readWorkbook } from '../../helpers/read-workbook.ts';
import { testFolder } from '../../intake/in-folder.ts';
import { publish } from '../../reports/publish.ts';
import { aSampleRun } from '../../reports/sample-run.ts';
import { importFile } from './work-list.ts';

const folder = await testFolder();

function hasLibreOffice(): boolean {
  try {
    execFileSync('libreoffice', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What LibreOffice makes of the file. */
async function saved(name: string, to: string): Promise<string> {
  await promisify(execFile)('libreoffice', [
    `-env:UserInstallation=file://${folder.path('office')}`,
    '--headless',
    '--convert-to',
    to,
    '--outdir',
    folder.path('saved'),
    folder.path(name),
  ]);
  const ending = to.split(':')[0] ?? '';
  const made = (await readdir(folder.path('saved'))).filter((file) => file.endsWith(`.${ending}`));
  return folder.path(`saved/${made.at(-1) ?? ''}`);
}

describe.skipIf(!hasLibreOffice())('saved by LibreOffice', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await aSampleRun(database.db);
  });
  afterAll(() => database.close());

  test.each(['zh-CN', 'en'] as const)('in %s', async (locale) => {
    const name = `${locale}.xlsx`;
    await publish(database.db, { runId: 'nightly-2026-03-01-v2', path: folder.path(name), locale });
    const asWritten = { status: 0, cells: [], conflicts: [], unchanged: 0 };
    expect(await importFile(database.db, folder.path(name))).toMatchObject(asWritten);
    expect(await importFile(database.db, await saved(name, 'xlsx'))).toMatchObject(asWritten);
    const { sheets } = await readWorkbook(folder.path(name));
    const at = sheets.findIndex((sheet) => sheet.name === '差异' || sheet.name === 'Breaks') + 1;
    const csv = `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,${at}`;
    expect(await importFile(database.db, await saved(name, csv))).toMatchObject(asWritten);
  });
});
