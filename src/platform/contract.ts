/**
 * The service interface as types: all 17 endpoints, what is sent, what comes back, whether a call reads or
 * changes (ENV-04). Amounts are fen (`bigint`); a member that may be absent in an answer is `undefined`,
 * never zero. The client's decoders and the sandbox's handlers are both keyed by `EndpointName`, so that a
 * missing endpoint does not compile.
 */
import type { DepositContent } from '../core/records/deposit-content.ts';
import type { Fen } from '../core/fen.ts';
import type { JsonObject } from '../core/json.ts';
import type { Day, Instant } from '../core/time.ts';
import type { OneOf, SubjectInfo } from './contract-subject.ts';
import type { OpeningStep } from './opening-states.ts';

/** All paths lie below this prefix (ENV-03). */
export const PATH_PREFIX = '/api/open/virtualBank';
/** The one success code, compared as text (ENV-18). */
export const CODE_SUCCESS = '000000';
/** ENV-14. */
export const VERSION = '1.0';

export interface EndpointFacts {
  /** Below the prefix; `{channel_code}` stands for the service's one channel code. */
  path: string;
  /** Reads may be repeated with a new reqId; changes never are (ENV-22, ENV-29). */
  effect: 'read' | 'change';
  /** Vouchers are large and slow, all else is small and quick (N3, N14). */
  answer: 'small' | 'files';
}

const read = (path: string) => ({ path, effect: 'read', answer: 'small' }) as const;
const change = (path: string) => ({ path, effect: 'change', answer: 'small' }) as const;

export const ENDPOINTS = {
  'acct/sendMsg': change('/acct/sendMsg/{channel_code}'),
  'acct/addApply': change('/acct/addApply'),
  'acct/auditApply': change('/acct/auditApply'),
  'acct/auditApplyResult': read('/acct/auditApplyResult'),
  'acct/reviseApply': change('/acct/reviseApply'),
  'acct/changeApply': change('/acct/changeApply'),
  'acct/changeConfirm': change('/acct/changeConfirm'),
  'acct/changeApplyResult': read('/acct/changeApplyResult'),
  'acct/queryInfo': read('/acct/queryInfo'),
  'division/pay': change('/division/pay'),
  'division/query': read('/division/query'),
  'division/refund': change('/division/refund'),
  'account/withdraw': change('/account/withdraw'),
  'account/queryWithdraw': read('/account/queryWithdraw'),
  'query/deposit': read('/query/deposit'),
  'get/transFiles': { path: '/get/transFiles', effect: 'read', answer: 'files' },
  'order/settle': change('/order/settle'),
} as const satisfies Record<string, EndpointFacts>;

export type EndpointName = keyof typeof ENDPOINTS;
/** The endpoints that change something: their calls may end unknown and are never repeated (ENV-22). */
export type ChangingEndpoint = {
  [K in EndpointName]: (typeof ENDPOINTS)[K]['effect'] extends 'change' ? K : never;
}[EndpointName];
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as EndpointName[];

/** `ORDER`: the fee is taken out of the amount; `ACCOUNT`: it is taken from an account beside it (DIV-27). */
export type FeeType = 'ORDER' | 'ACCOUNT';

export interface Requests {
  'acct/sendMsg': { reqNo: string; outReqNo: string; sceneType: 'OPEN' | 'MODIFY' | 'WHITE_SET' | 'REFUND' };
  'acct/addApply': {
    ifCode: string;
    outReqNo: string;
    acctRole: 'FQ' | 'JS';
    subjectInfo: SubjectInfo;
    notifyUrl?: string;
  };
  'acct/auditApply': { smsFlowNo: string; smsCode: string; reqNo: string; outReqNo: string };
  'acct/auditApplyResult': { reqNo: string; outReqNo?: string };
  'acct/reviseApply': OneOf<'reqNo', 'outReqNo'> & { ifCode: string; subjectInfo?: SubjectInfo };
  'acct/changeApply': { recordId: string; outReqNo: string; subjectInfo: Partial<SubjectInfo> };
  'acct/changeConfirm': OneOf<'reqNo', 'outReqNo'> & { smsFlowNo: string; smsCode: string };
  'acct/changeApplyResult': OneOf<'reqNo', 'outReqNo'>;
  'acct/queryInfo': OneOf<'accountNo', 'reqNo'>;
  'division/pay': PayRequest;
  'division/query': OneOf<'outBatchNo', 'batchNo'>;
  'division/refund': OneOf<'outBatchNo', 'batchNo'> & {
    outOrderNos: string;
    channelExtra: string;
    remark?: string;
  };
  'account/withdraw': WithdrawRequest;
  'account/queryWithdraw': OneOf<'outOrderNo', 'orderNo'>;
  'query/deposit': { startDate: Day; endDate: Day; payeeAcctNo: string; page: number; pageSize: number };
  'get/transFiles':
    { transType: '1'; orderNo: string } | ({ transType: '2' | '3' } & OneOf<'outOrderNo', 'orderNo'>);
  'order/settle': OneOf<'orderNo', 'outOrderNo'> & {
    remark: string;
    recvAcctName?: string;
    recvAcctNo?: string;
  };
}

/** `orderList` is the JSON text of `PayChild[]` (ENV-26). */
export interface PayRequest {
  outBatchNo: string;
  payerAcctNo: string;
  num: number;
  amount: Fen;
  currency: 'CNY';
  clientIp: string;
  orderList: string;
  payMethod?: 1;
  extParam?: string;
  remark?: string;
  notifyUrl?: string;
  body?: string;
}

/** The amount travels as a string of digits here (DIV-15). */
export interface PayChild {
  outOrderNo: string;
  body: string;
  amount: string;
  payeeAcctNo: string;
  extParam?: string;
}

export interface WithdrawRequest {
  outOrderNo: string;
  acctNo: string;
  amount: Fen;
  channelExtra?: string;
  remark?: string;
  smsCode?: string;
  smsFlowNo?: string;
  recvAcctNo?: string;
  recvAcctName?: string;
}

export interface Answers {
  'acct/sendMsg': { smsFlowNo: string; mobile: string | undefined; sceneType: string | undefined };
  'acct/addApply': OpeningState;
  'acct/auditApply': OpeningState;
  'acct/auditApplyResult': OpeningState;
  'acct/reviseApply': OpeningState;
  'acct/changeApply': OpeningState;
  'acct/changeConfirm': OpeningState;
  'acct/changeApplyResult': OpeningState;
  'acct/queryInfo': AccountInfo;
  'division/pay': TransferBatch;
  'division/query': TransferBatch;
  'division/refund': TransferBatch;
  'account/withdraw': Withdrawal;
  'account/queryWithdraw': Withdrawal;
  'query/deposit': DepositPage;
  'get/transFiles': { files: readonly string[] };
  'order/settle': SettleAnswer;
}

export interface OpeningState {
  reqNo: string | undefined;
  outReqNo: string | undefined;
  /** 1, 2, 3, 5, 7, 8, 11, 100 are known; any other number is kept and never final (OPN-18, VER-03). */
  state: number | undefined;
  /** The state's word; `unknown` for a number the document does not list. */
  step: OpeningStep | undefined;
  /** Whether the profile says that nothing more is expected of this state (U11). */
  isFinal: boolean;
  remark: string | undefined;
  accountNo: string | undefined;
  eleAcctNo: string | undefined;
  accountState: string | undefined;
  recordId: string | undefined;
}

export interface AccountInfo {
  accountNo: string | undefined;
  eleAcctNo: string | undefined;
  eleAcctName: string | undefined;
  /** `0` closed, `1` activated, `2` pending activation; others are kept (ACC-04). */
  accountState: string | undefined;
  /** Undefined where the platform does not state it or states no amount: unknown, never zero (ACC-02). */
  balanceFen: Fen | undefined;
  frozenFen: Fen | undefined;
  availableFen: Fen | undefined;
  /** What is stated as frozen or available and is no amount: it is not as if nothing were stated. */
  amountFault: string | undefined;
  bindAcctInfo: JsonObject | undefined;
  whiteAcctList: readonly unknown[] | undefined;
  openReqNo: string | undefined;
  remark: string | undefined;
}

export interface TransferBatch {
  outBatchNo: string | undefined;
  batchNo: string | undefined;
  state: string | undefined;
  orders: readonly TransferOrder[];
  extParam: string | undefined;
  note: string | undefined;
}

/** A child order. `payerAcctNo` is read from either spelling (DIV-25). */
export interface TransferOrder {
  outOrderNo: string | undefined;
  orderNo: string | undefined;
  body: string | undefined;
  amountFen: Fen | undefined;
  realFen: Fen | undefined;
  feeFen: Fen | undefined;
  feeType: string | undefined;
  payerAcctNo: string | undefined;
  payeeAcctNo: string | undefined;
  state: string | undefined;
  settleState: string | undefined;
  settleRemark: string | undefined;
  refundFen: Fen | undefined;
  extParam: string | undefined;
  note: string | undefined;
  /** Members that could not be read, each with its reason; such an order is never posted or retried (P9, P11). */
  faults: readonly string[];
}

/** `feeFen` is read from `mchFee` or `fee` (WDR-09). */
export interface Withdrawal {
  outOrderNo: string | undefined;
  orderNo: string | undefined;
  acctNo: string | undefined;
  state: string | undefined;
  amountFen: Fen | undefined;
  feeFen: Fen | undefined;
  feeType: string | undefined;
  realFen: Fen | undefined;
  note: string | undefined;
}

export interface SettleAnswer extends Withdrawal {
  payerName: string | undefined;
  payerBankAcctNo: string | undefined;
}

export interface DepositPage {
  total: number;
  /** The echo of what was asked, where the answer states it. */
  page: number | undefined;
  pageSize: number | undefined;
  deposits: readonly DepositRecord[];
  /** Records that cannot be read, each with its reason; they never block their page (P9, P16). */
  unreadable: readonly UnreadableRecord[];
}

export type DepositRecord = DepositContent;

export interface UnreadableRecord {
  /** The record's orderNo where that much could be read, else `#` and the start of its content's SHA-256. */
  reference: string;
  /** Its depositTime where that could be read. */
  depositedAt: Instant | undefined;
  /** Which member and why, without its value where that is personal. */
  reason: string;
}
