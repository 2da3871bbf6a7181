/** What keeps the retry of settlements from sending: breaker, rehearsal, a stop, a lost lease, a full disk. */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { NotSent, Stopped } from '../../../src/core/errors.ts';
import type { PlatformClient } from '../../../src/platform/client.ts';
import type { SettlementAttemptStore } from '../../../src/settlements/attempt-store.ts';
import { dumpOf } from '../../helpers/dump.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

describe('M10: the breaker', () => {
  test('more failures than are retried unseen are planned, and sent only when exactly this plan is approved', async () => {
    await world.orders.profile({ settle: { breaker: { orders: 1 } } });
    await world.failed('B1', {}, {});
    const tripped = await world.step();
    expect(tripped).toMatchObject({
      plan: [{ outOrderNo: 'B1-1' }, { outOrderNo: 'B1-2' }],
      breaker: { tripped: true, approved: false, approvalDiffers: false, orders: 2, sumFen: 20_000n },
      settlements: [],
    });
    const other = await world.step({ approve: { digest: '0'.repeat(16), by: 'someone' } });
    expect(other).toMatchObject({
      digest: tripped.digest,
      breaker: { approved: false, approvalDiffers: true },
      settlements: [],
    });
    expect(await lines(world.db, 'settle_approval', ['orders'])).toEqual([]);
    expect(world.sends()).toBe(0);

    const given = ` ${tripped.digest.toUpperCase()} `;
    const approved = await world.step({
      runId: 'run-2',
      approve: { digest: given, by: 'accounts 13812345678' },
    });
    expect(approved.breaker).toMatchObject({ tripped: true, approved: true });
    expect(settledLines(approved)).toEqual(['B1-1 1 SUCCESS', 'B1-2 1 SUCCESS']);
    expect(
      await lines(world.db, 'settle_approval', ['approved_by', 'run_id', 'orders', 'amount_fen']),
    ).toEqual(['accounts 138****5678 run-2 2 20000']);
  });

  test('an approval holds for its plan only: with one order more it is asked for again', async () => {
    await world.orders.profile({ settle: { breaker: { orders: 0 } } });
    await world.failed('B1', {});
    const { digest } = await world.step({ mode: 'dry-run' });
    await world.failed('B2', {});
    expect(await world.step({ approve: { digest, by: 'someone' } })).toMatchObject({
      breaker: { approved: false, approvalDiffers: true },
      settlements: [],
    });
    expect(world.sends()).toBe(0);
  });
});

test('M10: what was approved and not carried out is asked for again on another day', async () => {
  await world.orders.profile({ settle: { breaker: { orders: 0 } } });
  await world.failed('B1', {});
  const { digest } = await world.step({ mode: 'dry-run' });
  const left = await brokenBook(() => ({ plan: () => Promise.resolve('capped' as const) }));
  const approved = await world.step({ approve: { digest, by: 'someone' } }, left);
  expect([approved.breaker.approved, leftLines(approved)]).toEqual([true, ['B1-1 capped']]);
  // Until midnight the same plan may be carried out; after that nobody has seen it.
  expect((await world.step({ mode: 'dry-run' })).breaker.approved).toBe(true);
  world.moveTo('03 00:00:01');
  const later = await world.step({ runId: 'run-2' });
  expect(later).toMatchObject({ plan: [{}], breaker: { tripped: true, approved: false } });
  const old = await world.step({ runId: 'run-old', approve: { digest, by: 'another' } });
  expect(old.breaker).toMatchObject({ approved: false, approvalDiffers: true });
  expect(world.sends()).toBe(0);
  const approve = { digest: later.digest, by: 'another' };
  const again = await world.step({ runId: 'run-again', approve });
  expect(settledLines(again)).toEqual(['B1-1 1 SUCCESS']);
  expect(await lines(world.db, 'settle_approval', ['approved_by'])).toEqual(['another', 'someone']);
});

test('a rehearsal asks for the accounts only, writes nothing, and shows the plan that would be approved', async () => {
  await world.failed('B1', {}, {});
  const asked = world.requestNo;
  const before = [await dumpOf(world.db), await readFile(world.markFile, 'utf8')];
  const rehearsed = await world.step({ mode: 'dry-run' });
  expect(rehearsed).toMatchObject({ plan: [{}, {}], settlements: [] });
  expect(world.paths(asked)).toEqual(['/acct/queryInfo']);
  const after = [await dumpOf(world.db), await readFile(world.markFile, 'utf8')];
  expect(after).toEqual(before);
  expect((await world.step()).digest).toBe(rehearsed.digest);
});

/** The book with one method that goes wrong. */
async function brokenBook(
  over: (book: SettlementAttemptStore) => Partial<SettlementAttemptStore>,
): Promise<Partial<SettlePorts>> {
  const { book } = await world.ports();
  return { book: { ...book, ...over(book) } };
}

/** The platform's client with another way to send. */
async function clientWith(
  send: (client: PlatformClient) => PlatformClient['callIntended'],
): Promise<PlatformClient> {
  const { client } = await world.ports();
  return {
    call: client.call.bind(client),
    callRaw: client.callRaw.bind(client),
    counters: client.counters.bind(client),
    clockOffsetMs: client.clockOffsetMs.bind(client),
    habit: client.habit.bind(client),
    callIntended: send(client),
  };
}

describe('what ends the step leaves nothing half done', () => {
  test('H6: when the commit is not confirmed nothing is sent; the next run takes it for sent', async () => {
    await world.failed('B1', {}, {});
    const lostCommit = await brokenBook((book) => ({
      markSent: async (reqId, sent, basis) => {
        await book.markSent(reqId, sent, basis);
        throw new Error('Connection terminated unexpectedly');
      },
    }));
    await expect(world.step({}, lostCommit)).rejects.toThrow('Connection terminated unexpectedly');
    expect([world.sends(), await world.attempts()]).toEqual([0, ['B1-1 1 SENT -']]);
    await world.restart();
    const next = await world.step({ runId: 'run-2' });
    expect([settledLines(next), leftLines(next)]).toEqual([
      ['B1-1 1 UNKNOWN', 'B1-2 1 SUCCESS'],
      ['B1-1 open_attempt'],
    ]);
  });

  test('H1: what was planned and not sent is closed by the next run and retried at once', async () => {
    await world.failed('B1', {});
    const failing = await brokenBook(() => ({
      markSent: () => Promise.reject(new Error('the database is away')),
    }));
    await expect(world.step({}, failing)).rejects.toThrow('the database is away');
    expect(await world.attempts()).toEqual(['B1-1 1 PLANNED -']);
    await world.restart();
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 NOT_SENT', 'B1-1 2 SUCCESS']);
  });

  test('H1: a run that dies before it kept the answer leaves the attempt open; a later one finds it paid', async () => {
    await world.failed('B1', {}, {});
    world.moveTo('02 04:00:00');
    const dying = await brokenBook(() => ({ saveAnswer: () => Promise.reject(new Error('killed')) }));
    await expect(world.step({}, dying)).rejects.toThrow('killed');
    expect([world.sends(), await world.attempts()]).toEqual([1, ['B1-1 1 SENT -']]);
    await world.restart();
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 UNKNOWN', 'B1-2 1 SUCCESS']);
    world.moveTo('02 05:01:00');
    expect(settledLines(await world.step({ runId: 'run-3' }))).toEqual(['B1-1 1 SUCCESS']);
    expect([world.sends(), world.paid('B1-1')]).toEqual([2, 1]);
  });

  test('H3: without the mark outside nothing is sent, which is stored as such', async () => {
    await world.failed('B1', {}, {});
    const full = new Stopped('cannot write settle/mark: no space is left on the disk');
    const mark = { read: () => world.mark().read(), write: () => Promise.reject(full) };
    await expect(world.step({}, { mark })).rejects.toBe(full);
    expect([world.sends(), await world.attempts()]).toEqual([0, ['B1-1 1 NOT_SENT -']]);
    expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual([
      'B1-1 1 NOT_SENT',
      'B1-1 2 SUCCESS',
      'B1-2 1 SUCCESS',
    ]);
  });

  test('M4: who lost the lease sends nothing any more', async () => {
    await world.failed('B1', {});
    const losing = await brokenBook((book) => ({
      plan: async (planned, basis) => {
        const planning = await book.plan(planned, basis);
        await world.loseLease();
        return planning;
      },
    }));
    await expect(world.step({}, losing)).rejects.toThrow(Stopped);
    expect([world.sends(), await world.attempts()]).toEqual([0, ['B1-1 1 PLANNED -']]);
  });

  test('H2: a stop between two orders ends the step; what was sent is finished', async () => {
    await world.failed('B1', {}, {});
    const stopping = new AbortController();
    const stopped = await clientWith((client) => async (endpoint, request, intent) => {
      const outcome = await client.callIntended(endpoint, request, intent);
      stopping.abort(new Stopped('stopped by a signal'));
      return outcome;
    });
    const step = world.step({}, { client: stopped, signal: stopping.signal });
    await expect(step).rejects.toThrow('stopped by a signal');
    expect([world.sends(), await world.attempts()]).toEqual([1, ['B1-1 1 CLOSED SUCCESS']]);
  });

  test('H2: a run that is stopped before it begins resolves nothing and sends nothing', async () => {
    await world.failed('B1', {});
    const signal = AbortSignal.abort(new Stopped('stopped by a signal'));
    await expect(world.step({}, { signal })).rejects.toThrow('stopped by a signal');
    expect([world.sends(), await world.attempts()]).toEqual([0, []]);
  });

  test('2.3 b: a look that grew old while the intent waited for a lock is looked at anew, on either clock', async () => {
    await world.failed('B1', {}, {});
    let waits = 0;
    const locked = await brokenBook((book) => ({
      plan: (planned, basis) => {
        waits += 1;
        if (waits === 1) world.skip(10_001);
        // The wall clock alone: whoever was suspended may find the other one where it was.
        if (waits === 3) world.orders.night.moveTo('2026-03-02 02:14:00');
        return book.plan(planned, basis);
      },
    }));
    const before = world.requestNo;
    expect(settledLines(await world.step({}, locked))).toEqual(['B1-1 1 SUCCESS', 'B1-2 1 SUCCESS']);
    const one = ['/division/query', '/division/query', '/order/settle', '/division/query'];
    expect(world.paths(before)).toEqual(['/acct/queryInfo', ...one, ...one]);
  });

  test('2.3 b: who never gets a look through in time sends nothing', async () => {
    await world.failed('B1', {});
    const locked = await brokenBook((book) => ({
      plan: (planned, basis) => {
        world.skip(840_000);
        return book.plan(planned, basis);
      },
    }));
    expect(leftLines(await world.step({}, locked))).toEqual(['B1-1 look_stale']);
    expect([world.sends(), await world.attempts()]).toEqual([0, []]);
  });

  test('2.3 b: one that grew old between the plan and the send is closed as not sent', async () => {
    await world.failed('B1', {});
    const locked = await brokenBook((book) => ({
      plan: async (planned, basis) => {
        const planning = await book.plan(planned, basis);
        world.skip(10_001);
        return planning;
      },
    }));
    const outcome = await world.step({}, locked);
    expect(outcome.settlements).toMatchObject([
      {
        outcome: 'NOT_SENT',
        note: 'what was seen right before is older than ten seconds by now: nothing was sent',
      },
    ]);
    expect([world.sends(), await world.attempts()]).toEqual([0, ['B1-1 1 CLOSED NOT_SENT']]);
  });

  test('N15: storing that took more than a second makes the request stale: not sent, and the others go on', async () => {
    await world.failed('B1', {}, {});
    let isFirst = true;
    const slow = await brokenBook((book) => ({
      markSent: async (reqId, sent, basis) => {
        if (isFirst) world.skip(1_001);
        isFirst = false;
        return book.markSent(reqId, sent, basis);
      },
    }));
    const outcome = await world.step({}, slow);
    expect(settledLines(outcome)).toEqual(['B1-1 1 NOT_SENT', 'B1-2 1 SUCCESS']);
    expect(outcome.settlements[0]?.note).toMatch(
      /^storing what was about to be sent took \d+ ms: nothing was sent$/,
    );
    expect(await world.attempts()).toEqual(['B1-1 1 CLOSED NOT_SENT', 'B1-2 1 CLOSED SUCCESS']);
  });

  test('N1: a request of which no byte left is closed as not sent, counts for nothing, and is planned anew', async () => {
    await world.failed('B1', {});
    const client = await clientWith(() => async (_endpoint, _request, intent) => {
      const wallAt = world.orders.night.clock.wall();
      await intent.commit({ wallAt, correctedAt: wallAt, monoMs: world.orders.night.clock.monoMs() });
      throw new NotSent('connect ECONNREFUSED');
    });
    const outcome = await world.step({}, { client });
    expect(outcome.settlements).toMatchObject([{ outcome: 'NOT_SENT', note: 'connect ECONNREFUSED' }]);
    expect(settledLines(await world.step())).toEqual(['B1-1 2 SUCCESS']);
  });

  test('M3: an attempt that another one opened meanwhile is left to it; a used-up limit is found in the database', async () => {
    await world.failed('B1', {}, {});
    const racing = await brokenBook(() => ({
      plan: ({ outOrderNo }) =>
        Promise.resolve(outOrderNo === 'B1-1' ? ('taken' as const) : ('capped' as const)),
    }));
    const outcome = await world.step({}, racing);
    expect(leftLines(outcome)).toEqual(['B1-1 taken', 'B1-2 capped']);
    expect(outcome.leftOver).toEqual({ orders: 1, sumFen: 10_000n });
    expect(world.sends()).toBe(0);
  });
});
