/** Which decision was planned for an application: by its number, else for its subject or record, else for any (CTL). */
import { rankBy } from '../world/plan-list.ts';
import type { PlanList } from '../world/plan-list.ts';
import type { Decision, DecisionKind, DecisionOf } from './decision-schema.ts';

/** What a decision may have been planned for. */
interface Match {
  outReqNo: string;
  subjectId?: string;
  recordId?: string;
}

/** Uses it up, so it is asked for when nothing can refuse the call any more. */
export function takeDecision<K extends DecisionKind>(
  decisions: PlanList<Decision>,
  kind: K,
  match: Match,
): DecisionOf<K> | undefined {
  const draft = decisions.draft();
  const taken = draft.take((decision) => (decision.kind === kind ? rankOf(decision, match) : 0));
  draft.keep();
  return taken as DecisionOf<K> | undefined;
}

function rankOf(decision: Decision, { outReqNo, subjectId, recordId }: Match): number {
  const number = [decision.outReqNo, outReqNo] as const;
  return decision.kind === 'opening'
    ? rankBy(number, [decision.subjectId, subjectId])
    : rankBy(number, [decision.recordId, recordId]);
}
