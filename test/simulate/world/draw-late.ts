/**
 * In few seeds a process stands still for long after its send, and hears the answer only when others went on in its place:
 * its acceptance comes to books in which the attempt was ended, or that were restored and have forgotten it.
 */
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import { lagsBeyond } from './draw-plan.ts';
import type { SeedPlan } from './draw-plan.ts';
import { NO_REFUNDS } from './draw-refunds.ts';
import { Stream } from './random.ts';
import { answered } from './views.ts';

export interface LatePlan {
  /** Chance that a process that sends stands still; and for how long at most. */
  rate: number;
  msMax: number;
}

export const NEVER_LATE: LatePlan = { rate: 0, msMax: 0 };

/** Of a stream of its own, so that seeds without them stay as they were. */
export function withLate(plan: SeedPlan): SeedPlan {
  const chance = new Stream(plan.seed, 'late');
  if (!chance.chance(0.08) || lagsBeyond(plan)) return plan;
  const late = {
    rate: 0.3 + 0.6 * chance.fraction(),
    msMax: chance.one([5 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS]),
  };
  const shows = chance.one(['last', 'first', 'either'] as const);
  const views = { ...plan.views, shows };
  return chance.chance(0.5) ? { ...plan, late, views } : forgotten({ ...plan, late, views }, chance);
}

/** The database is restored soon after a send, and who sent lives on; what was forgotten is under way for hours. */
function forgotten(plan: SeedPlan, chance: Stream): SeedPlan {
  const { views, network, hosts } = plan;
  const hidesOpen = chance.chance(0.6);
  const heard = hidesOpen && { network: answered(network), standRate: 0 };
  const times = chance.whole(1, 8);
  const what = hosts.length > 1 ? 'another' : chance.one(['another', 'same', 'volumes'] as const);
  return {
    ...plan,
    ...heard,
    views: { ...views, hidesOpen },
    orders: plan.orders.map((order) => ({
      ...order,
      retries: order.retries.map((retry) => ({ ...retry, delayMs: retry.delayMs * times })),
    })),
    chaosMs: chance.whole(2, 8) * HOUR_MS,
    processesMax: chance.whole(8, 24),
    book: { before: 0, after: 0 },
    pauseRate: 0,
    thirdParty: [],
    refunds: NO_REFUNDS,
    restores: [{ takenMs: 0, atMs: undefined, what }],
    approveRate: chance.one([0.5, 1]),
  };
}
