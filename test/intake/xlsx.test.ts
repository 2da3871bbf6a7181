import ExcelJS from 'exceljs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

import { LEDGER_LAYOUT } from '../../src/intake/read-ledger.ts';
import type { TableLayout } from '../../src/intake/table-layout.ts';
import { styleOf } from '../../src/intake/xlsx-workbook.ts';
import { testFolder } from './in-folder.ts';
import { makeArchive, workbookParts } from './make-archive.ts';
import type { HandmadeWorkbook } from './make-archive.ts';
import { readCells, readTable, refusal } from './read-table.ts';

const folder = await testFolder();

/** One column of each form. */
const LAYOUT: TableLayout = {
  noun: 'cells',
  amount: { names: ['fen', 'yuan'], required: false },
  columns: [
    { name: 'number', form: 'number' },
    { name: 'text', form: 'text' },
    { name: 'fen', form: 'fen' },
    { name: 'yuan', form: 'yuan' },
    { name: 'time', form: 'time' },
  ],
};

async function workbookWith(
  rows: readonly (readonly ExcelJS.CellValue[])[],
  name = 'w.xlsx',
): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('first');
  for (const row of rows) sheet.addRow([...row]);
  workbook.addWorksheet('second').addRow(['nothing', 'of', 'this']);
  await workbook.xlsx.writeFile(folder.path(name));
  return folder.path(name);
}

async function handmade(workbook: HandmadeWorkbook): Promise<string> {
  return folder.write('h.xlsx', makeArchive(workbookParts(workbook)));
}

const HEADER =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>number</t></is></c><c r="B1" t="str"><v>text</v></c></row>';

describe('what cells become', () => {
  test('numbers in a column of numbers keep their digits up to fifteen', async () => {
    const path = await workbookWith([
      ['number', 'text'],
      [62001, 7.25],
      [123456789012345, '=1+1'],
      [-5, true],
    ]);
    expect(await readCells(path, LAYOUT)).toEqual([
      { number: '62001', text: '7.25' },
      { number: '123456789012345', text: '=1+1' },
      { number: '-5', text: 'TRUE' },
    ]);
  });

  test('a number of more than fifteen digits is refused: its last digits are gone', async () => {
    const path = await workbookWith([
      ['number', 'text'],
      [6222021234567890, 'a'],
    ]);
    const reason = 'was stored as a number and lost digits; format the column as text';
    expect((await readTable(path, LAYOUT))[0]?.faults).toEqual([
      { column: 'number', value: '6222021234567890', reason },
    ]);
  });

  test('amounts are exact: what a double shows, not what it holds', async () => {
    const path = await workbookWith([
      ['yuan'],
      [12.5],
      [-3],
      [0.1],
      [1234567890123.45],
      [{ formula: 'A3+0.2', result: 0.1 + 0.2 }],
      [12.345],
    ]);
    expect((await readCells(path, LAYOUT)).map((row) => row['yuan'])).toEqual([
      '12.50',
      '-3.00',
      '0.10',
      '1234567890123.45',
      '0.30',
      '12.345',
    ]);
  });

  test('date cells are local times to the second, whatever the zone of the host', async () => {
    const path = await workbookWith([
      ['time', 'text', 'number'],
      [new Date('2026-03-01T23:59:59Z'), new Date('2026-03-01T00:00:00Z'), new Date('2026-03-01T00:00:00Z')],
    ]);
    const [row] = await readTable(path, LAYOUT);
    expect(Object.fromEntries(row?.cells ?? [])).toEqual({
      time: '2026-03-01 23:59:59',
      text: '2026-03-01 00:00:00',
    });
    expect(row?.faults).toEqual([
      {
        column: 'number',
        value: '2026-03-01 00:00:00',
        reason: 'was turned into a date; format the column as text',
      },
    ]);
  });

  test('formulas count by their stored result; one without, and an error, are faults', async () => {
    const path = await workbookWith([
      ['text', 'fen'],
      [
        { formula: 'CONCAT("a","b")', result: 'ab' },
        { formula: '1+1', result: 2 },
      ],
      [{ error: '#N/A' }, { formula: '1+2' }],
    ]);
    const rows = await readTable(path, LAYOUT);
    expect(Object.fromEntries(rows[0]?.cells ?? [])).toEqual({ text: 'ab', fen: '2' });
    expect(rows[1]?.faults).toEqual([
      { column: 'text', value: '#N/A', reason: 'is an error of the spreadsheet' },
      {
        column: 'fen',
        value: '',
        reason: 'is a formula without a stored result; open the file in a spreadsheet program and save it',
      },
    ]);
  });

  test('rich text is one text; links show their text', async () => {
    const path = await workbookWith([
      ['text', 'number'],
      [{ richText: [{ text: '甲' }, { font: { bold: true }, text: '公司' }] }, 'a&b<c>&amp;'],
      [{ text: 'shown', hyperlink: 'https://example.com' }, 'x'],
    ]);
    expect(await readCells(path, LAYOUT)).toEqual([
      { text: '甲公司', number: 'a&b<c>&amp;' },
      { text: 'shown', number: 'x' },
    ]);
  });

  test('blank rows are skipped and counted', async () => {
    const path = await workbookWith([['text'], ['a'], [], ['  '], ['b']]);
    expect((await readTable(path, LAYOUT)).map((row) => [row.row, row.cells.get('text')])).toEqual([
      [2, 'a'],
      [5, 'b'],
    ]);
  });
});

describe('what other programs write', () => {
  test('pronunciation is no part of a text; escapes are read; texts may stand in the cell', async () => {
    const path = await handmade({
      strings:
        '<si><t>漢</t><rPh sb="0" eb="1"><t>かん</t></rPh><phoneticPr/></si><si><t>a_x000D_b_x005F_x0041_</t></si>',
      rows:
        HEADER +
        '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c></row>' +
        '<row r="3"><c r="B3" t="inlineStr"><is><r><t>x &amp;lt; </t></r><r><t>y</t></r></is></c></row>',
    });
    expect(await readCells(path, LAYOUT)).toEqual([
      { number: '漢', text: 'a\rb_x0041_' },
      { text: 'x &lt; y' },
    ]);
  });

  test('rows and cells without numbers follow one another; ISO dates; prefixed names', async () => {
    const path = await handmade({
      rows:
        '<x:row xmlns:x="u"><x:c t="str"><x:v>time</x:v></x:c><x:c t="str"><x:v>text</x:v></x:c></x:row>' +
        '<row><c t="d"><v>2026-03-01T12:00:00.000</v></c><c><v>1E2</v></c></row>',
    });
    expect(await readCells(path, LAYOUT)).toEqual([{ time: '2026-03-01 12:00:00', text: '100' }]);
  });

  test('dates count from 1904 where the workbook says so; Chinese date formats are dates', async () => {
    const path = await handmade({
      properties: 'date1904="1"',
      styles:
        '<numFmts><numFmt numFmtId="176" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts>' +
        '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="176"/><xf numFmtId="57"/></cellXfs>',
      rows:
        '<row r="1"><c r="A1" t="str"><v>time</v></c><c r="B1" t="str"><v>text</v></c></row>' +
        '<row r="2"><c r="A2" s="1"><v>44620.5</v></c><c r="B2" s="2"><v>44620</v></c></row>' +
        '<row r="3"><c r="A3" s="0"><v>44620.5</v></c></row>',
    });
    expect(await readCells(path, LAYOUT)).toEqual([
      { time: '2026-03-01 12:00:00', text: '2026-03-01 00:00:00' },
      { time: '44620.5' },
    ]);
  });

  test.each([
    ['yyyy-mm-dd hh:mm', 'date'],
    ['[h]:mm', 'date'],
    ['[$-804]d"日"', 'date'],
    ['General', 'plain'],
    ['#,##0.00;[Red]-#,##0.00', 'plain'],
    ['"¥"#,##0.00_);\\d0', 'plain'],
    ['_ * #,##0.00_ ;_ * -#,##0.00_ ;_ * "-"??_ ;_ @_ ', 'plain'],
  ])('the format %s is one of %s', (code, style) => {
    expect(styleOf(code)).toBe(style);
  });

  test('the first sheet is the first visible one', async () => {
    const path = await handmade({
      sheets:
        '<sheet name="b" sheetId="2" state="hidden" r:id="rId4"/><sheet name="a" sheetId="1" r:id="rId1"/>',
      rows: `${HEADER}<row r="2"><c r="A2" t="str"><v>x</v></c></row>`,
    });
    expect(await readCells(path, LAYOUT)).toEqual([{ number: 'x' }]);
  });

  test('sizes in 64-bit fields', async () => {
    const parts = workbookParts({ rows: `${HEADER}<row r="2"><c r="A2" t="str"><v>x</v></c></row>` });
    const path = await folder.write('z.xlsx', makeArchive(parts, { zip64: true }));
    expect(await readCells(path, LAYOUT)).toEqual([{ number: 'x' }]);
  });
});

describe('damaged files are refused at once, never half read', () => {
  const whole = async (): Promise<Buffer> => {
    const rows = Array.from({ length: 3_000 }, (_, at) => [`n${at}`, `text ${at * 7919}`]);
    return readFile(await workbookWith([['number', 'text'], ...rows], 'whole.xlsx'));
  };

  test('cut anywhere', async () => {
    const bytes = await whole();
    for (const length of [10, 1_000, bytes.length / 2, bytes.length - 100, bytes.length - 1]) {
      const path = await folder.write('cut.xlsx', bytes.subarray(0, length));
      expect(await refusal(path, LAYOUT)).toContain(
        'cut.xlsx is no readable .xlsx workbook: it is no whole archive',
      );
    }
  });

  test('a flipped byte in any part that is read', async () => {
    const bytes = await whole();
    const messages: string[] = [];
    for (let at = 2_000; at < bytes.length * 0.9; at += Math.floor(bytes.length / 25)) {
      const corrupt = Buffer.from(bytes);
      corrupt[at] = (corrupt[at] ?? 0) ^ 0x55;
      messages.push(await refusal(await folder.write('flip.xlsx', corrupt), LAYOUT));
    }
    // Parts that are not needed (themes, properties) may be corrupt.
    const refused = messages.filter((message) => message !== 'the file was not refused');
    expect(refused.length).toBeGreaterThan(15);
    expect(
      refused.filter((message) => !message.startsWith('flip.xlsx is no readable .xlsx workbook: ')),
    ).toEqual([]);
  });

  test('a part that unpacks to more than its directory says is not read on', async () => {
    const parts = workbookParts({ rows: HEADER + '<row/>'.repeat(100_000) });
    const bytes = makeArchive(parts);
    const entry = bytes.lastIndexOf('xl/worksheets/first.xml') - 46;
    bytes.writeUInt32LE(500, entry + 24);
    expect(await refusal(await folder.write('bomb.xlsx', bytes), LAYOUT)).toBe(
      'bomb.xlsx is no readable .xlsx workbook: xl/worksheets/first.xml is corrupt',
    );
  });

  test('a part that says it is larger than any sheet is not touched', async () => {
    const bytes = makeArchive(workbookParts({ rows: HEADER, strings: '<si/>' }));
    bytes.writeUInt32LE(0xf0000000, bytes.lastIndexOf('xl/sharedStrings.xml') - 46 + 24);
    expect(await refusal(await folder.write('large.xlsx', bytes), LAYOUT)).toBe(
      'large.xlsx is no readable .xlsx workbook: xl/sharedStrings.xml is larger than 1073741824 bytes',
    );
  });

  test('protected by a password inside the archive; another archive; text missing', async () => {
    const parts = workbookParts({ rows: HEADER });
    const locked = await folder.write('l.xlsx', makeArchive(parts, { encrypted: true }));
    expect(await refusal(locked, LAYOUT)).toBe(
      'l.xlsx is no readable .xlsx workbook: it is protected by a password',
    );
    const other = await folder.write('o.ods', makeArchive({ 'content.xml': '<d/>' }));
    expect(await refusal(other, LAYOUT)).toBe(
      'o.ods is no readable .xlsx workbook: it is an archive of another kind, of an .ods for instance; save it as .xlsx',
    );
    const lost = await handmade({ rows: `${HEADER}<row r="2"><c r="A2" t="s"><v>5</v></c></row>` });
    expect(await refusal(lost, LAYOUT)).toBe(
      'h.xlsx is no readable .xlsx workbook: a cell refers to a text that is not there',
    );
  });

  test('a sheet that is no table of the ledger', async () => {
    expect(await refusal(await workbookWith([['a', 'b']]), LEDGER_LAYOUT)).toMatch(
      /^w\.xlsx is not a table of ledger entries/,
    );
    expect(await refusal(await workbookWith([]), LEDGER_LAYOUT)).toBe('w.xlsx is empty');
  });
});
