/** Whatever stops a night leaves a result: every account incomplete, with the cause in words; and little stops one. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reconcileRange } from '../../jobs/night/night.ts';
import { terminalText } from '../helpers/findings.ts';
import type { NightOutcome } from '../helpers/findings.ts';
import type { Night } from '../helpers/night.ts';
import { readWorkbook } from '../helpers/read-workbook.ts';
import { expectGreen, openQuietDay } from '../helpers/quiet-day.ts';

let night: Night;

beforeEach(async () => {
  night = await openQuietDay();
});
afterEach(() => night.close());

const verdicts = ({ result }: NightOutcome): string[] =>
  result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`);

/** What lies on the disk of that night: its result as it is read by others, and the sheets of its workbook. */
async function published(): Promise<{ accounts: string[]; causes: string[]; cells: string }> {
  const folder = path.join(night.home, 'reports', '2026-03-10', 'v1');
  const result = JSON.parse(await readFile(path.join(folder, 'result.json'), 'utf8')) as {
    accounts: { accountNo: string; verdict: string; cause: string }[];
  };
  const { sheets } = await readWorkbook(path.join(folder, 'reconciliation-2026-03-10.xlsx'));
  return {
    accounts: result.accounts.map(({ accountNo, verdict }) => `${accountNo} ${verdict}`),
    causes: result.accounts.map(({ cause }) => cause),
    cells: JSON.stringify(sheets.map(({ cells }) => [...cells.values()])),
  };
}

const DAY = { job: 'nightly', fromDay: '2026-03-10', toDay: '2026-03-10', accounts: [] } as const;

describe('one badly signed order', () => {
  test('leaves its account incomplete and every other one proven, night after night', async () => {
    const submittedAt = '2026-03-10 11:00:00';
    await night.orders({ kind: 'withdrawal', outOrderNo: 'WPOISON', payer: 'A1', fen: 50n, submittedAt });
    night.sandbox.seedWithdrawals([
      { outOrderNo: 'WPOISON', acctNo: 'A1', amountFen: 50n, submittedAt, finalAt: '2026-03-11 08:00:00' },
    ]);
    night.sandbox.addFault({ kind: 'corrupt_sign', about: 'WPOISON', times: null });
    const outcome = await night.night('2026-03-10');
    expect(verdicts(outcome)).toEqual(['A1 incomplete', 'A2 reconciled']);
    expect(outcome.result.accounts[0]?.cause).toBe(
      'account/queryWithdraw: the signature of the answer is wrong',
    );
    expect(await published()).toMatchObject({ accounts: ['A1 incomplete', 'A2 reconciled'] });
    night.sandbox.liftFaults();
    expect(verdicts(await night.night('2026-03-10'))).toEqual(['A1 reconciled_with_timing', 'A2 reconciled']);
  });
});

describe('a run in which nothing verifies', () => {
  test('N8: is stopped, and its result says of every account why', async () => {
    night.sandbox.addFault({ kind: 'corrupt_biz_data', times: null });
    const outcome = await night.night('2026-03-10');
    expect(verdicts(outcome)).toEqual(['A1 incomplete', 'A2 incomplete']);
    const cause =
      'no answer verifies: 3 requests were answered with a wrong signature or none: do PLATFORM_SECRET, ' +
      'PLATFORM_SIGN_TYPE and the signing keys of the profile fit this platform?';
    expect(outcome.result.accounts.map((account) => account.cause)).toEqual([cause, cause]);
    expect(await terminalText(night.db, outcome.result)).toContain(
      `the run was stopped before everything was read (${cause})`,
    );
    const { accounts, causes, cells } = await published();
    expect(accounts).toEqual(['A1 incomplete', 'A2 incomplete']);
    expect(causes).toEqual([cause, cause]);
    expect(cells).toContain('no answer verifies');
    night.sandbox.liftFaults();
    await expectGreen(night);
    expect((await published()).accounts).toEqual(['A1 reconciled', 'A2 reconciled']);
  });

  test('N15: a clock that is nine seconds ahead is a cause as well', async () => {
    night.sandbox.clock.advance(-9_500);
    const outcome = await night.night('2026-03-10');
    expect(verdicts(outcome)).toEqual(['A1 incomplete', 'A2 incomplete']);
    for (const { cause } of outcome.result.accounts) {
      expect(cause).toMatch(/^this machine's clock is (?:9|10) s ahead of the platform's; .*set the clock$/);
    }
  });

  test('asks for nothing more and retries no settlement', async () => {
    night.sandbox.addFault({ kind: 'corrupt_sign', times: null });
    await night.settlingNight('2026-03-10');
    const asked = night.sandbox.requests().map((request) => request.path.split('/').at(-1));
    expect(new Set(asked)).toEqual(new Set(['deposit', 'queryInfo']));
  });
});

describe('a night that an error of our own ends', () => {
  test('leaves a result of every account, tells the error, and goes on the next time', async () => {
    const process = await night.process();
    const broken = { ...process, platform: () => Promise.reject(new Error('Bug: no memory left')) };
    await expect(reconcileRange(broken, DAY)).rejects.toThrow('Bug: no memory left');
    await process.close();
    const { accounts, causes, cells } = await published();
    expect(accounts).toEqual(['A1 incomplete', 'A2 incomplete']);
    expect(causes).toEqual(['Bug: no memory left', 'Bug: no memory left']);
    expect(cells).toContain('Bug: no memory left');
    await expectGreen(night);
  });

  test('a workbook that cannot be written keeps the result from nobody', async () => {
    const process = await night.process();
    const files = { ...process.files, makeFolder: () => Promise.reject(new Error('no space left')) };
    await expect(reconcileRange({ ...process, files }, DAY)).rejects.toThrow('no space left');
    await process.close();
    const run = await night.db
      .selectFrom('run')
      .select(['state', 'verdict', 'result'])
      .executeTakeFirstOrThrow();
    expect(run).toMatchObject({ state: 'finished', verdict: 'reconciled' });
    const broken = await night.process();
    const nothing = { ...broken, files, platform: () => Promise.reject(new Error('gone')) };
    await expect(
      reconcileRange(nothing, { ...DAY, fromDay: '2026-03-09', toDay: '2026-03-09' }),
    ).rejects.toThrow('gone');
    await broken.close();
    const bare = await night.db
      .selectFrom('run')
      .select('result')
      .where('from_day', '=', '2026-03-09')
      .executeTakeFirstOrThrow();
    expect(bare.result).toMatchObject({
      run: { verdict: 'incomplete' },
      accounts: [
        { accountNo: 'A1', cause: 'gone' },
        { accountNo: 'A2', cause: 'gone' },
      ],
    });
  });

  test('a stop by the operator is no result: the run goes on the next time', async () => {
    const stopping = new AbortController();
    const process = await night.process();
    const stopped = {
      ...process,
      signal: stopping.signal,
      platform: () => {
        stopping.abort(new Error('stopped by the operator'));
        return Promise.reject(new Error('stopped by the operator'));
      },
    };
    await expect(reconcileRange(stopped, DAY)).rejects.toThrow('stopped by the operator');
    await process.close();
    expect(await night.db.selectFrom('run').select(['state', 'verdict']).execute()).toEqual([
      { state: 'open', verdict: null },
    ]);
    await expectGreen(night);
  });
});

describe('a platform that cannot be reached', () => {
  test('the cause stands in the table, in the result and in the workbook', async () => {
    await night.served.close();
    const outcome = await night.night('2026-03-10');
    expect(verdicts(outcome)).toEqual(['A1 incomplete', 'A2 incomplete']);
    for (const { cause } of outcome.result.accounts) {
      expect(cause).toMatch(/^127\.0\.0\.1:\d+ cannot be reached: the connection was refused/);
    }
    expect(await terminalText(night.db, outcome.result)).toContain(
      'cannot be reached: the connection was refused',
    );
    expect((await published()).cells).toContain('cannot be reached: the connection was refused');
  });

  test('a wrong key is a cause, in the platform’s own words', async () => {
    const usual = night.environment();
    night.environment = () => ({ ...usual, PLATFORM_SECRET: 'not-the-secret' });
    const { result } = await night.night('2026-03-10');
    for (const { cause } of result.accounts)
      expect(cause).toMatch(/^the platform refused: \S+ .*(?:sign|签名)/i);
  });
});
