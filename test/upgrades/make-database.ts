/**
 * Makes a database as the program in a checkout leaves it, by the commands that people call, and keeps it as packed SQL:
 *
 *   node test/upgrades/make-database.ts CHECKOUT   (DATABASE_URL: a server on which it may make a database)
 *
 * It is named for the newest migration of that checkout. Commands that it does not know yet are left out.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzipSync } from 'node:zlib';
import { systemClock } from '../../src/core/clock.ts';
import { addMs } from '../../src/core/time.ts';
import { createSandbox } from '../../src/sandbox/server/create-sandbox.ts';
import { serve } from '../../src/sandbox/server/serve.ts';
import { openPostgres } from '../../src/store/database/database-postgres.ts';
import { accountsCsv, ledgerCsv, ordersCsv } from '../helpers/company/company-files.ts';
import { quietLog } from '../helpers/log.ts';
import { NightClock } from '../helpers/night-clock.ts';
import { at } from '../helpers/service-time.ts';
import { onServer } from '../helpers/server.ts';
import { sureMark } from '../helpers/settlements/sure-mark.ts';

const run = promisify(execFile);
const [checkout = '.'] = process.argv.slice(2);
const server = process.env['DATABASE_URL'] ?? '';
const name = `recon_kept_${process.pid}`;
const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
const clock = new NightClock(at('2026-03-02 08:00:00'));
const sandbox = createSandbox({ clock, seed: 7 });
const served = await serve(sandbox, { port: 0, controls: false, clock: systemClock() });
const home = await mkdtemp(path.join(os.tmpdir(), 'recon-kept-'));
const credential = sandbox.credentials.find(({ mode }) => mode === 'apiKey');
const mark = path.join(home, 'settle-mark');
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  DATABASE_URL: url,
  RECON_HOME: path.join(home, 'home'),
  SETTLE_MARK_FILE: mark,
  PLATFORM_URL: served.url,
  PLATFORM_API_KEY: credential?.id ?? '',
  PLATFORM_SECRET: credential?.secret ?? '',
  PLATFORM_PROFILE: path.join(home, 'profile.json'),
  LOG_LEVEL: 'error',
};
/** The time a process takes until its clock is the sandbox's. */
const START_MS = 1_500;
const MINUTES_MS = 120_000;

/** @returns what it printed; undefined where the checkout does not know the command */
async function recon(...args: readonly string[]): Promise<string | undefined> {
  const instant = addMs(clock.wall(), START_MS);
  const program = [path.join(checkout, 'jobs', 'recon.js'), ...args, '--clock', instant];
  const child = spawn(process.execPath, ['--', ...program], { env, timeout: MINUTES_MS });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (some: Buffer) => (said.stdout += some.toString()));
  child.stderr.on('data', (some: Buffer) => (said.stderr += some.toString()));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status === 0) return said.stdout;
  if (/unknown (?:command|option)/.test(said.stderr)) return undefined;
  throw new Error(`${args.join(' ')}: status ${String(status)}: ${said.stderr}`);
}

async function imported(what: 'accounts' | 'orders' | 'ledger', text: string): Promise<void> {
  const file = path.join(home, `${what}.csv`);
  await writeFile(file, text);
  await recon(what, 'import', file);
}

const opening = { fen: 100_000n, at: '2026-03-02 00:00:00' };
const submittedAt = '2026-03-02 09:00:00';

async function play(): Promise<void> {
  await recon('migrate');
  const accounts = [
    { no: 'P', opening, autoSettle: false },
    { no: 'Q', opening, autoSettle: true },
  ];
  sandbox.seedAccounts(
    accounts.map(({ no, autoSettle }) => ({ accountNo: no, balanceFen: opening.fen, autoSettle })),
  );
  const deposit = { payeeAcctNo: 'P', amountFen: 50_000n, depositTime: '2026-03-02 10:00:00' };
  sandbox.seedDeposits([
    { ...deposit, orderNo: 'D1' },
    { ...deposit, orderNo: 'D2' },
    { ...deposit, orderNo: 'D3', amountFen: 70n, visibleFrom: '2026-03-03 12:00:00' },
  ]);
  const settle = {
    state: 'FAIL' as const,
    delayMs: 60_000,
    retries: [{ state: 'SUCCESS' as const, delayMs: 0 }],
  };
  const order = { outOrderNo: 'T1', payeeAcctNo: 'Q', amountFen: 10_000n, settle };
  sandbox.seedTransfers([{ outBatchNo: 'B1', submittedAt, payerAcctNo: 'P', orders: [order] }]);
  await imported('accounts', accountsCsv(accounts));
  const registered = {
    outBatchNo: 'B1',
    outOrderNo: 'T1',
    submittedAt,
    payer: 'P',
    payee: 'Q',
    fen: 10_000n,
  };
  await imported('orders', ordersCsv([{ kind: 'transfer', ...registered }]));
  const paid = { reference: 'T1', at: '2026-03-02 09:05:00' };
  await imported(
    'ledger',
    ledgerCsv([
      { id: 'E1', account: 'P', kind: 'deposit', fen: 50_000n, reference: 'D1', at: deposit.depositTime },
      { id: 'E2', account: 'P', kind: 'transfer_out', fen: -10_000n, ...paid },
      { id: 'E3', account: 'Q', kind: 'transfer_in', fen: 10_000n, ...paid },
    ]),
  );
  await recon('snapshot');
  clock.moveTo(at('2026-03-03 02:00:00'));
  await recon('nightly', '--day', '2026-03-02');
  const listed = await recon('breaks', 'list', '--json');
  const [id = ''] = /B[0-9a-f]{15}/.exec(listed ?? '') ?? [];
  await recon('breaks', 'explain', id, '--reason', 'booked late', '--by', 'Li Na');
  const open = ['--with-open', '--reason', 'booked late'];
  await recon('sign-off', '--day', '2026-03-02', '--by', 'Li Na', ...open);
  clock.moveTo(at('2026-03-04 02:00:00'));
  await recon('nightly', '--day', '2026-03-03', '--no-settle');
}

/** Without what belongs to the server, its version or the queue of units, which `recon migrate` makes. */
async function dumped(): Promise<string> {
  const how = [
    '--schema=public',
    '--no-owner',
    '--no-privileges',
    '--rows-per-insert=500',
    `--dbname=${url}`,
  ];
  const { stdout } = await run('pg_dump', how, { maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter(
      (line) => !/^(?:\\|--|SET |SELECT pg_catalog\.set_config|CREATE SCHEMA |COMMENT ON SCHEMA )/.test(line),
    )
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll(home, '/srv/recon')
    .replaceAll(os.hostname(), 'host');
}

try {
  await writeFile(path.join(home, 'profile.json'), JSON.stringify({ service: { name: 'test' } }));
  await onServer(server, (client) => client.query(`create database ${name} template template0`));
  await recon('migrate');
  const opened = await openPostgres({ url }, quietLog);
  await sureMark(mark, opened.db);
  await opened.close();
  await play();
  const newest = (await readdir(path.join(checkout, 'migrations')))
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .at(-1);
  const file = path.join(import.meta.dirname, `${newest?.slice(0, 4) ?? ''}.sql.gz`);
  const packed = gzipSync(await dumped(), { level: constants.Z_BEST_COMPRESSION });
  await writeFile(file, packed);
  process.stdout.write(`${file}: ${packed.byteLength} bytes\n`);
} finally {
  await served.close();
  await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
  await rm(home, { recursive: true, force: true });
}
