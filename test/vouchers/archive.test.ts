/** The archive of originals and the zip of a month: names, whole files, the same bytes in every time zone. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { diskFiles } from '../../src/core/files.ts';
import { Zone } from '../../src/core/time.ts';
import { checkOriginal, fileOriginal } from '../../src/vouchers/archive.ts';
import { writeMonthZip } from '../../src/vouchers/bundle/month-zip.ts';
import { folderNameOf, originalPathOf, partNameOf, zipNameOf } from '../../src/vouchers/names.ts';
import { inFolder } from './bundling.ts';
import { fc } from '../helpers/properties.ts';

const BYTES = Buffer.from('%PDF-1.7 the evidence %%EOF');
/** As `sha256sum` tells it. */
const DIGEST = 'ffe3649b21c33764e18351e40c0771341c45be7c98216651b8e9bd9e76f1e886';

describe('the archive', () => {
  test('VCH-09: an original lies under its digest, untouched, and a second filing changes nothing', async () => {
    await inFolder(async (home) => {
      const expected = {
        sha256: DIGEST,
        path: `vouchers/${DIGEST.slice(0, 2)}/${DIGEST}.pdf`,
        wasChanged: false,
      };
      expect(await fileOriginal(diskFiles(), home, BYTES)).toEqual({ ...expected, isNew: true });
      expect(await fileOriginal(diskFiles(), home, BYTES)).toEqual({ ...expected, isNew: false });
      expect(await readFile(path.join(home, expected.path))).toEqual(BYTES);
      expect(await readdir(path.join(home, 'vouchers', DIGEST.slice(0, 2)))).toEqual([`${DIGEST}.pdf`]);
    });
  });

  test('a changed, cut or lost original is found; filing it again puts it right and says so', async () => {
    await inFolder(async (home) => {
      const files = diskFiles();
      const of = { home, sha256: DIGEST };
      expect(await checkOriginal(files, of)).toEqual({ result: 'missing', actualSha256: null });
      const { path: name } = await fileOriginal(files, home, BYTES);
      expect(await checkOriginal(files, of)).toEqual({ result: 'whole', actualSha256: DIGEST });
      for (const corrupt of [Buffer.from('%PDF-1.7 the evidencE %%EOF'), BYTES.subarray(0, 9)]) {
        await writeFile(path.join(home, name), corrupt);
        const actualSha256 = createHash('sha256').update(corrupt).digest('hex');
        expect(await checkOriginal(files, of)).toEqual({ result: 'changed', actualSha256 });
        expect(await fileOriginal(files, home, BYTES)).toMatchObject({ isNew: false, wasChanged: true });
        expect(await checkOriginal(files, of)).toEqual({ result: 'whole', actualSha256: DIGEST });
      }
    });
  });
});

describe('I5: names', () => {
  test('plain numbers stay, all others become a digest', () => {
    expect(folderNameOf('6217_A-1')).toBe('6217_A-1');
    expect(folderNameOf('../../etc/passwd')).toMatch(/^x-[0-9a-f]{32}$/);
    expect(folderNameOf('')).toMatch(/^x-[0-9a-f]{32}$/);
    expect(partNameOf({ accountNo: '100001', month: '2026-03', part: 1 })).toBe(
      'vouchers-100001-2026-03.pdf',
    );
    expect(partNameOf({ accountNo: '100001', month: '2026-03', part: 12 })).toBe(
      'vouchers-100001-2026-03-part12.pdf',
    );
    expect(zipNameOf('2026-03')).toBe('vouchers-2026-03.zip');
    expect(() => zipNameOf('../2026')).toThrow('Bug');
    expect(() => originalPathOf('../x')).toThrow('Bug');
  });

  test('property: whatever the account is called, its folder is one plain name, and another account has another', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        expect(folderNameOf(one)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(folderNameOf(one) === folderNameOf(other)).toBe(one.toWellFormed() === other.toWellFormed());
      }),
    );
  });
});

describe('the zip of a month', () => {
  test('holds the files stored, in order, at a fixed time, the same bytes in every time zone', async () => {
    await inFolder(async (home) => {
      await mkdir(path.join(home, 'in'));
      const entries = await Promise.all(
        Array.from({ length: 50 }, async (_, at) => {
          const source = path.join(home, 'in', `${at}.pdf`);
          await writeFile(source, `original ${at} ${'x'.repeat(at * 100)}`);
          return { source, name: `vouchers/00/${at}.pdf` };
        }),
      );
      const digests: string[] = [];
      const zone = new Zone('Asia/Shanghai');
      const ours = process.env['TZ'];
      for (const timeZone of ['UTC', 'America/New_York', 'Pacific/Chatham']) {
        process.env['TZ'] = timeZone;
        const target = path.join(home, 'month.zip');
        await writeMonthZip(diskFiles(), { path: target, madeAt: '2026-04-01T18:03:04.000Z', zone, entries });
        digests.push(await diskFiles().sha256(target));
      }
      process.env['TZ'] = ours;
      expect(new Set(digests).size).toBe(1);
      const zip = await readFile(path.join(home, 'month.zip'));
      const listed = storedEntries(zip);
      expect(listed.map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
      expect(listed[3]).toEqual({
        name: 'vouchers/00/3.pdf',
        content: `original 3 ${'x'.repeat(300)}`,
        time: '2026-04-02 02:03:04',
      });
    });
  });

  test('a file that is gone fails the zip, and nothing lies under its name', async () => {
    await inFolder(async (home) => {
      const zip = {
        path: path.join(home, 'month.zip'),
        madeAt: '2026-04-01T18:03:04.000Z',
        zone: new Zone('Asia/Shanghai'),
        entries: [{ source: path.join(home, 'gone.pdf'), name: 'gone.pdf' }],
      };
      await expect(writeMonthZip(diskFiles(), zip)).rejects.toThrow(/there is no such file/);
      expect(await readdir(home)).toEqual([]);
    });
  });

  test('unzip finds no fault', async () => {
    await inFolder(async (home) => {
      await writeFile(path.join(home, 'a'), BYTES);
      const target = path.join(home, 'month.zip');
      const entries = [{ source: path.join(home, 'a'), name: 'a.pdf' }];
      const zone = new Zone('Asia/Shanghai');
      await writeMonthZip(diskFiles(), { path: target, madeAt: '2026-04-01T18:03:04.000Z', zone, entries });
      const told = unzipTest(target);
      expect(told).toMatch(/^$|No errors detected/);
    });
  });
});

/** What unzip says; empty where there is none. */
function unzipTest(file: string): string {
  try {
    return execFileSync('unzip', ['-t', file], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Entries by the central directory, which lies before the last 22 bytes; their content is stored, not packed. */
function storedEntries(zip: Buffer): { name: string; content: string; time: string }[] {
  const entries = [];
  const two = (value: number): string => String(value).padStart(2, '0');
  for (let at = zip.readUInt32LE(zip.byteLength - 6); zip.readUInt32LE(at) === 0x02014b50;) {
    const [time, day, nameLength] = [
      zip.readUInt16LE(at + 12),
      zip.readUInt16LE(at + 14),
      zip.readUInt16LE(at + 28),
    ];
    const [size, header] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      content: zip.toString('utf8', start, start + size),
      time:
        `${1980 + (day >> 9)}-${two((day >> 5) & 15)}-${two(day & 31)} ` +
        `${two(time >> 11)}:${two((time >> 5) & 63)}:${two((time & 31) * 2)}`,
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
