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
