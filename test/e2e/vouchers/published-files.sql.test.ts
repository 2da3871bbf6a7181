/** What was published is evidence: it is never written over, and verify reads it again. */
import { appendFile, readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishRun } from '../../../jobs/night/publish/publish.ts';
import { verifyArchive } from '../../../jobs/night/vouchers/voucher-verify.ts';
import { Night } from '../../helpers/night.ts';

const LONG = { timeout: 240_000 };
const WORKBOOK = 'reconciliation-2026-03-01.xlsx';

let night: Night;
let runId: string;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-02 02:00:00', workbooks: 'each' });
  await night.accounts({ no: 'P', heldFen: 10_000n });
  night.deposits({ orderNo: 'D1', payeeAcctNo: 'P', amountFen: 500n, depositTime: '2026-03-01 09:00:00' });
  runId = (await night.night('2026-03-01')).result.run.id;
});
afterEach(() => night.close());

const folder = (): string => path.join(night.home, 'reports', '2026-03-01', 'v1');
const listed = async (): Promise<string[]> => (await readdir(folder())).toSorted();

async function inProcess<T>(work: (job: Awaited<ReturnType<Night['process']>>) => Promise<T>): Promise<T> {
  const job = await night.process();
  try {
    return await work(job);
  } finally {
    await job.close();
  }
}

const publishAgain = () => inProcess((job) => publishRun(job, runId, []));
const faults = async () =>
  (await inProcess((job) => verifyArchive(job, undefined))).faults
    .map(({ path: file, result }) => `${path.basename(file)} ${result}`)
    .toSorted();

test(
  'a workbook in which somebody typed is moved aside and named, and the published one is there again',
  LONG,
  async () => {
    const published = await readFile(path.join(folder(), WORKBOOK));
    expect((await publishAgain()).movedAside).toEqual([]);
    expect(await listed()).toEqual(['manifest.json', WORKBOOK, 'result.json']);

    await appendFile(path.join(folder(), WORKBOOK), 'what the accountant typed');
    const typed = await readFile(path.join(folder(), WORKBOOK));
    const { movedAside } = await publishAgain();
    const aside = (await listed()).filter((name) => name.includes('aside'));
    expect(aside).toHaveLength(1);
    expect(aside[0]).toMatch(/^reconciliation-2026-03-01\.aside-[0-9a-f]{12}\.xlsx$/);
    expect(movedAside).toEqual([
      { path: path.join(folder(), WORKBOOK), to: path.join(folder(), aside[0] ?? '') },
    ]);
    expect(await readFile(path.join(folder(), aside[0] ?? ''))).toEqual(typed);
    expect(await readFile(path.join(folder(), WORKBOOK))).toEqual(published);
    const told = night.log.lines.filter(({ event }) => event === 'report.moved_aside');
    expect(told).toMatchObject([{ path: path.join(folder(), WORKBOOK), level: 'warn' }]);

    // Typed again in the same way: it is there already.
    await appendFile(path.join(folder(), WORKBOOK), 'what the accountant typed');
    await publishAgain();
    expect((await listed()).filter((name) => name.includes('aside'))).toEqual(aside);
  },
);

test('a result that somebody changed is moved aside too', LONG, async () => {
  await appendFile(path.join(folder(), 'result.json'), '\n');
  await appendFile(path.join(folder(), 'manifest.json'), '\n');
  await publishAgain();
  const aside = (await listed()).filter((name) => name.includes('aside'));
  expect(aside.map((name) => name.replace(/[0-9a-f]{12}/, 'X'))).toEqual([
    'manifest.aside-X.json',
    'result.aside-X.json',
  ]);
});

test(
  'a report that could not be written to its end leaves to verify what was published before',
  LONG,
  async () => {
    const fails = inProcess((job) => {
      const writeWholeWith: typeof job.files.writeWholeWith = (target, produce) =>
        target.endsWith('result.json')
          ? Promise.reject(new Error('no space left'))
          : job.files.writeWholeWith(target, produce);
      return publishRun({ ...job, files: { ...job.files, writeWholeWith } }, runId, []);
    });
    await expect(fails).rejects.toThrow('no space left');
    expect((await inProcess((job) => verifyArchive(job, undefined))).reports).toBe(3);
    await appendFile(path.join(folder(), 'result.json'), 'x');
    expect(await faults()).toEqual(['result.json changed']);
  },
);

test('verify reads workbooks, results and manifests: what is changed or missing is named', LONG, async () => {
  expect(await faults()).toEqual([]);
  expect((await inProcess((job) => verifyArchive(job, undefined))).reports).toBe(3);
  const other = { fromDay: '2026-02-01', toDay: '2026-02-28' };
  expect((await inProcess((job) => verifyArchive(job, other))).reports).toBe(0);

  await appendFile(path.join(folder(), WORKBOOK), 'x');
  await appendFile(path.join(folder(), 'result.json'), 'x');
  await rm(path.join(folder(), 'manifest.json'));
  expect(await faults()).toEqual(
    [`${WORKBOOK} changed`, 'manifest.json missing', 'result.json changed'].toSorted(),
  );

  await publishAgain();
  expect(await faults()).toEqual([]);
});
