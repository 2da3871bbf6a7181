/** Tells the inputs that change a sandbox from those that only read it, and what an input found. */
import { instantOf } from '../../core/time.ts';
import { CODE_SUCCESS, ENDPOINTS } from '../../platform/contract.ts';
import type { SandboxRequest } from '../protocol/exchange.ts';
import type { World } from '../world/world.ts';
import type { Found } from './journal-lines.ts';
import { FAILED } from './result.ts';

/** A world as an input found it. */
export interface Before {
  found: Found;
  trace: string;
}

/** Taken as the input begins. */
export function lookBefore(world: World): Before {
  world.reqIds.begin();
  const { clock, random, calls, switches } = world;
  const limited = switches.callsPerSecondMax !== null;
  const found: Found = {
    at: instantOf(clock.nowMs()),
    random: random.state,
    ...(limited && { calls: [calls.second, calls.count] }),
  };
  return { found, trace: traceOf(world) };
}

/**
 * What is different as soon as reading changes anything. The count of a limit of calls matters beyond its second only
 * while the clock stands.
 */
function traceOf({ random, numbersGiven, readEffects, faults, clock, calls }: World): string {
  return [random.state, numbersGiven, readEffects, faults.callsCounted, clock.running || calls.count].join(
    ' ',
  );
}

/** What of that has to be put back when the input is played again. */
export function foundBy({ reqIds }: World, { found }: Before): Found {
  return reqIds.first === undefined ? found : { ...found, reused: reqIds.first };
}

/** A call that changes something and was accepted, or anything that left a trace or may have. */
export function hasChanged(
  world: World,
  { path }: SandboxRequest,
  { before, code }: { before: Before; code: string },
): boolean {
  if (code === FAILED || traceOf(world) !== before.trace) return true;
  const endpoint = world.paths.get(path.split('?', 1)[0] ?? '');
  return code === CODE_SUCCESS && endpoint !== undefined && ENDPOINTS[endpoint].effect === 'change';
}
