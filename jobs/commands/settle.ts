/** `recon settle`: step 3 of the night alone. Failed settlements are retried, and never paid twice. */
import os from 'node:os';
import { WrongInput } from '../src/core/errors.ts';
import { withContext } from './command.ts';
import type { CommandNeeds, CommonOptions, Outcome } from './command.ts';
import type { Context } from './context.ts';
import { runSettle } from './settle-run.ts';
import type { SettleOutcome, SettleRequest } from './settle-step.ts';
import { settleText } from './settle-text.ts';

export interface SettleOptions extends CommonOptions {
  dryRun?: boolean;
  approve?: string;
  by?: string;
}

type Given = Pick<SettleRequest, 'mode' | 'approve'>;

export function settleCommand(options: SettleOptions): Promise<void> {
  const needs: CommandNeeds<Given> = { platform: true, arguments: () => parseSettle(options) };
  return withContext(options, needs, async (context, given) => {
    const now = context.clock.wall();
    const runId = `settle-${context.zone.compactText(now)}-${context.ids.reqId().slice(0, 6)}`;
    const outcome = await runSettle(context, { runId, ...given }, context.zone.dayOf(now));
    return outcomeOf(context, outcome);
  });
}

/** As it is shown: 16 hex digits, or the whole of it. */
const DIGEST = /^[0-9a-f]{16}(?:[0-9a-f]{48})?$/i;

/** @throws WrongInput when the digest is none, or goes with a rehearsal */
export function parseSettle({ dryRun, approve, by }: SettleOptions): Given {
  const mode = dryRun === true ? 'dry-run' : 'retry';
  if (approve === undefined) {
    if (by !== undefined) throw new WrongInput('--by says who approves: it goes with --approve');
    return { mode };
  }
  const faults = [
    ...(DIGEST.test(approve.trim())
      ? []
      : [
          `--approve takes the digest of a plan, as recon settle --dry-run shows it: ${JSON.stringify(approve)}`,
        ]),
    ...(dryRun === true ? ['--approve carries a plan out, --dry-run does not: give one of them'] : []),
  ];
  if (faults.length > 0) throw new WrongInput('wrong arguments:', faults);
  return { mode, approve: { digest: approve.trim(), by: by ?? os.userInfo().username } };
}

/** What waits for a person or is not certain is no success of the job; the next call goes on from there. */
function outcomeOf({ zone }: Context, outcome: SettleOutcome): Outcome {
  const { breaker, heldUntil, settlements, mode } = outcome;
  const isStopped = mode === 'retry' && breaker.tripped && !breaker.approved;
  const isUnknown = settlements.some(({ outcome: word }) => word === 'UNKNOWN' || word === 'AWAITING');
  const isHeld = mode === 'retry' && heldUntil !== undefined;
  return {
    status: isStopped || isUnknown || isHeld ? 1 : 0,
    document: documentOf(outcome),
    text: settleText(outcome, zone),
  };
}

function documentOf(outcome: SettleOutcome) {
  const { plan, digest, breaker, heldUntil, notRetried, leftOver, settlements, mode } = outcome;
  return {
    schema: 1,
    mode,
    digest,
    needsApproval: breaker.tripped && !breaker.approved,
    heldUntil: heldUntil ?? null,
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
