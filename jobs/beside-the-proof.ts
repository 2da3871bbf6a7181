/**
 * Steps of a night that prove nothing: a mark that cannot be read, a disk full of vouchers must not keep the books from
 * being proven and published. What went wrong there is thrown when that is done.
 */
import { messageOf } from '../src/core/errors.ts';
import type { Context } from './context.ts';

export interface BesideTheProof {
  /** Undefined when the step failed. @throws what ended the whole run: a stop, a lost lease */
  run<T>(step: 'settle' | 'vouchers', work: () => Promise<T>): Promise<T | undefined>;
  /** @throws the first failure there was */
  throwFailure(): void;
}

/** @param stillMine throws when the run is not this process's any more */
export function besideTheProof({ signal, log }: Context, stillMine: () => Promise<void>): BesideTheProof {
  let first: Error | undefined;
  return {
    run: async (step, work) => {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        await stillMine();
        log.error({ event: `${step}.failed`, reason: messageOf(error) });
        first ??= error instanceof Error ? error : new Error(messageOf(error), { cause: error });
        return undefined;
      }
    },
    throwFailure: () => {
      if (first) throw first;
    },
  };
}
