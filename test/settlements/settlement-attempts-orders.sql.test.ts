/** Which settlements the book lists as failed, and what a look at their batch changes: on both books alike. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Stopped } from '../../src/core/errors.ts';
import type { ListedOrder } from '../../src/orders/orders.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import type { FailedSettlement } from '../../src/settlements/settle-order.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { batchAnswer, batchUnit, listed } from '../helpers/company/order-answers.ts';
import { second } from '../helpers/company/order-observations.ts';
import { anAccount } from '../helpers/company/run-rows.ts';
import {
  FRESH,
  STAMP,
  anAnswer,
  anAttempt,
  databaseWorld,
  failedIn,
  memoryWorld,
  notFoundAnswer,
} from '../helpers/settlements/settle-worlds.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const WORLDS = [
  ['in memory', memoryWorld()],
  ['in the database', databaseWorld(() => database.db)],
] as const;

const failed = (over: Parameters<typeof listed>[1] = {}): ListedOrder =>
  listed('SUCCESS', { settleState: 'FAIL', ...over });

const T1: FailedSettlement = {
  accountNo: 'P',
  outOrderNo: 'T1',
  orderNo: 'N-T1',
  outBatchNo: 'B1',
  batchNo: 'N-B1',
  payeeAccountNo: 'Q',
  amountFen: 9_970n,
  effectiveState: 'moved',
  settleRemark: '',
  refundFen: 0n,
  faults: [],
  payeeIsListed: true,
  attempts: 0,
  nextAttemptNo: 1,
  lastClosedAt: undefined,
  lastShownAt: undefined,
  hasNamesake: false,
  refundUnseen: undefined,
  hasOpenAttempt: false,
  isAskedFor: false,
  mayBeTakenTwice: false,
};

describe.each(WORLDS)('failed settlements %s', (_name, world) => {
  let book: SettlementAttemptStore;
  beforeEach(async () => {
    await world.reset();
    await world.listAccount('Q');
    await world.enrol('B1', 'B2');
    book = world.open(await world.takeLease('one'));
  });

  const see = (seconds: number, ...orders: readonly ListedOrder[]): Promise<void> =>
    world.see(batchAnswer(seconds, orders));

  test('they are listed by key with all that decides; others are not', async () => {
    await see(
      0,
      failed({ outOrderNo: 'T3', settleRemark: 'card closed', refundFen: 400n }),
      failed(),
      failed({ outOrderNo: 'T2', payeeAccountNo: 'R' }),
      listed('SUCCESS', { outOrderNo: 'T4', settleState: 'SUCCESS' }),
      listed('SUCCESS', { outOrderNo: 'T5', settleState: 'PROCESSING' }),
      listed('SUCCESS', { outOrderNo: 'T6', settleState: 'ODD' }),
      listed('SUCCESS', { outOrderNo: 'T7' }),
      listed('FAIL', { outOrderNo: 'T8', settleState: 'FAIL' }),
    );
    expect(await book.listFailed()).toEqual([
      T1,
      { ...T1, outOrderNo: 'T2', orderNo: 'N-T2', payeeAccountNo: 'R', payeeIsListed: false },
      {
        ...T1,
        outOrderNo: 'T3',
        orderNo: 'N-T3',
        settleRemark: 'card closed',
        refundFen: 400n,
        lastShownAt: second(1),
      },
    ]);
  });

  test.each([
    ['realAmount', {}, 9_970n],
    ['amount', {}, 10_000n],
    ['realAmount', { realFen: null }, 9_970n],
    ['realAmount', { realFen: null, feeType: 'ACCOUNT' }, 10_000n],
    ['realAmount', { realFen: null, feeFen: null }, undefined],
    ['amount', { realFen: null, feeFen: null }, 10_000n],
  ] as const)('U37: by %s, %j is worth %s', async (amountRule, stated, amountFen) => {
    await see(0, failed(stated));
    const asked = world.open(await world.takeLease('one'), { amountRule });
    expect((await asked.listFailed()).map((order) => order.amountFen)).toEqual([amountFen]);
  });

  test('a refund that waits for its confirmation counts as one', async () => {
    await see(0, failed());
    await see(100, { ...failed({ refundFen: 0n, refundWaits: true }) });
    expect((await book.listFailed())[0]?.refundFen).toBe(0n);
    await see(200, failed({ refundFen: 300n, refundWaits: true }));
    expect((await book.listFailed()).map(({ refundFen }) => refundFen)).toEqual([300n]);
  });

  test('P6, P3: what is wrong with an order is named by class until it is cured', async () => {
    await see(0, failed());
    await see(100, failed({ amountFen: 9_000n, realFen: 8_970n }));
    expect((await book.listFailed()).map(({ faults }) => faults)).toEqual([['record_changed']]);
    await see(200, listed('FAIL', { settleState: 'FAIL', amountFen: 9_000n, realFen: 8_970n }));
    expect((await book.listFailed()).map(({ faults }) => faults)).toEqual([
      ['record_changed', 'state_regression'],
    ]);
  });

  test('attempts are counted but for those never sent; the last one that counts says since when', async () => {
    await see(0, failed());
    await book.plan(anAttempt(), FRESH);
    expect(await book.listFailed()).toEqual([{ ...T1, attempts: 1, nextAttemptNo: 2, hasOpenAttempt: true }]);
    await book.markSent('req-T1-1', STAMP, FRESH);
    await book.close('req-T1-1', { outcome: 'FAIL', at: second(300), note: '' });
    await book.plan(anAttempt({ attemptNo: 2 }), FRESH);
    await book.close('req-T1-2', { outcome: 'NOT_SENT', at: second(400), note: '' });
    expect(await book.listFailed()).toEqual([
      { ...T1, attempts: 1, nextAttemptNo: 3, lastClosedAt: second(300) },
    ]);
    await book.plan(anAttempt({ attemptNo: 3 }), FRESH);
    await book.saveAnswer('req-T1-3', anAnswer('NOT_SENT'));
    expect(await book.listFailed()).toEqual([
      { ...T1, attempts: 1, nextAttemptNo: 4, lastClosedAt: second(300), hasOpenAttempt: true },
    ]);
  });

  test('an open attempt names the batch to ask for', async () => {
    await see(0, failed());
    await book.plan(anAttempt(), FRESH);
    expect((await book.listOpen()).map(({ outBatchNo, batchNo }) => [outBatchNo, batchNo])).toEqual([
      ['B1', 'N-B1'],
    ]);
  });

  test('STL-14, U49: a look moves the order on: under way, settled, and back from the bank', async () => {
    await see(0, failed());
    const states: [string, number][] = [
      ['PROCESSING', 0],
      ['FAIL', 1],
      ['SUCCESS', 0],
      ['FAIL', 1],
      ['ODD', 0],
    ];
    for (const [at, [settleState, count]] of states.entries()) {
      const look = batchAnswer(100 * (at + 1), [listed('SUCCESS', { settleState })]);
      expect(await book.saveLook(look)).toBe(true);
      expect(await book.listFailed(), settleState).toHaveLength(count);
    }
  });

  test('P4, P14: what is not listed or not found any more has vanished; what failed says nothing', async () => {
    await see(0, failed(), failed({ outOrderNo: 'T2' }));
    const faults = async () => (await book.listFailed()).map((order) => [order.outOrderNo, ...order.faults]);
    expect(await book.saveLook(batchAnswer(100, [failed()]))).toBe(true);
    expect(await faults()).toEqual([['T1'], ['T2', 'record_vanished']]);
    expect(await book.saveLook(notFoundAnswer(200, 'B1'))).toBe(true);
    expect(await faults()).toEqual([
      ['T1', 'record_vanished'],
      ['T2', 'record_vanished'],
    ]);
    expect(await book.saveLook({ kind: 'failed', unit: batchUnit('B1'), reason: 'no answer' })).toBe(false);
    expect(await book.saveLook(batchAnswer(300, [failed(), failed({ outOrderNo: 'T2' })]))).toBe(true);
    expect(await faults()).toEqual([['T1'], ['T2']]);
  });

  test('a batch of which nobody says who pays cannot be kept', async () => {
    const look = batchAnswer(0, [failed({ payerAccountNo: '' })], {
      unit: batchUnit('B9'),
      outBatchNo: 'B9',
    });
    expect(await book.saveLook(look)).toBe(false);
    expect(await book.listFailed()).toEqual([]);
  });

  test('M4: who lost the lease keeps no look', async () => {
    await see(0, failed());
    await world.takeLease('two');
    const look = batchAnswer(100, [listed('SUCCESS', { settleState: 'SUCCESS' })]);
    await expect(book.saveLook(look)).rejects.toThrow(Stopped);
    expect(await book.listFailed()).toEqual([T1]);
  });
});

describe('in the database alone', () => {
  const world = databaseWorld(() => database.db);
  beforeEach(() => world.reset());

  test('a payee is listed from active_from on and until active_to', async () => {
    await anAccount(database.db, { account_no: 'Q', active_from: second(100), active_to: second(200) });
    await world.enrol('B1');
    await world.see(batchAnswer(0, [failed()]));
    const lease = await world.takeLease('one');
    const isListed = async (seconds: number) =>
      (await world.open(lease, { now: second(seconds) }).listFailed())[0]?.payeeIsListed;
    expect(await Promise.all([99, 100, 199, 200].map(isListed))).toEqual([false, true, true, false]);
  });

  test('STL-10: an answer is kept as it was signed, with code and fee', async () => {
    await failedIn(world, 'T1');
    const book = world.open(await world.takeLease('one'));
    await book.plan(anAttempt(), FRESH);
    await book.markSent('req-T1-1', STAMP, FRESH);
    const evidence = {
      sha256: 'e'.repeat(64),
      bizText: '{"fee":30}',
      reqId: 'req-T1-1',
      requestedAt: second(11),
    };
    const fee = { feeFen: 30n, feeType: 'ACCOUNT' };
    await book.saveAnswer('req-T1-1', anAnswer('ACK_SUCCESS', { code: '000000', ...fee, evidence }));
    const attempt = await database.db.selectFrom('settle_attempt').selectAll().executeTakeFirst();
    expect(attempt).toMatchObject({
      answer_code: '000000',
      answer_fee_fen: 30n,
      answer_fee_type: 'ACCOUNT',
      answer_sha256: 'e'.repeat(64),
      fence: 1n,
    });
    const kept = await database.db
      .selectFrom('raw_answer')
      .select(['sha256', 'endpoint', 'account_no', 'req_id', 'signed'])
      .where('req_id', '=', 'req-T1-1')
      .execute();
    expect(kept).toEqual([
      { sha256: 'e'.repeat(64), endpoint: 'order/settle', account_no: 'P', req_id: 'req-T1-1', signed: true },
    ]);
  });
});
