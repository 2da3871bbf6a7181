/** Half a month of nights: each merges what it brought, and all that was ever published can be told from what is there. */
import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyArchive } from '../../../jobs/night/vouchers/voucher-verify.ts';
import type { LogFields } from '../../../src/core/ports.ts';
import type { Process } from '../../helpers/night.ts';
import { VoucherNight } from '../../helpers/company/voucher-night.ts';

const NIGHTS = 15;
const A_NIGHT = 6;
/** Its voucher is there two days later. */
const LATE = 'D10-2';
const FOLDER = 'bundles/2026-03/P';
const PART = `${FOLDER}/vouchers-P-2026-03.pdf`;

let vouchers: VoucherNight;
/** Pages that each night merged. */
const merged: number[] = [];

const at = (name: string): string => path.join(vouchers.night.home, name);
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const twoDigits = (no: number): string => String(no).padStart(2, '0');
const depositsOf = (day: number): string[] => Array.from({ length: A_NIGHT }, (_, no) => `D${day}-${no}`);

/** Hears what is said of each bundle that is made. */
function hearing(process: Process): Process {
  const info = (fields: LogFields): void => {
    if (fields.event === 'bundle.made') merged.push(Number(fields['merged']));
  };
  return { ...process, log: { ...process.log, info } };
}

async function bytesBelow(folder: string): Promise<number> {
  const sizes = (await vouchers.below(folder)).map(
    async (name) => (await stat(at(`${folder}/${name}`))).size,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const verified = async () => (await vouchers.inProcess((job) => verifyArchive(job, undefined))).faults;

beforeAll(async () => {
  vouchers = await VoucherNight.open();
  vouchers.night.sandbox.planVouchers([{ number: LATE, as: 'empty_list', times: 2 }]);
  for (let day = 1; day <= NIGHTS; day += 1) {
    await vouchers.deposits(`2026-03-${twoDigits(day)}`, ...depositsOf(day));
    vouchers.night.moveTo(`2026-03-${twoDigits(day + 1)} 02:00:00`);
    await vouchers.archive({ as: hearing });
  }
}, 600_000);
afterAll(() => vouchers.close());

describe('after fifteen nights', () => {
  test('each night merged what it brought, the late voucher in the night it came', () => {
    const expected = Array.from({ length: NIGHTS }, () => A_NIGHT);
    expected[9] = A_NIGHT - 1;
    expected[11] = A_NIGHT + 1;
    expect(merged).toEqual(expected);
  });

  test('the late voucher stands in its place, and the bundle has the order of time', async () => {
    const index = await readFile(at(`${FOLDER}/index.csv`), 'utf8');
    const rows = index.trimEnd().split('\r\n').slice(1);
    const numbers = rows.map((row) => row.split(',')[3]);
    expect(numbers).toEqual(Array.from({ length: NIGHTS }, (_, day) => depositsOf(day + 1)).flat());
    expect(new Set(rows.map((row) => row.split(',').at(-2)))).toEqual(new Set(['merged']));
    const pages = (await PDFDocument.load(await readFile(at(PART)))).getPageCount();
    expect(pages).toBe(NIGHTS * A_NIGHT + 1 + 3);
  });

  test('every version that somebody may have is the beginning of what stands, as its manifest says', async () => {
    const standing = await readFile(at(PART));
    const below = await vouchers.below(`${FOLDER}/superseded`);
    expect(below).toHaveLength(2 * (NIGHTS - 1));
    expect(below.some((name) => name.endsWith('.pdf'))).toBe(false);
    for (let version = 1; version < NIGHTS; version += 1) {
      const text = await readFile(at(`${FOLDER}/superseded/v${version}/manifest.json`), 'utf8');
      const { parts } = JSON.parse(text) as { parts: { bytes: number; sha256: string }[] };
      const [{ bytes, sha256 } = { bytes: 0, sha256: '' }] = parts;
      expect(digestOf(standing.subarray(0, bytes)), `version ${version}`).toBe(sha256);
    }
  });

  test('a part that is altered and a file that is gone are named; what is lost is put back as it was', async () => {
    expect(await verified()).toEqual([]);
    const part = await readFile(at(PART));
    const altered = Buffer.from(part);
    altered[100] = (altered[100] ?? 0) ^ 1;
    await writeFile(at(PART), altered);
    expect((await verified()).map(({ path: name, result }) => `${name} ${result}`)).toEqual([
      `${PART} changed`,
    ]);
    await writeFile(at(PART), part);
    await rm(at(`${FOLDER}/index.csv`));
    expect((await verified()).map(({ path: name, result }) => `${name} ${result}`)).toEqual([
      `${FOLDER}/index.csv missing`,
    ]);
    await vouchers.archive({ isEveryBundle: true });
    expect(await verified()).toEqual([]);
    expect(digestOf(await readFile(at(PART)))).toBe(digestOf(part));
  });

  test('the disk holds less than one and a half times the originals and one bundle, until the zip', async () => {
    const originals = await bytesBelow('vouchers');
    const disk = originals + (await bytesBelow('bundles'));
    await rm(at(PART));
    vouchers.night.moveTo('2026-04-01 02:00:00');
    // Made at once it is one bundle.
    await vouchers.archive({ isEveryBundle: true });
    const atOnce = (await stat(at(PART))).size;
    expect(disk).toBeLessThan(1.5 * originals + atOnce);
    expect(await vouchers.below('bundles')).toContain('2026-03/vouchers-2026-03.zip');
    expect(await verified()).toEqual([]);
  });
});
