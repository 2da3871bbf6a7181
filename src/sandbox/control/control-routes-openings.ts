/** The paths of the control surface for openings, changes and how they go. */
import { instantOf } from '../../core/time.ts';
import { nothing, planRoutes, route } from './control-route.ts';
import type { ControlRoute } from './control-route.ts';
import type { StateTurn } from '../openings/application-life.ts';
import { subjectAt } from '../openings/application.ts';
import type { Change, Opening } from '../openings/application.ts';
import { decisionSchema } from '../openings/decision-schema.ts';
import type { DecisionSeed } from '../openings/decision-schema.ts';
import type { World } from '../world/world.ts';

/** The newest of each kind; more would be unreadable. */
const SHOWN_MAX = 1_000;

export const OPENING_ROUTES: readonly ControlRoute[] = [
  route({
    method: 'GET',
    path: '/openings',
    takes: '',
    does: 'the newest 1,000 openings with recordId, life, account, and the subject’s data as they hold now',
    schema: nothing,
    run: ({ world }) => ({
      openings: world.applications
        .openings()
        .slice(-SHOWN_MAX)
        .map((opening) => shownOpening(world, opening)),
    }),
  }),
  route({
    method: 'GET',
    path: '/changes',
    takes: '',
    does: 'the newest 1,000 changes of subject data with life and with what they replace',
    schema: nothing,
    run: ({ world }) => ({ changes: world.applications.changes().slice(-SHOWN_MAX).map(shownChange) }),
  }),
  ...planRoutes({
    name: 'decisions',
    listed: ' for openings and changes, with their numbers and how many each still makes',
    takes:
      '`kind` (`opening`, `change`), `times` (null: always), for `outReqNo`, `subjectId` (openings) or `recordId` (changes); `result` (`accepted`, `rejectedByReview`, `rejectedByChannel`), `remark`; how long states last: `reviewMs` (7), `queueMs` (100), `processMs` (1), or all after the confirmation as `states` (`afterMs`, `state`, `remark`); of openings `firstState` (5, 7), `manualMs` (11; null: none), and of the account `accountState`, `activatedAfterMs`, `autoSettle`',
    does: 'plans how the next openings and changes go',
    seed: decisionSchema,
    plansOf: (world) => world.decisions,
    plan: (sandbox, seeds) => sandbox.planDecisions(seeds as DecisionSeed[]),
  }),
];

function shownOpening(world: World, opening: Opening): unknown {
  const { merchant, reqNo, outReqNo, recordId, role, submittedAtMs, notifyUrl, life, account } = opening;
  return {
    merchant,
    reqNo,
    outReqNo,
    recordId,
    role,
    submittedAt: instantOf(submittedAtMs),
    notifyUrl,
    life: shownLife(life),
    account: account && { accountNo: account.accountNo, openedAt: instantOf(account.openedAtMs) },
    subject: subjectAt(opening, world.clock.nowMs()),
  };
}

function shownChange({ opening, submittedAtMs, life, decision: _decision, ...change }: Change): unknown {
  const { merchant, recordId } = opening;
  return { merchant, recordId, ...change, submittedAt: instantOf(submittedAtMs), life: shownLife(life) };
}

function shownLife(life: readonly StateTurn[]): unknown {
  return life.map(({ atMs, ...turn }) => ({ at: instantOf(atMs), ...turn }));
}
