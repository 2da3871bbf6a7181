/**
 * What `recon sandbox` answers in a second: its read endpoints under a company's night of queries, asked from
 * another process by 32 callers, each with one connection and one request at a time, each request signed anew.
 * Where the system can, the server is bound to one core, and its processor time and peak memory are read.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Pool } from 'undici';

import { addDays } from '../src/core/time.ts';
import type { Day } from '../src/core/time.ts';
import { Zone } from '../src/core/time.ts';
import { CODE_SUCCESS, ENDPOINTS, PATH_PREFIX, VERSION } from '../src/platform/contract.ts';
import { md5Sign, piecesToSign, REQUEST_MEMBERS } from '../src/platform/sign.ts';
import { volumeAccountNo } from '../src/sandbox/scenarios/volume.ts';
import { batchName } from '../src/sandbox/scenarios/volume-orders.ts';
import { zoneOfBench } from './volume.ts';

const CALLERS = 32;
/** A company of two hundred accounts: 200,000 deposits, 100,000 transfer orders, 20,000 withdrawals in four weeks. */
const COMPANY = { accounts: 200, depositsPerAccount: 1_000, transferBatches: 5_000, ordersPerBatch: 20 };
const WITHDRAWALS = 20_000;
const DAYS = 28;
/** Before it is measured: the code is compiled as it is used. */
const WARM_UP_MS = 2_000;

const zone = new Zone(zoneOfBench);
const READS = ['query/deposit', 'division/query', 'acct/queryInfo', 'account/queryWithdraw'] as const;
type Read = (typeof READS)[number];

/** @param seconds how long it is asked @returns lines for people */
export async function benchSandbox(seconds: number): Promise<string[]> {
  const server = await startServer();
  try {
    const { PLATFORM_URL: url, PLATFORM_API_KEY: apiKey, PLATFORM_SECRET: secret } = server.settings;
    const from = addDays(today(), -DAYS);
    await begin(url, from);
    const pool = new Pool(url, { connections: CALLERS, pipelining: 1 });
    const ask = { pool, apiKey, secret, from };
    await load(ask, WARM_UP_MS);
    const before = await usageOf(server.process);
    const figures = await load(ask, seconds * 1_000);
    const after = await usageOf(server.process);
    await pool.close();
    return report(figures, { before, after, core: server.core });
  } finally {
    server.process.kill('SIGTERM');
  }
}

interface Settings {
  PLATFORM_URL: string;
  PLATFORM_API_KEY: string;
  PLATFORM_SECRET: string;
}

interface Server {
  process: ChildProcessWithoutNullStreams;
  settings: Settings;
  /** Undefined where it could not be bound to one. */
  core: number | undefined;
}

/** The command as a team runs it. */
async function startServer(): Promise<Server> {
  const main = path.join(import.meta.dirname, '..', 'jobs', 'main.ts');
  const recon = [main, 'sandbox', '--port', '0', '--scenario', 'empty', '--controls', '--json'];
  const core = existsSync('/usr/bin/taskset') ? 0 : undefined;
  const child =
    core === undefined
      ? spawn(process.execPath, recon)
      : spawn('/usr/bin/taskset', ['-c', String(core), process.execPath, ...recon]);
  child.stderr.pipe(process.stderr);
  child.stdout.setEncoding('utf8');
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (!text.endsWith('}\n')) continue;
    const { settings } = JSON.parse(text) as { settings: Settings };
    return { process: child, settings, core };
  }
  throw new Error('the sandbox ended before it listened');
}

function today(): Day {
  return zone.dayOf(new Date().toISOString());
}

async function begin(url: string, from: Day): Promise<void> {
  const scenario = { name: 'volume', ...COMPANY, withdrawals: WITHDRAWALS, from, days: DAYS };
  const reply = await fetch(`${url}/control/scenario`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario }),
  });
  if (reply.status !== 200) throw new Error(`the scenario was refused: ${await reply.text()}`);
}

interface Ask {
  pool: Pool;
  apiKey: string;
  secret: string;
  /** The first day of what there is. */
  from: Day;
}

interface Figures {
  /** Of every answer, in ms. */
  latencies: number[];
  errors: number;
  ms: number;
}

async function load(ask: Ask, ms: number): Promise<Figures> {
  const figures: Figures = { latencies: [], errors: 0, ms: 0 };
  const begunMs = performance.now();
  const untilMs = begunMs + ms;
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => askOn(ask, { caller, untilMs, figures })));
  figures.ms = performance.now() - begunMs;
  return figures;
}

async function askOn(
  ask: Ask,
  { caller, untilMs, figures }: { caller: number; untilMs: number; figures: Figures },
): Promise<void> {
  for (let nth = caller; performance.now() < untilMs; nth += CALLERS) {
    const endpoint = READS[Math.floor(nth / CALLERS) % READS.length] ?? 'acct/queryInfo';
    const sentMs = performance.now();
    if (!(await isAnswered(ask, endpoint, bizOf(endpoint, nth, ask.from)))) figures.errors++;
    figures.latencies.push(performance.now() - sentMs);
  }
}

/** Spread over all there is. */
function bizOf(endpoint: Read, nth: number, from: Day): Record<string, unknown> {
  const spread = Math.imul(nth, 2_654_435_761) >>> 0;
  if (endpoint === 'division/query') return { outBatchNo: batchName('VB', spread % COMPANY.transferBatches) };
  if (endpoint === 'account/queryWithdraw') return { outOrderNo: batchName('VW', spread % WITHDRAWALS) };
  const accountNo = volumeAccountNo(spread % COMPANY.accounts);
  if (endpoint === 'acct/queryInfo') return { accountNo };
  const day = addDays(from, spread % (DAYS - 1));
  return { payeeAcctNo: accountNo, startDate: day, endDate: day, page: 1, pageSize: 100 };
}

async function isAnswered(ask: Ask, endpoint: Read, biz: Record<string, unknown>): Promise<boolean> {
  const request: Record<string, string> = {
    apiKey: ask.apiKey,
    bizData: JSON.stringify(biz),
    reqId: randomBytes(16).toString('hex'),
    reqTime: zone.compactText(new Date().toISOString()),
    signType: 'MD5',
    version: VERSION,
  };
  const text = piecesToSign(request, { names: REQUEST_MEMBERS, dropEmpty: true });
  const sign = md5Sign(text, { secret: ask.secret, secretName: 'appSecret', md5Case: 'upper' });
  const answer = await ask.pool.request({
    method: 'POST',
    path: `${PATH_PREFIX}${ENDPOINTS[endpoint].path}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, sign }),
  });
  const body = await answer.body.text();
  return answer.statusCode === 200 && body.includes(`"code":"${CODE_SUCCESS}"`);
}

interface Usage {
  cpuMs: number;
  peakMb: number;
}

/** Linux counts processor time in ticks of ten milliseconds. */
const TICK_MS = 10;

/** Undefined where the system does not say. */
async function usageOf({ pid }: ChildProcessWithoutNullStreams): Promise<Usage | undefined> {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [userTicks = '', systemTicks = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const peakKb = /VmHWM:\s+(\d+)/.exec(status)?.[1] ?? '0';
  const cpuMs = (Number.parseInt(userTicks, 10) + Number.parseInt(systemTicks, 10)) * TICK_MS;
  return { cpuMs, peakMb: Number.parseInt(peakKb, 10) / 1_024 };
}

function report(
  { latencies, errors, ms }: Figures,
  server: { before: Usage | undefined; after: Usage | undefined; core: number | undefined },
): string[] {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  const perSecond = Math.round(sorted.length / (ms / 1_000));
  const lines = [
    `recon sandbox, ${CALLERS} callers, ${READS.join(', ')}, ${server.core === undefined ? 'any core' : 'one core'}`,
    `  ${sorted.length} requests in ${(ms / 1_000).toFixed(1)} s: ${perSecond} a second (goal 2000), errors ${errors}`,
    `  latency p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  ];
  const { before, after } = server;
  if (!before || !after) return lines;
  const cpuMs = after.cpuMs - before.cpuMs;
  const perThousand = cpuMs / sorted.length;
  return [
    ...lines,
    `  processor time of the server ${perThousand.toFixed(3)} s a thousand requests ` +
      `(${Math.round(1_000 / perThousand)} a second on a core of its own), ${Math.round((100 * cpuMs) / ms)} % of a core; ` +
      `peak memory ${Math.round(after.peakMb)} MB`,
  ];
}
