/** A batch that is listed by two numbers is one batch, whichever of them an answer states (docs/reliability.md 2.3 a). */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pLimit from 'p-limit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askClaimed } from '../../../jobs/night/collect/ask-claimed.ts';
import { askOrder } from '../../../jobs/night/collect/ask-order.ts';
import { OrderWriter } from '../../../jobs/night/collect/order-writer.ts';
import { lookAtOrder } from '../../../jobs/night/settle/settle-look.ts';
import { saveOrders } from '../../../src/orders/orders.ts';
import { claimUnits } from '../../../src/store/orders/order-claims.ts';
import type { DueUnit } from '../../../src/store/orders/order-due.ts';
import { scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import { SAVE } from '../../helpers/company/order-answers.ts';
import { register } from '../../helpers/company/order-registering.ts';
import type { Registered } from '../../helpers/company/order-registering.ts';
import { leftLines, SettleWorld, settledLines } from './settle-world.ts';

const B1 = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' } as const;

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
});
afterEach(() => world.close());

const now = () => world.orders.night.clock.wall();
const viewLags = (settleViewLagMs: number) => world.sandbox.setSwitches({ settleViewLagMs });
const FAILED = { state: 'FAIL', remark: '账户异常', retries: [{ state: 'SUCCESS', delayMs: 600_000 }] };

type Member = 'outBatchNo' | 'batchNo';

/** Of two orders; answers leave one member out until four minutes past two, and one from then on. */
function batch({ until, since }: { until?: Member; since?: Member } = {}): void {
  const out = (member?: Member): Member[] => (member === undefined ? [] : [member]);
  world.orders.batch('B1', [{ settle: FAILED }, { settle: null }], {
    ...NUMBERS,
    listed: { remove: out(until) },
    changes: [{ at: '2026-03-02 02:04:00', set: NUMBERS, remove: out(since) }],
  });
}

const NUMBERS = { outBatchNo: 'B1', batchNo: 'TB1' };

async function settledByHand(): Promise<void> {
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
}

async function registered(...rows: readonly Omit<Registered, 'kind'>[]): Promise<void> {
  await register(
    world.db,
    ...rows.map((row) => ({ kind: 'transfer' as const, payer_account_no: 'P', ...row })),
  );
  await scheduleOrderQueries(world.db, now());
}

/** One order by each number. */
function registeredByBoth(own: { batch_no?: string } = {}): Promise<void> {
  return registered(
    { out_batch_no: 'B1', out_order_no: 'B1-1', ...own },
    { batch_no: 'TB1', out_order_no: 'B1-2' },
  );
}

async function nightAsks(time: string, kinds: readonly ('out' | 'platform')[]): Promise<void> {
  world.moveTo(`02 ${time}`);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-09' }).execute();
  await world.db
    .updateTable('order_due')
    .set({ next_day: '2026-03-02' })
    .where('number_kind', 'in', kinds)
    .execute();
  await world.orders.collect({ runId: `night of ${time}` });
}

async function stepped(): Promise<unknown[]> {
  const known = (await world.orders.orders()).filter((order) => order.startsWith('B1-1 '));
  return [known, leftLines(await world.step()), world.sends()];
}

const NOT_SENT = [['B1-1 moved failed 0'], ['B1-1 cool_down'], 1];

/** The first order is listed without a number, in one answer. */
function numberless(about?: string): void {
  const remove = ['outOrderNo', 'orderNo'];
  world.sandbox.addFault({ kind: 'record', path: 'division/query', about, times: 1, row: 0, remove });
}

test.each([
  ['out', 'platform', 'the second leaves its own number out', { since: 'outBatchNo' }],
  ['platform', 'out', "the second leaves the platform's number out", { since: 'batchNo' }],
  ['out', 'platform', "the first leaves the platform's number out", { until: 'batchNo' }],
  ['platform', 'out', 'the first leaves its own number out', { until: 'outBatchNo' }],
] as const)(
  'an order that was under way at a look by the %s number, before one by the %s number, where %s',
  async (first, second, _name, leftOut) => {
    batch(leftOut);
    await registeredByBoth();
    await settledByHand();
    numberless();
    await nightAsks('02:03:00', [first]);
    expect(await world.orders.orders()).not.toContainEqual(expect.stringMatching(/^B1-1 /));
    viewLags(1_200_000);
    await nightAsks('02:05:00', [second]);
    expect(await stepped()).toEqual(NOT_SENT);
  },
);

test('one that was under way at the first of two answers that are stored together', async () => {
  batch();
  await registeredByBoth();
  await settledByHand();
  numberless('B1');
  const set = { settleState: 'FAIL', settleRemark: '账户异常' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', about: 'TB1', times: 1, row: 0, set });
  viewLags(0);
  await nightAsks('02:03:00', ['out', 'platform']);
  viewLags(1_200_000);
  expect(await stepped()).toEqual(NOT_SENT);
});

test('one that was under way at a look that is stored while one by the other number is', async () => {
  batch({ until: 'batchNo', since: 'outBatchNo' });
  await registeredByBoth({ batch_no: 'TB1' });
  await settledByHand();
  numberless();
  world.moveTo('02 02:03:00');
  const first = await askOrder(world.orders.job, B1);
  viewLags(1_200_000);
  world.moveTo('02 02:05:00');
  const second = await askOrder(world.orders.job, { ...B1, numberKind: 'platform', number: 'TB1' });
  let storing: Promise<unknown> | undefined;
  await saveOrders(world.db, { ...SAVE, answers: [first] }, () => {
    storing = saveOrders(world.db, { ...SAVE, answers: [second] });
    return pause(300);
  });
  await storing;
  expect(await stepped()).toEqual(NOT_SENT);
});

test('one that is plainly failed at the first look is sent, though its batch is listed by another number too', async () => {
  batch({ until: 'batchNo' });
  await registeredByBoth({ batch_no: 'TB1' });
  await nightAsks('02:03:00', ['out']);
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
});

const notKnownByItsOwn = () =>
  world.sandbox.addFault({
    kind: 'unmapped_code',
    path: 'division/query',
    about: 'outBatchNo',
    msg: '批次不存在',
    times: null,
  });

test('one that is plainly failed, whose batch is found by the other number night after night, is sent', async () => {
  await world.orders.profile({ http: { rate: { perSecond: 1_000, concurrency: 1 } } });
  batch();
  await registeredByBoth({ batch_no: 'TB1' });
  notKnownByItsOwn();
  await nightAsks('02:05:00', ['out', 'platform']);
  for (const date of ['03', '04']) {
    await sql`update order_due set claim_until = clock_timestamp() where claim_until is not null`.execute(
      world.db,
    );
    await world.orders.collectOn(date);
  }
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
});

test('what somebody is shown who waited while its number was changed', async () => {
  batch();
  await registered({ out_batch_no: 'B1', batch_no: 'TB1', out_order_no: 'B1-1' });
  notKnownByItsOwn();
  const { job } = world.orders;
  const [begun, go, shown] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const dying = Promise.withResolvers<never>();
  const working = (by: string, ask: (unit: DueUnit) => ReturnType<typeof askOrder>) =>
    askClaimed(job, [B1], {
      by,
      runId: by,
      inTurn: pLimit(1),
      writer: () => new OrderWriter(world.db, job.log, { ...SAVE, runId: by }),
      ask,
    });
  const first = working('one', async (unit) => {
    const answer = await askOrder(job, unit);
    begun?.resolve();
    await go?.promise;
    return answer;
  });
  await begun?.promise;
  const second = working('another', async (unit) => {
    await settledByHand();
    expect(await askOrder(job, unit)).toMatchObject({ kind: 'batch' });
    shown?.resolve();
    return dying.promise;
  });
  await pause(300);
  go?.resolve();
  await first;
  await shown?.promise;
  viewLags(600_000);
  expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
  expect(world.sends()).toBe(1);
  dying.reject(new Error('died'));
  await expect(second).rejects.toThrow('died');
});

/** Registered by both numbers, and known to the platform by its own alone. */
async function renumberedWhen(begun: () => Promise<void>): Promise<void> {
  batch();
  await registered({ out_batch_no: 'B1', batch_no: 'TB1', out_order_no: 'B1-1' });
  await nightAsks('02:02:00', ['out']);
  notKnownByItsOwn();
  const { claimed } = await claimUnits(world.db, [B1], { by: 'another', at: now() });
  const answer = await askOrder(world.orders.job, B1);
  expect(answer).toMatchObject({ kind: 'batch', foundAs: { numberKind: 'platform' } });
  const save = { ...SAVE, answers: [{ ...answer, claimFence: claimed[0]?.claimFence }] };
  await saveOrders(world.db, save, begun);
}

test('what a retry is shown, and does not store, whose look begins while its number is changed', async () => {
  let dying: Promise<unknown> | undefined;
  await renumberedWhen(async () => {
    const { book } = await world.ports();
    const ports = await world.ports({
      book: { ...book, saveLook: () => Promise.reject(new Error('died')) },
    });
    const [order] = await book.listFailed();
    if (order === undefined) throw new Error('no settlement is known as failed');
    dying = lookAtOrder(ports, order).catch((error: unknown) => error);
    await pause(300);
    await settledByHand();
  });
  expect(await dying).toMatchObject({ message: 'died' });
  viewLags(600_000);
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 state_changed'], 1]);
});

test.each(['out', 'platform'] as const)(
  'one of a batch that is listed by its %s number alone, and sent back after it was retried when it was old, is asked for on',
  async (kind) => {
    const back = { state: 'SUCCESS', returnAfterMs: 3_600_000, returnRemark: '退汇' };
    world.orders.batch('B1', [{ settle: { ...FAILED, retries: [back] } }], { batchNo: 'TB1' });
    await registered(kind === 'out' ? { out_batch_no: 'B1' } : { batch_no: 'TB1' });
    const night = async (date: string): Promise<void> => {
      world.orders.night.moveTo(`2026-${date} 02:00:00`);
      await world.orders.collect({ runId: date, toDay: `2026-${date}`, today: `2026-${date}` });
    };
    await night('03-02');
    await night('06-20');
    await night('06-21');
    expect(await world.orders.dues()).toEqual([expect.stringMatching(/ final - 06-20$/)]);
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
    await night('06-22');
    expect(await world.orders.orders()).toEqual(['B1-1 moved failed 0']);
    expect(await world.orders.dues()).toEqual([expect.stringMatching(/ final 2026-06-23 06-22$/)]);
  },
);

test('one of a batch of which thousands of orders are registered is sent while its look holds', async () => {
  batch();
  await registered({ out_batch_no: 'B1', batch_no: 'TB1', out_order_no: 'B1-1' });
  await sql`insert into order_registry (kind, out_batch_no, batch_no, out_order_no, payer_account_no, enrolled)
    select 'transfer', 'B1', 'TB1', 'B1-' || n, 'P', true from generate_series(2, 5000) n`.execute(world.db);
  await nightAsks('02:05:00', ['out']);
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
});

test('what somebody was shown who died, by a number of the company that only an answer has told', async () => {
  batch({ until: 'outBatchNo' });
  await registered({ batch_no: 'TB1', out_order_no: 'B1-1' });
  await nightAsks('02:02:00', ['platform']);
  await registered({ out_batch_no: 'B1', out_order_no: 'B1-2' });
  await nightAsks('02:05:00', ['out', 'platform']);
  await settledByHand();
  await claimUnits(world.db, [B1], { by: 'died', at: now() });
  expect(await askOrder(world.orders.job, B1)).toMatchObject({ kind: 'batch' });
  viewLags(1_200_000);
  world.moveTo('02 02:07:00');
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 state_changed'], 1]);
});

const leftOut = ['outBatchNo', 'batchNo'] as const;
test.each(leftOut)('one as of another payer, by the other number, never with %s', async (until) => {
  batch({ until });
  const rows = [{ out_batch_no: 'B1' }, { batch_no: 'TB1' }].map((row) => ({ ...row, payer_account_no: '' }));
  await registered(...rows);
  await nightAsks('02:01:00', ['out']);
  await settledByHand();
  const shown = { set: { payerAcctNo: 'R', payeyAcctNo: 'R' }, remove: ['outOrderNo', 'orderNo'] };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 1, row: 'all', ...shown });
  await nightAsks('02:03:00', ['platform']);
  viewLags(1_200_000);
  await nightAsks('02:07:00', ['out']);
  expect([leftLines(await world.step()), world.sends()]).toEqual([['B1-1 cool_down'], 1]);
});
