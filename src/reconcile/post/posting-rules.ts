/** What the profile says of fees and refunds: the rules by which facts become movements (U35–U37). */
import type { Fen } from '../../core/fen.ts';
import type { Profile } from '../../core/profile/profile.ts';

/** Who bears a fee that is taken beside the amount; `external`: no account of the company's. */
export type FeeBearer = 'payee' | 'payer' | 'self' | 'external' | `acct:${string}`;

export interface PostingRules {
  bearers: Readonly<Record<'deposit' | 'transfer' | 'withdraw' | 'settle', FeeBearer>>;
  /** The fee of a settlement, which no answer shows; null: unknown, what it takes stays unexplained (U37). */
  settleFee: { feeType: 'ORDER' | 'ACCOUNT'; feeFen: Fen } | null;
  /** What of a transfer order its settlement pays out (U37). */
  settleAmount: 'realAmount' | 'amount';
  /**
   * Whether a refund gives the fee back (U36): the change by which refundAmount reaches the whole amount does, to
   * who bore the fee; one by which it falls below again takes it. A refund of a part gives none.
   */
  feeReturned: boolean;
}

/** The rules as the profile states them; a settlement's fee only where the table is to be used (settle.feeRule). */
export function postingRulesOf({ fees, refund, settle }: Profile): PostingRules {
  return {
    bearers: fees.bearer,
    settleFee: settle.feeRule === 'table' ? fees.settle : null,
    settleAmount: settle.amountRule,
    feeReturned: refund.feeReturned,
  };
}
