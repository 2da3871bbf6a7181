/** Each slip says at its foot which page of the bundle it is: over what it shows, upright, and wherever it moves to. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { BundleEntry } from '../../src/vouchers/bundle/bundle-request.ts';
import { openMerger } from '../../src/vouchers/bundle/merger.ts';
import type { Merger } from '../../src/vouchers/bundle/merger.ts';
import { nestingOf } from '../../src/vouchers/pdf/content-nesting.ts';
import { anEntry, bundle, GrowingBundle, inFolder, MemoryArchive } from './bundling.ts';
import { readBundle } from './read-bundle.ts';
import { CATALOG, ONE_PAGE, rawPdf, rawStream } from './slips.ts';

let merger: Merger;
beforeAll(() => {
  merger = openMerger();
});
afterAll(async () => {
  await merger.close();
});

const PART = 'vouchers-100001-2026-03.pdf';

function numbersOf(pages: readonly { number: string }[]): string[] {
  return pages.map(({ number }) => number);
}

const FONT = '<< /Font << /A << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
const LINE = 'BT /A 12 Tf 40 200 Td (SLIP) Tj ET';

interface Odd {
  /** As a viewer shows it. */
  size?: readonly [number, number];
  page?: string;
  content?: string;
  resources?: string;
}

function oddSlip({ page = '/MediaBox [0 0 420 298]', content = LINE, resources = FONT }: Odd): Uint8Array {
  const entries = `/Type /Page /Parent 2 0 R ${page} /Resources ${resources} /Contents 4 0 R`;
  return rawPdf([CATALOG, ONE_PAGE, `<< ${entries} >>`, rawStream('', Buffer.from(content, 'latin1'))]);
}

async function bundled(slips: readonly Uint8Array[]): Promise<Uint8Array> {
  const archive = new MemoryArchive();
  const entries = slips.map((bytes, at) => anEntry({ orderNo: `D${at}`, files: [archive.add(bytes)] }));
  const { parts } = await bundle({ archive, merger, entries });
  return parts[0] ?? new Uint8Array();
}

interface Word {
  text: string;
  /** From the upper left corner of the page as it is shown. */
  left: number;
  top: number;
  bottom: number;
}

/** What a viewer sees, page by page; undefined where poppler is not installed. */
function seen(bytes: Uint8Array): Word[][] | undefined {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'recon-numbers-'));
  try {
    const file = path.join(folder, 'part.pdf');
    writeFileSync(file, bytes);
    const html = execFileSync('pdftotext', ['-bbox', '-cropbox', file, '-'], { stdio: 'pipe' }).toString(
      'utf8',
    );
    return html
      .split('<page ')
      .slice(1)
      .map((text) => {
        const found = text.matchAll(
          /xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="[-\d.]+" yMax="([-\d.]+)">(.*?)</g,
        );
        const words = [...found].map((match) => {
          const [left = 0, top = 0, bottom = 0] = numbersIn(match);
          return { text: match[4] ?? '', left, top, bottom };
        });
        return words;
      });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function numbersIn(match: RegExpExecArray | null): number[] {
  return (match ?? []).slice(1, 4).map(Number);
}

/** The number stands at the foot of a page of that size, on the right, and what the slip shows is there. */
function expectNumbered(
  words: readonly Word[],
  page: number,
  [width, height]: readonly [number, number],
): void {
  expect(words.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['SLIP', '汇编第', String(page), '页']),
  );
  const digits = words.find(({ text }) => text === String(page));
  expect(digits?.left).toBeGreaterThan(width / 2);
  expect(digits?.left).toBeLessThan(width);
  expect(digits?.top).toBeGreaterThan(height * 0.8);
  expect(digits?.bottom).toBeLessThan(height);
}

describe('a slip in a bundle', () => {
  test('says the page that the index states, on each of its pages; own pages say it themselves', async () => {
    const archive = new MemoryArchive();
    const entries = [
      anEntry({ files: [await archive.addSlip('D1', 2)] }),
      anEntry({ kind: 'transfer', orderNo: 'P2', outOrderNo: 'T2' }),
      anEntry({ orderNo: 'D3', files: [await archive.addSlip('D3')] }),
    ];
    const { parts, made } = await bundle({ archive, merger, entries });
    const read = await readBundle(parts[0] ?? new Uint8Array());
    expect(made.places.map(({ page }) => page)).toEqual([3, 5, 6]);
    expect(numbersOf(read.pages)).toEqual(['', '', '3', '4', '', '6']);
    const words = seen(parts[0] ?? new Uint8Array())?.[5]?.map(({ text }) => text);
    expect(words ?? ['汇编第', '6', '页']).toEqual(expect.arrayContaining(['汇编第', '6', '页']));
  });

  test('counts in its part, as the index of the part does', async () => {
    const archive = new MemoryArchive();
    const files = await Promise.all([1, 2, 3].map((no) => archive.addSlip(`D${no}`)));
    const entries = files.map((file, at) => anEntry({ orderNo: `D${at}`, files: [file] }));
    const { parts } = await bundle({ archive, merger, entries, request: { filesPerPart: 2 } });
    const read = await Promise.all(parts.map((part) => readBundle(part)));
    expect(read.map(({ pages }) => numbersOf(pages))).toEqual([
      ['', '', '3', '4'],
      ['', '', '3'],
    ]);
  });

  test('keeps its own contents byte by byte, between those of the number', async () => {
    const content = `q 1 0 0 1 0 0 cm ${LINE} Q`;
    const bytes = Buffer.from(await bundled([oddSlip({ content })])).toString('latin1');
    expect(bytes).toContain(`stream\n${content}\nendstream`);
  });

  const BOX = '/MediaBox [0 0 420 298]';
  const odd: readonly [string, Odd][] = [
    ['is turned by 90 degrees', { page: `${BOX} /Rotate 90`, size: [298, 420] }],
    ['is turned by 180 degrees', { page: `${BOX} /Rotate 180` }],
    ['is turned by 270 degrees', { page: `${BOX} /Rotate -90`, size: [298, 420] }],
    ['begins elsewhere than at 0', { page: '/MediaBox [-100 50 320 348]' }],
    ['has the corners of its box the other way round', { page: '/MediaBox [420 298 0 0]' }],
    ['is seen in part', { page: `${BOX} /CropBox [30 60 400 280] /Rotate 90`, size: [220, 370] }],
    ['is measured in other units', { page: `${BOX} /UserUnit 2` }],
    ['has a transparent group', { page: `${BOX} /Group << /S /Transparency /CS /DeviceRGB >>` }],
    ['moves all that follows', { content: `2 0 0 2 -40 -200 cm 1 1 1 rg ${LINE}` }],
    ['saves what it never restores', { content: `${LINE} 3 0 0 3 0 0 cm q 5 0 0 5 9 9 cm q q` }],
    ['restores what it never saved', { content: `1 0 0 1 9 9 cm ${LINE} 3 0 0 3 0 0 cm Q Q` }],
    ['calls a font of its own as we do', { resources: FONT.replace('/A <<', '/RECON << >> /A <<') }],
    ['lists its fonts apart', { resources: FONT.replace('/Font <<', '/ExtGState << >> /Font <<') }],
  ];
  test.each(odd)('is numbered at its foot, on the right, where it %s', async (_, slip) => {
    const part = await bundled([oddSlip(slip)]);
    expect(numbersOf((await readBundle(part)).pages)).toEqual(['', '', '3']);
    const pages = seen(part);
    if (pages !== undefined) expectNumbered(pages[2] ?? [], 3, slip.size ?? [420, 298]);
  });

  test('without resources or contents is numbered as well', async () => {
    const empty = rawPdf([CATALOG, ONE_PAGE, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 298] >>']);
    const { pages } = await readBundle(await bundled([empty]));
    expect(numbersOf(pages)).toEqual(['', '', '3']);
  });
});

async function deposits(archive: MemoryArchive, count: number): Promise<BundleEntry[]> {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return Promise.all(
    numbers.map(async (no) => anEntry({ orderNo: `D${no}`, files: [await archive.addSlip(`D${no}`)] })),
  );
}

describe('a slip in a bundle that grows', () => {
  test('is numbered anew where it moves, and not where it stays; what was merged is not merged again', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger });
      const entries = await deposits(archive, 4);
      await folder.next(entries.filter((_, at) => at !== 1));
      const before = await folder.read(PART);
      expect(await folder.next(entries)).toMatchObject({ merged: 1, continued: [PART] });
      const after = await folder.read(PART);
      expect(numbersOf((await readBundle(after)).pages)).toEqual(['', '', '3', '4', '5', '6']);
      const added = after.subarray(before.byteLength).toString('latin1');
      expect([...added.matchAll(/^\((\d+)\) Tj$/gm)].map(([, page]) => page)).toEqual(['4', '5', '6']);
    });
  });

  test('has no number where an earlier version of the program merged it: its part is not made anew for that', async () => {
    await inFolder(async (place) => {
      const archive = new MemoryArchive();
      const folder = new GrowingBundle(place, { archive, merger, request: { filesPerPart: 2 } });
      const entries = await deposits(archive, 4);
      const made = await folder.next(entries.slice(0, 3));
      for (const { name } of made.parts) await folder.replace(name, withoutNumbers);
      const next = await folder.next(entries);
      const second = 'vouchers-100001-2026-03-part02.pdf';
      expect(next).toMatchObject({ merged: 1, kept: [PART], continued: [PART, second] });
      expect(numbersOf((await readBundle(await folder.read(second))).pages).at(-1)).toBe('4');
      expect(await folder.next(entries)).toMatchObject({ merged: 0, kept: [PART, second] });
    });
  });
});

/** As an earlier version leaves a part: its notes know of no numbers. */
function withoutNumbers(part: Buffer): Buffer {
  const [, at = 0, length = 0] = (/RECON_Notes \[(\d+) (\d+)\] >>/.exec(part.toString('latin1')) ?? []).map(
    Number,
  );
  const notes = JSON.parse(inflateSync(part.subarray(at, at + length)).toString('utf8')) as {
    form: number;
    numbered?: unknown;
    originals: { digits?: unknown }[];
  };
  notes.form = 1;
  delete notes.numbered;
  for (const original of notes.originals) delete original.digits;
  const packed = deflateSync(JSON.stringify(notes));
  const changed = Buffer.from(part);
  changed.fill(0, at, at + length);
  packed.copy(changed, at);
  return changed;
}

describe('what a content leaves of the graphics state', () => {
  const cases: readonly [string, number, number][] = [
    ['q 1 0 0 1 0 0 cm Q', 0, 0],
    ['q q Q', 1, 0],
    ['Q q', 0, -1],
    ['q(a \\) q (Q) Q)Tj Q', 0, 0],
    ['% q\nq % Q\rQ', 0, 0],
    ['/q gs /Q gs[q]Q', 0, 0],
    ['q BI /W 1 /H 1 ID \0 Q xEI Q\nEI Q', 0, 0],
    ['<AB>q<</MCID 0>>Q', 0, 0],
    ['(never ends q', 0, Number.NEGATIVE_INFINITY],
    ['BI /W 1 ID Q q', 0, Number.NEGATIVE_INFINITY],
  ];
  test.each(cases)('%j', (content, net, least) => {
    expect(nestingOf(Buffer.from(content, 'latin1'))).toEqual({ net, least });
  });
});

describe('the index', () => {
  test('shows the name of an account of the company over its number, and the bundle its own on every page', async () => {
    const archive = new MemoryArchive();
    const transfer = { kind: 'transfer' as const, counterparty: '100002', counterpartyName: '乙公司' };
    const { parts } = await bundle({ archive, merger, entries: [anEntry(transfer)] });
    const pages = seen(parts[0] ?? new Uint8Array());
    if (pages === undefined) return;
    const words = pages[1]?.map(({ text }) => text);
    expect(words).toEqual(expect.arrayContaining(['乙公司', '100002', '示例账户', '100001']));
  });
});
