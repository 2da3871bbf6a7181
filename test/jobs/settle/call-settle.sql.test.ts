/** What `recon call order/settle` says of one order, whatever was known of it before (STL-01, STL-12). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleCallOutcome } from '../../../jobs/call/call-settle.ts';
import { SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

const T1 = { outOrderNo: 'T1' };

/** As `recon call order/settle` for T1 says it. */
async function said(runId: string) {
  const { outcome, reqId, msg, data } = settleCallOutcome(await world.step({ runId, only: T1 }));
  return { outcome, isSent: reqId !== null, msg, state: data?.['outcome'] };
}

test('what is under way is not sent again, and is not said to be accepted now', async () => {
  const retries = [{ state: 'SUCCESS' as const, delayMs: 3_600_000 }];
  await world.failed('B1', { ...T1, settle: { state: 'FAIL', retries } });
  const accepted = { outcome: 'accepted', isSent: true, msg: '', state: 'PROCESSING' };
  expect(await said('call-1')).toEqual(accepted);
  expect(await said('call-2')).toMatchObject({
    outcome: 'refused',
    isSent: false,
    msg: 'nothing was sent: T1: what came of its attempt 1 is PROCESSING',
    state: undefined,
  });
  world.moveTo('02 12:00:00');
  expect(await said('call-3')).toMatchObject({
    outcome: 'refused',
    isSent: false,
    msg: 'nothing was sent: T1: what came of its attempt 1 is SUCCESS',
  });
  expect([world.sends(), world.paid('T1')]).toEqual([1, 1]);
});

test('what was sent without an answer is unknown, and asking again sends nothing', async () => {
  await world.failed('B1', T1);
  world.sandbox.addFault({ kind: 'drop_before', path: 'order/settle', times: 1 });
  expect(await said('call-1')).toMatchObject({ outcome: 'unknown', isSent: true });
  expect(await said('call-2')).toMatchObject({ outcome: 'refused', isSent: false });
});

test('M10: the digest that it names is approved by the same call, and by no other plan', async () => {
  await world.orders.profile({ settle: { breaker: { orders: 0 } } });
  await world.failed('B1', T1, { outOrderNo: 'T2' });
  const request = { only: T1, remark: '请重试' };
  const named = settleCallOutcome(await world.step({ runId: 'call-1', ...request }));
  const [, digest = ''] = /--approve ([0-9a-f]{16})/.exec(named.msg) ?? [];
  expect(named).toMatchObject({
    outcome: 'refused',
    msg: `nothing was sent: T1, 100.00 yuan to Q, needs an approval: the same call with --approve ${digest} --by NAME`,
  });
  const approve = { digest, by: 'Li' };
  const other = await world.step({ runId: 'call-2', only: { outOrderNo: 'T2' }, approve });
  expect(settleCallOutcome(other).msg).toContain('the approval is of something else');
  expect(world.sends()).toBe(0);
  const approved = settleCallOutcome(await world.step({ runId: 'call-3', ...request, approve }));
  expect([approved.outcome, approved.data?.['outOrderNo'], world.sends()]).toEqual(['accepted', 'T1', 1]);
});

test('what awaits a person is named without a digest where no query is answered', async () => {
  await world.failed('B1', T1);
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.moveTo('02 02:00:00');
  await world.step();
  world.moveTo('02 03:30:00');
  await world.step({ runId: 'run-2' });
  world.sandbox.liftFaults();
  const silent = { kind: 'http_status', status: 503, content: 'html', times: 100 } as const;
  world.sandbox.addFault({ ...silent, path: 'division/query' });
  const { msg } = settleCallOutcome(await world.step({ runId: 'call-1', only: T1 }));
  expect(msg).toContain('nothing can be approved now: no query of it was answered now');
  expect(msg).not.toContain('--approve');
});

test('a plan is not offered for approval while the database is held', async () => {
  await world.orders.profile({ settle: { breaker: { orders: 0 } } });
  await world.failed('B1', T1);
  await world.mark().write(await world.sure({ sequence: 99n }));
  const { msg } = settleCallOutcome(await world.step({ runId: 'call-1', only: T1 }));
  expect(msg).toContain('held until');
  expect(msg).not.toContain('--approve');
});

test('what awaits a person is named with the digest that ends it', async () => {
  await world.failed('B1', T1);
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.moveTo('02 02:00:00');
  await world.step();
  world.moveTo('02 03:30:00');
  await world.step({ runId: 'run-2' });
  const named = settleCallOutcome(await world.step({ runId: 'call-1', only: T1 }));
  const [, digest = ''] = /recon settle --approve ([0-9a-f]{16})/.exec(named.msg) ?? [];
  expect(named.msg).toContain('T1: what came of its attempt 1 is AWAITING');
  const ended = await world.step({ runId: 'run-3', approve: { digest, by: 'Li' } });
  expect(ended.settlements).toMatchObject([{ outcome: 'FAIL', note: 'Li says that it was not paid' }]);
});

test('M5: what the night of this day has used up is left to no call, and a new day begins anew', async () => {
  await world.orders.profile({ settle: { maxPerRun: 1 } });
  await world.failed('B1', { outOrderNo: 'T0' });
  await world.step();
  expect([world.sends(), world.paid('T0')]).toEqual([1, 1]);
  await world.failed('B2', T1);
  expect(await said('call-1')).toMatchObject({ outcome: 'refused', isSent: false });
  expect(world.sends()).toBe(1);
  world.moveTo('03 12:00:00');
  expect(await said('call-2')).toMatchObject({ outcome: 'accepted', isSent: true });
  expect([world.sends(), world.paid('T1')]).toEqual([2, 1]);
});
