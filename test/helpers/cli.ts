/** The real executable as a process of its own, with nothing of the test's environment but what it is given. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { COMPILED } from './compiled.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');
const NODE = path.join(ROOT, 'node_modules', '.bin', 'node');

/** What is kept for the user must not be kept for the one who runs the tests. */
const STATE_FOLDER = path.join(os.tmpdir(), 'recon-test', 'state');

export interface CliOutcome {
  /** Null when a signal ended it. */
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** Empty where not given. */
  stdin?: string;
}

/** Node's options as the executable's first line states them. */
export const NODE_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=200', '--'];

/** As the installed executable is started. */
export function startCli(args: readonly string[], options: CliOptions = {}): ChildProcess {
  const child = spawn(NODE, [...NODE_OPTIONS, path.join(ROOT, 'jobs', 'recon.js'), ...args], {
    env: {
      NODE_COMPILE_CACHE: COMPILED,
      XDG_STATE_HOME: STATE_FOLDER,
      ...(process.env['PATH'] && { PATH: process.env['PATH'] }),
      ...options.env,
    },
    cwd: options.cwd ?? os.tmpdir(),
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  // A command may end before it has read all of it, which is what some tests are about.
  child.stdin?.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
  });
  child.stdin?.end(options.stdin);
  return child;
}

export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliOutcome> {
  return ended(startCli(args, options));
}

/** What a process says until it ends. */
export function ended(child: ChildProcess): Promise<CliOutcome> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => (said[name] += chunk));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, ...said }));
  });
}

/** Resolves with the first line on stderr that holds the text. */
export function lineWith(child: ChildProcess, text: string): Promise<string> {
  let rest = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: string | Buffer) => {
      rest += String(chunk);
      const line = rest.split('\n').find((candidate) => candidate.includes(text));
      if (line !== undefined) resolve(line);
    });
    child.on('close', () => reject(new Error(`it ended without a line with ${text}: ${rest}`)));
  });
}

/**
 * The faults a process named on stderr: the lines of its list, or its one sentence. Log lines do not count.
 */
export function faultsOf(stderr: string): string[] {
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  const listed = lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2));
  if (listed.length > 0) return listed;
  return lines.filter((line) => line.startsWith('recon: ')).map((line) => line.slice('recon: '.length));
}

/** What is expected of a fault: all of it, or up to a final … where the words of a library follow. */
export function asFarAsOurs(fault: string): unknown {
  return fault.endsWith('…') ? (expect.stringContaining(fault.slice(0, -1)) as unknown) : fault;
}

export interface TemporaryFolder {
  path: string;
  remove(): Promise<void>;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'recon-cli-'));
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
