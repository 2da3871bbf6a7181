/**
 * Step 3 of the night: open attempts are resolved, failed settlements are planned and retried one after the other,
 * within the limits and under the safeguards of architecture.md 6.1.
 */
import type { Fen } from '../src/core/fen.ts';
import { maskPersonal } from '../src/core/mask.ts';
import type { Instant } from '../src/core/time.ts';
import type { FailedSettlement, RunLimits } from '../src/store/settle-book.ts';
import { askStandings } from './settle-accounts.ts';
import { retrySettlement } from './settle-attempt.ts';
import { holdAfterRestore, readHold } from './settle-guard.ts';
import { named, payeesToAsk, planRetries, sumOf } from './settle-policy.ts';
import type { NotRetried, PlanLine, RetryPlan } from './settle-policy.ts';
import type { SettlePorts } from './settle-ports.ts';
import { resolveOpen } from './settle-resolve.ts';
import type { Settlement } from './settle-resolve.ts';

/** One order instead of all: by its own number or the platform's, and by its payer where that is needed. */
export interface OrderChoice {
  accountNo?: string | undefined;
  outOrderNo?: string | undefined;
  orderNo?: string | undefined;
}

export interface SettleRequest {
  runId: string;
  /** `dry-run` asks nobody and writes nothing; `resolve-only` sends nothing. */
  mode: 'retry' | 'dry-run' | 'resolve-only';
  /** The digest of a plan that is too large to be carried out unseen, whole or as it is shown, and who allows it. */
  approve?: { digest: string; by: string } | undefined;
  only?: OrderChoice | undefined;
  /** Instead of the profile's; `{attempt}` stands for the attempt's number. */
  remark?: string | undefined;
}

export interface Breaker {
  tripped: boolean;
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
  /** False where the state of the payees' accounts was taken for granted. */
  accountsAsked: boolean;
  breaker: Breaker;
  /** Nothing is sent before. */
  heldUntil: Instant | undefined;
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
  const heldUntil = mode === 'dry-run' ? await readHold(ports) : await holdAfterRestore(ports);
  const resolved =
    mode === 'dry-run' ? [] : await resolveOpen(ports, (attempt) => isChosen(attempt, request.only));
  if (mode === 'resolve-only') return { ...nothingPlanned(request), heldUntil, settlements: resolved };
  const maySend = mode === 'retry' && heldUntil === undefined;
  const planned = await planStep(ports, request, { asksAccounts: maySend });
  const breaker = await judgeBreaker(ports, request, planned.plan);
  logPlan(ports, planned.plan, { heldUntil, breaker });
  const isStopped = breaker.tripped && !breaker.approved;
  const sent = maySend && !isStopped ? await retryAll(ports, request, planned.plan) : NOTHING_SENT;
  const notRetried = [...planned.plan.notRetried, ...sent.notRetried];
  return {
    ...nothingPlanned(request),
    plan: planned.plan.lines,
    digest: shownDigest(planned.plan.digest),
    accountsAsked: maySend,
    breaker,
    heldUntil,
    notRetried,
    leftOver: leftOverOf(notRetried),
    settlements: [...resolved, ...sent.settlements],
  };
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
    accountsAsked: false,
    breaker: { tripped: false, approved: false, approvalDiffers: false, orders: 0, sumFen: 0n },
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

/** Plans from what is stored and, where something may be sent, from what the payees' accounts are now. */
async function planStep(
  ports: SettlePorts,
  { runId, only, remark }: SettleRequest,
  { asksAccounts }: { asksAccounts: boolean },
): Promise<{ plan: RetryPlan }> {
  const { book, profile, clock } = ports;
  const chosen = (await book.listFailed()).filter((order) => isChosen(order, only));
  const isAmbiguous = only !== undefined && chosen.length > 1;
  const failed = isAmbiguous ? [] : chosen;
  const facts = { failed, profile, now: clock.wall(), used: await book.usedBy(runId), remark };
  const standings = asksAccounts ? await askStandings(ports, payeesToAsk(facts)) : undefined;
  const plan = planRetries({ ...facts, standings });
  return { plan: isAmbiguous ? { ...plan, notRetried: chosen.map(ambiguous) } : plan };
}

function ambiguous(order: FailedSettlement): NotRetried {
  return {
    ...named(order),
    code: 'ambiguous',
    reason: 'more than one order has this number: name its payer too',
  };
}

async function judgeBreaker(ports: SettlePorts, request: SettleRequest, plan: RetryPlan): Promise<Breaker> {
  const { eligible, isBreakerTripped: tripped, digest } = plan;
  if (!tripped) return { tripped, approved: false, approvalDiffers: false, ...eligible };
  const given = request.approve?.digest.trim().toLowerCase();
  const fits = given === digest || given === shownDigest(digest);
  const approvalDiffers = given !== undefined && !fits;
  const wasApproved = await ports.book.isApproved(digest);
  if (fits && !wasApproved && request.mode === 'retry') await approve(ports, request, plan);
  const approved = !approvalDiffers && (fits || wasApproved);
  return { tripped, approved, approvalDiffers, ...eligible };
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
  const limits: RunLimits = { runId, maxPerRun, maxFenPerRun, maxAttempts };
  const notRetried: NotRetried[] = [];
  const settlements: Settlement[] = [];
  let unknownInRow = 0;
  for (const line of plan.lines) {
    ports.signal.throwIfAborted();
    if (unknownInRow >= UNKNOWN_IN_ROW_MAX) {
      notRetried.push({ ...named(line), code: 'left_over', reason: NOT_TRIED });
      continue;
    }
    const retried = await retrySettlement(ports, line, limits);
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
