/** `acct/auditApply`: confirms an opening with the code that was sent for it (OPN-12…16). */
import type { Call } from '../protocol/handler.ts';
import { takeDecision } from '../openings/decision-plan.ts';
import { doneAtMs, restingState, STATE } from '../openings/application-life.ts';
import { signedTurns } from '../openings/application-course.ts';
import { pushOpening } from '../openings/application-pushes.ts';
import { noSuchApplication } from '../openings/application-index.ts';
import { wireAccepted } from '../openings/application-wire.ts';
import { identityOf } from '../openings/application.ts';
import type { Opening } from '../openings/application.ts';
import { openAccount } from '../openings/opened-account.ts';
import { requireNumber, requireText } from '../protocol/params.ts';
import { Refused } from '../protocol/refusal.ts';
import { requireSmsCode } from '../world/sms-codes.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for absent members, numbers that do not belong together, a wrong state, a wrong code */
export function auditApply({ world, biz, caller }: Call<'acct/auditApply'>): WireObject {
  const { merchant } = caller.credential;
  const given = {
    smsFlowNo: requireText(biz, 'smsFlowNo', world.switches),
    smsCode: requireText(biz, 'smsCode', world.switches),
  };
  const reqNo = requireText(biz, 'reqNo', world.switches);
  const outReqNo = requireNumber(biz, 'outReqNo', world.switches);
  const opening = world.applications.opening(merchant, { reqNo });
  if (opening?.outReqNo !== outReqNo) throw noSuchApplication();
  requireSigning(world, opening);
  const code = requireSmsCode(world, given, { merchant, applicationNos: [reqNo], sceneType: 'OPEN' });
  code.used = true;
  sign(world, opening);
  return wireAccepted(world, opening, world.switches.auditApplyState);
}

function requireSigning(world: World, { life }: Opening): void {
  if (restingState(life, world.clock.nowMs()) === STATE.SIGNING) return;
  throw new Refused('STATE', '申请单状态不允许认证 (the opening is not pending signing)');
}

/** Everything that becomes of it is decided now, the account it makes included. */
function sign(world: World, opening: Opening): void {
  const match = { outReqNo: opening.outReqNo, subjectId: identityOf(opening.subject) };
  opening.decision ??= takeDecision(world.decisions, 'opening', match);
  const turns = signedTurns(world, opening);
  const openedAtMs = doneAtMs(turns);
  if (openedAtMs !== undefined) opening.account = openAccount(world, opening, openedAtMs);
  opening.life.push(...turns);
  pushOpening(world, opening, turns);
}
