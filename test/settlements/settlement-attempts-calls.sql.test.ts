/** What the book keeps of calls of money by hand, and what that keeps from being retried: on both books alike. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Stopped } from '../../src/core/errors.ts';
import type { SettlementAttemptStore } from '../../src/settlements/attempt-store.ts';
import type { CallByHand, Denial } from '../../src/settlements/call-store.ts';
import { testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { batchAnswer, listed } from '../helpers/company/order-answers.ts';
import { second } from '../helpers/company/order-observations.ts';
import {
  anAttempt,
  databaseWorld,
  failedIn,
  FRESH,
  memoryWorld,
  STAMP,
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

/** A refund of `T1`, unless it says otherwise. */
function aCall(over: Partial<CallByHand> = {}): CallByHand {
  const plain = { reqId: 'call-1', endpoint: 'division/refund', reqTime: second(100) };
  return { ...plain, orders: ['T1'], accounts: [], ...over };
}

describe.each(WORLDS)('calls by hand %s', (_name, world) => {
  let book: SettlementAttemptStore;
  beforeEach(async () => {
    await world.reset();
    await failedIn(world, 'T1', 'T2');
    book = world.open(await world.takeLease('one'));
  });

  const failed = async () =>
    (await book.listFailed()).map(({ outOrderNo, refundUnseen, lastShownAt }) =>
      [outOrderNo, refundUnseen ?? '', lastShownAt ?? ''].join(' '),
    );
  const keep = (over: Partial<CallByHand> = {}) => book.saveCall(aCall(over), '', () => undefined);
  /** That it took none of `T2` of `P` by `call-2`, unless it says otherwise. */
  const denied = (over: Partial<Denial> = {}) => {
    const plain = { reqId: 'call-2', accountNo: 'P', outOrderNo: 'T2', by: 'Li Na', at: second(102) };
    return book.saveDenied({ ...plain, ...over });
  };
  /** T1 and T2 as they are listed then. */
  const see = (seconds: number, over: Parameters<typeof listed>[1]) =>
    world.see(
      batchAnswer(seconds, [
        listed('SUCCESS', { settleState: 'FAIL', ...over }),
        listed('SUCCESS', { settleState: 'FAIL', outOrderNo: 'T2' }),
      ]),
    );

  test('a refund counts for the order that it names, by whichever number in whichever case', async () => {
    await keep({ orders: ['n-t1', 'T2'] });
    await keep({ orders: ['T1'] });
    expect(await failed()).toEqual([`T1 call-1 ${second(100)}`, `T2 call-1 ${second(100)}`]);
  });

  test('a withdrawal counts for all that its account is paid, and waits for no refund', async () => {
    await keep({ endpoint: 'account/withdraw', orders: ['W1'], accounts: ['q'] });
    expect(await failed()).toEqual([`T1  ${second(100)}`, `T2  ${second(100)}`]);
  });

  test('one that did not leave, or that somebody says was not taken, is waited for no longer than any call', async () => {
    await keep();
    await keep({ reqId: 'call-2', reqTime: second(101), orders: ['n-t2'] });
    await book.saveNotTaken('call-1');
    expect([await denied(), await denied()]).toEqual(['noted', 'unknown']);
    expect(await denied({ reqId: 'call-1', outOrderNo: 'T1' })).toBe('unknown');
    expect(await failed()).toEqual([`T1  ${second(100)}`, `T2  ${second(101)}`]);
  });

  test('that the platform took none is said of one order of one payer, and of no other that the request names', async () => {
    await keep({ reqId: 'call-2', orders: ['T1', 'T2'] });
    await keep({ reqId: 'call-3', endpoint: 'division/pay', orders: ['T1', 'T2'] });
    const others = [{ accountNo: 'Q' }, { outOrderNo: 'N-T2' }, { reqId: 'call-3' }, { reqId: 'call-4' }];
    for (const over of others) expect(await denied(over)).toBe('unknown');
    expect(await denied()).toBe('noted');
    expect(await failed()).toEqual([`T1 call-2 ${second(100)}`, `T2  ${second(100)}`]);
  });

  test('nobody can say so as long as it may arrive, or be hidden by a view that lags behind', async () => {
    book = world.open(await world.takeLease('one'), { callLagMs: 30_000 });
    await keep({ reqId: 'call-2', orders: ['T2'] });
    const early = { notBefore: second(130) };
    expect([await denied(), await denied({ at: second(130) })]).toEqual([early, early]);
    expect((await failed())[1]).toMatch(/^T2 call-2 /);
    expect(await denied({ at: second(131) })).toBe('noted');
    expect((await failed())[1]).toMatch(/^T2 {2}/);
  });

  test('nor as long as a view may lag behind what showed one; and one that is shown to wait after it was said is none', async () => {
    const waits = { refundFen: 400n, refundWaits: true };
    const word = { reqId: 'call-1', outOrderNo: 'T1' };
    book = world.open(await world.takeLease('one'), { callLagMs: 30_000 });
    await keep();
    await see(150, waits);
    await see(160, { refundFen: 0n });
    expect(await denied({ ...word, at: second(170) })).toEqual({ notBefore: second(181) });
    expect(await denied({ ...word, at: second(200) })).toBe('noted');
    expect((await failed())[0]).toMatch(/^T1 {2}/);
    await see(210, waits);
    await see(220, { refundFen: 0n });
    expect((await failed())[0]).toMatch(/^T1 call-1 /);
    expect(await denied({ ...word, at: second(300) })).toBe('noted');
    expect((await failed())[0]).toMatch(/^T1 {2}/);
  });

  test('one that is denied uncovers a later one, which is waited for all the same', async () => {
    await keep({ reqId: 'call-2', orders: ['T2'] });
    await keep({ reqId: 'call-3', reqTime: second(101), orders: ['T2'] });
    await denied();
    expect((await failed())[1]).toMatch(/^T2 call-3 /);
  });

  test('what was shown before it shows nothing of it, nor that one waits, and one that is done after it does', async () => {
    await see(50, { refundFen: 400n });
    await see(60, { refundFen: 0n });
    await keep();
    expect((await failed())[0]).toMatch(/^T1 call-1 /);
    await see(150, { refundFen: 400n, refundWaits: true });
    expect((await failed())[0]).toMatch(/^T1 call-1 /);
    await see(160, { refundFen: 400n });
    expect((await failed())[0]).toMatch(/^T1 {2}/);
  });

  test('nor does what a view may have shown that lags behind it', async () => {
    book = world.open(await world.takeLease('one'), { callLagMs: 30_000 });
    await keep({ reqTime: second(101) });
    await keep({ reqId: 'call-2', orders: ['T2'] });
    const done = { refundFen: 400n };
    await world.see(
      batchAnswer(130, [
        listed('SUCCESS', { settleState: 'FAIL', ...done }),
        listed('SUCCESS', { settleState: 'FAIL', outOrderNo: 'T2', ...done }),
      ]),
    );
    expect(await failed()).toEqual([`T1 call-1 ${second(131)}`, `T2  ${second(131)}`]);
  });

  test('nothing is kept of one that is forbidden by what is stored: an open attempt, a hold', async () => {
    await book.hold(second(5_000));
    await book.plan(anAttempt(), FRESH);
    await book.markSent(anAttempt().reqId, STAMP, FRESH);
    const open = { outOrderNo: 'T1', attemptNo: 1, state: 'SENT', payeeAccountNo: 'Q' };
    expect(await book.openMet({ orders: ['t1'], accounts: [] })).toEqual([open]);
    expect(await book.openMet({ orders: ['N-T1'], accounts: [] })).toEqual([open]);
    expect(await book.openMet({ orders: [], accounts: ['q'] })).toEqual([open]);
    expect(await book.openMet({ orders: ['T2'], accounts: ['P'] })).toEqual([]);
    let facts: unknown;
    const forbidden = book.saveCall(aCall(), '', (told) => {
      facts = told;
      throw new Stopped('not this one');
    });
    await expect(forbidden).rejects.toThrow('not this one');
    expect(facts).toEqual({ holdUntil: second(5_000), open: [open] });
    expect(await failed()).toEqual(['T1  ', 'T2  ']);
  });

  test('nor of one in a database that was put in the place of the one that was trusted, or without the lease', async () => {
    await book.plan(anAttempt(), FRESH);
    await world.replace();
    await expect(keep()).rejects.toThrow(Stopped);
    await book.hold(second(5_000));
    await world.takeLease('another');
    await expect(keep()).rejects.toThrow('lost its lock');
    await expect(denied()).rejects.toThrow(Stopped);
    expect(await failed()).toEqual(['T1  ', 'T2  ']);
  });

  test('one that is dated by a clock that was ahead was refused, and counts as sent when that is known', async () => {
    await keep();
    await keep({ reqId: 'call-2', reqTime: second(9_000), orders: ['T2'] });
    await book.redateCalls({ now: second(200), latest: second(3_800) });
    expect(await failed()).toEqual([`T1 call-1 ${second(100)}`, `T2  ${second(200)}`]);
  });
});
