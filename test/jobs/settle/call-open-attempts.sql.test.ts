/** A call of money by hand never meets a retry of a settlement: not one that is open, and none that begins meanwhile. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCall } from '../../../jobs/call/call.ts';
import { LockHeld } from '../../../src/core/errors.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { takeLease } from '../../../src/store/database/leases.ts';
import { SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  meanwhile = () => undefined;
});
afterEach(() => world.close());

/** What happens after a call was allowed, and before it leaves. */
let meanwhile: () => void;

/** As `recon call ENDPOINT BIZ --yes --unchecked`. */
function call(endpoint: EndpointName, biz: JsonObject) {
  const plain = { isUnchecked: true, said: ['all'], warnings: [], lookUp: undefined, approve: undefined };
  return makeCall(world.orders.job, { endpoint, biz, ...plain }, () => meanwhile());
}

const sms = '{"smsCode":"1","smsFlowNo":"1"}';
const refund = (outOrderNos: JsonObject[string]) =>
  call('division/refund', { outBatchNo: 'B1', outOrderNos, channelExtra: sms });
const withdraw = (acctNo: JsonObject[string], outOrderNo: JsonObject[string] = 'W1') =>
  call('account/withdraw', { outOrderNo, acctNo, amount: 10_000 });
const pay = (outOrderNo: string) =>
  call('division/pay', {
    outBatchNo: 'B9',
    payerAcctNo: 'P',
    orderList: JSON.stringify([{ outOrderNo, payeeAcctNo: 'Q', amount: 1 }]),
  });

/** The settlement of T1, from account Q, was sent and not answered; nobody retries now. */
async function openAttempt(outOrderNo = 'T1'): Promise<void> {
  await world.failed('B1', { outOrderNo });
  world.sandbox.addFault({ kind: 'drop_before', path: 'order/settle', times: 1 });
  await world.step({ runId: 'call-1', only: { outOrderNo } });
  await freeLease();
}

async function freeLease(): Promise<void> {
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
}

const REFUSED = /attempt 1 to settle \w+ is open .* call it again once it is closed/;

test('a refund by hand is refused while an attempt of one of its orders is open', async () => {
  await openAttempt();
  for (const orders of ['T9,T1', ' T1 ']) await expect(refund(orders)).rejects.toThrow(REFUSED);
  expect(world.orders.asked('/division/refund')).toBe(0);
  await refund('T9');
  expect(world.orders.asked('/division/refund')).toBe(1);
});

test('a withdrawal by hand from the account that an open attempt pays out is refused, whatever its number', async () => {
  await openAttempt();
  await world.db.updateTable('account').set({ ele_acct_no: 'E-Q' }).where('account_no', '=', 'Q').execute();
  for (const own of ['Q', ' Q ', 'E-Q']) await expect(withdraw(own)).rejects.toThrow(REFUSED);
  await expect(withdraw('P', 'T1')).rejects.toThrow(REFUSED);
  expect(world.orders.asked('/account/withdraw')).toBe(0);
  await withdraw('P');
  expect(world.orders.asked('/account/withdraw')).toBe(1);
});

test('nor does a number that is written as one get by', async () => {
  await openAttempt('77');
  await world.db.updateTable('settle_attempt').set({ payee_account_no: '88' }).execute();
  await expect(withdraw('P', 77n)).rejects.toThrow(REFUSED);
  await expect(withdraw(88n)).rejects.toThrow(REFUSED);
  await expect(refund(77n)).rejects.toThrow(REFUSED);
  expect(world.orders.asked('/account/withdraw') + world.orders.asked('/division/refund')).toBe(0);
});

test('once the attempt is closed its account is free again', async () => {
  await openAttempt();
  await world.db
    .updateTable('settle_attempt')
    .set({ state: 'CLOSED', outcome: 'FAIL', closed_at: '2026-03-02T00:00:00.000Z' })
    .execute();
  await withdraw('Q');
  expect(world.orders.asked('/account/withdraw')).toBe(1);
});

function takeSettleLease() {
  return takeLease(world.db, { name: 'settle', holder: 'retry', realClock: world.orders.job.realClock });
}

test.each([
  ['a refund', 'division/refund', () => refund('T9')],
  ['a withdrawal', 'account/withdraw', () => withdraw('P')],
  ['a transfer', 'division/pay', () => pay('T9')],
] as const)(
  '%s by hand is not sent while settlements are retried, and none is retried while it is sent',
  async (_, path, make) => {
    await expect(make()).rejects.toThrow(LockHeld);
    expect(world.orders.asked(`/${path}`)).toBe(0);
    await freeLease();
    world.sandbox.addFault({ kind: 'hold', path, ms: 500, times: 1 });
    const others: Promise<unknown>[] = [];
    meanwhile = () => void others.push(takeSettleLease().catch((error: unknown) => error));
    await make();
    expect(await Promise.all(others)).toEqual([expect.any(LockHeld)]);
    expect(world.orders.asked(`/${path}`)).toBe(1);
    await takeSettleLease();
  },
);
