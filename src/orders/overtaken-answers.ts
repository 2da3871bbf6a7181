/**
 * Answers that were asked for under a claim that is no more in force: another one has asked since. Whatever their times say,
 * they are older than what is known (N11).
 */
import type { KnownOrders } from './known-orders.ts';
import type { OrderAnswer } from './orders-answers.ts';
import { unitText } from '../store/orders/order-claims.ts';

export function isOvertaken(stock: KnownOrders, { unit, claimFence }: OrderAnswer): boolean {
  if (claimFence === undefined) return false;
  const due = stock.dues.get(unitText(unit));
  return due?.claim_fence !== claimFence || due.claim_until === null;
}
