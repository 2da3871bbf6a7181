/** An original that is gone from the archive is asked for again, and held against the digest on record (VCH-09). */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyArchive } from '../../../jobs/night/vouchers/voucher-verify.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { VoucherNight } from '../../helpers/company/voucher-night.ts';

const LONG = { timeout: 240_000 };

let vouchers: VoucherNight;
beforeEach(async () => {
  vouchers = await VoucherNight.open();
  await vouchers.deposits('2026-03-01', 'D1', 'D2');
  await vouchers.archive();
});
afterEach(() => vouchers.close());

const at = (name: string): string => path.join(vouchers.night.home, name);
const original = (sha256: string): string => at(`vouchers/${sha256.slice(0, 2)}/${sha256}.pdf`);
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const faults = async () => (await vouchers.inProcess((job) => verifyArchive(job, undefined))).faults;

async function recorded(number: string): Promise<string> {
  const row = await vouchers.night.db
    .selectFrom('voucher')
    .select('sha256')
    .where('number', '=', number)
    .orderBy('file_no')
    .executeTakeFirstOrThrow();
  return row.sha256;
}

async function statuses(): Promise<string[]> {
  const text = await readFile(at('bundles/2026-03/P/index.csv'), 'utf8');
  return text
    .trimEnd()
    .split(/\r?\n/)
    .slice(1)
    .map((row) => row.split(',').at(-2) ?? '');
}

test('a lost original comes back from the platform with the digest on record', LONG, async () => {
  const sha256 = await recorded('D1');
  const bytes = await readFile(original(sha256));
  await rm(original(sha256));
  // A run that is not asked to look leaves it at that, and asks for nothing.
  const asked = vouchers.asked();
  expect((await vouchers.archive()).lost).toEqual([]);
  expect(vouchers.asked()).toBe(asked);

  const { lost } = await vouchers.archive({ isEveryBundle: true });
  expect(lost).toEqual([
    {
      accountNo: 'P',
      kind: 'deposit',
      number: 'D1',
      path: `vouchers/${sha256.slice(0, 2)}/${sha256}.pdf`,
      sha256,
      found: 'missing',
      result: 'restored',
      givenPaths: [],
      reason: '',
    },
  ]);
  expect(await readFile(original(sha256))).toEqual(bytes);
  expect(await faults()).toEqual([]);
  expect(vouchers.asked()).toBe(asked + 1);
  expect((await vouchers.archive({ isEveryBundle: true })).lost).toEqual([]);
  expect(vouchers.asked()).toBe(asked + 1);
  expect(await lines(vouchers.night.db, 'voucher_bundle', ['version'])).toEqual(['1']);
});

test(
  'a part that somebody signed is made again where bundles are put right, and the signed one is kept',
  LONG,
  async () => {
    const part = at('bundles/2026-03/P/vouchers-P-2026-03.pdf');
    const made = await readFile(part);
    await appendFile(part, '% signed by an auditor\n');
    const signed = await readFile(part);
    await vouchers.archive({ isEveryBundle: true });
    expect(await readFile(part)).toEqual(made);
    const kept = 'bundles/2026-03/P/superseded/v1/vouchers-P-2026-03.pdf';
    expect(await readFile(at(kept))).toEqual(signed);
    // What is kept is not written over by another one.
    await appendFile(part, '% signed by another\n');
    await vouchers.archive({ isEveryBundle: true });
    expect(await readFile(at(kept))).toEqual(signed);
    expect(await readdir(at('bundles/2026-03/P/superseded/v1'))).toHaveLength(2);
    expect(await faults()).toEqual([]);
  },
);

test('a changed original is put right, and what somebody made of it is kept beside it', LONG, async () => {
  const sha256 = await recorded('D2');
  const forged = Buffer.from('%PDF-1.7 forged %%EOF');
  await writeFile(original(sha256), forged);
  const { lost } = await vouchers.archive({ isEveryBundle: true });
  expect(lost).toMatchObject([{ number: 'D2', found: 'changed', result: 'restored' }]);
  expect(await faults()).toEqual([]);
  const beside = (await readdir(path.dirname(original(sha256)))).filter((name) => name.includes('changed'));
  expect(beside).toEqual([`${sha256}.changed-${digestOf(forged).slice(0, 12)}.pdf`]);
  expect(await readFile(path.join(path.dirname(original(sha256)), beside[0] ?? ''))).toEqual(forged);
});

test('another file than the one on record is filed beside it, and both are named', LONG, async () => {
  const sha256 = await recorded('D1');
  await rm(original(sha256));
  vouchers.night.sandbox.planVouchers([{ number: 'D1', pages: 3 }]);
  const { lost } = await vouchers.archive({ isEveryBundle: true });
  const [, given = ''] = (
    await vouchers.night.db
      .selectFrom('voucher')
      .select('sha256')
      .where('number', '=', 'D1')
      .orderBy('file_no')
      .execute()
  ).map((row) => row.sha256);
  expect(lost).toMatchObject([
    {
      number: 'D1',
      sha256,
      result: 'differs',
      givenPaths: [`vouchers/${given.slice(0, 2)}/${given}.pdf`],
      reason: 'the platform gives another file than the one on record',
    },
  ]);
  expect(digestOf(await readFile(original(given)))).toBe(given);
  expect(await lines(vouchers.night.db, 'voucher', ['number', 'file_no', 'condition', 'remark'])).toEqual([
    'D1 1 whole ',
    `D1 2 whole given by the platform in place of the lost original ${sha256.slice(0, 12)}`,
    'D2 1 whole ',
  ]);
  // Its pages were merged while it was there, and stay; that it is gone says the archive.
  expect(await statuses()).toEqual(['merged', 'merged', 'merged']);
  expect((await faults()).map(({ path: file, result }) => `${file} ${result}`)).toEqual([
    `vouchers/${sha256.slice(0, 2)}/${sha256}.pdf missing`,
  ]);
  // Looked for again: the same answer is not filed twice.
  expect((await vouchers.archive({ isEveryBundle: true })).lost).toMatchObject([{ result: 'differs' }]);
  expect(await lines(vouchers.night.db, 'voucher', ['number', 'file_no'])).toEqual(['D1 1', 'D1 2', 'D2 1']);

  // The platform gives the right one again: it is back, and the bundle has it.
  vouchers.night.sandbox.planVouchers([{ number: 'D1', pages: 1 }]);
  expect((await vouchers.archive({ isEveryBundle: true })).lost).toMatchObject([{ result: 'restored' }]);
  expect(await statuses()).toEqual(['merged', 'merged', 'merged']);
  expect(await faults()).toEqual([]);
});

test('an original that the platform does not give is said with its reason', LONG, async () => {
  const sha256 = await recorded('D1');
  await rm(original(sha256));
  vouchers.night.sandbox.planVouchers([{ number: 'D1', as: 'empty_list' }]);
  const { lost } = await vouchers.archive({ isEveryBundle: true });
  expect(lost).toMatchObject([{ result: 'not_given', reason: 'the answer holds no file', givenPaths: [] }]);
  expect((await faults()).map(({ result }) => result)).toEqual(['missing']);
  expect(await vouchers.dues()).toEqual(['deposit D1 filed', 'deposit D2 filed']);
});

test('a file that cannot be read costs its own bundle, not those of others', LONG, async () => {
  const part = at('bundles/2026-03/P/vouchers-P-2026-03.pdf');
  const versions = () => lines(vouchers.night.db, 'voucher_bundle', ['account_no', 'version']);
  await rm(part);
  await mkdir(part);
  await vouchers.transfer('T1');
  await expect(vouchers.archive()).rejects.toThrow(
    /^1 of 2 bundles were not made\. 2026-03 of P: cannot read .*vouchers-P-2026-03\.pdf: it is a folder$/,
  );
  expect(await versions()).toEqual(['P 1', 'Q 1']);
  await rm(part, { recursive: true });
  await vouchers.archive();
  expect(await versions()).toEqual(['P 1', 'P 2', 'Q 1']);
});
