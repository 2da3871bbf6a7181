/** What is packed again and again, by other names or in other places: nothing of it is opened, nor handed on. */
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../src/core/clock.ts';
import { openChecker } from '../../src/vouchers/check/check.ts';
import type { Checker } from '../../src/vouchers/check/check.ts';
import { openMerger } from '../../src/vouchers/bundle/merger.ts';
import { CHECK_MEMORY_MB, MERGER_HEAP_MB } from '../../src/vouchers/check/worker-process.ts';
import { anEntry, bundle, MemoryArchive } from './bundling.ts';
import { readBundle } from './read-bundle.ts';
import { CATALOG, ONE_PAGE, page, rawPdf, rawStream, slip } from './slips.ts';

let checker: Checker;
beforeAll(() => {
  checker = openChecker({ clock: systemClock(), timeoutMs: 20_000 });
});
afterAll(() => checker.close());

const ZEROS = deflateSync(Buffer.alloc(200_000_000), { level: 9 });
/** 200 MB in less than a kilobyte. */
const TWICE = deflateSync(ZEROS, { level: 9 });
const hex = (bytes: Uint8Array): Buffer => Buffer.from(`${Buffer.from(bytes).toString('hex')}>`);
const PACKED = deflateSync(Buffer.from('0 0 9 9 re f'));

function contentOf(
  entries: string,
  bytes: Uint8Array,
  ...more: readonly (string | Uint8Array)[]
): Uint8Array {
  return rawPdf([CATALOG, ONE_PAGE, page('/Contents 4 0 R'), rawStream(entries, bytes), ...more]);
}

function pictureOf(entries: string, bytes: Uint8Array): Uint8Array {
  const picture = rawStream(`/Type /XObject /Subtype /Image /Width 9 /Height 9 ${entries}`, bytes);
  return rawPdf([CATALOG, ONE_PAGE, page('/Resources << /XObject << /X 4 0 R >> >>'), picture]);
}

const TOO_MUCH = 'hostile: it unpacks to more than 128 MB';
const EXCESSIVE = 'hostile: it holds a picture of excessive size';
const unusual = (what: string): string => `hostile: it is packed in an unusual way: ${what}`;

test.each<[string, () => Uint8Array, string]>([
  ['packed twice', () => contentOf('/Filter [/FlateDecode /FlateDecode]', TWICE), TOO_MUCH],
  [
    'written as digits first',
    () => contentOf('/Filter [/ASCIIHexDecode /FlateDecode]', hex(ZEROS)),
    TOO_MUCH,
  ],
  [
    'behind a reference',
    () => contentOf('/Filter 5 0 R', TWICE, '[/FlateDecode 6 0 R]', '/FlateDecode'),
    TOO_MUCH,
  ],
  [
    'in what a picture refers to',
    () =>
      rawPdf([
        CATALOG,
        ONE_PAGE,
        page('/Resources << /XObject << /X 4 0 R >> >>'),
        rawStream(
          '/Type /XObject /Subtype /Image /Width 9 /Height 9 /Filter /JBIG2Decode /DecodeParms << /JBIG2Globals 5 0 R >>',
          Buffer.from('x'),
        ),
        rawStream('/Filter [/FlateDecode /FlateDecode]', TWICE),
      ]),
    TOO_MUCH,
  ],
  ['under a short name', () => contentOf('/Filter /Fl', ZEROS), unusual('a stream is packed by Fl')],
  ['under a name spelt in digits', () => contentOf('/Filter /#46lateDecode', ZEROS), TOO_MUCH],
  [
    'under the key that viewers know as another',
    () => contentOf('/F /FlateDecode', ZEROS),
    unusual('a stream says F'),
  ],
  [
    'with parameters under a short key',
    () => contentOf('/Filter /FlateDecode /DP << /Predictor 15 >>', PACKED),
    unusual('a stream says DP'),
  ],
  ['by what nobody knows', () => contentOf('/Filter /Crypt', PACKED), unusual('a stream is packed by Crypt')],
  [
    'in a list within a list',
    () => contentOf('/Filter [[/FlateDecode]]', PACKED),
    unusual('a stream is packed by nothing'),
  ],
  [
    'five times',
    () => contentOf(`/Filter [${'/FlateDecode '.repeat(5)}]`, PACKED),
    unusual('a stream is packed 5 times'),
  ],
  [
    'with rows of two billion',
    () => contentOf('/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2000000000 >>', PACKED),
    EXCESSIVE,
  ],
  [
    'with rows of two billion, in a list, behind references',
    () =>
      contentOf('/Filter [/FlateDecode] /DecodeParms [5 0 R]', PACKED, '<< /Columns 6 0 R >>', '2000000000'),
    EXCESSIVE,
  ],
  [
    'as a fax of ten billion dots',
    () =>
      pictureOf('/Filter /CCITTFaxDecode /DecodeParms << /Columns 100000 /Rows 100000 >>', Buffer.from('x')),
    EXCESSIVE,
  ],
  [
    'with parameters nobody knows',
    () => contentOf('/Filter /FlateDecode /DecodeParms << /Bomb 5 0 R >>', PACKED, rawStream('', ZEROS)),
    unusual('a filter has the parameter Bomb'),
  ],
  [
    'as a picture before it is packed',
    () => pictureOf('/Filter [/DCTDecode /FlateDecode]', ZEROS),
    unusual('a picture is packed as no picture'),
  ],
  [
    'in a picture within a content',
    () => contentOf('', Buffer.from('BI /W 9 /H 9 /F [/Fl /Fl /Fl] ID x EI')),
    unusual('a picture in a content is packed again and again'),
  ],
  [
    'as a picture within a content',
    () => contentOf('', Buffer.from('BI /W 99999 /H 99999 /BPC 8 /F /Fl ID x EI')),
    EXCESSIVE,
  ],
  [
    'as 1.4 million dictionaries on a page',
    () =>
      rawPdf([
        CATALOG,
        ONE_PAGE,
        page(`/Resources << /Properties << /P [${'<<>>'.repeat(1_400_000)}] >> >>`),
      ]),
    'hostile: it holds more than 250000 objects',
  ],
  [
    'as 3.5 million lists on a page',
    () => rawPdf([CATALOG, ONE_PAGE, page(`/Resources << /ProcSet [${'[]'.repeat(3_500_000)}] >>`)]),
    'hostile: it holds more than 250000 objects',
  ],
])('a bomb %s is known for one', async (_name, made, expected) => {
  const { condition, remark } = await checker.check(made());
  expect(`${condition}: ${remark}`).toBe(expected);
});

test.each<[string, () => Uint8Array]>([
  ['in digits', () => contentOf('/Filter [/ASCIIHexDecode /FlateDecode]', hex(PACKED))],
  ['with rows', () => contentOf('/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>', PACKED)],
  ['not at all', () => contentOf('', Buffer.from('0 0 9 9 re f'))],
  ['by parameters that are nothing', () => contentOf('/Filter [/FlateDecode] /DecodeParms [null]', PACKED)],
])('what is packed %s, as tools do it, is whole', async (_name, made) => {
  expect((await checker.check(made())).condition).toBe('whole');
});

test('what the check lets through fits the merger well', () => {
  expect(2 * CHECK_MEMORY_MB).toBeLessThan(MERGER_HEAP_MB);
});

test('a merger that dies of a file leaves out that file, wherever it is, and merges all others', async () => {
  const archive = new MemoryArchive();
  // 240,000 dictionaries pass the check and need more than the heap that this merger is given.
  const heavy = archive.add(
    rawPdf([CATALOG, ONE_PAGE, page(`/Resources << /Properties << /P [${'<<>>'.repeat(240_000)}] >> >>`)]),
  );
  const sound = await Promise.all(['D1', 'D2', 'D3'].map((marker) => archive.addSlip(marker)));
  const entries = [sound[0], heavy, sound[1], heavy, sound[2]].map((file, at) =>
    anEntry({ orderNo: `D${at}`, files: file === undefined ? [] : [file] }),
  );
  // Node ends the process itself where a thread is given the second of these heaps.
  const [weak, other] = [openMerger(60), openMerger(50)];
  try {
    for (const merger of [weak, weak, other]) {
      const { made, index, parts } = await bundle({ archive, merger, entries });
      const statuses = index
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((row) => row.split(',').at(-2));
      expect(statuses).toEqual(['merged', 'hostile', 'merged', 'hostile', 'merged']);
      expect(made.judged).toEqual([
        { sha256: heavy.sha256, condition: 'hostile', remark: 'it made the merging fail' },
      ]);
      expect((await readBundle(parts[0] ?? new Uint8Array())).pages).toHaveLength(7);
    }
  } finally {
    await Promise.all([weak.close(), other.close()]);
  }
});

test('a file that is given up in the middle leaves nothing behind that a viewer stumbles over', async () => {
  const archive = new MemoryArchive();
  // It refers to itself before it comes to what is not fit.
  const looping = rawPdf([
    CATALOG,
    ONE_PAGE,
    page('/Resources 4 0 R'),
    '<< /XObject << /X 5 0 R >> /Properties << /P 4 0 R >> >>',
    rawStream('/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources 4 0 R /Filter /Crypt', PACKED),
  ]);
  const entries = [await archive.addSlip('D1'), archive.add(looping)].map((file, at) =>
    anEntry({ orderNo: `D${at}`, files: [file] }),
  );
  const { index } = await bundle({ archive, entries });
  expect(index).toMatch(/,hostile,\r\n$/);
});

const ACTIVE = '% /JavaScript /OpenAction /Launch /JS \n0 0 9 9 re f';
const FLAGGED =
  /\/(?:JS|JavaScript|OpenAction|AA|Launch|URI|EmbeddedFiles?|SubmitForm|RichMedia|XFA|AcroForm)\b/;

test('a bundle holds no name that scanners look for, however inert', async () => {
  const inert =
    '/JS (app.alert\\(1\\)) /OpenAction 7 0 R /Launch (calc) /URI (http://evil.example) /AA << /O 7 0 R >>';
  const archive = new MemoryArchive();
  const file = archive.add(
    rawPdf([
      `<< /Type /Catalog /Pages 2 0 R /Names << /Dests << /Names [(a) << ${inert} >>] >> >> >>`,
      ONE_PAGE,
      page(
        `/Contents 4 0 R /Group << /S /Transparency ${inert} >> /Resources << ${inert} /Unknown << /Font << ${inert} >> >> ` +
          `/Font << /A 5 0 R /B (/JavaScript) >> /Properties << /P << /ActualText (/JS /OpenAction) ${inert} >> >> >>`,
      ),
      rawStream('', Buffer.from('% /JS /Launch\nBT /A 12 Tf 40 200 Td (ACTIVE 1/1) Tj ET')),
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Tree << /Kids [<< ${inert} >>] /Names [(x) 6 0 R] >> >>`,
      `<< ${inert} >>`,
      '<< /S /JavaScript /JS (x) >>',
    ]),
  );
  const { parts } = await bundle({ archive, entries: [anEntry({ files: [file] })] });
  expect(FLAGGED.exec(Buffer.from(parts[0] ?? []).toString('latin1'))).toBeNull();
  expect((await readBundle(parts[0] ?? new Uint8Array())).pages[2]?.text).toBe('ACTIVE 1/1');
});

test.each<[string, () => Uint8Array]>([
  [
    'a content that is packed as it stands',
    () => contentOf('/Filter /FlateDecode', deflateSync(Buffer.from(ACTIVE), { level: 0 })),
  ],
  // It begins with a comment sign, so that what the letters stand for is a comment.
  ['a content in letters', () => contentOf('/Filter /ASCII85Decode', Buffer.from(',p4<Q/Launch /JS ~>'))],
  [
    'the comment of a picture',
    () => pictureOf('/Filter [/DCTDecode] /DecodeParms [<< /ColorTransform 1 >>]', Buffer.from(ACTIVE)),
  ],
  [
    'a picture of noise that nothing packs',
    () => pictureOf('', Buffer.concat([randomBytes(60_000), Buffer.from(ACTIVE), randomBytes(60_000)])),
  ],
])('nor in %s', async (_name, made) => {
  const archive = new MemoryArchive();
  const { parts, index } = await bundle({ archive, entries: [anEntry({ files: [archive.add(made())] })] });
  expect(index).toMatch(/,merged,\r\n$/);
  expect(FLAGGED.exec(Buffer.from(parts[0] ?? []).toString('latin1'))).toBeNull();
  await readBundle(parts[0] ?? new Uint8Array());
});

test('a font that is called as an action is has no other name: a page stands for the file', async () => {
  const called = rawPdf([
    CATALOG,
    ONE_PAGE,
    page('/Resources << /Font << /JavaScript 4 0 R >> >>'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
  const { condition, remark } = await checker.check(called);
  expect([condition, remark]).toEqual([
    'hostile',
    'it calls a thing that is drawn JavaScript, as if it acted',
  ]);
});

test('slips are whole as before', async () => {
  expect((await checker.check(await slip({ marker: 'D1', pages: 3 }))).condition).toBe('whole');
});
