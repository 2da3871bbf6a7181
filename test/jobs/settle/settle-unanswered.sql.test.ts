/** Attempts whose outcome is not certain, on the sandbox and the database (STL-09, STL-12, N5, N12, M1, M2). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAttempts } from '../../../src/settlements/settle-list.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

describe('N5, M1: an answer that got lost', () => {
  test('after the platform acted: the first look that shows nothing of before the send tells', async () => {
    await world.failed('B1', {});
    world.moveTo('02 04:00:00');
    world.sandbox.addFault({ kind: 'drop_after', path: 'order/settle', times: 1 });
    expect(settledLines(await world.step())).toEqual(['B1-1 1 UNKNOWN']);
    world.moveTo('02 05:01:00');
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 SUCCESS']);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });

  test('before the platform acted: unknown, until two looks 30 s apart say that it failed, after the margin and the longest lag', async () => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'drop_before', path: 'order/settle', times: 1 });
    world.moveTo('02 02:00:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 UNKNOWN']);
    const seen: string[] = [];
    for (const time of ['02:01:30', '02:05:00', '03:05:00', '03:05:15', '03:06:00', '03:30:00']) {
      world.moveTo(`02 ${time}`);
      const outcome = await world.step({ runId: `at-${time}` });
      seen.push([time, ...settledLines(outcome), ...leftLines(outcome)].join(' '));
    }
    expect(seen).toEqual([
      '02:01:30 B1-1 1 UNKNOWN B1-1 open_attempt',
      '02:05:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '03:05:00 B1-1 1 UNKNOWN B1-1 open_attempt',
      '03:05:15 B1-1 1 UNKNOWN B1-1 open_attempt',
      '03:06:00 B1-1 1 FAIL B1-1 cool_down',
      '03:30:00 B1-1 2 SUCCESS',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([2, 1]);
  });

  test('a look in between that does not say that it failed begins the count of those that do anew', async () => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'drop_before', path: 'order/settle', times: 1 });
    world.moveTo('02 02:00:00');
    await world.step();
    world.moveTo('02 03:05:00');
    await world.step({ runId: 'first' });
    expect(await failedSeen()).toMatch(/^2026-03-01T19:05:0\d/);
    world.sandbox.addFault({ kind: 'record', path: 'division/query', set: { settleState: '' } });
    world.moveTo('02 03:06:00');
    // That long after the send it is shown to a person too.
    expect(settledLines(await world.step({ runId: 'other' }))).toEqual(['B1-1 1 AWAITING']);
    expect(await failedSeen()).toBe('-');
    world.moveTo('02 04:07:00');
    // An hour after the first that said so, when no view of before is shown any more: it is the first again.
    expect(settledLines(await world.step({ runId: 'again' }))).toEqual(['B1-1 1 UNKNOWN']);
    world.moveTo('02 04:08:00');
    expect(settledLines(await world.step({ runId: 'second' }))).toEqual(['B1-1 1 FAIL']);
    expect(world.sends()).toBe(1);
  });

  const failedSeen = async () => (await lines(world.db, 'settle_attempt', ['failed_seen_at'])).join();

  test('an attempt that was answered with SUCCESS is open, and listed as open, until a query shows that it is paid', async () => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'http_status', status: 503, path: 'division/query', skip: 1, times: 10 });
    expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
    const { book } = await world.ports();
    expect(await book.listOpen()).toMatchObject([{ outOrderNo: 'B1-1', state: 'ACK_SUCCESS' }]);
    expect(await listAttempts(world.db, { after: 100n, upTo: 100n })).toMatchObject([
      { outOrderNo: 'B1-1', state: 'ACK_SUCCESS', outcome: null, closedAt: null, isOlder: true },
    ]);
    world.moveTo('02 02:30:00');
    world.sandbox.liftFaults();
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 SUCCESS']);
    expect([await book.listOpen(), world.sends()]).toEqual([[], 1]);
  });

  test('three in a row whose outcome is unknown: no more money goes the same way in that run', async () => {
    for (const batch of ['B1', 'B2', 'B3', 'B4']) await world.failed(batch, {});
    world.sandbox.addFault({ kind: 'drop_before', path: 'order/settle', times: 4 });
    const outcome = await world.step();
    expect(settledLines(outcome)).toEqual(['B1-1 1 UNKNOWN', 'B2-1 1 UNKNOWN', 'B3-1 1 UNKNOWN']);
    expect(leftLines(outcome)).toEqual(['B4-1 left_over']);
    expect(outcome.leftOver.orders).toBe(1);
    expect(world.sends()).toBe(3);
  });

  test('M2, STL-09: a refusal is unknown and never failed: somebody else may be at it', async () => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'unmapped_code', path: 'order/settle', msg: '重复提交 13812345678' });
    const outcome = await world.step();
    expect(outcome.settlements).toMatchObject([
      { outcome: 'UNKNOWN', note: 'the platform refused: E77777 重复提交 138****5678' },
    ]);
    expect(await lines(world.db, 'settle_attempt', ['state', 'answer_code'])).toEqual(['UNKNOWN E77777']);
  });

  test('N12: a request that a proxy delivered twice is paid once, and the refusal of the second is no failure', async () => {
    await world.failed('B1', {});
    world.moveTo('02 04:00:00');
    world.sandbox.addFault({ kind: 'twice', path: 'order/settle', answer: 'second' });
    expect(settledLines(await world.step())).toEqual(['B1-1 1 UNKNOWN']);
    world.moveTo('02 05:01:00');
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 SUCCESS']);
    expect(world.paid('B1-1')).toBe(1);
  });
});
