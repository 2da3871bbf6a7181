/**
 * `recon sandbox --state FILE` as a team runs it: killed at any moment while payments come in, started again with
 * the same command. Every payment that was acknowledged is there, and none is half there (CTL).
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startRecon } from '../helpers/child.ts';
import type { Child, Ended } from '../helpers/child.ts';
import { answered, md5Signed, members, PREFIX } from '../sandbox/caller.ts';
import type { Answered, Members } from '../sandbox/caller.ts';

const OPENING_FEN = 1_000_000_000;
const AMOUNT_FEN = 7;
/** When the process is killed, in ms after the load began. */
const KILLS_MS = [40, 150, 400];
const CALLERS = 8;

let folder: string;
let file: string;
const children: Child[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recon-sandbox-state-'));
  file = path.join(folder, 'state.jsonl');
});
afterEach(async () => {
  for (const child of children.splice(0)) await killed(child);
  await rm(folder, { recursive: true, force: true });
});

async function killed(child: Child): Promise<Ended> {
  child.process.kill('SIGKILL');
  return child.ended;
}

interface Saying {
  scenario: string;
  settings: { PLATFORM_URL: string };
  state: { path: string; played: number; cutBytes: number };
}

interface Running extends Saying {
  child: Child;
  url: string;
}

/** The document on that output, in however many pieces it comes. */
function sayingOf(stdout: Readable | null): Promise<Saying> {
  const { promise, resolve } = Promise.withResolvers<Saying>();
  let text = '';
  stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const saying = parsed(text);
    if (saying !== undefined) resolve(saying);
  });
  return promise;
}

/** Undefined as long as it is not whole. */
function parsed(text: string): Saying | undefined {
  try {
    return JSON.parse(text) as Saying;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function sandbox(...over: string[]): Child {
  const child = startRecon(['sandbox', '--port', '0', '--state', file, '--json', ...over], {});
  children.push(child);
  return child;
}

/** Resolves when it listens. */
async function started(...over: string[]): Promise<Running> {
  const child = sandbox(...over);
  const promise = sayingOf(child.process.stdout);
  const ended = child.ended.then(({ stderr }) => {
    throw new Error(`it ended: ${stderr}`);
  });
  const saying = await Promise.race([promise, ended]);
  ended.catch(() => undefined);
  return { ...saying, child, url: saying.settings.PLATFORM_URL };
}

function reqTime(): string {
  const local = new Date(Date.now() + 8 * 3_600_000).toISOString();
  return local.slice(0, 19).replace(/[-T:]/g, '');
}

/** @throws TypeError when nobody answers, or what answers is no envelope */
async function call(url: string, endpoint: string, biz: Members): Promise<Answered> {
  const body = JSON.stringify(md5Signed(members(biz, { reqTime: reqTime() })));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${PREFIX}/${endpoint}`, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new TypeError(text);
  return answered({ status: response.status, headers: {}, body: text });
}

async function seedPayer(url: string): Promise<void> {
  const seeded = await fetch(`${url}/control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accounts: [{ accountNo: 'P', balanceFen: OPENING_FEN }] }),
  });
  expect(seeded.status).toBe(200);
}

interface Withdrawals {
  sent: string[];
  acknowledged: Set<string>;
}

/** Withdraws again and again until nobody answers any more. */
async function load(url: string, made: Withdrawals): Promise<void> {
  for (;;) {
    const outOrderNo = `W-${made.sent.length}`;
    made.sent.push(outOrderNo);
    try {
      const answer = await call(url, 'account/withdraw', { outOrderNo, acctNo: 'P', amount: AMOUNT_FEN });
      expect(answer.ok, answer.text).toBe(true);
      made.acknowledged.add(outOrderNo);
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function isThere(url: string, outOrderNo: string): Promise<boolean> {
  const { ok, biz } = await call(url, 'account/queryWithdraw', { outOrderNo });
  if (ok) expect(biz).toMatchObject({ state: 'SUCCESS', amount: AMOUNT_FEN, realAmount: AMOUNT_FEN });
  return ok;
}

async function ended(child: Child): Promise<Ended> {
  child.process.kill('SIGTERM');
  return child.ended;
}

test('CTL: kill -9 under load loses no acknowledged payment and leaves none half done', async () => {
  let running = await started('--scenario', 'empty', '--controls');
  await seedPayer(running.url);
  const made: Withdrawals = { sent: [], acknowledged: new Set() };
  for (const killMs of KILLS_MS) {
    const callers = Array.from({ length: CALLERS }, () => load(running.url, made));
    const kill = pause(killMs).then(() => killed(running.child));
    await Promise.all([...callers, kill]);
    running = await started();
    expect(running).toMatchObject({ scenario: 'empty', state: { path: file } });
  }
  const { url } = running;
  const there: string[] = [];
  for (const outOrderNo of made.sent) if (await isThere(url, outOrderNo)) there.push(outOrderNo);
  expect(made.acknowledged.size).toBeGreaterThan(0);
  expect(there).toEqual(expect.arrayContaining([...made.acknowledged]));
  expect(there.length - made.acknowledged.size).toBeLessThanOrEqual(CALLERS * KILLS_MS.length);
  const { biz } = await call(url, 'acct/queryInfo', { accountNo: 'P' });
  expect(biz).toMatchObject({ balance: OPENING_FEN - AMOUNT_FEN * there.length, frozen: 0 });
  expect(running.state.played).toBe(there.length + 1);
});

test('CTL: a disk that refuses ends it with status 1; what was answered is there when there is room again', async () => {
  const main = path.join(import.meta.dirname, '..', '..', 'jobs', 'main.ts');
  const recon = [
    process.execPath,
    main,
    'sandbox',
    '--port',
    '0',
    '--scenario',
    'empty',
    '--controls',
    '--json',
  ];
  // A limit of 8 KiB a file stands for a full disk.
  const script = `ulimit -f 8; exec "$@" --state "$0"`;
  const { PATH = '' } = process.env;
  const child = spawn('bash', ['-c', script, file, ...recon], {
    env: { PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const saying = sayingOf(child.stdout);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const status = new Promise((resolve) => child.once('close', resolve));
  const { PLATFORM_URL: url } = (await saying).settings;
  await seedPayer(url);
  const made: Withdrawals = { sent: [], acknowledged: new Set() };
  await load(url, made);
  expect(await status).toBe(1);
  expect(stderr).toContain(`cannot write the sandbox's state to ${file}`);
  const again = await started();
  expect(again.state).toMatchObject({ played: made.acknowledged.size + 1, cutBytes: 0 });
  for (const outOrderNo of made.acknowledged) expect(await isThere(again.url, outOrderNo)).toBe(true);
});

test('CTL: a second process is refused with status 4, another scenario with status 2; a stop leaves no lock', async () => {
  const running = await started();
  expect(running.scenario).toBe('demo');
  const second = await sandbox().ended;
  expect(second).toMatchObject({ status: 4 });
  expect(second.stderr).toContain('is the state of a sandbox that is running');
  expect(await ended(running.child)).toMatchObject({ status: 0 });
  await expect(stat(`${file}.lock`)).rejects.toThrow('ENOENT');
  const before = await readFile(file, 'utf8');
  const other = await sandbox('--scenario', 'volume').ended;
  expect(other).toMatchObject({ status: 2 });
  expect(other.stderr).toContain('its scenario is {"name":"demo"}, asked for is {"name":"volume"');
  expect(await readFile(file, 'utf8')).toBe(before);
});
