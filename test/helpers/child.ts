/** The executable in a process of its own, as an operator starts it in the folder of the project. */
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { ended, startCli } from './cli.ts';
import type { CliOutcome } from './cli.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

export type Ended = CliOutcome;

export interface Child {
  process: ChildProcess;
  ended: Promise<Ended>;
}

/** Starts `recon …` with exactly these settings beside what the host needs to run a program at all. */
export function startRecon(args: readonly string[], settings: Readonly<Record<string, string>>): Child {
  const { HOME = '' } = process.env;
  const child = startCli(args, { env: { HOME, ...settings }, cwd: ROOT });
  return { process: child, ended: ended(child) };
}

/** What a process that had to end well said when it did not; nothing of one that did. */
export function faultOf({ status, signal, stdout, stderr }: Ended): string {
  return status === 0 ? '' : [`status ${status}, signal ${signal}`, stderr, stdout].join('\n');
}

/** The first document that a process prints on stdout. @throws Error when it ends without one */
export async function firstDocument({ process: child, ended: ending }: Child): Promise<unknown> {
  let text = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  child.stdout?.on('data', (piece: string | Buffer) => {
    text += String(piece);
    if (text.endsWith('}\n')) resolve(text);
  });
  const failed = ending.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)));
  failed.catch(() => undefined);
  return JSON.parse(await Promise.race([promise, failed])) as unknown;
}
