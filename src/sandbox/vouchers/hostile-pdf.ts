/** PDF files made to trouble whoever reads them; each names its order, so that they differ. */
import { createHash } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';

import { PdfFile, streamOf, textString } from './slip-pdf.ts';

/** A page as small as a page can be, in the half sheet of a slip. */
const PAGE = '/Type/Page/MediaBox[0 0 595 421]';

/** Writes the catalog over a page tree. @param catalog further entries of it */
function closed(file: PdfFile, orderNo: string, of: { pages: number; catalog?: string }): Buffer {
  const root = file.add(`<</Type/Catalog/Pages ${of.pages} 0 R${of.catalog ?? ''}>>`);
  const info = file.add(`<</Title${textString(orderNo)}>>`);
  return file.close(`/Root ${root} 0 R/Info ${info} 0 R`);
}

export function noPagesPdf(orderNo: string): Buffer {
  const file = new PdfFile();
  return closed(file, orderNo, { pages: file.add('<</Type/Pages/Count 0/Kids[]>>') });
}

export function pageCyclePdf(orderNo: string): Buffer {
  const file = new PdfFile();
  const [pages, inner] = [file.reserve(), file.reserve()];
  const page = file.add(`<<${PAGE}/Parent ${inner} 0 R>>`);
  file.write(pages, `<</Type/Pages/Count 2/Kids[${inner} 0 R]>>`);
  file.write(inner, `<</Type/Pages/Parent ${pages} 0 R/Count 2/Kids[${page} 0 R ${pages} 0 R]>>`);
  return closed(file, orderNo, { pages });
}

/** Every level doubles the walk: 2^40 steps. */
const TREE_LEVELS = 40;

export function pageTreeBombPdf(orderNo: string): Buffer {
  const file = new PdfFile();
  const pages = file.reserve();
  const page = file.add(`<<${PAGE}/Parent ${pages} 0 R>>`);
  let below = file.add(`<</Type/Pages/Parent ${pages} 0 R/Count 0/Kids[]>>`);
  for (let level = 0; level < TREE_LEVELS; level++) {
    below = file.add(`<</Type/Pages/Parent ${pages} 0 R/Count 0/Kids[${below} 0 R ${below} 0 R]>>`);
  }
  file.write(pages, `<</Type/Pages/Count 1/Kids[${page} 0 R ${below} 0 R]>>`);
  return closed(file, orderNo, { pages });
}

/** What an object takes in the file, its place in the table of objects included. */
const OBJECT_BYTES = 56;

export function manyObjectsPdf(orderNo: string, bytes: number): Buffer {
  const file = new PdfFile();
  const pages = file.reserve();
  for (let left = bytes; left > 0; left -= OBJECT_BYTES) file.add('[[[0]]]');
  const page = file.add(`<<${PAGE}/Parent ${pages} 0 R>>`);
  file.write(pages, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  return closed(file, orderNo, { pages });
}

const HUGE_PAGE_COUNT = 10_000;

export function hugePageCountPdf(orderNo: string): Buffer {
  const file = new PdfFile();
  const pages = file.reserve();
  const kids = Array.from({ length: HUGE_PAGE_COUNT }, () => file.add(`<<${PAGE}/Parent ${pages} 0 R>>`));
  file.write(pages, `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((no) => `${no} 0 R`).join(' ')}]>>`);
  return closed(file, orderNo, { pages });
}

export function statedPageCountPdf(orderNo: string): Buffer {
  const file = new PdfFile();
  const pages = file.reserve();
  const page = file.add(`<<${PAGE}/Parent ${pages} 0 R>>`);
  file.write(pages, `<</Type/Pages/Count 2000000000/Kids[${page} 0 R]>>`);
  return closed(file, orderNo, { pages });
}

/** More than a recursive reader has stack for. */
const NESTING_DEPTH = 50_000;

export function deepNestingPdf(orderNo: string): Buffer {
  const file = new PdfFile();
  const pages = file.reserve();
  const page = file.add(`<<${PAGE}/Parent ${pages} 0 R>>`);
  file.write(pages, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  const nest = file.add(`${'['.repeat(NESTING_DEPTH)}${']'.repeat(NESTING_DEPTH)}`);
  return closed(file, orderNo, { pages, catalog: `/PieceInfo ${nest} 0 R` });
}

/** The page tree lies in an object stream that is nearly all blanks, so that no reader gets by without it. */
export function objectStreamBombPdf(orderNo: string, bytes: number): Buffer {
  const file = new PdfFile();
  const [catalog, page, bomb] = [1, 2, 3];
  file.add('<</Type/Catalog/Pages 4 0 R>>');
  file.add(`<<${PAGE}/Parent 4 0 R>>`);
  const tree = `4 0 <</Type/Pages/Count 1/Kids[${page} 0 R]>>`;
  file.add(streamOf('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', blanksAfter(tree, bytes)));
  const table = file.length;
  const offsets = [catalog, page, bomb].map((no) => file.offsetOf(no));
  const rows = [[0, 0, 255], ...offsets.map((offset) => [1, offset, 0]), [2, bomb, 0], [1, table, 0]];
  const cells = Buffer.alloc(6 * rows.length);
  for (const [row, [type = 0, second = 0, third = 0]] of rows.entries()) {
    cells.writeUInt8(type, 6 * row);
    cells.writeUInt32BE(second, 6 * row + 1);
    cells.writeUInt8(third, 6 * row + 5);
  }
  const entries = `/Type/XRef/Size ${rows.length}/W[1 4 1]/Root ${catalog} 0 R/OrderNo${textString(orderNo)}`;
  return file.closeWithStream(5, streamOf(entries, cells));
}

/** A megabyte of blanks, compressed so that it can be said again and again. */
const CHUNK = 1_048_576;
const BLANK = 32;

/** Deflated blanks behind a text, without ever holding them. */
function blanksAfter(text: string, bytes: number): Buffer {
  const flushed = { finishFlush: constants.Z_FULL_FLUSH, level: 9 };
  const start = deflateRawSync(Buffer.from(text, 'latin1'), flushed);
  const chunk = deflateRawSync(Buffer.alloc(CHUNK, BLANK), flushed);
  const chunks = Math.max(1, Math.floor(bytes / CHUNK));
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(adler32(text, chunks * CHUNK));
  const repeated = Array.from({ length: chunks }, () => chunk);
  return Buffer.concat([Buffer.of(0x78, 0x9c), start, ...repeated, Buffer.of(0x03, 0x00), sum]);
}

const ADLER = 65_521n;

/** Of a text and so many blanks behind it. */
function adler32(text: string, blanks: number): number {
  let [a, b] = [1n, 0n];
  for (const byte of Buffer.from(text, 'latin1')) {
    a = (a + BigInt(byte)) % ADLER;
    b = (b + a) % ADLER;
  }
  const [count, blank] = [BigInt(blanks), BigInt(BLANK)];
  b = (b + count * a + (blank * count * (count + 1n)) / 2n) % ADLER;
  a = (a + count * blank) % ADLER;
  return Number((b << 16n) | a);
}

/** The password nobody has been told, and what the standard fills passwords up with. */
const PASSWORD = 'archive';
const FILLING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** Encrypted with the standard handler of 1994, which every reader knows: 40 bits of RC4. */
export function encryptedPdf(orderNo: string): Buffer {
  const id = createHash('md5').update(orderNo).digest();
  const password = Buffer.concat([Buffer.from(PASSWORD, 'latin1'), FILLING]).subarray(0, 32);
  const owner = rc4(md5(password).subarray(0, 5), password);
  const permissions = Buffer.from('fcffffff', 'hex');
  const key = md5(password, owner, permissions, id).subarray(0, 5);
  const file = new PdfFile();
  const pages = file.reserve();
  const font = file.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const content = file.reserve();
  const text = Buffer.from(
    `BT /F 14 Tf 60 300 Td (Voucher ${orderNo.replace(/[()\\]/g, '')}) Tj ET`,
    'latin1',
  );
  file.write(content, streamOf('', rc4(objectKey(key, content), text)));
  const resources = `/Resources<</Font<</F ${font} 0 R>>>>/Contents ${content} 0 R`;
  const page = file.add(`<<${PAGE}/Parent ${pages} 0 R${resources}>>`);
  file.write(pages, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  const root = file.add(`<</Type/Catalog/Pages ${pages} 0 R>>`);
  const [o, u] = [owner, rc4(key, FILLING)].map((bytes) => bytes.toString('hex'));
  const lock = file.add(`<</Filter/Standard/V 1/R 2/O<${o}>/U<${u}>/P -4>>`);
  return file.close(`/Root ${root} 0 R/Encrypt ${lock} 0 R`, id.toString('hex'));
}

function md5(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function objectKey(key: Buffer, no: number): Buffer {
  return md5(key, Buffer.of(no & 0xff, (no >> 8) & 0xff, (no >> 16) & 0xff, 0, 0)).subarray(0, 10);
}

/** Node's cryptography no longer has it; it is here to be read, not to protect. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, place) => place);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let place = 0, other = 0; place < 256; place++) {
    other = (other + (state[place] ?? 0) + (key[place % key.length] ?? 0)) & 0xff;
    swap(place, other);
  }
  let [place, other] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      place = (place + 1) & 0xff;
      other = (other + (state[place] ?? 0)) & 0xff;
      swap(place, other);
      return byte ^ (state[((state[place] ?? 0) + (state[other] ?? 0)) & 0xff] ?? 0);
    }),
  );
}
