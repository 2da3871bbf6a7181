/** The retry of settlements on the sandbox and the database, step by step (STL-01…15, docs/reliability.md 2.2). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listAttempts } from '../../../src/settlements/settle-list.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

const bodyOf = (body: string | undefined) => JSON.parse(body ?? '{}') as Record<string, string>;

describe('one failed settlement', () => {
  test('STL-01, STL-12, STL-13: it is looked at, sent once with a number of its own, looked at again, and paid once', async () => {
    await world.failed('B1', {});
    const before = world.requestNo;
    const outcome = await world.step();
    expect(world.paths(before)).toEqual([
      '/acct/queryInfo',
      '/division/query',
      '/order/settle',
      '/division/query',
    ]);
    expect(outcome).toMatchObject({
      plan: [{ outOrderNo: 'B1-1', amountFen: 10_000n, attemptNo: 1, remark: 'recon retry 1' }],
      notRetried: [],
      heldUntil: undefined,
      breaker: { tripped: false },
      settlements: [
        {
          accountNo: 'P',
          outOrderNo: 'B1-1',
          attemptNo: 1,
          payeeAccountNo: 'Q',
          outcome: 'SUCCESS',
          note: '',
        },
      ],
    });
    expect(outcome.digest).toMatch(/^[0-9a-f]{16}$/);
    const sent = bodyOf(world.sandbox.requests(before)[2]?.body);
    expect(sent['reqId']).toBe(outcome.settlements[0]?.reqId);
    // U52: no card is ever named.
    const orderNo = (await lines(world.db, 'transfer_order', ['order_no'])).join();
    expect(JSON.parse(sent['bizData'] ?? '')).toEqual({ orderNo, remark: 'recon retry 1' });
    expect(world.paid('B1-1')).toBe(1);
    expect(await world.attempts()).toEqual(['B1-1 1 CLOSED SUCCESS']);
    expect(await lines(world.db, 'transfer_order', ['out_order_no', 'settlement'])).toEqual(['B1-1 settled']);
    expect(await world.step({ runId: 'run-2' })).toMatchObject({ plan: [], settlements: [] });
    expect(world.sends()).toBe(1);
  });

  test('STL-11, STL-15: FAIL is closed at once with its note, cools down, and is retried as the next attempt', async () => {
    await world.failed('B1', {
      settle: { state: 'FAIL', retries: [{ state: 'FAIL', remark: '电话13812345678' }, {}] },
    });
    const first = await world.step();
    expect(first.settlements).toMatchObject([{ outcome: 'FAIL', note: '电话138****5678' }]);
    expect(leftLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 cool_down']);
    world.moveTo('02 02:30:00');
    expect(settledLines(await world.step({ runId: 'run-3' }))).toEqual(['B1-1 2 SUCCESS']);
    expect(world.paid('B1-1')).toBe(1);
    const reqIds = await lines(world.db, 'settle_attempt', ['req_id']);
    expect(new Set(reqIds).size).toBe(2);
  });

  test('M5: after three attempts it is left to people', async () => {
    const fails = { state: 'FAIL' };
    await world.failed('B1', { settle: { state: 'FAIL', retries: [fails, fails, fails] } });
    for (const [place, time] of ['02:10:00', '02:30:00', '02:50:00'].entries()) {
      world.moveTo(`02 ${time}`);
      expect(settledLines(await world.step({ runId: `run-${place}` }))).toEqual([`B1-1 ${place + 1} FAIL`]);
    }
    world.moveTo('02 03:10:00');
    expect(leftLines(await world.step({ runId: 'run-4' }))).toEqual(['B1-1 max_attempts']);
    expect(world.sends()).toBe(3);
  });

  test('STL-14: PROCESSING stays open, is never sent again, and is closed when the query says that it is paid', async () => {
    await world.failed('B1', { settle: { state: 'FAIL', retries: [{ delayMs: 3_600_000 }] } });
    expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
    const again = await world.step({ runId: 'run-2' });
    expect([settledLines(again), again.plan]).toEqual([['B1-1 1 PROCESSING'], []]);
    world.moveTo('02 03:30:00');
    expect(settledLines(await world.step({ runId: 'run-3', mode: 'resolve-only' }))).toEqual([
      'B1-1 1 SUCCESS',
    ]);
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  });

  test('what was noted of it on the way is not told of one that is paid', async () => {
    await world.failed('B1', { settle: { state: 'FAIL', retries: [{ delayMs: 3_600_000 }] } });
    await world.step();
    const set = { settleState: 'PROCESSING' };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, set });
    world.moveTo('02 03:10:00');
    await world.step({ runId: 'run-2' });
    const noted = (): Promise<unknown> => listAttempts(world.db, { after: 0n, upTo: 100n });
    expect(await noted()).toMatchObject([{ note: 'a query shows it under way' }]);
    world.moveTo('02 03:30:00');
    await world.step({ runId: 'run-3' });
    expect(await noted()).toMatchObject([{ outcome: 'SUCCESS', note: '' }]);
  });

  test('U49: what was accepted as paid and came back unseen is not retried: a person decides', async () => {
    await world.failed('B1', {
      settle: { state: 'FAIL', retries: [{ returnAfterMs: 1_000, returnRemark: '退票' }] },
    });
    world.sandbox.addFault({ kind: 'http_status', status: 503, path: 'division/query', skip: 1, times: 5 });
    expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
    world.moveTo('02 02:10:00');
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 PROCESSING']);
    world.moveTo('02 03:11:00');
    expect(settledLines(await world.step({ runId: 'run-3' }))).toEqual(['B1-1 1 AWAITING']);
    world.moveTo('02 03:12:00');
    const later = await world.step({ runId: 'run-4' });
    expect([settledLines(later), leftLines(later)]).toEqual([['B1-1 1 AWAITING'], ['B1-1 open_attempt']]);
  });
});

describe('the look right before it', () => {
  test('M8: what another tool settled meanwhile is not sent', async () => {
    await world.failed('B1', {
      settle: {
        states: [
          { afterMs: 0, state: 'FAIL' },
          { afterMs: 80_000_000, state: 'SUCCESS' },
        ],
      },
    });
    world.moveTo('03 02:00:00');
    const outcome = await world.step();
    expect(outcome.notRetried).toMatchObject([
      { outOrderNo: 'B1-1', code: 'state_changed', reason: 'its settlement is SUCCESS now' },
    ]);
    expect(world.sends()).toBe(0);
    expect(await lines(world.db, 'transfer_order', ['settlement'])).toEqual(['settled']);
  });

  test.each<[string, object, string, string]>([
    ['P7', { settleState: 'ODD' }, 'state_changed', 'its settlement is ODD now'],
    ['P6', { state: 'PROCESSING' }, 'state_changed', 'the order is PROCESSING now'],
    ['REF-09', { state: 'REFUND', refundAmount: 10_000 }, 'state_changed', 'the order is REFUND now'],
    ['another amount', { realAmount: 9_000 }, 'facts_differ', 'the amount is 9000 now, 10000 was planned'],
    ['a refund', { refundAmount: 1 }, 'state_changed', 'it is refunded now, at least in part'],
    ['another payee', { payeeAcctNo: 'R' }, 'facts_differ', 'the payee is R now, Q was planned'],
    ['P9', { amount: '12.5' }, 'facts_differ', 'amount is not whole fen from 0 to 10^15: "12.5"'],
    ['another order', { outOrderNo: 'X' }, 'not_listed', 'its batch does not list it, or lists it twice'],
  ])('%s: %j is not sent', async (_name, set, code, reason) => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'record', path: 'division/query', set: set as Record<string, unknown> });
    expect((await world.step()).notRetried).toMatchObject([{ code, reason }]);
    expect([world.sends(), await world.attempts()]).toEqual([0, []]);
  });

  test('N9: nothing is sent on an answer that is not signed', async () => {
    world.sandbox.setSwitches({ signAnswers: false });
    await world.failed('B1', {});
    const outcome = await world.step();
    expect(outcome.notRetried).toMatchObject([
      { code: 'account_unread', reason: "its payee's account: the answer is not signed" },
    ]);
    world.sandbox.setSwitches({ signAnswers: true });
    await world.orders.profile({ signing: { requireResponseSign: 'never' } });
    world.sandbox.addFault({ kind: 'omit_sign', path: 'division/query' });
    expect(leftLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 look_unsigned']);
    expect([world.sends(), await world.attempts()]).toEqual([0, []]);
  });

  test('a query without an answer leaves its order alone, and the others have their turn', async () => {
    await world.failed('B1', {});
    await world.failed('B2', {});
    world.sandbox.addFault({ kind: 'http_status', status: 503, path: 'division/query', times: 5 });
    const outcome = await world.step();
    expect([leftLines(outcome), settledLines(outcome)]).toEqual([['B1-1 unanswered'], ['B2-1 1 SUCCESS']]);
  });

  test('a batch that is known by the platform’s number only is found by that', async () => {
    await world.failed('B1', {});
    world.sandbox.addFault({ kind: 'unmapped_code', msg: '批次不存在', path: 'division/query', times: 1 });
    const before = world.requestNo;
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
    expect(world.paths(before)).toEqual([
      '/acct/queryInfo',
      '/division/query',
      '/division/query',
      '/order/settle',
      '/division/query',
    ]);
  });
});

describe('U21, STL-08: the payee', () => {
  test('an account that is closed by now keeps its settlements, and is asked for once', async () => {
    await world.failed('B1', {}, {});
    world.sandbox.addFault({ kind: 'record', path: 'acct/queryInfo', set: { accountState: '0' } });
    const before = world.requestNo;
    expect(leftLines(await world.step())).toEqual(['B1-1 account_not_active', 'B1-2 account_not_active']);
    expect(world.paths(before)).toEqual(['/acct/queryInfo']);
  });
});

describe('several', () => {
  test('one after the other, in the order of their keys, within the limits of the day', async () => {
    await world.orders.profile({ settle: { maxPerRun: 2 } });
    await world.failed('B1', {}, {}, {});
    const first = await world.step();
    expect([settledLines(first), leftLines(first)]).toEqual([
      ['B1-1 1 SUCCESS', 'B1-2 1 SUCCESS'],
      ['B1-3 left_over'],
    ]);
    expect(first.leftOver).toEqual({ orders: 1, sumFen: 10_000n });
    expect(leftLines(await world.step())).toEqual(['B1-3 left_over']);
    // Whichever command sends: the day has its limits, not the run.
    expect(leftLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-3 left_over']);
    expect(leftLines(await world.step({ runId: 'run-3', only: { outOrderNo: 'B1-3' } }))).toEqual([
      'B1-3 left_over',
    ]);
    world.moveTo('03 00:00:01');
    expect(settledLines(await world.step({ runId: 'run-4' }))).toEqual(['B1-3 1 SUCCESS']);
  });

  test('one order of its own is chosen by its number, and the others are left alone', async () => {
    await world.failed('B1', {}, {});
    const outcome = await world.step({ only: { outOrderNo: 'B1-2' }, remark: '人工重试{attempt}' });
    expect([settledLines(outcome), outcome.plan[0]?.remark]).toEqual([['B1-2 1 SUCCESS'], '人工重试1']);
    expect(await world.step({ only: { outOrderNo: 'none' } })).toMatchObject({ plan: [], notRetried: [] });
    const both = await world.step({ runId: 'run-2', only: { accountNo: 'P' } });
    expect(settledLines(both)).toEqual(['B1-1 1 SUCCESS']);
  });

  test('a choice that fits two orders is carried out for none', async () => {
    await world.failed('B1', {}, {});
    const outcome = await world.step({ only: { accountNo: 'P' } });
    expect(leftLines(outcome)).toEqual(['B1-1 ambiguous', 'B1-2 ambiguous']);
    expect(world.sends()).toBe(0);
  });
});

test('what is logged names the orders and requests, and no personal number', async () => {
  await world.failed('B1', {
    settle: { state: 'FAIL', retries: [{ state: 'FAIL', remark: '卡6222021234567890123' }] },
  });
  await world.step();
  const events = world.orders.job.log.lines.filter(({ event }) => event.startsWith('settle.'));
  expect(events.map(({ event }) => event)).toEqual([
    'settle.planned',
    'settle.sent',
    'settle.answered',
    'settle.resolved',
  ]);
  expect(events.at(-1)).toMatchObject({ outOrderNo: 'B1-1', outcome: 'FAIL', note: '卡****0123' });
  const text = JSON.stringify(events, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(text).not.toContain('6222021234567890123');
});
