/** The executable in a process of its own, as an operator starts it. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** What is kept for the user must not be kept for the one who runs the tests. */
const STATE_FOLDER = path.join(os.tmpdir(), 'recon-test', 'state');

export interface Ended {
  /** Null when it was killed. */
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Child {
  process: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts `recon …` with exactly these settings beside what the host needs to run a program at all. */
export function startRecon(args: readonly string[], settings: Readonly<Record<string, string>>): Child {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [path.join(ROOT, 'jobs', 'main.ts'), ...args], {
    cwd: ROOT,
    env: { PATH, HOME, XDG_STATE_HOME: STATE_FOLDER, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (output.stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve({ status, signal, ...output }));
  });
  return { process: child, ended };
}
