/** A call of money by hand never meets a retry of a settlement: not one that is open, and none that begins meanwhile. */
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCall } from '../../../jobs/call/call.ts';
import { LockHeld } from '../../../src/core/errors.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { EndpointName } from '../../../src/platform/contract.ts';
import { takeLease } from '../../../src/store/database/leases.ts';
import { leftLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
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

const sms = { smsCode: '1', smsFlowNo: '1' };
const refund = (outOrderNos: JsonObject[string], code: object = sms) =>
  call('division/refund', { outBatchNo: 'B1', outOrderNos, channelExtra: JSON.stringify(code) });
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
  for (const orders of ['T9,T1', ' T1 ', 't1', 'T9，T1', 'T9、T1', 'T9; T1', ['T9', 'T1']])
    await expect(refund(orders)).rejects.toThrow(REFUSED);
  expect(world.orders.asked('/division/refund')).toBe(0);
  await refund('T9');
  expect(world.orders.asked('/division/refund')).toBe(1);
});

test('a withdrawal by hand from the account that an open attempt pays out is refused, whatever its number', async () => {
  await openAttempt();
  await world.db.updateTable('account').set({ ele_acct_no: 'E-Q' }).where('account_no', '=', 'Q').execute();
  for (const own of ['Q', ' Q ', 'E-Q', 'q', 'e-q']) await expect(withdraw(own)).rejects.toThrow(REFUSED);
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

/** The next call is allowed, waits for its place, and this happens before it leaves. */
async function standStillBeforeSending(meantime: () => Promise<void>): Promise<void> {
  const client = await world.orders.job.platform();
  const callRaw = client.callRaw.bind(client);
  client.callRaw = async (...given) => {
    client.callRaw = callRaw;
    await meantime();
    return callRaw(...given);
  };
}

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

test('nor is a settlement retried while a refund of its order by hand, which nobody answered, may be on its way', async () => {
  await world.failed('B1', { outOrderNo: 'T1' });
  await freeLease();
  world.sandbox.addFault({ kind: 'drop_before', path: 'division/refund', times: 1 });
  const { document, text } = await refund('T1');
  expect(document).toMatchObject({ outcome: 'unknown' });
  expect(text).toMatch(/ask with recon call division\/query .* only after 2026-03-02 03:0\d:\d\d;/);
  await world.restart();
  // Within seconds: the refund may be accepted until its time is over, and no query shows it before.
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  // By now it is over, and need not be shown if it was accepted (U36).
  world.moveTo('02 03:05:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  expect(world.sends()).toBe(0);
});

test('one that is named by whichever number, or whose payee is withdrawn from, waits; the others do not', async () => {
  await world.failed('B1', { outOrderNo: 'T1' }, { outOrderNo: 'T2', payeeAcctNo: 'P' });
  await freeLease();
  const { order_no } = await world.db
    .selectFrom('transfer_order')
    .select('order_no')
    .where('out_order_no', '=', 'T2')
    .executeTakeFirstOrThrow();
  await world.db.updateTable('account').set({ ele_acct_no: 'E-Q' }).where('account_no', '=', 'Q').execute();
  await withdraw('E-Q');
  await world.restart();
  expect(leftLines(await world.step({ mode: 'dry-run' }))).toEqual(['T1 cool_down']);
  await freeLease();
  await refund(`T8,${order_no}`);
  await world.restart();
  expect(leftLines(await world.step())).toEqual(['T1 cool_down', 'T2 refunded']);
  expect(world.sends()).toBe(0);
});

test('nor does a retry that was planned before such a call leave after it', async () => {
  await world.failed('B1', { outOrderNo: 'T1' });
  const ports = await world.ports();
  const plan = ports.book.plan.bind(ports.book);
  ports.book.plan = async (planned, basis) => {
    await freeLease();
    await refund('T1');
    await world.db.updateTable('lease').set({ fence: 1n, holder: 'test' }).execute();
    return plan(planned, basis);
  };
  expect(leftLines(await world.step({}, ports))).toEqual(['T1 state_changed']);
  expect([world.orders.asked('/division/refund'), world.sends()]).toEqual([1, 0]);
});

test('a machine that was started since lives through the wait before a call of money, but where nothing was ever retried', async () => {
  const { cutShort } = world.orders.night.clock;
  await rm(world.markFile);
  await freeLease();
  await withdraw('P');
  expect(cutShort).toEqual([]);
  await world.restart();
  await openAttempt();
  const { sequence } = await (await world.ports()).book.guard();
  await world.mark().write(await world.sure({ boot: 'boot-0', sequence }));
  cutShort.length = 0;
  await withdraw('P', 'W2');
  // 150 seconds, and the hour that queries may lag behind.
  expect(cutShort.map((ms) => Math.round(ms / 1_000))).toEqual([3_750]);
  expect(world.orders.asked('/account/withdraw')).toBe(2);
});

test('that neither mark nor database know of an attempt spares nobody the wait: both may be of before the first', async () => {
  const { cutShort } = world.orders.night.clock;
  await world.mark().write(await world.sure({ boot: 'boot-0' }));
  await freeLease();
  await withdraw('P');
  expect(cutShort.map((ms) => Math.round(ms / 1_000))).toEqual([3_750]);
  await rm(world.markFile);
  cutShort.length = 0;
  await withdraw('P', 'W2');
  expect(cutShort).toHaveLength(1);
});

test('a refund by hand does not leave when the lease was lost, and an attempt was opened, while it stood still', async () => {
  await world.failed('B1', { outOrderNo: 'T1' });
  await freeLease();
  await standStillBeforeSending(async () => {
    await world.restart();
    world.sandbox.addFault({ kind: 'drop_before', path: 'order/settle', times: 1 });
    await world.step();
  });
  await expect(refund('T1')).rejects.toThrow('this run lost its lock settle to another');
  expect(await world.attempts()).toEqual(['T1 1 UNKNOWN -']);
  expect(world.orders.asked('/division/refund')).toBe(0);
});

test.each([
  // As an acceptance does that arrives late, whoever has the lease.
  ['an attempt was opened again', { state: 'UNKNOWN', outcome: null, closed_at: null }, {}, REFUSED],
  [
    'a hold began',
    {},
    { hold_until: '2026-03-02T00:00:00.000Z' },
    /nothing was sent: the database was restored/,
  ],
  [
    'the database was replaced',
    {},
    { database_identity: 'another' },
    /the database was restored or replaced/,
  ],
] as const)('nor does it leave when, while it stood still, %s', async (_, attempt, guard, why) => {
  await openAttempt();
  const closed = { state: 'CLOSED', outcome: 'FAIL', closed_at: '2026-03-02T00:00:00.000Z' } as const;
  await world.db.updateTable('settle_attempt').set(closed).execute();
  await standStillBeforeSending(async () => {
    await world.db
      .updateTable('settle_attempt')
      .set({ ...closed, ...attempt })
      .execute();
    const written_by = sql<bigint>`pg_current_xact_id()::text::bigint`;
    await world.db
      .updateTable('settle_guard')
      .set({ written_by, ...guard })
      .execute();
  });
  await expect(refund('T1')).rejects.toThrow(why);
  expect(world.orders.asked('/division/refund')).toBe(0);
  expect(await world.db.selectFrom('call_by_hand').selectAll().execute()).toEqual([]);
});

test('a refund by hand is refused while sending is held after a restore: the attempt it names may be forgotten (2.3 c)', async () => {
  await openAttempt();
  await world.restart();
  await world.db.deleteFrom('settle_event').execute();
  await world.db.deleteFrom('settle_attempt').execute();
  await world.db.updateTable('settle_guard').set({ sequence: 0n }).execute();
  expect((await world.step()).heldUntil).toBeDefined();
  await freeLease();
  const held = /nothing was sent: the database was restored or replaced.* after 2026-03-02 03:1\d:\d\d/;
  for (const make of [() => refund('T1'), () => withdraw('Q'), () => pay('T9')])
    await expect(make()).rejects.toThrow(held);
  expect(world.orders.asked('/division/refund')).toBe(0);
  world.moveTo('02 03:15:00');
  await refund('T1');
  expect(world.orders.asked('/division/refund')).toBe(1);
});
