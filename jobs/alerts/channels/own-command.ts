/** A program of one's own: it gets the document as JSON on its stdin, none of our settings, and ten seconds. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { NotSent, messageOf } from '../../../src/core/errors.ts';
import { jsonText } from '../../../src/core/json.ts';
import { SECOND_MS } from '../../../src/core/time.ts';
import type { Sending } from './sending.ts';

const RUN_MS_MAX = 10 * SECOND_MS;
/** As much of what it complains as fits a line. */
const SAID_MAX = 500;
/** Where programs lie; nothing else of ours is its business. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' };

/** @throws NotSent where it cannot be run, or does not end with 0 in time */
export async function runCommand({ file }: { file: string }, { document, signal }: Sending): Promise<void> {
  // A group of its own, so that what it starts ends with it.
  const child = spawn(file, [], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: ENVIRONMENT,
    detached: true,
    cwd: '/',
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RUN_MS_MAX)]);
  const stop = (): void => endGroup(child);
  limit.addEventListener('abort', stop, { once: true });
  try {
    const said = beginningOf(child);
    // It may end without having read all of it.
    child.stdin?.on('error', () => undefined).end(`${jsonText(document)}\n`);
    const status = await endOf(child);
    if (limit.aborted) throw new NotSent(`the command took longer than ${RUN_MS_MAX} ms`);
    if (status !== 0)
      throw new NotSent(`the command ended with ${String(status)}: ${said()}`.slice(0, SAID_MAX));
  } finally {
    limit.removeEventListener('abort', stop);
    child.stderr?.destroy();
  }
}

function beginningOf(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (said.length < SAID_MAX) said += chunk;
  });
  return () => said.trim();
}

/** Its end, and not that of what it may have left behind with our pipe. */
function endOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new NotSent(`the command cannot be run: ${messageOf(error)}`)));
    child.on('exit', (status, signal) => resolve(signal ?? status));
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
