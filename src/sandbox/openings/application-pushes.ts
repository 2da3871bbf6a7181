/** What is pushed of openings and changes: their final results (EVT-01, EVT-02, EVT-03, EVT-06, U41). */
import type { Caller } from '../protocol/sandbox-keys.ts';
import { pushBody } from '../protocol/reply.ts';
import type { World } from '../world/world.ts';
import { finalTurns } from './application-life.ts';
import type { StateTurn } from './application-life.ts';
import { wireChangeResult, wireOpeningResult } from './application-wire.ts';
import type { Change, Opening } from './application.ts';

/** @param turns what a call has just laid down */
export function pushOpening(world: World, opening: Opening, turns: readonly StateTurn[]): void {
  const { caller, notifyUrl, reqNo } = opening;
  if (notifyUrl === '') return;
  for (const turn of finalTurns(turns)) {
    world.pushes.add({
      kind: 'opening',
      url: notifyUrl,
      about: { reqNo },
      eventMs: turn.atMs,
      bodyOf: () => pushBody(world, caller, wireOpeningResult(world, opening, turn)),
    });
  }
}

/** @param caller who confirmed it */
export function pushChange(
  world: World,
  change: Change,
  of: { turns: readonly StateTurn[]; caller: Caller },
): void {
  const { pushChanges, changePushUrl } = world.switches;
  const url = changePushUrl ?? change.opening.notifyUrl;
  if (!pushChanges || url === '') return;
  for (const turn of finalTurns(of.turns)) {
    world.pushes.add({
      kind: 'change',
      url,
      about: { reqNo: change.reqNo },
      eventMs: turn.atMs,
      bodyOf: () => pushBody(world, of.caller, wireChangeResult(change, turn, turn.atMs)),
    });
  }
}
