/** `order/settle`: the failed automatic withdrawal of a transfer order once more (STL-01…15, ERR-03). */
import type { JsonObject } from '../../core/json.ts';
import { WRONG_SETTLE_REQUEST } from '../../core/profile/refusals.ts';
import { leastAvailable } from '../world/book.ts';
import { Bookings } from '../world/bookings.ts';
import type { Call } from '../protocol/handler.ts';
import { turnAt } from '../orders/life.ts';
import { realOf, settlementLegs } from '../orders/money.ts';
import type { Parties } from '../orders/money.ts';
import { isThere } from '../orders/order-index.ts';
import type { OrderInBatch, OrderNumber } from '../orders/order-index.ts';
import { isShown, orderAt } from '../orders/order.ts';
import type { Settlement } from '../orders/order.ts';
import {
  bookSettlement,
  callOff,
  claimOf,
  failedSettlement,
  planRetry,
  settleNoOf,
} from '../orders/settlement.ts';
import { requireUsable, shortOf } from '../orders/usable.ts';
import { optionalText, requireText } from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import { requireAccount } from '../world/seed.ts';
import { wireWhole } from '../protocol/wire.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';

/**
 * From here to its end nothing waits, so that of two requests for one failed record the second finds it claimed.
 * @throws Refused for wrong members, an order that cannot be retried now, an account that may not, another card
 */
export function orderSettle({ world, biz, caller, reqId }: Call<'order/settle'>): WireObject {
  const { merchant } = caller.credential;
  const number = numberOf(world, biz);
  const remark = remarkOf(world, biz);
  const { batch, order } = requireOrder(world, merchant, number);
  if (orderAt(order, world.clock.nowMs(), world.switches.settleGuard).state !== 'SUCCESS') {
    throw new Refused(
      'STATE',
      '该订单不可发起提现 (withdrawal cannot be initiated: the order has not succeeded)',
    );
  }
  const [first] = order.settlements;
  if (!first) throw unsupported();
  const payee = requireUsable(world, merchant, order.payeeAcctNo);
  requireClaimable(world, order.settlements.at(-1) ?? first);
  const bankAccountNo = cardOf(world, biz, payee);
  const retry = carriedOut(world, planRetry(world, { order, first }, { reqId, remark, bankAccountNo }), {
    order,
    payer: requireAccount(world, batch.payerAcctNo),
    payee,
  });
  order.settlements.push(retry);
  world.orders.keepBatch(batch);
  return wireSettled(world, { order, retry, payee });
}

/** STL-02. @throws Refused for neither and for both, whatever the switches say of other endpoints */
function numberOf(world: World, biz: JsonObject): OrderNumber {
  const own = optionalText(biz, 'outOrderNo', world.switches) ?? '';
  const platform = optionalText(biz, 'orderNo', world.switches) ?? '';
  if ((own === '') === (platform === '')) {
    throw new Refused('PARAMETER', WRONG_SETTLE_REQUEST.number);
  }
  return own === '' ? { platform } : { own };
}

/** STL-03. */
const REMARK_BYTES_MAX = 32;
/** Letters, digits and spaces stay (U38). */
const SPECIAL_CHARACTERS = { anyScript: /[^\p{L}\p{N} ]/gu, ascii: /[^A-Za-z0-9 ]/gu };

/** @throws Refused when it is absent, empty once it is filtered, or too long, which is measured as the switch wants */
function remarkOf(world: World, biz: JsonObject): string {
  const given = requireText(biz, 'remark', world.switches);
  const filtered = given.replace(SPECIAL_CHARACTERS[world.switches.settleRemarkKeeps], '').trim();
  if (filtered === '') throw wrongParameter('remark', 'nothing is left once special characters are filtered');
  const measured = world.switches.settleRemarkMeasured === 'before' ? given : filtered;
  if (Buffer.byteLength(measured, 'utf8') <= REMARK_BYTES_MAX) return filtered;
  throw new Refused('PARAMETER', WRONG_SETTLE_REQUEST.remark);
}

/** @throws Refused when there is none by now, and for the number of something that is not retried (STL-06) */
function requireOrder(world: World, merchant: string, number: OrderNumber): OrderInBatch {
  const byOrder = orderThere(world, merchant, number);
  const found =
    world.switches.settleIdKind === 'child' ? byOrder : orderOfWithdrawal(world, merchant, number);
  if (found) return found;
  const withdrawal = world.orders.withdrawal(merchant, number);
  if (byOrder || (withdrawal && isThere(withdrawal, world.clock.nowMs()))) throw unsupported();
  throw new Refused('NOT_FOUND', '订单不存在 (order not found)');
}

function orderThere(world: World, merchant: string, number: OrderNumber): OrderInBatch | undefined {
  const nowMs = world.clock.nowMs();
  const found = world.orders.transferOrder(merchant, number);
  return found && isThere(found.batch, nowMs) && isShown(found.order, nowMs) ? found : undefined;
}

/** By the number of the automatic withdrawal (U37); the company never gave it one of its own. */
function orderOfWithdrawal(
  world: World,
  merchant: string,
  { platform }: OrderNumber,
): OrderInBatch | undefined {
  if (!platform?.startsWith('S')) return undefined;
  const found = orderThere(world, merchant, { platform: platform.slice(1) });
  return found && settleNoOf(found.order) === platform && found.order.settlements.length > 0
    ? found
    : undefined;
}

function unsupported(): Refused {
  return new Refused('STATE', '该订单类型不支持此操作 (operation unsupported for this order type)');
}

/** STL-07, STL-09. @throws Refused unless the latest try has failed, or nobody guards that */
function requireClaimable(world: World, latest: Settlement): void {
  if (!world.switches.settleGuard) return;
  const claim = claimOf(latest, world.clock.nowMs());
  if (claim === 'failed') return;
  if (claim === 'claimed')
    throw new Refused('DUPLICATE', '重复或并发提交 (duplicate or concurrent submission)');
  const meaning = 'only orders whose arrival state is failed can be operated';
  throw new Refused('STATE', `仅到账状态为失败的订单可操作 (${meaning})`);
}

/** The bound card, or another that was whitelisted for settlements (STL-04, U52). @throws Refused for any other */
function cardOf(world: World, biz: JsonObject, payee: Account): string {
  const asked = optionalText(biz, 'recvAcctNo', world.switches) ?? '';
  const name = optionalText(biz, 'recvAcctName', world.switches) ?? '';
  const cards = [payee.bindCard, ...payee.settleCards];
  const card = asked === '' ? payee.bindCard : cards.find(({ bankAccountNo }) => bankAccountNo === asked);
  if (!card) throw wrongParameter('recvAcctNo', 'it is not on the whitelist of settlement cards');
  if (name === '' || name === card.bankAccountName) return card.bankAccountNo;
  throw wrongParameter('recvAcctName', 'it is not the name of that bank account');
}

/** @throws Refused when there is too little, unless the retry fails instead (as WDR-12 has it) */
function carriedOut(
  world: World,
  retry: Settlement,
  of: { order: OrderInBatch['order'] } & Parties,
): Settlement {
  const bookings = new Bookings();
  bookSettlement(world, bookings, { ...of, settlement: retry });
  const latest = of.order.settlements.at(-1);
  const isTakenOver = latest !== undefined && world.switches.settleGuard;
  const putBack = isTakenOver ? callOff(world, latest) : () => undefined;
  const short = lacksMoney(world, retry, of) ? of.payee : bookings.book();
  if (!short) return retry;
  if (world.switches.shortBalance === 'fail') return failedSettlement(retry);
  putBack();
  throw shortOf(short);
}

/** Whatever becomes of it, the payee must have what it holds. */
function lacksMoney(world: World, retry: Settlement, { payer, payee }: Parties): boolean {
  const { amountFen, feeFen, feeType } = retry;
  let neededFen = 0n;
  for (const leg of settlementLegs(world, { amountFen, feeFen, feeType, payer, payee })) {
    if (leg.held && leg.account === payee) neededFen -= leg.deltaFen;
  }
  return neededFen > leastAvailable(payee.balance, payee.frozen, world.clock.nowMs());
}

/** STL-10. One that still waits is under way. */
function wireSettled(
  world: World,
  { order, retry, payee }: { order: OrderInBatch['order']; retry: Settlement; payee: Account },
): WireObject {
  const { amountFen, feeFen, feeType, life } = retry;
  const turn = turnAt(life, world.clock.nowMs());
  return {
    orderNo: world.switches.settleIdKind === 'child' ? order.orderNo : settleNoOf(order),
    outOrderNo: order.outOrderNo,
    state: turn?.state ?? 'PROCESSING',
    note: turn?.note ?? '',
    amount: wireWhole(world, amountFen),
    fee: wireWhole(world, feeFen),
    realAmount: wireWhole(world, realOf(amountFen, retry)),
    acctNo: order.payeeAcctNo,
    feeType,
    payerName: payee.name,
    payerBankAcctNo: payee.eleAcctNo,
  };
}
