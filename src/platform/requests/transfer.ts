/** What a transfer batch must fulfil beyond its single members: its list, its sums, its limits (DIV-03…20). */
import { FEN_MAX, parseFen } from '../../core/fen.ts';
import type { Fen } from '../../core/fen.ts';
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import { checkOf, filled, kindOf, quoted, text } from './checks.ts';
import type { CheckRules, Schema } from './checks.ts';
import { jsonTextSchema, listIn } from './json-text.ts';
import { faultOf, memberFaults, membersSchema, optional, required } from './members.ts';

/** DIV-18. */
const ORDERS_MAX = 20;
/** DIV-20: which members it applies to says the profile (U30). */
const BATCH_TEXT_LENGTH_MAX = 100;

/** A string of digits above zero, up to the cap of an order, whose unit the profile says (DIV-15, U29). */
const orderAmount = checkOf(orderAmountSchema, (value, { profile }) => {
  if (typeof value !== 'string') return `must be text of digits, not ${kindOf(value)}`;
  const amountFen = /^[1-9]/.test(value) ? parseFen(value) : undefined;
  if (amountFen === undefined) return `must be whole fen above 0 in digits, not ${quoted(value)}`;
  const maxFen = profile.limits.childAmountMaxFen;
  return amountFen > maxFen ? `is ${amountFen} fen, and at most ${maxFen} are taken` : undefined;
});

function orderAmountSchema({ profile }: CheckRules): Schema {
  const maxFen = profile.limits.childAmountMaxFen;
  return { type: 'string', pattern: '^[1-9][0-9]*$', description: `whole fen as text, at most ${maxFen}` };
}

const ORDER_MEMBERS = [
  required('outOrderNo', filled(32), 'DIV-13, LIM-04'),
  required('body', filled(), 'DIV-14'),
  required('amount', orderAmount, 'DIV-15, DIV-19, LIM-06'),
  required('payeeAcctNo', filled(), 'DIV-16'),
  optional('extParam', text(32), 'DIV-17, LIM-08'),
];

const batchText = text(BATCH_TEXT_LENGTH_MAX);

/** The list of transfer orders: a text whose content `transferFaults` looks at. */
export const orderList = checkOf(
  (rules) =>
    jsonTextSchema({
      type: 'array',
      minItems: 1,
      maxItems: ORDERS_MAX,
      items: membersSchema(ORDER_MEMBERS, rules),
      description: 'num and amount of the batch are their number and sum (DIV-03, DIV-04, DIV-18)',
    }),
  filled(),
);

/** Texts of a batch that are short, by the profile (U30). */
export function transferSchema({ profile }: CheckRules): Schema {
  const short = { maxLength: BATCH_TEXT_LENGTH_MAX };
  const { batch100Fields } = profile.limits;
  return { allOf: [{ properties: Object.fromEntries(batch100Fields.map((name) => [name, short])) }] };
}

/** Faults of the list, of each order in it and of the two sums; none for a list that is missing. */
export function transferFaults(request: JsonObject, rules: CheckRules): string[] {
  const faults = rules.profile.limits.batch100Fields.flatMap((name) => {
    const value = member(request, name);
    const what = typeof value === 'string' ? batchText(value, rules) : undefined;
    return what === undefined ? [] : [faultOf(name, what, 'DIV-20, LIM-14')];
  });
  const given = member(request, 'orderList');
  if (typeof given !== 'string' || given.trim() === '') return faults;
  const orders = listIn(given);
  if (orders === undefined)
    return [...faults, faultOf('orderList', 'must hold a JSON list', 'DIV-07, ENV-26')];
  if (orders.length === 0) return [...faults, faultOf('orderList', 'holds no transfer order', 'DIV-07')];
  if (orders.length > ORDERS_MAX) {
    const what = `holds ${orders.length} transfer orders, and at most ${ORDERS_MAX} are taken`;
    faults.push(faultOf('orderList', what, 'DIV-18, LIM-05'));
  }
  return [...faults, ...orderFaults(orders, rules), ...sumFaults(request, orders)];
}

function orderFaults(orders: readonly unknown[], rules: CheckRules): string[] {
  const seen = new Set<unknown>();
  return orders.flatMap((order, at) => {
    if (!isJsonObject(order)) {
      return [faultOf(`orderList[${at}]`, `must be an object, not ${kindOf(order)}`, 'DIV-07')];
    }
    const faults = memberFaults(order, ORDER_MEMBERS, { path: `orderList[${at}].`, rules });
    const outOrderNo = member(order, 'outOrderNo');
    if (seen.has(outOrderNo) && typeof outOrderNo === 'string') {
      faults.push(faultOf(`orderList[${at}].outOrderNo`, 'stands in the list twice', 'DIV-13'));
    }
    seen.add(outOrderNo);
    return faults;
  });
}

/** Whole numbers only: one of another type has a fault of its own. */
function sumFaults(request: JsonObject, orders: readonly unknown[]): string[] {
  const faults: string[] = [];
  const [num, amount] = [wholeMember(request, 'num'), wholeMember(request, 'amount')];
  if (num !== undefined && num !== BigInt(orders.length)) {
    faults.push(faultOf('num', `is ${num}, and orderList holds ${orders.length}`, 'DIV-03, LIM-07'));
  }
  const sumFen = sumOf(orders);
  if (amount !== undefined && sumFen !== undefined && amount !== sumFen) {
    faults.push(
      faultOf('amount', `is ${amount}, and the transfer orders sum up to ${sumFen}`, 'DIV-04, LIM-07'),
    );
  }
  return faults;
}

function wholeMember(object: JsonObject, name: string): bigint | undefined {
  const value = member(object, name);
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

/** What a batch is worth; undefined where an amount cannot be read, or the sum is none that is believed. */
export function sumOf(orders: readonly unknown[]): Fen | undefined {
  let sumFen = 0n;
  for (const order of orders) {
    const amountFen = isJsonObject(order) ? parseFen(member(order, 'amount')) : undefined;
    if (amountFen === undefined) return undefined;
    sumFen += amountFen;
  }
  return sumFen <= FEN_MAX ? sumFen : undefined;
}
