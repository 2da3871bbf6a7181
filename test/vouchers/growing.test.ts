/** A bundle that grows night by night: what is merged is what came, and it reads like one that is made at once. */
import { createHash } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { BundleMade } from '../../src/vouchers/bundle/bundle.ts';
import type { BundleEntry } from '../../src/vouchers/bundle/bundle-request.ts';
import { openMerger } from '../../src/vouchers/bundle/merger.ts';
import type { Merger } from '../../src/vouchers/bundle/merger.ts';
import { fc, runs } from '../helpers/properties.ts';
import { anEntry, bundle, GrowingBundle, inFolder, MemoryArchive } from './bundling.ts';
import { readBundle } from './read-bundle.ts';
import type { ReadBundle } from './read-bundle.ts';

let merger: Merger;
beforeAll(() => {
  merger = openMerger();
});
afterAll(async () => {
  await merger.close();
});

const PART = 'vouchers-100001-2026-03.pdf';
const PART_2 = 'vouchers-100001-2026-03-part02.pdf';

/** Deposits D1, D2 … a minute apart, each with a voucher of one page. */
async function deposits(archive: MemoryArchive, ...numbers: readonly number[]): Promise<BundleEntry[]> {
  return Promise.all(
    numbers.map(async (no) =>
      anEntry({
        orderNo: `D${no}`,
        movedAt: `2026-03-05T03:${String(no).padStart(2, '0')}:00.000Z`,
        files: [await archive.addSlip(`D${no}`)],
      }),
    ),
  );
}

/** What a reader sees: every page, bookmark, label and link. */
function seen({ pages, bookmarks, labels }: ReadBundle): Pick<ReadBundle, 'pages' | 'bookmarks' | 'labels'> {
  const isOwn = ({ width }: { width: number }): boolean => width > 500;
  // Our own pages show glyphs by numbers of a font that was cut to other characters.
  return { pages: pages.map((page) => (isOwn(page) ? { ...page, text: '' } : page)), bookmarks, labels };
}

async function expectLikeMadeAtOnce(
  grown: { folder: GrowingBundle; made: BundleMade },
  of: { archive: MemoryArchive; entries: readonly BundleEntry[]; filesPerPart?: number },
): Promise<void> {
  const { filesPerPart } = of;
  const request = filesPerPart === undefined ? {} : { filesPerPart };
  const whole = await bundle({ archive: of.archive, merger, entries: of.entries, request });
  expect(grown.made.places).toEqual(whole.made.places);
  expect((await grown.folder.read('index.csv')).toString('utf8')).toBe(whole.index);
  expect(grown.made.parts.map(({ name, pages, files }) => [name, pages, files])).toEqual(
    whole.made.parts.map(({ name, pages, files }) => [name, pages, files]),
  );
  for (const [at, { name }] of grown.made.parts.entries()) {
    const read = await readBundle(await grown.folder.read(name));
    expect(seen(read)).toEqual(seen(await readBundle(whole.parts[at] ?? new Uint8Array())));
  }
}

const begins = (bytes: Buffer, former: Buffer): boolean =>
  bytes.subarray(0, former.byteLength).equals(former) && bytes.byteLength > former.byteLength;

describe('a part that grows', () => {
  test('merges what came and nothing else; the former version is its beginning', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger });
      const entries = await deposits(archive, 1, 2, 3, 4, 5);
      expect(await folder.next(entries.slice(0, 3))).toMatchObject({ merged: 3, continued: [], kept: [] });
      const first = await folder.read(PART);
      // Originals that are held are not read again.
      for (const { files } of entries.slice(0, 3)) archive.contents.delete(files[0]?.sha256 ?? '');
      const made = await folder.next(entries);
      expect(made).toMatchObject({ merged: 2, continued: [PART], kept: [], faults: [] });
      const second = await folder.read(PART);
      expect(begins(second, first)).toBe(true);
      expect(made.parts[0]?.sha256).toBe(createHash('sha256').update(second).digest('hex'));
      await deposits(archive, 1, 2, 3);
      await expectLikeMadeAtOnce({ folder, made }, { archive, entries });
    });
  });

  test('shares fonts and logos with what it holds: six nights have as many as one', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger });
      const entries = await deposits(archive, 1, 2, 3, 4, 5, 6);
      for (let night = 1; night < entries.length; night += 1) await folder.next(entries.slice(0, night));
      const made = await folder.next(entries);
      const fonts = async (bytes: Uint8Array) => (await readBundle(bytes)).embedded;
      const whole = await bundle({ archive, merger, entries });
      expect(await fonts(await folder.read(PART))).toEqual(await fonts(whole.parts[0] ?? new Uint8Array()));
      expect(made.merged).toBe(1);
    });
  });

  test('a late voucher of an earlier day takes the place of the page that stood for it', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger });
      const entries = await deposits(archive, 1, 2, 3);
      const late = anEntry({ ...entries[1], files: [], missingReason: 'not ready' });
      const before = await folder.next(entries.map((entry, at) => (at === 1 ? late : entry)));
      expect(before).toMatchObject({ merged: 2, missing: 1 });
      const made = await folder.next(entries);
      expect(made).toMatchObject({ merged: 1, missing: 0, continued: [PART] });
      await expectLikeMadeAtOnce({ folder, made }, { archive, entries });
    });
  });

  test('an order that goes takes its pages along, and one that comes back brings the same', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger });
      const entries = await deposits(archive, 1, 2, 3);
      await folder.next(entries);
      const without = entries.filter((_, at) => at !== 1);
      const made = await folder.next(without);
      expect(made).toMatchObject({ merged: 0, continued: [PART] });
      await expectLikeMadeAtOnce({ folder, made }, { archive, entries: without });
      const again = await folder.next(entries);
      expect(again.merged).toBe(0);
      await expectLikeMadeAtOnce({ folder, made: again }, { archive, entries });
    });
  });
});

describe('parts that are full', () => {
  test('stay as they are while the last one grows', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger, request: { filesPerPart: 2 } });
      const entries = await deposits(archive, 1, 2, 3, 4);
      expect(await folder.next(entries.slice(0, 3))).toMatchObject({ merged: 3 });
      const made = await folder.next(entries);
      expect(made).toMatchObject({ merged: 1, kept: [PART], continued: [PART, PART_2] });
      await expectLikeMadeAtOnce({ folder, made }, { archive, entries, filesPerPart: 2 });
    });
  });

  test('a late order of an earlier day moves one order on, from each part to the next', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger, request: { filesPerPart: 2 } });
      const entries = await deposits(archive, 1, 2, 3, 4, 5);
      await folder.next(entries.filter((_, at) => at !== 1));
      const made = await folder.next(entries);
      // D2 into the first part, D3 into the second, and D5 into a third.
      expect(made).toMatchObject({ merged: 3, kept: [], continued: [PART, PART_2] });
      await expectLikeMadeAtOnce({ folder, made }, { archive, entries, filesPerPart: 2 });
    });
  });
});

/** As a process that died adds them, with 64 MB of nothing. */
async function addHeavyNotes(file: string): Promise<void> {
  const former = await readFile(file);
  const end = former.toString('latin1', former.byteLength - 512);
  const trailer = end.slice(end.lastIndexOf('trailer\n'));
  const at = Number(/RECON_Notes \[(\d+) /.exec(trailer)?.[1]);
  const notes = deflateSync(JSON.stringify({ form: 1, before: { at, bytes: 1 }, none: ' '.repeat(2 ** 26) }));
  const place = `/RECON_Notes [${former.byteLength} ${notes.byteLength}]`;
  await appendFile(
    file,
    Buffer.concat([notes, Buffer.from(trailer.replace(/\/RECON_Notes \[.*?\]/, place))]),
  );
}

describe('a part is made anew', () => {
  const changes: readonly [string, (file: string) => Promise<void>][] = [
    ['where it was changed', (file) => writeFile(file, 'something else')],
    ['where somebody added to it, a signature for instance', (file) => appendFile(file, '% signed\n')],
    ['where what was added unpacks to more than notes of a part ever do', addHeavyNotes],
    ['where it is empty', (file) => writeFile(file, '')],
    ['where it is gone', (file) => rm(file)],
  ];
  test.each(changes)('%s', async (_, change) => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger });
      const entries = await deposits(archive, 1, 2, 3);
      await folder.next(entries.slice(0, 2));
      await change(path.join(place, PART));
      const made = await folder.next(entries);
      expect(made).toMatchObject({ merged: 3, continued: [], kept: [] });
      await expectLikeMadeAtOnce({ folder, made }, { archive, entries });
    });
  });
});

test('what a process that died had added is dropped: the part goes on from what is on record', async () => {
  await inFolder(async (place) => {
    const archive = new MemoryArchive();
    const folder = new GrowingBundle(place, { archive, merger });
    const dead = new GrowingBundle(place, { archive, merger });
    const entries = await deposits(archive, 1, 2, 3);
    await dead.next(entries.slice(0, 1));
    await folder.next(entries.slice(0, 1));
    const first = await folder.read(PART);
    await dead.next(entries.slice(0, 2));
    expect(begins(await folder.read(PART), first)).toBe(true);
    const made = await folder.next(entries);
    expect(made).toMatchObject({ merged: 2, continued: [PART] });
    await expectLikeMadeAtOnce({ folder, made }, { archive, entries });
  });
});

test('property: whatever comes, goes and comes late, the bundle reads like one that is made at once', async () => {
  const night = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(night, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 2, max: 9 }),
      async (nights, filesPerPart) => {
        await inFolder(async (place) => {
          const archive = new MemoryArchive();
          const all = await deposits(archive, ...Array.from({ length: 12 }, (_, at) => at + 1));
          const folder = new GrowingBundle(place, { archive, merger, request: { filesPerPart } });
          for (const chosen of nights) {
            const [shown, without] = [new Set(chosen), Math.min(...chosen)];
            const entries = all
              .filter((_, at) => shown.has(at + 1))
              .map((entry, at) => (at === without % 3 ? { ...entry, files: [] } : entry));
            const made = await folder.next(entries);
            await expectLikeMadeAtOnce({ folder, made }, { archive, entries, filesPerPart });
          }
        });
      },
    ),
    { numRuns: runs(10) },
  );
}, 240_000);
