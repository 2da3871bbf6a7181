/**
 * Completes a request as people type it: what the document fixes or what follows from the rest is put in, lists
 * and objects become the texts they travel as. What is given is never replaced by something else; what cannot be
 * completed is left as it is, for the checks to name.
 */
import { isJsonObject, member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Profile } from '../../core/profile/profile.ts';
import type { EndpointName } from '../contract.ts';
import { completeTransfer } from './complete-transfer.ts';
import { asJsonText, joined, withDefaults } from './completing.ts';
import type { Completed, CompleteRules, Completion } from './completing.ts';
import { placeWithdrawal } from './place-withdrawal.ts';

const AS_IT_IS: readonly Completion[] = [];

const STEPS: Readonly<Record<EndpointName, readonly Completion[]>> = {
  'acct/sendMsg': [smsNumbers],
  'acct/addApply': [ifCode, subjectTexts],
  'acct/auditApply': AS_IT_IS,
  'acct/auditApplyResult': AS_IT_IS,
  'acct/reviseApply': [ifCode, subjectTexts],
  'acct/changeApply': [subjectTexts],
  'acct/changeConfirm': AS_IT_IS,
  'acct/changeApplyResult': AS_IT_IS,
  'acct/queryInfo': AS_IT_IS,
  'division/pay': [completeTransfer],
  'division/query': AS_IT_IS,
  'division/refund': [
    (request) => joined(request, { name: 'outOrderNos', by: ',', what: /^[^,]+$/ }),
    (request) => asJsonText(request, 'channelExtra', isJsonObject),
  ],
  'account/withdraw': [placeWithdrawal],
  'account/queryWithdraw': AS_IT_IS,
  'query/deposit': [
    (request, { profile }) => withDefaults(request, { page: 1, pageSize: profile.deposits.pageSize }),
  ],
  'get/transFiles': AS_IT_IS,
  'order/settle': AS_IT_IS,
};

/** The same request when there is nothing to complete; the caller's object is left as it was. */
export function completeRequest(
  endpoint: EndpointName,
  request: JsonObject,
  rules: CompleteRules,
): Completed {
  let completed: Completed = { request, said: [] };
  for (const step of STEPS[endpoint]) {
    const { request: next, said } = step(completed.request, rules);
    completed = { request: next, said: [...completed.said, ...said] };
  }
  return completed;
}

/** OPN-06. */
function ifCode(request: JsonObject, { channelCode }: CompleteRules): Completed {
  return channelCode === undefined ? { request, said: [] } : withDefaults(request, { ifCode: channelCode });
}

/** The lists of the subject: modifyType (CHG-05) and extensionData (OPN-F42). */
function subjectTexts(request: JsonObject): Completed {
  const subject = member(request, 'subjectInfo');
  if (!isJsonObject(subject)) return { request, said: [] };
  const types = joined(subject, { name: 'modifyType', by: '|', what: /^[^|]+$/ });
  const files = asJsonText(types.request, 'extensionData', Array.isArray);
  const said = [...types.said, ...files.said];
  return said.length === 0
    ? { request, said }
    : { request: { ...request, subjectInfo: files.request }, said };
}

/** The number a code is asked with, where the profile says the channel code (U7), and its own one (U8). */
function smsNumbers(request: JsonObject, { profile, channelCode, newNumber }: CompleteRules): Completed {
  const scene = smsScene(request);
  if (scene === undefined) return { request, said: [] };
  const isCode = profile.sms.reqNo[scene] === 'channelCode' && channelCode !== undefined;
  const isNew = profile.sms.outReqNo[scene] === 'new' && member(request, 'outReqNo') === undefined;
  return withDefaults(request, {
    ...(isCode && { reqNo: channelCode }),
    ...(isNew && { outReqNo: newNumber() }),
  });
}

type SmsScene = keyof Profile['sms']['reqNo'];

const SCENES: readonly SmsScene[] = ['OPEN', 'MODIFY', 'WHITE_SET', 'REFUND'];

/** The scene of a code, where it is one that is known (SMS-04). */
export function smsScene(request: JsonObject): SmsScene | undefined {
  return SCENES.find((scene) => scene === member(request, 'sceneType'));
}
