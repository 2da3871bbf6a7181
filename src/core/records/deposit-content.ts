/**
 * All that is stored of a deposit, in one text: its digest tells whether a record is the one that is stored, and a batch
 * of thousands keeps texts where it would keep as many objects with fourteen members each. NUL parts the members because
 * storable text never holds it.
 */
import type { Fen } from '../fen.ts';
import type { Instant } from '../time.ts';

export interface DepositContent {
  orderNo: string;
  amountFen: Fen;
  feeFen: Fen;
  /** Undefined when the record does not state it. */
  realFen: Fen | undefined;
  feeType: string;
  payerAcctNo: string;
  payerName: string;
  payerBankNo: string;
  payeeAcctNo: string;
  payeeName: string;
  payeeBankNo: string;
  remark: string;
  errCode: string;
  depositedAt: Instant;
}

export function contentOf(record: DepositContent): string {
  const { orderNo, amountFen, feeFen, realFen, feeType, payerAcctNo, payerName, payerBankNo } = record;
  const { payeeAcctNo, payeeName, payeeBankNo, remark, errCode, depositedAt } = record;
  const money = `${orderNo}\0${amountFen}\0${feeFen}\0${realFen ?? ''}\0${feeType}`;
  const payer = `${payerAcctNo}\0${payerName}\0${payerBankNo}`;
  const payee = `${payeeAcctNo}\0${payeeName}\0${payeeBankNo}`;
  return `${money}\0${payer}\0${payee}\0${remark}\0${errCode}\0${depositedAt}`;
}

/** Where `realFen` stands: the one member that may be absent, and is no text that may be empty. */
const REAL_AT = 3;

/** The members as texts, in the order of `DepositContent`; null for an amount that is not stated. */
export function membersOf(content: string): (string | null)[] {
  const members: (string | null)[] = content.split('\0');
  if (members[REAL_AT] === '') members[REAL_AT] = null;
  return members;
}
