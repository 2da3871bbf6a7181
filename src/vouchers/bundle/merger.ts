/** The merging process, as the rest of the job sees it: one part at a time, originals handed over one by one. */
import { Stopped } from '../../core/errors.ts';
import type { PartPlan } from './bundle-plan.ts';
import type { BundleLocale } from './bundle-words.ts';
import type { FontTexts, MergeAnswer, MergeQuestion } from './merge-worker.ts';
import type { PartMade } from './part-maker.ts';
import type { FormerFile } from '../pdf/pdf-end.ts';
import { MERGER_HEAP_MB, MERGER_SEMI_SPACE_MB, startWorker } from '../check/worker-process.ts';
import type { WorkerProcess } from '../check/worker-process.ts';

/** What became of an original that was handed over. */
export type Added = { pages: number } | { condition: 'encrypted' | 'damaged' | 'hostile'; remark: string };

export interface Merger {
  /** Cuts the fonts of the bundle that follows to the characters of these texts. */
  cutFonts(texts: FontTexts): Promise<void>;
  /** The former part, where it is as on record and shows this plan. */
  keep(former: FormerFile, plan: PartPlan): Promise<PartMade | undefined>;
  /**
   * Begins a part in a file that is there already; goes on with the former one where it is as on record.
   * @returns the originals that it holds by this, by their digests, each as often as it holds it
   */
  open(path: string, locale: BundleLocale, former?: FormerFile): Promise<readonly string[]>;
  add(original: { sha256: string; bytes: Uint8Array }): Promise<Added>;
  finish(plan: PartPlan): Promise<PartMade>;
  /** Gives the part up; nothing is open afterwards. */
  abandon(): Promise<void>;
  close(): Promise<void>;
}

/** What a merger that died is told by: the file it had in its hands is not merged, and the part is begun again. */
export { WorkerEnded as MergerDied } from '../check/worker-process.ts';

/**
 * A process that serves any number of bundles one after the other. One that died is replaced when the next part is opened.
 * @param heapMb for tests
 */
export function openMerger(heapMb = MERGER_HEAP_MB): Merger {
  const file = new URL('./merge-worker.ts', import.meta.url);
  const limits = { heapMb, semiSpaceMb: MERGER_SEMI_SPACE_MB };
  let worker: WorkerProcess<MergeQuestion, MergeAnswer> = startWorker(file, limits);
  let texts: FontTexts = { regular: [], bold: [] };
  let isClosed = false;
  const ask = async (question: MergeQuestion): Promise<MergeAnswer> => {
    const answer = await worker.ask(question);
    if ('error' in answer) {
      const { message, code, syscall } = answer.error;
      throw Object.assign(new Error(message), code === undefined ? {} : { code, syscall });
    }
    return answer;
  };
  const revive = async (): Promise<void> => {
    if (isClosed) throw new Stopped('the merging process was closed');
    if (worker.isAlive()) return;
    worker = startWorker(file, limits);
    await ask({ step: 'fonts', texts });
  };
  return {
    cutFonts: async (wanted) => {
      texts = wanted;
      if (isClosed || worker.isAlive()) await ask({ step: 'fonts', texts });
      else await revive();
    },
    keep: async (former, plan) => {
      await revive();
      const answer = await ask({ step: 'keep', former, plan });
      return 'made' in answer ? answer.made : undefined;
    },
    open: async (path, locale, former) => {
      await revive();
      const answer = await ask({ step: 'open', path, locale, former });
      if ('held' in answer) return answer.held;
      throw new Error('Bug: the merging process answered another question');
    },
    add: async (original) => {
      const answer = await ask({ step: 'add', ...original });
      if ('pages' in answer) return answer;
      if ('fault' in answer) return answer.fault;
      throw new Error('Bug: the merging process answered another question');
    },
    finish: async (plan) => {
      const answer = await ask({ step: 'finish', plan });
      if ('made' in answer) return answer.made;
      throw new Error('Bug: the merging process answered another question');
    },
    abandon: async () => void (worker.isAlive() && (await ask({ step: 'close' }))),
    close: async () => {
      isClosed = true;
      await worker.kill();
    },
  };
}
