/** Which voucher was planned to be otherwise, and how often each order was asked for one. */
import type { PlanDraft } from '../world/plan-list.ts';
import type { World } from '../world/world.ts';
import type { Slip, TransType } from './slip.ts';
import type { PlannedVoucher } from './voucher-schema.ts';

/** An order as it is asked for. */
export interface AskedOrder {
  transType: TransType;
  slip: Slip;
}

/** More than plans are ever numbered. */
const BY_NUMBER = 1e12;

/** What was planned for this order by its number, else for any; of several the latest. */
export function takeVoucher(draft: PlanDraft<PlannedVoucher>, asked: AskedOrder): PlannedVoucher | undefined {
  const { orderNo, outOrderNo } = asked.slip;
  return draft.take(({ number, transType }, no) => {
    const isItsNumber = number === undefined || number === orderNo || number === outOrderNo;
    const fits = isItsNumber && (transType === undefined || transType === asked.transType);
    return fits ? no + (number === undefined ? 0 : BY_NUMBER) : 0;
  });
}

/** Counts an ask for an order. @returns which it is, from 1 */
export function countAsk({ voucherAsks }: World, { transType, slip }: AskedOrder): number {
  const key = `${transType} ${slip.orderNo}`;
  const asks = (voucherAsks.get(key) ?? 0) + 1;
  voucherAsks.set(key, asks);
  return asks;
}
