/** The merged copy: inert, with equal objects once, made in a thread; and what happens when the disk is full. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Stopped } from '../../src/core/errors.ts';
import { diskFiles } from '../../src/core/files.ts';
import { writeBundle } from '../../src/vouchers/bundle/bundle.ts';
import { openMerger } from '../../src/vouchers/bundle/merger.ts';
import type { Merger } from '../../src/vouchers/bundle/merger.ts';
import { anEntry, bundle, inFolder, MemoryArchive, requestOf, worldOf } from './bundling.ts';
import { activePdf } from './active-pdf.ts';
import { CORPUS } from './corpus.ts';
import { readBundle } from './read-bundle.ts';
import { CATALOG, ONE_PAGE, page, rawPdf, rawStream } from './slips.ts';

let merger: Merger;
beforeAll(() => {
  merger = openMerger();
});
afterAll(async () => {
  await merger.close();
});

async function merged(...files: Uint8Array[]): Promise<Awaited<ReturnType<typeof readBundle>>> {
  const archive = new MemoryArchive();
  const entries = files.map((bytes, at) => anEntry({ orderNo: `D${at}`, files: [archive.add(bytes)] }));
  const { parts } = await bundle({ archive, merger, entries });
  return readBundle(parts[0] ?? new Uint8Array());
}

describe('I6: the merged copy', () => {
  test('runs, opens, sends and carries nothing; its text and the look of its form field stay', async () => {
    const { pages, names } = await merged(activePdf());
    expect(pages[2]?.text).toBe('ACTIVE 1/1');
    expect(pages[2]?.annotations).toEqual(['Stamp']);
    const active = [
      'AA',
      'JavaScript',
      'Launch',
      'OpenAction',
      'URI',
      'SubmitForm',
      'EmbeddedFile',
      'EmbeddedFiles',
    ];
    const tied = [
      'Filespec',
      'EF',
      'FS',
      'AcroForm',
      'XFA',
      'Metadata',
      'PieceInfo',
      'Widget',
      'FileAttachment',
    ];
    expect([...active, ...tied].filter((name) => names.has(name))).toEqual([]);
    // The content calls its fonts so; as names of resources they do nothing.
    expect(['A', 'F'].every((name) => names.has(name))).toBe(true);
  });

  test('shows hidden layers as hidden, and never shares them between files', async () => {
    const layered = rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >> >>',
      ONE_PAGE,
      page('/Contents 4 0 R /Resources << /Properties << /L 5 0 R >> >>'),
      rawStream('', Buffer.from('/OC /L BDC EMC')),
      '<< /Type /OCG /Name (copy) >>',
    ]);
    const shown = Buffer.from(Buffer.from(layered).toString('latin1').replace('/OFF', '/NON'), 'latin1');
    const { layers, pages } = await merged(layered, shown);
    expect(layers).toEqual({ all: 2, off: 1 });
    expect(pages).toHaveLength(4);
  });

  test('drawn marks keep their drawing and lose their action', async () => {
    const marked = rawPdf([
      CATALOG,
      ONE_PAGE,
      page(
        '/Annots [<< /Type /Annot /Subtype /Square /Rect [1 1 9 9] /C [1 0 0] /A << /S /Named /N /Print >> >>]',
      ),
    ]);
    const { pages, names } = await merged(marked);
    expect(pages[2]?.annotations).toEqual(['Square']);
    expect(names.has('Named')).toBe(false);
  });

  test('what all vouchers share is written once: a hundred slips have as many fonts and logos as one', async () => {
    const archive = new MemoryArchive();
    const slips = await Promise.all(Array.from({ length: 100 }, (_, at) => archive.addSlip(`D${at}`)));
    const files = slips.map(({ sha256 }) => archive.contents.get(sha256) ?? new Uint8Array());
    const [one, hundred] = [await merged(...files.slice(0, 1)), await merged(...files)];
    expect(hundred.fonts).toEqual(one.fonts);
    // A page, its content, its number, its bookmark and its link are each slip's own; and there are two more pages of index.
    expect(hundred.objects - one.objects).toBeLessThanOrEqual(99 * 5 + 2 * 2 + 1);
  });

  test('a file that turns out not to be mergeable gets a page with its reason', async () => {
    const encrypted = CORPUS.find(({ name }) => name === 'an encrypted file');
    const archive = new MemoryArchive();
    const bytes = (await encrypted?.bytes()) ?? new Uint8Array();
    const { index } = await bundle({ archive, merger, entries: [anEntry({ files: [archive.add(bytes)] })] });
    expect(index).toMatch(/,3,1,[0-9a-f]{64},encrypted,\r\n$/);
  });
});

describe('the merging thread', () => {
  test('leaves the event loop free while three hundred files are merged', async () => {
    const archive = new MemoryArchive();
    const files = await Promise.all(Array.from({ length: 300 }, (_, at) => archive.addSlip(`D${at}`, 2)));
    const entries = files.map((file, at) => anEntry({ orderNo: `D${at}`, files: [file] }));
    await inFolder(async (folder) => {
      const bundling = { archive, merger, entries };
      const before = performance.eventLoopUtilization();
      const made = await writeBundle(requestOf(folder, bundling), worldOf(bundling));
      // Merged here, it would be busy all the time.
      expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.6);
      // A cover, seven pages of index, and two pages a file.
      expect(made.pages).toBe(1 + 7 + 600);
    });
  });

  test('H3: on a full disk nothing lies under a final name, the reason is said, and the next bundle is made', async () => {
    const archive = new MemoryArchive();
    // Thirty files of 100 KB: the disk refuses while originals are still on their way.
    const entries = Array.from({ length: 30 }, (_, at) => {
      const picture = rawStream('', Buffer.alloc(100_000, `${at} `));
      const bytes = rawPdf([CATALOG, ONE_PAGE, page('/Contents 4 0 R'), picture]);
      return anEntry({ orderNo: `D${at}`, files: [archive.add(bytes)] });
    });
    const bundling = { archive, merger, entries };
    const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-full-'));
    const disk = diskFiles();
    const full = {
      ...disk,
      writeWholeWith: (target: string, produce: (temporary: string) => Promise<void>) =>
        disk.writeWholeWith(target, () => produce('/dev/full')),
    };
    try {
      const failing = writeBundle(requestOf(folder, bundling), { ...worldOf(bundling), files: full });
      await expect(failing).rejects.toThrow(/vouchers-100001-2026-03\.pdf.*no space is left on the disk/);
      await expect(failing).rejects.toBeInstanceOf(Stopped);
      expect(await readdir(folder)).toEqual([]);
      await writeBundle(requestOf(folder, bundling), worldOf(bundling));
      expect((await readdir(folder)).toSorted()).toEqual([
        'index.csv',
        'manifest.json',
        'vouchers-100001-2026-03.pdf',
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a thread that is ended fails what waits for it, and the bundle with it', async () => {
    const ended = openMerger();
    const archive = new MemoryArchive();
    const entries = [anEntry({ files: [await archive.addSlip('D1')] })];
    await ended.close();
    await expect(bundle({ archive, merger: ended, entries })).rejects.toBeInstanceOf(Stopped);
  });
});
