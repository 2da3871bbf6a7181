/** Progress of long work on stderr: a bar on a terminal, a plain line now and then elsewhere. */
import type { SingleBar } from 'cli-progress';
import type { Clock } from '../../src/core/ports.ts';

export interface Progress {
  /** How much there is; may grow while the work goes on. */
  total(units: number): void;
  /** One more unit done; counts are shown beside it. */
  step(counts?: Readonly<Record<string, number>>): void;
  /** Counts without a finished unit. */
  show(counts: Readonly<Record<string, number>>): void;
  done(): void;
}

/** Often enough to see that it lives, seldom enough for a log file. */
const LINE_EVERY_MS = 10_000;

export function openProgress(task: string, options: { clock: Clock; stream?: NodeJS.WriteStream }): Progress {
  const stream = options.stream ?? process.stderr;
  return stream.isTTY ? barOf(task, stream, options.clock) : linesOf(task, stream, options.clock);
}

/** For commands whose output another program reads, and for tests. */
export const NO_PROGRESS: Progress = {
  total: () => undefined,
  step: () => undefined,
  show: () => undefined,
  done: () => undefined,
};

interface State {
  total: number;
  done: number;
  counts: Record<string, number>;
}

function textOf(task: string, state: State, elapsedMs: number): string {
  const seconds = elapsedMs / 1_000;
  const records = state.counts['records'] ?? 0;
  const speed = seconds > 0.5 && records > 0 ? `, ${Math.round(records / seconds)} records/s` : '';
  const leftSeconds = state.done === 0 ? 0 : (seconds / state.done) * (state.total - state.done);
  const left = state.done > 0 && state.done < state.total ? `, about ${clockText(leftSeconds)} left` : '';
  const counts = Object.entries(state.counts).map(([name, n]) => `, ${n} ${name}`);
  return `${task}: ${state.done}/${state.total} done${counts.join('')}${speed}${left}`;
}

/** Minutes and seconds, and hours where there are any: `0:07`, `5:36:00`. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const within = `${minutes}:${String(whole % 60).padStart(2, '0')}`;
  return hours === 0 ? within : `${hours}:${within.padStart(5, '0')}`;
}

function linesOf(task: string, stream: NodeJS.WriteStream, clock: Clock): Progress {
  const startedMs = clock.monoMs();
  let lineAtMs = startedMs;
  const state: State = { total: 0, done: 0, counts: {} };
  const tell = (isLast: boolean): void => {
    const nowMs = clock.monoMs();
    if (!isLast && nowMs - lineAtMs < LINE_EVERY_MS) return;
    lineAtMs = nowMs;
    stream.write(`${textOf(task, state, nowMs - startedMs)}\n`);
  };
  return {
    total: (units) => void (state.total = units),
    step: (counts = {}) => {
      state.done += 1;
      Object.assign(state.counts, counts);
      tell(false);
    },
    show: (counts) => {
      Object.assign(state.counts, counts);
      tell(false);
    },
    done: () => tell(true),
  };
}

function barOf(task: string, stream: NodeJS.WriteStream, clock: Clock): Progress {
  const startedMs = clock.monoMs();
  const state: State = { total: 0, done: 0, counts: {} };
  let bar: SingleBar | undefined;
  const load = async (): Promise<void> => {
    const {
      default: { SingleBar, Presets },
    } = await import('cli-progress');
    bar = new SingleBar(
      { format: '{bar} {percentage}% {text}', stream, hideCursor: true, barsize: 24, linewrap: false },
      Presets.shades_classic,
    );
    bar.start(Math.max(state.total, 1), state.done, { text: task });
  };
  const loading = load();
  const draw = (): void => {
    bar?.setTotal(Math.max(state.total, 1));
    bar?.update(state.done, { text: textOf(task, state, clock.monoMs() - startedMs) });
  };
  return {
    total: (units) => void (state.total = units),
    step: (counts = {}) => {
      state.done += 1;
      Object.assign(state.counts, counts);
      draw();
    },
    show: (counts) => {
      Object.assign(state.counts, counts);
      draw();
    },
    done: () => {
      draw();
      void loading.finally(() => bar?.stop());
    },
  };
}
