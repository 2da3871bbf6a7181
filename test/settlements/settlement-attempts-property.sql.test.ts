/** Whatever two runners do in whatever order: the database and the maps of the simulation answer alike. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lease } from '../../src/store/database/leases.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import { onPostgres, testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { batchAnswer, batchUnit, listed, notFound } from '../helpers/company/order-answers.ts';
import { second } from '../helpers/company/order-observations.ts';
import {
  FRESH,
  STAMP,
  anAnswer,
  anAttempt,
  databaseWorld,
  memoryWorld,
  PLAN_DAY,
  under,
} from '../helpers/settlements/settle-worlds.ts';
import type { SettleWorld } from '../helpers/settlements/settle-worlds.ts';
import { fc, runs } from '../helpers/properties.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const RUNNERS = ['one', 'two'] as const;
const ORDERS = ['T1', 'T2'] as const;

const order = fc.constantFrom(...ORDERS);
const attemptNo = fc.constantFrom(1, 1, 1, 2, 3);
const reqId = fc.tuple(order, attemptNo).map(([out, no]) => `req-${out}-${no}`);
const moment = fc.integer({ min: 0, max: 3 }).map((no) => second(1_000 + no * 100));
const answerState = fc.constantFrom('ACK_PROCESSING', 'ACK_SUCCESS', 'ACK_FAIL', 'UNKNOWN', 'NOT_SENT');
const settleState = fc.constantFrom('FAIL', 'SUCCESS', 'PROCESSING', 'ODD', '');

const rows = fc.array(
  fc
    .record({
      outOrderNo: fc.constantFrom('T1', 'T2', 'T1', 'T2', ''),
      orderNo: fc.constantFrom('', 'N-T1', 'N-T2', 'own', 'own', 'own'),
      state: fc.constantFrom('SUCCESS', 'SUCCESS', 'PART_REFUND', 'CLOSE'),
      settleState,
    })
    .map(({ outOrderNo, orderNo, state, settleState: word }) => ({
      ...listed(state, { realFen: 1_000n, settleState: word }),
      outOrderNo,
      orderNo: orderNo === 'own' ? `N-${outOrderNo}` : orderNo,
    })),
  { maxLength: 3 },
);

/** One call, as both books get it; looks come in the order of their steps. */
type Step = (book: SettlementAttemptStore, at: number) => Promise<unknown>;

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(order, attemptNo, fc.integer({ min: 1, max: 3 })).map(([outOrderNo, no, max]): Step => {
    const planned = anAttempt({ outOrderNo, attemptNo: no, amountFen: 1_000n });
    return (book) => book.plan(planned, under({ maxPerRun: max, maxFenPerRun: 2_500n, maxAttempts: max }));
  }),
  fc.tuple(reqId, fc.integer({ min: 0, max: 1 })).map(
    ([id, mono]): Step =>
      (book) =>
        book.markSent(id, { ...STAMP, sentMonoMs: mono }, FRESH),
  ),
  fc.tuple(reqId, answerState).map(
    ([id, state]): Step =>
      (book) =>
        book.saveAnswer(id, anAnswer(state, { note: state })),
  ),
  fc.tuple(reqId, fc.option(moment, { nil: undefined })).map(
    ([id, seenAt]): Step =>
      (book) =>
        book.saveFailedSeen(id, seenAt),
  ),
  fc.tuple(reqId, fc.constantFrom('SUCCESS', 'FAIL', 'RETURNED', 'NOT_SENT'), moment).map(
    ([id, outcome, at]): Step =>
      (book) =>
        book.close(id, { outcome, at, note: '' }),
  ),
  moment.map(
    (until): Step =>
      (book) =>
        book.hold(until),
  ),
  fc.tuple(reqId, moment).map(
    ([id, seenAt]): Step =>
      (book) =>
        book.saveOpenSeen(id, seenAt),
  ),
  reqId.map(
    (id): Step =>
      (book) =>
        book.saveAwaiting(id, 'it awaits a person'),
  ),
  fc.tuple(reqId, moment).map(
    ([id, reqTime]): Step =>
      (book) =>
        book.redate(id, { ...STAMP, reqTime }, 'another'),
  ),
  fc.tuple(rows, fc.integer({ min: 0, max: 30 })).map(([orders, older]): Step => (book, at) => {
    return book.saveLook(batchAnswer(10_000 + at * 10 - older, orders));
  }),
  fc.integer({ min: 0, max: 30 }).map(
    (older): Step =>
      (book, at) =>
        book.saveLook(notFound(10_000 + at * 10 - older, batchUnit('B1'))),
  ),
  fc.tuple(settleState, settleState).map(([one, other]): Step => (book, at) => {
    const orders = [one, other].map((word, no) =>
      listed('SUCCESS', { outOrderNo: ORDERS[no] ?? '', realFen: 1_000n, settleState: word }),
    );
    return book.saveLook(batchAnswer(10_000 + at * 10, orders));
  }),
);

const steps = fc.array(
  fc.record({
    runner: fc.constantFrom(...RUNNERS),
    takesLease: fc.boolean(),
    isReplaced: fc.integer({ min: 0, max: 20 }).map((no) => no === 0),
    step,
  }),
  { minLength: 5, maxLength: 25 },
);

type Steps = typeof steps extends fc.Arbitrary<infer S> ? S : never;

/** What was answered to the first attempts, sent before all steps. */
const begun = fc.array(answerState, { maxLength: 2 });
type Begun = typeof begun extends fc.Arbitrary<infer S> ? S : never;

/** Everything that was answered on the way, and what is there in the end. */
async function played(world: SettleWorld, of: Steps, sent: Begun): Promise<unknown[]> {
  await world.reset();
  await world.listAccount('Q');
  await world.enrol('B1');
  const first = batchAnswer(
    0,
    ORDERS.map((outOrderNo) => listed('SUCCESS', { outOrderNo, realFen: 1_000n, settleState: 'FAIL' })),
  );
  await world.see(first);
  const begins = world.open(await world.takeLease('one'), { now: second(500) });
  for (const [at, state] of sent.entries()) {
    const planned = anAttempt({ outOrderNo: ORDERS[at] ?? '', attemptNo: 1, amountFen: 1_000n });
    await begins.plan(planned, under({}));
    await begins.markSent(planned.reqId, STAMP, FRESH);
    await begins.saveAnswer(planned.reqId, anAnswer(state, { note: state }));
  }
  const leases = new Map<string, Lease>();
  for (const runner of RUNNERS) leases.set(runner, await world.takeLease(runner));
  const answers: unknown[] = [];
  for (const [at, { runner, takesLease, isReplaced, step: call }] of of.entries()) {
    const held = leases.get(runner);
    const lease = takesLease || held === undefined ? await world.takeLease(runner) : held;
    leases.set(runner, lease);
    if (isReplaced) await world.replace();
    const book = world.open(lease, { now: second(500) });
    answers.push(await call(book, at).catch(String));
    answers.push(
      await book.guard(),
      await book.usedOn(PLAN_DAY),
      await book.listOpen(),
      await book.listFailed(),
    );
  }
  return [...answers, await world.events(), await world.awaited()];
}

test(
  'M3, M4: the same steps of two runners give the same answers, open attempts and events on both books',
  { timeout: 240_000 },
  async () => {
    const worlds = { memory: memoryWorld(), database: databaseWorld(() => database.db) };
    await fc.assert(
      fc.asyncProperty(steps, begun, async (of, sent) => {
        expect(await played(worlds.database, of, sent)).toEqual(await played(worlds.memory, of, sent));
      }),
      { numRuns: runs(onPostgres ? 40 : 20), endOnFailure: true },
    );
  },
);
