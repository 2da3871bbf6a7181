/**
 * How the steps of a night are run, whatever they do: each begins with the lease and ends with its name on the run.
 * Steps that read the platform end together when it cannot be read on; steps that prove nothing (a mark that cannot be
 * read, a disk full of vouchers) keep no books from being proven and published.
 */
import { messageOf, Stopped } from '../../src/core/errors.ts';
import { jsonText } from '../../src/core/json.ts';
import { requireLease } from '../../src/store/database/leases.ts';
import type { Lease } from '../../src/store/database/leases.ts';
import { saveRunFacts, saveStep } from '../../src/store/runs/runs.ts';
import type { Context } from '../context/context.ts';
import { causeText } from './stopped-night.ts';

export interface NightSteps {
  /** Whether the platform could be read to the end; if not, nothing more is asked of it in this run. */
  isReadable(): boolean;
  /**
   * Reads the platform, and keeps what it returns as facts of the run.
   * @throws what is no stop of the reading: an abort, a lost lease, a fault of the program
   */
  read(step: string, work: () => Promise<object>): Promise<void>;
  do<T>(step: string, work: () => Promise<T>): Promise<T>;
  /**
   * What goes wrong is kept for the end.
   * @returns undefined when the step failed
   * @throws what ends the whole run: a stop, a lost lease
   */
  optional<T>(step: string, work: () => Promise<T>): Promise<T | undefined>;
  /** @throws the first failure of an optional step, if there was one */
  throwFailure(): void;
}

export function nightSteps(context: Context, { runId, lease }: { runId: string; lease: Lease }): NightSteps {
  const { db, signal, log } = context;
  let stopped: string | undefined;
  let failure: Error | undefined;

  async function done<T>(step: string, work: () => Promise<T>): Promise<T> {
    await requireLease(db, lease);
    const made = await work();
    await saveStep(db, runId, step);
    return made;
  }

  /** @throws what is more than a failure of the step */
  async function throwWhatEndsTheRun(): Promise<void> {
    signal.throwIfAborted();
    await requireLease(db, lease);
  }

  return {
    isReadable: () => stopped === undefined,
    read: async (step, work) => {
      if (stopped !== undefined) return;
      try {
        const facts = await done(step, work);
        await saveRunFacts(db, runId, jsonText({ stopped: '', ...facts }));
      } catch (error) {
        await throwWhatEndsTheRun();
        if (!(error instanceof Stopped)) throw error;
        stopped = causeText(context, error);
        log.error({ event: 'run.stopped', reason: stopped });
        await saveRunFacts(db, runId, jsonText({ stopped }));
      }
    },
    do: done,
    optional: async (step, work) => {
      try {
        return await work();
      } catch (error) {
        await throwWhatEndsTheRun();
        log.error({ event: `${step}.failed`, reason: messageOf(error) });
        failure ??= error instanceof Error ? error : new Error(messageOf(error), { cause: error });
        return undefined;
      }
    },
    throwFailure: () => {
      if (failure) throw failure;
    },
  };
}
