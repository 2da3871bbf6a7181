/** A deposit in a line, and as the job would store it. */
import { createHash } from 'node:crypto';
import { contentOf } from '../../../src/core/records/deposit-content.ts';
import type { DepositFact } from '../../../src/store/deposits/deposits.ts';
import { at } from '../service-time.ts';

export interface DepositLine {
  orderNo: string;
  at: string;
  amountFen: bigint;
  feeFen?: bigint;
  feeType?: string;
  realFen?: bigint;
  payerName?: string;
  payerBankNo?: string;
}

export function factOf(accountNo: string, line: DepositLine): DepositFact {
  const feeFen = line.feeFen ?? 0n;
  const feeType = line.feeType ?? 'ORDER';
  const content = {
    orderNo: line.orderNo,
    amountFen: line.amountFen,
    feeFen,
    realFen: line.realFen ?? (feeType === 'ORDER' ? line.amountFen - feeFen : line.amountFen),
    feeType,
    payerAcctNo: '',
    payerName: line.payerName ?? 'Payer',
    payerBankNo: line.payerBankNo ?? '',
    payeeAcctNo: accountNo,
    payeeName: '',
    payeeBankNo: '',
    remark: '',
    errCode: '',
    depositedAt: at(line.at),
  };
  const text = contentOf(content);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return {
    orderNo: line.orderNo,
    content: text,
    accountNo,
    contentDigest: digest,
    seenAt: at(line.at),
    answer: {
      sha256: digest,
      endpoint: 'query/deposit',
      accountNo,
      reqId: 'r1',
      requestedAt: at(line.at),
      signed: true,
      bizText: '{}',
    },
  };
}
