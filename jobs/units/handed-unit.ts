/** How a unit is written down for another process: with what of the night's own state the work depends on. */
import type { Clock } from '../../src/core/ports.ts';
import { SECOND_MS, epochMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import type { UnitRun } from './unit.ts';

export interface HandedWork<Item extends object> {
  run: UnitRun;
  items: readonly Item[];
  /** How far the night's clock is ahead of the host's, in whole seconds: a rehearsal (`--clock`) is one for all. */
  aheadMs: number;
  /** The platform's time as the night knows it: nothing in its units is seen before that. */
  seenAt: Instant;
  /** What decides what is asked and how it is read: who has other rules does none of it. */
  rules: Rules;
}

export interface Rules {
  profileDigest: string;
  settingsDigest: string;
}

export interface HandedResult<Made extends object> {
  made: Made;
  /** The platform's time when the unit was done: nothing that the night sees afterwards is seen before that. */
  seenAt: Instant;
}

/** Two readings are some microseconds apart; a rehearsal is further away than half a second. */
export function aheadMsOf({ clock, realClock }: { clock: Clock; realClock: Clock }): number {
  return Math.round((epochMs(clock.wall()) - epochMs(realClock.wall())) / SECOND_MS) * SECOND_MS;
}
