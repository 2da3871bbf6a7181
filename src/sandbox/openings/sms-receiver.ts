/** Whose phone an authorization code goes to, and what it may be used for (SMS-02, U7, U8, ACC-07). */
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import type { SmsScene } from '../world/sms-codes.ts';
import { findAccountOpenedBy } from '../world/world.ts';
import type { World } from '../world/world.ts';
import { subjectAt } from './application.ts';
import type { Change, Opening } from './application.ts';

export interface SmsReceiver {
  accountNo: string | undefined;
  applicationNo: string | undefined;
  /** Empty where none is known. */
  mobile: string;
}

/**
 * reqNo may be the channel code, or the number of an opening, of a change, or openReqNo of an account. Where it does
 * not name the opening or change itself, outReqNo does if it is that of one.
 * @throws Refused for a reqNo nobody knows, and for one of the kind that the switch does not take
 */
export function receiverOf(
  world: World,
  merchant: string,
  asked: { reqNo: string; outReqNo: string; sceneType: SmsScene },
): SmsReceiver {
  const { reqNo, outReqNo, sceneType } = asked;
  const { applications } = world;
  requireTakenKind(world, reqNo === world.channelCode ? 'channelCode' : 'application');
  const named = sceneType === 'MODIFY' ? applications.change(merchant, { outReqNo }) : undefined;
  if (reqNo === world.channelCode) {
    if (named) return forChange(world, named);
    const opening = sceneType === 'OPEN' ? applications.opening(merchant, { outReqNo }) : undefined;
    return opening ? forOpening(world, opening) : { ...NOBODY };
  }
  const change = applications.change(merchant, { reqNo });
  if (change) return forChange(world, change);
  const opening = applications.opening(merchant, { reqNo });
  if (opening) return named?.opening === opening ? forChange(world, named) : forOpening(world, opening);
  const account = findAccountOpenedBy(world, merchant, reqNo);
  if (!account) throw new Refused('NOT_FOUND', '申请单不存在 (reqNo not found)');
  return { accountNo: account.accountNo, applicationNo: reqNo, mobile: account.bindCard.mobile };
}

function requireTakenKind({ switches }: World, kind: 'channelCode' | 'application'): void {
  if (switches.smsReqNo === 'either' || switches.smsReqNo === kind) return;
  const wanted = kind === 'application' ? 'the channel code' : 'the number of an application';
  throw wrongParameter('reqNo', `it must be ${wanted}`);
}

const NOBODY: SmsReceiver = { accountNo: undefined, applicationNo: undefined, mobile: '' };

/** Once there is an account its owner receives codes for everything, as an openReqNo (ACC-07). */
function forOpening(world: World, opening: Opening): SmsReceiver {
  const account = findAccountOpenedBy(world, opening.merchant, opening.reqNo);
  const phone = subjectAt(opening, world.clock.nowMs())['idCardPhone'] ?? '';
  const mobile = account?.bindCard.mobile ?? '';
  return {
    accountNo: account?.accountNo,
    applicationNo: opening.reqNo,
    mobile: mobile === '' ? phone : mobile,
  };
}

/** The phone that is known by now: new data do not hold before the change is done. */
function forChange(world: World, { opening, reqNo }: Change): SmsReceiver {
  const { mobile } = forOpening(world, opening);
  return { accountNo: undefined, applicationNo: reqNo, mobile };
}
