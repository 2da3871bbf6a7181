/** Progress as events of a program. */
import type { Progress } from '../context/progress.ts';

export interface ProgressEvent {
  /** Such as `deposits`. */
  task: string;
  /** Units that are done, and how many there are as far as it is known; that may grow. */
  done: number;
  total: number;
  /** Of what was found by then, such as `records`. */
  counts: Readonly<Record<string, number>>;
  isDone: boolean;
}

export function progressEvents(onProgress: (event: ProgressEvent) => void = () => undefined) {
  return (task: string): Progress => {
    let state: ProgressEvent = { task, done: 0, total: 0, counts: {}, isDone: false };
    const tell = (change: Partial<ProgressEvent>): void => {
      state = { ...state, ...change };
      onProgress(state);
    };
    const more = (counts: Readonly<Record<string, number>> = {}) => ({ ...state.counts, ...counts });
    return {
      total: (total) => tell({ total }),
      step: (counts) => tell({ done: state.done + 1, counts: more(counts) }),
      show: (counts) => tell({ counts: more(counts) }),
      done: () => tell({ isDone: true }),
    };
  };
}
