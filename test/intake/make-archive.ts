/** A zip archive and a workbook made by hand, for what spreadsheet programs write and exceljs does not. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ArchiveOptions {
  /** Sizes and offsets in the 64-bit fields, as some writers of large sheets do. */
  zip64?: boolean;
  encrypted?: boolean;
}

export function makeArchive(parts: Readonly<Record<string, string>>, options: ArchiveOptions = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const packed = deflateRawSync(text);
    const sizes = { crc: crc32(text), packed: packed.length, unpacked: Buffer.byteLength(text) };
    const local = Buffer.concat([localHeader(name, options), packed]);
    locals.push(local);
    directory.push(directoryEntry(name, { ...sizes, offset }, options));
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  return Buffer.concat([...locals, list, endRecord(directory.length, { bytes: list.length, offset })]);
}

/** Sizes stand only in the directory, as streaming writers do it. */
function localHeader(name: string, options: ArchiveOptions): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(options.encrypted === true ? 9 : 8, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name)]);
}

interface Sizes {
  crc: number;
  packed: number;
  unpacked: number;
  offset: number;
}

function directoryEntry(name: string, sizes: Sizes, options: ArchiveOptions): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(options.encrypted === true ? 9 : 8, 8);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(sizes.crc, 16);
  entry.writeUInt16LE(name.length, 28);
  const large = options.zip64 === true;
  const values = [sizes.packed, sizes.unpacked, sizes.offset].map((value) => (large ? 0xffffffff : value));
  [20, 24, 42].forEach((at, index) => entry.writeUInt32LE(values[index] ?? 0, at));
  if (!large) return Buffer.concat([entry, Buffer.from(name)]);
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  [sizes.unpacked, sizes.packed, sizes.offset].forEach((value, index) =>
    extra.writeBigUInt64LE(BigInt(value), 4 + index * 8),
  );
  entry.writeUInt16LE(extra.length, 30);
  return Buffer.concat([entry, Buffer.from(name), extra]);
}

function endRecord(count: number, list: { bytes: number; offset: number }): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(list.bytes, 12);
  end.writeUInt32LE(list.offset, 16);
  return end;
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface HandmadeWorkbook {
  /** `<row>` elements. */
  rows: string;
  /** `<si>` elements. */
  strings?: string;
  /** Children of `<styleSheet>`. */
  styles?: string;
  /** Attributes of `<workbookPr>`. */
  properties?: string;
  /** `<sheet>` elements; the sheet with the rows is r:id="rId1". */
  sheets?: string;
}

/** The parts of a workbook whose only sheet has these rows. */
export function workbookParts(workbook: HandmadeWorkbook): Record<string, string> {
  const sheets = workbook.sheets ?? '<sheet name="a" sheetId="1" r:id="rId1"/>';
  return {
    '_rels/.rels': `<Relationships>${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/worksheets/first.xml': `<worksheet><sheetData>${workbook.rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${workbook.strings ?? ''}</sst>`,
    'xl/styles.xml': `<styleSheet>${workbook.styles ?? ''}</styleSheet>`,
    'xl/workbook.xml':
      `<workbook xmlns:r="${OFFICE}"><workbookPr ${workbook.properties ?? ''}/>` +
      `<sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${[
      relation('rId1', 'worksheet', 'worksheets/first.xml'),
      relation('rId2', 'sharedStrings', '/xl/sharedStrings.xml'),
      relation('rId3', 'styles', 'styles.xml'),
      relation('rId4', 'worksheet', 'worksheets/second.xml'),
    ].join('')}</Relationships>`,
  };
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}
