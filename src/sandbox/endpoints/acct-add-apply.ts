/** `acct/addApply`: applies for an account (OPN-01…11, OPN-F01…F44). */
import { member } from '../../core/json.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Call } from '../protocol/handler.ts';
import { takeDecision } from '../openings/decision-plan.ts';
import { nextNumber, nextRecordId } from '../world/numbers.ts';
import { submittedTurns } from '../openings/application-course.ts';
import { pushOpening } from '../openings/application-pushes.ts';
import { wireAccepted } from '../openings/application-wire.ts';
import { identityOf } from '../openings/application.ts';
import type { Opening } from '../openings/application.ts';
import { readOpeningSubject } from '../openings/read-subject.ts';
import { requireOpeningFree } from '../openings/subject-claims.ts';
import { optionalText, requireNumber, requireText } from '../protocol/params.ts';
import { wrongParameter } from '../protocol/refusal.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for wrong members, a number that is used, a subject that is under review or has its account */
export function addApply({ world, biz, caller }: Call<'acct/addApply'>): WireObject {
  const { merchant } = caller.credential;
  requireChannel(world, biz);
  const outReqNo = requireNumber(biz, 'outReqNo', world.switches);
  const role = requireRole(world, biz);
  const notifyUrl = optionalText(biz, 'notifyUrl', world.switches) ?? '';
  const subject = readOpeningSubject(world, biz, { occasion: 'opening', role, merchant, reqNo: '' });
  world.applications.requireNewOutReqNo(merchant, outReqNo);
  requireOpeningFree(world, subject, { merchant, role, opening: undefined });
  const decision = takeDecision(world.decisions, 'opening', { outReqNo, subjectId: identityOf(subject) });
  const nowMs = world.clock.nowMs();
  const answered = decision?.firstState ?? world.switches.addApplyState;
  const opening: Opening = {
    merchant,
    reqNo: nextNumber(world, 'OA', nowMs),
    outReqNo,
    recordId: nextRecordId(world, nowMs),
    role,
    submittedAtMs: nowMs,
    subject,
    caller,
    notifyUrl,
    life: [],
    decision,
    reviewed: answered === 7,
    account: undefined,
    changes: [],
  };
  opening.life.push(...submittedTurns(world, opening, answered));
  world.applications.addOpening(opening);
  pushOpening(world, opening, opening.life);
  return wireAccepted(world, opening, answered);
}

/** OPN-06, OPN-20. @throws Refused unless ifCode is the channel code */
export function requireChannel(world: World, biz: JsonObject): void {
  if (requireText(biz, 'ifCode', world.switches) !== world.channelCode) {
    throw wrongParameter('ifCode', 'it must be the channel code');
  }
}

function requireRole(world: World, biz: JsonObject): 'FQ' | 'JS' {
  const role = member(biz, 'acctRole');
  if (role === 'FQ' || role === 'JS') return role;
  requireText(biz, 'acctRole', world.switches);
  throw wrongParameter('acctRole', 'it must be FQ or JS');
}
