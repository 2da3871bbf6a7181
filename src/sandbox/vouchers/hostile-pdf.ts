/** PDF files made to trouble whoever reads them; each names its order, so that they differ. */
import { createHash } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';

import { PdfFile, streamOf, textString } from './slip-pdf.ts';

/** A page as small as a page can be, in the half sheet of a slip. */
const PAGE = '/Type/Page/MediaBox[0 0 595 421]';

interface Layout {
  /** Writes what the root of the page tree holds, and gives its entries. */
  tree: (file: PdfFile, root: number) => string;
  /** The same for further entries of the catalog, and for those of the trailer. */
  catalog?: (file: PdfFile) => string;
  trailer?: (file: PdfFile) => string;
}

const nothing = (): string => '';

function fileOf(orderNo: string, { tree, catalog = nothing, trailer = nothing }: Layout): Buffer {
  const file = new PdfFile();
  const root = file.reserve();
  file.write(root, `<</Type/Pages${tree(file, root)}>>`);
  const top = file.add(`<</Type/Catalog/Pages ${root} 0 R${catalog(file)}>>`);
  const info = file.add(`<</Title${textString(orderNo)}>>`);
  return file.close(`/Root ${top} 0 R/Info ${info} 0 R${trailer(file)}`);
}

function addPage(file: PdfFile, parent: number, entries = ''): number {
  return file.add(`<<${PAGE}/Parent ${parent} 0 R${entries}>>`);
}

function kids(...nos: readonly number[]): string {
  return `/Kids[${nos.map((no) => `${no} 0 R`).join(' ')}]`;
}

const onePage: Layout['tree'] = (file, root) => `/Count 1${kids(addPage(file, root))}`;

export function noPagesPdf(orderNo: string): Buffer {
  return fileOf(orderNo, { tree: () => '/Count 0/Kids[]' });
}

export function pageCyclePdf(orderNo: string): Buffer {
  return fileOf(orderNo, {
    tree: (file, root) => {
      const inner = file.reserve();
      const page = addPage(file, inner);
      file.write(inner, `<</Type/Pages/Parent ${root} 0 R/Count 2${kids(page, root)}>>`);
      return `/Count 2${kids(inner)}`;
    },
  });
}

/** Every level doubles the walk: 2^40 steps. */
const TREE_LEVELS = 40;

export function pageTreeBombPdf(orderNo: string): Buffer {
  return fileOf(orderNo, {
    tree: (file, root) => {
      const node = `<</Type/Pages/Parent ${root} 0 R/Count 0`;
      let below = file.add(`${node}/Kids[]>>`);
      for (let level = 0; level < TREE_LEVELS; level++) below = file.add(`${node}${kids(below, below)}>>`);
      return `/Count 1${kids(addPage(file, root), below)}`;
    },
  });
}

/** What an object takes in the file, its place in the table of objects included. */
const OBJECT_BYTES = 56;

export function manyObjectsPdf(orderNo: string, bytes: number): Buffer {
  return fileOf(orderNo, {
    tree: (file, root) => {
      for (let left = bytes; left > 0; left -= OBJECT_BYTES) file.add('[[[0]]]');
      return onePage(file, root);
    },
  });
}

const HUGE_PAGE_COUNT = 10_000;

export function hugePageCountPdf(orderNo: string): Buffer {
  return fileOf(orderNo, {
    tree: (file, root) => {
      const pages = Array.from({ length: HUGE_PAGE_COUNT }, () => addPage(file, root));
      return `/Count ${pages.length}${kids(...pages)}`;
    },
  });
}

export function statedPageCountPdf(orderNo: string): Buffer {
  return fileOf(orderNo, { tree: (file, root) => `/Count 2000000000${kids(addPage(file, root))}` });
}

/** More than a recursive reader has stack for. */
const NESTING_DEPTH = 50_000;

export function deepNestingPdf(orderNo: string): Buffer {
  const nest = `${'['.repeat(NESTING_DEPTH)}${']'.repeat(NESTING_DEPTH)}`;
  return fileOf(orderNo, { tree: onePage, catalog: (file) => `/PieceInfo ${file.add(nest)} 0 R` });
}

/**
 * Encrypted by the standard handler of 1994, which every reader knows, under a password that nobody has: what only the
 * password would open is noise.
 */
export function encryptedPdf(orderNo: string): Buffer {
  const noise = (of: string): Buffer => createHash('sha256').update(`${of} ${orderNo}`).digest();
  const [owner, user] = ['owner', 'user'].map((of) => noise(of).toString('hex'));
  return fileOf(orderNo, {
    tree: (file, root) => {
      const content = file.add(streamOf('', noise('content')));
      return `/Count 1${kids(addPage(file, root, `/Contents ${content} 0 R`))}`;
    },
    trailer: (file) => {
      const lock = file.add(`<</Filter/Standard/V 1/R 2/O<${owner}>/U<${user}>/P -4>>`);
      return `/Encrypt ${lock} 0 R`;
    },
  });
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
