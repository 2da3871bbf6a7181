/**
 * Step 3 of the night: open attempts are resolved, failed settlements are planned and retried one after the other,
 * within the limits and under the safeguards of docs/architecture.md 6, rule 1.
 */
import type { Fen } from '../src/core/fen.ts';
import { maskPersonal } from '../src/core/mask.ts';
import { SECOND_MS } from '../src/core/time.ts';
import type { Instant } from '../src/core/time.ts';
import { spanOfDay, windowOf } from '../src/core/window.ts';
import type { Window } from '../src/core/window.ts';
import type { DayLimits, FailedSettlement } from '../src/store/settle-book.ts';
import { askStandings } from './settle-accounts.ts';
import { retrySettlement } from './settle-attempt.ts';
import { becomeSure, readTrust, trustMemory } from './settle-guard.ts';
import type { Trust } from './settle-guard.ts';
import { named, payeesToAsk, planRetries, sumOf } from './settle-policy.ts';
import type { NotRetried, PlanLine, RetryPlan } from './settle-policy.ts';
import type { SettlePorts } from './settle-ports.ts';
import { resolveOpen } from './settle-resolve.ts';
import type { Approval, Settlement } from './settle-resolve.ts';

/** One order instead of all: by its own number or the platform's, and by its payer where that is needed. */
export interface OrderChoice {
  accountNo?: string | undefined;
  outOrderNo?: string | undefined;
  orderNo?: string | undefined;
}

export interface SettleRequest {
  runId: string;
  /** `dry-run` asks for accounts only and writes nothing; `resolve-only` sends nothing. */
  mode: 'retry' | 'dry-run' | 'resolve-only';
  /** The digest of a plan that is too large to be carried out unseen, whole or as it is shown, and who allows it. */
  approve?: { digest: string; by: string } | undefined;
  only?: OrderChoice | undefined;
  /** Instead of the profile's; `{attempt}` stands for the attempt's number. */
  remark?: string | undefined;
}

export interface Breaker {
  /** More failed than is retried unseen, or the day's limits may be used up by what a restore forgot. */
  tripped: boolean;
  isAfterRestore: boolean;
  approved: boolean;
  /** An approval was given, and it is of another plan. */
  approvalDiffers: boolean;
  /** All that may be retried now, whatever the limits leave of it. */
  orders: number;
  sumFen: Fen;
}

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

/**
 * Runs the step.
 * @throws Stopped when the lease was lost, the signal's reason when the run was stopped, and what the database or a
 *   disk throws; what was sent by then is stored, and the next run goes on from there
 */
export async function settleStep(ports: SettlePorts, request: SettleRequest): Promise<SettleOutcome> {
  const { mode } = request;
  const trust = mode === 'dry-run' ? await readTrust(ports) : await trustMemory(ports);
  const { heldUntil } = trust;
  const resolved =
    mode === 'dry-run'
      ? []
      : await resolveOpen(ports, (attempt) => isChosen(attempt, request.only), approvalOf(request));
  const wait = trust.doubtMs > 0 && { wait: { seconds: trust.doubtMs / SECOND_MS, why: trust.why } };
  if (mode === 'resolve-only') return { ...nothingPlanned(request), heldUntil, settlements: resolved };
  const maySend = mode === 'retry' && heldUntil === undefined;
  let planned = await planStep(ports, request, trust);
  // Nobody waits for the sake of nothing: with nothing to send, the memory stays as doubtful as it is.
  if (maySend && trust.doubtMs > 0 && isCarriedOut(planned)) {
    await becomeSure(ports, trust);
    planned = await planStep(ports, request, trust);
  }
  const { plan, breaker } = planned;
  logPlan(ports, plan, { heldUntil, breaker });
  const sent = maySend && isCarriedOut(planned) ? await retryAll(ports, request, plan) : NOTHING_SENT;
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

/** The form in which people read, compare and give it. */
const SHOWN_DIGITS = 16;

export function shownDigest(planDigest: string): string {
  return planDigest.slice(0, SHOWN_DIGITS);
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

const NOTHING_SENT: { notRetried: NotRetried[]; settlements: Settlement[] } = {
  notRetried: [],
  settlements: [],
};

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
}

/** By breaker and lines. */
function isCarriedOut({ plan, breaker }: Planned): boolean {
  return plan.lines.length > 0 && (!breaker.tripped || breaker.approved);
}

/** Plans from what is stored and what the payees' accounts are now; what is judged and approved is what is sent. */
async function planStep(ports: SettlePorts, request: SettleRequest, trust: Trust): Promise<Planned> {
  const { book, profile, clock } = ports;
  const { only, remark } = request;
  const chosen = (await book.listFailed()).filter((order) => isChosen(order, only));
  const isAmbiguous = only !== undefined && chosen.length > 1;
  const failed = isAmbiguous ? [] : chosen;
  const facts = { failed, profile, now: clock.wall(), used: await book.usedOn(dayNow(ports)), remark };
  const standings = await askStandings(ports, payeesToAsk(facts));
  const planned = planRetries({ ...facts, standings });
  const plan = isAmbiguous ? { ...planned, notRetried: chosen.map(ambiguous) } : planned;
  return { plan, breaker: await judgeBreaker(ports, request, { plan, trust }) };
}

/** Caps and breaker count within the service day, whichever command sends (docs/reliability.md 2.3 e). */
function dayNow({ clock, zone }: SettlePorts): Window {
  return windowOf(zone, spanOfDay(zone.dayOf(clock.wall())));
}

function ambiguous(order: FailedSettlement): NotRetried {
  return {
    ...named(order),
    code: 'ambiguous',
    reason: 'more than one order has this number: name its payer too',
  };
}

async function judgeBreaker(
  ports: SettlePorts,
  request: SettleRequest,
  { plan, trust }: { plan: RetryPlan; trust: Trust },
): Promise<Breaker> {
  const { eligible, digest } = plan;
  const isAfterRestore = isDayOfRestore(ports, trust) && eligible.orders > 0;
  const judged = { tripped: plan.isBreakerTripped || isAfterRestore, isAfterRestore, ...eligible };
  if (!judged.tripped) return { ...judged, approved: false, approvalDiffers: false };
  const given = request.approve?.digest.trim().toLowerCase();
  const fits = given === digest || given === shownDigest(digest);
  const approvalDiffers = given !== undefined && !fits;
  const wasApproved = await ports.book.isApproved(digest, dayNow(ports));
  if (fits && !wasApproved && request.mode === 'retry') await approve(ports, request, plan);
  // An approval of before a restore may be of what was then sent and is forgotten.
  const approved = !approvalDiffers && (fits || (wasApproved && !isAfterRestore));
  return { ...judged, approved, approvalDiffers };
}

/** How much of its limits the day has used, what was restored in it does not know. */
function isDayOfRestore({ zone, clock }: SettlePorts, { lastHold }: Trust): boolean {
  return lastHold !== undefined && zone.dayOf(lastHold) === zone.dayOf(clock.wall());
}

async function approve(
  { book, clock, log }: SettlePorts,
  { runId, approve: given }: SettleRequest,
  { digest: planDigest, lines }: RetryPlan,
): Promise<void> {
  const approval = {
    planDigest,
    approvedBy: maskPersonal(given?.by ?? ''),
    approvedAt: clock.wall(),
    runId,
    orders: lines.length,
    amountFen: sumOf(lines),
  };
  await book.saveApproval(approval);
  log.warn({ event: 'settle.approved', digest: planDigest, by: approval.approvedBy, orders: lines.length });
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
  { runId }: SettleRequest,
  plan: RetryPlan,
): Promise<{ notRetried: NotRetried[]; settlements: Settlement[] }> {
  const { maxPerRun, maxFenPerRun, maxAttempts } = ports.profile.settle;
  const limits: DayLimits = { day: dayNow(ports), maxPerRun, maxFenPerRun, maxAttempts };
  const notRetried: NotRetried[] = [];
  const settlements: Settlement[] = [];
  let unknownInRow = 0;
  for (const line of plan.lines) {
    ports.signal.throwIfAborted();
    if (unknownInRow >= UNKNOWN_IN_ROW_MAX) {
      notRetried.push({ ...named(line), code: 'left_over', reason: NOT_TRIED });
      continue;
    }
    const retried = await retrySettlement(ports, line, { runId, limits });
    if ('settlement' in retried) {
      settlements.push(retried.settlement);
      unknownInRow = retried.settlement.outcome === 'UNKNOWN' ? unknownInRow + 1 : 0;
    } else notRetried.push(retried.notRetried);
  }
  return { notRetried, settlements };
}

function leftOverOf(notRetried: readonly NotRetried[]): { orders: number; sumFen: Fen } {
  const left = notRetried.filter(({ code }) => code === 'left_over' || code === 'capped');
  return { orders: left.length, sumFen: left.reduce((sum, { amountFen }) => sum + (amountFen ?? 0n), 0n) };
}
