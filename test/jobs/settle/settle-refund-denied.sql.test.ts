/** What a person says of a refund by hand that the platform did not take holds of one order of one payer (U36). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Context } from '../../../jobs/context/context.ts';
import { notRefunded } from '../../../jobs/call/not-refunded.ts';
import { NoAnswer, Stopped, WrongInput } from '../../../src/core/errors.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts';
import { OWN_WORK } from '../../../jobs/units/unit.ts';
import { askOrder } from '../../../jobs/night/collect/ask-order.ts';
import { writerOf } from '../../../jobs/night/collect/order-units.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import { leftLines, machineOff, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

/** @returns what `recon settle --not-refunded` prints, or why it refuses */
async function deny(
  denial: { reqId: string | null; accountNo?: string; outOrderNo?: string },
  context: Context = world.orders.job,
): Promise<unknown> {
  const said = { accountNo: 'P', outOrderNo: 'T1', by: 'Li Na', ...denial, reqId: String(denial.reqId) };
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  try {
    return (await notRefunded(context, said)).document;
  } catch (error) {
    if (error instanceof WrongInput || error instanceof Stopped) return error.message;
    throw error;
  } finally {
    await world.restart();
  }
}

const denied = (reqId: string | null): unknown =>
  expect.objectContaining({ reqId, accountNo: 'P', reference: 'T1', deniedBy: 'Li Na' });
const REFUSED: unknown = expect.stringContaining('is waited for');

test('nor is one of which somebody says that the platform took none, and who said so is kept', async () => {
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' });
  const named = { outBatchNo: 'B1', outOrderNos: 'T1' };
  const { reqId } = await world.refundByHand(named, { smsCode: '1', smsFlowNo: '1' });
  world.moveTo('02 04:00:00');
  const { notRetried } = await world.step();
  expect(notRetried).toMatchObject([{ outOrderNo: 'T1', code: 'refunded' }]);
  expect(notRetried[0]?.reason).toContain(
    `recon settle --not-refunded ${String(reqId)} --payer P --order T1 --by NAME`,
  );
  const others = [{ reqId: 'another' }, { reqId, outOrderNo: 'T2' }, { reqId, accountNo: 'Q' }];
  for (const other of others) expect(await deny(other)).toEqual(REFUSED);
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  expect([await deny({ reqId }), await deny({ reqId })]).toEqual([denied(reqId), REFUSED]);
  const kept = await world.db.selectFrom('refund_denied').select(['account_no', 'denied_by']).execute();
  expect(kept).toEqual([{ account_no: 'P', denied_by: 'Li Na' }]);
  expect(settledLines(await world.step())).toEqual(['T1 1 SUCCESS']);
});

/** A refund of T1 at three that is lost on its way, and done three days after it arrives. */
async function refundOnItsWay(): Promise<{ reqId: string | null; arrives: () => Promise<unknown> }> {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 3 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  const client = await world.orders.job.platform();
  const callRaw = client.callRaw.bind(client);
  let arrives = (): Promise<unknown> => Promise.reject(new Error('it did not leave'));
  vi.spyOn(client, 'callRaw').mockImplementationOnce(async (endpoint, biz, options) => {
    const now = world.orders.night.clock.wall();
    const { reqId = '' } = options?.intent ?? {};
    await options?.intent?.commit({ correctedAt: now, wallAt: now, monoMs: 0 });
    arrives = () => callRaw(endpoint, biz, { isUnchecked: true });
    throw new NoAnswer('connection reset', { reqId });
  });
  world.orders.job.platform = () => Promise.resolve(client);
  world.moveTo('02 03:00:00');
  const { reqId, outcome } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
  expect(outcome).toBe('unknown');
  world.moveTo('02 03:00:06');
  return { reqId, arrives };
}

/** It arrives, and T1 is not paid out before it is done. */
async function doneAlone(arrives: () => Promise<unknown>): Promise<void> {
  expect(await arrives()).toMatchObject({ kind: 'accepted' });
  world.moveTo('02 05:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect(world.paid('T1')).toBe(0);
}

test('nobody can say so of one that is on its way yet, however truly the platform says that it has none', async () => {
  const { reqId, arrives } = await refundOnItsWay();
  expect(await deny({ reqId })).toContain('once more after 2026-03-02 04:03:02');
  await doneAlone(arrives);
});

test('what was said while queries were thought never to lag behind is too early once they do, and is said again', async () => {
  const lags = async (viewLagSeconds: number): Promise<void> => {
    await world.orders.profile({ settle: { viewLagSeconds } });
    await world.restart();
  };
  await lags(0);
  const { reqId, arrives } = await refundOnItsWay();
  expect(await arrives()).toMatchObject({ kind: 'accepted' });
  world.moveTo('02 03:04:00');
  expect(await deny({ reqId })).toEqual(denied(reqId));
  await lags(3_600);
  world.moveTo('02 05:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  expect([await deny({ reqId }), await deny({ reqId })]).toEqual([denied(reqId), REFUSED]);
});

test('nor on a machine whose clock is ahead, which the platform answers nothing', async () => {
  const { reqId, arrives } = await refundOnItsWay();
  const ahead = await machineOff(world.orders, 2 * HOUR_MS);
  expect(await deny({ reqId }, { ...world.orders.job, ...ahead })).toContain('nothing was noted');
  await doneAlone(arrives);
});

test('nor of one that the query of that very call shows, though none shows it later and it goes on', async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 5 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  const { reqId } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
  world.moveTo('02 05:00:00');
  const set = { state: 'WAIT_CONFIRM', refundAmount: 10_000 };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, set });
  expect(await deny({ reqId })).toContain('nothing was noted');
  await world.orders.collectOn('04');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect([world.sends(), world.paid('T1')]).toEqual([0, 0]);
});

/** A refund of T1 that is done five days later, which no query shows by then but the one that a night makes at that time. */
async function shownOnceAt(time: string): Promise<string | null> {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 5 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  const { reqId } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
  return await waitsAt(time).then(() => reqId);
}

async function waitsAt(time: string, over: object = {}): Promise<void> {
  const set = { state: 'WAIT_CONFIRM', refundAmount: 10_000, ...over };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, set });
  world.moveTo(`02 ${time}`);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
}

test('nor of one that a night was shown, as long as a view may lag behind that', async () => {
  const reqId = await shownOnceAt('05:00:00');
  world.moveTo('02 05:10:00');
  expect(await deny({ reqId })).toContain('once more after 2026-03-02 06:03:02');
  world.moveTo('02 06:30:00');
  expect(await deny({ reqId })).toEqual(denied(reqId));
});

test.each([
  ['the refund', {}],
  ['it in a record that contradicts itself', { amount: 'odd' }],
  ['it without a sum', { refundAmount: null }],
])('a word does not hold once a night is shown %s, and may be said once more', async (_name, over) => {
  const reqId = await shownOnceAt('02:30:00');
  world.moveTo('02 05:00:00');
  expect(await deny({ reqId })).toEqual(denied(reqId));
  await waitsAt('06:00:00', over);
  await world.orders.collectOn('04');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  expect(await deny({ reqId })).toEqual(denied(reqId));
});

test('nor where a look that was heard before it, and is stored only after it, showed the refund', async () => {
  const refundAt = async (time: string): Promise<OrderAnswer> => {
    world.moveTo(`02 ${time}`);
    const set = { state: 'WAIT_CONFIRM', refundAmount: 10_000 };
    world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, set });
    const unit = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' } as const;
    return askOrder(world.orders.job, unit);
  };
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 5 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  const { reqId } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1' });
  const answer = await refundAt('05:00:00');
  world.moveTo('02 05:01:00');
  expect(await deny({ reqId })).toEqual(denied(reqId));
  const run = { runId: 'a snapshot', toDay: '2026-03-01', today: '2026-03-02', purpose: 'snapshot' } as const;
  const writer = writerOf(world.orders.job, run, OWN_WORK);
  await writer.add(answer);
  await writer.close();
  await world.orders.collectOn('04');
  world.moveTo('04 14:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect([world.sends(), world.paid('T1')]).toEqual([0, 0]);
});

test('that the platform took none of one order says nothing of the others that the same request names', async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 3 * DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { outOrderNo: 'T2' }, { settle: null });
  const client = await world.orders.job.platform();
  const callRaw = client.callRaw.bind(client);
  vi.spyOn(client, 'callRaw').mockImplementationOnce((endpoint, biz, options) =>
    callRaw(endpoint, { ...biz, outOrderNos: 'T2' }, options),
  );
  world.orders.job.platform = () => Promise.resolve(client);
  const { reqId } = await world.refundByHand({ outBatchNo: 'B1', outOrderNos: 'T1,T2' });
  world.moveTo('02 04:00:00');
  expect(await deny({ reqId })).toEqual(denied(reqId));
  const outcome = await world.step();
  expect([leftLines(outcome), settledLines(outcome)]).toEqual([['T2 refunded'], ['T1 1 SUCCESS']]);
  await world.orders.collectOn('08');
  expect((await world.orders.orders()).slice(-2)).toEqual(['T1 moved settled 0', 'T2 moved failed 10000']);
  expect([world.paid('T1'), world.paid('T2')]).toEqual([1, 0]);
});

test('nor of that of another payer which has the same number', async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: 3 * DAY_MS, settleGuard: false });
  // The payee has money that could be paid out twice.
  world.orders.batch('B1', [{ settle: null, amountFen: 20_000n }]);
  await world.failedOfTwoPayers('T1');
  const { reqId, outcome } = await world.refundByHand({ outBatchNo: 'BR', outOrderNos: 'T1' });
  expect(outcome).toBe('accepted');
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded', 'T1 refunded']);
  expect(await deny({ reqId, accountNo: 'P' })).toEqual(denied(reqId));
  const { settlements, notRetried } = await world.step();
  expect(settlements).toMatchObject([{ accountNo: 'P', outcome: 'SUCCESS' }]);
  expect(notRetried).toMatchObject([{ accountNo: 'R', code: 'refunded' }]);
  await world.orders.collectOn('08');
  expect(world.paid('T1')).toBe(1);
});
