/** A range of seeds shared out among processes, with progress on stderr. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { addCounts } from './batch.ts';
import type { BatchReport, BatchRequest } from './batch.ts';
import type { StoreKind } from './open-store.ts';

export interface RangeRequest extends Omit<BatchRequest, 'until'> {
  store: StoreKind;
  jobs: number;
}

/** Small enough for progress to move, large enough not to matter. */
const CHUNK_SEEDS: Readonly<Record<StoreKind, number>> = { memory: 250, postgres: 20, embedded: 10 };

type Heard = BatchReport | 'ready' | { error: string };

export async function runRange(request: RangeRequest): Promise<BatchReport & { ms: number }> {
  const begun = performance.now();
  const sum: BatchReport = { seeds: 0, sends: 0, calls: 0, counts: {}, violated: [] };
  const range = { next: request.first };
  const workers = Array.from({ length: request.jobs }, () =>
    work(request, range, (report) => {
      add(sum, report);
      const perMinute = Math.round(sum.seeds / ((performance.now() - begun) / 60_000));
      process.stderr.write(
        `\r${sum.seeds} of ${request.last - request.first + 1} seeds, ${perMinute} a minute, ${sum.violated.length} with violations`,
      );
    }),
  );
  await Promise.all(workers);
  process.stderr.write('\n');
  sum.violated.sort((one, other) => one.seed - other.seed);
  return { ...sum, ms: performance.now() - begun };
}

function work(
  request: RangeRequest,
  range: { next: number },
  told: (report: BatchReport) => void,
): Promise<void> {
  const { store, jobs: _jobs, last, ...rest } = request;
  const worker: ChildProcess = fork(path.join(import.meta.dirname, 'range-worker.ts'), [store]);
  return new Promise((resolve, reject) => {
    worker.on('message', (heard: Heard) => {
      if (typeof heard === 'object' && 'error' in heard) {
        worker.kill();
        reject(new Error(heard.error));
        return;
      }
      if (heard !== 'ready') told(heard);
      const first = range.next;
      range.next = Math.min(last + 1, first + CHUNK_SEEDS[store]);
      worker.send(first > last ? 'end' : { ...rest, first, last: range.next - 1 });
    });
    worker.once('error', reject);
    worker.once('exit', (status) => {
      if (status === 0) resolve();
      else reject(new Error(`a worker ended with status ${status}`));
    });
  });
}

function add(sum: BatchReport, report: BatchReport): void {
  sum.seeds += report.seeds;
  sum.sends += report.sends;
  sum.calls += report.calls;
  addCounts(sum.counts, report.counts);
  sum.violated.push(...report.violated);
}
