/** What is done with files of strangers is done in processes of their own (I6): what becomes of one stays there. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';

import { startWorker, WorkerEnded } from '../../src/vouchers/check/worker-process.ts';
import type { WorkerProcess } from '../../src/vouchers/check/worker-process.ts';
import type { Knowledge, OddQuestion } from './odd-worker.ts';

const ODD_WORKER = new URL('./odd-worker.ts', import.meta.url);

const started: WorkerProcess<OddQuestion, Knowledge>[] = [];
function oddWorker(): WorkerProcess<OddQuestion, Knowledge> {
  const worker = startWorker<OddQuestion, Knowledge>(ODD_WORKER, { heapMb: 40 });
  started.push(worker);
  return worker;
}
afterEach(async () => {
  await Promise.all(started.splice(0).map(async (worker) => await worker.kill()));
});

/** The processes that this one, or another, has started to run a file. */
function childrenOf(pid: number | undefined, file: string): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return listed.flatMap((line) => {
    const [, child, parent] = /^\s*(\d+)\s+(\d+)/.exec(line) ?? [];
    return Number(parent) === pid && line.includes(file) ? [Number(child)] : [];
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('it knows none of the settings, which hold keys and passwords', async () => {
  vi.stubEnv('MERCHANT_PRIVATE_KEY', 'secret');
  const { names } = await oddWorker().ask('what it knows');
  vi.unstubAllEnvs();
  expect(names.filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([]);
});

test('one that ends fails what it was asked, and what it answered before stays answered', async () => {
  const worker = oddWorker();
  const asked = (['what it knows', 'end', 'what it knows'] as const).map((question) => worker.ask(question));
  const [first, second, third] = await Promise.allSettled(asked);
  expect(first).toMatchObject({ status: 'fulfilled' });
  const ended = { status: 'rejected', reason: new WorkerEnded('the worker ended (3) without an answer') };
  expect([second, third]).toEqual([ended, ended]);
  await expect(worker.ask('what it knows')).rejects.toThrow(WorkerEnded);
  expect(worker.isAlive()).toBe(false);
});

test('who is killed leaves no worker behind that goes on for ever', async () => {
  const asker = spawn(process.execPath, [fileURLToPath(new URL('./odd-asker.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(asker.stdout, 'data');
  const [worker = 0] = childrenOf(asker.pid, 'odd-worker');
  expect(isRunning(worker)).toBe(true);
  asker.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(worker)).toBe(false), { timeout: 30_000, interval: 100 });
});

test('signals that a terminal or a service manager sends to all at once end no check midway', async () => {
  const worker = oddWorker();
  const { pid } = await worker.ask('what it knows');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
  expect(await worker.ask('what it knows')).toMatchObject({ pid });
});
