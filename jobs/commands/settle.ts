/** `recon settle`: step 3 of the night alone. Failed settlements are retried, and never paid twice. */
import { WrongInput } from '../../src/core/errors.ts';
import { readApproval } from '../cli/approve-option.ts';
import { runJob } from '../cli/command.ts';
import type { Job, Outcome } from '../cli/command.ts';
import { notRefundedCommand } from '../call/not-refunded.ts';
import type { NotRefundedOptions } from '../call/not-refunded.ts';
import type { Context } from '../context/context.ts';
import type { Settlement } from '../night/settle/settle-resolve.ts';
import { runSettle } from '../night/settle/settle-run.ts';
import type { SettleOutcome } from '../night/settle/settle-step.ts';
import type { SettleRequest } from '../night/settle/settle-ports.ts';
import { settleText } from './settle-text.ts';
import { unheard, unsent, waiting } from './settle-undone.ts';

export type SettleOptions = NotRefundedOptions;

type Given = Pick<SettleRequest, 'mode' | 'approve'>;

export function settleCommand(options: SettleOptions): Promise<void> {
  if (options.notRefunded !== undefined) return notRefundedCommand(options);
  return runJob(options, settleJob(options));
}

export type SettleResult = ReturnType<typeof documentOf>;

/** The settlements themselves; a person's word on a refund is another command. */
export function settleJob(options: SettleOptions): Job<Given, SettleResult> {
  const needs = { platform: true, arguments: () => parseSettle(options) };
  const work: ReturnType<typeof settleJob>['work'] = async (context, given) => {
    const now = context.clock.wall();
    const runId = `settle-${context.zone.compactText(now)}-${context.ids.token().slice(0, 6)}`;
    const outcome = await runSettle(context, { runId, ...given }, context.zone.dayOf(now));
    return outcomeOf(context, outcome);
  };
  return { needs, work };
}

/** @throws WrongInput when the digest is none, or goes with a rehearsal, or anything of a refund is said beside it */
export function parseSettle({ dryRun, order, payer, notRefunded, ...options }: SettleOptions): Given {
  const { approve, faults } = readApproval(options);
  if (notRefunded !== undefined) faults.push('who says that a refund was not done retries nothing');
  if (order !== undefined || payer !== undefined)
    faults.push('--order and --payer go with --not-refunded only');
  if (approve === undefined) {
    if (faults.length > 0) throw new WrongInput(faults.join('; '));
    return { mode: dryRun === true ? 'dry-run' : 'retry' };
  }
  if (dryRun === true) faults.push('--approve carries a plan out, --dry-run does not: give one of them');
  if (faults.length > 0) throw new WrongInput('wrong arguments:', faults);
  return { mode: 'retry', approve };
}

/** Open, and no signed look of this call tells of it. */
function isUncertain({ outcome, isHeardOf }: Settlement): boolean {
  return outcome === 'UNKNOWN' || outcome === 'AWAITING' || (outcome === 'PROCESSING' && !isHeardOf);
}

/** What waits for a person or is not certain is no success of the job; the next call goes on from there. */
function outcomeOf({ zone }: Context, outcome: SettleOutcome): Outcome<SettleResult> {
  const { breaker, heldUntil, settlements, mode } = outcome;
  const isUnapproved = breaker.approvalDiffers || (breaker.tripped && !breaker.approved);
  const isStopped = mode === 'retry' && isUnapproved;
  const isUnknown = settlements.some(isUncertain);
  const isRefused = settlements.some(({ approval }) => typeof approval === 'object');
  const isHeld = mode === 'retry' && heldUntil !== undefined;
  const isUndone = [unheard(outcome), unsent(outcome), waiting(outcome)].some(({ length }) => length > 0);
  const isLeft = isStopped || isUnknown || isRefused || isHeld || isUndone;
  return {
    status: isLeft ? 1 : 0,
    document: documentOf(outcome),
    text: settleText(outcome, zone),
  };
}

function documentOf(outcome: SettleOutcome) {
  const { plan, digest, breaker, heldUntil, wait, notRetried, leftOver, settlements, mode } = outcome;
  return {
    schema: 1,
    mode,
    digest,
    needsApproval: breaker.tripped && !breaker.approved,
    approvalDiffers: breaker.approvalDiffers,
    eligible: { orders: breaker.orders, sumFen: breaker.sumFen },
    isAfterRestore: breaker.isAfterRestore,
    heldUntil: heldUntil ?? null,
    wait: wait ?? null,
    plan: plan.map((line) => ({
      accountNo: line.accountNo,
      reference: line.outOrderNo,
      payeeAccountNo: line.payeeAccountNo,
      amountFen: line.amountFen,
      attempt: line.attemptNo,
      remark: line.remark,
    })),
    settlements: settlements.map((one) => ({
      accountNo: one.accountNo,
      reference: one.outOrderNo,
      attempt: one.attemptNo,
      reqId: one.reqId,
      amountFen: one.amountFen,
      outcome: one.outcome,
      note: one.note,
      ...(one.awaiting && { awaiting: one.awaiting }),
      ...(one.approval && { approval: one.approval === 'given' ? 'given' : 'refused' }),
      ...(typeof one.approval === 'object' && { approvalRefused: one.approval.refused }),
    })),
    notRetried: notRetried.map(({ outOrderNo, amountFen, until, ...one }) => ({
      ...one,
      reference: outOrderNo,
      amountFen: amountFen ?? null,
      until: until ?? null,
    })),
    leftOver,
  };
}
