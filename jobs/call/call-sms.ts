/** The number an SMS code is asked with, where the profile wants one that people do not have at hand (U7). */
import { WrongInput } from '../../src/core/errors.ts';
import { member } from '../../src/core/json.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { maskPersonal } from '../../src/core/mask.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { PlatformClient } from '../../src/platform/client.ts';
import { smsScene } from '../../src/platform/requests/complete.ts';

/** What the platform is asked for first; a query, so that it does no harm. */
export type NumberLookUp = { by: 'account'; accountNo: string } | { by: 'change'; outReqNo: string };

/**
 * How the absent reqNo of a code is found: the opening's number by the account that is given instead of it (a
 * refund's code goes to the payee), the change's number by our own one. Undefined where it must be given.
 */
export function smsLookUp(biz: JsonObject, { sms }: Profile): NumberLookUp | undefined {
  const scene = smsScene(biz);
  if (scene === undefined || member(biz, 'reqNo') !== undefined) return undefined;
  const [accountNo, outReqNo] = [textIn(biz, 'accountNo'), textIn(biz, 'outReqNo')];
  if (sms.reqNo[scene] === 'openReqNo' && accountNo !== undefined) return { by: 'account', accountNo };
  const isChange = scene === 'MODIFY' && sms.reqNo[scene] === 'reqNo';
  return isChange && outReqNo !== undefined ? { by: 'change', outReqNo } : undefined;
}

/** What to give where nothing can be looked up. */
export function smsHint(biz: JsonObject, { sms }: Profile): string | undefined {
  const scene = smsScene(biz);
  if (scene === undefined || member(biz, 'reqNo') !== undefined) return undefined;
  switch (sms.reqNo[scene]) {
    case 'channelCode':
      return 'it is the channel code, and PLATFORM_CHANNEL_CODE is not set';
    case 'openReqNo':
      return 'it is the openReqNo of the account; give accountNo instead, and it is looked up';
    case 'reqNo':
      return 'it is the reqNo that the application was answered with';
  }
}

function textIn(biz: JsonObject, name: string): string | undefined {
  const value = member(biz, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * The request with its number, and how it was found.
 * @throws WrongInput when the platform does not say it; nothing was changed then
 */
export async function lookUpNumber(
  client: PlatformClient,
  biz: JsonObject,
  lookUp: NumberLookUp,
): Promise<{ biz: JsonObject; said: string }> {
  const { accountNo: _asked, ...rest } = biz;
  const isAccount = lookUp.by === 'account';
  const outcome = isAccount
    ? await client.call('acct/queryInfo', { accountNo: lookUp.accountNo })
    : await client.call('acct/changeApplyResult', { outReqNo: lookUp.outReqNo });
  const asked = isAccount ? `account ${lookUp.accountNo}` : `change ${lookUp.outReqNo}`;
  if (outcome.kind === 'refused') {
    const why = `${outcome.code} ${maskPersonal(outcome.msg)} · reqId ${outcome.reqId}`;
    throw new WrongInput(`reqNo: the platform does not tell the number of ${asked}: ${why}`);
  }
  const { answer } = outcome;
  const reqNo = 'openReqNo' in answer ? answer.openReqNo : answer.reqNo;
  if (reqNo === undefined)
    throw new WrongInput(`reqNo: the platform states no number for ${asked}; give reqNo`);
  return {
    biz: { ...(isAccount ? rest : biz), reqNo },
    said: `reqNo ${reqNo} (of ${asked})`,
  };
}
