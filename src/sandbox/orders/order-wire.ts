/** How transfer batches and withdrawals are written in answers (DIV-23…25, REF-09, WDR-09). */
import { applyPatch } from '../world/wire-patch.ts';
import { wireWhole } from '../protocol/wire.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';
import { orderMeaning, turnAt } from './life.ts';
import { isShown, labelOf, orderAt } from './order.ts';
import type { Fee, OrderNow, Showing, TransferBatch, TransferOrder, Withdrawal } from './order.ts';

/** Whose table of members an answer follows. */
export type BatchTable = 'pay' | 'query' | 'refund';

/** A batch with its orders as a list, until it is sealed. An order that is not shown still counts in the label. */
export function wireBatch(world: World, batch: TransferBatch, table: BatchTable): WireObject {
  const nowMs = world.clock.nowMs();
  const { settleViewLagMs, refundViewLagMs } = world.switches;
  const isQuery = table === 'query';
  const seen = isQuery ? { settledMs: nowMs - settleViewLagMs, refundedMs: nowMs - refundViewLagMs } : {};
  const tells = refundTellers(world, table);
  const said = (order: TransferOrder, showsRefund: boolean): OrderNow =>
    saidOf(world, orderAt(order, nowMs, showsRefund, seen));
  const orders = batch.orders.map((order) => ({ order, now: said(order, tells.orders) }));
  const shown = orders.filter(({ order }) => isShown(order, nowMs));
  const wire: WireObject = {
    outBatchNo: batch.outBatchNo,
    batchNo: batch.batchNo,
    state: labelOf(
      batch.orders.map((order) => said(order, tells.batch)),
      tells.batch,
    ),
    orderList: shown.map(({ order, now }) => wireOrder(world, order, { now, table, batch })),
    ...(table === 'refund' ? {} : { extParam: batch.extParam }),
    note: batch.note,
  };
  applyShown(wire, batch.showing, nowMs);
  return wire;
}

/** Whose word tells of a refund (U36). */
function refundTellers({ switches }: World, table: BatchTable): { batch: boolean; orders: boolean } {
  if (table === 'refund') return { batch: true, orders: true };
  const { queryShowsRefund: isTold, refundWordsIn: where } = switches;
  return { batch: isTold && where !== 'orders', orders: isTold && where !== 'batch' };
}

/** Where SUCCESS waits for the automatic withdrawal, one that is under way keeps its order so (U60). */
function saidOf(world: World, now: OrderNow): OrderNow {
  const waits = world.switches.orderSuccessMeans === 'settled' && orderMeaning(now.settleState) === 'held';
  return waits && now.state === 'SUCCESS' ? { ...now, state: 'PROCESSING' } : now;
}

/** Makes the list of orders a JSON text within the JSON text (ENV-26), once nothing in it changes any more. */
export function sealOrderList(world: World, answer: WireObject): void {
  const list = answer['orderList'];
  if (Array.isArray(list) && world.switches.orderListAs === 'string') {
    answer['orderList'] = JSON.stringify(list);
  }
}

function wireOrder(
  world: World,
  order: TransferOrder,
  of: { now: OrderNow; table: BatchTable; batch: TransferBatch },
): WireObject {
  const { now, table } = of;
  const wire: WireObject = {
    outOrderNo: order.outOrderNo,
    orderNo: order.orderNo,
    body: order.body,
    amount: wireWhole(world, order.amountFen),
    realAmount: wireWhole(world, order.realFen),
    ...wireFee(world, order, world.switches.transferFeeName),
    ...wirePayer(world, table, of.batch.payerAcctNo),
    payeeAcctNo: order.payeeAcctNo,
    state: now.state,
    ...(table === 'query' ? wireSettlement(world, now) : {}),
    ...(table === 'pay' ? {} : { refundAmount: wireWhole(world, now.refundFen) }),
    extParam: order.extParam,
    note: now.note,
  };
  applyShown(wire, order.showing, world.clock.nowMs());
  return wire;
}

export function wireWithdrawal(world: World, withdrawal: Withdrawal): WireObject {
  const nowMs = world.clock.nowMs();
  const now = turnAt(withdrawal.life, nowMs);
  const wire: WireObject = {
    outOrderNo: withdrawal.outOrderNo,
    orderNo: withdrawal.orderNo,
    acctNo: withdrawal.acctNo,
    state: now?.state ?? 'INIT',
    amount: wireWhole(world, withdrawal.amountFen),
    ...wireFee(world, withdrawal, world.switches.withdrawFeeName),
    feeType: withdrawal.feeType,
    realAmount: wireWhole(world, withdrawal.realFen),
    note: now?.note ?? '',
  };
  applyShown(wire, withdrawal.showing, nowMs);
  return wire;
}

function wireFee(world: World, { feeFen, feeType }: Fee, name: 'fee' | 'mchFee' | 'both'): WireObject {
  const fee = wireWhole(world, feeFen);
  return { ...(name === 'fee' ? {} : { mchFee: fee }), ...(name === 'mchFee' ? {} : { fee }), feeType };
}

/** DIV-25: the tables of query and refund spell it `payeyAcctNo`. */
function wirePayer(world: World, table: BatchTable, payerAcctNo: string): WireObject {
  const { payerField } = world.switches;
  if (payerField === 'both') return { payerAcctNo, payeyAcctNo: payerAcctNo };
  const documented = table === 'pay' ? 'payerAcctNo' : 'payeyAcctNo';
  return { [payerField === 'documented' ? documented : payerField]: payerAcctNo };
}

function wireSettlement(world: World, now: OrderNow): WireObject {
  const { settleState, settleRemark } = now;
  if (settleState !== '' || world.switches.noSettleState === 'empty') return { settleState, settleRemark };
  return world.switches.noSettleState === 'null' ? { settleState: null, settleRemark: null } : {};
}

function applyShown(wire: WireObject, showing: Showing | undefined, nowMs: number): void {
  for (const { atMs, patch } of showing?.patches ?? []) {
    if (atMs <= nowMs) applyPatch(wire, patch);
  }
}
