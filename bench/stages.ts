/** One stage of the benchmark, in a process of its own so that its memory is its own. */
import { OWN_WORK } from '../jobs/units/unit.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addDays } from '../src/core/time.ts';
import { importAccounts } from '../src/intake/import-accounts.ts';
import { importLedger } from '../src/intake/import-ledger.ts';
import { importOrders } from '../src/intake/import-orders.ts';
import { match } from '../src/reconcile/match/match.ts';
import { post } from '../src/reconcile/post/post.ts';
import { postingRulesOf } from '../src/reconcile/post/posting-rules.ts';
import { listAccounts } from '../src/store/intake/accounts.ts';
import { takeLease } from '../src/store/database/leases.ts';
import { migrateToLatest } from '../src/store/database/migrate.ts';
import { findLatestRun, openRun } from '../src/store/runs/runs.ts';
import { listBreaksCommand } from '../jobs/breaks/list-breaks.ts';
import { bracketAccounts } from '../jobs/night/collect/bracket.ts';
import { collectDeposits, planDeposits } from '../jobs/night/collect/collect.ts';
import { openContext } from '../jobs/context/context.ts';
import type { Context } from '../jobs/context/context.ts';
import { RUN_LEASE, proveRun } from '../jobs/night/prove/prove-run.ts';
import { publishRun } from '../jobs/night/publish/publish.ts';
import { countBreaks } from '../jobs/night/publish/result-lists.ts';
import { reconcileRange } from '../jobs/night/night.ts';
import { DEFAULT_CREDENTIALS } from '../src/sandbox/protocol/sandbox-keys.ts';
import { bareIntakeUs } from './bare-intake.ts';
import { DAYS, FROM, LAST_DAY, ledgerOf, nightAfter, zoneOfBench } from './volume.ts';

export interface StageReport {
  ms: number;
  /** Of this process, from its start. */
  cpuMs: number;
  /** Of what `ms` measures. */
  workCpuMs: number;
  rows: number;
  note: string;
  rssBytes: number;
}

const [, , name = '', home = '', url = '', address = '', day = LAST_DAY] = process.argv;
/** The rehearsed moment. */
const night = nightAfter(day);
const subject = { job: 'backfill', fromDay: FROM, toDay: LAST_DAY, accounts: '' } as const;

type Stage = (context: Context) => Promise<{ rows: number; note: string } & Partial<Took>>;

/** Of a part of a stage, where the rest only prepares it. */
type Took = Pick<StageReport, 'ms' | 'workCpuMs'>;

function stopwatch(): () => Took {
  const [started, usage] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(usage);
    return { ms: performance.now() - started, workCpuMs: (user + system) / 1_000 };
  };
}

const STAGES: Readonly<Record<string, Stage>> = {
  begin: async ({ db, zone, clock, log }) => {
    await migrateToLatest(db);
    await importAccounts({ db, zone, clock, log, path: path.join(home, 'accounts.csv') });
    return { rows: 0, note: '' };
  },
  import: async ({ db, zone, clock, log }) => {
    const { rows } = await importLedger({
      db,
      zone,
      clock,
      log,
      path: path.join(home, 'ledger.csv'),
      source: 'erp',
      replace: false,
    });
    return { rows, note: '' };
  },
  'bare-intake': async (context) => {
    const accounts = await listAccounts(context.db);
    return { rows: 0, note: String(await bareIntakeUs(context, accounts.length)) };
  },
  collect: (context) => collect(context, 'bench-1'),
  'collect-again': (context) => collect(context, 'bench-2'),
  prove: async (context) => {
    const lease = await takeLease(context.db, {
      name: RUN_LEASE,
      holder: 'bench',
      realClock: context.realClock,
    });
    const accounts = await listAccounts(context.db);
    const { run } = await openRun(context.db, subject, {
      fence: lease.fence,
      clockAt: context.clock.wall(),
      startedAt: context.clock.wall(),
      settingsDigest: '',
      profileDigest: '',
      assumptions: '[]',
    });
    const listed = accounts.map((row) => ({ accountNo: row.account_no, eleAcctNo: undefined }));
    const day = { runId: run.run_id, toDay: LAST_DAY, fromDay: addDays(LAST_DAY, 1) };
    await bracketAccounts(context, { ...day, purpose: 'bracket', claim: OWN_WORK }, listed);
    const took = stopwatch();
    const started = performance.now();
    await post(context.db, postingRulesOf(context.profile));
    const posted = performance.now();
    await match(context.db, zoneOfBench);
    const matched = performance.now();
    const proof = await proveRun(context, run, { accounts, knownDigest: undefined });
    const proven = performance.now();
    const part = (from: number, to: number): string => `${((to - from) / 1_000).toFixed(1)} s`;
    const note = `post ${part(started, posted)}, match ${part(posted, matched)}, prove ${part(matched, proven)}, verdict ${proof.verdict}`;
    return { rows: 0, note, ...took() };
  },
  publish: async (context) => {
    const run = await findLatestRun(context.db, subject);
    const { result } = await publishRun(context, run?.run_id ?? '', []);
    const breaks = await countBreaks(context.db, result.run.id);
    return { rows: breaks, note: `${breaks} breaks` };
  },
  'history-ledger': async ({ db, zone, clock, log }) => {
    const file = { path: ledgerOf(home, day), source: 'erp', replace: false };
    const { rows } = await importLedger({ db, zone, clock, log, ...file });
    return { rows, note: '' };
  },
  'history-night': async (context) => {
    const { result } = await reconcileRange(context, {
      job: 'nightly',
      fromDay: day,
      toDay: day,
      accounts: [],
    });
    const breaks = await countBreaks(context.db, result.run.id);
    return { rows: breaks, note: `verdict ${result.run.verdict}` };
  },
  'breaks-list': async () => {
    Object.assign(process.env, { DATABASE_URL: url, RECON_HOME: home });
    await listBreaksCommand({ json: true, logLevel: 'error' });
    return { rows: 0, note: '' };
  },
  'import-orders': async (context) => {
    const { db, zone, clock, log } = context;
    await migrateToLatest(db);
    const taken = { db, zone, clock, log };
    await importAccounts({ ...taken, path: path.join(home, 'accounts.csv') });
    await importLedger({ ...taken, path: path.join(home, 'ledger.csv'), source: 'erp', replace: false });
    const took = stopwatch();
    const { rows } = await importOrders({ ...taken, path: path.join(home, 'orders.csv') });
    return { rows, note: '', ...took() };
  },
  night: async (context) => {
    const { result } = await reconcileRange(context, {
      job: 'nightly',
      fromDay: LAST_DAY,
      toDay: LAST_DAY,
      accounts: [],
    });
    const { batches, transferOrders, withdrawals } = result.collected;
    const row = await context.db
      .selectFrom('run')
      .select('facts')
      .where('run_id', '=', result.run.id)
      .executeTakeFirstOrThrow();
    const { collectMs, bracketMs } = row.facts as { collectMs: number; bracketMs: number };
    const part = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
    const note = `${batches} batches, ${transferOrders} transfer orders, ${withdrawals} withdrawals; collect ${part(collectMs)}, bracket ${part(bracketMs)}; verdict ${result.run.verdict}, ${await countBreaks(context.db, result.run.id)} breaks`;
    return { rows: batches + withdrawals, note };
  },
};

async function collect(context: Context, runId: string): Promise<{ rows: number; note: string }> {
  const accounts = await listAccounts(context.db);
  const span = { from: FROM, to: addDays(FROM, DAYS) };
  const run = { runId, toDay: LAST_DAY, today: addDays(LAST_DAY, 1), fence: 0n };
  const listed = accounts.map((row) => ({ accountNo: row.account_no, eleAcctNo: undefined }));
  const spans = new Map(accounts.map((row) => [row.account_no, [span]]));
  const windows = await planDeposits(context, run, listed, spans);
  const collected = await collectDeposits(context, run, listed, windows);
  if (collected.failed > 0) throw new Error(`${collected.failed} windows failed`);
  return { rows: collected.records, note: '' };
}

async function main(): Promise<void> {
  const stage = STAGES[name];
  const credential = DEFAULT_CREDENTIALS.find(({ mode }) => mode === 'apiKey');
  if (stage === undefined || credential === undefined) throw new Error(`no stage ${name}`);
  const profile = path.join(home, 'profile.json');
  await writeFile(
    profile,
    JSON.stringify({
      http: { rate: { perSecond: 10_000, concurrency: 16 } },
      clock: { stopOffsetSeconds: 10 },
    }),
  );
  const set = await fetch(`${address}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ set: night }),
  });
  if (!set.ok) throw new Error(`the sandbox's clock was not set: ${await set.text()}`);
  const context = await openContext(
    { clock: night, logLevel: 'error' },
    { platform: true, mayMigrate: true },
    {
      DATABASE_URL: url,
      RECON_HOME: home,
      PLATFORM_URL: address,
      PLATFORM_API_KEY: credential.id,
      PLATFORM_SECRET: credential.secret,
      PLATFORM_PROFILE: profile,
    },
  );
  const took = stopwatch();
  const done = await stage(context);
  const report = { ...took(), ...done };
  await context.close();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1_000;
  process.send?.({ ...report, cpuMs, rssBytes: maxRSS * 1_024 } satisfies StageReport);
}

await main();
