/** The bundle of a month: pages, index, bookmarks, labels, stand-ins, manifest; every place leads to its file. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { BundleEntry } from '../../src/vouchers/bundle/bundle-request.ts';
import { openMerger } from '../../src/vouchers/bundle/merger.ts';
import type { Merger } from '../../src/vouchers/bundle/merger.ts';
import { anEntry, bundle, MemoryArchive } from './bundling.ts';
import { readBundle } from './read-bundle.ts';
import { fc, runs } from '../helpers/properties.ts';

let merger: Merger;
beforeAll(() => {
  merger = openMerger();
});
afterAll(async () => {
  await merger.close();
});

/** A deposit of two pages, a transfer without a file, a withdrawal of two files of which one is encrypted. */
async function aMonth(archive: MemoryArchive): Promise<BundleEntry[]> {
  const locked = archive.add(Buffer.from('locked'), {
    fileNo: 2,
    pages: null,
    condition: 'encrypted',
    remark: 'it is encrypted',
  });
  return [
    anEntry({ files: [await archive.addSlip('D1', 2)] }),
    anEntry({
      kind: 'transfer',
      orderNo: 'P2',
      outOrderNo: 'T2',
      counterparty: '100002',
      counterpartyName: '乙公司',
      amountFen: null,
      missingReason: 'the platform refused: 1002 not ready',
    }),
    anEntry({
      kind: 'withdrawal',
      orderNo: 'P3',
      outOrderNo: 'W3',
      orderAccountNo: '100002',
      amountFen: 200n,
      counterparty: '=1+1,"乙"',
      files: [await archive.addSlip('W3'), locked],
    }),
  ];
}

describe('a bundle', () => {
  test('VCH-09: keeps order and page count; a page stands for what is missing or encrypted (P18, I7)', async () => {
    const archive = new MemoryArchive();
    const { made, parts } = await bundle({ archive, merger, entries: await aMonth(archive) });
    const { pages } = await readBundle(parts[0] ?? new Uint8Array());
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [595.28, 841.89],
      [595.28, 841.89],
      [420, 298],
      [420, 298],
      [595.28, 841.89],
      [420, 298],
      [595.28, 841.89],
    ]);
    expect(pages[2]?.text).toContain('D1 1/2');
    expect(pages[3]?.text).toContain('D1 2/2');
    expect(pages[5]?.text).toContain('W3 1/1');
    expect(made).toMatchObject({ pages: 7, files: 3, missing: 1, faults: [] });
    expect(made.places).toEqual([
      { orderAccountNo: '100001', kind: 'deposit', number: 'D1', fileNo: 1, part: 1, page: 3, pages: 2 },
      { orderAccountNo: '100001', kind: 'transfer', number: 'T2', fileNo: 0, part: 1, page: 5, pages: 1 },
      { orderAccountNo: '100002', kind: 'withdrawal', number: 'W3', fileNo: 1, part: 1, page: 6, pages: 1 },
      { orderAccountNo: '100002', kind: 'withdrawal', number: 'W3', fileNo: 2, part: 1, page: 7, pages: 1 },
    ]);
  });

  test('bookmarks lead by kind to orders, labels count on after Roman numbers, the index links every line', async () => {
    const archive = new MemoryArchive();
    const { parts } = await bundle({ archive, merger, entries: await aMonth(archive) });
    const read = await readBundle(parts[0] ?? new Uint8Array());
    expect(read.bookmarks).toEqual([
      { title: '封面', page: 1, below: [] },
      { title: '索引', page: 2, below: [] },
      { title: '充值 (1)', page: 3, below: [{ title: '03-05 11:22  D1  1,234.56', page: 3, below: [] }] },
      { title: '划付 (1)', page: 5, below: [{ title: '03-05 11:22  P2  缺失', page: 5, below: [] }] },
      { title: '提现 (1)', page: 6, below: [{ title: '03-05 11:22  P3  2.00  加密', page: 6, below: [] }] },
    ]);
    expect(read.labels).toEqual([
      [0, 'r', 1],
      [2, 'D', 3],
    ]);
    expect(read.pages[1]?.links).toEqual([3, 5, 6, 7]);
    expect(read.embedded).toEqual(['RECONA+NotoSansSC-Regular', 'RECONB+NotoSansSC-Bold']);
  });

  test('I3: index.csv has a line a file, amounts once an order, and no formula', async () => {
    const archive = new MemoryArchive();
    const entries = await aMonth(archive);
    const { index } = await bundle({ archive, merger, entries });
    const [deposit, , withdrawal] = entries;
    expect(index.split('\r\n')).toEqual([
      '\ufeffno,time,kind,order_no,out_order_no,counterparty,amount_yuan,page,pages,sha256,status,counterparty_name',
      `1,2026-03-05 11:22:33,deposit,D1,,甲公司,1234.56,3,2,${deposit?.files[0]?.sha256},merged,`,
      '2,2026-03-05 11:22:33,transfer,P2,T2,100002,,5,1,,missing,乙公司',
      `3,2026-03-05 11:22:33,withdrawal,P3,W3,"'=1+1,""乙""",2.00,6,1,${withdrawal?.files[0]?.sha256},merged,`,
      `3,2026-03-05 11:22:33,withdrawal,P3,W3,"'=1+1,""乙""",,7,1,${withdrawal?.files[1]?.sha256},encrypted,`,
      '',
    ]);
  });

  test('the manifest holds the digests of originals, index and parts, and the one the cover shows', async () => {
    const archive = new MemoryArchive();
    const { made, parts, read } = await bundle({ archive, merger, entries: await aMonth(archive) });
    const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
    const manifest = JSON.parse(Buffer.from(await read('manifest.json')).toString('utf8')) as {
      parts: { name: string; sha256: string; bytes: number; pages: number; files: number }[];
      index: { sha256: string };
      originals: { sha256: string; list: string[] };
    };
    expect(manifest.parts).toEqual([
      {
        name: 'vouchers-100001-2026-03.pdf',
        sha256: digest(parts[0] ?? new Uint8Array()),
        bytes: parts[0]?.byteLength,
        pages: 7,
        files: 3,
        firstNo: 1,
        lastNo: 3,
      },
    ]);
    expect(manifest.index.sha256).toBe(digest(await read('index.csv')));
    expect(made.manifestSha256).toBe(digest(await read('manifest.json')));
    const list = manifest.originals.list.map((line) => `${line}\n`).join('');
    expect(manifest.originals.sha256).toBe(digest(Buffer.from(list)));
    expect(manifest.originals.list).toHaveLength(7);
    expect(manifest.originals.list[2]).toBe('# 2 ["100001","transfer","T2"] missing');
    expect(manifest.originals.list[1]).toMatch(/^([0-9a-f]{2})([0-9a-f]{62}) {2}vouchers\/\1\/\1\2\.pdf$/);
  });

  test('the same request gives the same bytes; another version does not', async () => {
    const archive = new MemoryArchive();
    const entries = await aMonth(archive);
    const first = await bundle({ archive, merger, entries });
    const own = await bundle({ archive, entries });
    const second = await bundle({ archive, merger, entries, request: { version: 2 } });
    expect(own.made).toEqual(first.made);
    expect(Buffer.compare(own.parts[0] ?? new Uint8Array(), first.parts[0] ?? new Uint8Array())).toBe(0);
    expect(second.made.parts[0]?.sha256).not.toBe(first.made.parts[0]?.sha256);
  });

  test('an order is never cut in two: parts of at most three files, each complete in itself', async () => {
    const archive = new MemoryArchive();
    const two = async (no: number): Promise<BundleEntry> =>
      anEntry({
        orderNo: `D${no}`,
        files: [await archive.addSlip(`D${no}A`), await archive.addSlip(`D${no}B`, 1, 2)],
      });
    const entries = [await two(1), await two(2), anEntry({ orderNo: 'D3' })];
    const { made, parts } = await bundle({ archive, merger, entries, request: { filesPerPart: 3 } });
    expect(
      made.parts.map(({ name, files, pages, firstNo, lastNo }) => [name, files, pages, firstNo, lastNo]),
    ).toEqual([
      ['vouchers-100001-2026-03.pdf', 2, 4, 1, 1],
      ['vouchers-100001-2026-03-part02.pdf', 2, 5, 2, 3],
    ]);
    expect(made.places.map(({ number, part, page }) => [number, part, page])).toEqual([
      ['D1', 1, 3],
      ['D1', 1, 4],
      ['D2', 2, 3],
      ['D2', 2, 4],
      ['D3', 2, 5],
    ]);
    const second = await readBundle(parts[1] ?? new Uint8Array());
    expect(second.pages[2]?.text).toContain('D2A 1/1');
    expect(second.bookmarks[2]?.title).toBe('充值 (2)');
  });

  test('an original that is lost or was changed is named, and does not stop the bundle', async () => {
    const archive = new MemoryArchive();
    const [lost, changed, kept] = [
      await archive.addSlip('LOST'),
      await archive.addSlip('CHANGED'),
      await archive.addSlip('KEPT'),
    ];
    archive.contents.delete(lost.sha256);
    archive.contents.set(changed.sha256, Buffer.from('something else'));
    const entries = [lost, changed, kept].map((file, at) =>
      anEntry({ orderNo: `D${at + 1}`, files: [file] }),
    );
    const { made, parts, index } = await bundle({ archive, merger, entries });
    expect(made.faults.map(({ no, sha256, status }) => [no, sha256, status])).toEqual([
      [1, lost.sha256, 'lost'],
      [2, changed.sha256, 'changed'],
    ]);
    const { pages } = await readBundle(parts[0] ?? new Uint8Array());
    expect(pages[4]?.text).toContain('KEPT 1/1');
    const rows = index.trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').at(-2))).toEqual(['status', 'lost', 'changed', 'merged']);
  });

  test('characters the font lacks, controls and halves of characters stop nothing; index.csv keeps them', async () => {
    const archive = new MemoryArchive();
    const counterparty = '𠮷😀龘\u202Eab\u0007\ud800\ufffe Ω';
    const entries = [anEntry({ counterparty, files: [await archive.addSlip('D1')] })];
    const { index, parts } = await bundle({
      archive,
      merger,
      entries,
      request: { locale: 'en', accountNo: '../../etc', accountName: '\0' },
    });
    expect(index).toContain(counterparty.toWellFormed());
    const { pages, bookmarks } = await readBundle(parts[0] ?? new Uint8Array());
    expect(pages).toHaveLength(3);
    expect(bookmarks.map(({ title }) => title)).toEqual(['Cover', 'Index', 'Deposit (1)']);
  });

  test('a month without an order is a cover and an index that say so', async () => {
    const { made } = await bundle({ archive: new MemoryArchive(), merger, entries: [] });
    expect(made).toMatchObject({ pages: 2, files: 0, missing: 0, places: [] });
  });

  test('property: every place is the page on which the file begins, in the index, the links and the list', async () => {
    const order = fc.array(fc.record({ pages: fc.integer({ min: 1, max: 3 }), isWhole: fc.boolean() }), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(order, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 2, max: 40 }),
        async (orders, filesPerPart) => {
          const archive = new MemoryArchive();
          const entries: BundleEntry[] = [];
          for (const [at, files] of orders.entries()) {
            const made = files.map(async ({ pages, isWhole }, n) => ({
              ...(await archive.addSlip(`M${at}.${n}.`, pages, n + 1)),
              ...(isWhole ? {} : { condition: 'damaged' as const, remark: 'a page is missing' }),
            }));
            entries.push(anEntry({ orderNo: `D${at}`, files: await Promise.all(made) }));
          }
          const { made, parts, index } = await bundle({
            archive,
            merger,
            entries,
            request: { filesPerPart },
          });
          const read = await Promise.all(parts.map((part) => readBundle(part)));
          const lines = index.split('\r\n').slice(1, -1);
          expect(lines).toHaveLength(made.places.length);
          for (const [at, { number, fileNo, part, page, pages }] of made.places.entries()) {
            const text = read[part - 1]?.pages[page - 1]?.text ?? '';
            const file = orders[Number.parseInt(number.slice(1), 10)]?.[fileNo - 1];
            const marker = `M${number.slice(1)}.${fileNo - 1}. 1/${pages}`;
            expect(text.includes(marker), `${number} ${fileNo}`).toBe(file?.isWhole === true);
            expect(lines[at]?.split(',').slice(7, 9)).toEqual([String(page), String(pages)]);
          }
          for (const [at, { pages }] of read.entries()) {
            const places = made.places.filter(({ part }) => part === at + 1);
            expect(pages.flatMap(({ links }) => links)).toEqual(places.map(({ page }) => page));
          }
        },
      ),
      { numRuns: runs(8) },
    );
  }, 240_000);
});
