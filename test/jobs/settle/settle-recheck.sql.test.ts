/**
 * What a plan was judged by is judged again in each transaction that stores an attempt: elapsed time on both clocks, the
 * service day, limits and breaker, and the database itself (docs/reliability.md 2.2, 2.3).
 */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import { zone } from '../../helpers/night.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

type Store = 'plan' | 'markSent';

/** Something happens right before an attempt is stored, as planned or as sent. */
async function meanwhile(when: Store, happens: () => unknown): Promise<Partial<SettlePorts>> {
  const { book } = await world.ports();
  const over: Partial<SettlementAttemptStore> = {
    [when]: async (...args: never[]) => {
      await happens();
      return (book[when] as (...given: never[]) => Promise<unknown>)(...args);
    },
  };
  return { book: { ...book, ...over } };
}

/** What became of the one order, and why. */
async function storedAfter(when: Store, happens: () => unknown): Promise<string[]> {
  const outcome = await world.step({ runId: 'run-2' }, await meanwhile(when, happens));
  expect(world.sends()).toBe(sendsBefore);
  return [
    ...outcome.settlements.map((one) => `${one.outOrderNo} ${one.outcome} ${one.note}`),
    ...leftLines(outcome),
  ];
}

let sendsBefore = 0;

/** B1-1 was sent once and failed for certain at 02:00. */
async function failedOnce(): Promise<void> {
  await world.failed('B1', { settle: { state: 'FAIL', retries: [{ state: 'FAIL' }, {}] } });
  world.moveTo('02 02:00:00');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 FAIL']);
  sendsBefore = world.sends();
}

beforeEach(() => {
  sendsBefore = 0;
});

describe('elapsed time', () => {
  test('a clock that is set forward during the step ends no cool-down', async () => {
    await world.failed('B1', { settle: { state: 'FAIL', retries: [{ state: 'FAIL' }, {}] } });
    world.moveTo('02 02:00:00');
    const { book } = await world.ports();
    await world
      .step({}, { book: { ...book, close: () => Promise.reject(new Error('killed')) } })
      .catch(() => 0);
    const listFailed = () => {
      world.moveTo('02 02:20:00');
      return book.listFailed();
    };
    const outcome = await world.step({ runId: 'run-2' }, { book: { ...book, listFailed } });
    expect([settledLines(outcome), leftLines(outcome)]).toEqual([['B1-1 1 FAIL'], ['B1-1 cool_down']]);
    expect(world.sends()).toBe(1);
  });

  test('a clock that was ahead when it was planned sends nothing before the cool-down is over', async () => {
    await failedOnce();
    world.moveTo('02 02:11:00');
    expect(await storedAfter('plan', () => world.moveTo('02 02:05:00'))).toEqual(['B1-1 cool_down']);
    world.moveTo('02 02:11:00');
    expect(await storedAfter('markSent', () => world.moveTo('02 02:05:00'))).toEqual([
      'B1-1 NOT_SENT it ended, was or may have been paid or under way, or was named in a call by hand, too short a time ago: nothing was sent',
    ]);
  });
});

describe('the service day', () => {
  test('a plan is not carried out on another day', async () => {
    await world.failed('B1', {});
    world.moveTo('02 23:59:50');
    expect(await storedAfter('plan', () => world.moveTo('03 00:00:00'))).toEqual(['B1-1 left_over']);
    world.moveTo('03 23:59:50');
    expect(await storedAfter('markSent', () => world.moveTo('04 00:00:00'))).toEqual([
      'B1-1 NOT_SENT the day it was planned for is over: the next run plans it anew: nothing was sent',
    ]);
    expect(settledLines(await world.step({ runId: 'run-3' }))).toEqual(['B1-1 2 SUCCESS']);
  });

  test('an approval is not carried over midnight by the wait for what may be on its way', async () => {
    await world.orders.profile({ settle: { breaker: { orders: 0 } } });
    await world.failed('B1', {});
    world.moveTo('02 23:30:00');
    const { digest } = await world.step({ mode: 'dry-run' });
    world.boot = 'boot-2';
    const mark = world.mark();
    const write: typeof mark.write = async (state) => {
      await mark.write(state);
      // The wait is over.
      if (!state.isDoubtful) world.moveTo('03 00:33:00');
    };
    const outcome = await world.step({ approve: { digest, by: 'Li' } }, { mark: { ...mark, write } });
    expect(outcome.breaker).toMatchObject({ tripped: true, approved: false, approvalDiffers: true });
    expect([outcome.settlements, world.sends()]).toEqual([[], 0]);
    const again = await world.step({ runId: 'run-2', approve: { digest: outcome.digest, by: 'Li' } });
    expect(settledLines(again)).toEqual(['B1-1 1 SUCCESS']);
  });
});

describe('limits and breaker', () => {
  /** As sent today, past all that this process knows. */
  const sentMeanwhile = (amountFen = 100) =>
    sql`insert into settle_attempt (account_no, out_order_no, attempt_no, req_id, order_no, payee_account_no,
        amount_fen, remark, state, outcome, closed_at, run_id, fence, planned_at, req_time, runner)
      values ('P', 'X', 1, 'x' || ${amountFen}::bigint, '', 'Q', ${amountFen}::bigint, 'r', 'CLOSED', 'FAIL',
        '2026-03-02T01:00:00Z', 'x', 1, ${world.orders.night.clock.wall()}, '2026-03-02T01:00:00Z', 'x')`.execute(
      world.db,
    );

  test.each<[string, object, number]>([
    ['the number of the day', { maxPerRun: 1 }, 100],
    ['the money of the day', { maxFenPerRun: 10_000 }, 1],
    ['the number of the breaker', { breaker: { orders: 1 } }, 100],
    ['the money of the breaker', { breaker: { fen: 10_000 } }, 1],
  ])('what was used up since it was planned is not sent: %s', async (_name, settle, amountFen) => {
    await world.orders.profile({ settle });
    await world.failed('B1', {});
    world.moveTo('02 02:00:00');
    expect(await storedAfter('plan', () => sentMeanwhile(amountFen))).toEqual(['B1-1 capped']);
    await sql`delete from settle_attempt`.execute(world.db);
    expect(await storedAfter('markSent', () => sentMeanwhile(amountFen))).toEqual([
      'B1-1 NOT_SENT the limit of the day, or of its attempts, is used up by now: nothing was sent',
    ]);
  });

  test('what a person has approved goes beyond the breaker, and not beyond the limits', async () => {
    await world.orders.profile({ settle: { breaker: { orders: 0 } } });
    await world.failed('B1', {}, {});
    const { digest } = await world.step({ mode: 'dry-run' });
    const approved = await world.step({ runId: 'run-2', approve: { digest, by: 'Li' } });
    expect(settledLines(approved)).toEqual(['B1-1 1 SUCCESS', 'B1-2 1 SUCCESS']);
  });

  test('an approval of something else sends nothing, also where none is needed', async () => {
    await world.failed('B1', {});
    const approve = { digest: '0'.repeat(16), by: 'Li' };
    const other = await world.step({ approve });
    expect(other).toMatchObject({ breaker: { tripped: false, approvalDiffers: true }, settlements: [] });
    expect(settleText(other, zone)).toContain('NOTHING SENT: the approval is of another plan');
    expect(world.sends()).toBe(0);
    const { digest } = other;
    expect(settledLines(await world.step({ runId: 'run-2', approve: { digest, by: 'Li' } }))).toEqual([
      'B1-1 1 SUCCESS',
    ]);
  });

  test('who approves is told how many more are eligible, and approves that too', async () => {
    await world.orders.profile({ settle: { maxPerRun: 1, breaker: { orders: 0 } } });
    await world.failed('B1', {}, {}, {});
    const shown = await world.step({ mode: 'dry-run' });
    expect(settleText(shown, zone)).toContain(
      'NEEDS AN APPROVAL: 3 settlements, 300.00 yuan failed, more than is retried unseen (settle.breaker). Nothing ' +
        'was sent. An approval sends 1 of them, 100.00 yuan; 2 more, 200.00 yuan, are left to other days by the limits.',
    );
    await world.failed('B2', {});
    const approve = { digest: shown.digest, by: 'Li' };
    const other = await world.step({ approve });
    expect(other).toMatchObject({ plan: shown.plan, breaker: { approvalDiffers: true }, settlements: [] });
    await world.step({ runId: 'run-2', approve: { ...approve, digest: other.digest } });
    const [approval] = await world.db.selectFrom('settle_approval').selectAll().execute();
    expect(approval).toMatchObject({
      orders: 1,
      amount_fen: 10_000n,
      eligible_orders: 4,
      eligible_fen: 40_000n,
    });
  });
});

describe('the database', () => {
  test.each<Store>(['plan', 'markSent'])(
    'one that was put in its place meanwhile stores nothing: %s',
    async (when) => {
      await world.failed('B1', {});
      const ports = await meanwhile(when, () => setGuardBack(world.db, { database_identity: 'restored' }));
      await expect(world.step({}, ports)).rejects.toThrow('the database was restored or replaced');
      expect([world.sends(), await world.attempts()]).toEqual([
        0,
        when === 'plan' ? [] : ['B1-1 1 PLANNED -'],
      ]);
    },
  );

  test.each<[Store, string]>([
    ['plan', 'B1-1 held'],
    [
      'markSent',
      'B1-1 NOT_SENT the database was restored meanwhile: what was sent from here is not known for certain: nothing ' +
        'was sent',
    ],
  ])('one that is held by now sends nothing: %s', async (when, told) => {
    await world.failed('B1', {});
    const { book } = await world.ports();
    world.moveTo('02 02:00:00');
    const hold = () => book.hold('2026-03-02T10:00:00.000Z');
    expect(await storedAfter(when, hold)).toEqual([told]);
  });
});
