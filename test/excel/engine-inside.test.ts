/** What `src/excel/engine.ts` takes from inside of exceljs: a version that has it otherwise is told by name. */
import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import exceljs from 'exceljs';
import { expect, test } from 'vitest';

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  overrides: Record<string, string>;
}

const manifest = async (path: string): Promise<Manifest> =>
  JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')) as Manifest;

/** A book that nobody reads, its themes counted, and a sheet of it. */
function opened() {
  let themes = 0;
  class Writer extends exceljs.stream.xlsx.WorkbookWriter {
    override addThemes(): Promise<void> {
      themes += 1;
      return super.addThemes();
    }
  }
  const stream = new PassThrough().resume();
  const book = new Writer({ stream, useSharedStrings: false, useStyles: true });
  return { book, sheet: book.addWorksheet('sheet'), themes };
}

/** Follows `a.b.0` through members of any kind. */
function inside(of: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (at === undefined || at === null ? undefined : Reflect.get(Object(at), name)),
      of,
    );
}

const lost = (what: string): string =>
  `this version of exceljs has ${what} no more, or otherwise: src/excel/engine.ts works with it, see there what for`;

test('the version is one, and each package that is put in another’s place is one that it asks for', async () => {
  const [own, theirs] = [await manifest('package.json'), await manifest('node_modules/exceljs/package.json')];
  expect(own.dependencies['exceljs'], 'an exact version').toBe(theirs.version);
  for (const name of Object.keys(own.overrides))
    expect(
      Object.keys(theirs.dependencies),
      `exceljs asks for ${name} no more: remove its override`,
    ).toContain(name);
});

test.each([
  ['zip.append', 'function'],
  ['zip.abort', 'function'],
  ['zip.finalize', 'function'],
  ['styles.addStyleModel', 'function'],
  ['definedNames.add', 'function'],
  ['commit', 'function'],
])('a book has %s', (path, kind) => {
  expect(typeof inside(opened().book, path), lost(path)).toBe(kind);
});

test.each([
  ['stream.uncork', 'function'],
  ['stream.pipes.0.write', 'function'],
  ['stream.pipes.0.once', 'function'],
  ['stream.pipes.0._writableState.length', 'number'],
  ['stream.pipes.0._writableState.needDrain', 'boolean'],
  ['startedData', 'boolean'],
  ['rowBreaks.push', 'function'],
  ['dataValidations.add', 'function'],
  ['_sheetRelsWriter.addRelationship', 'function'],
  ['_write', 'function'],
  ['_writeColumns', 'function'],
  ['_writeOpenSheetData', 'function'],
  ['_writeLegacyData', 'function'],
])('a sheet has %s', (path, kind) => {
  expect(typeof inside(opened().sheet, path), lost(path)).toBe(kind);
});

test('themes are added while the book is made, before any other entry', () => {
  expect(opened().themes, lost('addThemes, called by its constructor,')).toBe(1);
});

test('rows that were written elsewhere stand between the columns and what ends a sheet', () => {
  const { sheet } = opened();
  const calls: string[] = [];
  for (const name of ['_writeColumns', '_writeOpenSheetData', '_writeLegacyData']) {
    const call = inside(sheet, name) as () => unknown;
    Reflect.set(sheet, name, () => {
      calls.push(name);
      return call.call(sheet);
    });
  }
  sheet.addRow(['a']).commit();
  expect(calls, lost('_writeColumns and _writeOpenSheetData, called by the first row,')).toEqual([
    '_writeColumns',
    '_writeOpenSheetData',
  ]);
  expect(inside(sheet, 'startedData'), lost('startedData')).toBe(true);
  sheet.commit();
  expect(calls.at(-1), lost('_writeLegacyData, called as a sheet ends,')).toBe('_writeLegacyData');
});
