/**
 * H1 with orders: a night that dies at any call of a port and is started again comes to the orders, movements,
 * matches, findings and reports of one that was never interrupted.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileRange } from '../../../jobs/night/night.ts';
import { onPostgres } from '../../helpers/database.ts';
import { differencesOf, dumpOf } from '../../helpers/dump.ts';
import type { Dump } from '../../helpers/dump.ts';
import { KeptNight } from '../../helpers/kept-night.ts';
import { Death, Fate, mortal } from '../../helpers/mortal-process.ts';
import type { Night } from '../../helpers/night.ts';
import type { Trade } from '../../helpers/trade.ts';
import { booksBut, openWeek } from './orders-week.ts';

/** At how many moments it dies. */
const DEATHS = onPostgres ? 7 : 5;
const BEFORE = { day: '2026-03-03', now: '2026-03-04 02:00:00' };
const NIGHT = { day: '2026-03-05', now: '2026-03-06 02:00:00' };

let night: Night;
let trade: Trade;
/** As it was when the first night was over. */
let before: KeptNight;
const whole = { calls: 0, dump: {} as Dump, reports: [] as string[] };

/**
 * The week with a refund the books lack, an amount that is corrected after the order was final, so that the first
 * night is restated by the second, and one order that is not registered.
 */
beforeAll(async () => {
  ({ night, trade } = await openWeek());
  trade.transfers({
    outBatchNo: 'B5',
    payerAcctNo: 'S',
    submittedAt: '2026-03-03 10:00:00',
    orders: [
      {
        outOrderNo: 'T8',
        payeeAcctNo: 'V',
        amountFen: 900n,
        listed: { set: { amount: 800, realAmount: 800 } },
        changes: [{ at: '2026-03-05 12:00:00', set: { amount: 900, realAmount: 900 } }],
      },
    ],
  });
  trade.books(
    ...booksBut({ 'R refund_out T2': undefined, 'R transfer_in T4': '7000 2026-03-03 23:51' }),
    'S transfer_out T8 -900 2026-03-03 10:05',
    'V transfer_in T8 900 2026-03-03 10:05',
  );
  await trade.until(NIGHT.now);
});
afterAll(() => night.close());

/** Once: the looks of the first night stand in the same place to its balances, whenever the second one dies. */
beforeAll(async () => {
  night.moveTo(BEFORE.now);
  await night.night(BEFORE.day);
  before = await KeptNight.keep(night, NIGHT.now);
});

beforeAll(async () => {
  await before.putBack();
  const fate = new Fate();
  expect(await live(fate)).toBe('ended');
  whole.calls = fate.calls;
  whole.dump = await dumpOf(night.db);
  whole.reports = await reports();
  expect(whole.dump['run']).toHaveLength(3);
  expect(whole.dump['movement']).toHaveLength(29);
});

/** Runs until its end or its death. */
async function live(fate: Fate): Promise<'ended' | 'died'> {
  const process = await night.process();
  try {
    await reconcileRange(mortal(process, fate), {
      job: 'nightly',
      fromDay: NIGHT.day,
      toDay: NIGHT.day,
      accounts: [],
    });
    return 'ended';
  } catch (error) {
    if (error instanceof Death) return 'died';
    throw error;
  } finally {
    await process.close();
    // Its lease names a process that is no more.
    await night.db.updateTable('lease').set({ pid: 2_147_483_646 }).execute();
  }
}

async function reports(): Promise<string[]> {
  const all = await readdir(path.join(night.home, 'reports'), { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(night.home, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

test.each(Array.from({ length: DEATHS }, (_, at) => at))(
  'H1: dies at moment %# and is started again: as if it had never died',
  async (at) => {
    const atCall = 1 + Math.floor((at * whole.calls) / DEATHS);
    const when = at % 2 === 0 ? 'before' : 'after';
    const what = `killed ${when} call ${atCall} of ${whole.calls}`;
    await before.putBack();
    expect(await live(new Fate({ atCall, when })), what).toBe('died');
    expect(await live(new Fate()), what).toBe('ended');
    expect(differencesOf({ expected: whole.dump, found: await dumpOf(night.db) }), what).toEqual([]);
    expect(await reports(), what).toEqual(whole.reports);
  },
);
