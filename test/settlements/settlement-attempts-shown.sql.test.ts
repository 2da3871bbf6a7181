/**
 * What a look shows of a settlement besides its failure is known from then on, whatever else is stored
 * (docs/reliability.md 2.3 a).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMs } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import type { ListedOrder } from '../../src/orders/orders.ts';
import { StaleLook } from '../../src/settlements/settle-intent.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { batchAnswer, batchUnit, listed } from '../helpers/company/order-answers.ts';
import { second } from '../helpers/company/order-observations.ts';
import { FRESH, STAMP, anAttempt, databaseWorld, memoryWorld } from '../helpers/settlements/settle-worlds.ts';

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

/** Each of them speaks against what was planned of the plain failure. */
const OTHERWISE: readonly (readonly [string, ListedOrder])[] = [
  ['paid', listed('SUCCESS', { settleState: 'SUCCESS' })],
  ['under way', listed('SUCCESS', { settleState: 'PROCESSING' })],
  ['in a state that nobody knows', listed('SUCCESS', { settleState: 'ODD' })],
  ['refunded in part', failed({ refundFen: 400n })],
  ['waiting for a refund in part', failed({ refundFen: 400n, refundWaits: true })],
  ['of a transfer that is not done', listed('FAIL', { settleState: 'FAIL' })],
  ['of another amount', failed({ realFen: 9_000n })],
  ['of another payee', failed({ payeeAccountNo: 'R' })],
  ['of another number', failed({ orderNo: 'N-T2' })],
  ['gone', failed({ outOrderNo: 'T2' })],
];

const since = (seconds: number) => ({ ...FRESH, lastShownAt: second(seconds) });

describe.each(WORLDS)('what was shown of a settlement %s', (_name, world) => {
  let book: SettlementAttemptStore;
  beforeEach(async () => {
    await world.reset();
    await world.listAccount('Q');
    await world.enrol('B1', 'B2');
    book = world.open(await world.takeLease('one'));
  });

  const see = (seconds: number, ...orders: readonly ListedOrder[]): Promise<void> =>
    world.see(batchAnswer(seconds, orders));
  const lastShown = async (): Promise<Instant | undefined> => (await book.listFailed())[0]?.lastShownAt;

  test.each([
    ['alone', []],
    ['beside it', [failed()]],
  ])("a record that states the platform's number of it, %s, may be of it", async (_name, beside) => {
    await see(0, failed());
    const outOrderNo = beside.length === 0 ? '' : 'T2';
    await see(10, ...beside, { ...failed({ orderNo: 'N-T1' }), outOrderNo });
    expect(await lastShown()).toBe(second(11));
  });

  test.each([
    ['twice', failed()],
    ["beside another with the platform's number of it", { ...failed(), outOrderNo: 'T2' }],
  ])('a look that lists it %s is later than one before it, whatever the clocks say', async (_name, other) => {
    await see(0, failed());
    await see(100, failed(), other);
    expect(await lastShown()).toBe(second(101));
    await see(50, failed(), other);
    expect(await lastShown()).toBe(addMs(second(101), 1));
  });

  test('a look that does not list it may have shown it, also where it states another payer than its batch', async () => {
    await see(0, failed(), listed('PROCESSING', { outOrderNo: 'T2' }));
    await see(10, failed({ settleState: 'SUCCESS' }), failed({ outOrderNo: 'T2', payerAccountNo: 'P2' }));
    expect(await book.listFailed()).toMatchObject([{ accountNo: 'P2', outOrderNo: 'T2' }]);
    const before = await lastShown();
    await see(20, failed({ settleState: 'SUCCESS' }));
    expect([before, await lastShown()]).toEqual([second(1), second(21)]);
  });

  test('when a look last showed it under way or paid is known, whoever had asked for that', async () => {
    await see(0, failed());
    expect(await lastShown()).toBeUndefined();
    await see(100, listed('SUCCESS', { settleState: 'PROCESSING' }));
    await see(200, failed());
    expect(await lastShown()).toBe(second(101));
    await see(300, listed('SUCCESS', { settleState: 'SUCCESS' }));
    await see(400, failed());
    await see(500, failed());
    // It was paid until it was first seen to have come back, at most.
    expect(await lastShown()).toBe(second(401));
    // A plan that was made before that does not hold any more.
    expect(await book.plan(anAttempt(), since(101))).toBe('shown');
    expect(await book.plan(anAttempt(), FRESH)).toBe('shown');
    expect(await book.plan(anAttempt(), since(401))).toBe('planned');
    await book.markSent('req-T1-1', STAMP, since(401));
    await book.close('req-T1-1', { outcome: 'SUCCESS', at: second(600), note: '' });
    expect(await lastShown()).toBe(second(600));
    // Shown as paid it is not failed any more, and a plan of before still finds it so.
    await see(700, listed('SUCCESS', { settleState: 'SUCCESS' }));
    expect(await book.plan(anAttempt({ attemptNo: 2 }), since(600))).toBe('shown');
  });

  test.each([
    ['a word that nobody knows', listed('SUCCESS', { settleState: 'ODD' })],
    ['no settlement', listed('SUCCESS')],
    ['a part that is refunded', failed({ refundFen: 400n })],
    ['a refund that waits', failed({ refundWaits: true })],
    ['that a refund waits', listed('WAIT_CONFIRM', { settleState: 'FAIL' })],
    ['that it is refunded', listed('REFUND', { settleState: 'FAIL' })],
    ['a transfer that is not done', listed('PROCESSING', { settleState: 'FAIL' })],
    ['what cannot be read', failed({ unreadable: ['mchFee and fee differ'] })],
  ])('whatever shows anything but the plain failure counts: %s', async (_name, other) => {
    await see(0, failed());
    await see(100, other);
    await see(200, other);
    await see(300, failed());
    await see(400, failed());
    expect(await lastShown()).toBe(second(201));
  });

  test('so does every look that states another amount than the one before', async () => {
    await see(0, failed());
    await see(100, failed({ amountFen: 9_000n }));
    expect(await lastShown()).toBe(second(101));
    await see(200, failed());
    await see(300, failed());
    expect(await lastShown()).toBe(second(201));
  });

  test('nor does it count less where it is listed twice', async () => {
    await see(0, failed());
    await see(100, failed(), listed('SUCCESS', { settleState: 'SUCCESS' }));
    expect(await lastShown()).toBe(second(101));
  });

  test.each(['SUCCESS', 'PROCESSING', 'ODD', ''])(
    'what a look showed as %j counts, though one that was asked later was stored first',
    async (settleState) => {
      await see(0, failed());
      const slow = batchAnswer(100, [listed('SUCCESS', { settleState })]);
      await see(101, failed({ settleRemark: 'news' }));
      expect(await lastShown()).toBeUndefined();
      expect(await book.saveLook(slow)).toBe(true);
      expect(await lastShown()).toBe(second(101));
      expect(await book.listFailed()).toMatchObject([{ settleRemark: 'news', faults: [] }]);
    },
  );

  test.each(OTHERWISE)(
    'an attempt is not planned of what another look shows %s by then',
    async (_state, other) => {
      await see(0, failed());
      await see(100, other);
      const known = { ...FRESH, lastShownAt: await lastShown() };
      expect(await book.plan(anAttempt(), known)).toBe('shown');
      expect(await book.listOpen()).toEqual([]);
    },
  );

  test.each(OTHERWISE)(
    'nor is one sent that was planned before another look shows it %s',
    async (_state, other) => {
      await see(0, failed());
      expect(await book.plan(anAttempt(), FRESH)).toBe('planned');
      await see(100, other);
      await expect(book.markSent('req-T1-1', STAMP, FRESH)).rejects.toThrow(
        new StaleLook(
          'another look showed, or may have shown, something else of it meanwhile, or a call by hand named it',
        ),
      );
      expect(await book.listOpen()).toMatchObject([{ state: 'PLANNED', sent: undefined }]);
    },
  );

  test('nor of one whose number another order has by then, nor of one that is not known', async () => {
    await see(0, failed());
    expect(await book.plan(anAttempt({ outOrderNo: 'T2' }), FRESH)).toBe('shown');
    const namesake = failed({ outOrderNo: 'T2', orderNo: 'N-T1' });
    await world.see(batchAnswer(100, [namesake], { unit: batchUnit('B2'), outBatchNo: 'B2' }));
    expect(await book.plan(anAttempt(), FRESH)).toBe('shown');
  });
});
