/** Three small worlds without any fault, in which every single port call is made the last of its process. */
import { MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { TWO_O_CLOCK_MS } from './world/draw-plan.ts';
import type { OrderPlan, RetryPlan, SeedPlan } from './world/draw-plan.ts';
import { NEVER_LATE } from './world/draw-late.ts';
import { NO_REFUNDS } from './world/draw-refunds.ts';
import { runSeed } from './run-seed.ts';
import type { SeedReport } from './run-seed.ts';
import type { BookStore } from './book-store.ts';
import type { When } from './world/mortal-process.ts';
import { NETWORK_FAULTS } from './world/network.ts';
import type { NetworkRates } from './world/network.ts';
import { PLAIN_VIEWS } from './world/views.ts';

const CALM_NETWORK = Object.fromEntries(NETWORK_FAULTS.map((fault) => [fault, 0])) as NetworkRates;

const PAID_AT_ONCE: RetryPlan = { state: 'SUCCESS', delayMs: 0, returnAfterMs: undefined };
const PAID_LATER: RetryPlan = { state: 'SUCCESS', delayMs: 4 * MINUTE_MS, returnAfterMs: undefined };
const FAILS_LATER: RetryPlan = { state: 'FAIL', delayMs: 20 * SECOND_MS, returnAfterMs: undefined };
const RETURNED: RetryPlan = { state: 'SUCCESS', delayMs: 0, returnAfterMs: 5 * MINUTE_MS };

function order(no: number, outBatchNo: string, retries: readonly RetryPlan[]): OrderPlan {
  return {
    outOrderNo: `O${no}`,
    outBatchNo,
    payeeAcctNo: 'J1',
    amountFen: 12_300n,
    first: 'failed',
    firstEndsMs: 0,
    retries: [...retries, PAID_AT_ONCE, PAID_AT_ONCE, PAID_AT_ONCE],
  };
}

function world(seed: number, orders: readonly OrderPlan[], queueMs: number): SeedPlan {
  return {
    seed,
    beginsMs: TWO_O_CLOCK_MS,
    rules: {
      marginSeconds: 120,
      viewLagSeconds: 0,
      coolDownMinutes: 10,
      caps: 'usual',
      breaker: 'usual',
      timestampSigned: true,
      unsignedAllowed: false,
    },
    guard: false,
    queueMs,
    lag: { ms: 0, isFlapping: false },
    views: PLAIN_VIEWS,
    payeeAcctNos: ['J1'],
    orders,
    hosts: [{ skewMs: 2_000, jump: undefined }],
    chaosMs: 20 * MINUTE_MS,
    processesMax: 4,
    network: CALM_NETWORK,
    standRate: 0,
    late: NEVER_LATE,
    pauseRate: 0,
    crashes: { rate: 0 },
    book: { before: 0, after: 0 },
    latency: { some: 0, long: 0 },
    stealRate: 0,
    thirdParty: [],
    refunds: NO_REFUNDS,
    restores: [],
    approveRate: 0,
  };
}

export const CANONICAL_WORLDS: Readonly<Record<string, SeedPlan>> = {
  'paid at the first retry': world(1, [order(1, 'B1', [PAID_AT_ONCE])], 0),
  'two batches, one paid late and one failing first': world(
    2,
    [order(1, 'B1', [PAID_LATER]), order(2, 'B2', [FAILS_LATER])],
    30 * SECOND_MS,
  ),
  'returned by the bank and retried': world(3, [order(1, 'B1', [RETURNED]), order(2, 'B1', [PAID_LATER])], 0),
};

const WHENS: readonly When[] = ['before', 'within', 'after'];

export interface ExhaustedWorld {
  crashPoints: number;
  /** One line for each crash point after which something does not hold. */
  faults: string[];
}

/** Kills the process at every port call, before, within and after it; all has to end as it does without that. */
export async function exhaust(store: BookStore, plan: SeedPlan): Promise<ExhaustedWorld> {
  const whole = await runSeed({ store, plan });
  const faults = faultsOf(whole, whole, 'uninterrupted');
  let crashPoints = 0;
  for (let call = 1; call <= whole.calls; call++) {
    for (const when of WHENS) {
      const cut = await runSeed({ store, plan, crashAt: { call, when } });
      crashPoints += 1;
      faults.push(...faultsOf(cut, whole, `--crash-at ${call} --when ${when}`));
    }
  }
  return { crashPoints, faults };
}

function faultsOf(ran: SeedReport, whole: SeedReport, where: string): string[] {
  const faults = ran.violations.map(({ kind, what }) => `${where}: ${kind}: ${what}`);
  if (ran.paid.join(' ') === whole.paid.join(' ')) return faults;
  return [...faults, `${where}: paid ${ran.paid.join(' ')} instead of ${whole.paid.join(' ')}`];
}
