/** The merging thread, as the rest of the job sees it: one part at a time, originals handed over one by one. */
import type { PartPlan } from './bundle-plan.ts';
import type { MergeAnswer, MergeQuestion } from './merge-worker.ts';
import type { PartMade } from './part-maker.ts';
import { startThread } from './thread.ts';
import type { Thread } from './thread.ts';

/** What became of an original that was handed over. */
export type Added = { pages: number } | { condition: 'encrypted' | 'damaged' | 'hostile'; remark: string };

export interface Merger {
  /** Cuts the fonts of the bundle that follows to the characters of these texts. */
  cutFonts(texts: readonly string[]): Promise<void>;
  /** Begins a part in a file that is there already. */
  open(path: string): Promise<void>;
  add(bytes: Uint8Array): Promise<Added>;
  finish(plan: PartPlan): Promise<PartMade>;
  /** Gives the part up; nothing is open afterwards. */
  abandon(): Promise<void>;
  close(): Promise<void>;
}

/** A part of 2,000 files needs some 100 MB; beyond this the thread dies and not the process. */
const HEAP_MB = 400;

/** Starts the thread, which serves any number of bundles one after the other. */
export function openMerger(): Merger {
  const file = new URL('./merge-worker.ts', import.meta.url);
  const thread: Thread<MergeQuestion, MergeAnswer> = startThread(file, { heapMb: HEAP_MB });
  const ask = async (question: MergeQuestion): Promise<MergeAnswer> => {
    const answer = await thread.ask(question);
    if ('error' in answer) {
      const { message, code, syscall } = answer.error;
      throw Object.assign(new Error(message), code === undefined ? {} : { code, syscall });
    }
    return answer;
  };
  return {
    cutFonts: async (texts) => void (await ask({ step: 'fonts', texts })),
    open: async (path) => void (await ask({ step: 'open', path })),
    add: async (bytes) => {
      const answer = await ask({ step: 'add', bytes });
      if ('pages' in answer) return answer;
      if ('fault' in answer) return answer.fault;
      throw new Error('Bug: the merging thread answered another question');
    },
    finish: async (plan) => {
      const answer = await ask({ step: 'finish', plan });
      if ('made' in answer) return answer.made;
      throw new Error('Bug: the merging thread answered another question');
    },
    abandon: async () => void (thread.isAlive() && (await ask({ step: 'close' }))),
    close: () => thread.kill(),
  };
}
