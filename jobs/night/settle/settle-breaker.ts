/**
 * More failures than are retried unseen, or a day whose limits may be used up by what a restore forgot: nothing is sent
 * before a person has approved this very plan, on this day (M10, docs/reliability.md 2.3 c and e).
 */
import type { Fen } from '../../../src/core/fen.ts';
import { maskPersonal } from '../../../src/core/mask.ts';
import type { Window } from '../../../src/core/window.ts';
import type { Trust } from './settle-memory.ts';
import { sumOf } from './settle-policy.ts';
import type { RetryPlan } from './settle-policy.ts';
import type { SettlePorts, SettleRequest } from './settle-ports.ts';

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

/** The form in which people read, compare and give it. */
const SHOWN_DIGITS = 16;

export function shownDigest(planDigest: string): string {
  return planDigest.slice(0, SHOWN_DIGITS);
}

/**
 * Stores an approval that fits.
 * @param of.isNamed the approval that was given names an attempt that awaits a person, not a plan
 */
export async function judgeBreaker(
  ports: SettlePorts,
  request: Pick<SettleRequest, 'mode' | 'runId' | 'approve'>,
  { plan, trust, day, isNamed }: { plan: RetryPlan; trust: Trust; day: Window; isNamed: boolean },
): Promise<Breaker> {
  const { eligible, digest } = plan;
  const isAfterRestore = isDayOfRestore(ports, trust) && eligible.orders > 0;
  const judged = { tripped: plan.isBreakerTripped || isAfterRestore, isAfterRestore, ...eligible };
  const given = isNamed ? undefined : request.approve?.digest.trim().toLowerCase();
  const fits = given === digest || given === shownDigest(digest);
  const approvalDiffers = given !== undefined && !fits;
  if (!judged.tripped) return { ...judged, approved: false, approvalDiffers };
  const wasApproved = await ports.book.isApproved(digest, day);
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
  { runId, approve: given }: Pick<SettleRequest, 'runId' | 'approve'>,
  { digest: planDigest, lines, eligible }: RetryPlan,
): Promise<void> {
  const approval = {
    planDigest,
    approvedBy: maskPersonal(given?.by ?? ''),
    approvedAt: clock.wall(),
    runId,
    orders: lines.length,
    amountFen: sumOf(lines),
    eligible,
  };
  await book.saveApproval(approval);
  log.warn({ event: 'settle.approved', digest: planDigest, by: approval.approvedBy, orders: lines.length });
}
