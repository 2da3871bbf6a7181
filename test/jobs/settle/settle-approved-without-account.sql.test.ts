/**
 * The platform may not know the payee's account any more: no balance will ever be read, and a person can end the attempt
 * all the same, who is told so (docs/settlements.md).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import type { SettleOutcome } from '../../../jobs/night/settle/settle-step.ts';
import { zone } from '../../helpers/night.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

function shows({ isKnown, signed = true }: { isKnown: boolean; signed?: boolean }): void {
  world.sandbox.liftFaults();
  const path = 'acct/queryInfo';
  const times = 1_000;
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times, set });
  if (isKnown) return;
  world.sandbox.addFault({ kind: 'unmapped_code', path, msg: '账户不存在', times });
  if (!signed) world.sandbox.addFault({ kind: 'omit_sign', path, times });
}

let runs = 0;
function stepAt(time: string, digest?: string): Promise<SettleOutcome> {
  world.moveTo(time);
  const approve = digest === undefined ? undefined : { digest, by: 'Li' };
  return world.step({ runId: `run-${++runs}`, approve });
}

/** B1-1 was sent at 02:00 and is shown as failed by every query. */
async function sent(): Promise<void> {
  await world.failed('B1', {});
  shows({ isKnown: true });
  await stepAt('02 02:00:00');
}

function digestOf(outcome: SettleOutcome): string {
  expect(settledLines(outcome)).toEqual(['B1-1 1 AWAITING']);
  return outcome.settlements[0]?.awaiting?.digest ?? '';
}

test('who is told that there is no such account may end it', async () => {
  await sent();
  shows({ isKnown: false });
  await stepAt('02 03:30:00');
  const shown = await stepAt('02 03:31:00');
  expect(settleText(shown, zone)).toContain('the platform does not know the account any more');
  const digest = digestOf(shown);
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  expect(settledLines(await stepAt('02 03:35:00', digest))).toEqual(['B1-1 1 FAIL']);
});

test('what was shown with a balance does not hold without one, nor the other way round', async () => {
  await sent();
  await stepAt('02 03:30:00');
  const withBalance = digestOf(await stepAt('02 03:31:00'));
  shows({ isKnown: false });
  const without = digestOf(await stepAt('02 03:35:00', withBalance));
  expect(without).toMatch(/^[0-9a-f]{16}$/);
  shows({ isKnown: true });
  expect(settledLines(await stepAt('02 03:40:00', without))).toEqual(['B1-1 1 AWAITING']);
});

test('an answer that nobody signed says nothing: nothing is offered', async () => {
  await sent();
  shows({ isKnown: false, signed: false });
  await stepAt('02 03:30:00');
  expect(digestOf(await stepAt('02 03:31:00'))).toBe('');
});
