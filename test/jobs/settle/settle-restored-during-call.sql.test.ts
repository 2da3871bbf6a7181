/**
 * H18: an acceptance that arrives after the database was restored during the call is kept, whatever the backup knows of
 * its attempt: the order is not sent again, and is shown to a person (docs/reliability.md 2.3 a).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleText } from '../../../jobs/commands/settle-text.ts';
import type { Db } from '../../../src/store/schema/schema.ts';
import { zone } from '../../helpers/night.ts';
import { setGuardBack } from '../../helpers/settlements/settle-worlds.ts';
import { settledLines, SettleWorld } from './settle-world.ts';

let world: SettleWorld;
beforeEach(async () => {
  world = await SettleWorld.open();
  world.sandbox.setSwitches({ settleGuard: false });
});
afterEach(() => world.close());

/** B1-1 is sent at 02:00 and paid; before the answer is stored the database is another one, as a backup has it. */
async function sentWhileRestored(restore: (db: Db) => Promise<void>): Promise<void> {
  await world.failed('B1', {});
  const set = { settleState: 'FAIL' };
  world.sandbox.addFault({ kind: 'record', path: 'division/query', times: 100, set });
  world.moveTo('02 02:00:00');
  const { book } = await world.ports();
  const restored: typeof book = {
    ...book,
    saveAnswer: async (...answered) => {
      await restore(world.db);
      const kept = await world.db.selectFrom('settle_event').select('sequence').execute();
      await setGuardBack(world.db, { sequence: BigInt(kept.length), database_identity: 'restored' });
      await world.loseLease();
      return book.saveAnswer(...answered);
    },
  };
  await expect(world.step({}, { book: restored })).rejects.toThrow('lost its lock settle');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  await world.restart();
}

const FORGOTTEN = async (db: Db): Promise<void> => {
  await db.deleteFrom('settle_event').execute();
  await db.deleteFrom('settle_attempt').execute();
};

const PLANNED = async (db: Db): Promise<void> => {
  await db.deleteFrom('settle_event').where('state', '<>', 'PLANNED').execute();
  const unsent = { req_time: null, sent_at: null, sent_mono_ms: null };
  await db
    .updateTable('settle_attempt')
    .set({ state: 'PLANNED', ...unsent })
    .execute();
};

const ENDED = async (db: Db): Promise<void> => {
  await PLANNED(db);
  const set = { state: 'CLOSED' as const, outcome: 'NOT_SENT' as const, closed_at: '2026-03-01T18:00:00Z' };
  await db.updateTable('settle_attempt').set(set).execute();
};

test.each([
  ['without its attempt', FORGOTTEN],
  ['with its attempt as planned', PLANNED],
  ['with its attempt as never sent', ENDED],
])('of a backup %s it is open, as accepted', async (_name, restore) => {
  await sentWhileRestored(restore);
  const { book } = await world.ports();
  const [open, ...others] = await book.listOpen();
  expect([open, others]).toMatchObject([{ attemptNo: 1, state: 'ACK_SUCCESS', amountFen: 10_000n }, []]);
  expect(open?.sent?.reqTime.slice(0, 16)).toBe('2026-03-01T18:00');
  expect(await signedAnswers()).toBe(1);
});

test('it is never sent again, and shown to a person; what shows it paid ends it', async () => {
  await sentWhileRestored(FORGOTTEN);
  for (const time of ['02 02:10:00', '02 03:40:00', '02 04:00:00', '03 04:00:00']) {
    world.moveTo(time);
    await world.step({ runId: `run at ${time}` });
  }
  world.moveTo('03 05:00:00');
  const shown = await world.step({ runId: 'run-9' });
  expect(settledLines(shown)).toEqual(['B1-1 1 AWAITING']);
  expect(settleText(shown, zone)).toContain('the database was restored during the call and had forgotten it');
  expect([world.sends(), world.paid('B1-1')]).toEqual([1, 1]);
  world.sandbox.liftFaults();
  expect(settledLines(await world.step({ runId: 'run-10' }))).toEqual(['B1-1 1 SUCCESS']);
});

async function signedAnswers(): Promise<number> {
  const kept = await world.db
    .selectFrom('raw_answer')
    .select('sha256')
    .where('endpoint', '=', 'order/settle')
    .execute();
  return kept.length;
}
