/** In how many ways a deposit and an entry without its number may be alike (docs/reconciliation.md 3.2). */

/** One way of being alike: what of the payer, and which amount, the entry states. */
export interface Likeness {
  rule: string;
  payer: 'payer_name' | 'payer_bank_no' | 'payer_acct_no' | 'anyone';
  amount: 'net_fen' | 'gross_fen';
}

/** In this order: what says more comes first; a gross amount means that the ledger lacks the fee. */
export const LIKENESSES: readonly Likeness[] = (['net_fen', 'gross_fen'] as const).flatMap((amount) =>
  (['payer_name', 'payer_bank_no', 'payer_acct_no', 'anyone'] as const).map((payer) => ({
    rule: `${amount === 'net_fen' ? 'amount' : 'gross amount'}, ${PAYER_WORDS()[payer]}date`,
    payer,
    amount,
  })),
);

function PAYER_WORDS(): Record<Likeness['payer'], string> {
  return {
    payer_name: 'payer name, ',
    payer_bank_no: 'payer bank account, ',
    payer_acct_no: 'payer account, ',
    anyone: '',
  };
}
