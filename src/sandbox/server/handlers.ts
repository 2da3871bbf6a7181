/** What the sandbox does at each endpoint. */
import type { EndpointName } from '../../platform/contract.ts';
import { queryWithdraw } from '../endpoints/account-query-withdraw.ts';
import { accountWithdraw } from '../endpoints/account-withdraw.ts';
import { addApply } from '../endpoints/acct-add-apply.ts';
import { auditApplyResult } from '../endpoints/acct-audit-apply-result.ts';
import { auditApply } from '../endpoints/acct-audit-apply.ts';
import { changeApplyResult } from '../endpoints/acct-change-apply-result.ts';
import { changeApply } from '../endpoints/acct-change-apply.ts';
import { changeConfirm } from '../endpoints/acct-change-confirm.ts';
import { reviseApply } from '../endpoints/acct-revise-apply.ts';
import { sendMsg } from '../endpoints/acct-send-msg.ts';
import { divisionPay } from '../endpoints/division-pay.ts';
import { divisionQuery } from '../endpoints/division-query.ts';
import { divisionRefund } from '../endpoints/division-refund.ts';
import type { Call, Handler } from '../protocol/handler.ts';
import { getTransFiles } from '../endpoints/get-trans-files.ts';
import { orderSettle } from '../endpoints/order-settle.ts';
import { queryDeposit } from '../endpoints/query-deposit.ts';
import { queryInfo } from '../endpoints/query-info.ts';

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
