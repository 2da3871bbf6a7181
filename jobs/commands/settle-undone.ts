/** What `recon settle` was to do and did not: none of it is a success of the call. */
import type { OrderKey } from '../../src/settlements/settle-order.ts';
import type { NotRetried } from '../night/settle/settle-policy.ts';
import type { SettleOutcome } from '../night/settle/settle-step.ts';

const ofOrder =
  ({ accountNo, outOrderNo }: OrderKey) =>
  (other: OrderKey): boolean =>
    other.accountNo === accountNo && other.outOrderNo === outOrderNo;

/** A look of this call shows that there is nothing to send; and what is said by `unheard`. */
const SAID_ELSEWHERE: readonly NotRetried['code'][] = ['state_changed', 'unanswered'];

/** What this very call was to send, and no byte of it left. */
export function unsent(outcome: SettleOutcome): SettleOutcome['plan'] {
  const { runId, plan, settlements, notRetried } = outcome;
  if (waiting(outcome).length > 0) return [];
  const left: OrderKey[] = [
    ...settlements.filter((one) => one.runId === runId && one.outcome === 'NOT_SENT'),
    ...notRetried.filter(({ code }) => !SAID_ELSEWHERE.includes(code)),
  ];
  return plan.filter((line) => left.some(ofOrder(line)));
}

/** What would have been sent, had the approval not named an attempt. */
export function waiting({ plan, settlements }: SettleOutcome): SettleOutcome['plan'] {
  return settlements.some(({ approval }) => approval !== undefined) ? plan : [];
}

/** What failed and was not retried because a question about it was not answered. */
export function unheard({ notRetried }: SettleOutcome): SettleOutcome['notRetried'] {
  return notRetried.filter(({ code }) => code === 'account_unread' || code === 'unanswered');
}

/** What the limits of the day kept out of the plan. */
export function beyondLimits({ plan, notRetried }: SettleOutcome): SettleOutcome['notRetried'] {
  return notRetried.filter((one) => one.code === 'left_over' && !plan.some(ofOrder(one)));
}
