/**
 * What the sandbox does at each endpoint. A handler gets verified business data and gives the members of
 * the answer's bizData, or throws a refusal; it never sees envelopes, sockets or faults.
 */
import type { JsonObject } from '../core/json.ts';
import type { EndpointName } from '../platform/contract.ts';
import { queryWithdraw } from './account-query-withdraw.ts';
import { accountWithdraw } from './account-withdraw.ts';
import { addApply } from './acct-add-apply.ts';
import { auditApplyResult } from './acct-audit-apply-result.ts';
import { auditApply } from './acct-audit-apply.ts';
import { changeApplyResult } from './acct-change-apply-result.ts';
import { changeApply } from './acct-change-apply.ts';
import { changeConfirm } from './acct-change-confirm.ts';
import { reviseApply } from './acct-revise-apply.ts';
import { sendMsg } from './acct-send-msg.ts';
import { divisionPay } from './division-pay.ts';
import { divisionQuery } from './division-query.ts';
import { divisionRefund } from './division-refund.ts';
import type { Caller } from './envelope.ts';
import { getTransFiles } from './get-trans-files.ts';
import { orderSettle } from './order-settle.ts';
import { queryDeposit } from './query-deposit.ts';
import { queryInfo } from './query-info.ts';
import type { World } from './world.ts';

export interface Call<K extends EndpointName> {
  endpoint: K;
  biz: JsonObject;
  caller: Caller;
  /** Of the request, by which a retried settlement can be told from others. */
  reqId: string;
  world: World;
}

export type Handler<K extends EndpointName> = (call: Call<K>) => Record<string, unknown>;

export type Handlers = { readonly [K in EndpointName]: Handler<K> };

export const HANDLERS: Handlers = {
  'acct/sendMsg': sendMsg,
  'acct/addApply': addApply,
  'acct/auditApply': auditApply,
  'acct/auditApplyResult': auditApplyResult,
  'acct/reviseApply': reviseApply,
  'acct/changeApply': changeApply,
  'acct/changeConfirm': changeConfirm,
  'acct/changeApplyResult': changeApplyResult,
  'acct/queryInfo': queryInfo,
  'division/pay': divisionPay,
  'division/query': divisionQuery,
  'division/refund': divisionRefund,
  'account/withdraw': accountWithdraw,
  'account/queryWithdraw': queryWithdraw,
  'query/deposit': queryDeposit,
  'get/transFiles': getTransFiles,
  'order/settle': orderSettle,
};

/** Runs the handler of one endpoint; the table above keeps its types apart, the route does not know them. */
export function handle(call: Call<EndpointName>): Record<string, unknown> {
  const handler = HANDLERS[call.endpoint] as Handler<EndpointName>;
  return handler(call);
}
