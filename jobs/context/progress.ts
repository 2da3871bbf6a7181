/** Progress of long work on stderr: a bar on a terminal, a plain line now and then elsewhere. */
import type { GenericFormatter, SingleBar } from 'cli-progress';
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

/** Shows how many rows were read, until the work ends, well or not. */
export async function countingRows<T>(
  bar: Progress,
  work: (read: (rows: number) => void) => Promise<T>,
): Promise<T> {
  try {
    return await work((rows) => bar.show({ rows }));
  } finally {
    bar.done();
  }
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

/** What is done of what there is, where that is known, and how fast. */
function textOf(task: string, state: State, elapsedMs: number): string {
  const { total, done } = state;
  const seconds = elapsedMs / 1_000;
  const counts = Object.entries(state.counts);
  const [[name, n] = ['', 0]] = counts.filter(([counted]) => SPEED_OF.has(counted));
  const told = counts.map(([counted, value]) => `${value} ${counted}`);
  if (total > 0) told.unshift(`${done}/${total} done`);
  if (seconds > 0.5 && n > 0) told.push(`${Math.round(n / seconds)} ${name}/s`);
  if (done > 0 && done < total) told.push(`about ${clockText((seconds / done) * (total - done))} left`);
  return `${task}: ${told.join(', ')}`;
}

const SPEED_OF: ReadonlySet<string> = new Set(['records', 'rows']);

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
  let hasTold = false;
  const state: State = { total: 0, done: 0, counts: {} };
  const tell = (isLast: boolean): void => {
    const nowMs = clock.monoMs();
    if (!isLast && nowMs - lineAtMs < LINE_EVERY_MS) return;
    [lineAtMs, hasTold] = [nowMs, true];
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
    // What was short, and of an extent that nobody knew, needs no line.
    done: () => {
      if (hasTold || state.total > 0) tell(true);
    },
  };
}

function barOf(task: string, stream: NodeJS.WriteStream, clock: Clock): Progress {
  const startedMs = clock.monoMs();
  const state: State = { total: 0, done: 0, counts: {} };
  let bar: SingleBar | undefined;
  let isOver = false;
  const load = async (): Promise<void> => {
    const {
      default: { Format, SingleBar, Presets },
    } = await import('cli-progress');
    if (isOver) return; // what comes after it is written already
    // Of work whose end nobody knows there is no share.
    const format: GenericFormatter = (options, { progress }, { text }: { text: string }) =>
      state.total === 0
        ? text
        : `${Format.BarFormat(progress, options)} ${Math.floor(progress * 100)}% ${text}`;
    bar = new SingleBar(
      { format, stream, hideCursor: true, barsize: 24, linewrap: false },
      Presets.shades_classic,
    );
    bar.start(Math.max(state.total, 1), state.done, { text: task });
  };
  void load();
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
      isOver = true;
      bar?.stop();
    },
  };
}
