/** Of several processes that want to ask for one order, one asks; what it hears late changes nothing (N11, M4, H1). */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import pLimit from 'p-limit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askClaimed } from '../../../jobs/night/collect/ask-claimed.ts';
import { collectOrders } from '../../../jobs/night/collect/collect-orders.ts';
import { ORDER_UNITS } from '../../../jobs/night/collect/order-units.ts';
import { OrderWriter } from '../../../jobs/night/collect/order-writer.ts';
import { itemsOf } from '../../../jobs/units/unit.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import { claimUnits, releaseClaims, renewClaims } from '../../../src/store/orders/order-claims.ts';
import type { DueUnit } from '../../../src/store/orders/order-due.ts';
import { scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import type { Tables } from '../../../src/store/schema/schema.ts';
import { batchAnswer, listed, save, SAVE } from '../../helpers/company/order-answers.ts';
import { OrderNight, RUN } from '../../helpers/company/order-night.ts';

let order: OrderNight;
beforeEach(async () => {
  order = await OrderNight.open();
  order.batch('B1', [{ state: 'SUCCESS' }]);
  order.batch('B2', [{ state: 'SUCCESS' }]);
  await order.registerBatches('B1', 'B2');
  await order.collect({ runId: 'before' });
  await db().updateTable('order_due').set({ next_day: '' }).execute();
  asked();
});
afterEach(() => order.close());

const db = () => order.night.db;
const now = () => order.night.clock.wall();
const B1: DueUnit = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' };
const B2: DueUnit = { ...B1, number: 'B2' };

let seen = 0;
/** Requests since it was asked last. */
function asked(): number {
  const all = order.night.sandbox.requests().length;
  const since = all - seen;
  seen = all;
  return since;
}

async function lapse(): Promise<void> {
  await sql`update order_due set claim_until = clock_timestamp() where claim_until is not null`.execute(db());
}

test('what another one has claimed is not asked for until its claim ends', async () => {
  const { claimed, held } = await claimUnits(db(), [B1], { by: 'another', at: now() });
  expect([claimed.length, held.length]).toEqual([1, 0]);
  const night = order.collect();
  await pause(400);
  expect(asked(), 'B2 alone').toBe(1);
  await renewClaims(db(), claimed);
  await lapse();
  expect(await night).toMatchObject({ batches: 2, failed: 0 });
  expect(asked()).toBe(1);
});

test('what it hands back is free at once, and only that', async () => {
  const { claimed } = await claimUnits(db(), [B1, B2], { by: 'another', at: now() });
  const [b1, b2] = claimed;
  if (b1 === undefined || b2 === undefined) throw new Error('nothing was claimed');
  await releaseClaims(db(), [b1], null);
  expect(await claimUnits(db(), [B1, B2], { by: 'a third', at: now() })).toMatchObject({
    claimed: [{ number: 'B1' }],
    held: [{ number: 'B2' }],
  });
  // By then it is another's.
  await releaseClaims(db(), [b1], null);
  await renewClaims(db(), [b1]);
  expect((await claimUnits(db(), [B1], { by: 'a fourth', at: now() })).held).toHaveLength(1);
});

test('one that ends later than any can, because the clock of the database was ahead, keeps nobody waiting', async () => {
  await claimUnits(db(), [B1], { by: 'died', at: now() });
  await sql`update order_due set claim_until = claim_until + interval '1 hour'`.execute(db());
  const { claimed } = await claimUnits(db(), [B1], { by: 'another', at: now() });
  expect(claimed).toHaveLength(1);
  expect((await claimUnits(db(), [B1], { by: 'a third', at: now() })).held).toHaveLength(1);
});

test('a run that died takes over what it had claimed without waiting', async () => {
  await claimUnits(db(), [B1, B2], { by: RUN.runId, at: now() });
  expect(await order.collect()).toMatchObject({ batches: 2, failed: 0 });
  expect(asked()).toBe(2);
});

test('an answer that was asked for under an earlier claim overwrites nothing, whatever its clock said, and keeps what it showed', async () => {
  const { claimed } = await claimUnits(db(), [B1], { by: 'stands still', at: now() });
  const claimFence = claimed[0]?.claimFence;
  await lapse();
  order.night.moveTo('2026-03-02 02:10:00');
  await order.collect();
  const rows = await rowsOf();
  // Its clock is days ahead.
  const shown = listed('FAIL', { outOrderNo: 'B1-1' });
  const late = batchAnswer(864_000, [shown], { outBatchNo: 'B1', state: 'FAIL' });
  const saved = await save(db(), [{ ...late, claimFence }], { runId: 'stands still' });
  expect(saved).toMatchObject({ changed: 0, transferOrders: 0, overtaken: [{ number: 'B1' }] });
  expect(await rowsOf()).toEqual(rows);
});

test('an answer under the claim in force is stored, and the claim has ended with it', async () => {
  const { claimed } = await claimUnits(db(), [B1], { by: 'asks', at: now() });
  const claimFence = claimed[0]?.claimFence;
  const answer = batchAnswer(864_000, [listed('REFUND', { outOrderNo: 'B1-1', refundFen: 1n })], {
    outBatchNo: 'B1',
  });
  expect(await save(db(), [{ ...answer, claimFence }])).toMatchObject({ changed: 1, overtaken: [] });
  expect(await save(db(), [{ ...answer, claimFence }])).toMatchObject({ changed: 0, overtaken: [{}] });
  const { rows } = await sql`select from order_due where claim_until is not null`.execute(db());
  expect(rows).toEqual([]);
});

test('an order whose answers are overtaken each time counts as not read after five, and holds up no other', async () => {
  const asks: string[] = [];
  const ask = async ({ number }: DueUnit): Promise<OrderAnswer> => {
    asks.push(number);
    // Another one claims B1 whenever it is asked for.
    if (number === 'B1') {
      await sql`update order_due set claim_fence = claim_fence + 1 where number = 'B1'`.execute(db());
      await lapse();
    }
    const unit = { kind: 'batch', numberKind: 'out', number } as const;
    return batchAnswer(864_000, [listed('SUCCESS', { outOrderNo: `${number}-1` })], {
      unit,
      outBatchNo: number,
    });
  };
  const { job } = order;
  const asking = { by: RUN.runId, runId: RUN.runId, inTurn: pLimit(2), ask };
  const written = await askClaimed(job, [B1, B2], {
    ...asking,
    writer: () => new OrderWriter(db(), job.log, { ...SAVE, runId: RUN.runId }),
  });
  expect(asks.toSorted()).toEqual(['B1', 'B1', 'B1', 'B1', 'B1', 'B2']);
  expect(written).toMatchObject({ transferOrders: 1, failed: 1 });
  const { rows } = await sql`select number, failure from order_due where failure <> ''`.execute(db());
  expect(rows).toEqual([
    { number: 'B1', failure: expect.stringContaining('each of 5 answers was overtaken') as string },
  ]);
});

async function rowsOf(): Promise<object[]> {
  const { rows } = await sql<object>`
    select to_jsonb(o) - '{settle_shown_at,unfailed_shown_at,refund_shown_at}'::text[] as row from transfer_order o
    union all select to_jsonb(s) from order_state_seen s union all select to_jsonb(d) - 'may_have_shown_at' from order_due d
    union all select to_jsonb(b) from transfer_batch b union all select to_jsonb(f) from order_fault f
    order by 1`.execute(db());
  return rows;
}

test('a unit that is begun again asks for what is missing alone, and what cannot be stored holds up no other order', async () => {
  const { job } = order;
  const claim = { unitId: 'unit-1', isRepeated: true, keep: () => Promise.resolve() };
  await collectOrders(job, { ...RUN, accounts: ['P'] });
  await db().updateTable('order_due').set({ asked_run: 'before' }).where('number', '<>', 'B2').execute();
  order.withdrawal('W1');
  order.withdrawal('W2');
  await order.registerWithdrawals('W1', 'W2');
  await scheduleOrderQueries(db(), job.clock.wall());
  const [W1, W2] = ['W1', 'W2'].map((number): DueUnit => ({ ...B1, kind: 'withdrawal', number }));
  if (W1 === undefined || W2 === undefined) throw new Error('there are two');
  const units = [B1, B2, W1, W2];
  asked();
  const keep = async (trx: Transaction<Tables>): Promise<void> => {
    const kept = await trx
      .selectFrom('withdrawal')
      .select('out_order_no')
      .where('out_order_no', '=', 'W1')
      .execute();
    if (kept.length > 0) throw new Error('W1 cannot be stored');
  };
  const again = ORDER_UNITS.work(job, RUN, itemsOf(units), { ...claim, keep });
  await expect(again).rejects.toThrow('W1 cannot be stored');
  expect(asked(), 'B2 was asked for').toBe(3);
  expect(
    await db()
      .transaction()
      .execute((trx) => ORDER_UNITS.giveUp(trx, RUN, units, 'given up')),
  ).toMatchObject({
    failed: 1,
  });
  const failed = await db()
    .selectFrom('order_due')
    .select(['number', 'failure'])
    .where('failure', '<>', '')
    .execute();
  expect(failed).toEqual([{ number: 'W1', failure: 'given up' }]);
});
