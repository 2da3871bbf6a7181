/** `division/refund`: whole transfer orders back from the payee to the payer (REF-01…09). */
import type { JsonObject } from '../../core/json.ts';
import { Bookings } from '../world/bookings.ts';
import { requestedBatch } from './division-query.ts';
import type { Call } from '../protocol/handler.ts';
import { wireBatch } from '../orders/order-wire.ts';
import { isShown, orderAt } from '../orders/order.ts';
import type { Refund, TransferBatch, TransferOrder } from '../orders/order.ts';
import { takeOutcome } from '../orders/outcome-plan.ts';
import type { OutcomeDraft } from '../orders/outcome-plan.ts';
import { bookRefund, failedRefund, planRefund } from '../orders/plan.ts';
import { requireUsable, shortOf } from '../orders/usable.ts';
import { optionalJsonText, requireText } from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import { requireSmsCode } from '../world/sms-codes.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for orders that cannot be refunded, without a code sent to the payee, for too little money */
export function divisionRefund({ world, biz, caller, reqId }: Call<'division/refund'>): WireObject {
  const { merchant } = caller.credential;
  const outOrderNos = requireText(biz, 'outOrderNos', world.switches).split(',');
  const given = codeGiven(world, biz);
  const batch = requestedBatch(world, biz, merchant);
  const orders = requireRefundable(world, batch, outOrderNos);
  const accountNos = orders.map(({ payeeAcctNo }) => payeeAcctNo);
  const code = requireSmsCode(world, given, { merchant, accountNos, sceneType: 'REFUND' });
  const draft = world.outcomes.draft();
  const refunds = carriedOut(world, batch, planned(world, { orders, reqId }, draft));
  draft.keep();
  code.used = true;
  for (const { order, refund } of refunds) order.refunds.push(refund);
  world.orders.keepBatch(batch);
  return wireBatch(world, batch, 'refund');
}

/** REF-03. @throws Refused unless channelExtra is the text of an object with both members */
function codeGiven(world: World, biz: JsonObject): { smsCode: string; smsFlowNo: string } {
  const extra = optionalJsonText(biz, 'channelExtra');
  if (!extra) throw wrongParameter('channelExtra', 'it is required');
  return {
    smsCode: requireText(extra, 'smsCode', world.switches),
    smsFlowNo: requireText(extra, 'smsFlowNo', world.switches),
  };
}

/** REF-02, REF-06. @throws Refused when one of them is not in the batch, has not succeeded or is refunded */
function requireRefundable(
  world: World,
  batch: TransferBatch,
  outOrderNos: readonly string[],
): TransferOrder[] {
  const nowMs = world.clock.nowMs();
  if (new Set(outOrderNos).size < outOrderNos.length) {
    throw wrongParameter('outOrderNos', 'it names an order twice');
  }
  return outOrderNos.map((outOrderNo) => {
    const order = batch.orders.find((known) => known.outOrderNo === outOrderNo && isShown(known, nowMs));
    if (!order) throw new Refused('NOT_FOUND', `订单不存在 (order ${outOrderNo} is not in the batch)`);
    const { state, refundFen } = orderAt(order, nowMs, true);
    if (state === 'SUCCESS' && refundFen === 0n) return order;
    throw new Refused('STATE', `订单不可退款 (order ${outOrderNo} is not successful, or refunded already)`);
  });
}

interface PlannedRefund {
  order: TransferOrder;
  refund: Refund;
}

function planned(
  world: World,
  { orders, reqId }: { orders: readonly TransferOrder[]; reqId: string },
  draft: OutcomeDraft,
): PlannedRefund[] {
  const startMs = world.clock.nowMs();
  return orders.map((order) => {
    const { outOrderNo, payeeAcctNo } = order;
    const outcome = takeOutcome(draft, 'refund', { outOrderNo, accountNo: payeeAcctNo }) ?? {};
    return { order, refund: planRefund(world, order, { outcome, startMs, amountFen: undefined, reqId }) };
  });
}

/**
 * Books all refunds or none.
 * @throws Refused when the payee has too little, unless the refunds fail instead (REF-08)
 */
function carriedOut(world: World, batch: TransferBatch, refunds: PlannedRefund[]): PlannedRefund[] {
  const bookings = new Bookings();
  const payer = requireUsable(world, batch.merchant, batch.payerAcctNo);
  for (const { order, refund } of refunds) {
    const payee = requireUsable(world, batch.merchant, order.payeeAcctNo);
    bookRefund(world, bookings, { order, refund, payer, payee });
  }
  const short = bookings.book();
  if (!short) return refunds;
  if (world.switches.shortBalance === 'refuse') throw shortOf(short);
  const nowMs = world.clock.nowMs();
  return refunds.map(({ order, refund }) => ({ order, refund: failedRefund(refund, nowMs, '可用余额不足') }));
}
