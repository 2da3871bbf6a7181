/** The platform's rate where workers share it: turns come from the database, which all processes have in common. */
import { sharedTurns } from '../../src/core/shared-turns.ts';
import type { SharedTurns } from '../../src/core/shared-turns.ts';
import type { Settings } from '../../src/core/config/config.ts';
import type { Clock } from '../../src/core/ports.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { pastFaults } from '../../src/store/database/unit-of-work.ts';
import { takeTurns } from '../../src/store/units/platform-rate.ts';

/**
 * Workers take turns no further ahead than that; everybody else takes the next one behind. So however many workers there
 * are, a settlement waits a second for its turn, and what it has seen is still fresh (docs/reliability.md 2.3 b).
 */
const WORKER_AHEAD_MS = 1_000;

/** Of all clients under one profile, as in one process. */
const rates = new WeakMap<Profile, SharedTurns>();

export interface RateParts {
  profile: Profile;
  realClock: Clock;
  settings: Settings;
  isWorker: boolean;
}

export function sharedRate(
  { profile, realClock: clock, settings, isWorker }: RateParts,
  db: Db,
): SharedTurns {
  const { perSecond } = profile.http.rate;
  const platform = (settings.platform?.url ?? '').replace(/\/+$/, '');
  const aheadMsMax = isWorker ? WORKER_AHEAD_MS : undefined;
  const rate =
    rates.get(profile) ??
    sharedTurns({
      clock,
      perSecond,
      takeSome: (request) => pastFaults(() => takeTurns(db, { platform, aheadMsMax, ...request })),
    });
  rates.set(profile, rate);
  return rate;
}
