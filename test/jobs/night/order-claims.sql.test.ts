/** Of several processes that want to ask for one order, one asks; what it hears late changes nothing (N11, M4, H1). */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimUnits, releaseClaims, renewClaims } from '../../../src/store/orders/order-claims.ts';
import type { DueUnit } from '../../../src/store/orders/order-due.ts';
import { batchAnswer, listed, save } from '../../helpers/company/order-answers.ts';
import { OrderNight } from '../../helpers/company/order-night.ts';

let order: OrderNight;
beforeEach(async () => {
  order = await OrderNight.open();
  order.batch('B1', [{ state: 'SUCCESS' }]);
  order.batch('B2', [{ state: 'SUCCESS' }]);
  await order.registerBatches('B1', 'B2');
  await order.collect({ runId: 'before' });
  await db().updateTable('order_due').set({ next_day: '' }).execute();
});
afterEach(() => order.close());

const db = () => order.night.db;
const B1: DueUnit = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' };
const B2: DueUnit = { ...B1, number: 'B2' };

async function lapse(): Promise<void> {
  await sql`update order_due set claim_until = clock_timestamp() where claim_until is not null`.execute(db());
}

test('what it hands back is free at once, and only that', async () => {
  const { claimed } = await claimUnits(db(), [B1, B2], 'another');
  const [b1, b2] = claimed;
  if (b1 === undefined || b2 === undefined) throw new Error('nothing was claimed');
  await releaseClaims(db(), [b1]);
  expect(await claimUnits(db(), [B1, B2], 'a third')).toMatchObject({
    claimed: [{ number: 'B1' }],
    held: [{ number: 'B2' }],
  });
  // By then it is another's.
  await releaseClaims(db(), [b1]);
  await renewClaims(db(), [b1]);
  expect((await claimUnits(db(), [B1], 'a fourth')).held).toHaveLength(1);
});

test('an answer that was asked for under an earlier claim overwrites nothing, whatever its clock said, and keeps what it showed', async () => {
  const { claimed } = await claimUnits(db(), [B1], 'stands still');
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
  const { claimed } = await claimUnits(db(), [B1], 'asks');
  const claimFence = claimed[0]?.claimFence;
  const answer = batchAnswer(864_000, [listed('REFUND', { outOrderNo: 'B1-1', refundFen: 1n })], {
    outBatchNo: 'B1',
  });
  expect(await save(db(), [{ ...answer, claimFence }])).toMatchObject({ changed: 1, overtaken: [] });
  expect(await save(db(), [{ ...answer, claimFence }])).toMatchObject({ changed: 0, overtaken: [{}] });
  const { rows } = await sql`select from order_due where claim_until is not null`.execute(db());
  expect(rows).toEqual([]);
});

async function rowsOf(): Promise<object[]> {
  const { rows } = await sql<object>`
    select to_jsonb(o) - '{settle_shown_at,unfailed_shown_at}'::text[] as row from transfer_order o
    union all select to_jsonb(s) from order_state_seen s union all select to_jsonb(d) from order_due d
    union all select to_jsonb(b) from transfer_batch b union all select to_jsonb(f) from order_fault f
    order by 1`.execute(db());
  return rows;
}
