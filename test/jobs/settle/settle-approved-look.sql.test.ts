/**
 * The query of the very call that approves is compared with all that was shown, as any other: a person who says that an
 * attempt was not paid says it of that. What is compared is of a kind; sentences are shown (docs/settlements.md).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import { seenElsewhere } from '../../../jobs/context/platform-time.ts';
import type { SettleOutcome } from '../../../jobs/night/settle/settle-step.ts';
import { addMs } from '../../../src/core/time.ts';
import { at, zone } from '../../helpers/night.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

/** What queries show of the order from now on; its payee's balance is always the same. */
function shows(set: Record<string, string>): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1_000, set });
  world.sandbox.addFault({
    kind: 'record',
    path: 'acct/queryInfo',
    times: 1_000,
    set: { balance: 10_000, availableBalance: 10_000 },
  });
}

let runs = 0;
function stepAt(time: string, digest?: string): Promise<SettleOutcome> {
  world.moveTo(time);
  const approve = digest === undefined ? undefined : { digest, by: 'Li' };
  return world.step({ runId: `run-${++runs}`, approve });
}

/** B1-1 is paid at 02:00, and queries show it as failed. */
async function paid(): Promise<void> {
  await world.failed('B1', {});
  shows({ settleState: 'FAIL' });
  world.moveTo('02 02:00:00');
  await world.step({ runId: 'run-0' });
}

/** It is paid. @returns the digest that is shown when queries show this */
async function shown(set: Record<string, string>): Promise<string> {
  await paid();
  shows(set);
  await stepAt('02 03:30:00');
  return digestOf(await stepAt('02 03:31:00'));
}

function digestOf(outcome: SettleOutcome): string {
  expect(settledLines(outcome)).toEqual(['B1-1 1 AWAITING']);
  const digest = outcome.settlements[0]?.awaiting?.digest ?? '';
  expect(digest).toMatch(/^[0-9a-f]{16}$/);
  return digest;
}

/** A record that cannot be read whole changes nothing that is known of the order. */
const UNREADABLE = { fee: 'odd' };

test.each([
  ['paid', { ...UNREADABLE, settleState: 'SUCCESS' }],
  ['under way', { ...UNREADABLE, settleState: 'PROCESSING' }],
  ['in a word that nobody knows', { ...UNREADABLE, settleState: 'ODD' }],
  ['of another amount', { ...UNREADABLE, settleState: 'FAIL', realAmount: '5' }],
])(
  'it does not end as failed where it shows the order %s, for whatever reason that does not count',
  async (_name, set) => {
    const digest = await shown({ ...UNREADABLE, settleState: 'FAIL' });
    shows(set);
    const refused = await stepAt('02 03:35:00', digest);
    expect(settleText(refused, zone)).toContain('NOT APPROVED: queries show something else by now');
    expect(digestOf(refused)).not.toBe(digest);
    expect(settleText(refused, zone)).toContain(`settlement ${set.settleState}`);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  },
);

test.each([
  ['in an answer that cannot be read whole', UNREADABLE],
  ['in an answer that is not kept', { payeeAcctNo: 'q' }],
])('it ends where it shows the same %s', async (_how, set) => {
  await shown({ ...set, settleState: 'FAIL' });
  const digest = digestOf(await stepAt('02 03:34:00'));
  expect(settledLines(await stepAt('02 03:35:00', digest))).toEqual(['B1-1 1 FAIL']);
});

test("it ends where the platform's time, as we reckon it, stands still between the two looks", async () => {
  await shown({ settleState: 'FAIL', state: 'CLOSE' });
  const { clock } = world.orders.night;
  seenElsewhere(clock, addMs(clock.wall(), 5_000));
  const digest = digestOf(await world.step({ runId: 'run-seen' }));
  const ended = await world.step({ runId: 'run-ended', approve: { digest, by: 'Li' } });
  expect(settledLines(ended)).toEqual(['B1-1 1 FAIL']);
});

test('sentences that are others at each query do not keep a person from ending it', async () => {
  await shown({ settleState: 'FAIL', fee: 'trace 1' });
  shows({ settleState: 'FAIL', fee: 'trace 2' });
  const before = await stepAt('02 03:33:00');
  expect(settleText(before, zone)).toContain('trace 2');
  shows({ settleState: 'FAIL', fee: 'trace 3' });
  const ended = await stepAt('02 03:35:00', digestOf(before));
  expect(settledLines(ended)).toEqual(['B1-1 1 FAIL']);
});

const ELSE_KNOWN = 'NOT APPROVED: something else is known of it by now';

test('it does not end where a night was shown it paid right after that look was stored', async () => {
  await shown({ settleState: 'FAIL' });
  // By a clock that is ahead.
  const settle_shown_at = at('2026-03-02 03:32:08');
  await world.db.updateTable('transfer_order').set({ settle_shown_at }).execute();
  const digest = digestOf(await stepAt('02 03:32:00'));
  world.moveTo('02 03:32:05');
  const { book } = await world.ports();
  const saveLook: typeof book.saveLook = async (...look) => {
    const isKept = await book.saveLook(...look);
    shows({ ...UNREADABLE, settleState: 'SUCCESS' });
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: 'between' });
    return isKept;
  };
  const asked = { runId: 'asked', approve: { digest, by: 'Li' } };
  const refused = await world.step(asked, { book: { ...book, saveLook } });
  expect(settleText(refused, zone)).toContain(ELSE_KNOWN);
});

test('nor where an answer had come before it that cannot be read', async () => {
  await shown({ payeeAcctNo: 'q', settleState: 'FAIL' });
  const digest = digestOf(await stepAt('02 03:34:00'));
  world.sandbox.addFault({ kind: 'biz_data_object', path: 'division/query', times: 1 });
  const refused = await stepAt('02 03:35:00', digest);
  expect(settleText(refused, zone)).toContain(ELSE_KNOWN);
});

test('nor where it lists one without a number, and the order neither then nor now', async () => {
  await shown({ settleState: 'FAIL' });
  const balance = {
    kind: 'record',
    path: 'acct/queryInfo',
    times: 1_000,
    set: { balance: 10_000, availableBalance: 10_000 },
  } as const;
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'drop_row', path: 'division/query', times: 1_000 });
  world.sandbox.addFault(balance);
  await stepAt('02 03:33:00');
  const digest = digestOf(await stepAt('02 03:34:00'));
  world.sandbox.liftFaults();
  world.sandbox.addFault(balance);
  const remove = ['outOrderNo', 'orderNo'];
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1_000, remove });
  const refused = await stepAt('02 03:35:00', digest);
  expect(settleText(refused, zone)).toContain('NOT APPROVED: queries show something else by now');
});

describe('where no signature covers the time of answers, and a call looks twice', () => {
  const FIELDS = ['code', 'msg', 'bizData', 'signType'];
  const REFUNDED = { settleState: 'FAIL', state: 'PART_REFUND', refundAmount: '10' };
  beforeEach(async () => {
    await world.orders.profile({ signing: { response: { fields: FIELDS } } });
    world.sandbox.setSwitches({ responseSignFields: FIELDS });
  });

  /** A process that has just begun lives until its looks count. */
  async function stepAnew(time: string, digest?: string, meanwhile?: () => void): Promise<SettleOutcome> {
    await world.restart();
    world.moveTo(time);
    const approve = digest === undefined ? undefined : { digest, by: 'Li' };
    const { clock } = world.living(meanwhile);
    const begunMs = clock.monoMs();
    const ofProcess = { ...clock, monoMs: () => clock.monoMs() - begunMs };
    return world.step({ runId: `run-${++runs}`, approve }, { clock: ofProcess });
  }

  test('it ends where both show what was shown', async () => {
    await paid();
    shows(REFUNDED);
    const digest = digestOf(await stepAnew('02 04:40:00'));
    expect(settledLines(await stepAnew('02 06:00:00', digest))).toEqual(['B1-1 1 FAIL']);
    expect(world.orders.night.clock.cutShort).toHaveLength(2);
  });

  test('it does not where the first of them shows it otherwise', async () => {
    await paid();
    shows(REFUNDED);
    const digest = digestOf(await stepAnew('02 04:40:00'));
    shows({ ...REFUNDED, refundAmount: '500' });
    const refused = await stepAnew('02 06:00:00', digest, () => {
      shows(REFUNDED);
    });
    expect(settleText(refused, zone)).toContain(ELSE_KNOWN);
  });
});
