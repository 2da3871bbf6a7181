/**
 * Answers that were asked for under a claim that is no more in force: another one asked since, or stored what it had asked
 * for without a claim. Whatever their times say, they are older than what is known (N11).
 */
import type { Instant } from '../core/time.ts';
import { accountsStated } from './account-spellings.ts';
import { keepShown } from './apply-batch-answer.ts';
import type { KnownOrders } from './known-orders.ts';
import type { OrderAnswer, OrderSave } from './orders-answers.ts';
import type { PendingWrites } from './pending-writes.ts';
import { unitText } from '../store/orders/order-claims.ts';

const BEFORE_ALL: Instant = '0001-01-01T00:00:00.000Z';

export function isOvertaken(stock: KnownOrders, { unit, claimFence }: OrderAnswer): boolean {
  if (claimFence === undefined) return false;
  const due = stock.dues.get(unitText(unit));
  return due?.claim_fence !== claimFence || due.claim_until === null;
}

/** Nothing but what they showed of settlements: a view that lags behind must not make it forgotten. */
export function keepWhatItShowed(
  request: OrderSave,
  answer: OrderAnswer,
  into: { stock: KnownOrders; drafts: PendingWrites },
): void {
  if (answer.kind !== 'batch') return;
  if (accountsStated(answer).some((stated) => into.stock.misspelt.has(stated))) return;
  const moments = { ...answer.moments, sentAt: BEFORE_ALL };
  keepShown(request, { ...answer, moments }, into);
}
