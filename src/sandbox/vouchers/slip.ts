/** What an electronic slip (电子回单) says: the facts of one order that succeeded. */
import type { Fen } from '../../core/fen.ts';

export type SlipKind = 'deposit' | 'withdrawal' | 'transfer' | 'settlement';

/** As `transType` names them; the automatic withdrawal of a transfer order is a withdrawal (U51). */
export type TransType = '1' | '2' | '3';

export const SLIP_TITLES: Readonly<Record<SlipKind, string>> = {
  deposit: '充值入账',
  withdrawal: '提现付款',
  transfer: '划付转账',
  settlement: '自动结算付款',
};

export interface SlipParty {
  name: string;
  /** A bank account is masked as slips have it; a registry account is not. */
  accountNo: string;
  bank: string;
}

export interface Slip {
  kind: SlipKind;
  orderNo: string;
  /** The company's own number; a deposit has none. */
  outOrderNo: string;
  /** Empty where the order is in no batch. */
  batchNo: string;
  payer: SlipParty;
  payee: SlipParty;
  amountFen: Fen;
  feeFen: Fen;
  feeType: string;
  realFen: Fen;
  remark: string;
  /** When it became final, `yyyy-MM-dd HH:mm:ss` in the service's zone. */
  time: string;
}

/** `6222020000001234567` → `6222 **** **** 4567`, whatever its length; up to eight keep their last half. */
export function maskedBankAccount(accountNo: string): string {
  if (accountNo.length > 8) return `${accountNo.slice(0, 4)} **** **** ${accountNo.slice(-4)}`;
  const hidden = Math.floor(accountNo.length / 2);
  return `${'*'.repeat(hidden)}${accountNo.slice(hidden)}`;
}
