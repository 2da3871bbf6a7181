/**
 * A worker thread that answers questions one after the other, and the watch over one that may never answer. What the
 * libraries in it print is no log of ours and is not shown.
 */
import { Worker } from 'node:worker_threads';

import { messageOf, Stopped } from '../../core/errors.ts';
import type { Clock } from '../../core/ports.ts';

/** Asked again it may answer: another thread may, where this one has no life left. */
export class ThreadEnded extends Stopped {}

export interface Thread<Question, Answer> {
  /** Answers come in the order of the questions. @throws ThreadEnded when the thread ended instead */
  ask(question: Question): Promise<Answer>;
  /** Bytes of its own heap and of the buffers it holds. */
  memoryBytes(): Promise<number>;
  isAlive(): boolean;
  /** Ends it at once, whatever it is doing; questions without an answer fail. */
  kill(): Promise<void>;
}

/** What the check of one file may take in all, and what the merge may take that goes through the same steps after it. */
export const CHECK_MEMORY_MB = 320;
/** A part of 2,000 files needs some 100 MB, and the file in hand less than its check. */
export const MERGER_HEAP_MB = 768;
export const MERGER_YOUNG_MB = 128;

export interface ThreadLimits {
  /** Of its JavaScript heap; the thread dies beyond, the process does not. */
  heapMb: number;
  /** Of what is young in it: with more room less of it is looked at, which is a sixth of a merge. */
  youngMb?: number;
}

export function startThread<Question, Answer>(file: URL, limits: ThreadLimits): Thread<Question, Answer> {
  const worker = new Worker(file, {
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMb,
      ...(limits.youngMb !== undefined && { maxYoungGenerationSizeMb: limits.youngMb }),
      stackSizeMb: 4,
    },
  });
  const waiting: { resolve: (answer: Answer) => void; reject: (reason: Error) => void }[] = [];
  let isAlive = true;
  const fail = (reason: string, cause?: unknown): void => {
    isAlive = false;
    for (const { reject } of waiting.splice(0)) reject(new ThreadEnded(reason, {}, { cause }));
  };
  worker.stdout.resume();
  worker.stderr.resume();
  worker.on('message', (answer: Answer) => {
    waiting.shift()?.resolve(answer);
    // Keeps the process only while somebody waits for an answer.
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', (error) => fail(`the thread failed: ${messageOf(error)}`, error));
  worker.on('exit', (code) => fail(`the thread ended (${code}) without an answer`));
  worker.unref();
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (!isAlive) {
          reject(new ThreadEnded('the thread has ended'));
          return;
        }
        waiting.push({ resolve, reject });
        worker.ref();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage(question);
      }),
    memoryBytes: async () => {
      const heap = await worker.getHeapStatistics();
      return heap.used_heap_size + heap.external_memory;
    },
    isAlive: () => isAlive,
    kill: async () => {
      fail('the thread was ended');
      await worker.terminate();
    },
  };
}

export interface Watch {
  clock: Clock;
  timeoutMs: number;
  memoryBytesMax: number;
}

/** What came of a watched question. */
export type Watched<Answer> = { answer: Answer } | { killed: 'time' | 'memory' } | { died: Error };

/** How often the memory is looked at. A bomb unpacks some 10 MB in that time. */
const LOOK_EVERY_MS = 20;

/** Asks, and kills the thread when it takes too long or too much. */
export async function askWatched<Question, Answer>(
  thread: Thread<Question, Answer>,
  question: Question,
  watch: Watch,
): Promise<Watched<Answer>> {
  const over = new AbortController();
  const answered: Promise<Watched<Answer>> = thread.ask(question).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ died: error instanceof Error ? error : new Error(String(error)) }),
  );
  const first = await Promise.race([answered, watchOver(thread, watch, over.signal)]);
  over.abort();
  if (first === 'over') return await answered;
  if ('killed' in first) await thread.kill();
  return first;
}

/** Ends when a limit is passed; when the question is answered first, with `over`. */
async function watchOver<Question, Answer>(
  thread: Thread<Question, Answer>,
  watch: Watch,
  signal: AbortSignal,
): Promise<{ killed: 'time' | 'memory' } | 'over'> {
  const started = watch.clock.monoMs();
  let seen = 0;
  let isLooking = false;
  while (!signal.aborted) {
    const left = watch.timeoutMs - (watch.clock.monoMs() - started);
    if (left <= 0) return { killed: 'time' };
    if (seen > watch.memoryBytesMax) return { killed: 'memory' };
    if (!isLooking && thread.isAlive()) {
      isLooking = true;
      void look(thread).then((bytes) => {
        seen = bytes ?? seen;
        isLooking = false;
        return undefined;
      });
    }
    await sleepUntil(watch.clock, Math.min(left, LOOK_EVERY_MS), signal);
  }
  return 'over';
}

/** Undefined when the thread ended in the meantime. */
async function look(thread: Pick<Thread<never, never>, 'memoryBytes'>): Promise<number | undefined> {
  try {
    return await thread.memoryBytes();
  } catch {
    return undefined;
  }
}

async function sleepUntil(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
