/**
 * Step 3 of the night: open attempts are resolved, failed settlements are planned and retried one after the other,
 * within the limits and under the safeguards of docs/architecture.md 6, rule 1.
 */
import type { Fen } from '../../../src/core/fen.ts';
import { SECOND_MS } from '../../../src/core/time.ts';
import type { Day, Instant } from '../../../src/core/time.ts';
import { spanOfDay, windowOf } from '../../../src/core/window.ts';
import type { FailedSettlement } from '../../../src/settlements/settle-order.ts';
import type { DayLimits } from '../../../src/settlements/settle-intent.ts';
import { askStandings } from './settle-accounts.ts';
import type { Approval } from './settle-approval.ts';
import { retrySettlement } from './settle-attempt.ts';
import { judgeBreaker, shownDigest } from './settle-breaker.ts';
import type { Breaker } from './settle-breaker.ts';
import { withCallsRedated } from './settle-calls.ts';
import { becomeSure, readTrust, trustMemory } from './settle-memory.ts';
import type { Trust } from './settle-memory.ts';
import { named, payeesToAsk, planRetries, sumOf } from './settle-policy.ts';
import type { NotRetried, PlanLine, RetryPlan } from './settle-policy.ts';
import { elapsingNow } from './settle-ports.ts';
import type { OrderChoice, SettlePorts, SettleRequest } from './settle-ports.ts';
import { resolveOpen } from './settle-resolve.ts';
import type { Settlement } from './settle-resolve.ts';

export interface SettleOutcome {
  runId: string;
  mode: SettleRequest['mode'];
  /** What was to be sent, or would be. */
  plan: readonly PlanLine[];
  /** Of the plan, as it is shown and approved: 16 hex digits; empty where nothing was planned. */
  digest: string;
  breaker: Breaker;
  /** Nothing is sent before. */
  heldUntil: Instant | undefined;
  /** What a run that sends lives through first, and why. */
  wait?: { seconds: number; why: string };
  notRetried: readonly NotRetried[];
  /** Left for another run by the limits of this one. */
  leftOver: { orders: number; sumFen: Fen };
  /** Attempts that were resolved, looked at or made. */
  settlements: readonly Settlement[];
}

/** What is judged once, at the beginning of a step. */
interface Step {
  request: SettleRequest;
  trust: Trust;
  /** By both clocks (`elapsingNow`). */
  now: () => Instant;
  /** The approval that was given names an attempt, not a plan. */
  isNamed: boolean;
}

/**
 * Runs the step.
 * @throws Stopped when the lease was lost, the signal's reason when the run was stopped, and what the database or a
 *   disk throws; what was sent by then is stored, and the next run goes on from there
 */
export async function settleStep(ports: SettlePorts, request: SettleRequest): Promise<SettleOutcome> {
  const { mode } = request;
  const now = elapsingNow(ports.clock);
  const trust = mode === 'dry-run' ? await readTrust(ports) : await trustMemory(ports);
  const { heldUntil } = trust;
  const resolved =
    mode === 'dry-run'
      ? []
      : await resolveOpen(ports, (attempt) => isChosen(attempt, request.only), {
          approval: approvalOf(request),
          heldUntil,
        });
  const wait = trust.doubtMs > 0 && { wait: { seconds: trust.doubtMs / SECOND_MS, why: trust.why } };
  if (mode === 'resolve-only') return { ...nothingPlanned(request), heldUntil, settlements: resolved };
  const step: Step = {
    request,
    trust,
    now,
    isNamed: resolved.some(({ approval }) => approval !== undefined),
  };
  const mayRetry = mode === 'retry' && heldUntil === undefined;
  const maySend = mayRetry && !step.isNamed;
  let planned = await planStep(ports, step);
  // Nobody waits for the sake of nothing: with nothing to send, the memory stays as doubtful as it is.
  if (maySend && trust.doubtMs > 0 && isCarriedOut(planned)) {
    await becomeSure(ports, trust);
    planned = await planStep(ports, step);
  }
  const { plan, breaker } = planned;
  logPlan(ports, plan, { heldUntil, breaker });
  const isDue = mayRetry && isCarriedOut(planned);
  const sent = !isDue ? NOTHING_SENT : maySend ? await retryAll(ports, step, planned) : leftByApproval(plan);
  const notRetried = [...plan.notRetried, ...sent.notRetried];
  return {
    ...nothingPlanned(request),
    plan: plan.lines,
    digest: shownDigest(plan.digest),
    breaker,
    heldUntil,
    ...wait,
    notRetried,
    leftOver: leftOverOf(notRetried),
    settlements: [...resolved, ...sent.settlements],
  };
}

/** Of an attempt that awaits a person; a plan's has the same form. */
function approvalOf({ mode, runId, approve: given }: SettleRequest): Approval | undefined {
  if (mode !== 'retry' || given === undefined) return undefined;
  return { runId, digest: given.digest.trim().toLowerCase(), by: given.by };
}

function nothingPlanned({ runId, mode }: SettleRequest): SettleOutcome {
  return {
    runId,
    mode,
    plan: [],
    digest: '',
    breaker: {
      tripped: false,
      isAfterRestore: false,
      approved: false,
      approvalDiffers: false,
      orders: 0,
      sumFen: 0n,
    },
    heldUntil: undefined,
    notRetried: [],
    leftOver: { orders: 0, sumFen: 0n },
    settlements: [],
  };
}

const ENDED_ONLY =
  'an approval of an attempt ends that attempt, and nothing is sent in the same call: call it again';

const NOTHING_SENT: Awaited<ReturnType<typeof retryAll>> = { notRetried: [], settlements: [] };

function leftByApproval({ lines }: RetryPlan): typeof NOTHING_SENT {
  const notRetried = lines.map((line) => ({
    ...named(line),
    code: 'left_over' as const,
    reason: ENDED_ONLY,
  }));
  return { notRetried, settlements: [] };
}

function isChosen(
  order: { accountNo: string; outOrderNo: string; orderNo: string },
  only: OrderChoice | undefined,
): boolean {
  return (
    only === undefined ||
    ((only.accountNo === undefined || only.accountNo === order.accountNo) &&
      (only.outOrderNo === undefined || only.outOrderNo === order.outOrderNo) &&
      (only.orderNo === undefined || only.orderNo === order.orderNo))
  );
}

interface Planned {
  plan: RetryPlan;
  breaker: Breaker;
  /** The service day it was planned on. */
  day: Day;
}

/** By breaker, approval and lines. */
function isCarriedOut({ plan, breaker }: Planned): boolean {
  const { tripped, approved, approvalDiffers } = breaker;
  return plan.lines.length > 0 && !approvalDiffers && (!tripped || approved);
}

/** Plans from what is stored and what the payees' accounts are now; what is judged and approved is what is sent. */
async function planStep(ports: SettlePorts, step: Step): Promise<Planned> {
  const { book, profile, clock, zone } = ports;
  const { request, trust, now, isNamed } = step;
  const { only, remark } = request;
  const chosen = await listChosen(ports, request);
  const isAmbiguous = only !== undefined && chosen.length > 1;
  const failed = isAmbiguous ? [] : chosen;
  const day = zone.dayOf(clock.wall());
  const window = windowOf(zone, spanOfDay(day));
  const facts = { failed, profile, now: now(), day, used: await book.usedOn(window), remark };
  const standings = await askStandings(ports, payeesToAsk(facts));
  const planned = planRetries({ ...facts, standings });
  const plan = isAmbiguous ? { ...planned, notRetried: chosen.map(ambiguous) } : planned;
  return { plan, breaker: await judgeBreaker(ports, request, { plan, trust, day: window, isNamed }), day };
}

async function listChosen(ports: SettlePorts, { mode, only }: SettleRequest): Promise<FailedSettlement[]> {
  const list = async () => (await ports.book.listFailed()).filter((order) => isChosen(order, only));
  return mode === 'retry' ? await withCallsRedated(ports, list) : await list();
}

function ambiguous(order: FailedSettlement): NotRetried {
  return {
    ...named(order),
    code: 'ambiguous',
    reason: 'more than one order has this number: name its payer too',
  };
}

function logPlan(
  { log }: SettlePorts,
  plan: RetryPlan,
  { heldUntil, breaker }: { heldUntil: Instant | undefined; breaker: Breaker },
): void {
  const { lines, notRetried, digest, eligible } = plan;
  const figures = { orders: lines.length, sumFen: sumOf(lines), notRetried: notRetried.length };
  log.info({ event: 'settle.planned', digest, ...figures, ...(heldUntil !== undefined && { heldUntil }) });
  if (breaker.tripped) {
    const { approved } = breaker;
    log.warn({
      event: 'settle.breaker',
      digest,
      approved,
      eligible: eligible.orders,
      sumFen: eligible.sumFen,
    });
  }
}

/** So many sent in a row of which nobody knows what became: no more money goes the same way. */
const UNKNOWN_IN_ROW_MAX = 3;
const NOT_TRIED = `the outcome of ${UNKNOWN_IN_ROW_MAX} in a row is unknown: nothing more was sent`;

/** One order after the other; what keeps one from being retried is said, and the next one has its turn. */
async function retryAll(
  ports: SettlePorts,
  { request: { runId }, now, trust: { server } }: Step,
  { plan, breaker, day }: Planned,
): Promise<{ notRetried: NotRetried[]; settlements: Settlement[] }> {
  const limits = limitsOf(ports, { breaker, day });
  const notRetried: NotRetried[] = [];
  const settlements: Settlement[] = [];
  let unknownInRow = 0;
  for (const line of plan.lines) {
    ports.signal.throwIfAborted();
    if (unknownInRow >= UNKNOWN_IN_ROW_MAX) {
      notRetried.push({ ...named(line), code: 'left_over', reason: NOT_TRIED });
      continue;
    }
    const retried = await retrySettlement(ports, line, { runId, limits, day, now, server });
    if ('settlement' in retried) {
      settlements.push(retried.settlement);
      unknownInRow = retried.settlement.outcome === 'UNKNOWN' ? unknownInRow + 1 : 0;
    } else notRetried.push(retried.notRetried);
  }
  return { notRetried, settlements };
}

/** Caps and breaker count within the service day, whichever command sends (docs/reliability.md 2.3 e). */
function limitsOf(
  { profile, zone }: SettlePorts,
  { breaker: { approved }, day }: Pick<Planned, 'breaker' | 'day'>,
): DayLimits {
  const { maxPerRun, maxFenPerRun, maxAttempts, breaker } = profile.settle;
  const limits = { day: windowOf(zone, spanOfDay(day)), maxPerRun, maxFenPerRun, maxAttempts };
  if (approved) return limits;
  // What nobody has approved stays within the breaker too, whatever else was sent since it was judged.
  return {
    ...limits,
    maxPerRun: Math.min(maxPerRun, breaker.orders),
    maxFenPerRun: maxFenPerRun < breaker.fen ? maxFenPerRun : breaker.fen,
  };
}

function leftOverOf(notRetried: readonly NotRetried[]): { orders: number; sumFen: Fen } {
  const left = notRetried.filter(({ code }) => code === 'left_over' || code === 'capped');
  return { orders: left.length, sumFen: left.reduce((sum, { amountFen }) => sum + (amountFen ?? 0n), 0n) };
}
