/**
 * What a query showed besides a failure is not sent again because a later one falls back to an older view
 * (docs/reliability.md 2.3 a).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookAtOrder } from '../../../jobs/night/settle/settle-look.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

const HOUR_MS = 3_600_000;

const ORDER = { accountNo: 'P', outOrderNo: 'B1-1', orderNo: '', outBatchNo: 'B1', batchNo: '' };

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false, settleViewLagMs: HOUR_MS });
});
afterEach(() => world.close());

/** What the platform shows of one order in its next answer. */
function showNext(set: Record<string, unknown>): void {
  world.sandbox.addFault({ kind: 'record', path: 'division/query', set });
}

/** What each step says, at these times of 2 March and later. */
async function stepsAt(...times: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  for (const time of times) {
    world.moveTo(time);
    const outcome = await world.step({ runId: `at-${time}` });
    seen.push([time, ...settledLines(outcome), ...leftLines(outcome)].join(' '));
  }
  return seen;
}

/** Each of them is more than the plain failure. */
const OTHERWISE: readonly (readonly [string, Record<string, unknown>])[] = [
  ['paid', { settleState: 'SUCCESS' }],
  ['in a state that nobody knows', { settleState: 'SETTLING' }],
  ['refunded', { state: 'REFUND', refundAmount: 10_000 }],
  ['on the way to be refunded', { state: 'WAIT_CONFIRM' }],
  ['of a transfer that is not done', { state: 'FAIL', settleState: '' }],
  ['of another amount', { amount: 9_999, realAmount: 9_999 }],
];

describe('a view that falls back', () => {
  test.each([
    // It was paid until it was first seen to have come back, at most.
    ['SUCCESS', '02 03:07:00', '02 03:08:00'],
    ['PROCESSING', '02 03:03:00', '02 03:04:00'],
    ['SETTLING', '02 03:03:00', '02 03:04:00'],
    ['', '02 03:03:00', '02 03:04:00'],
  ])(
    'what somebody else retried and a query showed as %j is left alone as long as a view may lag behind that',
    async (settleState, before, after) => {
      await world.failed('B1', {});
      world.moveTo('02 02:01:00');
      showNext({ settleState });
      expect(await lookAtOrder(await world.ports(), ORDER)).toMatchObject({
        order: { settleState },
        kept: true,
      });
      // From here on another replica of theirs answers, which shows it as it was before.
      world.moveTo('02 02:05:00');
      expect(await lookAtOrder(await world.ports(), ORDER)).toMatchObject({
        order: { settlement: 'failed' },
      });
      expect(await stepsAt('02 02:10:00', before)).toEqual([
        '02 02:10:00 B1-1 cool_down',
        `${before} B1-1 cool_down`,
      ]);
      expect(world.sends()).toBe(0);
      world.moveTo(after);
      await world.step({ runId: 'after' });
      expect(world.sends()).toBe(1);
    },
  );

  test.each([
    ['refunded in part', { refundAmount: 4_000 }],
    ['on the way to be refunded in part', { state: 'WAIT_CONFIRM', refundAmount: 4_000 }],
    ['on the way to be refunded', { state: 'WAIT_CONFIRM' }],
  ])('nor is it sent soon after a query showed it %s', async (_name, set) => {
    await world.failed('B1', {});
    world.moveTo('02 02:10:00');
    showNext(set);
    await lookAtOrder(await world.ports(), ORDER);
    world.moveTo('02 02:12:00');
    await lookAtOrder(await world.ports(), ORDER);
    expect(await stepsAt('02 02:13:00', '02 03:12:00')).toEqual([
      '02 02:13:00 B1-1 cool_down',
      '02 03:12:00 B1-1 cool_down',
    ]);
    expect(world.sends()).toBe(0);
  });

  test.each(['SUCCESS', 'PROCESSING', 'SETTLING', ''])(
    'what another tool retried is paid once, though the query that showed it as %j was stored after a later one',
    async (settleState) => {
      await world.failed('B1', {});
      // Other money on the payee's account.
      await world.failed('B9', {});
      world.moveTo('02 02:00:00');
      const { client, book } = await world.ports();
      await client.call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
      world.moveTo('02 02:10:00');
      showNext({ settleState });
      const slow: OrderAnswer[] = [];
      const saveLook = (answer: OrderAnswer): Promise<boolean> => Promise.resolve(slow.push(answer) > 0);
      await lookAtOrder(await world.ports({ book: { ...book, saveLook } }), ORDER);
      world.moveTo('02 02:10:01');
      showNext({ settleRemark: 'news' });
      await lookAtOrder(await world.ports(), ORDER);
      for (const answer of slow) expect(await book.saveLook(answer)).toBe(true);
      world.moveTo('02 02:20:00');
      await world.restart();
      const outcome = await world.step({ only: { outOrderNo: 'B1-1' } });
      world.moveTo('02 05:00:00');
      expect([leftLines(outcome), world.paid('B1-1')]).toEqual([['B1-1 cool_down'], 1]);
    },
  );

  test('what was paid, came back and is retried is not called paid by a view from before it came back', async () => {
    world.orders.batch('B1', [{ settle: { state: 'FAIL', remark: '账户异常' } }]);
    showNext({ settleState: 'SUCCESS' });
    await world.orders.registerBatches('B1');
    await world.orders.collect();
    world.moveTo('03 02:00:00');
    await world.restart();
    await lookAtOrder(await world.ports(), ORDER);
    expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
    expect(await stepsAt('03 02:01:00', '03 03:02:00')).toEqual([
      '03 02:01:00 B1-1 cool_down',
      '03 03:02:00 B1-1 cool_down',
    ]);
    world.moveTo('03 03:03:00');
    await world.step({ runId: 'after' });
    expect(world.sends()).toBe(1);
  });

  test.each(OTHERWISE)(
    'nor where another process saw it %s after the plan was made, and our own look falls back',
    async (_state, set) => {
      await world.failed('B1', {});
      world.moveTo('02 02:01:00');
      const { book } = await world.ports();
      const listFailed: SettlementAttemptStore['listFailed'] = async () => {
        const failed = await book.listFailed();
        showNext(set);
        await lookAtOrder(await world.ports(), ORDER);
        world.moveTo('02 02:02:00');
        return failed;
      };
      const outcome = await world.step({}, { book: { ...book, listFailed } });
      expect([leftLines(outcome), world.sends()]).toEqual([['B1-1 state_changed'], 0]);
    },
  );

  test.each(OTHERWISE)(
    'nor where another process saw it %s after the attempt was stored, and before it was stored as sent',
    async (_state, set) => {
      await world.failed('B1', {});
      world.moveTo('02 02:01:00');
      const { book } = await world.ports();
      const plan: SettlementAttemptStore['plan'] = async (...planning) => {
        const planned = await book.plan(...planning);
        showNext(set);
        await lookAtOrder(await world.ports(), ORDER);
        return planned;
      };
      const outcome = await world.step({}, { book: { ...book, plan } });
      expect([settledLines(outcome), world.sends()]).toEqual([['B1-1 1 NOT_SENT'], 0]);
    },
  );

  test('a query that falls back to an older view after it showed the payment opens no second one', async () => {
    world.sandbox.setSwitches({ settleViewLagMs: 0 });
    await world.failed('B1', {});
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
    // Another replica of theirs answers from now on.
    world.sandbox.setSwitches({ settleViewLagMs: HOUR_MS });
    expect(await lookAtOrder(await world.ports(), ORDER)).toMatchObject({ order: { settlement: 'failed' } });
    expect(await stepsAt('02 02:15:00', '02 02:45:00')).toEqual([
      '02 02:15:00 B1-1 cool_down',
      '02 02:45:00 B1-1 cool_down',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });
});
