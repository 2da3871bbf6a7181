/** A process stands still from before its answer arrives until its deadline has passed (a stop, a swapped machine). */
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SettleWorld } from './settle-world.ts';

const DEADLINE_MS = 1_000;

let world: SettleWorld;
let standsStillMs = 0;
/** The sandbox has written its answer: it lies in our socket, and nobody has read it yet. */
const written = (message: unknown): void => {
  const { request } = message as { request: IncomingMessage };
  if (request.url?.endsWith('/order/settle') !== true || standsStillMs === 0) return;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standsStillMs);
};
beforeEach(async () => {
  world = await SettleWorld.open();
  await world.orders.profile({ http: { timeouts: { deadlineMs: DEADLINE_MS } } });
  world.sandbox.setSwitches({ settleGuard: false });
  diagnostics.subscribe('http.server.response.finish', written);
});
afterEach(async () => {
  diagnostics.unsubscribe('http.server.response.finish', written);
  await world.close();
});

let runs = 0;
async function stepAt(time: string) {
  world.moveTo(time);
  return world.step({ runId: `run-${++runs}`, only: { outOrderNo: 'B1-1' } });
}

test.each([
  ['runs on', 0],
  ['stands still', DEADLINE_MS + 500],
])(
  '2.3 a: a process that %s after the platform has answered: what was accepted is not sent again',
  async (_name, ms) => {
    await world.failed('B1', {}, {});
    world.sandbox.addFault({
      kind: 'record',
      path: 'division/query',
      times: 1_000,
      set: { settleState: 'FAIL' },
    });
    standsStillMs = ms;
    await stepAt('02 02:00:00');
    standsStillMs = 0;
    for (const time of ['02 03:30:00', '02 03:31:00', '02 03:50:00', '02 05:10:00']) {
      await stepAt(time);
    }
    expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  },
);
