/**
 * What the company's ledger says of transfers, settlements, refunds and withdrawals, in the ways of each
 * account's books: by the one number or the other, fees netted or apart.
 */
import type { Fen } from '../../core/fen.ts';
import type { DemoAccount } from './demo-accounts.ts';
import { creditedFen, later } from './demo-orders.ts';
import type { OrderNumbers, SentOrder, SentWithdrawal } from './demo-orders.ts';
import type { DemoDraft, LedgerEntry } from './demo-draft.ts';

/** Seconds until somebody books what happened; within the day for everything that happens in office hours. */
const BOOKED_AFTER = { min: 20, max: 1_500 };

interface Line {
  kind: LedgerEntry['kind'];
  amountFen: Fen;
  memo: string;
  counterparty: string;
  at: string;
}

/** A principal amount, and its fee as the account's books show it. */
function entries(account: DemoAccount, order: OrderNumbers, line: Line, feeFen = 0n): LedgerEntry[] {
  const { names, netsFees } = account.books;
  const { at, ...shown } = line;
  const base = {
    accountNo: account.accountNo,
    reference: names === 'own' ? order.outOrderNo : order.orderNo,
    outBatchNo: order.outBatchNo,
    counterparty: line.counterparty,
    bookedAt: at,
    status: 'posted' as const,
  };
  if (netsFees || feeFen === 0n) return [{ ...base, ...shown, amountFen: line.amountFen - feeFen }];
  return [
    { ...base, ...shown },
    { ...base, kind: 'fee', amountFen: -feeFen, memo: '手续费' },
  ];
}

/** A fee beside the amount is the payer's (U35). */
export function payerEntries(order: SentOrder, at: string): LedgerEntry[] {
  const { payer, payee, amountFen, feeFen, feeType } = order;
  const shown = { memo: '分账付款', counterparty: payee.seed.name };
  const line: Line = { kind: 'transfer_out', amountFen: -amountFen, ...shown, at };
  return entries(payer, order, line, feeType === 'ACCOUNT' ? feeFen : 0n);
}

/** @param account whose books it comes into; by default the payee's */
export function payeeEntries(order: SentOrder, at: string, account = order.payee): LedgerEntry[] {
  const { payer, amountFen, feeFen, feeType } = order;
  const shown = { memo: '分账收款', counterparty: payer.seed.name };
  const line: Line = { kind: 'transfer_in', amountFen, ...shown, at };
  return entries(account, order, line, feeType === 'ORDER' ? feeFen : 0n);
}

function settlementEntries(order: SentOrder, at: string): LedgerEntry[] {
  const { payee } = order;
  const shown = { memo: '自动结算到银行卡', counterparty: payee.seed.name };
  return entries(payee, order, { kind: 'settlement', amountFen: -creditedFen(order), ...shown, at });
}

/** Both sides, as soon as it happened; nothing where it never did. */
export function orderEntries(draft: DemoDraft, order: SentOrder): LedgerEntry[] {
  const { doneAt, settledAt } = order;
  if (doneAt === undefined) return [];
  return [
    ...payerEntries(order, soon(draft, doneAt)),
    ...payeeEntries(order, soon(draft, doneAt)),
    ...(settledAt === undefined ? [] : settlementEntries(order, soon(draft, settledAt))),
  ];
}

export function refundEntries(draft: DemoDraft, order: SentOrder, refundedAt: string): LedgerEntry[] {
  const { payer, payee, amountFen } = order;
  const at = soon(draft, refundedAt);
  const [back, out] = [
    { kind: 'refund_in', amountFen, memo: '分账退回', counterparty: payee.seed.name, at },
    { kind: 'refund_out', amountFen: -amountFen, memo: '分账退款', counterparty: payer.seed.name, at },
  ] as const;
  return [...entries(payer, order, back), ...entries(payee, order, out)];
}

/**
 * A fee inside the amount lessens what the bank gets: books that show it apart take the rest as withdrawn.
 * @param bookedAt by default as soon as the bank was paid; nothing where it never was
 */
export function withdrawalEntries(
  draft: DemoDraft,
  withdrawal: SentWithdrawal,
  bookedAt?: string,
): LedgerEntry[] {
  const { account, amountFen, feeFen, feeType, doneAt } = withdrawal;
  const at = bookedAt ?? (doneAt === undefined ? undefined : soon(draft, doneAt));
  if (at === undefined) return [];
  const paidOutFen = feeType === 'ORDER' ? amountFen - feeFen : amountFen;
  const shown = { memo: '提现', counterparty: account.seed.name };
  return entries(account, withdrawal, { kind: 'withdrawal', amountFen: -paidOutFen, ...shown, at }, feeFen);
}

function soon(draft: DemoDraft, at: string): string {
  return later(draft, at, draft.random.whole(BOOKED_AFTER));
}
