/**
 * The decoders of all 17 endpoints. What an answer leaves out is undefined, unknown words and members are
 * kept or passed over, and nothing new on the platform's side ends in a crash (VER-03, U46).
 */
import { isJsonObject, member } from '../core/json.ts';
import type { JsonObject } from '../core/json.ts';
import type { Profile } from '../core/profile/profile.ts';
import type { AccountInfo, Answers, EndpointName, OpeningState } from './contract.ts';
import { decodeDepositPage } from './decode-deposit.ts';
import {
  countMember,
  fenMember,
  listMember,
  storableObject,
  storableValue,
  textMember,
  unreadableAnswer,
} from './decode-members.ts';
import type { Decoding } from './decode-members.ts';
import { decodeBatch, decodeSettlement, decodeWithdrawal } from './decode-orders.ts';
import { isFinalOpening, openingStep } from './opening-states.ts';

export type Decoders = { readonly [K in EndpointName]: (biz: JsonObject, decoding: Decoding) => Answers[K] };

/** A decoder throws OutcomeUnknown when the answer, though signed, says nothing that can be believed. */
export const DECODERS: Decoders = {
  'acct/sendMsg': decodeSms,
  'acct/addApply': decodeOpening,
  'acct/auditApply': decodeOpening,
  'acct/auditApplyResult': decodeOpening,
  'acct/reviseApply': decodeOpening,
  'acct/changeApply': decodeOpening,
  'acct/changeConfirm': decodeOpening,
  'acct/changeApplyResult': decodeOpening,
  'acct/queryInfo': decodeAccount,
  'division/pay': (biz, decoding) => decodeBatch('division/pay', biz, decoding),
  'division/query': (biz, decoding) => decodeBatch('division/query', biz, decoding),
  'division/refund': (biz, decoding) => decodeBatch('division/refund', biz, decoding),
  'account/withdraw': (biz, decoding) => decodeWithdrawal('account/withdraw', biz, decoding),
  'account/queryWithdraw': (biz, decoding) => decodeWithdrawal('account/queryWithdraw', biz, decoding),
  'query/deposit': decodeDepositPage,
  'get/transFiles': decodeFiles,
  'order/settle': decodeSettlement,
};

function decodeSms(biz: JsonObject): Answers['acct/sendMsg'] {
  const smsFlowNo = textMember(biz, 'smsFlowNo');
  if (smsFlowNo === undefined) throw unreadableAnswer('acct/sendMsg', 'smsFlowNo is missing');
  return { smsFlowNo, mobile: textMember(biz, 'mobile'), sceneType: textMember(biz, 'sceneType') };
}

/** Openings and changes: the state is a number, and one that is not known is kept (OPN-18, CHG-18). */
function decodeOpening(biz: JsonObject, { profile }: Decoding): OpeningState {
  const state = countMember(biz, 'state');
  return {
    reqNo: textMember(biz, 'reqNo'),
    outReqNo: textMember(biz, 'outReqNo'),
    state,
    step: openingStep(state),
    isFinal: isFinalOpening(state, profile),
    remark: textMember(biz, 'remark'),
    accountNo: textMember(biz, 'accountNo'),
    eleAcctNo: textMember(biz, 'eleAcctNo'),
    accountState: textMember(biz, 'accountState'),
    recordId: recordIdIn(biz, profile),
  };
}

/** The first of the configured members that is there (OPN-25, U12). */
export function recordIdIn(biz: JsonObject, { opening }: Pick<Profile, 'opening'>): string | undefined {
  for (const path of opening.recordIdPaths) {
    const recordId = textAtPath(biz, path);
    if (recordId !== undefined) return recordId;
  }
  return undefined;
}

/** `record.recordId` looks into the member `record` (OPN-25, U12). */
function textAtPath(biz: JsonObject, path: string): string | undefined {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return textMember(biz, name);
  const inner = member(biz, name);
  return isJsonObject(inner) ? textAtPath(inner, rest.join('.')) : undefined;
}

/** A balance that is absent or no whole fen is unknown, never zero (ACC-02, ACC-03). */
function decodeAccount(biz: JsonObject): AccountInfo {
  const partOf = (name: string) => (member(biz, name) === '' ? undefined : fenMember(biz, [name]));
  const [frozen, available] = [partOf('frozen'), partOf('availableBalance')];
  const bound = member(biz, 'bindAcctInfo');
  const white = member(biz, 'whiteAcctList');
  return {
    accountNo: textMember(biz, 'accountNo'),
    eleAcctNo: textMember(biz, 'eleAcctNo'),
    eleAcctName: textMember(biz, 'eleAcctName'),
    accountState: textMember(biz, 'accountState'),
    balanceFen: fenMember(biz, ['balance']).value,
    frozenFen: frozen?.value,
    availableFen: available?.value,
    amountFault: frozen?.fault ?? available?.fault,
    bindAcctInfo: isJsonObject(bound) ? storableObject(bound) : undefined,
    whiteAcctList: Array.isArray(white) ? white.map(storableValue) : undefined,
    openReqNo: textMember(biz, 'openReqNo'),
    remark: textMember(biz, 'remark'),
  };
}

/** All files of an answer, each as the Base64 text it came in (VCH-06, U51). */
function decodeFiles(biz: JsonObject): Answers['get/transFiles'] {
  const list = listMember(biz, 'fileList');
  if (list === undefined) throw unreadableAnswer('get/transFiles', 'fileList is no list');
  const files = list.map((element) => {
    const file = isJsonObject(element) ? member(element, 'file') : element;
    if (typeof file === 'string') return file;
    throw unreadableAnswer('get/transFiles', 'an element of fileList holds no file');
  });
  return { files };
}
