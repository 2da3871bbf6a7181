/**
 * What workers bring where the platform is slow: a night in which reading takes the time, alone and by one, two and four
 * workers in turn, so that whatever else the machine does meets all of them. Each begins with a copy of the same database.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { DEFAULT_CREDENTIALS } from '../src/sandbox/protocol/sandbox-keys.ts';
import { volumeAccountsCsv, volumeLedgerCsv, volumeOrdersCsv } from '../src/sandbox/scenarios/volume.ts';
import { databaseCost } from './database-cost.ts';
import { cpuOf } from './process-figures.ts';
import { LAST_DAY, NIGHT, workerVolume, zoneOfBench } from './volume.ts';

export interface WorkersBench {
  home: string;
  url: string;
  /** The sandbox. */
  address: string;
  accounts: number;
}

/** So slow that the time of all calls is more than the processor time of one machine. */
const DELAY_MS = 200;
/** As a profile without its own says, at a rate that nobody reaches. */
const RATE = { perSecond: 10_000, concurrency: 4 };
const TIMES = 3;
/** Numbers of workers; 0: the night alone. */
const CREWS = [0, 1, 2, 4];

const ROOT = path.join(import.meta.dirname, '..');
const TEMPLATE = 'recon_bench_books';

/** Lines for people, one a night. */
export async function* benchWorkers(bench: WorkersBench): AsyncGenerator<string> {
  await prepare(bench);
  for (let time = 0; time < TIMES; time++) {
    for (const workers of CREWS) yield await runOnce(bench, workers);
  }
}

/** The company's books, which each night begins with. */
async function prepare(bench: WorkersBench): Promise<void> {
  const options = workerVolume(bench.accounts);
  const books = { ...options, timeZone: zoneOfBench, differences: 0 };
  const write = (name: string, text: Parameters<typeof writeFile>[1]): Promise<void> =>
    writeFile(path.join(bench.home, name), text);
  await write('accounts.csv', volumeAccountsCsv(options));
  await write('ledger.csv', volumeLedgerCsv(books));
  await write('orders.csv', volumeOrdersCsv(books));
  await write('profile.json', JSON.stringify({ http: { rate: RATE }, clock: { stopOffsetSeconds: 10 } }));
  for (const args of [
    ['migrate'],
    ['accounts', 'import', path.join(bench.home, 'accounts.csv')],
    ['ledger', 'import', path.join(bench.home, 'ledger.csv'), '--source', 'erp'],
    ['orders', 'import', path.join(bench.home, 'orders.csv')],
  ]) {
    await ended(recon(bench, 'books', args));
  }
  await copyDatabase(bench.url, { from: nameOf(bench.url), to: TEMPLATE });
}

async function runOnce(bench: WorkersBench, workers: number): Promise<string> {
  await copyDatabase(bench.url, { from: TEMPLATE, to: nameOf(bench.url) });
  await control(bench, 'reset', {});
  const faults = [{ kind: 'delay', ms: DELAY_MS, path: '*', times: null }];
  await control(bench, 'faults', { faults });
  const crew = Array.from({ length: workers }, (_, nth) => recon(bench, `worker-${nth}`, ['worker']));
  await untilAlive(bench.url, workers);
  const before = await costs(bench, crew);
  await control(bench, 'clock', { set: NIGHT });
  const night = ['nightly', '--day', LAST_DAY, '--clock', NIGHT, '--no-vouchers', '--no-settle'];
  const child = recon(bench, 'night', workers > 0 ? [...night, '--workers'] : night);
  const [nightCpuMs] = await Promise.all([lastCpuOf(child), ended(child)]);
  const after = await costs(bench, crew);
  for (const worker of crew) worker.kill('SIGTERM');
  for (const worker of crew) await exitOf(worker);
  const [facts] = await rowsOf<{ collect: number; bracket: number }>(
    bench.url,
    `select (facts->>'collectMs')::integer as collect, (facts->>'bracketMs')::integer as bracket from run`,
  );
  if (facts === undefined) throw new Error('Bug: the night left no run');
  return (
    `${workers === 0 ? 'alone' : `workers: ${workers}`}; deposits and orders ${seconds(facts.collect)}, balances ` +
    `${seconds(facts.bracket)}; CPU of the night ${seconds(nightCpuMs)}, of workers ${seconds(after.crewMs - before.crewMs)}, ` +
    `of the database ${seconds(after.databaseMs - before.databaseMs)}; ${after.calls - before.calls} calls, ` +
    `${after.transactions - before.transactions} transactions`
  );
}

async function costs(bench: WorkersBench, crew: readonly ChildProcess[]) {
  const { cpuMs = Number.NaN } = await databaseCost(bench.url);
  const each = await Promise.all(crew.map(({ pid }) => cpuOf(String(pid))));
  const answer = await fetch(`${bench.address}/control/requests`);
  const { requests } = (await answer.json()) as { requests: unknown[] };
  const [row] = await rowsOf<{ n: number }>(
    bench.url,
    'select xact_commit::integer as n from pg_stat_database where datname = current_database()',
  );
  const crewMs = each.reduce((sum, ms) => sum + ms, 0);
  return { databaseMs: cpuMs, crewMs, calls: requests.length, transactions: row?.n ?? Number.NaN };
}

function recon({ home, url, address }: WorkersBench, name: string, args: readonly string[]): ChildProcess {
  const credential = DEFAULT_CREDENTIALS.find(({ mode }) => mode === 'apiKey');
  const executable = [
    '--max-semi-space-size=8',
    '--heap-growing-percent=200',
    '--',
    path.join(ROOT, 'jobs', 'recon.js'),
  ];
  return spawn(process.execPath, [...executable, ...args, '--log-level', 'error'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      HOME: process.env['HOME'],
      DATABASE_URL: url,
      RECON_HOME: path.join(home, name),
      PLATFORM_URL: address,
      PLATFORM_API_KEY: credential?.id,
      PLATFORM_SECRET: credential?.secret,
      PLATFORM_PROFILE: path.join(home, 'profile.json'),
    },
  });
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function ended(child: ChildProcess): Promise<void> {
  await exitOf(child);
  if (child.exitCode !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
}

/** What the kernel noted of it last; a tenth of a second may be missing. */
async function lastCpuOf(child: ChildProcess): Promise<number> {
  let cpuMs = 0;
  while (child.exitCode === null && child.signalCode === null) {
    cpuMs = Math.max(cpuMs, await cpuOf(String(child.pid)));
    await pause(100);
  }
  return cpuMs;
}

async function untilAlive(url: string, workers: number): Promise<void> {
  while ((await rowsOf(url, 'select from worker')).length < workers) await pause(50);
}

async function control({ address }: WorkersBench, what: string, body: object): Promise<void> {
  const reply = await fetch(`${address}/control/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${what} was refused: ${await reply.text()}`);
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function copyDatabase(url: string, { from, to }: { from: string; to: string }): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  await rowsOf(server.href, `drop database if exists ${to} with (force)`);
  await rowsOf(server.href, `create database ${to} template ${from}`);
}

async function rowsOf<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
