/** docs/reliability.md 2.3 c: a memory that may have been set back without anything that shows it. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import { Stopped } from '../../../src/core/errors.ts';
import { zone } from '../../helpers/night.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { leftLines, settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

/** What the process waited for, in whole seconds; a test does not wait. */
const waited = (): number[] => world.orders.night.clock.cutShort.map((ms) => Math.round(ms / 1_000));

/** Window, margin, and the hour for which queries may lag behind. */
const LIFE_SECONDS = 30 + 120 + 3_600;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

describe('2.3 c: a memory that may have been set back, with everything on the machine', () => {
  const DOUBTS: readonly (readonly [string, () => Promise<void>])[] = [
    ['the mark is missing', () => rm(world.markFile)],
    ['the machine was started since it was written', () => Promise.resolve(void (world.boot = 'boot-2'))],
    ['the machine does not say since when it runs', () => Promise.resolve(void (world.boot = ''))],
    [
      'the server of the database was started since it was written',
      async () => world.mark().write(await world.sure({ server: '1.5/2/3' })),
    ],
  ];

  test.each(DOUBTS)(
    '%s: the process lives through window, margin and lag, looks and sends',
    async (_name, happen) => {
      await world.failed('B1', {}, {});
      await happen();
      world.skip(100_000_000);
      expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS', 'B1-2 1 SUCCESS']);
      expect(waited()).toEqual([LIFE_SECONDS]);
      const events = world.orders.job.log.lines.map(({ event }) => event);
      expect(events.filter((event) => /^settle\.(?:doubt|wait)/.test(event))).toEqual([
        'settle.doubted',
        'settle.doubts',
        'settle.waits',
        'settle.waited',
      ]);
      // Who has lived through it need not do so again, unless the machine does not say which start it is.
      await world.failed('B2', {});
      await world.step({ runId: 'run-2' });
      expect(waited()).toHaveLength(world.boot === '' ? 2 : 1);
    },
  );

  test('a rehearsal says how long and why, and the log what spares that', async () => {
    await world.failed('B1', {});
    world.boot = 'boot-2';
    const rehearsed = await world.step({ mode: 'dry-run' });
    const why = 'this machine was started, or is another one, since the last call';
    expect(rehearsed).toMatchObject({ heldUntil: undefined, wait: { seconds: LIFE_SECONDS, why } });
    expect(settleText(rehearsed, zone)).toContain(`\nbefore anything is sent 63 minutes pass: ${why}\n`);
    const short = { ...rehearsed, wait: { why, seconds: 51 } };
    expect(settleText(short, zone)).toContain(`\nbefore anything is sent 1 minute passes: ${why}\n`);
    await world.step();
    const told = world.orders.job.log.lines.find(({ event }) => event === 'settle.doubts');
    expect(told?.['reason']).toMatch(
      new RegExp(`^${why}: .*settle\\.viewLagSeconds 0 makes that 150 seconds`),
    );
  });

  test('whoever watches is told once what is waited for, why, and until when', async () => {
    await world.failed('B1', {}, {});
    world.boot = 'boot-2';
    await world.step({}, world.living());
    expect(world.told).toHaveLength(1);
    const why = 'this machine was started, or is another one, since the last call';
    expect(world.told[0]).toMatch(
      new RegExp(
        `^settlements: waiting 63 minutes, until 2026-03-02 03:0[23]:\\d\\d, before anything is sent: ${why}$`,
      ),
    );
  });

  test('a machine that is another one every night retries every night', async () => {
    const nights = ['02', '03', '04'];
    for (const [no, day] of nights.entries()) {
      world.boot = `night-${no}`;
      world.moveTo(`${day} 02:00:00`);
      await world.failed(`B${no}`, {});
      const runId = `run-${no}`;
      expect(settledLines(await world.step({ runId }, world.living()))).toEqual([`B${no}-1 1 SUCCESS`]);
    }
    expect(waited()).toEqual([LIFE_SECONDS, LIFE_SECONDS, LIFE_SECONDS]);
  });

  test.each(DOUBTS)(
    '%s: what was sent and forgotten is shown when the wait is over',
    async (_name, happen) => {
      world.sandbox.setSwitches({ settleGuard: false, settleViewLagMs: 3_600_000 });
      await world.failed('B1', {});
      world.moveTo('02 02:00:00');
      await world.step();
      expect(world.sends()).toBe(1);
      // All of it as it was before: database and mark alike.
      await world.db.deleteFrom('settle_event').execute();
      await world.db.deleteFrom('settle_attempt').execute();
      await setGuardBack(world.db, { sequence: 0n });
      await world.mark().write(await world.sure());
      await happen();
      // However long ago the process began: the restore may have been a moment ago.
      world.skip(100_000_000);
      const { notRetried } = await world.step({ runId: 'run-2' }, world.living());
      expect(notRetried).toMatchObject([{ code: 'state_changed', reason: 'its settlement is SUCCESS now' }]);
      expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
    },
  );

  test('whoever was stopped while waiting waits from the beginning', async () => {
    await world.failed('B1', {});
    await rm(world.markFile);
    const stopped = new Stopped('stopped by a signal');
    await expect(
      world.step(
        {},
        world.living(() => Promise.reject(stopped)),
      ),
    ).rejects.toBe(stopped);
    await world.restart();
    expect(settledLines(await world.step({ runId: 'run-2' }, world.living()))).toEqual(['B1-1 1 SUCCESS']);
    expect(waited()).toEqual([LIFE_SECONDS, LIFE_SECONDS]);
  });

  test('a database that is restored during the wait ends the step', async () => {
    await world.failed('B1', {});
    await rm(world.markFile);
    const restore = async (): Promise<void> => {
      await setGuardBack(world.db, { database_identity: 'restored' });
    };
    await expect(world.step({}, world.living(restore))).rejects.toThrow(
      'was restored, or its server started anew',
    );
    expect((await world.step({ runId: 'run-2' })).heldUntil).toBeDefined();
    expect(world.sends()).toBe(0);
  });

  test('nobody waits where nothing is to be sent, and the memory stays as doubtful as it was', async () => {
    await rm(world.markFile);
    await world.step();
    expect(waited()).toEqual([]);
    expect(await world.mark().read()).toEqual(await world.sure({ isDoubtful: true }));
    await world.failed('B1', {});
    await world.step({ runId: 'run-2' });
    expect(waited()).toEqual([LIFE_SECONDS]);
  });

  test('a mark that another process doubts, or that is gone, right before the send: nothing leaves', async () => {
    await world.failed('B1', {}, {});
    const doubted = await world.sure({ sequence: 1n, isDoubtful: true });
    for (const later of [doubted, undefined]) {
      let reads = 0;
      const mark = world.mark();
      const changed = { ...mark, read: async () => (reads++ === 0 ? mark.read() : later) };
      await expect(world.step({}, { mark: changed })).rejects.toThrow('became doubtful');
    }
    expect([world.sends(), await world.attempts()]).toEqual([0, []]);
  });
});

describe('who waits is decided on the plan that is carried out, with the payees as they are now', () => {
  const anotherStart = async (time: string): Promise<void> => {
    world.boot = `start-${time.slice(3, 5)}`;
    world.moveTo(time);
    await world.restart();
  };

  beforeEach(async () => {
    world.sandbox.seedAccounts([{ accountNo: 'R', balanceFen: 0n, state: '2' }]);
    await world.orders.night.listAccounts({ no: 'R' });
  });

  test('one frozen payee that would trip the breaker keeps none of the others back', async () => {
    await world.failed('B1', {}, { payeeAcctNo: 'R' });
    await world.orders.profile({ settle: { breaker: { orders: 1 } } });
    await anotherStart('02 02:00:00');
    const outcome = await world.step();
    expect([settledLines(outcome), leftLines(outcome)]).toEqual([
      ['B1-1 1 SUCCESS'],
      ['B1-2 account_not_active'],
    ]);
    expect(waited()).toEqual([LIFE_SECONDS]);
  });

  test('what a rehearsal shows is what an approval carries out, where every command is another start', async () => {
    await world.orders.profile({ settle: { breaker: { orders: 0 } } });
    await world.failed('B1', {}, { payeeAcctNo: 'R' });
    await anotherStart('02 02:00:00');
    const { digest } = await world.step({ mode: 'dry-run' });
    await anotherStart('02 04:00:00');
    const outcome = await world.step({ runId: 'run-2', approve: { digest, by: 'someone' } });
    expect(settledLines(outcome)).toEqual(['B1-1 1 SUCCESS']);
  });
});
