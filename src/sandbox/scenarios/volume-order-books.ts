/** The company's side of a volume's orders: its registry and its ledger, from the same formula. */
import { instantOf } from '../../core/time.ts';
import type { Zone } from '../../core/time.ts';
import type { LedgerEntry, Registered } from './demo-draft.ts';
import { batchName, orderName, refundMs } from './volume-orders.ts';
import type { VolumeOrders } from './volume-orders.ts';

/** Every order of the scenario: transfers batch by batch, then withdrawals. */
export function* volumeOrderRegistry(
  orders: VolumeOrders,
  zone: Zone,
): Generator<Omit<Registered, 'outcome'>> {
  const { options } = orders;
  const timeOf = (ms: number): string => zone.localText(instantOf(ms));
  for (let batch = 0; batch < options.transferBatches; batch++) {
    const submittedAt = timeOf(orders.batchMs(batch));
    const payerAccountNo = orders.accountNo(orders.payerOf(batch));
    for (let place = 0; place < options.ordersPerBatch; place++) {
      yield {
        kind: 'transfer',
        outBatchNo: batchName('VB', batch),
        outOrderNo: orderName('VO', batch, place),
        batchNo: batchName('TBV', batch),
        orderNo: orderName('TOV', batch, place),
        payerAccountNo,
        payeeAccountNo: orders.accountNo(orders.payeeOf(batch, place)),
        amountFen: orders.order(batch, place).amountFen,
        submittedAt,
      };
    }
  }
  for (let nth = 0; nth < options.withdrawals; nth++) {
    yield {
      kind: 'withdrawal',
      outBatchNo: '',
      outOrderNo: batchName('VW', nth),
      batchNo: '',
      orderNo: batchName('WDV', nth),
      payerAccountNo: orders.accountNo(orders.accountOf(nth)),
      payeeAccountNo: '',
      amountFen: orders.withdrawalDrawn(nth).amountFen,
      submittedAt: timeOf(orders.withdrawalMs(nth)),
    };
  }
}

export type VolumeOrderEntry = Required<
  Pick<LedgerEntry, 'accountNo' | 'kind' | 'amountFen' | 'reference' | 'outBatchNo' | 'bookedAt'>
>;

/** What the company books of them: successes alone, each when it was submitted, refunds a day later. */
export function* volumeOrderEntries(orders: VolumeOrders, zone: Zone): Generator<VolumeOrderEntry> {
  const { options } = orders;
  for (let batch = 0; batch < options.transferBatches; batch++) {
    for (let place = 0; place < options.ordersPerBatch; place++)
      yield* transferEntries(orders, { batch, place, zone });
  }
  for (let nth = 0; nth < options.withdrawals; nth++) {
    const { amountFen, feeFen, feeType, state } = orders.withdrawalDrawn(nth);
    if (state !== 'SUCCESS') continue;
    const of = {
      accountNo: orders.accountNo(orders.accountOf(nth)),
      reference: batchName('VW', nth),
      outBatchNo: '',
      bookedAt: zone.localText(instantOf(orders.withdrawalMs(nth))),
    };
    yield { ...of, kind: 'withdrawal', amountFen: -amountFen };
    if (feeType === 'ACCOUNT' && feeFen > 0n) yield { ...of, kind: 'fee', amountFen: -feeFen };
  }
}

function* transferEntries(
  orders: VolumeOrders,
  { batch, place, zone }: { batch: number; place: number; zone: Zone },
): Generator<VolumeOrderEntry> {
  const { amountFen, feeFen, feeType, realFen, state, refunded } = orders.order(batch, place);
  if (state !== 'SUCCESS') return;
  const [payer, payee] = [
    orders.accountNo(orders.payerOf(batch)),
    orders.accountNo(orders.payeeOf(batch, place)),
  ];
  const submittedAtMs = orders.batchMs(batch);
  const of = {
    reference: orderName('VO', batch, place),
    outBatchNo: batchName('VB', batch),
    bookedAt: zone.localText(instantOf(submittedAtMs)),
  };
  yield { ...of, accountNo: payer, kind: 'transfer_out', amountFen: -amountFen };
  if (feeType === 'ACCOUNT' && feeFen > 0n)
    yield { ...of, accountNo: payer, kind: 'fee', amountFen: -feeFen };
  yield { ...of, accountNo: payee, kind: 'transfer_in', amountFen: realFen };
  if (!refunded) return;
  const bookedAt = zone.localText(instantOf(refundMs(submittedAtMs)));
  yield { ...of, bookedAt, accountNo: payee, kind: 'refund_out', amountFen: -amountFen };
  yield { ...of, bookedAt, accountNo: payer, kind: 'refund_in', amountFen };
}
