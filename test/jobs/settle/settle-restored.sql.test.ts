/** H18: a database that was restored from a backup, or is another one, has forgotten what may still be on its way. */
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { at, zone } from '../../helpers/night.ts';
import { lines } from '../../helpers/company/order-answers.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;

/** What the process waited for, in whole seconds; a test does not wait. */
const waited = (): number[] => world.orders.night.clock.cutShort.map((ms) => Math.round(ms / 1_000));

/** Window, margin, and the hour for which queries may lag behind. */
const LIFE_SECONDS = 30 + 120 + 3_600;

beforeEach(async () => {
  world = await SettleWorld.open();
});
afterEach(() => world.close());

describe('H18: a database that was restored', () => {
  test('one that knows less than the mark is held for the cool-down, and then goes on', async () => {
    await world.failed('B1', {}, {});
    await world.mark().write(await world.sure({ sequence: 7n }));
    const { clock } = world.orders.night;
    const before = Date.parse(clock.wall());
    const held = await world.step();
    expect(held).toMatchObject({ plan: [{}, {}], settlements: [] });
    const until = Date.parse(held.heldUntil ?? '');
    // The cool-down, and the hour for which the view may lag behind.
    expect([until - before >= 4_200_000, until - Date.parse(clock.wall()) <= 4_200_000]).toEqual([
      true,
      true,
    ]);
    const doubtful = await world.sure({ heldUntil: held.heldUntil, isDoubtful: true });
    expect(await world.mark().read()).toEqual(doubtful);
    world.moveTo('02 03:08:00');
    expect((await world.step()).heldUntil).toBe(held.heldUntil);
    expect(world.sends()).toBe(0);
    world.moveTo('02 03:20:00');
    const approve = { digest: held.digest, by: 'someone' };
    expect(settledLines(await world.step({ approve }))).toEqual(['B1-1 1 SUCCESS', 'B1-2 1 SUCCESS']);
    expect(waited()).toEqual([LIFE_SECONDS]);
    // Planned, sent, answered, closed; planned, sent.
    const { reqId = '', ...known } = (await world.mark().read()) ?? {};
    expect({ ...known, reqId: '' }).toEqual(await world.sure({ sequence: 6n, heldUntil: held.heldUntil }));
    expect(reqId).toMatch(/^[0-9a-f]{32}$/);
  });

  test('one that is restored once more while it is held is held as long as before', async () => {
    await world.failed('B1', {});
    await world.mark().write(await world.sure({ sequence: 7n }));
    const { heldUntil } = await world.step();
    await setGuardBack(world.db, { sequence: 0n, hold_until: null });
    expect(heldUntil).toBeDefined();
    expect((await world.step({ mode: 'dry-run' })).heldUntil).toBe(heldUntil);
    expect((await world.step()).heldUntil).toBe(heldUntil);
    expect(world.sends()).toBe(0);
  });

  test('a hold is known to the database where the mark is lost meanwhile', async () => {
    await world.failed('B1', {});
    await world.mark().write(await world.sure({ sequence: 7n }));
    const { heldUntil } = await world.step();
    await rm(world.markFile);
    expect((await world.step()).heldUntil).toBe(heldUntil);
    expect((await world.mark().read())?.heldUntil).toBe(heldUntil);
    expect(world.sends()).toBe(0);
  });

  test('where the cool-down is short it is held for what may be on its way', async () => {
    await world.orders.profile({ settle: { coolDownMinutes: 1, marginSeconds: 100, viewLagSeconds: 0 } });
    await world.failed('B1', {});
    await world.mark().write(await world.sure({ sequence: 1n }));
    const before = Date.parse(world.orders.night.clock.wall());
    const until = Date.parse((await world.step()).heldUntil ?? '');
    expect(until - before).toBeGreaterThanOrEqual(130_000);
    expect(until - Date.parse(world.orders.night.clock.wall())).toBeLessThanOrEqual(130_000);
  });

  test('another database than the one that was used is held; a rehearsal says so and accepts nothing', async () => {
    await world.failed('B1', {}, { settle: { state: 'FAIL', retries: [{ state: 'FAIL' }] } });
    await world.step({ only: { outOrderNo: 'B1-1' } });
    await setGuardBack(world.db, { database_identity: 'another' });
    expect((await world.step({ mode: 'dry-run' })).heldUntil).toBeDefined();
    expect(await lines(world.db, 'settle_guard', ['database_identity'])).toEqual(['another']);
    expect(await world.step({ runId: 'run-2' })).toMatchObject({ plan: [{}], settlements: [] });
    expect(world.sends()).toBe(1);
  });

  test('it is known from the first step on, before anything was ever sent, also where nothing was written outside', async () => {
    expect(await world.step()).toMatchObject({ heldUntil: undefined, settlements: [] });
    await setGuardBack(world.db, { database_identity: 'restored' });
    await world.failed('B1', {});
    expect((await world.step({ runId: 'run-2' })).heldUntil).toBeDefined();
    expect(world.sends()).toBe(0);
  });

  test('its rows written again from a backup, mark and all, in the same tables on a server that runs on', async () => {
    await world.failed('B1', {}, {});
    await world.step({ only: { outOrderNo: 'B1-1' } });
    const backup = await rowsOf(world.db);
    const marked = await world.sure({ sequence: 2n, ...(await world.mark().read()) });
    world.moveTo('02 02:05:00');
    await world.step({ runId: 'run-2', only: { outOrderNo: 'B1-2' } });
    await writeAgain(world.db, backup);
    await world.mark().write(marked);
    await world.restart();
    expect((await world.step({ mode: 'dry-run' })).heldUntil).toBeDefined();
    expect((await world.step({ runId: 'run-3' })).heldUntil).toBeDefined();
    expect([world.sends(), world.paid('B1-2')]).toEqual([2, 1]);
  });

  test('what it calls planned was perhaps sent: it is asked about and never taken for unsent', async () => {
    await world.failed('B1', { settle: { state: 'FAIL', retries: [{ state: 'SUCCESS' }] } });
    world.moveTo('02 04:00:00');
    await world.step();
    expect(world.sends()).toBe(1);
    // As the backup has it that was taken between the plan and the send.
    await world.db.deleteFrom('settle_event').where('state', '<>', 'PLANNED').execute();
    await world.db
      .updateTable('settle_attempt')
      .set({ state: 'PLANNED', outcome: null, closed_at: null, note: '', req_time: null, sent_at: null })
      .execute();
    await setGuardBack(world.db, { sequence: 1n, database_identity: 'restored' });
    const restored = await world.step({ runId: 'run-2' });
    expect(restored.heldUntil).toBeDefined();
    expect(settledLines(restored)).toEqual(['B1-1 1 UNKNOWN']);
    world.moveTo('02 05:01:00');
    expect(settledLines(await world.step({ runId: 'run-3' }))).toEqual(['B1-1 1 SUCCESS']);
    expect(world.sends()).toBe(1);
  });

  test('H17: a mark that does not hold its number stops the step before anything is sent', async () => {
    await world.failed('B1', {});
    await world.orders.job.files.writeWhole(world.markFile, 'seven');
    await expect(world.step()).rejects.toThrow('does not hold what was written there');
    expect(world.sends()).toBe(0);
    await rm(world.markFile);
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
    expect(waited()).toEqual([LIFE_SECONDS]);
  });

  test('M10: on the day of a restore nothing is retried unseen, whatever was approved before; the next day it is', async () => {
    await world.failed('B1', {});
    await world.mark().write(await world.sure({ sequence: 7n }));
    const { digest } = await world.step();
    // As the backup has it: a person had approved this plan, and what was then sent is forgotten.
    const approval = {
      planDigest: digest,
      approvedBy: 'x',
      approvedAt: at('2026-03-01 01:00:00'),
      runId: 'run-0',
    };
    const { book } = await world.ports();
    await book.saveApproval({ ...approval, orders: 1, amountFen: 10_000n });
    world.moveTo('02 23:00:00');
    const stopped = await world.step({ runId: 'run-2' });
    expect(stopped).toMatchObject({ heldUntil: undefined, settlements: [], breaker: { approved: false } });
    expect(settleText(stopped, zone)).toMatch(
      /^NEEDS AN APPROVAL: 1 settlement, 100.00 yuan failed, the database was restored today/,
    );
    expect(waited()).toEqual([]);
    const approve = { digest, by: 'someone' };
    expect(settledLines(await world.step({ runId: 'run-3', approve }))).toEqual(['B1-1 1 SUCCESS']);
    await world.failed('B2', {});
    expect(settledLines(await world.step({ runId: 'run-4' }))).toEqual([]);
    world.moveTo('03 00:01:00');
    expect(settledLines(await world.step({ runId: 'run-5' }))).toEqual(['B2-1 1 SUCCESS']);
  });

  test('a mark of other books stops the step, whatever it counts, and is left as it is', async () => {
    await world.failed('B1', {});
    const others = { books: '2025-12-31T00:00:00.000Z' };
    for (const of of [others, { ...others, sequence: 7n }, { ...others, isDoubtful: true }]) {
      await world.mark().write(await world.sure(of));
      await expect(world.step()).rejects.toThrow('belongs to the books of another database');
      await expect(world.step({ mode: 'dry-run' })).rejects.toThrow('Give each its own SETTLE_MARK_FILE');
      expect(await world.mark().read()).toEqual(await world.sure(of));
    }
    expect(world.sends()).toBe(0);
    await rm(world.markFile);
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
    expect(waited()).toEqual([LIFE_SECONDS]);
    const { books } = (await world.mark().read()) ?? {};
    expect(books).toBe((await world.sure()).books);
  });

  test('a mark that was written before it named its books is doubted, and names them from then on', async () => {
    await world.failed('B1', {});
    await world.mark().write(await world.sure({ books: '', server: '' }));
    expect(settledLines(await world.step())).toEqual(['B1-1 1 SUCCESS']);
    expect(waited()).toEqual([LIFE_SECONDS]);
    expect((await world.mark().read())?.books).toBe((await world.sure()).books);
  });

  test('a database that counts as far as the mark and does not know its send has forgotten it', async () => {
    await world.failed('B1', {}, {});
    await world.step({ only: { outOrderNo: 'B1-1' } });
    // Others went on counting after the commit was lost.
    await world.db.updateTable('settle_event').set({ note: 'another' }).execute();
    await world.mark().write(await world.sure({ sequence: 2n, reqId: 'f'.repeat(32) }));
    expect((await world.step({ runId: 'run-2' })).heldUntil).toBeDefined();
    expect(world.sends()).toBe(1);
  });
});

async function rowsOf(db: Db) {
  return {
    attempts: await db.selectFrom('settle_attempt').selectAll().execute(),
    events: await db.selectFrom('settle_event').selectAll().execute(),
    guard: await db.selectFrom('settle_guard').selectAll().execute(),
    seen: await db.selectFrom('order_state_seen').selectAll().execute(),
    orders: (await db.selectFrom('transfer_order').selectAll().execute()).map(asGiven),
  };
}

/** Without what the database makes of it. */
function asGiven<R extends object>(row: R): R {
  return { ...row, contradicts_itself: undefined };
}

async function writeAgain(db: Db, rows: Awaited<ReturnType<typeof rowsOf>>): Promise<void> {
  await db.deleteFrom('settle_event').execute();
  await db.deleteFrom('settle_attempt').execute();
  await db.deleteFrom('settle_guard').execute();
  await db.deleteFrom('order_state_seen').execute();
  await db.deleteFrom('transfer_order').execute();
  await db.insertInto('transfer_order').values(rows.orders).execute();
  await db.insertInto('order_state_seen').values(rows.seen).execute();
  await db.insertInto('settle_attempt').values(rows.attempts).execute();
  await db.insertInto('settle_event').values(rows.events).execute();
  await db.insertInto('settle_guard').values(rows.guard).execute();
}
