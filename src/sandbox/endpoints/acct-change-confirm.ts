/** `acct/changeConfirm`: confirms a change with the code that was sent for it (CHG-15…17). */
import type { Call } from '../protocol/handler.ts';
import { takeDecision } from '../openings/decision-plan.ts';
import { restingState, STATE } from '../openings/application-life.ts';
import { confirmedTurns } from '../openings/application-course.ts';
import { pushChange } from '../openings/application-pushes.ts';
import { applicationNoOf, noSuchApplication } from '../openings/application-index.ts';
import { requireNumber, requireText } from '../protocol/params.ts';
import { Refused } from '../protocol/refusal.ts';
import { requireSmsCode } from '../world/sms-codes.ts';
import type { WireObject } from '../protocol/wire.ts';

/** @throws Refused without number or code, for a change that is not pending signing, for a wrong code */
export function changeConfirm({ world, biz, caller }: Call<'acct/changeConfirm'>): WireObject {
  const { merchant } = caller.credential;
  const given = {
    smsFlowNo: requireNumber(biz, 'smsFlowNo', world.switches),
    smsCode: requireText(biz, 'smsCode', world.switches),
  };
  const change = world.applications.change(merchant, applicationNoOf(biz, world.switches));
  if (!change) throw noSuchApplication();
  const { reqNo, outReqNo, opening, life } = change;
  if (restingState(life, world.clock.nowMs()) !== STATE.SIGNING) {
    throw new Refused('STATE', '申请单状态不允许确认 (the change is not pending signing)');
  }
  const applicationNos = [reqNo, opening.reqNo];
  const code = requireSmsCode(world, given, { merchant, applicationNos, sceneType: 'MODIFY' });
  code.used = true;
  const { recordId } = opening;
  change.decision ??= takeDecision(world.decisions, 'change', { outReqNo, recordId });
  const turns = confirmedTurns(world, change);
  life.push(...turns);
  pushChange(world, change, { turns, caller });
  return { reqNo, outReqNo, state: world.switches.changeConfirmState };
}
