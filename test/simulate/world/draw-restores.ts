/** From which copy a database is restored in a seed, when, and with what. */
import type { Stream } from './random.ts';

export interface RestorePlan {
  takenMs: number;
  /** Undefined: within seconds of the next send. */
  atMs: number | undefined;
  /**
   * `another`: the database, into another one, as a new cluster is. `same`: the database alone. `home`: with
   * RECON_HOME, the machine was started anew, and the mark outside survived. `machine`: all of it is as it was.
   * `mark lost`: the same, without a mark. `volumes`: database and mark are as they were, and no machine was started.
   */
  what: RestoreKind;
}

export type RestoreKind = 'another' | 'same' | 'home' | 'machine' | 'mark lost' | 'volumes';

const KINDS_OF_ONE_HOST = [
  'another',
  'same',
  'home',
  'machine',
  'machine',
  'mark lost',
  'volumes',
  'volumes',
] as const;

/** Two hosts have a mark each, and either may be the older: only that the database is another tells them. */
export function drawRestores(world: Stream, of: { chaosMs: number; hosts: number }): readonly RestorePlan[] {
  const takenMs = world.chance(0.5) ? 0 : world.whole(0, of.chaosMs / 2);
  const restore: RestorePlan = {
    takenMs,
    atMs: world.chance(0.6) ? undefined : world.whole(takenMs, of.chaosMs),
    what: of.hosts > 1 ? 'another' : world.one(KINDS_OF_ONE_HOST),
  };
  return [restore];
}
