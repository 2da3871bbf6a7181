/** Reads a workbook by the bytes: the zip's directory, every part as XML, every cell as it is typed. */
import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { findAll, parseXml, textOf } from './xml.ts';
import type { Element } from './xml.ts';

export interface ReadCell {
  /** `n`, `inlineStr`, `str`, `b`: the type as written. */
  type: string;
  style: number;
  formula: string | undefined;
  /** Numbers as numbers, text as Excel shows it, truth values as such. */
  value: string | number | boolean | undefined;
}

export interface ReadSheet {
  name: string;
  part: Element;
  cells: ReadonlyMap<string, ReadCell>;
  rows: number;
}

export interface ReadWorkbook {
  parts: ReadonlyMap<string, Buffer>;
  sheets: readonly ReadSheet[];
  /** Defined names and what they stand for. */
  names: ReadonlyMap<string, string>;
  /** Number format, fill and so on of a cell's style, as written. */
  formats: readonly string[];
}

const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/** The entries of a zip by its central directory, sizes and digests believed only after inflating. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || bytes.readUInt32LE(end) !== END) throw new Error('not a whole zip');
  const parts = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let entry = 0; entry < bytes.readUInt16LE(end + 10); entry++) {
    if (bytes.readUInt32LE(at) !== CENTRAL) throw new Error('a broken directory');
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    parts.set(name, entryBytes(bytes, { local: bytes.readUInt32LE(at + 42), at }));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return parts;
}

function entryBytes(bytes: Buffer, entry: { local: number; at: number }): Buffer {
  const size = bytes.readUInt32LE(entry.at + 20);
  const start =
    entry.local + 30 + bytes.readUInt16LE(entry.local + 26) + bytes.readUInt16LE(entry.local + 28);
  const body = bytes.subarray(start, start + size);
  const whole = bytes.readUInt16LE(entry.at + 10) === 0 ? body : inflateRawSync(body);
  if (whole.length !== bytes.readUInt32LE(entry.at + 24)) throw new Error('an entry of another length');
  return Buffer.from(whole);
}

/** @throws Error when the zip or any XML part of it is not well-formed */
export async function readWorkbook(path: string): Promise<ReadWorkbook> {
  const parts = unzip(await readFile(path));
  const xml = new Map(
    [...parts]
      .filter(([name]) => /\.(?:xml|rels)$/.test(name))
      .map(([name, body]) => [name, parseXml(body.toString('utf8'))]),
  );
  const part = (name: string): Element => {
    const element = xml.get(name);
    if (!element) throw new Error(`no part ${name}`);
    return element;
  };
  const targets = new Map(
    findAll(part('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ attributes }) => [
      attributes.get('Id'),
      attributes.get('Target'),
    ]),
  );
  const workbook = part('xl/workbook.xml');
  // Only other programs keep texts apart from their cells.
  const shared = xml.get('xl/sharedStrings.xml');
  const texts = shared === undefined ? [] : findAll(shared, 'si').map(sharedText);
  const sheets = findAll(workbook, 'sheet').map(({ attributes }) =>
    readSheet(attributes.get('name') ?? '', part(`xl/${targets.get(attributes.get('r:id')) ?? ''}`), texts),
  );
  const names = findAll(workbook, 'definedName').map(
    (name) => [name.attributes.get('name') ?? '', textOf(name)] as const,
  );
  return { parts, sheets, names: new Map(names), formats: readFormats(part('xl/styles.xml')) };
}

function sharedText(item: Element): string {
  return findAll(item, 't').map(textOf).join('');
}

function readSheet(name: string, part: Element, texts: readonly string[]): ReadSheet {
  const cells = new Map(
    findAll(part, 'c').map((cell) => [cell.attributes.get('r') ?? '', readCell(cell, texts)] as const),
  );
  return { name, part, cells, rows: findAll(part, 'row').length };
}

function readCell(cell: Element, texts: readonly string[]): ReadCell {
  const type = cell.attributes.get('t') ?? 'n';
  const [formula] = findAll(cell, 'f');
  const [value] = findAll(cell, type === 'inlineStr' ? 't' : 'v');
  return {
    type,
    style: Number(cell.attributes.get('s') ?? '0'),
    formula: formula && textOf(formula),
    value: value && typed(type, type === 's' ? texts[Number(textOf(value))] : textOf(value)),
  };
}

function typed(type: string, text: string | undefined): ReadCell['value'] {
  if (text === undefined) return undefined;
  if (type === 'b') return text === '1';
  return type === 'n' ? Number(text) : shownText(text);
}

/** As Excel shows a cell's text: `_x000D_` is a carriage return, `_x005F_` an underscore. */
export function shownText(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Formats every spreadsheet knows by number. */
const BUILT_IN: readonly (readonly [string, string])[] = [
  ['0', 'General'],
  ['1', '0'],
  ['3', '#,##0'],
  ['49', '@'],
];

function readFormats(styles: Element): string[] {
  const custom = new Map<string | undefined, string | undefined>([
    ...BUILT_IN,
    ...findAll(styles, 'numFmt').map(
      ({ attributes }) => [attributes.get('numFmtId'), attributes.get('formatCode')] as const,
    ),
  ]);
  const [all] = findAll(styles, 'cellXfs');
  return all
    ? findAll(all, 'xf').map(({ attributes }) => {
        const id = attributes.get('numFmtId') ?? '';
        return custom.get(id) ?? id;
      })
    : [];
}
