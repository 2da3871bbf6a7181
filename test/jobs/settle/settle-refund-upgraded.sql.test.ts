/** A refund by hand that waits while the database is upgraded is waited for as before (U36). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCall } from '../../../jobs/call/call.ts';
import { bootIdentity } from '../../../src/core/machine.ts';
import { DAY_MS } from '../../../src/core/time.ts';
import { runScript } from '../../../src/store/database/driver-commands.ts';
import { smsCode } from '../../sandbox/orders/orders-caller.ts';
import { leftLines, SettleWorld } from './settle-world.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'migrations');
const MIGRATION = path.join(FOLDER, '0063_refunds_by_hand_taken.sql');

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.boot = bootIdentity();
  await world.mark().write(await world.sure());
});
afterEach(() => world.close());

beforeEach(async () => {
  world.sandbox.setSwitches({ queryShowsRefund: false, refundDelayMs: DAY_MS, settleGuard: false });
  await world.failed('B1', { outOrderNo: 'T1' }, { settle: null });
  await world.db.updateTable('lease').set({ holder: '' }).where('name', '=', 'settle').execute();
  const channelExtra = JSON.stringify(smsCode(world.sandbox, { reqNo: 'RQQ' }));
  const biz = { outBatchNo: 'B1', outOrderNos: 'T1', channelExtra };
  const plain = { isUnchecked: true, said: ['all'], warnings: [], lookUp: undefined, approve: undefined };
  const call = { endpoint: 'division/refund', biz, ...plain } as const;
  const { document } = await makeCall(world.orders.job, call, () => undefined);
  expect(document).toMatchObject({ outcome: 'accepted' });
});

async function expectUnpaid(): Promise<void> {
  await world.restart();
  world.moveTo('02 04:00:00');
  expect(leftLines(await world.step())).toEqual(['T1 refunded']);
  await world.orders.collectOn('04');
  expect((await world.orders.orders()).at(-1)).toBe('T1 moved failed 10000');
  expect([world.sends(), world.paid('T1')]).toEqual([0, 0]);
}

test('a refund by hand that was sent before the upgrade, and is done after it, is of an order that nobody retries', async () => {
  // As 0062 left those that were sent before it.
  await world.db.updateTable('call_by_hand').set({ is_taken: false }).execute();
  await runScript(world.db, await readFile(MIGRATION, 'utf8'));
  await expectUnpaid();
});

test('nor is one that a process of before the upgrade, which waited meanwhile, sends after it', async () => {
  const rows = await world.db.deleteFrom('call_by_hand').returningAll().execute();
  // As it was stored before 0062.
  for (const { req_id, about, number, endpoint, run_id, req_time } of rows) {
    await sql`insert into call_by_hand (req_id, about, number, endpoint, run_id, req_time)
      values (${req_id}, ${about}, ${number}, ${endpoint}, ${run_id}, ${req_time})`.execute(world.db);
  }
  await expectUnpaid();
});
