/** The programmatic entry against the real sandbox and a real database: it does what the commands do, and leaves the process alone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Stopped, WrongInput, openRecon, startSandbox } from '../../jobs/api/package.ts';
import type { ProgressEvent, SandboxOfTest } from '../../jobs/api/package.ts';
import { systemClock } from '../../src/core/clock.ts';
import { jsonText } from '../../src/core/json.ts';
import { Zone, addDays } from '../../src/core/time.ts';
import { runCli } from '../helpers/cli.ts';
import { accountsCsv, ordersCsv } from '../helpers/company/company-files.ts';
import { databaseToSpoil } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { faultsOfAnswer } from '../schemas/validator.ts';

/** Yesterday: the sandbox goes by the host's clock, as a foreign suite has it. */
const DAY = addDays(new Zone('Asia/Shanghai').dayOf(systemClock().wall()), -1);
const LIMIT_MS = 120_000;
let sandbox: SandboxOfTest;
let database: TestDatabase;
let home: string;
let options: { environment: Record<string, string> };

beforeAll(async () => {
  database = await databaseToSpoil();
  home = await mkdtemp(path.join(os.tmpdir(), 'recon-api-'));
  sandbox = await startSandbox({ scenario: 'empty' });
  sandbox.sandbox.seedAccounts([{ accountNo: 'A1', balanceFen: 100 }]);
  sandbox.sandbox.seedDeposits([
    { payeeAcctNo: 'A1', orderNo: 'D1', amountFen: 500, depositTime: `${DAY} 09:00:00` },
  ]);
  const env = {
    ...sandbox.settings,
    RECON_HOME: home,
    SETTLE_MARK_FILE: path.join(home, 'mark'),
    ...(database.url !== undefined && { DATABASE_URL: database.url }),
  };
  options = { environment: env };
  const file = path.join(home, 'accounts.csv');
  await writeFile(file, accountsCsv([{ no: 'A1', opening: { fen: 100n, at: `${DAY} 00:00:00` } }]));
  const { status, stderr } = await runCli(['accounts', 'import', file], { env });
  expect([status, stderr.includes('Bug')]).toEqual([0, false]);
}, LIMIT_MS);
afterAll(async () => {
  await sandbox.close();
  await database.close();
  await rm(home, { recursive: true, force: true });
});

test(
  'a night that is stopped keeps what it read and says how to go on; the next call does',
  async () => {
    const stopping = new AbortController();
    await using recon = await openRecon({
      ...options,
      onProgress: () => stopping.abort(new Error('enough')),
    });
    const stopped = recon.nightly({ day: DAY, signal: stopping.signal });
    await expect(stopped).rejects.toBeInstanceOf(Stopped);
    await expect(stopped).rejects.toThrow(`recon nightly --day ${DAY}`);
    const { document } = await recon.nightly({ day: DAY });
    expect([document.run.from, document.run.job]).toEqual([DAY, 'nightly']);
  },
  LIMIT_MS,
);

test(
  'night, backfill, report, settlements and breaks answer as the commands do, and the process is left alone',
  async () => {
    const events: ProgressEvent[] = [];
    const logged: unknown[] = [];
    const listeners = process.listenerCount('SIGINT');
    const written = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    await using recon = await openRecon({
      ...options,
      onProgress: (event) => events.push(event),
      onLog: (event) => logged.push(event['event']),
    });
    const night1 = await recon.nightly({ day: DAY, failOnBreaks: true });
    const backfill = await recon.backfill({ from: DAY, to: DAY });
    const report = await recon.report({ day: DAY });
    const settle = await recon.settle({ dryRun: true });
    const list = await recon.breaks.list();
    const { id = '' } = list.document.breaks[0] ?? {};
    const shown = await recon.breaks.show(id);
    const runs = await recon.runs.list({ from: DAY });
    const run = await recon.runs.show(night1.document.run.id);
    const explained = await recon.explain(id);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
    for (const one of written) {
      expect(one).not.toHaveBeenCalled();
      one.mockRestore();
    }
    expect(night1.document.breaks.map(({ class: kind }) => kind)).toEqual(['platform_only']);
    expect([night1.status, backfill.status, settle.status]).toEqual([3, 0, 0]);
    expect(list.document.breaks.map(({ reference, platformFen }) => [reference, platformFen])).toEqual([
      ['D1', 500n],
    ]);
    for (const [answer, { document }] of Object.entries({
      nightly: night1,
      backfill,
      report,
      settle,
      'breaks list': list,
      'breaks show': shown,
      'runs list': runs,
      'runs show': run,
      explain: explained,
    })) {
      expect([answer, ...(await faultsOfAnswer(answer, JSON.parse(jsonText(document))))]).toEqual([answer]);
    }
    expect(shown.document.events.map(({ event }) => event)).toContain('opened');
    expect(runs.document.runs.map(({ runId }) => runId)).toContain(night1.document.run.id);
    expect(run.document.run.verdict).toBe('breaks');
    expect(explained.document.breaks.map((found) => found.id)).toEqual([id]);
    expect(events.some(({ isDone }) => isDone)).toBe(true);
    expect(logged.length).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

test(
  'what is wrong is told as the commands tell it',
  async () => {
    const env = { ...options.environment, PLATFORM_URL: '' };
    await expect(openRecon({ environment: env })).rejects.toThrow(/PLATFORM_URL/);
    await using recon = await openRecon({ environment: env, platform: false });
    await expect(recon.breaks.list({ class: 'nonsense' })).rejects.toBeInstanceOf(WrongInput);
    await expect(recon.backfill({ from: 'x', to: DAY })).rejects.toThrow(/--from/);
  },
  LIMIT_MS,
);

test(
  'closing stops what is under way and is enough once',
  async () => {
    const recon = await openRecon(options);
    const under = recon.nightly({ day: DAY });
    const [ended] = await Promise.allSettled([under, recon.close(), recon.close()]);
    expect(ended).toMatchObject({ status: 'rejected', reason: expect.any(Stopped) as unknown });
    await expect(recon.breaks.list()).rejects.toThrow('closed');
  },
  LIMIT_MS,
);

test(
  'orders are registered; a file with faults is told by row and column, and nothing of it is taken in',
  async () => {
    await using recon = await openRecon({ ...options, platform: false });
    const file = path.join(home, 'orders.csv');
    const text = ordersCsv(
      ['W1', 'W2'].map((outOrderNo) => ({
        kind: 'withdrawal',
        outOrderNo,
        payer: 'A1',
        fen: 1_250n,
        submittedAt: '',
      })),
    );
    await writeFile(file, text.replace(/1250(?=[^]*$)(?![^]*1250)/, 'twelve'));
    const refused = await recon.orders.import(file);
    expect([refused.status, refused.document.added]).toEqual([2, 0]);
    expect(refused.document.faults).toMatchObject([{ row: 3, column: 'amount_fen' }]);
    await writeFile(file, text);
    expect(await recon.orders.import(file)).toMatchObject({ status: 0, document: { added: 2 } });
    const unknown = recon.breaks.show('no such');
    await expect(unknown).rejects.toBeInstanceOf(WrongInput);
  },
  LIMIT_MS,
);
