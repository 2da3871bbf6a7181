/**
 * A machine whose clock is behind (an hour and more) is refused every query by the platform, and redates the attempt
 * of another machine to its own time: the view lag is over at once, and the order is paid twice.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileMark } from '../../../jobs/night/settle/high-water-mark.ts';
import type { SettlePorts } from '../../../jobs/night/settle/settle-ports.ts';
import { HOUR_MS } from '../../../src/core/time.ts';
import { machineOff, settledLines, SettleWorld } from './settle-world.ts';

/** The payee has the money of two orders. */
const ONE = { outOrderNo: 'B1-1' };

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

/**
 * Another machine, whose clock is behind, with a client and a mark of its own.
 * @param setRight its clock is set right the first time that it pauses
 */
async function slowMachine(behindMs: number, setRight = false): Promise<Partial<SettlePorts>> {
  const { clock, client } = await machineOff(world.orders, -behindMs, setRight);
  const mark = fileMark(world.orders.job.files, `${world.markFile}-slow`);
  return { clock, client, mark, boot: 'boot-slow' };
}

/** Accepted, not a byte came back; queries show it half an hour later, within settle.viewLagSeconds. */
async function sentWithoutAnswer(): Promise<void> {
  world.sandbox.setSwitches({ settleGuard: false, settleQueueMs: 1_800_000 });
  await world.failed('B1', {}, {});
  world.sandbox.addFault({ kind: 'drop_after', path: 'order/settle', times: 1 });
  world.moveTo('02 02:00:00');
  expect(settledLines(await world.step({ only: ONE }))).toEqual(['B1-1 1 UNKNOWN']);
  expect(world.sends()).toBe(1);
}

async function slowMachineLooks(setRight = false): Promise<void> {
  world.moveTo('02 02:01:00');
  await world.restart();
  const seen = await world.step({ runId: 'slow', only: ONE }, await slowMachine(2 * HOUR_MS, setRight));
  expect(settledLines(seen)).toEqual(['B1-1 1 UNKNOWN']);
}

async function laterRuns(): Promise<string[]> {
  const seen: string[] = [];
  for (const time of ['02 02:03:00', '02 02:04:00', '02 02:15:00']) {
    world.moveTo(time);
    world.skip(200_000);
    await world.restart();
    seen.push(...settledLines(await world.step({ runId: `run-${time}`, only: ONE })));
  }
  world.moveTo('02 09:00:00');
  return [...seen, `sends ${world.sends()}`, `paid ${world.paid('B1-1')}`];
}

const RIGHT = ['B1-1 1 UNKNOWN', 'B1-1 1 UNKNOWN', 'B1-1 1 UNKNOWN', 'sends 1', 'paid 1'];

test('without the slow machine the view lag is waited for', async () => {
  await sentWithoutAnswer();
  expect(await laterRuns()).toEqual(RIGHT);
});

test('refusals that carry no signature', async () => {
  await sentWithoutAnswer();
  world.sandbox.addFault({ kind: 'omit_sign', path: 'division/query', times: 1 });
  await slowMachineLooks();
  expect(await laterRuns()).toEqual(RIGHT);
});

test('a platform whose signature does not cover the time of its answers', async () => {
  const fields = ['code', 'msg', 'bizData', 'signType'];
  await world.orders.profile({ signing: { response: { fields } } });
  world.sandbox.setSwitches({ responseSignFields: fields });
  await sentWithoutAnswer();
  await slowMachineLooks();
  expect(await laterRuns()).toEqual(RIGHT);
});

test('a clock that is set right while a query is tried again, and no signature covers the time', async () => {
  const fields = ['code', 'msg', 'bizData', 'signType'];
  await world.orders.profile({ signing: { response: { fields } } });
  world.sandbox.setSwitches({ responseSignFields: fields });
  await sentWithoutAnswer();
  world.sandbox.addFault({ kind: 'drop_before', path: 'division/query', times: 1 });
  await slowMachineLooks(true);
  expect(await laterRuns()).toEqual(RIGHT);
});

test('the cool-down after a failure that a slow machine has closed', async () => {
  const retries = [{ state: 'FAIL' as const, delayMs: 0 }];
  await world.failed('B1', { settle: { state: 'FAIL', retries } }, {});
  world.moveTo('02 02:00:00');
  const { book } = await world.ports();
  const dies = { ...book, close: () => Promise.reject(new Error('power cut')) };
  await expect(world.step({ only: ONE }, { book: dies })).rejects.toThrow('power cut');
  expect(await world.attempts()).toEqual(['B1-1 1 ACK_FAIL -']);
  world.moveTo('02 02:01:00');
  await world.restart();
  const closed = await world.step({ runId: 'slow', only: ONE }, await slowMachine(2 * HOUR_MS));
  expect(settledLines(closed)).toEqual(['B1-1 1 FAIL']);
  world.moveTo('02 02:02:00');
  await world.restart();
  await world.step({ runId: 'run-2', only: ONE });
  expect(world.sends()).toBe(1);
});
