/** A call of money by hand that was dated by a clock that was ahead, and that the platform refused, keeps nothing waiting for years. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCall } from '../../../jobs/call/call.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { smsCode } from '../../sandbox/orders/orders-caller.ts';
import { leftLines, machineOff, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
  await world.failed('B1', { outOrderNo: 'T1' }, { outOrderNo: 'T2' });
});
afterEach(() => world.close());

async function callBy(aheadMs: number, endpoint: EndpointName, biz: JsonObject): Promise<unknown> {
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  const plain = { isUnchecked: true, said: ['all'], warnings: [], lookUp: undefined, approve: undefined };
  const context = { ...world.orders.job, ...(await machineOff(world.orders, aheadMs)) };
  return (await makeCall(context, { endpoint, biz, ...plain }, () => undefined)).document;
}

async function callAhead(endpoint: EndpointName, biz: JsonObject): Promise<void> {
  const document = await callBy(365 * DAY_MS, endpoint, biz);
  expect(document).toMatchObject({ outcome: 'refused', code: '100403' });
}

const refund = () =>
  callAhead('division/refund', {
    outBatchNo: 'B1',
    outOrderNos: 'T1',
    channelExtra: '{"smsCode":"1","smsFlowNo":"1"}',
  });
const withdraw = () => callAhead('account/withdraw', { outOrderNo: 'W1', acctNo: 'Q', amount: 10_000 });

async function stepAt(time: string, over: Partial<SettlePorts> = {}) {
  world.moveTo(time);
  world.skip(2 * HOUR_MS);
  await world.restart();
  return world.step({ runId: time }, over);
}

const dated = async () =>
  (await world.db.selectFrom('call_by_hand').select('req_time').execute()).map(({ req_time }) => req_time);

test('a refund counts as sent when a query first shows that its clock was ahead, and its order waits from then on', async () => {
  await refund();
  const others = await stepAt('02 02:10:00');
  expect([settledLines(others), leftLines(others)]).toEqual([['T2 1 SUCCESS'], ['T1 cool_down']]);
  expect(leftLines(await stepAt('02 03:10:00'))).toEqual(['T1 cool_down']);
  expect(settledLines(await stepAt('02 03:15:00'))).toEqual(['T1 1 SUCCESS']);
});

test('so does a withdrawal, for every order of that payee', async () => {
  await withdraw();
  expect(leftLines(await stepAt('02 02:10:00'))).toEqual(['T1 cool_down', 'T2 cool_down']);
  expect(settledLines(await stepAt('02 03:15:00'))).toEqual(['T1 1 SUCCESS', 'T2 1 SUCCESS']);
});

test('not on the word of a rehearsal, of an answer without a signature, or of a machine whose own clock is behind', async () => {
  await refund();
  await world.restart();
  expect(leftLines(await world.step({ mode: 'dry-run' }))).toEqual(['T1 refunded']);
  world.sandbox.addFault({ kind: 'omit_sign', path: 'division/query', times: 5 });
  await stepAt('02 02:10:00');
  const { clock, platform } = await machineOff(world.orders, -2 * HOUR_MS);
  const slow = await stepAt('02 02:20:00', { clock, client: await platform() });
  // Of the answers without a signature nobody knows what they showed of the other one.
  expect(leftLines(slow)).toEqual(['T1 refunded', 'T2 cool_down']);
  expect(await dated()).toEqual([expect.stringMatching(/^2027-03-01T18:/)]);
});

/** What the platform says of a refund that a machine four minutes ahead has sent, once it has been on its way for so long. */
async function refundOnItsWay(): Promise<() => Promise<unknown>> {
  world.sandbox.setSwitches({ smsTtlSeconds: 600 });
  const channelExtra = JSON.stringify(smsCode(world.sandbox, { reqNo: 'RQQ' }));
  world.sandbox.addFault({ kind: 'drop_before', path: 'division/refund', times: 1 });
  const named = { outBatchNo: 'B1', outOrderNos: 'T1', channelExtra };
  expect(await callBy(4 * MINUTE_MS, 'division/refund', named)).toMatchObject({ outcome: 'unknown' });
  const { path = '', body = '' } = world.sandbox.requests().at(-1) ?? {};
  return async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${world.orders.night.served.url}${path}`, { method: 'POST', headers, body });
    return await answer.json();
  };
}

test('a refund that is on its way until its time has come is waited for', async () => {
  await world.orders.profile({ settle: { viewLagSeconds: 0 } });
  world.moveTo('02 02:00:00');
  const arrive = await refundOnItsWay();
  expect(leftLines(await stepAt('02 02:01:00'))).toContain('T1 refunded');
  expect(leftLines(await stepAt('02 02:03:40'))).toContain('T1 refunded');
  world.moveTo('02 02:04:00');
  expect(await arrive()).toMatchObject({ code: '000000' });
  expect(settledLines(await stepAt('02 02:20:00'))).toEqual([]);
  expect(world.paid('T1')).toBe(0);
});
