/** The words of a transfer order that is refunded, or about to be (REF-09). */
export const REFUNDED = 'REFUND';
/** It waits for its confirmation. */
export const REFUND_WAITS = 'WAIT_CONFIRM';
/** On the way to a refund, however far. */
export const REFUNDING: readonly string[] = [REFUND_WAITS, 'PART_REFUND'];

/** Whether an order of that word is refunded or about to be, whatever sums it states. */
export function isRefundWord(state: string): boolean {
  return state === REFUNDED || REFUNDING.includes(state);
}
