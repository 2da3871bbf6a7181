/** What people do through the platform's own pages, which show what is true of an order now (M8). */
import type { Bank } from './bank.ts';
import type { Kernel } from './kernel.ts';
import { failsMs } from './acceptance.ts';
import type { RefundPlan } from './draw-refunds.ts';
import type { Running } from './running.ts';

type World = Pick<Running, 'kernel' | 'bank' | 'trace' | 'counted'>;

/** Somebody retries a settlement that failed. */
export function settleByHand({ kernel, bank, trace, counted }: World, outOrderNo: string): void {
  if (!bank.looksFailed(outOrderNo) || isAskedFor(bank, kernel, outOrderNo)) return;
  const code = codeIn(bank.ask('order/settle', { outOrderNo, remark: 'by hand' }));
  trace.add(kernel.nowMs, 'somebody', `settles ${outOrderNo} by hand: ${code}`);
  counted(code === '000000' ? 'byHand.accepted' : 'byHand.refused');
}

/** Whether somebody has asked for that already. */
function isAskedFor({ accepted }: Bank, { nowMs }: Kernel, outOrderNo: string): boolean {
  return accepted.some((known) => !known.isOurs && known.outOrderNo === outOrderNo && nowMs < failsMs(known));
}

/** Somebody sends the money of orders back to their payer whose settlement failed. */
export function refundByPages({ kernel, bank, trace, counted }: World, refund: RefundPlan): void {
  if (!refund.outOrderNos.every((outOrderNo) => bank.looksFailed(outOrderNo))) return;
  const code = codeIn(bank.ask('division/refund', refundBiz(bank, refund)));
  trace.add(kernel.nowMs, 'somebody', `refunds ${refund.outOrderNos.join()} by the pages: ${code}`);
  counted(code === '000000' ? 'refund.pages.accepted' : 'refund.pages.refused');
}

/** A refund as it is asked for, with a code that its payee was sent just now. */
export function refundBiz(
  bank: Bank,
  { outBatchNo, outOrderNos, isCodeWrong }: RefundPlan,
): { outBatchNo: string; outOrderNos: string; channelExtra: string } {
  const code = isCodeWrong ? { smsCode: '0', smsFlowNo: '0' } : bank.sendCode();
  return { outBatchNo, outOrderNos: outOrderNos.join(), channelExtra: JSON.stringify(code) };
}

function codeIn(body: string): string {
  return /"code":"([^"]*)"/.exec(body)?.[1] ?? '';
}
