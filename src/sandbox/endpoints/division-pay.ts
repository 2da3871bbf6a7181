/** `division/pay`: one batch of transfers from one account to others (DIV-01…28). */
import type { Fen } from '../../core/fen.ts';
import { leastAvailable } from '../world/book.ts';
import { Bookings } from '../world/bookings.ts';
import type { Call } from '../protocol/handler.ts';
import { nextNumber } from '../world/numbers.ts';
import { transferLegs } from '../orders/money.ts';
import { wireBatch } from '../orders/order-wire.ts';
import type { TransferBatch, TransferOrder } from '../orders/order.ts';
import { takeOutcome } from '../orders/outcome-plan.ts';
import type { OutcomeDraft } from '../orders/outcome-plan.ts';
import { bookTransfer, failedTransfer, planTransfer, showingOf } from '../orders/plan.ts';
import { readPay } from '../orders/read-pay.ts';
import type { PayAsked } from '../orders/read-pay.ts';
import { bookSettlement, failedSettlement } from '../orders/settlement.ts';
import { pushBatch } from '../orders/transfer-pushes.ts';
import { findUsable, requireUsable, shortOf } from '../orders/usable.ts';
import { Refused } from '../protocol/refusal.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for wrong members, numbers that are used, accounts and passwords that are not in order */
export function divisionPay({ world, biz, caller }: Call<'division/pay'>): WireObject {
  const asked = readPay(world, biz);
  const { merchant } = caller.credential;
  const payer = requirePayer(world, merchant, asked.payerAcctNo);
  const first = firstOfThatNumber(world, merchant, asked);
  if (first) return wireBatch(world, first, 'pay');
  const draft = world.outcomes.draft();
  const paid = carriedOut(world, planned(world, asked, { merchant, payer, draft }));
  const nowMs = world.clock.nowMs();
  const shown = takeOutcome(draft, 'batch', { outBatchNo: asked.outBatchNo });
  const batch: TransferBatch = {
    merchant,
    outBatchNo: asked.outBatchNo,
    batchNo: nextNumber(world, 'TB', nowMs),
    payerAcctNo: asked.payerAcctNo,
    submittedAtMs: nowMs,
    extParam: asked.extParam,
    note: shown?.note ?? '',
    orders: paid.map((order) => ({ ...order, orderNo: nextNumber(world, 'TO', nowMs) })),
    showing: showingOf(world, shown ?? {}, nowMs),
    notify: asked.notifyUrl === '' ? undefined : { url: asked.notifyUrl, caller },
  };
  draft.keep();
  world.orders.addBatch(batch);
  pushBatch(world, batch);
  return wireBatch(world, batch, 'pay');
}

/** @throws Refused when the account may not pay (DIV-02, DIV-21, U25) */
function requirePayer(world: World, merchant: string, payerAcctNo: string): Account {
  const payer = requireUsable(world, merchant, payerAcctNo);
  if (!world.switches.payerRoles.includes(payer.role)) {
    throw new Refused('ACCOUNT', `账户不可付款 (account ${payerAcctNo} may not pay)`);
  }
  if (!world.switches.paymentPassword || !payer.paymentPassword) {
    throw new Refused('PASSWORD', '未设置支付密码 (no payment password is configured)');
  }
  return payer;
}

/**
 * The batch that has the number already, where the switch says that it is answered (U26).
 * @throws Refused for numbers that are used, where it does not
 */
function firstOfThatNumber(world: World, merchant: string, asked: PayAsked): TransferBatch | undefined {
  const first = world.orders.batch(merchant, { own: asked.outBatchNo });
  if (first && world.switches.duplicate === 'returnFirst') return first;
  if (first) throw new Refused('DUPLICATE', '商户批次号重复 (duplicate outBatchNo)');
  const scope = world.switches.numberScope;
  for (const { outOrderNo } of asked.orders) {
    if (!world.orders.isOrderNoTaken({ merchant, outOrderNo, kind: 'transfer', scope })) continue;
    throw new Refused('DUPLICATE', `商户订单号重复 (duplicate outOrderNo ${outOrderNo})`);
  }
  return undefined;
}

interface PlannedOrder {
  order: TransferOrder;
  payer: Account;
  /** Undefined when there is no such account to be paid: the order has failed. */
  payee: Account | undefined;
}

function planned(
  world: World,
  asked: PayAsked,
  of: { merchant: string; payer: Account; draft: OutcomeDraft },
): PlannedOrder[] {
  const startMs = world.clock.nowMs();
  return asked.orders.map((order) => {
    const { outOrderNo, payeeAcctNo } = order;
    const payee = requirePayee(world, of.merchant, payeeAcctNo);
    const outcome = takeOutcome(of.draft, 'transfer', { outOrderNo, accountNo: payeeAcctNo }) ?? {};
    const made = planTransfer(world, { ...order, orderNo: '' }, { outcome, startMs, payee });
    return {
      order: payee ? made : failedTransfer(made, startMs, '收款账户不可用'),
      payer: of.payer,
      payee,
    };
  });
}

/** @throws Refused for a payee that cannot be paid, unless its order fails instead (DIV-16) */
function requirePayee(world: World, merchant: string, payeeAcctNo: string): Account | undefined {
  return world.switches.unknownPayee === 'fail'
    ? findUsable(world, merchant, payeeAcctNo)
    : requireUsable(world, merchant, payeeAcctNo);
}

/**
 * Books what the orders move, all or none; a settlement that finds too little on its account fails by itself.
 * @throws Refused when there is too little, unless the orders fail instead (DIV-22)
 */
function carriedOut(world: World, orders: readonly PlannedOrder[]): TransferOrder[] {
  const transfers = new Bookings();
  const settlements = orders.map(({ order, payer, payee }) => {
    const settlement = new Bookings();
    if (payee) {
      bookTransfer(world, transfers, order, { payer, payee });
      const [first] = order.settlements;
      if (first) bookSettlement(world, settlement, { order, settlement: first, payer, payee });
    }
    return { order, settlement };
  });
  const short = shortPayer(world, orders) ?? transfers.book();
  if (short && world.switches.shortBalance === 'refuse') throw shortOf(short);
  if (short) {
    return orders.map(({ order }) => failedTransfer(order, world.clock.nowMs(), '可用余额不足'));
  }
  return settlements.map(({ order, settlement }) => {
    if (settlement.book() === undefined) return order;
    return { ...order, settlements: order.settlements.map(failedSettlement) };
  });
}

/** The payer, when it has not what all its orders take, whatever becomes of them. */
function shortPayer(world: World, orders: readonly PlannedOrder[]): Account | undefined {
  const payer = orders[0]?.payer;
  if (!payer) return undefined;
  let neededFen: Fen = 0n;
  for (const { order, payee } of orders) {
    if (!payee) continue;
    const { amountFen, feeFen, feeType } = order;
    for (const leg of transferLegs(world, { amountFen, feeFen, feeType, payer, payee })) {
      if (leg.held) neededFen -= leg.deltaFen;
    }
  }
  const availableFen = leastAvailable(payer.balance, payer.frozen, world.clock.nowMs());
  return neededFen > availableFen ? payer : undefined;
}
