/** What the sheets of orders say, as a type: transfers with their refunds and settlements, and withdrawals. */
import type { ChangeState } from '../../src/store/schema/schema.ts';

/** What moved the money, or is to move it. */
export type OrderKind = 'transfer' | 'refund' | 'settlement' | 'withdrawal';

/** The account's part in it; `own`: of a withdrawal; `bearer`: an account that only bears the fee. */
export type OrderSide = 'payer' | 'payee' | 'own' | 'bearer';

export interface OrderWords {
  emptyTransfers: string;
  emptyWithdrawals: string;
  kind: string;
  side: string;
  outOrderNo: string;
  orderNo: string;
  outBatchNo: string;
  payer: string;
  payerName: string;
  payee: string;
  payeeName: string;
  submittedAt: string;
  finalAt: string;
  amount: string;
  fee: string;
  feeType: string;
  state: string;
  settleState: string;
  refunded: string;
  counted: string;
  effect: string;
  /** A line of the totals: `付方 · 笔数`. */
  count: string;
  moved: string;
  of: (what: { side: string; figure: string }) => string;
  kinds: Record<OrderKind, string>;
  sides: Record<OrderSide, string>;
  states: Record<ChangeState, string>;
  settleStates: Record<ChangeState, string>;
  /** On the summary. */
  title: string;
  countedCount: string;
  uncountedCount: string;
  askedTitle: string;
  askedBatches: string;
  askedTransfers: string;
  askedWithdrawals: string;
  onlyInLedger: string;
  unaskable: string;
  inFlight: string;
  debitedAccounts: string;
  moreAccounts: (count: string) => string;
}
