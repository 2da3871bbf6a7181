/**
 * What the platform took is never sent again by itself, however long its queries go on showing a failure
 * (docs/reliability.md 2.3 a): on the real sandbox, whose guard is off, so that nothing but our own rules keeps it
 * from paying twice.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import { WRONG_SETTLE_REQUEST } from '../../../src/core/profile/refusals.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import { listAttempts } from '../../../src/settlements/settle-list.ts';
import { zone } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

const HOUR_MS = 3_600_000;

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false, settleViewLagMs: HOUR_MS });
});
afterEach(() => world.close());

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

describe('queries that go on showing a failure after the money left', () => {
  test('a signed SUCCESS is never followed by another payment, and ends as paid when a query shows it', async () => {
    await world.failed('B1', {});
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
    expect(await stepsAt('02 02:05:00', '02 02:06:00', '02 02:30:00', '02 02:58:00', '02 03:05:00')).toEqual([
      '02 02:05:00 B1-1 1 PROCESSING B1-1 open_attempt',
      '02 02:06:00 B1-1 1 PROCESSING B1-1 open_attempt',
      '02 02:30:00 B1-1 1 PROCESSING B1-1 open_attempt',
      '02 02:58:00 B1-1 1 PROCESSING B1-1 open_attempt',
      '02 03:05:00 B1-1 1 SUCCESS',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });

  test('a view that never catches up keeps the attempt open for days, as awaiting a person', async () => {
    world.sandbox.setSwitches({ settleViewLagMs: 0 });
    await world.failed('B1', {});
    const stuck = { kind: 'record', path: 'division/query', times: 100 } as const;
    world.sandbox.addFault({ ...stuck, set: { settleState: 'FAIL' } });
    world.moveTo('02 02:00:00');
    await world.step();
    expect(await stepsAt('02 03:30:00', '03 02:00:00', '03 02:01:00', '04 02:00:00')).toEqual([
      '02 03:30:00 B1-1 1 AWAITING B1-1 open_attempt',
      '03 02:00:00 B1-1 1 AWAITING B1-1 open_attempt',
      '03 02:01:00 B1-1 1 AWAITING B1-1 open_attempt',
      '04 02:00:00 B1-1 1 AWAITING B1-1 open_attempt',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });

  test('a person ends it by the digest that is shown with the balances; who names another digest ends nothing', async () => {
    world.sandbox.setSwitches({ settleViewLagMs: 0 });
    await world.failed('B1', {});
    const stuck = { kind: 'record', path: 'division/query', times: 100 } as const;
    world.sandbox.addFault({ ...stuck, set: { settleState: 'FAIL' } });
    world.moveTo('02 02:00:00');
    await world.step();
    world.moveTo('02 03:30:00');
    await world.step({ runId: 'run-2' });
    world.moveTo('02 03:31:00');
    const shown = await world.step({ runId: 'run-3' });
    const [one] = shown.settlements;
    expect(one).toMatchObject({ outcome: 'AWAITING', awaiting: { balances: [{ balanceFen: 0n }] } });
    const digest = one?.awaiting?.digest ?? '';
    expect(digest).toMatch(/^[0-9a-f]{16}$/);
    const other = await world.step({ runId: 'run-4', approve: { digest: '0'.repeat(16), by: 'someone' } });
    expect(settledLines(other)).toEqual(['B1-1 1 AWAITING']);
    const ended = await world.step({ runId: 'run-5', approve: { digest, by: 'accounts 13812345678' } });
    expect(ended.settlements).toMatchObject([
      { outcome: 'FAIL', note: 'accounts 138****5678 says that it was not paid' },
    ]);
    // It cools down before anything else may happen to it.
    expect([leftLines(ended), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
  });

  test.each(['仅到账状态为失败的订单可操作', '订单状态参数已变更 (the state parameter has changed)'])(
    'a refusal that may say that the settlement has changed keeps it open, though queries show a failure: %s',
    async (msg) => {
      await world.failed('B1', {});
      world.sandbox.addFault({ kind: 'unmapped_code', path: 'order/settle', msg });
      world.moveTo('02 02:00:00');
      expect(settledLines(await world.step())).toEqual(['B1-1 1 UNKNOWN']);
      expect(await stepsAt('02 03:30:00', '02 03:31:00', '03 02:00:00')).toEqual([
        '02 03:30:00 B1-1 1 AWAITING B1-1 open_attempt',
        '02 03:31:00 B1-1 1 AWAITING B1-1 open_attempt',
        '03 02:00:00 B1-1 1 AWAITING B1-1 open_attempt',
      ]);
      expect(world.sends()).toBe(1);
    },
  );

  test('a refusal of the request alone frees the order once no view can lag behind any more', async () => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'unmapped_code', path: 'order/settle', msg: WRONG_SETTLE_REQUEST.remark });
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 UNKNOWN']);
    expect(await stepsAt('02 02:59:00', '02 03:30:00', '02 03:31:00', '02 03:45:00')).toEqual([
      '02 02:59:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '02 03:30:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '02 03:31:00 B1-1 1 FAIL B1-1 cool_down',
      '02 03:45:00 B1-1 2 PROCESSING',
    ]);
    expect(world.paid('B1-1')).toBe(1);
  });

  test.each([
    ['the number of the settlement itself', { orderNo: 'S-B1-1' }],
    ['an amount that cannot be read', { amount: '1e3' }],
    ['another order', { outOrderNo: 'B9-1' }],
    ['a failure of another order', { outOrderNo: 'B9-1', state: 'FAIL' }],
  ])('nor does it send again what was accepted with %s', async (_name, set) => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'record', path: 'order/settle', set });
    // Their view never catches up.
    const stuck = { kind: 'record', path: 'division/query', times: 100 } as const;
    world.sandbox.addFault({ ...stuck, set: { settleState: 'FAIL' } });
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 UNKNOWN']);
    expect(await stepsAt('02 03:30:00', '02 03:31:00', '02 05:00:00')).toEqual([
      '02 03:30:00 B1-1 1 AWAITING B1-1 open_attempt',
      '02 03:31:00 B1-1 1 AWAITING B1-1 open_attempt',
      '02 05:00:00 B1-1 1 AWAITING B1-1 open_attempt',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });

  test('nor an attempt whose process ended before it stored the answer', async () => {
    await world.failed('B1', {});
    const stuck = { kind: 'record', path: 'division/query', times: 100 } as const;
    world.sandbox.addFault({ ...stuck, set: { settleState: 'FAIL' } });
    world.moveTo('02 02:00:00');
    const { book } = await world.ports();
    const saveAnswer = () => Promise.reject(new Error('killed'));
    await expect(world.step({}, { book: { ...book, saveAnswer } })).rejects.toThrow('killed');
    expect(await world.attempts()).toEqual(['B1-1 1 SENT -']);
    await world.restart();
    expect(await stepsAt('02 02:30:00', '02 03:30:00', '02 03:31:00', '03 02:00:00')).toEqual([
      '02 02:30:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '02 03:30:00 B1-1 1 AWAITING B1-1 open_attempt',
      '02 03:31:00 B1-1 1 AWAITING B1-1 open_attempt',
      '03 02:00:00 B1-1 1 AWAITING B1-1 open_attempt',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });

  test('nor an attempt whose process lost its lease while the platform accepted it: the answer is kept all the same', async () => {
    await world.failed('B1', {});
    const { book } = await world.ports();
    const saveAnswer: SettlementAttemptStore['saveAnswer'] = async (...answered) => {
      await world.loseLease();
      await book.saveAnswer(...answered);
    };
    await expect(world.step({}, { book: { ...book, saveAnswer } })).rejects.toThrow('lost its lock settle');
    expect(await world.attempts()).toEqual(['B1-1 1 ACK_SUCCESS -']);
    expect(await lines(world.db, 'raw_answer', ['endpoint'])).toContain('order/settle');
  });

  test('an order that left the state in which it is settled keeps nothing open for ever: a person is shown it and ends it', async () => {
    world.sandbox.setSwitches({ settleViewLagMs: 0 });
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'record', path: 'order/settle', set: { state: 'PROCESSING' } });
    const gone = { state: 'CLOSE', settleState: '' };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', skip: 1, times: 100, set: gone });
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
    expect(await stepsAt('02 02:59:00', '02 03:30:00')).toEqual([
      '02 02:59:00 B1-1 1 PROCESSING B1-1 fault',
      '02 03:30:00 B1-1 1 AWAITING B1-1 fault',
    ]);
    const shown = await world.step({ runId: 'run-3' });
    const [one] = shown.settlements;
    expect(one).toMatchObject({ outcome: 'AWAITING', awaiting: { why: 'the order is CLOSE now' } });
    const digest = one?.awaiting?.digest ?? '';
    expect(settleText(shown, zone)).toContain(`the order is CLOSE now. It blocks its order.`);
    expect(settleText(shown, zone)).toContain(`recon settle --approve ${digest}`);
    // The night's result and report show it as well, once.
    expect(await listAttempts(world.db, { after: 0n, upTo: 100n })).toMatchObject([{ isAwaiting: true }]);
    expect(
      (await lines(world.db, 'settle_event', ['is_awaiting'])).filter((line) => line === 'true'),
    ).toEqual(['true']);
    // What was approved is what was shown: seen otherwise it is another matter.
    world.sandbox.liftFaults();
    const stuck = { kind: 'record', path: 'division/query', times: 100 } as const;
    world.sandbox.addFault({ ...stuck, set: { settleState: 'ODD' } });
    const other = await world.step({ runId: 'run-4', approve: { digest, by: 'someone' } });
    expect(settledLines(other)).toEqual(['B1-1 1 AWAITING']);
    world.sandbox.liftFaults();
    world.sandbox.addFault({ ...stuck, set: gone });
    const before = await world.step({ runId: 'run-5', approve: { digest, by: 'someone' } });
    expect(before.settlements).toMatchObject([
      { outcome: 'AWAITING', approval: { refused: expect.any(String) as unknown } },
    ]);
    const again = { digest: before.settlements[0]?.awaiting?.digest ?? '', by: 'someone' };
    const ended = await world.step({ runId: 'run-6', approve: again });
    expect(ended.settlements).toMatchObject([{ outcome: 'FAIL', note: 'someone says that it was not paid' }]);
    expect(world.sends()).toBe(1);
  });

  test("what queries show under way is nobody's to end, however long", async () => {
    world.sandbox.setSwitches({ settleViewLagMs: 0 });
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'record', path: 'order/settle', set: { state: 'PROCESSING' } });
    const open = { kind: 'record', path: 'division/query', skip: 1, times: 100 } as const;
    world.sandbox.addFault({ ...open, set: { settleState: 'PROCESSING' } });
    world.moveTo('02 02:00:00');
    await world.step();
    expect(await stepsAt('02 03:30:00', '12 02:00:00')).toEqual([
      '02 03:30:00 B1-1 1 PROCESSING',
      '12 02:00:00 B1-1 1 PROCESSING',
    ]);
  });

  test('one that was seen under way and failed after that has failed', async () => {
    const retries = [{ state: 'FAIL', delayMs: 600_000, remark: '账户异常' }, {}];
    await world.failed('B1', { settle: { state: 'FAIL', retries } });
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
    expect(await stepsAt('02 03:05:00', '02 03:30:00', '02 04:10:00', '02 04:11:00')).toEqual([
      '02 03:05:00 B1-1 1 PROCESSING',
      // It was seen under way within the hour: a query may still lag behind that.
      '02 03:30:00 B1-1 1 PROCESSING B1-1 open_attempt',
      '02 04:10:00 B1-1 1 PROCESSING B1-1 open_attempt',
      '02 04:11:00 B1-1 1 FAIL B1-1 cool_down',
    ]);
    expect(world.paid('B1-1')).toBe(0);
  });

  test('an answer that got lost is not taken for a failure as long as queries may lag behind', async () => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'drop_after', path: 'order/settle', times: 1 });
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 UNKNOWN']);
    expect(await stepsAt('02 02:05:00', '02 02:06:00', '02 02:59:00', '02 03:03:00')).toEqual([
      '02 02:05:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '02 02:06:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '02 02:59:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '02 03:03:00 B1-1 1 SUCCESS',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });
});
