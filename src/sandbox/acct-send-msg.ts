/** `acct/sendMsg`: sends an authorization code, which only the control surface reveals (SMS-02…06). */
import type { JsonObject } from '../core/json.ts';
import type { Call } from './handlers.ts';
import { nextNumber } from './numbers.ts';
import { requireNumber, requireText } from './params.ts';
import { Refused, wrongParameter } from './refusal.ts';
import { SMS_SCENES } from './sms-codes.ts';
import type { SmsScene } from './sms-codes.ts';
import type { WireObject } from './wire.ts';
import type { Account, World } from './world.ts';

/** Where an account has no phone, and for codes asked for with the channel code. */
const USUAL_MOBILE = '13800000000';

/** @throws Refused for a scene or a reqNo nobody knows (U7); an outReqNo may come again (U8) */
export function sendMsg({ world, biz, caller }: Call<'acct/sendMsg'>): WireObject {
  const { merchant } = caller.credential;
  const reqNo = requireText(biz, 'reqNo', world.switches);
  requireNumber(biz, 'outReqNo', world.switches);
  const sceneType = requireScene(world, biz);
  const receiver = receiverOf(world, merchant, reqNo);
  const nowMs = world.clock.nowMs();
  const smsFlowNo = nextNumber(world, 'SM', nowMs);
  world.smsCodes.add({
    smsFlowNo,
    smsCode: String(world.random.whole({ min: 0, max: 999_999 })).padStart(6, '0'),
    sceneType,
    merchant,
    accountNo: receiver?.accountNo,
    sentAtMs: nowMs,
    used: false,
  });
  const isListed = sceneType !== 'REFUND' || world.switches.smsRefundSceneEchoed;
  const mobile = receiver?.bindCard.mobile ?? '';
  return {
    smsFlowNo,
    mobile: masked(mobile === '' ? USUAL_MOBILE : mobile),
    ...(isListed ? { sceneType } : {}),
  };
}

function requireScene(world: World, biz: JsonObject): SmsScene {
  const given = requireText(biz, 'sceneType', world.switches);
  const scene = SMS_SCENES.find((known) => known === given);
  if (!scene) throw wrongParameter('sceneType', `it must be one of ${SMS_SCENES.join(', ')}`);
  return scene;
}

/** Undefined for the channel code, which names nobody. */
function receiverOf(world: World, merchant: string, reqNo: string): Account | undefined {
  if (reqNo === world.channelCode) return undefined;
  for (const account of world.accounts.values()) {
    if (account.merchant === merchant && account.openReqNo === reqNo) return account;
  }
  throw new Refused('NOT_FOUND', '申请单不存在 (reqNo not found)');
}

/** `138****5678` (SMS-05). */
function masked(mobile: string): string {
  return `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;
}
