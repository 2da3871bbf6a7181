/** Openings and changes as answers and pushes show them (OPN-11, OPN-18, OPN-24, OPN-25, CHG-18, EVT-01, EVT-06). */
import type { WireObject } from '../protocol/wire.ts';
import { isOpen, stateAt } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { STATE, stateTurnAt } from './application-life.ts';
import type { StateTurn } from './application-life.ts';
import type { Change, Opening } from './application.ts';

/** What addApply, auditApply and reviseApply answer: the state is a number. */
export function wireAccepted(world: World, opening: Opening, state: number): WireObject {
  const { reqNo, outReqNo, recordId } = opening;
  return { reqNo, outReqNo, state, [world.switches.recordIdName]: recordId };
}

/** What auditApplyResult answers at an instant. */
export function wireOpening(world: World, opening: Opening, ms: number): WireObject {
  const turn = stateTurnAt(opening.life, ms);
  const { reqNo, outReqNo, recordId } = opening;
  return {
    reqNo,
    outReqNo,
    ...saidOf(turn),
    ...accountMembers(opening, ms),
    [world.switches.recordIdName]: recordId,
  };
}

/** What is pushed of its result: as it was when that came about, whenever it is delivered. */
export function wireOpeningResult(world: World, opening: Opening, turn: StateTurn): WireObject {
  const { reqNo, outReqNo, recordId } = opening;
  const noAccount = world.switches.rejectedAccountNo === 'empty' ? { accountNo: '' } : {};
  return {
    reqNo,
    outReqNo,
    ...saidOf(turn),
    ...(turn.state === STATE.DONE ? accountMembers(opening, turn.atMs) : noAccount),
    [world.switches.recordIdName]: recordId,
  };
}

/** What changeApplyResult answers at an instant. */
export function wireChange(change: Change, ms: number): WireObject {
  return wireChangeResult(change, stateTurnAt(change.life, ms), ms);
}

export function wireChangeResult(change: Change, turn: StateTurn | undefined, ms: number): WireObject {
  const { reqNo, opening } = change;
  const { accountNo, eleAcctNo } = accountMembers(opening, ms);
  return { reqNo, ...saidOf(turn), accountNo, eleAcctNo };
}

/** Before the beginning, which a clock that is set back can show, it waits to be signed. */
function saidOf(turn: StateTurn | undefined): { state: number; remark?: string } {
  const { state, remark } = turn ?? { state: STATE.SIGNING, remark: '' };
  return remark === '' ? { state } : { state, remark };
}

/** Once there is an account. */
function accountMembers({ account }: Opening, ms: number): WireObject {
  if (!account || !isOpen(account, ms)) return {};
  const { accountNo, eleAcctNo } = account;
  return { accountNo, eleAcctNo, accountState: stateAt(account, ms) };
}
