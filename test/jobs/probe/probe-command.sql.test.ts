/** `probe`, by the real executable: facts from the job's own tables, its document, its table, the file it writes. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '../../../jobs/probe/probe-finding.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { addDays, addMs } from '../../../src/core/time.ts';
import { createSandbox } from '../../../src/sandbox/server/create-sandbox.ts';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.ts';
import { serve } from '../../../src/sandbox/server/serve.ts';
import type { ServedSandbox } from '../../../src/sandbox/server/serve.ts';
import { Books, zone } from '../../helpers/company/books.ts';
import { faultsOf } from '../../helpers/cli.ts';
import type { CliOutcome } from '../../helpers/cli.ts';
import { dumpOf } from '../../helpers/dump.ts';
import type { Dump } from '../../helpers/dump.ts';
import { OrderBooks } from '../../helpers/company/order-books.ts';
import { API_KEY, API_SECRET } from '../../sandbox/caller.ts';
import { contradicted } from './probe-world.ts';
import { commandBooks } from '../command-books.ts';

const { recon, reconWith, file, onDatabase } = commandBooks();
const FAST = { http: { rate: { perSecond: 10_000, concurrency: 1 } } };
const DAY = addDays(zone.dayOf(systemClock().wall()), -40);

let sandbox: Sandbox;
let served: ServedSandbox;
let profile: string;

beforeAll(async () => {
  sandbox = createSandbox({ clock: systemClock(), switches: { bothIds: 'own', endInclusive: false } });
  served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
  profile = await file('in-force.json', JSON.stringify(FAST));
  seedPlatform();
  await recon('migrate');
  await onDatabase(async (db) => {
    const [books, orders] = [new Books(db), new OrderBooks(db)];
    for (const accountNo of ['P', 'Q']) await books.account(accountNo);
    await books.deposits('Q', [
      { orderNo: 'D-1', at: `${DAY} 09:00:00`, amountFen: 1_000n },
      { orderNo: 'D-2', at: `${DAY} 23:00:00`, amountFen: 1_000n },
    ]);
    const submittedAt = `${DAY} 10:00:00`;
    const settle = { state: 'moved' } as const;
    await orders.transfer({
      out: 'O-1',
      batch: 'B-1',
      payer: 'P',
      payee: 'Q',
      amountFen: 100n,
      submittedAt,
      settle,
    });
    await orders.withdrawal({ out: 'W-1', account: 'P', amountFen: 50n, submittedAt });
  });
});
afterAll(() => served.close());

/** What the company's tables know, and the platform as well. */
function seedPlatform(): void {
  sandbox.seedAccounts([
    { accountNo: 'P', role: 'FQ', balanceFen: 100_000 },
    { accountNo: 'Q', autoSettle: true },
  ]);
  const deposit = { payeeAcctNo: 'Q', amountFen: 1_000 };
  sandbox.seedDeposits([
    { ...deposit, orderNo: 'D-1', depositTime: `${DAY} 09:00:00` },
    { ...deposit, orderNo: 'D-2', depositTime: `${DAY} 23:00:00` },
  ]);
  const submittedAt = `${DAY} 10:00:00`;
  const orders = [{ outOrderNo: 'O-1', payeeAcctNo: 'Q', amountFen: 100 }];
  sandbox.seedTransfers([{ outBatchNo: 'B-1', payerAcctNo: 'P', submittedAt, orders }]);
  sandbox.seedWithdrawals([{ outOrderNo: 'W-1', acctNo: 'P', amountFen: 50, submittedAt }]);
}

function probe(args: readonly string[], over: Readonly<Record<string, string>> = {}): Promise<CliOutcome> {
  const platform = {
    PLATFORM_URL: served.url,
    PLATFORM_API_KEY: API_KEY.apiKey,
    PLATFORM_SECRET: API_SECRET,
  };
  return reconWith({ ...platform, PLATFORM_PROFILE: profile, ...over }, 'probe', ...args);
}

interface Document {
  schema: number;
  findings: Finding[];
  profile: object;
}

test('its own tables are enough: nothing is open that a query can tell, and nothing is stored', async () => {
  const dumps: Dump[] = [];
  await onDatabase(async (db) => void dumps.push(await dumpOf(db)));
  const said = await probe(['--json']);
  await onDatabase(async (db) => void dumps.push(await dumpOf(db)));
  expect(said.status).toBe(0);
  expect(dumps[1]).toEqual(dumps[0]);
  const { schema, findings, profile } = JSON.parse(said.stdout) as Document;
  expect(schema).toBe(1);
  expect(Object.keys(findings[0] ?? {})).toEqual([
    'u',
    'key',
    'tried',
    'answer',
    'inForce',
    'found',
    'verdict',
  ]);
  const open = findings.filter(({ verdict }) => verdict === 'open').map(({ u, key }) => `${u} ${key}`);
  expect(open.filter((question) => question !== 'U19 clock.tolerance')).toEqual([
    'U1 signing.secretName.app',
    'U1 signing.secretNameByPath',
    'U3 signing.rsa.padding',
    'U17 emulator.reqId.consumeOnReject',
  ]);
  expect(contradicted(findings)).toEqual(['U27 compat.bothIds']);
  expect(findings.find(({ key }) => key === 'deposits.endInclusive')).toMatchObject({ found: 'no' });
  expect(profile).toEqual({ ...FAST, compat: { bothIds: 'own' } });
});

test('the table has each question with what was tried, and the profile to save', async () => {
  const { status, stdout } = await probe([]);
  expect(status).toBe(0);
  const lines = stdout.split('\n');
  const row = lines.findIndex((line) => line.startsWith('U27'));
  expect(lines[row]?.replaceAll(/ {2,}/g, ' | ')).toBe('U27 | compat.bothIds | refuse | own | contradicted');
  expect(lines[row + 1]?.trim()).toMatch(
    /^division\/query with both numbers, one of them made up → own right: 000000; platform's right: \d+ /,
  );
  expect(stdout).toMatch(/^\d+ confirmed, 1 contradicted, \d open$/m);
  expect(stdout).toContain('the profile with compat.bothIds changed; save it with --write FILE\n{');
});

test('--write saves the profile once; only --force replaces a file; with it nothing is contradicted', async () => {
  const saved = path.join(path.dirname(profile), 'saved.json');
  const first = await probe(['--write', saved]);
  expect([first.status, JSON.parse(await readFile(saved, 'utf8'))]).toEqual([
    0,
    { ...FAST, compat: { bothIds: 'own' } },
  ]);
  expect(first.stdout).toContain(`written to ${saved}: name it in PLATFORM_PROFILE`);
  const asked = sandbox.requests().length;
  const { mtimeMs } = await stat(saved);
  const second = await probe(['--write', saved]);
  expect([second.status, faultsOf(second.stderr)]).toEqual([
    2,
    [`--write ${saved} is there already; --force replaces it`],
  ]);
  expect([sandbox.requests().length, (await stat(saved)).mtimeMs], 'nothing was done').toEqual([
    asked,
    mtimeMs,
  ]);
  const again = await probe(['--write', saved, '--force', '--json'], { PLATFORM_PROFILE: saved });
  expect(again.status).toBe(0);
  expect(contradicted((JSON.parse(again.stdout) as Document).findings)).toEqual([]);
});

test('what is given goes before the tables, and what the platform does not know is said', async () => {
  const args = ['--batch', 'B-NONE', '--withdrawal', 'W-NONE', '--account', 'P', '--day', DAY, '--json'];
  const { findings } = JSON.parse((await probe(args)).stdout) as Document;
  const answerOf = (key: string): string => findings.find((one) => one.key === key)?.answer ?? '';
  expect(answerOf('compat.bothIds')).toContain('the platform does not show the batch: 300001');
  expect(answerOf('compat.feeNames')).toContain('the platform does not show the withdrawal: 300001');
  expect(findings.find(({ u }) => u === 'U24')?.verdict, 'the other account has deposits that day').toBe(
    'confirmed',
  );
});

test('wrong arguments are all named before anything is asked', async () => {
  const asked = sandbox.requests().length;
  const said = await probe(['--account', 'a b', '--day', 'x', '--write', '/nowhere/at/all.json']);
  expect([said.status, faultsOf(said.stderr)]).toEqual([
    2,
    [
      '--account "a b" is no number of the platform',
      '--day "x" is not a day; write yyyy-MM-dd, such as 2026-03-01',
      '--write /nowhere/at/all.json: there is no folder /nowhere/at',
    ],
  ]);
  expect(sandbox.requests()).toHaveLength(asked);
});

test('a platform that cannot be asked is exit status 1 with the reason, and nothing is written', async () => {
  const unwritten = path.join(path.dirname(profile), 'unwritten.json');
  const refused = await probe(['--write', unwritten], { PLATFORM_SECRET: 'another-secret' });
  expect(refused.status).toBe(1);
  expect(refused.stdout).toBe('');
  expect(faultsOf(refused.stderr)[0]).toContain('the platform refuses all 14 manners of signing');
  const at = addMs(systemClock().wall(), -120_000);
  const late = await probe(['--clock', at]);
  expect([late.status, faultsOf(late.stderr)[0]]).toEqual([
    1,
    expect.stringMatching(/clock is 1\d\d s behind/),
  ]);
  await expect(stat(unwritten)).rejects.toThrow('ENOENT');
});

test('its help has an example and says what the exit status means', async () => {
  const { stdout } = await recon('probe', '--help');
  expect(stdout).toContain('Example:\n  recon probe --account 100001 --write profile.json');
  expect(stdout).toContain('Exit status: 0 when the questions were asked');
});
