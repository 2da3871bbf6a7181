/** Transfer batches, withdrawals and settlements as the platform states them (DIV-23…25, WDR-09, STL-10). */
import { isJsonObject } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { EndpointName, SettleAnswer, TransferBatch, TransferOrder, Withdrawal } from './contract.ts';
import {
  aliasedNumber,
  fenMember,
  listMember,
  numberMember,
  textMember,
  unreadableAnswer,
} from './decode-members.ts';
import type { Decoding, Reading } from './decode-members.ts';

/**
 * A batch with its transfer orders, which may stand in a JSON text (ENV-26).
 * @throws OutcomeUnknown when orderList is no list of objects (P13) or a number of the batch cannot be one
 */
export function decodeBatch(endpoint: EndpointName, biz: JsonObject, decoding: Decoding): TransferBatch {
  const list = listMember(biz, 'orderList');
  if (list === undefined || !list.every(isJsonObject)) {
    throw unreadableAnswer(endpoint, 'orderList is no list of objects');
  }
  const sound = soundOf(endpoint);
  return {
    outBatchNo: sound(numberMember(biz, 'outBatchNo')),
    batchNo: sound(numberMember(biz, 'batchNo')),
    state: textMember(biz, 'state'),
    orders: list.map((order) => decodeOrder(order, decoding)),
    extParam: textMember(biz, 'extParam'),
    note: textMember(biz, 'note'),
  };
}

function soundOf(endpoint: EndpointName): <T>(reading: Reading<T>) => T | undefined {
  return ({ value, fault }) => {
    if (fault !== undefined) throw unreadableAnswer(endpoint, fault);
    return value;
  };
}

/** An order whose amounts contradict each other or cannot be read says so and stays in its batch (P9, P11). */
function decodeOrder(order: JsonObject, { profile }: Decoding): TransferOrder {
  const faults: string[] = [];
  const noted = <T>({ value, fault }: Reading<T>): T | undefined => {
    if (fault !== undefined) faults.push(fault);
    return value;
  };
  return {
    outOrderNo: noted(numberMember(order, 'outOrderNo')),
    orderNo: noted(numberMember(order, 'orderNo')),
    body: textMember(order, 'body'),
    amountFen: noted(fenMember(order, ['amount'])),
    realFen: noted(fenMember(order, ['realAmount'])),
    feeFen: noted(fenMember(order, profile.compat.feeNames)),
    feeType: textMember(order, 'feeType'),
    payerAcctNo: noted(aliasedNumber(order, profile.compat.payerField)),
    payeeAcctNo: noted(numberMember(order, 'payeeAcctNo')),
    state: textMember(order, 'state'),
    settleState: textMember(order, 'settleState'),
    settleRemark: textMember(order, 'settleRemark'),
    refundFen: noted(fenMember(order, ['refundAmount'])),
    extParam: textMember(order, 'extParam'),
    note: textMember(order, 'note'),
    faults,
  };
}

/**
 * One withdrawal; an absent amount or fee is unknown, never zero (U48).
 * @throws OutcomeUnknown when an amount or a number cannot be read or both fee names are there and differ (WDR-09)
 */
export function decodeWithdrawal(endpoint: EndpointName, biz: JsonObject, { profile }: Decoding): Withdrawal {
  const sound = soundOf(endpoint);
  return {
    outOrderNo: sound(numberMember(biz, 'outOrderNo')),
    orderNo: sound(numberMember(biz, 'orderNo')),
    acctNo: sound(numberMember(biz, 'acctNo')),
    state: textMember(biz, 'state'),
    amountFen: sound(fenMember(biz, ['amount'])),
    feeFen: sound(fenMember(biz, profile.compat.feeNames)),
    feeType: textMember(biz, 'feeType'),
    realFen: sound(fenMember(biz, ['realAmount'])),
    note: textMember(biz, 'note'),
  };
}

/** The answer of order/settle: a withdrawal with its payer. */
export function decodeSettlement(biz: JsonObject, decoding: Decoding): SettleAnswer {
  return {
    ...decodeWithdrawal('order/settle', biz, decoding),
    payerName: textMember(biz, 'payerName'),
    payerBankAcctNo: textMember(biz, 'payerBankAcctNo'),
  };
}
