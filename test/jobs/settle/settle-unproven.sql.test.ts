/**
 * What came back and proves nothing may have been an acceptance (docs/reliability.md 2.3 a): it counts for more than
 * no answer, and no query that goes on showing a failure ends it. The platform's own guard is off.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WRONG_SETTLE_REQUEST } from '../../../src/core/profile/refusals.ts';
import type { FaultSeed } from '../../../src/sandbox/faults/fault-schema.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
  await world.failed('B1', {});
  // Their view never catches up.
  const stuck = { kind: 'record', path: 'division/query', times: 100 } as const;
  world.sandbox.addFault({ ...stuck, set: { settleState: 'FAIL' } });
  world.moveTo('02 02:00:00');
});
afterEach(() => world.close());

/** What the steps of two hours say, the first of which sends. */
async function outcomes(): Promise<string[]> {
  const seen: string[] = [];
  for (const time of ['02:00:00', '03:30:00', '03:31:00', '03:50:00', '05:00:00']) {
    world.moveTo(`02 ${time}`);
    seen.push(...settledLines(await world.step({ runId: `at-${time}` })));
  }
  return seen;
}

const AWAITING = ['B1-1 1 UNKNOWN', ...Array<string>(4).fill('B1-1 1 AWAITING')];

test.each<[string, FaultSeed]>([
  ['not signed', { kind: 'omit_sign' }],
  ['wrongly signed', { kind: 'corrupt_sign' }],
  ['changed after it was signed', { kind: 'corrupt_biz_data' }],
  ['data that is no text', { kind: 'biz_data_object' }],
  ['a page of a gateway', { kind: 'http_status', status: 502, content: 'html' }],
  ['nothing but a status', { kind: 'http_status', status: 503, content: 'empty' }],
  ['a page that is not found', { kind: 'http_status', status: 404, content: 'html' }],
  ['a redirect', { kind: 'redirect', to: 'http://127.0.0.1:9/' }],
  ['no envelope', { kind: 'body', content: 'html' }],
  ['half of an answer', { kind: 'reset', framing: 'length' }],
  ['bytes that are refused unread', { kind: 'gzip' }],
])('%s: what was accepted so is not sent again by itself', async (_name, fault) => {
  world.sandbox.addFault({ ...fault, path: 'order/settle', times: 1 });
  expect(await outcomes()).toEqual(AWAITING);
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
});

test.each<[string, FaultSeed]>([
  ['nobody signed', { kind: 'omit_sign' }],
  ['is wrongly signed', { kind: 'corrupt_sign' }],
])('a refusal that %s proves nothing, whatever it says', async (_name, fault) => {
  const path = 'order/settle';
  world.sandbox.addFault({ kind: 'unmapped_code', path, msg: WRONG_SETTLE_REQUEST.remark });
  world.sandbox.addFault({ ...fault, path, times: 1 });
  expect(await outcomes()).toEqual(AWAITING);
  expect(world.sends()).toBe(1);
});
