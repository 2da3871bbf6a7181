/** A settlement is never retried while a refund of its order waits, however little queries show of that (U36). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NotSent } from '../../../src/core/errors.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts';
import type { TransferBatch } from '../../../src/platform/contract.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

/** As `recon call division/refund` of an order of B1. */
const refund = (code?: object) => world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' }, code);

/** From now on the platform states that beside, or instead of, what it states of every batch and of its first order. */
async function sayOf(stated: () => { batch?: object; order?: object }): Promise<void> {
  const client = await world.orders.job.platform();
  const call = client.call.bind(client);
  vi.spyOn(client, 'call').mockImplementation(async (endpoint, request, options) => {
    const outcome = await call(endpoint, request, options);
    if (outcome.kind === 'accepted' && endpoint === 'division/query') {
      const answer = outcome.answer as TransferBatch;
      Object.assign(answer, stated().batch);
      Object.assign(answer.orders[0] ?? {}, stated().order);
    }
    return outcome;
  });
  world.orders.job.platform = () => Promise.resolve(client);
}

const sayOfBatches = (state: string): Promise<void> => sayOf(() => ({ batch: { state } }));

test('a refund by hand that was accepted, and that no query shows before it is done, is waited for', async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
  // Of the last one the payee has money that could be paid out twice.
  await world.failed('B1', { outOrderNo: 'T1' }, { outOrderNo: 'T2' }, { settle: null });
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  world.moveTo('02 04:00:00');
  const outcome = await world.step();
  expect([leftLines(outcome), settledLines(outcome)]).toEqual([['T1 refunded'], ['T2 1 SUCCESS']]);
  await world.orders.collectOn('04');
  expect((await world.orders.orders()).slice(-2)).toEqual(['T1 moved failed 10000', 'T2 moved settled 0']);
  expect(world.paid('T1')).toBe(0);
});

test('so is one that queries show as waiting, and show no more although it goes on', async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 5 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  let order: object = { state: 'WAIT_CONFIRM', refundFen: 10_000n };
  await sayOf(() => ({ order }));
  await world.orders.collectOn('03');
  order = {};
  await world.orders.collectOn('04');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect([world.sends(), world.paid('T1')]).toEqual([0, 0]);
});

test('so is one that was refused: it may have been delivered twice', async () => {
  await world.orders.profile({ errors: { classes: [] } });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
  world.sandbox.addFault({ kind: 'twice', path: 'division/refund', answer: 'second' });
  expect(await refund()).toMatchObject({ outcome: 'refused' });
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('04');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect(world.paid('T1')).toBe(0);
});

test.each([
  ['too often', { code: 'E429', msg: '操作过于频繁', class: 'RATE_LIMIT' }],
  ['too late', { code: '100403', msg: '请求时间超出允许范围', class: 'AUTH' }],
  ['with a code that is used up', { code: '300007', msg: '验证码错误或已使用', class: 'PARAM' }],
] as const)(
  'no refusal proves that it was not: that of a second delivery, which came %s, is known to the profile',
  async (_, rule) => {
    await world.orders.profile({ errors: { classes: [{ path: 'division/refund', ...rule }] } });
    await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
    world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
    const client = await world.orders.job.platform();
    const callRaw = client.callRaw.bind(client);
    vi.spyOn(client, 'callRaw').mockImplementationOnce(async (endpoint, biz, options) => {
      expect(await callRaw(endpoint, biz, options)).toMatchObject({ kind: 'accepted' });
      const { code, msg } = rule;
      world.sandbox.addFault({ kind: 'unmapped_code', path: 'division/refund', code, msg, times: 1 });
      return callRaw(endpoint, biz, { isUnchecked: true });
    });
    world.orders.job.platform = () => Promise.resolve(client);
    expect(await refund()).toMatchObject({ outcome: 'refused' });
    world.moveTo('02 04:00:00');
    expect(leftLines(await world.step())).toEqual(['T1 refunded']);
    await world.orders.collectOn('04');
    expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
    expect(world.paid('T1')).toBe(0);
  },
);

test('one that never left is not', async () => {
  await world.failed('B1', { outOrderNo: 'T1' });
  const client = await world.orders.job.platform();
  vi.spyOn(client, 'callRaw').mockImplementationOnce(async (_path, _biz, options) => {
    const { clock } = world.orders.night;
    await options?.intent?.commit({
      correctedAt: clock.wall(),
      wallAt: clock.wall(),
      monoMs: clock.monoMs(),
    });
    throw new NotSent('connect ECONNREFUSED');
  });
  world.orders.job.platform = () => Promise.resolve(client);
  await expect(refund()).rejects.toThrow('nothing was sent');
  expect(await world.db.selectFrom('call_by_hand').select('about').execute()).not.toEqual([]);
  world.moveTo('02 04:00:00');
  expect(settledLines(await world.step())).toEqual(['T1 1 SUCCESS']);
});

test('nor is one that queries showed, and that was given back', async () => {
  await world.failed('B1', { outOrderNo: 'T1' });
  world.sandbox.setSwitches({ queryShowsRefund: false });
  world.sandbox.planOutcomes([{ kind: 'refund', returnAfterMs: 2 * DAY_MS }]);
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  await world.orders.collectOn('03');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('05');
  world.moveTo('05 04:00:00');
  expect(settledLines(await world.step())).toEqual(['T1 1 SUCCESS']);
});

test('that an earlier one was given back shows nothing of the next, which waits', async () => {
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  world.sandbox.setSwitches({ queryShowsRefund: false, settleGuard: false });
  world.sandbox.planOutcomes([{ kind: 'refund', returnAfterMs: 2 * DAY_MS }]);
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  await world.orders.collectOn('03');
  world.moveTo('04 22:00:00');
  world.sandbox.setSwitches({ refundDelayMs: 2 * DAY_MS });
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  await world.orders.collectOn('05');
  world.moveTo('05 04:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect(world.paid('T1')).toBe(0);
});

test('nor does a view that lags behind, and shows the earlier one done only after the next was called for', async () => {
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  world.sandbox.setSwitches({ queryShowsRefund: false, settleGuard: false });
  world.sandbox.planOutcomes([{ kind: 'refund', returnAfterMs: HOUR_MS }]);
  world.moveTo('03 00:30:00');
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  world.moveTo('03 01:40:00');
  world.sandbox.setSwitches({ refundDelayMs: 3 * DAY_MS });
  expect(await refund()).toMatchObject({ outcome: 'accepted' });
  let order: object = { refundFen: 10_000n };
  await sayOf(() => ({ order }));
  await world.orders.collectOn('03');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  order = {};
  await world.orders.collectOn('04');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect(world.paid('T1')).toBe(0);
});

test.each(['corrupt_sign', 'drop_after'] as const)(
  'of one whose answer was lost or cannot be believed (%s) nobody knows: it is waited for',
  async (kind) => {
    await world.failed('B1', { outOrderNo: 'T1' });
    world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
    world.sandbox.addFault({ kind, path: 'division/refund', times: 1 });
    expect(await refund()).toMatchObject({ outcome: 'unknown' });
    world.moveTo('02 04:00:00');
    expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  },
);

test('a refund that the batch alone says waits for its confirmation is one of its orders, as long as none says so', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  const refunds = [{ outOrderNo: 'B1-1', at: '2026-03-01 12:00:00', delayMs: 2 * DAY_MS }];
  const settle = { state: 'FAIL' };
  // The words of an order are not those of its batch (DIV-26).
  const listed = { set: { state: 'SUCCESS', refundAmount: 0 } };
  world.orders.batch('B1', [{ settle, listed }, { settle: null }], { refunds });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
  await world.orders.collectOn('04');
  // Paid back to P, and to nobody else.
  expect([world.sends(), world.paid('B1-1')]).toEqual([0, 0]);
});

test.each([
  ['all that moved', 'REFUND', []],
  ['a part', 'PART_REFUND', [{ settle: null }]],
] as const)('so is one of %s that the batch alone says is done', async (_, state, others) => {
  world.sandbox.setSwitches({ settleGuard: false });
  const refunds = [{ outOrderNo: 'B1-1', at: '2026-03-01 12:00:00' }];
  const listed = { set: { state: 'SUCCESS', refundAmount: 0 } };
  world.orders.batch('B1', [{ settle: { state: 'FAIL' }, listed }, ...others], { refunds });
  await world.orders.registerBatches('B1');
  await world.orders.collect();
  const labels = await world.db.selectFrom('transfer_batch').select('state').execute();
  expect(labels).toEqual([{ state }]);
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
  expect(world.sends()).toBe(0);
});

test.each([
  ['that nobody knows', 'REFUNDING'],
  ['by which nothing moved, or is undone', 'CLOSE'],
  ['by which nothing moved, or is undone', 'FAIL'],
])(
  'nor is anything retried of a batch in a word %s, %s: it may be that of a refund that waits',
  async (_, label) => {
    world.sandbox.setSwitches({ settleGuard: false });
    const refunds = [{ outOrderNo: 'B1-1', at: '2026-03-01 12:00:00', delayMs: 2 * DAY_MS }];
    const listed = { set: { state: 'SUCCESS', refundAmount: 0 } };
    world.orders.batch('B1', [{ settle: { state: 'FAIL' }, listed }, { settle: null }], { refunds });
    await world.orders.registerBatches('B1');
    await sayOfBatches(label);
    await world.orders.collect();
    world.moveTo('02 04:00:00');
    expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
    expect(world.sends()).toBe(0);
  },
);

test.each(['REFUNDING', '撤销中'])(
  'nor is an order retried whose word, %s, the profile alone knows as one that moved its money',
  async (state) => {
    await world.orders.profile({ states: { child: { moved: ['SUCCESS', 'REFUND', state] } } });
    world.sandbox.setSwitches({ settleGuard: false });
    const refunds = [{ outOrderNo: 'B1-1', at: '2026-03-01 12:00:00', delayMs: 2 * DAY_MS }];
    const listed = { set: { state, refundAmount: 0 } };
    world.orders.batch('B1', [{ settle: { state: 'FAIL' }, listed }, { settle: null }], { refunds });
    await world.orders.registerBatches('B1');
    await sayOfBatches('SUCCESS');
    await world.orders.collect();
    world.moveTo('02 04:00:00');
    expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
    expect([world.sends(), world.paid('B1-1')]).toEqual([0, 0]);
  },
);
