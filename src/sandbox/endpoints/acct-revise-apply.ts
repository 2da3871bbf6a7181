/** `acct/reviseApply`: submits a rejected opening again, with new data or as it was (OPN-19…23). */
import { member } from '../../core/json.ts';
import { requireChannel } from './acct-add-apply.ts';
import type { Call } from '../protocol/handler.ts';
import { takeDecision } from '../openings/decision-plan.ts';
import { restingState, STATE } from '../openings/application-life.ts';
import { submittedTurns } from '../openings/application-course.ts';
import { pushOpening } from '../openings/application-pushes.ts';
import { applicationNoOf, noSuchApplication } from '../openings/application-index.ts';
import { wireAccepted } from '../openings/application-wire.ts';
import { identityOf } from '../openings/application.ts';
import type { Opening } from '../openings/application.ts';
import { readOpeningSubject } from '../openings/read-subject.ts';
import { requireOpeningFree } from '../openings/subject-claims.ts';
import { Refused } from '../protocol/refusal.ts';
import type { WireObject } from '../protocol/wire.ts';
import type { World } from '../world/world.ts';

/** @throws Refused without number or channel, for one that is not rejected, and for data as addApply refuses them */
export function reviseApply({ world, biz, caller }: Call<'acct/reviseApply'>): WireObject {
  const { merchant } = caller.credential;
  requireChannel(world, biz);
  const opening = world.applications.opening(merchant, applicationNoOf(biz, world.switches));
  if (!opening) throw noSuchApplication();
  requireRejected(world, opening);
  const { role, reqNo, outReqNo } = opening;
  const isSame = (member(biz, 'subjectInfo') ?? undefined) === undefined;
  const subject = isSame
    ? opening.subject
    : readOpeningSubject(world, biz, { occasion: 'resubmit', role, merchant, reqNo });
  requireOpeningFree(world, subject, { merchant, role, opening });
  const decision = takeDecision(world.decisions, 'opening', { outReqNo, subjectId: identityOf(subject) });
  const answered = decision?.firstState ?? world.switches.reviseApplyState;
  Object.assign(opening, { subject, decision, reviewed: answered === 7 });
  const turns = submittedTurns(world, opening, answered);
  opening.life.push(...turns);
  pushOpening(world, opening, turns);
  return wireAccepted(world, opening, answered);
}

function requireRejected(world: World, { life }: Opening): void {
  const state = restingState(life, world.clock.nowMs());
  if (state === STATE.REJECTED || state === STATE.REVIEW_REJECTED) return;
  throw new Refused('STATE', '申请单状态不允许重新提交 (the opening is not rejected)');
}
