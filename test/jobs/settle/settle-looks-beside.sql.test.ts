/** What others are shown of a batch while a settlement of it is retried (docs/reliability.md 2.3 a). */
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askClaimed } from '../../../jobs/night/collect/ask-claimed.ts';
import { askBatch, askOrder } from '../../../jobs/night/collect/ask-order.ts';
import { OrderWriter } from '../../../jobs/night/collect/order-writer.ts';
import { lookAtOrder } from '../../../jobs/night/settle/settle-look.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { claimUnits, releaseClaims } from '../../../src/store/orders/order-claims.ts';
import type { DueUnit } from '../../../src/store/orders/order-due.ts';
import { SAVE } from '../../helpers/company/order-answers.ts';
import { takeLease } from '../../../src/store/database/leases.ts';
import { listOpenAttempts } from '../../../src/settlements/settle-candidates.ts';
import { looksOf } from '../../../src/settlements/settle-looks.ts';
import type { LookStored } from '../../../src/settlements/settle-looks.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

const B1 = { kind: 'batch', numberKind: 'out', number: 'B1', origin: 'registry' } as const;

let world: SettleWorld;
/** An order whose settlement is known as failed; from now on queries show it at once. */
beforeEach(async () => {
  world = await SettleWorld.openUnguarded();
  const retries = [{ state: 'SUCCESS', delayMs: 600_000 }];
  await world.failed('B1', { settle: { state: 'FAIL', remark: '账户异常', retries } });
});
afterEach(() => world.close());

const viewLags = (settleViewLagMs: number) => world.sandbox.setSwitches({ settleViewLagMs });

/** Through the platform's pages, at that time. */
async function settledByHand(time: string): Promise<void> {
  world.moveTo(`02 ${time}`);
  await (await world.orders.job.platform()).call('order/settle', { outOrderNo: 'B1-1', remark: 'by hand' });
}

/** What somebody else is shown right then, who stores it later, or never. */
async function shownElsewhere(): Promise<void> {
  viewLags(0);
  await claimUnits(world.db, [B1], { by: 'another', at: world.orders.night.clock.wall() });
  await askBatch(await world.ports(), B1);
  viewLags(600_000);
}

test.each(['saveLook', 'plan'] as const)(
  'what somebody is asking for since the look right before a send, from %s on',
  async (from) => {
    await settledByHand('02:05:00');
    viewLags(600_000);
    const { book } = await world.ports();
    const step: SettlePorts['book'] = {
      ...book,
      saveLook: async (...look) => {
        const isKept = await book.saveLook(...look);
        if (from === 'saveLook') await shownElsewhere();
        return isKept;
      },
      plan: async (...intent) => {
        const planned = await book.plan(...intent);
        if (from === 'plan') await shownElsewhere();
        return planned;
      },
    };
    expect(leftLines(await world.step({}, { book: step }))).toEqual(
      from === 'plan' ? [] : ['B1-1 state_changed'],
    );
    expect(world.sends()).toBe(1);
  },
);

test('who asks for its batch just now is waited for, and holds nothing when he was shown the same', async () => {
  world.moveTo('02 02:05:00');
  const { claimed } = await claimUnits(world.db, [B1], {
    by: 'another',
    at: world.orders.night.clock.wall(),
  });
  const step = world.step();
  await pause(200);
  expect(world.sends()).toBe(0);
  await releaseClaims(world.db, claimed, null);
  expect(settledLines(await step)).toEqual(['B1-1 1 PROCESSING']);
  expect(world.sends()).toBe(1);
});

test('one of a worker that goes on with its list after a look of the retry, and dies', async () => {
  const { job } = world.orders;
  const save = { ...SAVE, runId: 'worker' };
  const dying = Promise.withResolvers<never>();
  const shown = Promise.withResolvers<void>();
  const asking = {
    by: 'worker',
    runId: 'worker',
    inTurn: pLimit(1),
    writer: () => new OrderWriter(world.db, job.log, save),
    ask: async (unit: DueUnit) => {
      if (unit.number === 'B1') {
        await askOrder(job, unit);
        shown.resolve();
        return dying.promise;
      }
      const ports = await world.ports();
      const [order] = await ports.book.listFailed();
      if (order === undefined) throw new Error('no settlement is known as failed');
      await lookAtOrder(ports, order);
      await settledByHand('03:20:00');
      // Long enough for a renewal.
      await pause(500);
      return askOrder(job, unit);
    },
  };
  const ends = new AbortController();
  // Renewals come at once.
  const realClock = {
    ...job.realClock,
    sleep: (_ms: number, signal?: AbortSignal) => pause(20, undefined, { signal }),
  };
  const working = askClaimed(
    { ...job, realClock, signal: ends.signal },
    [{ ...B1, number: 'B0' }, B1],
    asking,
  );
  await shown.promise;
  viewLags(600_000);
  world.moveTo('02 03:22:00');
  expect(leftLines(await world.step())).toEqual(['B1-1 state_changed']);
  expect(world.sends()).toBe(1);
  dying.reject(new Error('died'));
  await expect(working).rejects.toThrow('died');
});

test('what others give back of its batch, by another number than is asked for, is not what a look of the retry stored', async () => {
  world.moveTo('02 02:05:00');
  await world.step();
  const other = { ...B1, numberKind: 'platform', number: 'TB1' } as const;
  await world.db
    .insertInto('order_due')
    .values({ ...enrolledAs(other), claim_fence: 2n })
    .execute();
  await world.db.updateTable('order_due').set({ batch_no: 'TB1' }).where('number', '=', 'B1').execute();
  const { realClock } = world.orders.job;
  const lease = await takeLease(world.db, { name: 'looks', holder: 'test', realClock });
  const now = () => world.orders.night.clock.wall();
  const stale = { ...other, claimFence: 1n, askedAt: null, askedRun: '' };
  let given: Promise<void> | undefined;
  const listOpen: typeof listOpenAttempts = async (trx) => {
    const open = await listOpenAttempts(trx);
    given ??= releaseClaims(world.db, [stale], now());
    await pause(300);
    return open;
  };
  const looks = looksOf(world.db, { lease, saving: SAVE, now, listOpen });
  const claimed = (await looks.claimLook('B1', { takesOver: true })) ?? [];
  expect(claimed).toHaveLength(2);
  const moments = { sentAt: now(), answeredAt: now(), askedAt: now(), seenAt: now() };
  let stored: LookStored | undefined;
  await looks.saveLook({ kind: 'not_found', unit: B1, moments }, claimed, (known) => (stored = known));
  await given;
  expect(stored?.after).toEqual(stored?.before);
  const [attempt] = await listOpenAttempts(world.db);
  expect(attempt?.unkeptAt).toBeDefined();
});

function enrolledAs({ kind, numberKind, number, origin }: DueUnit) {
  const never = { submitted_at: null, final_day: null, asked_at: null, not_found_since: null };
  return { kind, number_kind: numberKind, number, origin, account_no: 'P', ...never };
}
