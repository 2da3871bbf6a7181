/**
 * Files nobody should have to open (I6–I8, P18), made by code: what each is, and what becomes of it. Remarks name both
 * limits of the thread where either may be the first.
 */
import { constants, deflateRawSync, deflateSync } from 'node:zlib';

import { activePdf } from './active-pdf.ts';
import { CATALOG, ONE_PAGE, page, rawPdf, rawStream, slip } from './slips.ts';
import type { VoucherCondition } from '../../src/store/schema/schema-vouchers.ts';

export interface HostileFile {
  name: string;
  bytes: () => Uint8Array | Promise<Uint8Array>;
  condition: VoucherCondition;
  remark: RegExp;
  pages?: number;
}

const END = '\n%%EOF\n';
const text = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');
const joined = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts);
const sound = (): Promise<Uint8Array> => slip({ marker: 'D1' });
/** So many megabytes of zeros, packed: the same block again and again, because packing a gigabyte takes half a minute. */
function packedZeros(megabytes: number): Uint8Array {
  const block = deflateRawSync(Buffer.alloc(1_048_576), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const last = [0x03, 0x00, 0, 0, 0, 0];
  return joined(
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: megabytes }, () => block),
    Buffer.from(last),
  );
}
/** The pointer at the end leads there instead. */
function beginningAt(marker: string, pdf: Uint8Array): Uint8Array {
  const latin1 = Buffer.from(pdf).toString('latin1');
  return text(latin1.replace(/startxref\n\d+/, `startxref\n${latin1.indexOf(marker)}`));
}
const content = rawStream('', text('BT ET'));

/** Object streams whose unpacking takes a gigabyte: 1 MB on the wire. */
function objectStreamBomb(): Uint8Array {
  const bomb = rawStream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packedZeros(1_000));
  return rawPdf([CATALOG, ONE_PAGE, page('/Contents 5 0 R'), bomb, content]);
}

/** Resources nested as a chain of objects. */
function longChain(links: number): Uint8Array {
  const chain = Array.from({ length: links }, (_, at) => `<< /Function ${at + 5} 0 R >>`);
  return rawPdf([CATALOG, ONE_PAGE, page('/Resources << /Properties << /P 4 0 R >> >>'), ...chain, '<< >>']);
}

function manyPages(count: number): Uint8Array {
  const kids = Array.from({ length: count }, () => '3 0 R').join(' ');
  return rawPdf([CATALOG, `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, page('')]);
}

const NO_PDF: readonly HostileFile[] = [
  {
    name: 'an HTML page',
    bytes: () => text(`<!doctype html><h1>502 Bad Gateway</h1>${END}`),
    condition: 'rejected',
    remark: /does not begin/,
  },
  {
    name: 'a program with a PDF behind it',
    bytes: async () => joined(text('MZ\x90\x00'), await sound()),
    condition: 'rejected',
    remark: /does not begin/,
  },
  {
    name: 'a file cut off in the middle',
    bytes: async () => (await sound()).slice(0, 900),
    condition: 'rejected',
    remark: /does not end/,
  },
  {
    name: 'an archive behind the end',
    bytes: async () => joined(await sound(), text('PK\x03\x04 payload')),
    condition: 'rejected',
    remark: /follows its end/,
  },
  {
    name: '5 MB of A behind the end',
    bytes: async () => joined(await sound(), Buffer.alloc(5_000_000, 'A')),
    condition: 'rejected',
    remark: /follows its end/,
  },
];

const SLOW_OR_LARGE: readonly HostileFile[] = [
  {
    name: '4 MB of words before the first object',
    bytes: () => text(`%PDF-1.7\n${'a '.repeat(2_000_000)}${END}`),
    condition: 'damaged',
    remark: /no catalog/,
  },
  {
    name: 'an object stream of 1 GB',
    bytes: objectStreamBomb,
    condition: 'hostile',
    remark: /unpacks to more than 128 MB|more than 256 MB/,
  },
  {
    name: 'a cross-reference stream that lists a billion objects',
    bytes: () =>
      beginningAt(
        '4 0 obj',
        rawPdf([
          CATALOG,
          ONE_PAGE,
          page('/Contents 5 0 R'),
          rawStream('/Type /XRef /Size 1000000000 /W [1 1 1] /Index [0 1000000000]', Buffer.alloc(30)),
          content,
        ]),
      ),
    condition: 'whole',
    remark: /^$/,
    pages: 1,
  },
  {
    name: '200,000 page references',
    bytes: () => manyPages(200_000),
    condition: 'hostile',
    remark: /more than 200 pages|within 3 s/,
  },
  { name: '201 pages', bytes: () => manyPages(201), condition: 'hostile', remark: /more than 200 pages/ },
  {
    name: 'a page content of 1 GB',
    bytes: () =>
      rawPdf([
        CATALOG,
        ONE_PAGE,
        page('/Contents 4 0 R'),
        rawStream('/Filter /FlateDecode', packedZeros(1_000)),
      ]),
    condition: 'hostile',
    remark: /unpacks to more than 128 MB|more than 256 MB|within 3 s/,
  },
  {
    name: 'a picture of a hundred thousand by a hundred thousand',
    bytes: () =>
      rawPdf([
        CATALOG,
        ONE_PAGE,
        page('/Resources << /XObject << /X 4 0 R >> >>'),
        rawStream(
          '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /Filter /CCITTFaxDecode',
          text('x'),
        ),
      ]),
    condition: 'hostile',
    remark: /picture of excessive size/,
  },
];

const LOOPS: readonly HostileFile[] = [
  {
    name: 'a page tree that is its own child',
    bytes: () => rawPdf([CATALOG, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']),
    condition: 'hostile',
    remark: /leads back to itself/,
  },
  {
    name: 'a page tree of two nodes that hold each other',
    bytes: () =>
      rawPdf([CATALOG, '<< /Type /Pages /Kids [3 0 R] >>', '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] >>']),
    condition: 'hostile',
    remark: /leads back to itself/,
  },
  {
    name: 'resources of 1,000 links',
    bytes: () => longChain(1_000),
    condition: 'hostile',
    remark: /nested too deeply/,
  },
  {
    name: 'an array 100,000 deep',
    bytes: () =>
      rawPdf([CATALOG, ONE_PAGE, page('/Group 4 0 R'), `${'['.repeat(100_000)}${']'.repeat(100_000)}`]),
    condition: 'damaged',
    remark: /cannot be read/,
  },
  {
    name: 'resources that refer to themselves',
    bytes: () => rawPdf([CATALOG, ONE_PAGE, page('/Resources 4 0 R'), '<< /Properties << /P 4 0 R >> >>']),
    condition: 'whole',
    remark: /^$/,
    pages: 1,
  },
];

const BROKEN: readonly HostileFile[] = [
  {
    name: 'an encrypted file',
    bytes: () =>
      rawPdf(
        [CATALOG, ONE_PAGE, page(''), '<< /Filter /Standard /V 1 /R 2 /O (x) /U (y) /P -4 >>'],
        '/Encrypt 4 0 R',
      ),
    condition: 'encrypted',
    remark: /encrypted/,
  },
  {
    name: 'a file without a page',
    bytes: () => rawPdf([CATALOG, '<< /Type /Pages /Kids [] /Count 0 >>']),
    condition: 'damaged',
    remark: /no page/,
  },
  {
    name: 'nothing between beginning and end',
    bytes: () => text(`%PDF-1.7${END}`),
    condition: 'damaged',
    remark: /no catalog|cannot be read/,
  },
  {
    name: 'a cut file that was given an end again',
    bytes: async () => joined((await sound()).slice(0, 900), text(END)),
    condition: 'damaged',
    remark: /./,
  },
  {
    name: 'a page that is not there',
    bytes: () => rawPdf([CATALOG, '<< /Type /Pages /Kids [9 0 R] /Count 1 >>']),
    condition: 'damaged',
    remark: /a page is missing/,
  },
  {
    name: 'a content that is not there',
    bytes: () => rawPdf([CATALOG, ONE_PAGE, page('/Contents 9 0 R')]),
    condition: 'damaged',
    remark: /content of a page is missing/,
  },
  {
    name: 'a content that does not unpack',
    bytes: () =>
      rawPdf([
        CATALOG,
        ONE_PAGE,
        page('/Contents 4 0 R'),
        rawStream('/Filter /FlateDecode', text('rubbish')),
      ]),
    condition: 'damaged',
    remark: /cannot be unpacked/,
  },
  {
    name: 'a content whose last half is gone',
    bytes: () => {
      const packed = deflateSync(Buffer.from('0 0 m 10 10 l S\n'.repeat(500)));
      const half = rawStream('/Filter /FlateDecode', packed.subarray(0, packed.byteLength / 2));
      return rawPdf([CATALOG, ONE_PAGE, page('/Contents 4 0 R'), half]);
    },
    condition: 'damaged',
    remark: /cannot be unpacked/,
  },
  {
    name: 'a page without a size',
    bytes: () => rawPdf([CATALOG, ONE_PAGE, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 0 0] >>']),
    condition: 'damaged',
    remark: /no size/,
  },
];

/** Files that act: they open, and the merged copy is made inert. */
const ACTIVE: readonly HostileFile[] = [
  {
    name: 'a file that runs, opens, sends and carries',
    bytes: () => activePdf(),
    condition: 'whole',
    remark: /^$/,
    pages: 1,
  },
];

export const CORPUS: readonly HostileFile[] = [...NO_PDF, ...SLOW_OR_LARGE, ...LOOPS, ...BROKEN, ...ACTIVE];
