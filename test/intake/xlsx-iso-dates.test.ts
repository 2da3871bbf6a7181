/** A date cell of text is the time it states, with its offset where it has one. */
import { expect, test } from 'vitest';

import type { TableLayout } from '../../src/intake/table-layout.ts';
import { testFolder } from './in-folder.ts';
import { makeArchive, workbookParts } from './make-archive.ts';
import { readCells } from './read-table.ts';

const folder = await testFolder();

const LAYOUT: TableLayout = {
  noun: 'times',
  amount: { names: ['fen', 'yuan'], required: false },
  columns: [{ name: 'time', form: 'time' }],
};

test.each([
  ['2026-03-01T17:30:00', '2026-03-01 17:30:00'],
  ['2026-03-01T17:30:00.25', '2026-03-01 17:30:00'],
  ['2026-03-01', '2026-03-01'],
  ['2026-03-01T17:30:00Z', '2026-03-01T17:30:00Z'],
  ['2026-03-01T17:30:00.000Z', '2026-03-01T17:30:00.000Z'],
  ['2026-03-01T17:30:00+09:00', '2026-03-01T17:30:00+09:00'],
  ['2026-03-01T17:30:00 or so', '2026-03-01T17:30:00 or so'],
])('an ISO date keeps what follows its seconds: %s', async (value, time) => {
  const rows = `<row><c t="str"><v>time</v></c></row><row><c t="d"><v>${value}</v></c></row>`;
  const path = await folder.write('h.xlsx', makeArchive(workbookParts({ rows })));
  expect(await readCells(path, LAYOUT)).toEqual([{ time }]);
});
