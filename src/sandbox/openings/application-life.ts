/**
 * The life of an opening or a change: the states the platform gives it, each from an instant on. It is laid down
 * by the call that decides it, so that moving the clock is all it takes to see it change (OPN-18, CHG-19).
 */

export interface StateTurn {
  atMs: number;
  state: number;
  /** Why it was rejected; empty otherwise. */
  remark: string;
}

/** What follows from a call on: states, each so long after it. */
export type Steps = readonly { afterMs: number; state: number; remark?: string | undefined }[];

export const STATE = {
  PROCESSING: 1,
  DONE: 2,
  REJECTED: 3,
  SIGNING: 5,
  PRE_REVIEW: 7,
  REVIEW_REJECTED: 8,
  MANUAL_REVIEW: 11,
  QUEUED: 100,
} as const;

/** The states of a result that is told to the company (U11, EVT-01); in any other it is under review (OPN-02). */
const FINAL: ReadonlySet<number> = new Set([2, 3, 8]);

export function turnsOf(steps: Steps, startMs: number): StateTurn[] {
  const turns = steps.map(({ afterMs, state, remark = '' }) => ({ atMs: startMs + afterMs, state, remark }));
  return turns.sort((a, b) => a.atMs - b.atMs);
}

/** What is said at an instant: of several turns at one instant the last. */
export function stateTurnAt(life: readonly StateTurn[], ms: number): StateTurn | undefined {
  return life.findLast(({ atMs }) => atMs <= ms);
}

/** Its state by now, when nothing that is laid down follows it; else undefined: a call comes out of turn. */
export function restingState(life: readonly StateTurn[], nowMs: number): number | undefined {
  const last = life.at(-1);
  return last && last.atMs <= nowMs ? last.state : undefined;
}

/** It is under review, or something is still to come of it. */
export function isPending(life: readonly StateTurn[], nowMs: number): boolean {
  const resting = restingState(life, nowMs);
  return resting === undefined || !FINAL.has(resting);
}

/** When it succeeded or will; undefined when it does not. */
export function doneAtMs(life: readonly StateTurn[]): number | undefined {
  return life.find(({ state }) => state === STATE.DONE)?.atMs;
}

export function finalTurns(turns: readonly StateTurn[]): StateTurn[] {
  return turns.filter(({ state }) => FINAL.has(state));
}
