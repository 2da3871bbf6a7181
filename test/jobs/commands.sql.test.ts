/** The commands around the night, by the real executable on one set of books. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { Zone, addDays } from '../../src/core/time.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/server/sandbox.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import type { ServedSandbox } from '../../src/sandbox/server/serve.ts';
import { faultsOf, runCli, temporaryFolder } from '../helpers/cli.ts';
import type { CliOutcome, TemporaryFolder } from '../helpers/cli.ts';
import { serverUrl, testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';

const zone = new Zone('Asia/Shanghai');
const today = zone.dayOf(systemClock().wall());
const yesterday = addDays(today, -1);

let folder: TemporaryFolder;
let sandbox: Sandbox;
let served: ServedSandbox;
let server: TestDatabase | undefined;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = serverUrl === undefined ? undefined : await testDatabase();
  sandbox = createSandbox({ clock: systemClock() });
  served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
  sandbox.seedAccounts([
    {
      accountNo: '100001',
      name: '示例科技有限公司',
      balanceFen: 10_000n,
      bindCard: { bankAccountNo: '6222021234567890123', bankAccountName: '张三丰', mobile: '13812345678' },
    },
  ]);
  sandbox.seedDeposits([
    { payeeAcctNo: '100001', orderNo: 'D1', amountFen: 500n, depositTime: `${yesterday} 09:00:00` },
  ]);
  const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
  env = {
    RECON_HOME: path.join(folder.path, 'home'),
    PLATFORM_URL: served.url,
    PLATFORM_API_KEY: credential?.id ?? '',
    PLATFORM_SECRET: credential?.secret ?? '',
    LOG_LEVEL: 'error',
    REPORT_LOCALE: 'en',
    ...(server?.url !== undefined && { DATABASE_URL: server.url }),
  };
  const file = path.join(folder.path, 'accounts.csv');
  const opening = `${yesterday} 00:00:00`;
  await writeFile(file, `account_no,opening_fen,opening_at\n100001,10000,${opening}\n100002,0,${opening}\n`);
  const { status, stderr } = await recon('accounts', 'import', file);
  if (status !== 0) throw new Error(stderr);
});
afterAll(async () => {
  await served.close();
  await server?.close();
  await folder.remove();
});

const recon = (...args: readonly string[]): Promise<CliOutcome> => runCli(args, { env });

/** What it answers is for the caller to know. */
async function reconJson(...args: readonly string[]): Promise<{ status: number | null; document: unknown }> {
  const { status, stdout } = await recon(...args, '--json');
  return { status, document: JSON.parse(stdout) as unknown };
}

interface Snapshots {
  schema: number;
  snapshots: { accountNo: string; state: string; balanceFen: number | null; reason: string }[];
}

test('settle --not-refunded: says which refund it knows nothing of, and takes nothing beside it', async () => {
  const { status, stdout, stderr } = await recon(
    'settle',
    '--not-refunded',
    'RQ1',
    '--payer',
    '100001',
    '--order',
    'T1',
    '--by',
    'Li Na',
  );
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    'no refund by hand of T1 of 100001 by the request RQ1 is waited for: recon settle --dry-run names those that are',
  );
  const wrong = await recon('settle', '--not-refunded', ' ', '--dry-run', '--by', '');
  expect(wrong.status).toBe(2);
  expect(faultsOf(wrong.stderr)).toEqual([
    '--by says who approves: it takes a name',
    '--not-refunded takes the request of a refund, as recon settle --dry-run names it',
    '--payer takes the payer of that order, as recon settle --dry-run names it',
    '--order takes the order that was not refunded, as recon settle --dry-run names it',
    '--not-refunded goes with neither --approve nor --dry-run',
  ]);
});

test('snapshot stores every balance it can read and fails for the one it cannot', async () => {
  const { status, document: answered } = await reconJson('snapshot');
  const document = answered as Snapshots;
  expect(status).toBe(1);
  expect(document.schema).toBe(1);
  expect(document.snapshots).toMatchObject([
    { accountNo: '100001', state: 'stable', balanceFen: 10_500, frozenFen: 0, tries: 1, reason: '' },
    { accountNo: '100002', state: 'unread', balanceFen: null, takenAt: null, tries: null },
  ]);
  expect(document.snapshots[1]?.reason).toContain('the platform refused: ');
});

test('call prints what the platform says with everything personal masked, and fails when it refuses', async () => {
  const text = await recon('call', 'acct/queryInfo', '{"accountNo":"100001"}');
  expect(text.status).toBe(0);
  expect(text.stdout).toContain('"balance": 10500');
  expect(text.stdout).toContain('"bankAccountNo": "****0123"');
  const json = await reconJson('call', 'acct/queryInfo', '{"accountNo":"100001"}');
  expect(json.document).toMatchObject({
    schema: 1,
    endpoint: 'acct/queryInfo',
    outcome: 'accepted',
    code: '000000',
    data: { accountNo: '100001', balance: 10_500, bindAcctInfo: { mobile: '138****5678' } },
  });
  const both = text.stdout + JSON.stringify(json.document);
  for (const personal of ['6222021234567890123', '13812345678', '三丰']) expect(both).not.toContain(personal);
  const refused = await reconJson('call', 'acct/queryInfo', '{"accountNo":"nobody"}');
  expect(refused.status).toBe(1);
  expect(refused.document).toMatchObject({ outcome: 'refused', data: null });
});

test('ENV-22: a query without an answer that can be believed is unknown, and fails', async () => {
  const no = sandbox.addFault({ kind: 'corrupt_biz_data', path: 'acct/queryInfo', times: 2 });
  const profile = path.join(folder.path, 'once.json');
  await writeFile(profile, '{"http": {"maxAttempts": 1}}');
  const said = await runCli(['call', 'acct/queryInfo', '{"accountNo":"100001"}', '--json'], {
    env: { ...env, PLATFORM_PROFILE: profile },
  });
  sandbox.liftFaults(no);
  expect(said.status).toBe(1);
  expect(JSON.parse(said.stdout)).toMatchObject({
    outcome: 'unknown',
    code: null,
    data: null,
    msg: 'acct/queryInfo: the signature of the answer is wrong',
  });
});

interface Listed {
  breaks: { id: string; class: string; reference: string; status: string; differenceFen: number }[];
}

test(
  'the night, its breaks, and its report written again without a change to its verdict',
  { timeout: 240_000 },
  async () => {
    const night = await reconJson('nightly', '--day', yesterday);
    expect(night.status, 'one account could not be read').toBe(1);
    const { run } = night.document as { run: { id: string; verdict: string } };
    expect(run.verdict).toBe('incomplete');

    const listed = await reconJson('breaks', 'list', '--account', '100001');
    const { breaks } = listed.document as Listed;
    expect(listed.status).toBe(0);
    expect(breaks).toMatchObject([
      { class: 'platform_only', reference: 'D1', status: 'open', differenceFen: 500, closedDay: null },
    ]);
    expect((await reconJson('breaks', 'list', '--class', 'fee')).document).toEqual({ schema: 1, breaks: [] });
    const id = breaks[0]?.id ?? '';
    const shown = await recon('breaks', 'show', id);
    expect(shown.stdout).toContain('5.00 (platform − ledger)');
    expect(shown.stdout).toMatch(/1 +\S+ \S+ +opened +recon +nightly-/);

    const resultPath = path.join(env['RECON_HOME'] ?? '', 'reports', yesterday, 'v1', 'result.json');
    const before = JSON.parse(await readFile(resultPath, 'utf8')) as unknown;
    const byId = await reconJson('report', '--run', run.id);
    expect(byId).toEqual({ status: 0, document: before });
    const byDay = await recon('report', '--day', yesterday);
    expect(byDay.stdout).toContain(`${run.id}: incomplete\nwritten: `);
    expect(JSON.parse(await readFile(resultPath, 'utf8'))).toEqual(before);
  },
);
