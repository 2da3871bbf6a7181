/**
 * Step 7 from the due list to the bundles (VCH-08, VCH-09, U51): what a company finds below RECON_HOME, what it is told,
 * and what a later voucher changes.
 */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN_LEASE } from '../../../jobs/night/prove/prove-run.ts';
import { underLease } from '../../../jobs/context/under-lease.ts';
import { voucherResult, voucherStep } from '../../../jobs/night/vouchers/voucher-step.ts';
import { verifyArchive } from '../../../jobs/night/vouchers/voucher-verify.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { VoucherNight } from '../../helpers/company/voucher-night.ts';

let vouchers: VoucherNight;
beforeEach(async () => {
  vouchers = await VoucherNight.open();
});
afterEach(() => vouchers.close());

const bundles = () =>
  lines(vouchers.night.db, 'voucher_bundle', ['account_no', 'month', 'version', 'files', 'missing']);

const at = (name: string): string => path.join(vouchers.night.home, name);

async function digestOf(name: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(at(name)))
    .digest('hex');
}

/** The rows of index.csv without its head: columns 2 (kind… as told) by name. */
async function indexRows(folder: string, ...columns: readonly string[]): Promise<string[]> {
  const text = (await readFile(at(`${folder}/index.csv`), 'utf8')).replace('\uFEFF', '');
  const [head = '', ...rows] = text.trimEnd().split(/\r?\n/);
  const names = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return columns.map((name) => cells[names.indexOf(name)] ?? '?').join(' ');
  });
}

describe('the first time', () => {
  test('originals, a bundle of each account with index and manifest; the zip when the month is over', async () => {
    await vouchers.deposits('2026-03-01', 'D1', 'D2');
    await vouchers.transfer('T1', { isSettled: true });
    await vouchers.withdrawal('W1');
    const report = await vouchers.archive();
    expect(report).toMatchObject({
      due: 5,
      asked: 5,
      fetched: 5,
      files: 5,
      missing: 0,
      rejected: 0,
      givenUp: 0,
      leftOver: 0,
    });
    expect(await vouchers.below('vouchers')).toHaveLength(5);
    const made = [
      '2026-03/P/index.csv',
      '2026-03/P/manifest.json',
      '2026-03/P/vouchers-P-2026-03.pdf',
      '2026-03/Q/index.csv',
      '2026-03/Q/manifest.json',
      '2026-03/Q/vouchers-Q-2026-03.pdf',
    ];
    expect(await vouchers.below('bundles')).toEqual(made);
    expect(report.bundles.map((part) => path.relative(vouchers.night.home, part.path))).toEqual([
      'bundles/2026-03/P/vouchers-P-2026-03.pdf',
      'bundles/2026-03/Q/vouchers-Q-2026-03.pdf',
    ]);
    expect(report.bundles.map(({ files }) => files)).toEqual([4, 2]);
    vouchers.night.moveTo('2026-03-31 02:00:00');
    await vouchers.archive();
    expect(await vouchers.below('bundles')).toEqual(made);
    vouchers.night.moveTo('2026-04-01 02:00:00');
    await vouchers.archive();
    expect(await vouchers.below('bundles')).toEqual([...made, '2026-03/vouchers-2026-03.zip']);
  });

  test('the transfer lies in the bundle of the payer and of the payee, each naming the other', async () => {
    await vouchers.night.db
      .updateTable('account')
      .set({ name: '乙公司' })
      .where('account_no', '=', 'Q')
      .execute();
    await vouchers.transfer('T1');
    await vouchers.archive();
    const columns = ['kind', 'out_order_no', 'counterparty', 'amount_yuan', 'counterparty_name'] as const;
    expect(await indexRows('bundles/2026-03/P', ...columns)).toEqual(['transfer T1 Q 500.00 乙公司']);
    expect(await indexRows('bundles/2026-03/Q', ...columns)).toEqual(['transfer T1 P 500.00 ']);
    const originals = await vouchers.below('vouchers');
    expect(originals).toHaveLength(1);
  });

  test('VCH-09: order and page count are kept, and every place is where the table says', async () => {
    vouchers.night.sandbox.planVouchers([{ number: 'D2', pages: 3 }]);
    await vouchers.deposits('2026-03-01', 'D1', 'D2', 'D3');
    const report = await vouchers.archive();
    const [part] = report.bundles;
    const merged = await PDFDocument.load(await readFile(part?.path ?? ''));
    expect(merged.getPageCount()).toBe(part?.pages);
    const places = await lines(vouchers.night.db, 'voucher_place', ['number', 'part', 'page', 'pages']);
    const [first = 0, second = 0, third = 0] = places.map((line) => Number(line.split(' ')[2]));
    expect(places).toEqual([`D1 1 ${first} 1`, `D2 1 ${second} 3`, `D3 1 ${third} 1`]);
    expect([second - first, third - second]).toEqual([1, 3]);
    expect(await indexRows('bundles/2026-03/P', 'order_no', 'page', 'pages')).toEqual([
      `D1 ${first} 1`,
      `D2 ${second} 3`,
      `D3 ${third} 1`,
    ]);
  });

  test('the run records what came of it, for its result; a later run does not change that', async () => {
    vouchers.night.sandbox.planVouchers([{ number: 'D2', notReady: 1_000 }]);
    await vouchers.deposits('2026-03-01', 'D1', 'D2');
    await vouchers.night.night('2026-03-01');
    const runId = 'nightly-2026-03-01-v1';
    const step = () =>
      vouchers.inProcess((job) =>
        underLease(job, RUN_LEASE, (held, lease) => voucherStep(held, { runId, today: '2026-03-02', lease })),
      );
    const { bundles: made } = await step();
    expect(made).toHaveLength(1);
    const recorded = { fetched: 1, missing: 1, rejected: 0, givenUp: 0, leftOver: 0, bundles: made };
    expect(await voucherResult(vouchers.night, runId)).toEqual(recorded);
    await step();
    expect(await voucherResult(vouchers.night, runId), 'a run that goes on counts both lives').toEqual(
      recorded,
    );
    vouchers.night.moveTo('2026-03-03 02:00:00');
    await vouchers.archive();
    expect(await voucherResult(vouchers.night, runId)).toEqual(recorded);
    expect(await voucherResult(vouchers.night, 'a run without vouchers')).toEqual({
      fetched: 0,
      missing: 0,
      rejected: 0,
      givenUp: 0,
      leftOver: 0,
      bundles: [],
    });
  });
});

describe('the second time', () => {
  test('VCH-09: nothing is asked for, nothing is made', async () => {
    await vouchers.deposits('2026-03-01', 'D1');
    await vouchers.archive();
    const before = await digestOf('bundles/2026-03/P/vouchers-P-2026-03.pdf');
    vouchers.night.moveTo('2026-03-03 02:00:00');
    expect(await vouchers.archive()).toMatchObject({ due: 0, asked: 0, fetched: 0, bundles: [] });
    expect(vouchers.asked()).toBe(1);
    expect(await bundles()).toEqual(['P 2026-03 1 1 0']);
    expect(await digestOf('bundles/2026-03/P/vouchers-P-2026-03.pdf')).toBe(before);
  });

  test('a late voucher makes a new version; the old one is its beginning, the originals as they were', async () => {
    vouchers.night.sandbox.planVouchers([{ number: 'D2', notReady: 1 }]);
    await vouchers.deposits('2026-03-01', 'D1', 'D2');
    const first = await vouchers.archive();
    expect(first).toMatchObject({ fetched: 1, missing: 1, leftOver: 0 });
    expect(await indexRows('bundles/2026-03/P', 'order_no', 'status')).toEqual(['D1 merged', 'D2 missing']);
    const part = 'bundles/2026-03/P/vouchers-P-2026-03.pdf';
    const former = await readFile(at(part));
    const names = ['index.csv', 'manifest.json'];
    const old = await Promise.all(names.map((name) => digestOf(`bundles/2026-03/P/${name}`)));
    const originals = await vouchers.below('vouchers');

    vouchers.night.moveTo('2026-03-03 02:00:00');
    const second = await vouchers.archive();
    expect(second).toMatchObject({ due: 1, fetched: 1, missing: 0 });
    expect(await bundles()).toEqual(['P 2026-03 1 1 1', 'P 2026-03 2 2 0']);
    expect(await indexRows('bundles/2026-03/P', 'order_no', 'status')).toEqual(['D1 merged', 'D2 merged']);
    const kept = await Promise.all(names.map((name) => digestOf(`bundles/2026-03/P/superseded/v1/${name}`)));
    expect(kept).toEqual(old);
    expect(await vouchers.below('bundles/2026-03/P/superseded')).toEqual([
      'v1/index.csv',
      'v1/manifest.json',
    ]);
    const grown = await readFile(at(part));
    expect(grown.subarray(0, former.byteLength).equals(former)).toBe(true);
    expect((await PDFDocument.load(grown)).getPageCount()).toBe(
      (await PDFDocument.load(former)).getPageCount(),
    );
    expect(await vouchers.below('vouchers')).toEqual(expect.arrayContaining(originals));
    expect(await vouchers.inProcess((job) => verifyArchive(job, undefined))).toMatchObject({
      originals: 2,
      bundles: 1,
      faults: [],
    });
  });

  test('a voucher that is only waited for on makes no version, one that is given up does', async () => {
    await vouchers.night.profile({ vouchers: { retryDays: 2 } });
    vouchers.night.sandbox.planVouchers([{ number: 'D2', notReady: 1_000 }]);
    await vouchers.deposits('2026-03-01', 'D1', 'D2');
    const versions: string[] = [];
    for (const day of ['02', '03', '04', '05']) {
      vouchers.night.moveTo(`2026-03-${day} 02:00:00`);
      await vouchers.archive();
      versions.push(`${day}: ${(await bundles()).length}`);
    }
    expect(versions).toEqual(['02: 1', '03: 1', '04: 2', '05: 2']);
    expect(await vouchers.dues()).toEqual(['deposit D1 filed', 'deposit D2 given_up']);
  });

  test('in a range, what was given up is asked for once more', async () => {
    await vouchers.night.profile({ vouchers: { retryDays: 0 } });
    vouchers.night.sandbox.planVouchers([{ number: 'D1', notReady: 1 }]);
    await vouchers.deposits('2026-03-01', 'D1');
    expect(await vouchers.archive()).toMatchObject({ missing: 1, givenUp: 1 });
    vouchers.night.moveTo('2026-03-10 02:00:00');
    expect(await vouchers.archive()).toMatchObject({ due: 0 });
    const otherDay = { fromDay: '2026-03-02', toDay: '2026-03-03' };
    expect(await vouchers.archive({ range: otherDay })).toMatchObject({ due: 0 });
    const day = { fromDay: '2026-03-01', toDay: '2026-03-01' };
    expect(await vouchers.archive({ range: day })).toMatchObject({ due: 1, fetched: 1, leftOver: 0 });
  });

  test('a record of another month moves from one bundle to the other', async () => {
    await vouchers.deposits('2026-03-01', 'D1', 'D2');
    await vouchers.archive();
    await vouchers.deposits('2026-02-27', 'D2');
    await vouchers.archive();
    expect(await bundles()).toEqual(['P 2026-02 1 1 0', 'P 2026-03 1 2 0', 'P 2026-03 2 1 0']);
    expect(vouchers.asked()).toBe(2);
  });
});

describe('U51: settlements', () => {
  test('one for which the platform gives none is unavailable, not missing, and the index says so', async () => {
    vouchers.night.sandbox.setSwitches({ autoWithdrawVoucher: 'refused' });
    await vouchers.transfer('T1', { isSettled: true });
    expect(await vouchers.archive()).toMatchObject({ fetched: 1, missing: 0, unavailable: 1 });
    expect(await indexRows('bundles/2026-03/Q', 'kind', 'status')).toEqual([
      'transfer merged',
      'settlement missing',
    ]);
    vouchers.night.moveTo('2026-03-03 02:00:00');
    await vouchers.archive();
    expect(vouchers.asked()).toBe(2);
  });
});

describe('the archive is read again', () => {
  test('I5: what is missing, changed or unreadable is named, kept, and closed when it is whole again', async () => {
    await vouchers.deposits('2026-03-01', 'D1', 'D2', 'D3');
    await vouchers.archive();
    const [one = '', two = ''] = (await vouchers.below('vouchers')).map((name) => `vouchers/${name}`);
    const part = 'bundles/2026-03/P/vouchers-P-2026-03.pdf';
    const originals = new Map(
      await Promise.all([one, two].map(async (name) => [name, await readFile(at(name))] as const)),
    );
    await rm(at(one));
    await writeFile(at(two), 'something else');
    await writeFile(at(part), Buffer.concat([await readFile(at(part)), Buffer.from('\n')]));
    await rm(at('bundles/2026-03/P/index.csv'));
    const said = await vouchers.inProcess((job) => verifyArchive(job, undefined));
    expect(said.faults.map((fault) => `${fault.path} ${fault.result}`)).toEqual([
      `${one} missing`,
      `${two} changed`,
      `${part} changed`,
      'bundles/2026-03/P/index.csv missing',
    ]);
    await vouchers.inProcess((job) => verifyArchive(job, undefined));
    expect(await lines(vouchers.night.db, 'voucher_check', ['result', 'cured_at'])).toEqual([
      'changed -',
      'changed -',
      'missing -',
      'missing -',
    ]);

    for (const [name, bytes] of originals) await writeFile(at(name), bytes);
    await vouchers.archive({ isEveryBundle: true });
    expect(await vouchers.inProcess((job) => verifyArchive(job, undefined))).toMatchObject({ faults: [] });
    const open = await lines(vouchers.night.db, 'voucher_check', ['cured_at']);
    expect(open.filter((cured) => cured === '-')).toEqual([]);
    expect(open).toHaveLength(4);
  });

  test('lost files of a bundle are put back as they were, and no version is made', async () => {
    await vouchers.deposits('2026-03-01', 'D1');
    await vouchers.archive();
    const before = await digestOf('bundles/2026-03/P/vouchers-P-2026-03.pdf');
    vouchers.night.moveTo('2026-04-09 02:00:00');
    await rm(at('bundles'), { recursive: true });
    expect(await vouchers.archive()).toMatchObject({ bundles: [] });
    await vouchers.archive({ isEveryBundle: true });
    expect(await digestOf('bundles/2026-03/P/vouchers-P-2026-03.pdf')).toBe(before);
    expect(await bundles()).toEqual(['P 2026-03 1 1 0']);
    expect(await vouchers.below('bundles')).toContain('2026-03/vouchers-2026-03.zip');
  });
});
