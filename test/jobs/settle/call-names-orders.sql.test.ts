/** Which orders a refund by hand names, however a platform reads what was typed: none of them is retried (U36). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCall } from '../../../jobs/call/call.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { DAY_MS } from '../../../src/core/time.ts';
import { smsCode } from '../../sandbox/orders/orders-caller.ts';
import { leftLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

/** As `recon call division/refund BIZ --yes --unchecked`. */
function refund(outOrderNos: JsonObject[string], code: object) {
  const plain = { isUnchecked: true, said: ['all'], warnings: [], lookUp: undefined, approve: undefined };
  const biz = { outBatchNo: 'B1', outOrderNos, channelExtra: JSON.stringify(code) };
  return makeCall(world.orders.job, { endpoint: 'division/refund', biz, ...plain }, () => undefined);
}

async function freeLease(): Promise<void> {
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
}

/** A platform that reads the numbers of a refund otherwise than they were written. */
async function platformReads(asRead: (outOrderNos: string) => string): Promise<void> {
  const client = await world.orders.job.platform();
  const callRaw = client.callRaw.bind(client);
  client.callRaw = (endpoint, biz, options) =>
    callRaw(endpoint, { ...biz, outOrderNos: asRead(biz['outOrderNos'] as string) }, options);
  world.orders.job.platform = () => Promise.resolve(client);
}

test('an order is not retried that a platform which reads either letter case as the same takes for the one that is named', async () => {
  await world.orders.profile({ settle: { viewLagSeconds: 0 } });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
  await platformReads((outOrderNos) => outOrderNos.toUpperCase());
  await freeLease();
  expect((await refund('t1', smsCode(world.sandbox, { reqNo: 'RQQ' }))).document).toMatchObject({
    outcome: 'accepted',
  });
  await world.restart();
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  expect(world.paid('T1')).toBe(0);
});

test.each([
  ['，', 'T1，T2'],
  ['|', 'T1|T2'],
  ['/', 'T1/T2'],
  ['”“', '“T1”“T2”'],
])(
  'nor is each of those that are parted by another sign than the comma of the document: %s',
  async (_, typed) => {
    await world.orders.profile({ settle: { viewLagSeconds: 0 } });
    await world.failed('B1', { outOrderNo: 'T1' }, { outOrderNo: 'T2' }, { settle: null });
    world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
    await platformReads(() => 'T1,T2');
    await freeLease();
    expect((await refund(typed, smsCode(world.sandbox, { reqNo: 'RQQ' }))).document).toMatchObject({
      outcome: 'accepted',
    });
    await world.restart();
    world.moveTo('02 04:00:00');
    expect(leftLines(await world.step())).toEqual(['T1 refunded', 'T2 refunded']);
    expect([world.paid('T1'), world.paid('T2')]).toEqual([0, 0]);
  },
);

test.each<JsonObject[string]>(['', ' , ', '*', null, []])(
  'a refund by hand that names no order (%j), which a platform may read as one of the whole batch, is not sent',
  async (outOrderNos) => {
    await world.orders.profile({ settle: { viewLagSeconds: 0 } });
    await world.failed('B1', { outOrderNo: 'T1' }, { outOrderNo: 'T2' }, { settle: null });
    world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
    await platformReads(() => 'T1,T2');
    await freeLease();
    await expect(refund(outOrderNos, smsCode(world.sandbox, { reqNo: 'RQQ' }))).rejects.toThrow(
      'nothing was sent: it names no order',
    );
    expect(world.orders.asked('/division/refund')).toBe(0);
  },
);
