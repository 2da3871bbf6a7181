/** Tells the inputs that change a sandbox from those that only read it, and what an input found. */
import { instantOf } from '../../core/time.ts';
import { CODE_SUCCESS, ENDPOINTS } from '../../platform/contract.ts';
import type { SandboxRequest } from '../protocol/exchange.ts';
import type { World } from '../world/world.ts';
import type { Found } from './journal-lines.ts';
import { FAILED } from './result.ts';

/** A world as an input found it. */
export interface Before {
  nowMs: number;
  random: number;
  calls: [second: number, count: number];
  numbersGiven: number;
  readEffects: number;
  /** A fault is planned that counts this call. */
  facesFault: boolean;
}

/** Taken as the input begins. */
export function lookBefore(world: World, request?: SandboxRequest): Before {
  world.reqIds.begin();
  const { clock, random, calls, numbersGiven, readEffects } = world;
  return {
    nowMs: clock.nowMs(),
    random: random.state,
    calls: [calls.second, calls.count],
    numbersGiven,
    readEffects,
    facesFault: request !== undefined && countsForFault(world, request),
  };
}

function countsForFault(world: World, { path }: SandboxRequest): boolean {
  const planned = world.faults.list();
  if (planned.length === 0) return false;
  const endpoint = endpointAt(world, path);
  return planned.some(({ fault }) => fault.path === '*' || fault.path === endpoint);
}

function endpointAt(world: World, path: string) {
  return world.paths.get(path.split('?', 1)[0] ?? '');
}

/** What of that has to be put back when the input is played again. */
export function foundBy(world: World, before: Before): Found {
  const { first } = world.reqIds;
  return {
    at: instantOf(before.nowMs),
    random: before.random,
    ...(world.switches.callsPerSecondMax === null ? {} : { calls: before.calls }),
    ...(first === undefined ? {} : { reused: first }),
  };
}

/**
 * A call that changes something and was accepted, or anything that left a trace or may have. The count of a limit of calls
 * matters beyond its second only while the clock stands.
 */
export function hasChanged(
  world: World,
  { path }: SandboxRequest,
  { before, code }: { before: Before; code: string },
): boolean {
  const isCounted = !world.clock.running && world.calls.count !== before.calls[1];
  const hasTrace =
    code === FAILED ||
    before.facesFault ||
    isCounted ||
    world.random.state !== before.random ||
    world.numbersGiven !== before.numbersGiven ||
    world.readEffects !== before.readEffects;
  if (hasTrace) return true;
  const endpoint = endpointAt(world, path);
  return code === CODE_SUCCESS && endpoint !== undefined && ENDPOINTS[endpoint].effect === 'change';
}
