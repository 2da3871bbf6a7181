/** `acct/sendMsg`: sends an authorization code, which only the control surface reveals (SMS-02…06). */
import type { JsonObject } from '../../core/json.ts';
import type { Call } from '../protocol/handler.ts';
import { nextNumber } from '../world/numbers.ts';
import { receiverOf } from '../openings/sms-receiver.ts';
import { requireNumber, requireText } from '../protocol/params.ts';
import { Refused, wrongParameter } from '../protocol/refusal.ts';
import { SMS_SCENES } from '../world/sms-codes.ts';
import type { SmsScene } from '../world/sms-codes.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';

/** Where an account has no phone, and for codes asked for with the channel code. */
const USUAL_MOBILE = '13800000000';

/** @throws Refused for a scene or a reqNo nobody knows (U7), and for an outReqNo that comes again if it may not (U8) */
export function sendMsg({ world, biz, caller }: Call<'acct/sendMsg'>): WireObject {
  const { merchant } = caller.credential;
  const reqNo = requireText(biz, 'reqNo', world.switches);
  const outReqNo = requireNumber(biz, 'outReqNo', world.switches);
  const sceneType = requireScene(world, biz);
  if (world.switches.smsOutReqNoOnce && world.smsCodes.wasAsked({ merchant, outReqNo })) {
    throw new Refused('DUPLICATE', '商户请求号重复 (duplicate outReqNo)');
  }
  const { mobile, accountNo, applicationNo } = receiverOf(world, merchant, { reqNo, outReqNo, sceneType });
  const nowMs = world.clock.nowMs();
  const smsFlowNo = nextNumber(world, 'SM', nowMs);
  world.smsCodes.add({
    smsFlowNo,
    smsCode: String(world.random.whole({ min: 0, max: 999_999 })).padStart(6, '0'),
    outReqNo,
    sceneType,
    merchant,
    accountNo,
    applicationNo,
    sentAtMs: nowMs,
    used: false,
  });
  const isListed = sceneType !== 'REFUND' || world.switches.smsRefundSceneEchoed;
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

/** `138****5678` (SMS-05); of a phone that is shorter than that nothing is shown. */
function masked(mobile: string): string {
  return mobile.length < SHOWN_LENGTH_MIN ? '****' : `${mobile.slice(0, 3)}****${mobile.slice(-4)}`;
}

const SHOWN_LENGTH_MIN = 11;
