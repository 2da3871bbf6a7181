/** What came of an input, in a word: what must come of it again when it is played again. */
import type { SandboxReply } from '../protocol/exchange.ts';
import type { World } from '../world/world.ts';

/** It is carried out later, which is an input of its own. */
export const HELD = 'held';
/** It brought no envelope. */
const NO_ENVELOPE = 'none';
/** The sandbox itself failed. */
export const FAILED = 'failed';

export function codeOfReply(world: World, reply: SandboxReply): string {
  return reply.fault?.kind === 'hold' ? HELD : (world.log.last?.code ?? NO_ENVELOPE);
}

export interface Attempt<T> {
  code: string;
  /** Undefined when it failed. */
  result: T | undefined;
  /** Gives the result, or throws what was thrown. */
  give: () => T;
}

/** Carries out an input and tells what came of it. */
export function attempt<T>(carryOut: () => T, codeOf: (result: T) => string): Attempt<T> {
  try {
    const result = carryOut();
    return { code: codeOf(result), result, give: () => result };
  } catch (error) {
    const give = (): never => {
      throw error;
    };
    return { code: FAILED, result: undefined, give };
  }
}
