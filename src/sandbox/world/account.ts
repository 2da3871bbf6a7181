/** A registry account: what is true of it, and what it is at an instant. */
import type { Fen } from '../../core/fen.ts';
import type { Book } from './book.ts';
import type { Deposit, DepositIndex } from './deposit-index.ts';

export interface BankCard {
  bankAccountNo: string;
  bankAccountName: string;
  mobile: string;
  instBranchCode: string;
  accountType: 'E' | 'P';
  whiteType: 'IN' | 'OUT';
}

/** `0` closed, `1` activated, `2` pending activation (ACC-04); others may be seeded (VER-03). */
export type AccountState = string;

export interface Account {
  merchant: string;
  accountNo: string;
  eleAcctNo: string;
  /** By the sandbox's clock, as the bound card and the identity: a change of the subject's data changes them. */
  readonly name: string;
  role: 'FQ' | 'JS';
  /** Business licence number, or identity number of an individual (OPN-01). */
  readonly subjectId: string;
  /** Before it the account does not exist; those that were seeded have always been there. */
  openedAtMs: number;
  autoSettle: boolean;
  /** In the order of their instants; the first counts from the beginning. */
  states: { atMs: number; state: AccountState }[];
  replacedBy: { accountNo: string; atMs: number } | undefined;
  readonly bindCard: BankCard;
  whiteCards: readonly BankCard[];
  /** Bank accounts a failed settlement may be retried to, besides the bound one (STL-04); no endpoint shows them. */
  settleCards: readonly BankCard[];
  openReqNo: string;
  remark: string;
  paymentPassword: boolean;
  passwordFree: boolean;
  balance: Book;
  frozen: Book;
  shelf: DepositIndex;
  /** Deposits that failed: they exist, are never listed and move nothing (DEP-08). */
  failedDeposits: Deposit[];
  /** A balance that moves during a run: each query of the account first adds this much, so many times. */
  drift: { fen: Fen; queriesLeft: number };
}

export function isOpen({ openedAtMs }: Account, ms: number): boolean {
  return openedAtMs <= ms;
}

/** The number of the account that has taken its place by then (OPN-04). */
export function replacementAt({ replacedBy }: Account, ms: number): string | undefined {
  return replacedBy && replacedBy.atMs <= ms ? replacedBy.accountNo : undefined;
}

export function stateAt(account: Account, ms: number): AccountState {
  return account.states.findLast((change) => change.atMs <= ms)?.state ?? '1';
}
