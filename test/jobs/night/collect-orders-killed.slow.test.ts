/** A collection that dies at any call of a port goes on where it stopped and ends with the same rows (H1). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectOrders } from '../../../jobs/night/collect/collect-orders.ts';
import { emptyTables } from '../../helpers/dump.ts';
import { Death, Fate, mortal } from '../../helpers/mortal-process.ts';
import { Night } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { register } from '../../helpers/company/order-registering.ts';

/** More than two batches of answers are written. */
const WITHDRAWALS = 525;
const RUN = { runId: 'night-1', toDay: '2026-03-01', today: '2026-03-02' };

let night: Night;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-02 02:00:00' });
  await night.accounts({ no: 'P', heldFen: 1_000_000n });
  night.sandbox.seedWithdrawals(
    numbers().map((no, place) => ({
      outOrderNo: no,
      acctNo: 'P',
      amountFen: 100n,
      submittedAt: '2026-03-01 10:00:00',
      state: place % 7 === 0 ? 'PROCESSING' : 'SUCCESS',
    })),
  );
});
afterEach(() => night.close());

const numbers = (): string[] =>
  Array.from({ length: WITHDRAWALS }, (_, place) => `W${String(place).padStart(4, '0')}`);

async function registered(): Promise<void> {
  await emptyTables(night.db, 'made by the job');
  await night.db.deleteFrom('order_registry').execute();
  await register(
    night.db,
    ...numbers().map((no) => ({ kind: 'withdrawal' as const, out_order_no: no, payer_account_no: 'P' })),
  );
}

/** Runs the collection in a process of its own; the calls it made of ports, and whether it died. */
async function collect(fate: Fate): Promise<{ calls: number; died: boolean }> {
  const process = await night.process();
  try {
    await collectOrders(mortal(process, fate), RUN);
    return { calls: fate.calls, died: false };
  } catch (error) {
    if (!(error instanceof Death)) throw error;
    return { calls: fate.calls, died: true };
  } finally {
    await process.close();
  }
}

async function rows(): Promise<string[]> {
  return [
    ...(await lines(night.db, 'withdrawal', ['out_order_no', 'effective_state', 'amount_fen', 'version'])),
    ...(await lines(night.db, 'order_state_seen', ['out_order_no', 'subject', 'change_no', 'state'])),
    ...(await lines(night.db, 'order_due', ['number', 'state', 'next_day', 'asked_run', 'failure'])),
    ...(await lines(night.db, 'order_fault', ['reference', 'class'])),
  ];
}

test('H1: killed before or after any of its calls, it ends with what an uninterrupted one has', async () => {
  await registered();
  const { calls } = await collect(new Fate());
  const expected = await rows();
  expect(expected.filter((line) => line.includes('final'))).toHaveLength(450);
  // Around the writes of every batch and now and then in between.
  for (let atCall = 1; atCall < calls; atCall += Math.ceil(calls / 4)) {
    for (const when of ['before', 'after'] as const) {
      await registered();
      const first = await collect(new Fate({ atCall, when }));
      expect(first.died).toBe(true);
      const before = night.sandbox.requests().length;
      expect((await collect(new Fate())).died).toBe(false);
      const asked = night.sandbox.requests().length - before;
      expect(await rows()).toEqual(expected);
      const kept = WITHDRAWALS - asked;
      // What was written before it died is not asked again; batches are of 250.
      expect(kept % 250, `died at call ${atCall} ${when}`).toBe(0);
    }
  }
}, 240_000);
