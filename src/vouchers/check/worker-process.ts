/**
 * A process that answers questions one after the other, and the watch over one that may never answer. A process and no
 * thread: out of memory, a thread may end the process it belongs to. It is told no settings, and what the libraries in
 * it print is no log of ours and is not shown.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { messageOf, Stopped } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';

/** Asked again it may answer: another process may, where this one has no life left. */
export class WorkerEnded extends Stopped {}

export interface WorkerProcess<Question, Answer> {
  /** Answers come in the order of the questions. @throws WorkerEnded when the process ended instead */
  ask(question: Question): Promise<Answer>;
  /** Bytes that it holds of the machine's memory; undefined where the system has no `/proc` to tell it. */
  memoryBytes(): Promise<number | undefined>;
  isAlive(): boolean;
  /** Ends it at once, whatever it is doing; questions without an answer fail. */
  kill(): Promise<void>;
}

/** What the check of one file may take in all, and what the merge may take that goes through the same steps after it. */
export const CHECK_MEMORY_MB = 320;
/** A part of 2,000 files needs some 100 MB, and the file in hand less than its check. */
export const MERGER_HEAP_MB = 768;
export const MERGER_SEMI_SPACE_MB = 32;

export interface WorkerLimits {
  /** Of its JavaScript heap; it dies beyond. */
  heapMb: number;
  /** Of each half of what is young in it: with more room less of it is looked at, which is a sixth of a merge. */
  semiSpaceMb?: number;
}

const STACK_KB = 3_900;

export function startWorker<Question, Answer>(
  file: URL,
  limits: WorkerLimits,
): WorkerProcess<Question, Answer> {
  const child = forked(file, limits);
  const waiting: { resolve: (answer: Answer) => void; reject: (reason: Error) => void }[] = [];
  let isAlive = true;
  const fail = (reason: string, cause?: unknown): void => {
    isAlive = false;
    for (const { reject } of waiting.splice(0)) reject(new WorkerEnded(reason, {}, { cause }));
  };
  child.on('message', (answer) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both ends are of this program
    waiting.shift()?.resolve(answer as Answer);
    if (waiting.length === 0) release(child);
  });
  child.on('error', (error) => fail(`the worker failed: ${messageOf(error)}`, error));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // What it answered before it ended arrives before the channel closes.
  child.once('disconnect', () => {
    isAlive = false;
    void ended.then(() => fail(`the worker ended (${child.signalCode ?? child.exitCode}) without an answer`));
  });
  release(child);
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (!isAlive) {
          reject(new WorkerEnded('the worker has ended'));
          return;
        }
        child.send(question as object, (error) => {
          if (error !== null) fail(`the worker cannot be asked: ${messageOf(error)}`, error);
        });
        waiting.push({ resolve, reject });
        hold(child);
      }),
    memoryBytes: async () => await residentBytes(child),
    isAlive: () => isAlive,
    kill: async () => {
      const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
      fail('the worker was ended');
      child.kill('SIGKILL');
      hold(child);
      if (isRunning) await ended;
    },
  };
}

function forked(file: URL, { heapMb, semiSpaceMb }: WorkerLimits): ChildProcess {
  const compiled = module.getCompileCacheDir();
  return fork(fileURLToPath(file), [String(process.pid)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) },
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      ...(semiSpaceMb === undefined ? [] : [`--max-semi-space-size=${semiSpaceMb}`]),
      `--stack-size=${STACK_KB}`,
    ],
  });
}

/** While somebody waits for a worker, this process does not end. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

async function residentBytes({ pid }: ChildProcess): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    // It has ended, or the system has no /proc.
    return undefined;
  }
}

export interface Watch {
  clock: Clock;
  timeoutMs: number;
  /** More than it held when it was asked: what earlier files left there is no fault of this one. */
  memoryBytesMax: number;
}

/** What came of a watched question. */
export type Watched<Answer> = { answer: Answer } | { killed: 'time' | 'memory' } | { died: Error };

/** How often the memory is looked at. A bomb unpacks some 10 MB in that time. */
const LOOK_EVERY_MS = 20;

/** Asks, and kills the worker when it takes too long or too much. */
export async function askWatched<Question, Answer>(
  worker: WorkerProcess<Question, Answer>,
  question: Question,
  watch: Watch,
): Promise<Watched<Answer>> {
  const over = new AbortController();
  const bytesBefore = (await worker.memoryBytes()) ?? 0;
  const answered: Promise<Watched<Answer>> = worker.ask(question).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ died: error instanceof Error ? error : new Error(String(error)) }),
  );
  const first = await Promise.race([answered, watchOver(worker, watch, bytesBefore, over.signal)]);
  over.abort();
  if (first === 'over') return await answered;
  if ('killed' in first) await worker.kill();
  return first;
}

/** Ends when a limit is passed; when the question is answered first, with `over`. */
async function watchOver<Question, Answer>(
  worker: WorkerProcess<Question, Answer>,
  watch: Watch,
  bytesBefore: number,
  signal: AbortSignal,
): Promise<{ killed: 'time' | 'memory' } | 'over'> {
  const started = watch.clock.monoMs();
  while (!signal.aborted) {
    const left = watch.timeoutMs - (watch.clock.monoMs() - started);
    if (left <= 0) return { killed: 'time' };
    const bytes = await worker.memoryBytes();
    if (bytes !== undefined && bytes - bytesBefore > watch.memoryBytesMax) return { killed: 'memory' };
    await sleepUntil(watch.clock, Math.min(left, LOOK_EVERY_MS), signal);
  }
  return 'over';
}

async function sleepUntil(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
