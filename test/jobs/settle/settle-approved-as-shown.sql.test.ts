/**
 * An approval of an attempt holds only as long as everything that is known of it is what was shown: what the platform
 * answered, and what queries showed of it since, whoever asked (docs/reliability.md 2.3 a).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import type { SettleOutcome } from '../../../jobs/night/settle/settle-step.ts';
import { claimUnits, releaseClaims } from '../../../src/store/orders/order-claims.ts';
import { at, zone } from '../../helpers/night.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

const ONLY = { outOrderNo: 'B1-1' };
const BALANCE = { balance: 10_000, availableBalance: 10_000 };
const ELSE_KNOWN = 'NOT APPROVED: something else is known of it by now than when this was shown';

/** What queries of the batch show from now on, but for the first `skip`; its payee's balance is always the same. */
function shows(set: Record<string, string>, skip = 0): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', skip, times: 1_000, set });
  world.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', times: 1_000, set: BALANCE });
}

/** A night asks the platform, which pays no heed to what is retried. */
async function collect(runId: string): Promise<void> {
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId });
}

let runs = 0;
function stepAt(time: string, digest?: string): Promise<SettleOutcome> {
  world.moveTo(time);
  const approve = digest === undefined ? undefined : { digest, by: 'Li' };
  return world.step({ runId: `run-${++runs}`, only: ONLY, approve });
}

function digestOf(shown: SettleOutcome): string {
  expect(settledLines(shown)).toEqual(['B1-1 1 AWAITING']);
  const digest = shown.settlements[0]?.awaiting?.digest ?? '';
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  return digest;
}

/** It is not ended; what is shown with the refusal may be approved. */
async function expectRefused(time: string, digest: string): Promise<SettleOutcome> {
  const refused = await stepAt(time, digest);
  expect(settleText(refused, zone)).toContain(ELSE_KNOWN);
  expect(digestOf(refused)).not.toBe(digest);
  expect(world.paid('B1-1')).toBe(1);
  return refused;
}

/** A process sends B1-1, which is paid, and stands still with the answer in its hands. @returns what lets it go on */
async function sentAndStandingStill(): Promise<() => Promise<void>> {
  await world.failed('B1', {}, {});
  world.moveTo('02 02:00:00');
  shows({ settleState: 'FAIL' });
  const { book } = await world.ports();
  let goOn: (() => Promise<void>) | undefined;
  const stands: typeof book = {
    ...book,
    saveAnswer: (reqId, answer) => {
      goOn = () => book.saveAnswer(reqId, answer);
      return Promise.reject(new Error('it stands still'));
    },
  };
  await expect(world.step({ only: ONLY }, { book: stands })).rejects.toThrow('it stands still');
  await world.restart();
  if (goOn === undefined) throw new Error('nothing was sent');
  return goOn;
}

test('it does not hold once the signed answer to the send is known', async () => {
  const goOn = await sentAndStandingStill();
  await stepAt('02 03:30:00');
  const shown = await stepAt('02 03:31:00');
  expect(settleText(shown, zone)).toContain('what the platform answered to it is not known');
  await goOn();
  expect((await world.attempts())[0]).toContain('ACK_SUCCESS');
  const refused = await expectRefused('02 03:35:00', digestOf(shown));
  expect(settleText(refused, zone)).toMatch(/the platform's signed answer to it on .* was SUCCESS/);
  expect(settledLines(await stepAt('02 03:50:00'))).toEqual(['B1-1 1 AWAITING']);
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
});

test('it holds where nothing else became known', async () => {
  await sentAndStandingStill();
  await stepAt('02 03:30:00');
  const digest = digestOf(await stepAt('02 03:31:00'));
  expect(settledLines(await stepAt('02 03:35:00', digest))).toEqual(['B1-1 1 FAIL']);
});

/** B1-1 is paid, and our own queries show a state that nobody knows. @returns what was shown at 04:00 */
async function odd(): Promise<SettleOutcome> {
  await world.failed('B1', {}, {});
  world.moveTo('02 02:00:00');
  shows({ settleState: 'ODD' }, 1);
  await world.step({ only: ONLY });
  const shown = await stepAt('02 04:00:00');
  expect(settleText(shown, zone)).not.toContain('PAID');
  return shown;
}

test('it does not hold once a query of a night showed it paid', async () => {
  const digest = digestOf(await odd());
  world.sandbox.liftFaults();
  world.moveTo('02 04:30:00');
  await collect('night-2');
  expect((await world.orders.orders())[0]).toBe('B1-1 moved settled 0');
  shows({ settleState: 'ODD' });
  const refused = await expectRefused('02 06:00:00', digest);
  expect(settleText(refused, zone)).toContain('a query showed it PAID, on 2026-03-02 04:30:00');
});

test('nor once a night was shown under way what is known as paid', async () => {
  await world.failed('B1', {}, {});
  shows({ settleState: 'FAIL' });
  await stepAt('02 02:00:00');
  shows({ settleState: 'SUCCESS' });
  world.moveTo('02 03:30:00');
  await collect('shown paid');
  const odd = { settleState: 'FAIL', state: 'INIT' };
  shows(odd);
  await stepAt('02 05:00:00');
  const digest = digestOf(await stepAt('02 05:01:00'));
  shows({ settleState: 'PROCESSING' });
  world.moveTo('02 05:02:00');
  await collect('shown under way');
  shows(odd);
  await expectRefused('02 05:03:00', digest);
});

test('where queries go on showing a state that nobody knows it is of what was shown last', async () => {
  const digest = digestOf(await odd());
  const last = digestOf(await stepAt('02 04:10:00'));
  const refused = await expectRefused('02 04:20:00', digest);
  expect(digestOf(refused)).not.toBe(last);
  expect(settledLines(await stepAt('02 04:30:00', digestOf(refused)))).toEqual(['B1-1 1 FAIL']);
});

/** B1-1 is paid, and is shown as failed; a machine whose clock is ahead keeps a look that is news. */
async function seenByClockAhead(): Promise<void> {
  await world.failed('B1', {}, {});
  world.moveTo('02 02:00:00');
  shows({ settleState: 'FAIL' });
  await world.step({ only: ONLY });
  world.moveTo('02 02:30:08');
  shows({ settleState: 'FAIL', settleRemark: 'another' });
  await collect('ahead');
}

/** A look that is older than that shows it paid, which is kept in no other way. */
async function paidInBetween(): Promise<void> {
  world.moveTo('02 02:30:00');
  world.sandbox.liftFaults();
  await collect('right');
  expect((await world.orders.orders())[0]).toBe('B1-1 moved failed 0');
  shows({ settleState: 'FAIL', settleRemark: 'another' });
}

const MAY_BE_PAID = 'and it may have been PAID then';

test('who ends it is told that a look showed something else than the failure, also where it was dropped as older', async () => {
  await seenByClockAhead();
  await paidInBetween();
  for (const time of ['02 03:45:00', '02 03:46:00']) {
    const shown = await stepAt(time);
    expect(settledLines(shown)).toEqual(['B1-1 1 AWAITING']);
    expect(settleText(shown, zone)).toContain(MAY_BE_PAID);
  }
});

test('nor does an approval hold that was given before such a look', async () => {
  await seenByClockAhead();
  shows({ settleState: 'FAIL', settleRemark: 'another' });
  await stepAt('02 03:45:00');
  const shown = await stepAt('02 03:46:00');
  await paidInBetween();
  const refused = await expectRefused('02 03:50:00', digestOf(shown));
  expect(settleText(refused, zone)).toContain(MAY_BE_PAID);
});

test('nor where the time of an earlier look was taken for later than it was', async () => {
  await odd();
  // The platform's time as it was reckoned from a slow answer.
  const settle_shown_at = at('2026-03-02 04:15:00');
  await world.db.updateTable('transfer_order').set({ settle_shown_at }).execute();
  const digest = digestOf(await stepAt('02 04:10:00'));
  const last = digestOf(await stepAt('02 04:10:01'));
  const refused = await expectRefused('02 04:10:02', digest);
  expect(digestOf(refused)).not.toBe(last);
});

test('nor where the look after that showed it paid in an answer that is not kept', async () => {
  await sentAndStandingStill();
  const settle_shown_at = at('2026-03-02 03:31:08');
  await world.db.updateTable('transfer_order').set({ settle_shown_at }).execute();
  await stepAt('02 03:30:00');
  const digest = digestOf(await stepAt('02 03:31:00'));
  world.moveTo('02 03:31:05');
  shows({ settleState: 'SUCCESS', payeeAcctNo: 'q' });
  await collect('misspelt');
  shows({ settleState: 'FAIL' });
  await expectRefused('02 03:35:00', digest);
});

/** What is shown to a person after a look was lost, which the clock of whoever took it over dated ahead. */
async function shownAfterLostLook(): Promise<string> {
  await sentAndStandingStill();
  const may_have_shown_at = at('2026-03-02 03:31:08');
  await world.db.updateTable('order_due').set({ may_have_shown_at }).execute();
  await stepAt('02 03:30:00');
  return digestOf(await stepAt('02 03:31:00'));
}

test.each([
  ['is not kept', { payeeAcctNo: 'q' }, at('2026-03-02 03:31:00')],
  ['was dropped as older', {}, at('2026-03-02 03:31:08')],
])(
  'nor where a look after one that was lost, and dated ahead, showed it paid in an answer that %s',
  async (_, odd, seen_at) => {
    const digest = await shownAfterLostLook();
    await world.db.updateTable('transfer_order').set({ seen_at }).execute();
    world.moveTo('02 03:31:05');
    shows({ settleState: 'SUCCESS', ...odd });
    await collect('paid');
    shows({ settleState: 'FAIL' });
    await expectRefused('02 03:35:00', digest);
  },
);

test('nor where another look after that was lost too', async () => {
  const digest = await shownAfterLostLook();
  const units = [{ kind: 'batch', numberKind: 'out', number: 'B1' }] as const;
  await claimUnits(world.db, units, { by: 'lost', at: at('2026-03-02 03:31:04') });
  const over = { by: 'right', at: at('2026-03-02 03:31:05'), takesOver: true };
  const { claimed } = await claimUnits(world.db, units, over);
  await releaseClaims(world.db, claimed, null);
  await expectRefused('02 03:35:00', digest);
});

test('nor where a night was shown it paid while the approval asked', async () => {
  await shownAfterLostLook();
  await world.db
    .updateTable('transfer_order')
    .set({ settle_shown_at: at('2026-03-02 03:31:08') })
    .execute();
  const digest = digestOf(await stepAt('02 03:31:04'));
  const { book } = await world.ports();
  let isShown = false;
  const claimLook: typeof book.claimLook = async (...of) => {
    if (!isShown) {
      isShown = true;
      shows({ settleState: 'SUCCESS', fee: 'odd' });
      await collect('between');
      shows({ settleState: 'FAIL' });
    }
    return book.claimLook(...of);
  };
  world.moveTo('02 03:31:05');
  const asked = { runId: 'asked', only: ONLY, approve: { digest, by: 'Li' } };
  const refused = await world.step(asked, { book: { ...book, claimLook } });
  expect(settleText(refused, zone)).toContain(ELSE_KNOWN);
});

test('what was lost, and dated ahead, is no news by itself', async () => {
  const digest = await shownAfterLostLook();
  expect(digestOf(await stepAt('02 04:40:00'))).toBe(digest);
  expect(settledLines(await stepAt('02 04:41:00', digest))).toEqual(['B1-1 1 FAIL']);
});

/** Shown at 04:10 in a state that is news, and by a clock that was set back, at 04:05, in the one from before. */
async function shownByClockSetBack(): Promise<string> {
  await odd();
  shows({ settleState: 'STRANGE' });
  const first = digestOf(await stepAt('02 04:10:00'));
  shows({ settleState: 'ODD' });
  expect(digestOf(await stepAt('02 04:05:00'))).not.toBe(first);
  shows({ settleState: 'STRANGE' });
  return first;
}

test('nor where something else was shown since by a clock that was set back, once that has passed', async () => {
  const first = await shownByClockSetBack();
  const refused = await stepAt('02 04:20:00', first);
  expect(settleText(refused, zone)).toContain('NOT APPROVED: something else was shown of it since');
  expect(settledLines(await stepAt('02 04:30:00', digestOf(refused)))).toEqual(['B1-1 1 FAIL']);
});

test('what is shown once more is the newest again', async () => {
  const first = await shownByClockSetBack();
  expect(digestOf(await stepAt('02 04:06:00'))).toBe(first);
  expect(settledLines(await stepAt('02 04:20:00', first))).toEqual(['B1-1 1 FAIL']);
});
