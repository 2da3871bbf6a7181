/** Reads a transfer as it is asked for, and refuses what its own members show to be wrong (DIV-01…20). */
import { isIPv4 } from 'node:net';

import type { Fen } from '../../core/fen.ts';
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import {
  optionalText,
  parsedOrUndefined,
  requireAmount,
  requireNumber,
  requireText,
  weightedLength,
  wholeOrDefault,
} from '../protocol/params.ts';
import type { LengthRules, ParameterRules } from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import type { World } from '../world/world.ts';
import type { OrderAsked } from './plan.ts';

export interface PayAsked {
  outBatchNo: string;
  payerAcctNo: string;
  extParam: string;
  notifyUrl: string;
  orders: readonly Omit<OrderAsked, 'orderNo'>[];
}

/** DIV-17. */
const ORDER_EXT_PARAM_MAX = 32;
/** DIV-20. */
const BATCH_TEXT_MAX = 100;

/** @throws Refused naming the member that is wrong */
export function readPay(world: World, biz: JsonObject): PayAsked {
  const rules = world.switches;
  const outBatchNo = requireNumber(biz, 'outBatchNo', rules);
  const payerAcctNo = requireText(biz, 'payerAcctNo', rules);
  if (requireText(biz, 'currency', rules) !== 'CNY') throw wrongParameter('currency', 'it must be CNY');
  if (!isIPv4(requireText(biz, 'clientIp', rules))) throw wrongParameter('clientIp', 'it must be IPv4');
  wholeOrDefault(biz, 'payMethod', { min: 1, max: 1, default: 1, strictTypes: rules.strictTypes });
  for (const name of rules.batch100Fields) requireShort(biz, name, { max: BATCH_TEXT_MAX, ...rules });
  const orders = listOf(world, biz).map((order, place) => readOrder(world, order, place));
  requireDistinct(orders);
  requireSums(world, biz, orders);
  return {
    outBatchNo,
    payerAcctNo,
    extParam: optionalText(biz, 'extParam', rules) ?? '',
    notifyUrl: optionalText(biz, 'notifyUrl', rules) ?? '',
    orders,
  };
}

function listOf(world: World, biz: JsonObject): readonly unknown[] {
  const given = member(biz, 'orderList');
  const isArray = Array.isArray(given) && world.switches.orderListArrayAccepted;
  if (typeof given !== 'string' && !isArray) {
    throw wrongParameter('orderList', 'it must be a JSON string of an array');
  }
  const list = typeof given === 'string' ? parsedOrUndefined(given) : given;
  if (!Array.isArray(list)) throw wrongParameter('orderList', 'it must hold an array');
  const { ordersMax } = world.switches;
  if (list.length === 0 || list.length > ordersMax) {
    throw wrongParameter('orderList', `it must hold 1 to ${ordersMax} orders`);
  }
  return list;
}

function readOrder(world: World, order: unknown, place: number): PayAsked['orders'][number] {
  if (!isJsonObject(order)) throw wrongParameter('orderList', `order ${place + 1} is no object`);
  const rules = world.switches;
  const amountFen = requireAmount(order, 'amount', { declared: 'string', ...rules });
  if (amountFen > rules.childAmountMaxFen) {
    throw wrongParameter('amount', `an order may have at most ${rules.childAmountMaxFen} fen`);
  }
  return {
    outOrderNo: requireNumber(order, 'outOrderNo', rules),
    body: requireText(order, 'body', rules),
    amountFen,
    payeeAcctNo: requireText(order, 'payeeAcctNo', rules),
    extParam: requireShort(order, 'extParam', { max: ORDER_EXT_PARAM_MAX, ...rules }),
  };
}

function requireShort(
  of: JsonObject,
  name: string,
  limits: { max: number } & ParameterRules & LengthRules,
): string {
  const text = optionalText(of, name, limits) ?? '';
  if (weightedLength(text, limits) <= limits.max) return text;
  const counted = limits.textsCounted === 'documented' ? ', a Chinese character counting 3' : '';
  throw wrongParameter(name, `it is longer than ${limits.max}${counted}`);
}

function requireDistinct(orders: PayAsked['orders']): void {
  const numbers = new Set(orders.map(({ outOrderNo }) => outOrderNo));
  if (numbers.size < orders.length) {
    throw new Refused('DUPLICATE', '商户订单号重复 (duplicate outOrderNo in the batch)');
  }
}

function requireSums(world: World, biz: JsonObject, orders: PayAsked['orders']): void {
  const sumFen = orders.reduce((sum: Fen, { amountFen }) => sum + amountFen, 0n);
  if (requireAmount(biz, 'num', { declared: 'number', ...world.switches }) !== BigInt(orders.length)) {
    throw wrongParameter('num', 'it must be the number of orders');
  }
  if (requireAmount(biz, 'amount', { declared: 'number', ...world.switches }) !== sumFen) {
    throw wrongParameter('amount', 'it must be the sum of the orders');
  }
}
