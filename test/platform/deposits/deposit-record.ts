/** A deposit as it was read, with what the test cares about. */
import type { DepositRecord } from '../../../src/platform/contract.ts';

export function aRecord(over: Partial<DepositRecord> = {}): DepositRecord {
  return {
    orderNo: 'D1',
    amountFen: 100n,
    feeFen: 0n,
    realFen: undefined,
    feeType: 'ORDER',
    payerAcctNo: '',
    payerName: '',
    payerBankNo: '',
    payeeAcctNo: '',
    payeeName: '',
    payeeBankNo: '',
    remark: '',
    errCode: '',
    // 10:00 of 2 March in Shanghai.
    depositedAt: '2026-03-02T02:00:00.000Z',
    ...over,
  };
}
