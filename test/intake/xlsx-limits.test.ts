/** A workbook of some kilobytes must not take the memory of the machine. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

import { LEDGER_LAYOUT } from '../../src/intake/read-ledger.ts';
import { openSheets } from '../../src/intake/sheets-file.ts';
import { testFolder } from './in-folder.ts';
import { makeArchive, workbookParts } from './make-archive.ts';
import type { HandmadeWorkbook } from './make-archive.ts';
import { refusal } from './read-table.ts';

const folder = await testFolder();
const LONG = { timeout: 120_000 };

const refusalOf = async (workbook: HandmadeWorkbook): Promise<string> =>
  refusal(await folder.write('h.xlsx', makeArchive(workbookParts(workbook))), LEDGER_LAYOUT);

/** What a process with so little memory says of the file. */
async function saidWithLittleMemory(workbook: HandmadeWorkbook): Promise<string> {
  const file = await folder.write('h.xlsx', makeArchive(workbookParts(workbook)));
  const script = path.join(import.meta.dirname, 'read-all.ts');
  const reading = promisify(execFile)(process.execPath, ['--max-old-space-size=160', script, file]);
  return reading.then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stderr: string }).stderr,
  );
}

test('thirty million empty texts are refused before they fill the memory', LONG, async () => {
  const said = await saidWithLittleMemory({ rows: '', strings: '<si/>'.repeat(30_000_000) });
  expect(said).toContain('is no readable .xlsx workbook: it has more texts than a sheet of entries needs');
});

test('ten million elements inside one another are refused before they fill the memory', LONG, async () => {
  const said = await saidWithLittleMemory({ rows: '<a>'.repeat(10_000_000) });
  expect(said).toContain('is no readable .xlsx workbook: its elements are nested too deep');
  expect(await refusalOf({ rows: '', strings: '<a>'.repeat(100) })).toContain('nested too deep');
});

test('a tag, comment or text without an end is refused', LONG, async () => {
  const endless = 'x'.repeat(40_000_000);
  for (const rows of [`<row a="${endless}"/>`, `<!--${endless}-->`, `<row${endless}/>`, endless]) {
    expect(await refusalOf({ rows })).toContain('an element or text has no end');
  }
});

test('a text is no longer than a cell holds, in one piece or in many', async () => {
  const cell = (text: string): string => `<row><c t="inlineStr"><is>${text}</is></c></row>`;
  const message = 'a text has more than 32767 characters';
  expect(await refusalOf({ rows: cell(`<t>${'x'.repeat(32_768)}</t>`) })).toContain(message);
  expect(await refusalOf({ rows: cell(`<t>${'x<b/>'.repeat(32_768)}</t>`) })).toContain(message);
  expect(await refusalOf({ rows: '', strings: `<si>${'<t>xx</t>'.repeat(16_384)}</si>` })).toContain(message);
  expect(await refusalOf({ rows: cell(`<t>${'x'.repeat(32_767)}</t>`) })).toContain(
    'is not a table of ledger entries',
  );
});

test('cells beyond the last column, formats and parts without an end are refused', LONG, async () => {
  expect(await refusalOf({ rows: `<row>${'<c/>'.repeat(16_385)}</row>` })).toContain('a cell has no place');
  const styles = `<cellXfs>${'<xf/>'.repeat(65_537)}</cellXfs>`;
  expect(await refusalOf({ rows: '', styles })).toContain('more than a workbook can have');
  const sheets = '<sheet name="a" sheetId="1" r:id="rId1"/>'.repeat(65_537);
  expect(await refusalOf({ rows: '', sheets })).toContain('more than a workbook can have');
});

/** Spreadsheets write a cell for its format alone, up to the last column; each of them took 16,384 places. */
test('cells far to the right that say nothing take no place', LONG, async () => {
  const rows = '<row><c r="A1"><v>1</v></c><c r="XFD1" s="0"/></row>'.repeat(1_000);
  const opened = await openSheets(await folder.write('wide.xlsx', makeArchive(workbookParts({ rows }))));
  const widths = new Set<number>();
  for await (const sheet of opened.sheets())
    for await (const batch of sheet.rows) for (const { cells } of batch) widths.add(cells.length);
  await opened.close();
  expect([...widths]).toEqual([1]);
});
