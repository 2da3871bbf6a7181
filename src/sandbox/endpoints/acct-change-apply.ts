/** `acct/changeApply`: applies for a change of a subject's data (CHG-01…14). */
import type { Call } from '../protocol/handler.ts';
import { takeDecision } from '../openings/decision-plan.ts';
import { nextNumber } from '../world/numbers.ts';
import { doneAtMs, STATE, turnsOf } from '../openings/application-life.ts';
import { subjectAt } from '../openings/application.ts';
import type { Change, Opening, Subject } from '../openings/application.ts';
import { replacedBy, requireChangeNeeds } from '../openings/change-needs.ts';
import { readSubject, requireWellFormed } from '../openings/read-subject.ts';
import { requireChangeFree } from '../openings/subject-claims.ts';
import { requireNumber, requireText } from '../protocol/params.ts';
import { Refused } from '../protocol/refusal.ts';
import type { WireObject } from '../protocol/wire.ts';
import { isOpen, stateAt } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** @throws Refused for a record that supports no change, a used number, data that lack what the change needs */
export function changeApply({ world, biz, caller }: Call<'acct/changeApply'>): WireObject {
  const { merchant } = caller.credential;
  const opening = requireRecord(world, merchant, requireText(biz, 'recordId', world.switches));
  const outReqNo = requireNumber(biz, 'outReqNo', world.switches);
  const given = readSubject(world, biz, 'change');
  const replaced = requireReplaced(world, opening, given);
  world.applications.requireNewOutReqNo(merchant, outReqNo);
  requireChangeFree(world, { opening, replaced });
  const { recordId } = opening;
  const decision = takeDecision(world.decisions, 'change', { outReqNo, recordId });
  const nowMs = world.clock.nowMs();
  const change: Change = {
    opening,
    reqNo: nextNumber(world, 'CA', nowMs),
    outReqNo,
    submittedAtMs: nowMs,
    modifyType: given['modifyType'] ?? '',
    replaced,
    life: turnsOf([{ afterMs: 0, state: STATE.SIGNING }], nowMs),
    decision,
  };
  world.applications.addChange(change);
  return { reqNo: change.reqNo, outReqNo, state: STATE.SIGNING };
}

/** CHG-01. @throws Refused unless it is a record of the caller that made an account, which is not closed */
function requireRecord(world: World, merchant: string, recordId: string): Opening {
  const opening = world.applications.openingOfRecord(merchant, recordId);
  if (!opening) throw new Refused('NOT_FOUND', '开户业务记录不存在 (no opening record has this recordId)');
  const { account, life } = opening;
  const nowMs = world.clock.nowMs();
  const isDone = (doneAtMs(life) ?? Infinity) <= nowMs;
  if (!isDone || !account || !isOpen(account, nowMs) || stateAt(account, nowMs) === '0') {
    throw new Refused(
      'STATE',
      '开户业务记录不支持变更 (the opening record is not successful, or its account closed)',
    );
  }
  return opening;
}

/** What the change replaces, once all that it brings is well formed and complete. */
function requireReplaced(world: World, opening: Opening, given: Subject): Subject {
  const { switches } = world;
  const asked = { given, current: subjectAt(opening, world.clock.nowMs()), switches };
  const types = requireChangeNeeds(asked);
  const subject = { ...asked.current, ...given };
  requireWellFormed({ subject, occasion: 'change', role: opening.role, agentUses: 0, switches });
  return replacedBy(asked, types);
}
