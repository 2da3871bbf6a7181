/**
 * What a seed is: the platform and its switches, the orders and what becomes of their settlements, the hosts and
 * their clocks, the faults that are on, and what else happens meanwhile. Drawn once, before anything runs.
 */
import { MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts';
import { NEVER_LATE, withLate } from './draw-late.ts';
import type { LatePlan } from './draw-late.ts';
import { drawRefunds } from './draw-refunds.ts';
import type { RefundsPlan } from './draw-refunds.ts';
import { drawRestores } from './draw-restores.ts';
import type { RestorePlan } from './draw-restores.ts';
import { NETWORK_FAULTS } from './network.ts';
import type { NetworkFault, NetworkRates } from './network.ts';
import type { Rules } from './profiles.ts';
import { Stream } from './random.ts';
import { PLAIN_VIEWS, withViews, type ViewsPlan } from './views.ts';

/** What a retry comes to, at the platform. */
export interface RetryPlan {
  state: 'SUCCESS' | 'FAIL';
  delayMs: number;
  /** The bank sends the money back that long after it was paid. */
  returnAfterMs: number | undefined;
}

export interface OrderPlan {
  outOrderNo: string;
  outBatchNo: string;
  payeeAcctNo: string;
  amountFen: bigint;
  /** How its first automatic settlement went or goes; a strange word must never be retried. */
  first: 'failed' | 'failsLater' | 'settled' | 'returned' | 'strange';
  /** When the first one ends, since the beginning. */
  firstEndsMs: number;
  retries: readonly RetryPlan[];
}

export interface HostPlan {
  /** Our clock less the platform's. */
  skewMs: number;
  /** The clock is set anew once. */
  jump: { atMs: number; toSkewMs: number } | undefined;
}

/** Queries show settlements as they were up to that long ago; `isFlapping`: each as long ago as it happens. */
export interface LagPlan {
  ms: number;
  isFlapping: boolean;
}

export interface SeedPlan {
  seed: number;
  beginsMs: number;
  rules: Rules;
  guard: boolean;
  queueMs: number;
  lag: LagPlan;
  views: ViewsPlan;
  payeeAcctNos: readonly string[];
  orders: readonly OrderPlan[];
  hosts: readonly HostPlan[];
  chaosMs: number;
  /** Processes that a host starts meanwhile, at most. */
  processesMax: number;
  network: NetworkRates;
  /** Chance that a process that sends stands still until its time is over, and hears nothing. */
  standRate: number;
  late: LatePlan;
  /** Chance that a process stands still between its look and its send, and somebody settles the order by hand meanwhile. */
  pauseRate: number;
  crashes: { rate: number };
  book: { before: number; after: number };
  latency: { some: number; long: number };
  /** Chance that a run's lease is taken from it while it lives on. */
  stealRate: number;
  thirdParty: readonly { atMs: number; outOrderNo: string }[];
  refunds: RefundsPlan;
  restores: readonly RestorePlan[];
  approveRate: number;
}

export interface DrawOptions {
  /** 'off': in every seed the platform's own guard against duplicates is off. */
  guard?: 'drawn' | 'off' | 'on';
  /** 'always': in every seed somebody calls for refunds; 'off': in none. */
  refunds?: 'drawn' | 'always' | 'off';
}

export function drawPlan(seed: number, options: DrawOptions = {}): SeedPlan {
  const world = new Stream(seed, 'world');
  const drawnGuard = world.chance(0.4);
  const guard =
    options.guard === undefined || options.guard === 'drawn' ? drawnGuard : options.guard === 'on';
  const lag = new Stream(seed, 'lag');
  const rules = drawRules(world, lag);
  const lasts = new Stream(seed, 'duration').chance(0.15) ? LONG : 1;
  const chaosMs = lasts * world.whole(10, 60) * MINUTE_MS;
  const payeeAcctNos = ['J1', 'J2', 'J3'].slice(0, world.whole(1, 3));
  const orders = drawOrders(world, { payeeAcctNos, chaosMs });
  const hosts = Array.from({ length: world.chance(0.3) ? 2 : 1 }, () => drawHost(world, chaosMs));
  const isCalm = world.chance(0.1);
  const meets = (share: number): boolean => !isCalm && world.chance(share);
  const drawn = withViews({
    seed,
    beginsMs: drawBeginning(new Stream(seed, 'hour'), chaosMs),
    rules,
    guard,
    queueMs: drawQueueMs(world, rules),
    lag: drawLag(lag, { rules, isCalm }),
    views: PLAIN_VIEWS,
    payeeAcctNos,
    orders,
    hosts,
    chaosMs,
    processesMax: lasts * world.whole(2, 6),
    network: drawRates(new Stream(seed, 'swarm'), isCalm),
    standRate: drawStandRate(new Stream(seed, 'standing'), isCalm),
    late: NEVER_LATE,
    pauseRate: drawPauseRate(new Stream(seed, 'old look'), isCalm),
    crashes: { rate: meets(0.5) ? 0.01 + 0.05 * world.fraction() : 0 },
    book: { before: meets(0.2) ? 0.03 : 0, after: meets(0.2) ? 0.03 : 0 },
    latency: { some: world.chance(0.5) ? 0.3 : 0, long: meets(0.15) ? 0.03 : 0 },
    stealRate: meets(0.3) ? 0.3 : 0,
    thirdParty: meets(0.25) ? drawThirdParty(world, { orders, chaosMs }) : [],
    refunds: drawRefunds(seed, { orders, chaosMs, asked: options.refunds ?? 'drawn' }),
    restores: meets(0.2) ? drawRestores(world, { chaosMs, hosts: hosts.length }) : [],
    approveRate: world.one([0, 0.5, 1]),
  });
  return withLate(drawn);
}

/** So much longer some seeds last: the view lag goes by in them several times, and faults meet what is retried after it. */
const LONG = 8;

/** 02:00 in Shanghai. */
export const TWO_O_CLOCK_MS = Date.parse('2026-03-02T18:00:00.000Z');
const MIDNIGHT_MS = Date.parse('2026-03-03T16:00:00.000Z');

/** In some seeds the service day ends while settlements are retried. */
function drawBeginning(hour: Stream, chaosMs: number): number {
  return hour.chance(0.15) ? MIDNIGHT_MS - hour.whole(0, chaosMs + 90 * MINUTE_MS) : TWO_O_CLOCK_MS;
}

function drawRules(world: Stream, lag: Stream): Rules {
  return {
    marginSeconds: world.one([120, 120, 30]),
    // Of its own stream, so that everything else of a seed stays as it was.
    viewLagSeconds: lag.one([3_600, 3_600, 0]),
    coolDownMinutes: world.one([10, 10, 2, 0]),
    caps: world.one(['usual', 'usual', 'usual', 'one', 'small']),
    breaker: world.one(['usual', 'usual', 'usual', 'one']),
    timestampSigned: world.chance(0.75),
    unsignedAllowed: world.chance(0.3),
  };
}

/**
 * How long an accepted request lies within the platform. Up to the margin no query shows it, and up to 25 seconds
 * more only the second of two queries does.
 */
function drawQueueMs(world: Stream, { marginSeconds, timestampSigned }: Rules): number {
  const share = world.fraction();
  if (share < 0.4) return 0;
  if (share < 0.8) return world.whole(0, marginSeconds) * SECOND_MS;
  // Our own clock may be set anew between the two.
  return (marginSeconds + (timestampSigned ? world.whole(5, 25) : world.whole(0, 10))) * SECOND_MS;
}

/**
 * Up to the hour that the profile reckons with; where every answer is heard also far beyond it, because of what the
 * platform said that it took no query has to tell.
 */
function drawLag(
  chance: Stream,
  { rules: { viewLagSeconds }, isCalm }: { rules: Rules; isCalm: boolean },
): LagPlan {
  if (isCalm && chance.chance(0.5)) return { ms: chance.whole(1, 300) * MINUTE_MS, isFlapping: false };
  if (viewLagSeconds === 0) return { ms: 0, isFlapping: false };
  const ms = chance.one([1, 1, 60, 1_000, viewLagSeconds]) * SECOND_MS;
  return {
    ms: ms === viewLagSeconds * SECOND_MS ? ms : Math.floor(ms * chance.fraction()),
    isFlapping: chance.chance(0.4),
  };
}

/** Whether queries lag behind longer than the profile reckons with. */
export function lagsBeyond({ lag, rules }: Pick<SeedPlan, 'lag' | 'rules'>): boolean {
  return lag.ms > rules.viewLagSeconds * SECOND_MS;
}

function drawOrders(
  world: Stream,
  of: { payeeAcctNos: readonly string[]; chaosMs: number },
): readonly OrderPlan[] {
  const count = world.whole(1, 4);
  const batches = world.whole(1, 2);
  return Array.from({ length: count }, (_none, place) => {
    const kind = world.fraction();
    const first = firstOf(kind);
    return {
      outOrderNo: `O${place + 1}`,
      outBatchNo: `B${(place % batches) + 1}`,
      payeeAcctNo: of.payeeAcctNos[place % of.payeeAcctNos.length] ?? 'J1',
      amountFen: BigInt(world.whole(1, 900) * 100),
      first,
      firstEndsMs: first === 'failed' || first === 'strange' ? 0 : world.whole(0, of.chaosMs),
      retries: Array.from({ length: 6 }, () => drawRetry(world)),
    };
  });
}

function firstOf(kind: number): OrderPlan['first'] {
  if (kind < 0.75) return 'failed';
  if (kind < 0.85) return 'failsLater';
  if (kind < 0.9) return 'settled';
  return kind < 0.97 ? 'returned' : 'strange';
}

function drawRetry(world: Stream): RetryPlan {
  const state = world.chance(0.6) ? 'SUCCESS' : 'FAIL';
  const delayMs = world.one([0, world.whole(1, 60) * SECOND_MS, world.whole(1, 30) * MINUTE_MS]);
  const returns = state === 'SUCCESS' && world.chance(0.25);
  return { state, delayMs, returnAfterMs: returns ? world.whole(10, 1_200) * SECOND_MS : undefined };
}

/** Beyond ten seconds the platform refuses every call. */
const SKEW_MS_MAX = 9_500;

function drawHost(world: Stream, chaosMs: number): HostPlan {
  const skew = (): number => {
    const share = world.fraction();
    if (share < 0.3) return world.whole(-500, 500);
    if (share < 0.7) return world.whole(-7_500, 7_500);
    return world.whole(-SKEW_MS_MAX, SKEW_MS_MAX);
  };
  const jumps = world.chance(0.15);
  return { skewMs: skew(), jump: jumps ? { atMs: world.whole(0, chaosMs), toSkewMs: skew() } : undefined };
}

/** Each fault on or off for the whole seed; a few seeds have none at all. */
function drawRates(swarm: Stream, isCalm: boolean): NetworkRates {
  const rates = {} as Record<NetworkFault, number>;
  for (const fault of NETWORK_FAULTS) {
    const isOn = swarm.chance(0.5);
    // Only where most answers come unsigned could two of them agree on something false.
    const most = fault === 'nosig' ? 0.6 : 0.25;
    const rate = 0.02 + most * swarm.fraction() ** 2;
    rates[fault] = isOn && !isCalm ? rate : 0;
  }
  return rates;
}

/** Mostly where nothing else goes wrong: there queries may lag behind for longer than anybody reckons with. */
function drawStandRate(chance: Stream, isCalm: boolean): number {
  return chance.chance(isCalm ? 0.5 : 0.1) ? 0.05 + 0.4 * chance.fraction() : 0;
}

/** In few seeds: such a race decides what becomes of the order. */
function drawPauseRate(chance: Stream, isCalm: boolean): number {
  return !isCalm && chance.chance(0.05) ? 0.3 : 0;
}

function drawThirdParty(
  world: Stream,
  of: { orders: readonly OrderPlan[]; chaosMs: number },
): SeedPlan['thirdParty'] {
  return Array.from({ length: world.whole(1, 2) }, () => ({
    atMs: world.whole(0, of.chaosMs),
    outOrderNo: `O${world.whole(1, of.orders.length)}`,
  })).sort((one, other) => one.atMs - other.atMs);
}
