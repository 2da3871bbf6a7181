/** How openings and changes go from each call on: as it is planned, else as the switches say (OPN-18, U10, U20). */
import type { World } from '../world/world.ts';
import { STATE, turnsOf } from './application-life.ts';
import type { StateTurn, Steps } from './application-life.ts';
import type { Change, Opening } from './application.ts';

const REVIEW_REMARK = '平台预审驳回';
const CHANNEL_REMARK = '渠道审核驳回';

/**
 * A submission that was accepted: it waits to be signed, or is reviewed before that.
 * @param answered what the call answers
 */
export function submittedTurns(world: World, opening: Opening, answered: 5 | 7): StateTurn[] {
  const { decision } = opening;
  const nowMs = world.clock.nowMs();
  if (answered === STATE.SIGNING) return turnsOf([{ afterMs: 0, state: STATE.SIGNING }], nowMs);
  const afterMs = decision?.reviewMs ?? world.switches.openingReviewMs;
  const isRejected = decision?.result === 'rejectedByReview';
  const end = isRejected
    ? { afterMs, state: STATE.REVIEW_REJECTED, remark: decision.remark ?? REVIEW_REMARK }
    : { afterMs, state: STATE.SIGNING };
  return turnsOf([{ afterMs: 0, state: STATE.PRE_REVIEW }, end], nowMs);
}

/** What follows its confirmation: queue, review where none has been, channel, result. */
export function signedTurns(world: World, opening: Opening): StateTurn[] {
  const { decision, reviewed } = opening;
  const { switches } = world;
  const nowMs = world.clock.nowMs();
  if (decision?.states) return turnsOf(decision.states, nowMs);
  const isRejectedByReview = decision?.result === 'rejectedByReview' && !reviewed;
  const isReviewed = isRejectedByReview || (switches.reviewAfterSigning && !reviewed);
  const steps = new StepList();
  if (switches.auditApplyState === STATE.QUEUED) {
    steps.add(STATE.QUEUED, decision?.queueMs ?? switches.openingQueueMs);
  }
  if (isReviewed) steps.add(STATE.PRE_REVIEW, decision?.reviewMs ?? switches.openingReviewMs);
  if (isRejectedByReview) {
    return turnsOf(steps.end(STATE.REVIEW_REJECTED, decision.remark ?? REVIEW_REMARK), nowMs);
  }
  steps.add(STATE.PROCESSING, decision?.processMs ?? switches.openingProcessMs);
  const manualMs = decision?.manualMs === undefined ? switches.openingManualMs : decision.manualMs;
  if (manualMs !== null) steps.add(STATE.MANUAL_REVIEW, manualMs);
  return turnsOf(ended(steps, decision), nowMs);
}

/** What follows the confirmation of a change; whoever rejects it, it ends in 3 (CHG-18, CHG-19). */
export function confirmedTurns(world: World, { decision }: Change): StateTurn[] {
  const { switches } = world;
  const nowMs = world.clock.nowMs();
  if (decision?.states) return turnsOf(decision.states, nowMs);
  const reviewMs = decision?.reviewMs ?? switches.changeReviewMs;
  const isRejectedByReview = decision?.result === 'rejectedByReview';
  const steps = new StepList();
  if (isRejectedByReview || reviewMs > 0 || switches.changeConfirmState === STATE.PRE_REVIEW) {
    steps.add(STATE.PRE_REVIEW, reviewMs);
  }
  if (isRejectedByReview) {
    return turnsOf(steps.end(STATE.REJECTED, decision.remark ?? REVIEW_REMARK), nowMs);
  }
  steps.add(STATE.QUEUED, decision?.queueMs ?? switches.changeQueueMs);
  steps.add(STATE.PROCESSING, decision?.processMs ?? switches.changeProcessMs);
  return turnsOf(ended(steps, decision), nowMs);
}

/** As the channel decides. */
function ended(steps: StepList, decision: Opening['decision'] | Change['decision']): Steps {
  return decision?.result === 'rejectedByChannel'
    ? steps.end(STATE.REJECTED, decision.remark ?? CHANNEL_REMARK)
    : steps.end(STATE.DONE);
}

/** States one after the other, each for so long. */
class StepList {
  readonly #steps: { afterMs: number; state: number; remark?: string }[] = [];
  #afterMs = 0;

  add(state: number, lastsMs: number): void {
    this.#steps.push({ afterMs: this.#afterMs, state });
    this.#afterMs += lastsMs;
  }

  end(state: number, remark = ''): Steps {
    return [...this.#steps, { afterMs: this.#afterMs, state, remark }];
  }
}
