/** Pictures that ask a viewer for gigabytes: within a content, however it is spelt, and by what their own data say. */
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { openChecker } from '../../src/vouchers/check/check.ts';
import type { Checker } from '../../src/vouchers/check/check.ts';
import { CATALOG, ONE_PAGE, page, rawPdf, rawStream } from './slips.ts';

let checker: Checker;
beforeAll(() => {
  checker = openChecker({ clock: systemClock(), timeoutMs: 20_000 });
});
afterAll(() => checker.close());

function contentOf(entries: string, ...pieces: readonly (string | Uint8Array)[]): Uint8Array {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  const content = entries === '' ? bytes : deflateSync(bytes);
  return rawPdf([CATALOG, ONE_PAGE, page('/Contents 4 0 R'), rawStream(entries, content)]);
}

function pictureOf(entries: string, bytes: Uint8Array): Uint8Array {
  const picture = rawStream(`/Type /XObject /Subtype /Image /Width 9 ${entries}`, bytes);
  return rawPdf([CATALOG, ONE_PAGE, page('/Resources << /XObject << /X 4 0 R >> >>'), picture]);
}

const u16 = (number: number): number[] => [number >> 8, number & 0xff];
const u32 = (number: number): number[] => [...u16(number >>> 16), ...u16(number & 0xffff)];

/** A comment, a progressive frame of that size, and no scan. */
function jpeg(width: number, height: number): Uint8Array {
  const frame = [0xff, 0xc2, ...u16(11), 8, ...u16(height), ...u16(width), 1, 1, 0x11, 0];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xfe, ...u16(4), 0xff, 0xc0, ...frame, 0xff, 0xd9]);
}

function jpeg2000(width: number, height: number): Uint8Array {
  const box = [...u32(8), ...Buffer.from('jp2c')];
  return Uint8Array.from([
    ...box,
    0xff,
    0x4f,
    0xff,
    0x51,
    0,
    47,
    0,
    0,
    ...[width, height, 0, 0].flatMap(u32),
  ]);
}

/** A dictionary of nothing, then the page. */
function jbig2(width: number, height: number): Uint8Array {
  const dictionary = [...u32(0), 0, 0, 1, ...u32(2), 7, 7];
  return Uint8Array.from([...dictionary, ...u32(1), PAGE, 0, 1, ...u32(19), ...u32(width), ...u32(height)]);
}
const PAGE = 48;

/** 200 MB. */
const ZEROS = deflateSync(Buffer.alloc(200_000_000), { level: 9 });
const EXCESSIVE = 'hostile: it holds a picture of excessive size';
const TOO_MUCH = 'hostile: it unpacks to more than 128 MB';
const AGAIN = 'hostile: it is packed in an unusual way: a picture in a content is packed again and again';

test.each<[string, () => Uint8Array, string]>([
  ['without a blank', () => contentOf('', 'BI/W 9/H 9/F[/Fl/Fl/Fl]ID x EI'), AGAIN],
  ['without a blank, as large', () => contentOf('', 'BI/W 99999/H 99999/F/Fl ID x EI'), EXCESSIVE],
  ['before a comment', () => contentOf('', 'BI%\n/W 99999/H 99999 ID x EI'), EXCESSIVE],
  ['with names in digits', () => contentOf('', 'BI /#57 99999 /#48 99999 ID x EI'), EXCESSIVE],
  [
    'with its entries far away',
    () => contentOf('', `BI${' '.repeat(9_000)}/W 99999 /H 99999 ID x EI`),
    EXCESSIVE,
  ],
  ['packed twice', () => contentOf('', 'BI /W 9 /H 9 /F [/Fl /Fl] ID ', deflateSync(ZEROS), ' EI'), TOO_MUCH],
  [
    'packed once, in a content that is packed',
    () => contentOf('/Filter /FlateDecode', 'BI /W 9 /H 9 /Filter /FlateDecode ID ', ZEROS, ' EI'),
    TOO_MUCH,
  ],
  [
    'as a fax, in parameters under a short key',
    () => contentOf('', 'BI /W 9 /H 9 /F /CCF /DP << /Columns 99999 /Rows 99999 >> ID x EI'),
    EXCESSIVE,
  ],
  ['as a JPEG', () => contentOf('', 'BI /W 9 /H 9 /F /DCT ID ', jpeg(65_000, 65_000), ' EI'), EXCESSIVE],
])('a picture within a content is no bomb %s', async (_name, made, expected) => {
  const { condition, remark } = await checker.check(made());
  expect(`${condition}: ${remark}`).toBe(expected);
});

test.each<[string, () => Uint8Array]>([
  ['JPEG', () => pictureOf('/Height 9 /Filter /DCTDecode', jpeg(65_000, 65_000))],
  ['JPEG that tells its height later', () => pictureOf('/Height 9 /Filter /DCTDecode', jpeg(65_000, 0))],
  [
    'JPEG that is packed',
    () => pictureOf('/Height 9 /Filter [/FlateDecode /DCTDecode]', deflateSync(jpeg(65_000, 65_000))),
  ],
  ['JPEG 2000', () => pictureOf('/Height 9 /Filter /JPXDecode', jpeg2000(100_000, 100_000))],
  ['JBIG2', () => pictureOf('/Height 9 /Filter /JBIG2Decode', jbig2(100_000, 100_000))],
])('a %s is not larger than its dictionary says', async (_name, made) => {
  const { condition, remark } = await checker.check(made());
  expect(`${condition}: ${remark}`).toBe(EXCESSIVE);
});

const DOTS = deflateSync(Buffer.alloc(81, 7));

test.each<[string, () => Uint8Array]>([
  [
    'within a content, with more after it',
    () =>
      contentOf(
        '/Filter /FlateDecode',
        'q BI /W 9 /H 9 /BPC 8 /CS /G /F [/Fl] ID\r\n',
        DOTS,
        '\nEI Q 0 0 9 9 re f',
      ),
  ],
  [
    'within a content, not packed',
    () => contentOf('', 'BI /W 8 /H 2 /IM true /D [1 0] ID ab EI 0 0 9 9 re f'),
  ],
  ['that is none but a text', () => contentOf('', 'BT /A 9 Tf (the BI of 2026 /W 99999 and ID ) Tj ET')],
  ['of a usual size, as a JPEG', () => pictureOf('/Height 9 /Filter /DCTDecode', jpeg(2_480, 3_508))],
  [
    'of a usual size, as a JPEG 2000',
    () => pictureOf('/Height 9 /Filter /JPXDecode', jpeg2000(2_480, 3_508)),
  ],
  [
    'of a usual size, as a JBIG2',
    () => pictureOf('/Height 9 /Filter /JBIG2Decode', jbig2(2_480, 0xffff_ffff)),
  ],
])('a picture %s is whole', async (_name, made) => {
  const { condition, remark } = await checker.check(made());
  expect(`${condition}: ${remark}`).toBe('whole: ');
});
