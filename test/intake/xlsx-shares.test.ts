/** A share is what was typed: of 6% the cell keeps 0.06 and a format. */
import { expect, test } from 'vitest';

import type { TableLayout } from '../../src/intake/table-layout.ts';
import { testFolder } from './in-folder.ts';
import { makeArchive, workbookParts } from './make-archive.ts';
import { readCells } from './read-table.ts';

const folder = await testFolder();

const LAYOUT: TableLayout = {
  noun: 'remarks',
  amount: { names: ['fen', 'yuan'], required: false },
  columns: [{ name: 'text', form: 'text' }],
};

const FORMATS = `<numFmts><numFmt numFmtId="176" formatCode="0.0%;[Red]-0.0%"/>
  <numFmt numFmtId="177" formatCode="0&quot;%&quot;"/></numFmts>`;

test.each([
  ['0%', 9, '0.06', '6%'],
  ['0.00%', 10, '7.2499999999999995E-2', '7.25%'],
  ['0.0%;[Red]-0.0%', 176, '-0.005', '-0.5%'],
  ['0"%", which is a text behind a number', 177, '6', '6'],
])('in the format %s', async (_format, id, value, text) => {
  const styles = `${FORMATS}<cellXfs><xf numFmtId="0"/><xf numFmtId="${id}"/></cellXfs>`;
  const rows = `<row><c t="str"><v>text</v></c></row><row><c s="1"><v>${value}</v></c></row>`;
  const path = await folder.write('h.xlsx', makeArchive(workbookParts({ rows, styles })));
  expect(await readCells(path, LAYOUT)).toEqual([{ text }]);
});
