/** What awaited a person and is seen under way is reported as that. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAttempts, resultOfAttempt, lastSettleSequence } from '../../../src/settlements/settle-list.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

const Q = { kind: 'record', path: 'division/query', times: 100 } as const;

async function reported(): Promise<string[]> {
  const upTo = await lastSettleSequence(world.db);
  return (await listAttempts(world.db, { after: 0n, upTo })).map(
    (a) => `${a.outOrderNo} ${resultOfAttempt(a)}`,
  );
}

test('reported as AWAITING though it is under way', async () => {
  await world.failed('B1', {});
  world.sandbox.addFault({ ...Q, skip: 1, set: { settleState: 'PROCESSING' } });
  world.moveTo('02 02:00:00');
  expect(settledLines(await world.step())).toEqual(['B1-1 1 PROCESSING']);
  world.sandbox.liftFaults();
  world.sandbox.addFault({ ...Q, set: { settleState: 'ODD' } });
  world.moveTo('02 03:30:00');
  expect(settledLines(await world.step({ runId: 'run-2' }))).toEqual(['B1-1 1 AWAITING']);
  expect(await reported()).toEqual(['B1-1 AWAITING']);
  world.sandbox.liftFaults();
  world.sandbox.addFault({ ...Q, set: { settleState: 'PROCESSING' } });
  world.moveTo('02 03:40:00');
  expect(settledLines(await world.step({ runId: 'run-3' }))).toEqual(['B1-1 1 PROCESSING']);
  expect(await reported()).toEqual(['B1-1 PROCESSING']);
});

test('an attempt whose query is refused in other words each time can be approved', async () => {
  await world.failed('B1', {});
  world.moveTo('02 02:00:00');
  world.sandbox.addFault({ ...Q, skip: 1, set: { settleState: 'FAIL' } });
  await world.step();
  world.sandbox.liftFaults();
  let digest: string | undefined;
  const seen: string[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    world.moveTo(`02 04:0${n}:00`);
    world.sandbox.liftFaults();
    world.sandbox.addFault({
      kind: 'unmapped_code',
      path: 'division/query',
      code: 'E4040',
      msg: `超出查询范围 trace=a${n}f${n}c`,
      times: 100,
    });
    const approve = digest === undefined || digest === '' ? undefined : { digest, by: 'Li' };
    const out = await world.step({ runId: `run-${n}x`, approve });
    seen.push(...settledLines(out));
    digest = out.settlements[0]?.awaiting?.digest;
  }
  expect(seen.at(-1)).toBe('B1-1 1 FAIL');
});
