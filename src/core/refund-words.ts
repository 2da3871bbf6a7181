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

const PLAIN_WORDS: ReadonlySet<string> = new Set(['SUCCESS', 'INIT', 'PROCESSING']);

/**
 * Whether the word of an order that moved its money is none of a refund: it has succeeded, or is still called under way
 * where its settlement has begun all the same (U60). One that the profile alone knows as moved may be that of a refund (U36).
 */
export function isPlainWord(state: string): boolean {
  return PLAIN_WORDS.has(state);
}
