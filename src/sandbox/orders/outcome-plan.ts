/** Which outcome was planned for an order that a call makes: by its number, else by its account, else for any (CTL). */
import { rankBy } from '../world/plan-list.ts';
import type { PlanDraft } from '../world/plan-list.ts';
import type { Outcome, OutcomeKind, OutcomeOf } from './order-schema.ts';

export type OutcomeDraft = PlanDraft<Outcome>;

/** What an outcome may have been planned for. */
interface Match {
  outBatchNo?: string;
  outOrderNo?: string;
  accountNo?: string;
}

export function takeOutcome<K extends OutcomeKind>(
  draft: OutcomeDraft,
  kind: K,
  match: Match,
): OutcomeOf<K> | undefined {
  const taken = draft.take((outcome) => (outcome.kind === kind ? rankOf(outcome, match) : 0));
  return taken as OutcomeOf<K> | undefined;
}

function rankOf(outcome: Outcome, { outBatchNo, outOrderNo, accountNo }: Match): number {
  if (outcome.kind === 'batch') return rankBy([outcome.outBatchNo, outBatchNo]);
  const account = outcome.kind === 'withdrawal' ? outcome.acctNo : outcome.payeeAcctNo;
  return rankBy([outcome.outOrderNo, outOrderNo], [account, accountNo]);
}
