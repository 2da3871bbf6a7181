/** What the settlement of a transfer order pays out (U37): of the stored order and of a fresh look the same. */
import type { Fen } from '../core/fen.ts';

export type SettleAmountRule = 'realAmount' | 'amount';

/** As the order states them; null: not stated, which is not zero. */
export interface StatedAmounts {
  amountFen: Fen | null;
  realFen: Fen | null;
  feeFen: Fen | null;
  feeType: string;
}

/**
 * Where the credited amount is not stated it is what the fee leaves, as the postings take it. Money is moved by it,
 * so an unstated fee is not taken for none.
 * @returns undefined when the platform did not state it
 */
export function settleAmountFen(stated: StatedAmounts, rule: SettleAmountRule): Fen | undefined {
  const { amountFen, realFen, feeFen, feeType } = stated;
  if (rule === 'amount') return amountFen ?? undefined;
  if (realFen !== null) return realFen;
  if (amountFen === null) return undefined;
  if (feeType === 'ACCOUNT') return amountFen;
  return feeFen === null ? undefined : amountFen - feeFen;
}
