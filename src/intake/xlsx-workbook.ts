/** What must be known of a workbook before its sheets can be read: where they are, its texts, its date formats. */
import path from 'node:path';

import { DamagedArchive } from './xlsx-archive.ts';
import type { Archive } from './xlsx-archive.ts';
import { cellString, joinedText, localName, readXml } from './xlsx-xml.ts';

export interface WorkbookSheet {
  name: string;
  hidden: boolean;
  /** The part that holds it. */
  part: string;
}

export type NumberStyle = 'plain' | 'date' | 'percent';

export interface Workbook {
  sheets: readonly WorkbookSheet[];
  /** Texts that cells refer to by number. */
  sharedStrings: readonly string[];
  /** By style number: as what a number in that style is shown. */
  numberStyles: readonly NumberStyle[];
  /** Days are counted from 1904 instead of 1900. */
  from1904: boolean;
}

/** Lists of parts and styles are small; texts may be all of a large sheet's cells. */
const SMALL_PART_BYTES_MAX = 67_108_864;
const STRINGS_BYTES_MAX = 1_073_741_824;
/** Half a dozen different texts a row of the largest sheet; an empty one takes seven bytes of the file. */
const STRINGS_MAX = 6_000_000;
/** Of all texts together: forty of each of them, kept in memory as long as the sheet is read. */
const STRINGS_CHARACTERS_MAX = 268_435_456;
/** Sheets, relations and cell formats a spreadsheet program can make, of the last the most. */
const LISTED_MAX = 65_536;

/** @throws DamagedArchive when it is not a workbook */
export async function readWorkbook(archive: Archive): Promise<Workbook> {
  if (!archive.has(relationsPart('')))
    throw new DamagedArchive('it is an archive of another kind, of an .ods for instance; save it as .xlsx');
  const root = await readRelations(archive, '');
  const workbookPart = root.find((relation) => relation.type === 'officeDocument')?.target;
  if (workbookPart === undefined) throw new DamagedArchive('it is no workbook');
  const relations = await readRelations(archive, workbookPart);
  const { sheets, from1904 } = await readSheets(archive, workbookPart);
  const partOf = (type: string): string | undefined =>
    relations.find((relation) => relation.type === type)?.target;
  return {
    sheets: sheets.flatMap(({ id, name, hidden }) => {
      const part = relationOf(relations, id);
      return part === undefined ? [] : [{ name, hidden, part }];
    }),
    from1904,
    sharedStrings: await readSharedStrings(archive, partOf('sharedStrings')),
    numberStyles: await readNumberStyles(archive, partOf('styles')),
  };
}

/** @throws DamagedArchive when there is no end of them */
export function addTo<T>(list: T[], one: T): void {
  if (list.length >= LISTED_MAX) throw new DamagedArchive('its parts list more than a workbook can have');
  list.push(one);
}

interface Relation {
  id: string;
  type: string;
  target: string;
}

function relationOf(relations: readonly Relation[], id: string): string | undefined {
  return relations.find((relation) => relation.id === id && relation.type === 'worksheet')?.target;
}

function relationsPart(part: string): string {
  return path.posix.join(path.posix.dirname(part), '_rels', `${path.posix.basename(part)}.rels`);
}

/** The cells of a sheet that have a note beside what they say; a conversation about a cell is kept as one too. */
export async function readNotedCells(archive: Archive, sheetPart: string): Promise<string[]> {
  const cells: string[] = [];
  if (!archive.has(relationsPart(sheetPart))) return cells;
  for (const { type, target } of await readRelations(archive, sheetPart)) {
    if (type !== 'comments' || !archive.has(target)) continue;
    await readXml(archive.read(target, SMALL_PART_BYTES_MAX), {
      open(name, attributes) {
        if (name === 'comment') addTo(cells, attributes['ref'] ?? '');
      },
      text: () => undefined,
      close: () => undefined,
    });
  }
  return cells;
}

/** The parts another part refers to; the empty name is the archive itself. */
async function readRelations(archive: Archive, part: string): Promise<Relation[]> {
  const folder = path.posix.dirname(part);
  const relations: Relation[] = [];
  await readXml(archive.read(relationsPart(part), SMALL_PART_BYTES_MAX), {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const target = attributes['Target'] ?? '';
      addTo(relations, {
        id: attributes['Id'] ?? '',
        type: (attributes['Type'] ?? '').split('/').at(-1) ?? '',
        target: target.startsWith('/') ? target.slice(1) : path.posix.join(folder, target),
      });
    },
    text: () => undefined,
    close: () => undefined,
  });
  return relations;
}

interface Sheet {
  id: string;
  name: string;
  hidden: boolean;
}

async function readSheets(archive: Archive, part: string): Promise<{ sheets: Sheet[]; from1904: boolean }> {
  const sheets: Sheet[] = [];
  let from1904 = false;
  await readXml(archive.read(part, SMALL_PART_BYTES_MAX), {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(
        ([key]) => key.includes(':') && localName(key) === 'id',
      )?.[1];
      const state = attributes['state'] ?? 'visible';
      if (id !== undefined)
        addTo(sheets, { id, name: attributes['name'] ?? '', hidden: state !== 'visible' });
    },
    text: () => undefined,
    close: () => undefined,
  });
  return { sheets, from1904 };
}

/** Runs of differently formatted text belong together; what helps to pronounce them (`rPh`) does not. */
async function readSharedStrings(archive: Archive, part: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (part === undefined || !archive.has(part)) return strings;
  let text = '';
  let characters = 0;
  let inText = false;
  let inPhonetic = false;
  await readXml(archive.read(part, STRINGS_BYTES_MAX), {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') inPhonetic = true;
      else if (name === 't') inText = !inPhonetic;
    },
    text(piece) {
      if (inText) text = joinedText(text, piece);
    },
    close(name) {
      if (name === 'si') {
        characters += text.length;
        if (strings.length >= STRINGS_MAX || characters > STRINGS_CHARACTERS_MAX)
          throw new DamagedArchive('it has more texts than a sheet of entries needs');
        strings.push(cellString(text));
      } else if (name === 'rPh') inPhonetic = false;
      else if (name === 't') inText = false;
    },
  });
  return strings;
}

/** Numbers of the built-in formats that show a date or time, the Chinese ones included. */
const DATE_FORMAT_SPANS = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** `0%` and `0.00%`. */
const PERCENT_FORMATS: readonly number[] = [9, 10];

async function readNumberStyles(archive: Archive, part: string | undefined): Promise<NumberStyle[]> {
  const styles: NumberStyle[] = [];
  if (part === undefined || !archive.has(part)) return styles;
  const codes = new Map<number, string>();
  let inCellStyles = false;
  await readXml(archive.read(part, SMALL_PART_BYTES_MAX), {
    open(name, attributes) {
      if (name === 'cellXfs') inCellStyles = true;
      else if (name === 'numFmt' && codes.size < LISTED_MAX)
        codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (name === 'xf' && inCellStyles) {
        const id = Number(attributes['numFmtId'] ?? '0');
        const code = codes.get(id);
        addTo(styles, code === undefined ? builtInStyle(id) : styleOf(code));
      }
    },
    text: () => undefined,
    close(name) {
      if (name === 'cellXfs') inCellStyles = false;
    },
  });
  return styles;
}

function builtInStyle(id: number): NumberStyle {
  if (PERCENT_FORMATS.includes(id)) return 'percent';
  return DATE_FORMAT_SPANS.some(([first, last]) => id >= first && id <= last) ? 'date' : 'plain';
}

/**
 * A format code is a date's when it has year, month, day, hour or second letters outside texts and conditions, and
 * one of a share when it has a percent sign there.
 */
export function styleOf(code: string): NumberStyle {
  const letters = code
    .replace(/"[^"]*"|\\.|_.|\*./gu, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .replace(/general/gi, '');
  if (/[ymdhs]/i.test(letters)) return 'date';
  return letters.includes('%') ? 'percent' : 'plain';
}
