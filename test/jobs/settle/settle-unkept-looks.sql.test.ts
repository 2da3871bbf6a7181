/** What a look may have shown that nobody kept holds every order of its batch (docs/reliability.md 2.3 a). */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askBatch, askOrder } from '../../../jobs/night/collect/ask-order.ts';
import { lookAtOrder } from '../../../jobs/night/settle/settle-look.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import { claimUnits, releaseClaims } from '../../../src/store/orders/order-claims.ts';
import type { ClaimedUnit } from '../../../src/store/orders/order-claims.ts';
import { scheduleOrderQueries } from '../../../src/store/orders/schedule-order-queries.ts';
import { register } from '../../helpers/company/order-registering.ts';
import { leftLines, SettleWorld, settledLines } from './settle-world.ts';

const B1 = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' } as const;

let world: SettleWorld;
/** A batch of two orders. The settlement of the second failed, and is made once more through the platform's pages. */
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
  world.orders.batch('B1', [
    { settle: null },
    { settle: { state: 'FAIL', remark: '账户异常', retries: [{ state: 'SUCCESS', delayMs: 600_000 }] } },
  ]);
});
afterEach(() => world.close());

const now = () => world.orders.night.clock.wall();
const viewLags = (settleViewLagMs: number) => world.sandbox.setSwitches({ settleViewLagMs });

async function nightSees(time: string): Promise<void> {
  world.moveTo(`02 ${time}`);
  await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
  await world.orders.collect({ runId: `night of ${time}` });
}

/** It is known as failed, by a view of before it was settled once more; from then on the platform shows that it is under way. */
async function knownAsFailed(): Promise<void> {
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-2', remark: 'by hand' });
  viewLags(1_200_000);
  await nightSees('02:02:00');
  expect(await world.orders.orders()).toEqual(['B1-1 moved none 0', 'B1-2 moved failed 0']);
  viewLags(0);
  world.moveTo('02 02:03:00');
}

/** A view that lags behind shows it as failed: what is left of a step then, and how often a settlement was asked for. */
async function stepped(time = '02:05:00'): Promise<unknown[]> {
  viewLags(7_200_000);
  world.moveTo(`02 ${time}`);
  return [leftLines(await world.step()), world.sends()];
}

const notSent = (code: string): unknown[] => [[`B1-2 ${code}`], 1];

async function platformNo(): Promise<string> {
  const { answer } = await askBatch(await world.ports(), B1);
  if (answer.kind !== 'batch') throw new Error('the platform does not know the batch');
  return answer.batch.batchNo;
}

/** Registered by either number, or by both. */
function registered(out_batch_no: string, batch_no: string): Promise<void> {
  return register(world.db, {
    kind: 'transfer',
    out_batch_no,
    batch_no,
    out_order_no: 'B1-2',
    payer_account_no: 'P',
  });
}

async function failedOrder() {
  const [order] = await (await world.ports()).book.listFailed();
  if (order === undefined) throw new Error('no settlement is known as failed');
  return order;
}

test('what somebody had claimed who died is looked at by no retry as if nobody had asked', async () => {
  await world.orders.registerBatches('B1');
  await knownAsFailed();
  await claimUnits(world.db, [B1], { by: 'died', at: now() });
  await askBatch(await world.ports(), B1);
  expect(await stepped()).toEqual(notSent('state_changed'));
  expect((await world.step()).notRetried).toMatchObject([
    {
      code: 'cool_down',
      reason: expect.stringMatching(/^it was, or may have been, paid or under way/) as string,
    },
  ]);
});

test('nor is what a retry looked at that died before it stored that', async () => {
  await world.orders.registerBatches('B1');
  await knownAsFailed();
  const { book } = await world.ports();
  const dying: SettlePorts['book'] = { ...book, saveLook: () => Promise.reject(new Error('died')) };
  await expect(lookAtOrder(await world.ports({ book: dying }), await failedOrder())).rejects.toThrow('died');
  expect(await stepped()).toEqual(notSent('state_changed'));
});

test('nor what one looked at that had lost its lease by then', async () => {
  await world.orders.registerBatches('B1');
  await knownAsFailed();
  const [ports, order] = [await world.ports(), await failedOrder()];
  await world.loseLease();
  await expect(lookAtOrder(ports, order)).rejects.toThrow('lost its lock');
  await world.restart();
  expect(await stepped()).toEqual(notSent('state_changed'));
});

test('a look without an answer holds nothing', async () => {
  await world.orders.registerBatches('B1');
  world.orders.batch('B2', [{ settle: { state: 'FAIL', remark: '账户异常' } }]);
  await world.orders.registerBatches('B2');
  await nightSees('02:02:00');
  world.sandbox.addFault({ kind: 'drop_after', path: 'division/query', times: null });
  expect(leftLines(await world.step())).toEqual(['B1-2 unanswered', 'B2-1 unanswered']);
  world.sandbox.liftFaults();
  expect(settledLines(await world.step()).toSorted()).toEqual(['B1-2 1 PROCESSING', 'B2-1 1 SUCCESS']);
});

test('a look by the own number of a batch that is on the list by the platform number alone', async () => {
  await registered('', await platformNo());
  await knownAsFailed();
  world.sandbox.addFault({ kind: 'corrupt_sign', path: 'division/query', times: null });
  expect(leftLines(await world.step())).toEqual(['B1-2 unanswered']);
  world.sandbox.liftFaults();
  expect(await stepped()).toEqual(notSent('cool_down'));
});

/** A batch on the list by both numbers, whose second order another one pays; somebody asks by the platform's number. */
async function askedByTheOther(): Promise<readonly ClaimedUnit[]> {
  const batchNo = await platformNo();
  await world.orders.night.accounts({ no: 'R', heldFen: 10_000_000n });
  await world.orders.registerBatches('B1');
  const set = { payerAcctNo: 'R', payeyAcctNo: 'R' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: null, row: 1, set });
  await knownAsFailed();
  return claimedByTheOther(batchNo);
}

async function claimedByTheOther(number: string): Promise<readonly ClaimedUnit[]> {
  const byPlatform = { ...B1, numberKind: 'platform', number } as const;
  const listed = { kind: 'batch', number_kind: 'platform', origin: 'registry', state: 'final' } as const;
  await world.db
    .insertInto('order_due')
    .values({ ...listed, account_no: 'P', number })
    .execute();
  const { claimed } = await claimUnits(world.db, [byPlatform], { by: 'another', at: now() });
  await askBatch(await world.ports(), byPlatform);
  return claimed;
}

test('a look by the other number of a batch holds the orders of each of its payers', async () => {
  await releaseClaims(world.db, await askedByTheOther(), now());
  expect(await stepped()).toEqual(notSent('cool_down'));
});

test('also where who asked died', async () => {
  await askedByTheOther();
  expect(await stepped()).toEqual(notSent('state_changed'));
});

test('one that was asked for after its claim had gone to another, and could not be stored', async () => {
  await world.orders.registerBatches('B1');
  await knownAsFailed();
  const { claimed } = await claimUnits(world.db, [B1], { by: 'stands still', at: now() });
  await sql`update order_due set claim_until = clock_timestamp()`.execute(world.db);
  viewLags(1_200_000);
  await nightSees('02:04:00');
  viewLags(0);
  world.moveTo('02 03:20:00');
  await askBatch(await world.ports(), B1);
  await releaseClaims(world.db, claimed, now());
  expect(await stepped('03:22:00')).toEqual(notSent('cool_down'));
});

/** By its own number the batch is shown once, by an answer that cannot be taken, and then not known; by the other one as it was before. */
async function notFoundByItsOwn(): Promise<void> {
  const batchNo = await platformNo();
  await registered('B1', batchNo);
  await knownAsFailed();
  const faults: FaultSeed[] = [
    { kind: 'corrupt_sign', about: 'B1', times: 1 },
    { kind: 'unmapped_code', about: 'outBatchNo', msg: '批次不存在', skip: 1, times: 1 },
    {
      kind: 'record',
      about: batchNo,
      times: 1,
      row: 1,
      set: { settleState: 'FAIL', settleRemark: '账户异常' },
    },
  ];
  for (const fault of faults) world.sandbox.addFault({ ...fault, path: 'division/query' });
}

test('one by the own number that cannot be taken, where the other number is asked for then', async () => {
  await notFoundByItsOwn();
  const answer = await askOrder(world.orders.job, B1);
  expect(answer).toMatchObject({ kind: 'batch', foundAs: { numberKind: 'platform' } });
  await (await world.ports()).book.saveLook(answer);
  expect(await stepped()).toEqual(notSent('cool_down'));
});

test('the same, right before a send', async () => {
  await notFoundByItsOwn();
  expect([leftLines(await world.step()), world.sends()]).toEqual(notSent('state_changed'));
});

test('what somebody had claimed by the other number who died, where the batch is found by that', async () => {
  const batchNo = await platformNo();
  await registered('B1', batchNo);
  await knownAsFailed();
  await claimedByTheOther(batchNo);
  viewLags(7_200_000);
  world.sandbox.addFault({
    kind: 'unmapped_code',
    path: 'division/query',
    about: 'outBatchNo',
    msg: '批次不存在',
    times: null,
  });
  const { claimed } = await claimUnits(world.db, [B1], { by: 'another', at: now() });
  const answer = await askOrder(world.orders.job, B1);
  await (await world.ports()).book.saveLook({ ...answer, claimFence: claimed[0]?.claimFence });
  expect(await stepped()).toEqual(notSent('state_changed'));
});

test('what somebody had claimed by a number that the company alone has for the batch, who died', async () => {
  const batchNo = await platformNo();
  await registered('C1', batchNo);
  await knownAsFailed();
  await register(world.db, {
    kind: 'transfer',
    out_batch_no: 'C1',
    batch_no: batchNo,
    out_order_no: 'B1-1',
    payer_account_no: 'P',
  });
  await scheduleOrderQueries(world.db, now());
  expect(await world.orders.dues()).toMatchObject([{}, {}]);
  const C1 = { ...B1, number: 'C1' };
  await claimUnits(world.db, [C1], { by: 'died', at: now() });
  expect(await askOrder(world.orders.job, C1)).toMatchObject({ kind: 'batch', foundAs: { number: batchNo } });
  expect(await stepped()).toEqual(notSent('state_changed'));
});
