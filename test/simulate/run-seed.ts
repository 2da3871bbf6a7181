/**
 * One seed from its beginning to its verdict: a time of chaos in which processes run, die and are started again;
 * then everything works, and a bounded number of runs has to bring all to its end.
 */
import { MINUTE_MS, SECOND_MS } from '../../src/core/time.ts';
import { Bank } from './world/bank.ts';
import type { BookStore } from './book-store.ts';
import { lagsBeyond } from './world/draw-plan.ts';
import type { SeedPlan } from './world/draw-plan.ts';
import { FateOfSeed } from './world/fate.ts';
import type { CrashPoint } from './world/fate.ts';
import { firstLooks } from './world/first-looks.ts';
import { Host } from './world/host.ts';
import { Kernel } from './world/kernel.ts';
import { Network } from './world/network.ts';
import { Oracle } from './oracle.ts';
import type { Violation } from './oracle.ts';
import { without } from './protections/protections.ts';
import type { Protection } from './protections/protections.ts';
import { Stream } from './world/random.ts';
import type { Running } from './world/running.ts';
import { startRefunds } from './refunds.ts';
import { wasRaced, wereBothTaken } from './races.ts';
import { runSettle } from './settle-process.ts';
import type { SettleEnd, SettleProcess } from './settle-process.ts';
import type { ProcessRequest } from './process.ts';
import { Trace } from './trace.ts';
import { startEvents } from './world/events.ts';

export interface SeedOptions {
  store: BookStore;
  plan: SeedPlan;
  /** Protections that are taken away. */
  without?: readonly Protection[];
  crashAt?: CrashPoint;
  keepsTrace?: boolean;
}

export interface SeedReport {
  seed: number;
  violations: readonly Violation[];
  digest: string;
  trace: readonly string[];
  /** How often each fault, crash and event happened. */
  counts: Readonly<Record<string, number>>;
  /** Port calls that were made. */
  calls: number;
  sends: number;
  /** Orders whose money is with the bank at the end. */
  paid: readonly string[];
}

export async function runSeed(options: SeedOptions): Promise<SeedReport> {
  const counts: Record<string, number> = {};
  const running = setUp(options, (what) => (counts[what] = (counts[what] ?? 0) + 1));
  const { kernel, oracle, plan, trace } = running;
  await options.store.reset(plan.payeeAcctNos);
  await kernel.run(async () => {
    await firstLooks(running);
    const { hosts } = running;
    const schedule = new Stream(plan.seed, 'schedule');
    running.leaseWasLost = (of) => void succeed(running, schedule, { of, hosts });
    startEvents(running);
    startRefunds(running);
    await Promise.all(hosts.map((host) => chaos(running, schedule, host)));
    await Promise.all(running.standing);
    await calm(running, schedule, hosts);
    await oracle.finish();
    if (plan.orders.some(({ outOrderNo }) => wereBothTaken(oracle, outOrderNo)))
      running.counted('taken.both');
  });
  return {
    seed: plan.seed,
    violations: oracle.violations,
    digest: trace.digest(),
    trace: trace.lines,
    counts,
    calls: running.calls,
    sends: oracle.sends.length,
    paid: running.bank.livePayouts(),
  };
}

function setUp(options: SeedOptions, counted: (what: string) => void): Running {
  const { plan, store } = options;
  const kernel = new Kernel({ worksOutside: store.kind !== 'memory' });
  const trace = new Trace(options.keepsTrace === true);
  const bank = new Bank(kernel, plan);
  const oracle = new Oracle({ plan, bank, store, kernel });
  const network = new Network({
    kernel,
    chance: new Stream(plan.seed, 'network'),
    rates: plan.network,
    standing: { rate: plan.standRate, chance: new Stream(plan.seed, 'stood still') },
    arrive: (request) => bank.arrive(request),
    met: (fault) => {
      trace.add(kernel.nowMs, 'network', fault);
      counted(`network.${fault}`);
    },
    refused: ({ body }) => void oracle.refused.add(/"reqId":"([^"]*)"/.exec(body)?.[1] ?? ''),
  });
  return {
    plan,
    kernel,
    trace,
    bank,
    network,
    store,
    oracle,
    hosts: plan.hosts.map((host, no) => new Host(kernel, { ...host, beginsMs: plan.beginsMs }, no)),
    counted,
    fate: new FateOfSeed({ plan, counted, at: options.crashAt }),
    protections: without(options.without ?? []),
    remembered: new Map(),
    ids: new Stream(plan.seed, 'ids'),
    everSigned: false,
    calls: 0,
    processes: 0,
    living: new Set(),
    standing: [],
    leaseWasLost: () => undefined,
  };
}

/** A process that dies or fails is started again within a minute, half of the time as the same run. */
async function chaos(running: Running, schedule: Stream, host: Host): Promise<void> {
  const { kernel, plan } = running;
  let runId: string | undefined;
  const gapMsMax = (2 * plan.chaosMs) / plan.processesMax;
  for (let no = 1; no <= plan.processesMax && kernel.nowMs < plan.chaosMs; no++) {
    runId ??= `run${schedule.whole(1, 1_000_000)}`;
    const end = await untilStanding(running, drawnRequest(running, schedule, { host, runId }));
    if (end.kind === 'done') {
      await approveWhatTripped(running, schedule, { host, runId, end });
      await personDecides(running, { host, runId, end });
      runId = undefined;
      const gapMs = schedule.whole(5 * SECOND_MS, schedule.chance(0.5) ? 2 * MINUTE_MS : gapMsMax);
      await kernel.sleep(gapMs);
    } else {
      if (schedule.chance(0.5)) runId = undefined;
      await kernel.sleep(schedule.whole(SECOND_MS, MINUTE_MS));
    }
  }
}

/** To its end, or until it stands still: then others go on. */
async function untilStanding(running: Running, request: SettleProcess): Promise<SettleEnd> {
  const standing = Promise.withResolvers<SettleEnd>();
  const whenStanding = (): void => standing.resolve({ kind: 'locked' });
  const ended = runSettle(running, { ...request, whenStanding });
  running.standing.push(ended);
  return await Promise.race([ended, standing.promise]);
}

function drawnRequest({ plan }: Running, schedule: Stream, of: { host: Host; runId: string }): SettleProcess {
  const mode = schedule.chance(0.85) ? 'retry' : schedule.one(['resolve-only', 'dry-run'] as const);
  const isStolen = schedule.chance(plan.stealRate);
  const losesLeaseAfterMs = isStolen ? schedule.whole(1, 3_000) : undefined;
  return { ...of, mode, collects: schedule.chance(0.5), losesLeaseAfterMs };
}

/** A person looks at the plan that was too large and allows it, a minute later. */
async function approveWhatTripped(
  running: Running,
  schedule: Stream,
  { host, runId, end }: { host: Host; runId: string; end: SettleEnd & { kind: 'done' } },
): Promise<void> {
  const { breaker, digest, plan } = end.outcome;
  const isDue = breaker.tripped && !breaker.approved && plan.length > 0;
  if (!isDue || !schedule.chance(running.plan.approveRate)) return;
  await approve(running, schedule, { host, runId, digest });
}

async function approve(
  running: Running,
  schedule: Stream,
  { host, runId, digest }: { host: Host; runId: string; digest: string },
): Promise<void> {
  running.counted('plan.approved');
  await running.kernel.sleep(schedule.whole(SECOND_MS, MINUTE_MS));
  const usual = { mode: 'retry' as const, collects: false, losesLeaseAfterMs: undefined };
  await runSettle(running, { host, runId, approve: { digest, by: 'operator' }, ...usual });
}

/**
 * A person reads what awaits one and what the bank says, and ends what truly was not paid. Where a query showed the order
 * as paid, it is about whoever's payment that was: an approval says that it came back.
 */
async function personDecides(
  running: Running,
  { host, runId, end }: { host: Host; runId: string; end: SettleEnd },
): Promise<void> {
  // Where queries lag longer than anybody reckons with, nobody says anything before they have caught up.
  if (end.kind !== 'done' || lagsBeyond(running.plan)) return;
  let { settlements } = end.outcome;
  for (const { reqId, outOrderNo } of settlements) {
    // As the last call showed it, which each call of the batch may have changed.
    const awaiting = settlements.find((settlement) => settlement.reqId === reqId)?.awaiting;
    if (awaiting === undefined || !running.bank.isOver(reqId)) continue;
    if (awaiting.movedShownAt !== undefined && isHeldByOthers(running, outOrderNo)) continue;
    running.counted('awaiting.approved');
    await running.kernel.sleep(MINUTE_MS);
    const usual = { host, runId, mode: 'retry' as const, collects: false, losesLeaseAfterMs: undefined };
    const ended = await runSettle(running, {
      approve: { digest: awaiting.digest, by: 'operator' },
      ...usual,
    });
    if (ended.kind !== 'done') return;
    ({ settlements } = ended.outcome);
  }
}

/** Whether what somebody asked for is under way or paid; after a race the pages show what was asked for last. */
function isHeldByOthers({ bank, oracle }: Running, outOrderNo: string): boolean {
  const isLive = bank.accepted.some((known) => known.outOrderNo === outOrderNo && !bank.isOver(known.reqId));
  return isLive && !wasRaced(oracle, outOrderNo);
}

/** Who takes over from a process that does not know yet that it has lost its lease. */
async function succeed(
  running: Running,
  schedule: Stream,
  { of, hosts }: { of: ProcessRequest; hosts: readonly Host[] },
): Promise<void> {
  const host = schedule.one([of.host, ...hosts]);
  await running.kernel.sleep(schedule.whole(0, 2_000));
  const runId = `run${schedule.whole(1, 1_000_000)}`;
  const usual = { mode: 'retry' as const, collects: false, losesLeaseAfterMs: undefined };
  await runSettle(running, { host, runId, ...usual });
}

/** So many runs retry after the last fault; so many more that only resolve must then be enough. */
const CALM_RETRIES_MAX = 8;
const CALM_RUNS_MAX = 45;
/** Longer than any retry is under way, margin and cool-down included, over a few of them. */
const CALM_GAP_MS = 13 * MINUTE_MS;

/** Nothing goes wrong any more; what lives ends first. */
async function calm(running: Running, schedule: Stream, hosts: readonly Host[]): Promise<void> {
  const { kernel, network, fate, oracle, plan } = running;
  await kernel.sleep(Math.max(0, plan.chaosMs - kernel.nowMs));
  network.calm();
  fate.calm();
  for (const host of hosts) host.setClock();
  const [host] = hosts;
  if (host === undefined) throw new Error('Bug: a seed without a host');
  for (let run = 1; run <= CALM_RUNS_MAX; run++) {
    await kernel.sleep(CALM_GAP_MS);
    const sendsBefore = oracle.sends.length;
    const mode = run <= CALM_RETRIES_MAX ? 'retry' : 'resolve-only';
    const usual = { collects: true, losesLeaseAfterMs: undefined };
    const end = await runSettle(running, { host, runId: `calm${run}`, mode, ...usual });
    const attempts = await kernel.during(() => running.store.attempts());
    await personDecides(running, { host, runId: `calm${run}`, end });
    const isStopped = end.kind === 'done' && mode === 'retry' && isAfterRestore(end);
    if (isStopped)
      await approve(running, schedule, { host, runId: `calm${run}`, digest: end.outcome.digest });
    const isIdle = attempts.every(({ state }) => state === 'CLOSED') && oracle.sends.length === sendsBefore;
    if (isIdle && !isWaiting(end)) return;
  }
}

/** Whether a person has to allow what is sent because the database was restored that day. */
function isAfterRestore({ outcome }: SettleEnd & { kind: 'done' }): boolean {
  const { breaker, heldUntil, plan } = outcome;
  return breaker.isAfterRestore && !breaker.approved && heldUntil === undefined && plan.length > 0;
}

/** Something is retried once enough time has passed. */
function isWaiting(end: SettleEnd): boolean {
  if (end.kind !== 'done') return true;
  const { mode, heldUntil, notRetried } = end.outcome;
  if (mode === 'resolve-only') return false;
  return heldUntil !== undefined || notRetried.some(({ until }) => until !== undefined);
}
