/** The words of a transfer order, or a batch, that is refunded, or about to be (REF-09). */
export const REFUNDED = 'REFUND';
/** It waits for its confirmation. */
export const REFUND_WAITS = 'WAIT_CONFIRM';
/** A part of it, or of them, is. */
export const REFUND_PART = 'PART_REFUND';
/** On the way to a refund, however far. */
export const REFUNDING: readonly string[] = [REFUND_WAITS, REFUND_PART];

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

const PLAIN_LABELS: ReadonlySet<string> = new Set([...PLAIN_WORDS, 'PART_SUCCESS', '']);

/**
 * Whether the word of a batch fits an order that moved its money, and is none of a refund. By CLOSE and FAIL nothing moved,
 * or it is undone; and what a word means that no document knows, nobody can say (P7).
 */
export function isPlainLabel(label: string): boolean {
  return PLAIN_LABELS.has(label);
}
