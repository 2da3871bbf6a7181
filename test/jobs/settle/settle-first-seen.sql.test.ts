/** What looks showed of an order that they did not make known counts once one does (docs/reliability.md 2.3 a). */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askBatch } from '../../../jobs/night/collect/ask-order.ts';
import { claimUnits, releaseClaims } from '../../../src/store/orders/order-claims.ts';
import { scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import type { OrderAnswer } from '../../../src/orders/orders.ts';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import { leftLines, SettleWorld, settledLines } from './settle-world.ts';

const B1 = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' } as const;

let world: SettleWorld;
/** A batch of two orders, of which nobody has asked yet; the first one was settled once more through the platform's pages. */
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
  world.orders.batch('B1', [
    { settle: { state: 'FAIL', remark: '账户异常', retries: [{ state: 'SUCCESS', delayMs: 600_000 }] } },
    { settle: null },
  ]);
  await world.orders.registerBatches('B1');
  await scheduleOrderQueries(world.db, world.orders.night.clock.wall());
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
});
afterEach(() => world.close());

const now = () => world.orders.night.clock.wall();

type Odd = Pick<FaultSeed & { kind: 'record' }, 'row' | 'set' | 'remove'>;

async function nightSees(time: string, odd?: Odd): Promise<void> {
  world.moveTo(`02 ${time}`);
  if (odd !== undefined) world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, ...odd });
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
  world.sandbox.liftFaults();
}

/** What is answered under a claim that somebody else may take over at once. */
async function askedAs(by: string): Promise<OrderAnswer> {
  const { claimed } = await claimUnits(world.db, [B1], { by, at: now() });
  await sql`update order_due set claim_until = clock_timestamp()`.execute(world.db);
  const { answer } = await askBatch(await world.ports(), B1);
  return { ...answer, claimFence: claimed[0]?.claimFence };
}

function lagsBehind(): void {
  world.sandbox.setSwitches({ settleViewLagMs: 1_200_000 });
}

/** How the first order is known, what is left of a step, and how often a settlement was asked for. */
async function stepped(): Promise<unknown[]> {
  const known = (await world.orders.orders()).filter((order) => order.startsWith('B1-1 '));
  return [known, leftLines(await world.step()), world.sends()];
}

const NOT_SENT = [['B1-1 moved failed 0'], ['B1-1 cool_down'], 1];

/** Answers that do not make the first order known by its number; the first of them makes none known. */
const ODD: readonly [name: string, odd: Odd][] = [
  ['misspells an account of another one', { row: 1, set: { payeeAcctNo: 'q' } }],
  ['states no number of it', { row: 0, remove: ['outOrderNo', 'orderNo'] }],
  ['states another number of it', { row: 0, set: { outOrderNo: 'b1-1' }, remove: ['orderNo'] }],
];

test.each(ODD)('an order that is under way at the first look, which %s, is not sent', async (_name, odd) => {
  await nightSees('02:03:00', odd);
  lagsBehind();
  await nightSees('02:05:00');
  expect(await stepped()).toEqual(NOT_SENT);
});

test.each(ODD)(
  'nor is one of a batch that is listed by both numbers, whose other one %s',
  async (_name, odd) => {
    const { answer } = await askBatch(await world.ports(), B1);
    if (answer.kind !== 'batch') throw new Error('the platform does not know the batch');
    const listed = { kind: 'batch', number_kind: 'platform', origin: 'registry', account_no: 'P' } as const;
    await world.db
      .insertInto('order_due')
      .values({ ...listed, number: answer.batch.batchNo })
      .execute();
    world.sandbox.addFault({ kind: 'record', path: 'division/query', about: 'B1', times: 1, ...odd });
    const dueBy = (kind: 'out' | 'platform', next_day: string) =>
      world.db.updateTable('order_due').set({ next_day }).where('number_kind', '=', kind).execute();
    world.moveTo('02 02:03:00');
    await dueBy('out', '2026-03-02');
    await dueBy('platform', '2026-03-09');
    await world.orders.collect({ runId: 'by its own number' });
    expect(await world.orders.orders()).not.toContainEqual(expect.stringMatching(/^B1-1 /));
    lagsBehind();
    world.moveTo('02 02:05:00');
    await dueBy('out', '2026-03-09');
    await dueBy('platform', '2026-03-02');
    await world.orders.collect({ runId: "by the platform's number" });
    expect(await stepped()).toEqual(NOT_SENT);
  },
);

test('nor is one that was under way at a look that was overtaken before any was stored', async () => {
  world.moveTo('02 02:03:00');
  const lost = await askedAs('stands still');
  lagsBehind();
  world.moveTo('02 02:05:00');
  const lagging = await askedAs('another');
  const { book } = await world.ports();
  await book.saveLook(lost);
  expect(await world.orders.orders()).toEqual([]);
  await book.saveLook(lagging);
  expect(await stepped()).toEqual(NOT_SENT);
});

test('nor is one that was under way at a look of which nothing was stored', async () => {
  world.moveTo('02 02:03:00');
  await askedAs('died');
  lagsBehind();
  world.moveTo('02 02:05:00');
  await (await world.ports()).book.saveLook(await askedAs('another'));
  expect(await stepped()).toEqual(NOT_SENT);
});

test('nor is one that was under way at a look that could not be stored, whose claim was given back', async () => {
  world.moveTo('02 02:03:00');
  const { claimed } = await claimUnits(world.db, [B1], { by: 'fails', at: now() });
  const { answer } = await askBatch(await world.ports(), B1);
  expect(answer.kind).toBe('batch');
  await releaseClaims(world.db, claimed, now());
  lagsBehind();
  world.moveTo('02 02:05:00');
  await (await world.ports()).book.saveLook(await askedAs('another'));
  expect(await stepped()).toEqual(NOT_SENT);
});

test.each([
  ['of which nothing was stored', async () => void (await askedAs('died'))],
  [
    'that could not be stored, whose claim was given back',
    async () => {
      const { claimed } = await claimUnits(world.db, [B1], { by: 'fails', at: now() });
      await askBatch(await world.ports(), B1);
      await releaseClaims(world.db, claimed, now());
    },
  ],
])('nor is one that is known as failed, and was under way at a look %s', async (_name, look) => {
  lagsBehind();
  await nightSees('02:02:00');
  expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0', 'B1-2 moved none 0']);
  world.sandbox.setSwitches({ settleViewLagMs: 0 });
  world.moveTo('02 02:03:00');
  await look();
  lagsBehind();
  world.moveTo('02 02:05:00');
  await (await world.ports()).book.saveLook(await askedAs('another'));
  expect(await stepped()).toEqual(NOT_SENT);
  world.moveTo('02 03:40:00');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 state_changed'], 1]);
});

/** One order that is plainly failed, of a batch that is registered before it is sent. */
async function failsAt(time: string, before: () => Promise<void>): Promise<void> {
  world.moveTo('02 02:30:00');
  await world.orders.registerBatches('B2');
  await scheduleOrderQueries(world.db, world.orders.night.clock.wall());
  await before();
  world.orders.batch('B2', [{ settle: { state: 'FAIL', remark: '账户异常' } }]);
  await nightSees(time);
}

test('one whose batch was not found before, or of which no answer came, is sent as any other', async () => {
  await failsAt('02:33:00', async () => {
    await nightSees('02:31:00');
    world.sandbox.addFault({ kind: 'drop_after', path: 'division/query', times: null });
    await nightSees('02:32:00');
  });
  expect(settledLines(await world.step())).toEqual(['B2-1 1 SUCCESS']);
});

test('one that is plainly failed after a look that was not kept is sent once the view lag has passed since then', async () => {
  await failsAt('02:33:00', async () => {
    await claimUnits(world.db, [{ ...B1, number: 'B2' }], { by: 'died', at: now() });
    await sql`update order_due set claim_until = clock_timestamp() where claim_by = 'died'`.execute(world.db);
  });
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B2-1 cool_down'], 1]);
  world.moveTo('02 03:40:00');
  expect(settledLines(await world.step())).toEqual(['B2-1 1 SUCCESS']);
});
