/**
 * A client that shares no line with this project, in bash, curl, openssl and perl, against the sandbox as a process
 * of its own: what it needs of the service is in the service's document and the default profile.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startRecon } from '../helpers/child.ts';
import type { Child } from '../helpers/child.ts';
import { ended } from '../helpers/cli.ts';
import type { CliOutcome } from '../helpers/cli.ts';

const CLIENT = path.join(import.meta.dirname, 'client.sh');
const PREFIX = '/api/open/virtualBank/';
const FAULTY = ['corrupt_sign', 'omit_sign', 'corrupt_biz_data'];

interface Account {
  accountNo: string;
  role: string;
  balanceFen: number;
  frozenFen: number;
}

interface Push {
  kind: string;
  acknowledged: boolean;
  attempts: { status: number; answer: string }[];
}

let sandbox: Child;
/** What the sandbox prints to be exported. */
let settings: Record<string, string>;

beforeAll(async () => {
  sandbox = startRecon(['sandbox', '--port', '0', '--scenario', 'empty', '--controls', '--json'], {});
  const { promise, resolve } = Promise.withResolvers<{ settings: Record<string, string> }>();
  let text = '';
  sandbox.process.stdout?.on('data', (chunk: string) => {
    text += chunk;
    if (text.endsWith('}\n')) resolve(JSON.parse(text) as { settings: Record<string, string> });
  });
  const failed = sandbox.ended.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)));
  ({ settings } = await Promise.race([promise, failed]));
  failed.catch(() => undefined);
});
afterAll(async () => {
  sandbox.process.kill('SIGTERM');
  await sandbox.ended;
});
beforeEach(() => control('reset', {}));

/** @throws Error with what the sandbox says when it refuses */
async function control(name: string, body?: object): Promise<unknown> {
  const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${settings['PLATFORM_URL']}/control/${name}`, {
    ...sent,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`control/${name}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

function runClient(): Promise<CliOutcome> {
  const { PATH = '' } = process.env;
  return ended(spawn('bash', [CLIENT], { env: { PATH, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** The two accounts as the sandbox has them: role, number, balance. */
async function balances(): Promise<string[]> {
  const { accounts } = (await control('accounts')) as { accounts: Account[] };
  return accounts.map(
    ({ accountNo, role, balanceFen, frozenFen }) => `${role} ${accountNo} ${balanceFen - frozenFen}`,
  );
}

/** What the client stated at the end: role, number, balance, of those it agreed with. */
function agreed(stdout: string): string[] {
  const lines = stdout.matchAll(/^balance (?<role>\w+) +(?<no>\w+) expected (?<fen>\d+), stated \k<fen>$/gm);
  return [...lines].map(({ groups }) => `${groups?.['role']} ${groups?.['no']} ${groups?.['fen']}`);
}

/** How often each path was called, queries left out. */
async function changes(): Promise<Record<string, number>> {
  const { requests } = (await control('requests')) as { requests: { path: string; code: string }[] };
  const counts: Record<string, number> = {};
  for (const request of requests) {
    const name = request.path.slice(PREFIX.length);
    if (/query|Result|transFiles/.test(name)) continue;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('it opens two accounts, moves money in every way, and both sides hold the same (U1, U2, U4, U39)', async () => {
  const { status, stdout, stderr } = await runClient();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });

  const steps = stdout.split('\n').map((line) => line.slice(0, 11).trimEnd());
  const opened = ['opening FQ', 'push FQ', 'opening JS', 'push JS', 'wrong sign', 'wrong push'];
  const moved = ['deposit', 'transfer', 'push', 'order', 'order', 'refund', 'withdrawal', 'withdrawal'];
  expect(steps).toEqual([...opened, ...moved, 'voucher', 'balance FQ', 'balance JS', 'verdict', '']);
  expect(stdout).toMatch(/^wrong sign +refused with (?!000000)\d+: /m);
  expect(stdout).toMatch(/^deposit +\w+ of 100000 fen, 100000 credited$/m);
  expect(stdout).toMatch(/^refund +\w+ is REFUND, 20000 fen went back$/m);

  expect(agreed(stdout)).toEqual(await balances());
  expect(agreed(stdout).map((line) => line.split(' ')[2])).toEqual(['70000', '17655']);
  const { pushes } = (await control('pushes')) as { pushes: Push[] };
  const heard = {
    acknowledged: true,
    attempts: [expect.objectContaining({ status: 200, answer: 'success' })],
  };
  expect(pushes).toMatchObject(['opening', 'opening', 'transfer'].map((kind) => ({ kind, ...heard })));
  expect(await changes()).toEqual({
    'acct/addApply': 2,
    'acct/auditApply': 2,
    [`acct/sendMsg/${settings['PLATFORM_CHANNEL_CODE']}`]: 3,
    'division/pay': 1,
    'division/refund': 1,
    'account/withdraw': 1,
  });
});

test('so it is with strict types, slow orders, fees outside the amount and numbers as texts (U28, U35, U59)', async () => {
  await control('switches', {
    strictTypes: true,
    numbersAs: 'string',
    fileListAs: 'string',
    transferFee: { feeType: 'ACCOUNT', feeFen: 30 },
    withdrawFee: { feeType: 'ACCOUNT', feeFen: 25 },
    openingQueueMs: 200,
    openingProcessMs: 200,
    transferDelayMs: 300,
    withdrawDelayMs: 300,
    refundDelayMs: 300,
  });
  const { status, stdout, stderr } = await runClient();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^transfer +batch \w+ of two orders is PROCESSING$/m);
  expect(agreed(stdout)).toEqual(await balances());
  expect(agreed(stdout).map((line) => line.split(' ')[2])).toEqual(['69940', '17630']);
});

test('it does not end well when the platform takes a fee from another account than it says (U35)', async () => {
  await control('switches', {
    transferFee: { feeType: 'ACCOUNT', feeFen: 30 },
    transferFeeBearer: 'payee',
  });
  const { status, stdout, stderr } = await runClient();
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'client.sh: the balances differ\n' });
  expect(stdout).toMatch(/^balance FQ +\w+ expected 69940, stated 70000$/m);
  expect(stdout).toMatch(/^balance JS +\w+ expected 17655, stated 17595$/m);
});

test.each(FAULTY)('it believes no answer whose signature is not right: %s (U4)', async (kind) => {
  await control('faults', { faults: [{ kind, path: 'acct/addApply' }] });
  expect(await runClient()).toEqual({
    status: 1,
    signal: null,
    stdout: '',
    stderr: "client.sh: acct/addApply: the answer's signature is wrong\n",
  });
});
