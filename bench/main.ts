/**
 * `npm run bench`: what a night of a million deposits costs, each figure beside the limit or peer of the same
 * run; `npm run bench -- 300000 intake`: the part of it that takes in; `npm run bench -- 100000 orders`: a night of
 * transfer orders and withdrawals; `npm run bench -- 33000 history`: thirty nights of as many deposits, and what the last
 * costs beside the third; `npm run bench -- 20000 spoilt`: what a night costs when the books change every number of two
 * days, and when they put them right; `npm run bench -- 120 workers`: a night of 120 accounts on a slow platform, alone and
 * by one, two and four workers; `npm run bench -- 1000 vouchers`: merging vouchers, without a database;
 * `npm run bench -- 60 sandbox`: what the sandbox answers in a second, for 60 seconds, without a database. The others need
 * a PostgreSQL server in DATABASE_URL, which nothing else uses meanwhile; a database `recon_bench` is made anew.
 */
import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import pg from 'pg';
import type { Day } from '../src/core/time.ts';
import { benchHistory, writeDailyLedgers, writeSpoiltLedgers } from './history.ts';
import type { NightCost } from './history.ts';
import {
  HISTORY_NIGHTS,
  LAST_DAY,
  SPOILT_NIGHTS,
  historyVolume,
  orderVolume,
  zoneOfBench,
  volume,
} from './volume.ts';
import { volumeAccountsCsv, volumeLedgerCsv, volumeOrdersCsv } from '../src/sandbox/scenarios/volume.ts';
import type { StageReport } from './stages.ts';
import { copyLimit } from './copy-limit.ts';
import { bareJoin } from './bare-join.ts';
import { databaseCpuOf } from './database-cost.ts';
import { benchSandbox } from './sandbox.ts';
import { benchVouchers } from './vouchers.ts';
import { benchWorkbook, workbookLines } from './workbook.ts';
import { benchWorkers } from './workers.ts';

const [, , count = '1000000', what = 'deposits'] = process.argv;
const records = Number(count);

async function main(): Promise<void> {
  if (what === 'vouchers') {
    for (const line of await benchVouchers(records)) print(line);
    return;
  }
  if (what === 'sandbox') {
    for (const line of await benchSandbox(records)) print(line);
    return;
  }
  const server = process.env['DATABASE_URL'];
  if (server === undefined) throw new Error('set DATABASE_URL to a PostgreSQL server');
  const url = await freshDatabase(server);
  const home = await mkdtemp(path.join(os.tmpdir(), 'recon-bench-'));
  const sandbox = fork(path.join(import.meta.dirname, 'sandbox-server.ts'), [String(records), what]);
  try {
    const [address] = (await once(sandbox, 'message')) as [string];
    if (what === 'orders') {
      await orderNight({ home, url, address });
      return;
    }
    if (what === 'workers') {
      for await (const line of benchWorkers({ home, url, address, accounts: records })) print(line);
      return;
    }
    if (what === 'history' || what === 'spoilt') {
      await (what === 'history' ? history : spoilt)({ home, url, address });
      return;
    }
    const options = volume(records);
    await writeFile(path.join(home, 'accounts.csv'), volumeAccountsCsv(options));
    await writeFile(
      path.join(home, 'ledger.csv'),
      volumeLedgerCsv({ ...options, timeZone: zoneOfBench, differences: 5_000 }),
    );
    print(`${records} deposits, ${options.accounts} accounts, ${options.days} days; two cores shared by all`);
    await (what === 'intake' ? intake : stages)({ home, url, address });
  } finally {
    sandbox.kill();
    await rm(home, { recursive: true, force: true });
  }
}

/** A whole night of transfer orders and withdrawals, as the company runs it. */
async function orderNight(at: { home: string; url: string; address: string }): Promise<void> {
  const options = orderVolume(records);
  const books = { ...options, timeZone: zoneOfBench, differences: 0 };
  await writeFile(path.join(at.home, 'accounts.csv'), volumeAccountsCsv(options));
  await writeFile(path.join(at.home, 'ledger.csv'), volumeLedgerCsv(books));
  await writeFile(path.join(at.home, 'orders.csv'), volumeOrdersCsv(books));
  print(
    `${records} transfer orders, ${options.withdrawals ?? 0} withdrawals, ${options.accounts} accounts; two cores shared by all`,
  );
  const imported = await stage('import-orders', at);
  print(row('orders import', imported, rate(imported.rows, imported.ms)));
  const night = await stage('night', at);
  print(row('the night, from the first query to the workbook', night, night.note));
  print(`  ${Math.round((night.rows / night.ms) * 1_000)} queries a second over the whole of it`);
}

/** Night after night, with as much to do in each. */
async function history(at: { home: string; url: string; address: string }): Promise<void> {
  const options = historyVolume(records, HISTORY_NIGHTS);
  await writeFile(path.join(at.home, 'accounts.csv'), volumeAccountsCsv(options));
  await writeDailyLedgers(at.home, options);
  print(`${records} deposits a night, ${options.accounts} accounts, ${options.days} nights`);
  const costs: NightCost[] = [];
  const nights = { nights: options.days, stage: (name: string, day: Day) => stage(name, at, day) };
  for await (const cost of benchHistory(at.url, nights)) {
    costs.push(cost);
    print(nightRow(cost));
  }
  print(grownRow(costs, HISTORY_NIGHTS / 10));
  print(`${grownRow(costs, FIRST_FULL_NIGHT)}, the first that reads as many days again`);
}

/** The third night finds every number of the books changed, the fourth ends all breaks of that. */
async function spoilt(at: { home: string; url: string; address: string }): Promise<void> {
  const options = historyVolume(records, SPOILT_NIGHTS);
  await writeFile(path.join(at.home, 'accounts.csv'), volumeAccountsCsv(options));
  await writeSpoiltLedgers(at.home, options);
  print(`${records} deposits a night; the books of ${2 * records} deposits are spoilt, and put right`);
  const nights = { nights: options.days, stage: (name: string, day: Day) => stage(name, at, day) };
  for await (const cost of benchHistory(at.url, nights)) {
    print(nightRow(cost));
    if (cost.night !== options.days - 1) continue;
    const listed = await stage('breaks-list', at);
    print(`  breaks list --json: ${seconds(listed.ms)}, ${peakOf(listed)}`);
  }
}

/** The look back of seven days, its own day, and one night more. */
const FIRST_FULL_NIGHT = 9;

/** What the last night costs beside an early one. */
function grownRow(costs: readonly NightCost[], night: number): string {
  const [early, late] = [costs[night - 1], costs.at(-1)];
  if (early === undefined || late === undefined) throw new Error('Bug: a history without nights');
  const grown = (of: (cost: NightCost) => number): string => (of(late) / of(early)).toFixed(2);
  return (
    `  night ${late.night} beside night ${early.night}: job CPU ${grown((cost) => cost.jobCpuMs)}, database CPU ` +
    `${grown((cost) => cost.databaseCpuMs ?? Number.NaN)}, blocks ${grown((cost) => cost.blocks)}, peak memory ` +
    `${grown((cost) => cost.rssBytes)} (goal ≤ 1.1 each)`
  );
}

function nightRow({ night, wallMs, jobCpuMs, databaseCpuMs, blocks, rssBytes, breaks }: NightCost): string {
  const database = databaseCpuMs === undefined ? 'unknown' : seconds(databaseCpuMs);
  return (
    `night ${night}: ${seconds(wallMs)}, CPU of the job ${seconds(jobCpuMs)}, of the database ${database}, ` +
    `${Math.round(blocks / 1_000)} k blocks, ${breaks} breaks, ${peakOf({ rssBytes })}`
  );
}

async function stages(at: { home: string; url: string; address: string }): Promise<void> {
  await intake(at);
  const proof = await stage('prove', at);
  print(row('post + match + prove', proof, proof.note));
  const joinMs = await bareJoin(at.url);
  print(`  bare full outer join with classification: ${seconds(joinMs)}`);
  print(`  ratio ${(proof.ms / joinMs).toFixed(2)} (goal ≤ 3)`);
  const published = await stage('publish', at);
  print(row('publish (workbooks, result, manifest)', published, published.note, PUBLISH_MB_MAX));
  for (const line of workbookLines(await benchWorkbook(records))) print(line);
}

/** What comes in, in CPU: a machine is shared, and CPU holds where time does not. */
async function intake(at: { home: string; url: string; address: string }): Promise<void> {
  await stage('begin', at);
  const imported = await costOf('import', at);
  print(row('ledger import', imported, rate(imported.rows, imported.ms)));
  const { databaseCpuMs: entriesCpuMs } = await copyLimit(at.url, 'ledger_entry');
  const importCpuMs = imported.workCpuMs + (imported.databaseCpuMs ?? Number.NaN);
  const goal = seconds((LEDGER_CPU_MS_A_MILLION * imported.rows) / 1_000_000);
  print(`  CPU ${cpuText(imported)}, together ${seconds(importCpuMs)} (goal ≤ ${goal})`);
  print(`  ${copyText(entriesCpuMs)}`);

  const bareUs = Number((await stage('bare-intake', at)).note);
  const first = await costOf('collect', at);
  print(row('deposits, new: HTTP → signature → tables', first, rate(records, first.ms)));
  const again = await costOf('collect-again', at);
  print(row('deposits, unchanged', again, rate(records, again.ms)));
  const { databaseCpuMs: copiedCpuMs = Number.NaN } = await copyLimit(at.url, 'deposit');
  const jobUs = (first.workCpuMs / records) * 1_000;
  print(`  CPU new: ${cpuText(first)}; unchanged: ${cpuText(again)}`);
  print(
    `  job ${jobUs.toFixed(1)} µs a record, of bare pages ${bareUs.toFixed(1)}: ${(jobUs / bareUs).toFixed(2)} (goal ≤ 2)`,
  );
  const newCpuMs = first.databaseCpuMs ?? Number.NaN;
  print(
    `  database beside \\copy: ${(newCpuMs / copiedCpuMs).toFixed(2)} (goal ≤ 2); ${copyText(copiedCpuMs)}; ` +
      `unchanged beside new: ${((again.databaseCpuMs ?? Number.NaN) / newCpuMs).toFixed(2)} (goal ≤ 0.5)`,
  );
}

type Cost = StageReport & { databaseCpuMs: number | undefined };

async function costOf(name: string, at: { home: string; url: string; address: string }): Promise<Cost> {
  const reports: StageReport[] = [];
  const databaseCpuMs = await databaseCpuOf(at.url, async () => {
    reports.push(await stage(name, at));
  });
  const [report] = reports;
  if (report === undefined) throw new Error(`Bug: no report of ${name}`);
  return { ...report, databaseCpuMs };
}

/** Of job and database together. */
const LEDGER_CPU_MS_A_MILLION = 20_000;

function cpuText({ workCpuMs, databaseCpuMs = Number.NaN }: Cost): string {
  return `of the job ${seconds(workCpuMs)}, of the database ${seconds(databaseCpuMs)}`;
}

function copyText(cpuMs: number | undefined): string {
  return `\\copy of the same rows into the same indexed table: ${seconds(cpuMs ?? Number.NaN)} of the database`;
}

async function stage(
  name: string,
  at: { home: string; url: string; address: string },
  day: Day = LAST_DAY,
): Promise<StageReport> {
  const child = fork(path.join(import.meta.dirname, 'stages.ts'), [name, at.home, at.url, at.address, day], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: JOB_NODE_OPTIONS,
  });
  const [report] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`stage ${name} ended without a report`);
    }),
  ])) as [StageReport];
  return report;
}

async function freshDatabase(server: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query('drop database if exists recon_bench with (force)');
  await client.query("create database recon_bench template template0 encoding 'UTF8'");
  await client.end();
  const address = new URL(server);
  address.pathname = '/recon_bench';
  return address.href;
}

/** As `jobs/recon.js` is run. */
const JOB_NODE_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=200'];
/** Of any command, and of what publishes a night. */
const COMMAND_MB_MAX = 350;
const PUBLISH_MB_MAX = 300;

function row(what: string, report: StageReport, note: string, mbMax = COMMAND_MB_MAX): string {
  return `${what}: ${seconds(report.ms)}, ${note}, ${peakOf(report, mbMax)}`;
}
function peakOf({ rssBytes }: Pick<StageReport, 'rssBytes'>, mbMax = COMMAND_MB_MAX): string {
  return `peak memory of the job ${Math.round(rssBytes / 1_048_576)} MB (goal ≤ ${mbMax})`;
}
function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
function rate(rows: number, ms: number): string {
  return `${Math.round(rows / ms)} k rows/s`;
}
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
