/** One valid call of each path, in a world of its own: what each answers (ENV-04, ENV-17). */
import { PAYER } from './bench.ts';
import type { Bench } from './bench.ts';
import type { Answered, Members } from './caller.ts';
import { openAndChange } from './opening-flow.ts';
import { depositBiz, failedSettlement, paid, payBiz, refundBiz, seedDeposits, withdrawBiz } from './trade.ts';

export interface HappyCall {
  path: string;
  answered: Answered;
}

export async function happyCalls(bench: Bench): Promise<HappyCall[]> {
  const [orderNo] = await seedDeposits(bench, [{}]);
  const withdrawal = withdrawBiz(bench);
  const { outOrderNo } = await failedSettlement(bench);
  const batch = await paid(bench);
  const sms = { reqNo: bench.channelCode, outReqNo: bench.newNumber('S'), sceneType: 'REFUND' };
  const bodies: readonly (readonly [string, Members])[] = [
    [`acct/sendMsg/${bench.channelCode}`, sms],
    ['acct/queryInfo', { accountNo: PAYER }],
    ['division/pay', payBiz(bench)],
    ['division/query', { outBatchNo: batch.biz['outBatchNo'] }],
    ['division/refund', await refundBiz(bench, batch)],
    ['account/withdraw', withdrawal],
    ['account/queryWithdraw', { outOrderNo: withdrawal['outOrderNo'] }],
    ['query/deposit', depositBiz()],
    ['get/transFiles', { transType: '1', orderNo }],
    ['order/settle', { outOrderNo, remark: 'recon retry 1' }],
  ];
  const calls: HappyCall[] = await openAndChange(bench);
  for (const [path, biz] of bodies) calls.push({ path, answered: await bench.accepts(path, biz) });
  return calls;
}
