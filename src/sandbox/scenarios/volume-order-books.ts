/** The company's side of a volume's orders: its registry and its ledger, from the same formula. */
import { instantOf } from '../../core/time.ts';
import type { Zone } from '../../core/time.ts';
import type { LedgerEntry, Registered } from './demo-draft.ts';
import { batchNumbers, orderNumbers, refundMs } from './volume-orders.ts';
import type { VolumeOrders } from './volume-orders.ts';

/** Every order of the scenario. */
export function* volumeOrderRegistry(
  orders: VolumeOrders,
  zone: Zone,
): Generator<Omit<Registered, 'outcome'>> {
  for (const order of orders.all()) {
    const { payer, payee, amountFen, submittedAtMs } = order;
    yield {
      kind: payee === undefined ? 'withdrawal' : 'transfer',
      ...batchNumbers(order),
      ...orderNumbers(order),
      payerAccountNo: orders.accountNo(payer),
      payeeAccountNo: payee === undefined ? '' : orders.accountNo(payee),
      amountFen,
      submittedAt: zone.localText(instantOf(submittedAtMs)),
    };
  }
}

export type VolumeOrderEntry = Required<
  Pick<LedgerEntry, 'accountNo' | 'kind' | 'amountFen' | 'reference' | 'outBatchNo' | 'bookedAt'>
>;

/** What the company books of them: successes alone, each when it was submitted, refunds a day later. */
export function* volumeOrderEntries(orders: VolumeOrders, zone: Zone): Generator<VolumeOrderEntry> {
  for (const order of orders.all()) {
    if (order.state !== 'SUCCESS') continue;
    const { amountFen, feeFen, feeType, realFen, submittedAtMs, refunded } = order;
    const base = {
      reference: orderNumbers(order).outOrderNo,
      outBatchNo: batchNumbers(order).outBatchNo,
      bookedAt: zone.localText(instantOf(submittedAtMs)),
    };
    const payer = { ...base, accountNo: orders.accountNo(order.payer) };
    const kind = order.payee === undefined ? 'withdrawal' : 'transfer_out';
    yield { ...payer, kind, amountFen: -amountFen };
    if (feeType === 'ACCOUNT' && feeFen > 0n) yield { ...payer, kind: 'fee', amountFen: -feeFen };
    if (order.payee === undefined) continue;
    const payee = { ...base, accountNo: orders.accountNo(order.payee) };
    yield { ...payee, kind: 'transfer_in', amountFen: realFen };
    if (!refunded) continue;
    const bookedAt = zone.localText(instantOf(refundMs(submittedAtMs)));
    yield { ...payee, bookedAt, kind: 'refund_out', amountFen: -amountFen };
    yield { ...payer, bookedAt, kind: 'refund_in', amountFen };
  }
}
