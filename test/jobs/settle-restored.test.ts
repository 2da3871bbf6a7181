/** H18: a database that was restored from a backup, or is another one, has forgotten what may still be on its way. */
import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lines } from '../helpers/order-answers.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

describe('H18: a database that was restored', () => {
  test('one that knows less than the mark is held for the cool-down, and then goes on', async () => {
    await world.failed('B1', {}, {});
    await world.mark().write(7n);
    const { clock } = world.orders.night;
    const before = Date.parse(clock.wall());
    const held = await world.step();
    expect(held).toMatchObject({ plan: [{}, {}], accountsAsked: false, settlements: [] });
    const until = Date.parse(held.heldUntil ?? '');
    expect([until - before >= 600_000, until - Date.parse(clock.wall()) <= 600_000]).toEqual([true, true]);
    expect(await readFile(world.markFile, 'utf8')).toBe('0\n');
    world.moveTo('02 02:08:00');
    expect((await world.step()).heldUntil).toBe(held.heldUntil);
    expect(world.sends()).toBe(0);
    world.moveTo('02 02:20:00');
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS', 'B1-2 1 SUCCESS']);
    // Planned, sent, answered, closed; planned, sent.
    expect(await readFile(world.markFile, 'utf8')).toBe('6\n');
  });

  test('where the cool-down is short it is held for what may be on its way', async () => {
    await world.orders.profile({ settle: { coolDownMinutes: 1, marginSeconds: 100 } });
    await world.failed('B1', {});
    await world.mark().write(1n);
    const before = Date.parse(world.orders.night.clock.wall());
    const until = Date.parse((await world.step()).heldUntil ?? '');
    expect(until - before).toBeGreaterThanOrEqual(120_000);
    expect(until - Date.parse(world.orders.night.clock.wall())).toBeLessThanOrEqual(120_000);
  });

  test('another database than the one that was used is held; a rehearsal says so and accepts nothing', async () => {
    await world.failed('B1', {}, { settle: { state: 'FAIL', retries: [{ state: 'FAIL' }] } });
    await world.step({ only: { outOrderNo: 'B1-1' } });
    await world.db.updateTable('settle_guard').set({ database_identity: 'another' }).execute();
    expect((await world.step({ mode: 'dry-run' })).heldUntil).toBeDefined();
    expect(await lines(world.db, 'settle_guard', ['database_identity'])).toEqual(['another']);
    expect(await world.step({ runId: 'run-2' })).toMatchObject({ plan: [{}], settlements: [] });
    expect(world.sends()).toBe(1);
  });

  test('it is known from the first step on, before anything was ever sent, also where nothing was written outside', async () => {
    expect(await world.step()).toMatchObject({ heldUntil: undefined, settlements: [] });
    await world.db.updateTable('settle_guard').set({ database_identity: 'restored' }).execute();
    await world.failed('B1', {});
    expect((await world.step({ runId: 'run-2' })).heldUntil).toBeDefined();
    expect(world.sends()).toBe(0);
  });

  test('what it calls planned was perhaps sent: it is asked about and never taken for unsent', async () => {
    await world.failed('B1', { settle: { state: 'FAIL', retries: [{ state: 'SUCCESS' }] } });
    await world.step();
    expect(world.sends()).toBe(1);
    // As the backup has it that was taken between the plan and the send.
    await world.db.deleteFrom('settle_event').where('state', '<>', 'PLANNED').execute();
    await world.db
      .updateTable('settle_attempt')
      .set({ state: 'PLANNED', outcome: null, closed_at: null, note: '', req_time: null, sent_at: null })
      .execute();
    await world.db.updateTable('settle_guard').set({ sequence: 1n, database_identity: 'restored' }).execute();
    const restored = await world.step({ runId: 'run-2' });
    expect(restored.heldUntil).toBeDefined();
    expect(settledLines(restored)).toEqual(['B1-1 1 SUCCESS']);
    expect(world.sends()).toBe(1);
  });

  test('H17: a mark that does not hold its number stops the step before anything is sent', async () => {
    await world.failed('B1', {});
    await world.orders.job.files.makeFolder(world.markFile.replace(/mark$/, ''));
    await world.orders.job.files.writeWhole(world.markFile, 'seven');
    await expect(world.step()).rejects.toThrow('does not hold the number that was written there');
    expect(world.sends()).toBe(0);
    await rm(world.markFile);
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
  });
});
