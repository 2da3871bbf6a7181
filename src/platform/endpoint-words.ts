/** What each endpoint does, in a few words for people. */
import type { EndpointName } from './contract.ts';

export const ENDPOINT_WORDS: Readonly<Record<EndpointName, string>> = {
  'acct/sendMsg': 'sends an SMS code',
  'acct/addApply': 'applies for an account',
  'acct/auditApply': 'confirms an opening by its code',
  'acct/auditApplyResult': 'asks what became of an opening',
  'acct/reviseApply': 'resubmits a rejected opening',
  'acct/changeApply': 'applies for a change of data',
  'acct/changeConfirm': 'confirms a change by its code',
  'acct/changeApplyResult': 'asks what became of a change',
  'acct/queryInfo': 'reads an account and its balances',
  'division/pay': 'transfers in a batch',
  'division/query': 'reads a batch and its orders',
  'division/refund': 'refunds transfer orders',
  'account/withdraw': 'withdraws to the bound card',
  'account/queryWithdraw': 'reads a withdrawal',
  'query/deposit': 'lists deposits',
  'get/transFiles': 'fetches the vouchers of an order',
  'order/settle': 'retries a failed settlement',
};
