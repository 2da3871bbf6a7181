/**
 * A process that hung stores the acceptance of its send while another one carries out a person's approval: a moment
 * after the close it opens the attempt again (2.3 a), a moment before it is not closed over.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anAnswer } from '../../helpers/settlements/settle-worlds.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false, settleQueueMs: 3_600_000 });
});
afterEach(() => world.close());

const ONE = { outOrderNo: 'B1-1' };

/** What queries show of the settlements from now on; the balance is read as unchanged. */
function shows(settleState: string): void {
  world.sandbox.liftFaults();
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set: { settleState } });
  world.sandbox.addFault({
    kind: 'record',
    path: 'acct/queryInfo',
    times: 100,
    set: { balance: 30_000, availableBalance: 30_000 },
  });
}

async function approvedWhile(when: 'before' | 'after'): Promise<string[]> {
  // The payee has the money of both orders.
  await world.failed('B1', {}, {});
  shows('FAIL');
  world.moveTo('02 02:00:00');
  const hung = (await world.ports()).book;
  const hangs = { ...hung, saveAnswer: () => Promise.reject(new Error('hangs')) };
  await expect(world.step({ only: ONE }, { book: hangs })).rejects.toThrow('hangs');
  await world.restart();
  const [{ reqId = '' } = {}] = await hung.listOpen();
  const arrives = () =>
    hung.saveAnswer(reqId, anAnswer('ACK_SUCCESS', { answeredAt: world.orders.night.clock.wall() }));
  world.moveTo('02 03:30:00');
  await world.step({ runId: 'run-2', only: ONE });
  world.moveTo('02 03:31:00');
  const shown = await world.step({ runId: 'run-3', only: ONE });
  const approve = { digest: shown.settlements[0]?.awaiting?.digest ?? '', by: 'Li' };
  const { book } = await world.ports({}, 'run-4');
  const close: typeof book.close = async (...args) => {
    if (when === 'before') await arrives();
    const isClosed = await book.close(...args);
    if (when === 'after') await arrives();
    return isClosed;
  };
  await world.step({ runId: 'run-4', only: ONE, approve }, { book: { ...book, close } });
  const seen = await world.attempts();
  world.moveTo('02 03:45:00');
  seen.push(...settledLines(await world.step({ runId: 'run-5', only: ONE })));
  world.moveTo('02 12:00:00');
  return [...seen, `sends ${world.sends()}`, `paid ${world.paid('B1-1')}`];
}

const OPEN = ['B1-1 1 ACK_SUCCESS null', 'B1-1 1 AWAITING', 'sends 1', 'paid 1'];

test('an acceptance that is stored a moment after the close opens it again', async () => {
  expect((await approvedWhile('after')).slice(1)).toEqual(OPEN.slice(1));
});

test('an acceptance that is stored a moment before the close is not closed over', async () => {
  expect((await approvedWhile('before')).slice(1)).toEqual(OPEN.slice(1));
});

test('nor is what a night is shown a moment before it: that it is under way', async () => {
  await world.failed('B1', {}, {});
  shows('FAIL');
  world.moveTo('02 02:00:00');
  await world.step({ only: ONE });
  world.moveTo('02 03:30:00');
  await world.step({ runId: 'run-2', only: ONE });
  world.moveTo('02 03:31:00');
  const shown = await world.step({ runId: 'run-3', only: ONE });
  const approve = { digest: shown.settlements[0]?.awaiting?.digest ?? '', by: 'Li' };
  const { book } = await world.ports({}, 'run-4');
  const close: typeof book.close = async (...args) => {
    shows('PROCESSING');
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: 'night' });
    return book.close(...args);
  };
  const ended = await world.step({ runId: 'run-4', only: ONE, approve }, { book: { ...book, close } });
  expect(ended.settlements[0]?.approval).toHaveProperty('refused');
  expect(await world.attempts()).toEqual(['B1-1 1 ACK_PROCESSING -']);
});

test('nor one that was paid and sent back, which the platform has under way once more', async () => {
  await world.failed('B1', {}, {});
  shows('FAIL');
  world.moveTo('02 02:00:00');
  await world.step({ only: ONE });
  const collects = async (settleState: string): Promise<void> => {
    shows(settleState);
    await world.db.updateTable('order_due').set({ next_day: '2026-03-02' }).execute();
    await world.orders.collect({ runId: settleState });
  };
  world.moveTo('02 03:30:00');
  await collects('SUCCESS');
  shows('FAIL');
  world.moveTo('02 05:00:00');
  await world.step({ runId: 'run-2', only: ONE });
  world.moveTo('02 05:01:00');
  const { book } = await world.ports({}, 'run-3');
  const close: typeof book.close = async (...args) => {
    await collects('PROCESSING');
    return book.close(...args);
  };
  const ended = await world.step({ runId: 'run-3', only: ONE }, { book: { ...book, close } });
  expect(settledLines(ended)).toEqual(['B1-1 1 PROCESSING']);
  expect(await world.attempts()).toEqual(['B1-1 1 ACK_PROCESSING -']);
});
