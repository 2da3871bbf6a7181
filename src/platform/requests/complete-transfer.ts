/** A transfer batch as people type it: its orders as a list, its sums left out (DIV-03, DIV-04, DIV-15, ENV-26). */
import { isJsonObject, jsonText, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { withDefaults } from './completing.ts';
import type { Completed } from './completing.ts';
import { listIn } from './json-text.ts';
import { sumOf } from './transfer.ts';

/** `num`, `amount` and `currency` where they are absent; payMethod is left to the platform. */
export function completeTransfer(request: JsonObject): Completed {
  const listed = ordersAsText(request);
  const given = member(listed.request, 'orderList');
  const orders = typeof given === 'string' ? listIn(given) : undefined;
  const sumFen = orders === undefined ? undefined : sumOf(orders);
  const summed = withDefaults(listed.request, {
    ...(orders !== undefined && { num: orders.length }),
    ...(sumFen !== undefined && { amount: sumFen }),
    currency: 'CNY',
  });
  return { request: summed.request, said: [...listed.said, ...summed.said] };
}

function ordersAsText(request: JsonObject): Completed {
  const orders = member(request, 'orderList');
  if (!Array.isArray(orders)) return { request, said: [] };
  const asText = (orders as unknown[]).map(withTextAmount);
  return { request: { ...request, orderList: jsonText(asText) }, said: ['orderList as JSON text'] };
}

/** An order's amount travels as a string of digits, the batch's as a number (DIV-15). */
function withTextAmount(order: unknown): unknown {
  if (!isJsonObject(order)) return order;
  const amount = member(order, 'amount');
  return typeof amount === 'number' || typeof amount === 'bigint'
    ? { ...order, amount: String(amount) }
    : order;
}
