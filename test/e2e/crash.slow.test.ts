/**
 * Invariant 19, H1: a process that dies at any call of a port and is started again comes to the tables and files
 * of one that was never interrupted.
 */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RangeRequest } from '../../jobs/night/night.ts';
import { reconcileRange } from '../../jobs/night/night.ts';
import { cutting, fillPool } from '../helpers/cut-connections.ts';
import { onPostgres } from '../helpers/database.ts';
import { differencesOf, dumpOf, emptyTables } from '../helpers/dump.ts';
import type { Dump } from '../helpers/dump.ts';
import { KeptNight } from '../helpers/kept-night.ts';
import { Death, Fate, mortal } from '../helpers/mortal-process.ts';
import { Night } from '../helpers/night.ts';

let night: Night;
beforeAll(async () => {
  night = await Night.open({
    now: '2026-03-12 02:00:00',
    profile: { deposits: { pageSize: 5 } },
    workbooks: 'each',
  });
  const opening = { fen: 100_000n, at: '2026-01-31 00:00:00' };
  await night.accounts({ no: 'A1', opening }, { no: 'A2', opening }, { no: 'A3', heldFen: 5_000n });
  for (const no of ['A1', 'A2', 'A3']) await seedTrade(no);
});
afterAll(() => night.close());

/** Every third day a deposit, more on some; the books lack one, have one twice, and one for another amount. */
async function seedTrade(no: string): Promise<void> {
  const days = Array.from({ length: 13 }, (_, at) => `2026-02-${String(at * 2 + 1).padStart(2, '0')}`);
  const records = [...days, '2026-03-10', '2026-03-10', '2026-03-11'].map((day, at) => ({
    orderNo: `${no}D${String(at).padStart(2, '0')}`,
    fen: 1_000n + BigInt(at),
    time: `${day} 10:00:${String(at).padStart(2, '0')}`,
  }));
  night.deposits(
    ...records.map(({ orderNo, fen, time }, at) => ({
      payeeAcctNo: no,
      orderNo,
      amountFen: fen,
      feeFen: at % 4 === 0 ? 3n : 0n,
      feeType: at % 8 === 0 ? 'ACCOUNT' : 'ORDER',
      depositTime: time,
      // Found by the second night only.
      ...(at === 14 && no === 'A1' && { visibleFrom: '2026-03-11 12:00:00' }),
    })),
  );
  const entries = records.map(({ orderNo, fen, time }, at) => ({
    id: `E${orderNo}`,
    account: no,
    fen: fen - (at % 4 === 0 ? 3n : 0n) + (at === 5 ? 7n : 0n),
    at: time,
    reference: orderNo,
  }));
  await night.entries(entries.filter((_, at) => at !== 6));
}

interface Story {
  name: string;
  /** Nights that went well before. */
  before: readonly { day: string; now: string }[];
  now: string;
  request: RangeRequest;
  /** At how many moments it dies. */
  deaths: number;
}

const STORIES: readonly Story[] = [
  {
    name: 'a backfill',
    before: [],
    now: '2026-03-12 02:00:00',
    request: { job: 'backfill', fromDay: '2026-01-31', toDay: '2026-03-11', accounts: [] },
    deaths: onPostgres ? 7 : 5,
  },
  {
    name: 'a night that restates the one before',
    before: [{ day: '2026-03-10', now: '2026-03-11 02:00:00' }],
    now: '2026-03-12 02:00:00',
    request: { job: 'nightly', fromDay: '2026-03-11', toDay: '2026-03-11', accounts: [] },
    deaths: onPostgres ? 10 : 7,
  },
];

/** All before the run; a deposit that is on the platform stays there. */
async function begin(story: Story): Promise<KeptNight> {
  await emptyTables(night.db, 'made by the job');
  await rm(path.join(night.home, 'reports'), { recursive: true, force: true });
  for (const { day, now } of story.before) {
    night.moveTo(now);
    await night.night(day);
  }
  return KeptNight.keep(night, story.now);
}

/** Runs until its end or its death; what the plugin sees of the database comes after what the fate does. */
async function live(story: Story, fate: Fate, plugin?: KyselyPlugin): Promise<'ended' | 'died'> {
  const process = await night.process();
  const db = plugin ? process.db.withPlugin(plugin) : process.db;
  try {
    await reconcileRange(mortal({ ...process, db }, fate), story.request);
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

/** Invariant 5: a window is called verified only when its records are stored. */
async function expectProofNotAheadOfData(what: string): Promise<void> {
  const { rows } = await sql<{ run_id: string; from_day: string }>`
    select w.run_id, w.account_no, w.from_day, w.inside_count from sync_window w
    where w.state = 'verified' and w.inside_count > (
      select count(*) from deposit d where d.account_no = w.account_no
        and to_char(d.deposited_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') >= w.from_day
        and to_char(d.deposited_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') < w.to_day)`.execute(night.db);
  expect(rows, what).toEqual([]);
}

async function reports(): Promise<string[]> {
  const all = await readdir(path.join(night.home, 'reports'), { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(night.home, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Runs with a database that ends all sessions after so many results. */
async function liveWithCut(story: Story, atResult: number): Promise<void> {
  const process = await night.process();
  const { plugin } = cutting(night.database.url ?? '', atResult);
  try {
    await reconcileRange({ ...process, db: process.db.withPlugin(plugin) }, story.request);
  } catch (error) {
    expect((error as Error).message).not.toMatch(/^Bug:/);
  } finally {
    await process.close();
    await fillPool(night.db);
    await night.db.updateTable('lease').set({ pid: 2_147_483_646 }).execute();
  }
}

describe.each(STORIES)('$name', (story) => {
  const whole = { calls: 0, results: 0, dump: {} as Dump, reports: [] as string[] };
  let before: KeptNight;

  beforeAll(async () => {
    before = await begin(story);
  });
  beforeAll(async () => {
    await before.putBack();
    const fate = new Fate();
    const { plugin, results } = cutting('', Infinity);
    expect(await live(story, fate, plugin)).toBe('ended');
    whole.calls = fate.calls;
    whole.results = results();
    whole.dump = await dumpOf(night.db);
    whole.reports = await reports();
    expect(whole.dump['finding']?.length).toBeGreaterThan(3);
  });

  test.each(Array.from({ length: story.deaths }, (_, at) => at))(
    'H1: dies at moment %# and is started again: as if it had never died',
    async (at) => {
      const atCall = 1 + Math.floor((at * whole.calls) / story.deaths);
      const when = at % 2 === 0 ? 'before' : 'after';
      const what = `killed ${when} call ${atCall} of ${whole.calls}`;
      await before.putBack();
      expect(await live(story, new Fate({ atCall, when })), what).toBe('died');
      await expectProofNotAheadOfData(what);
      expect(await live(story, new Fate()), what).toBe('ended');
      const found = await dumpOf(night.db);
      expect(differencesOf({ expected: whole.dump, found }), what).toEqual([]);
      expect(await reports(), what).toEqual(whole.reports);
    },
  );

  describe.runIf(onPostgres)('on a server that ends all sessions', () => {
    test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
      'H5: at moment %d of 10 it costs at most this run; the next comes to the same tables',
      async (moment) => {
        await before.putBack();
        await liveWithCut(story, Math.floor((moment * whole.results) / 10));
        expect(await live(story, new Fate())).toBe('ended');
        expect(differencesOf({ expected: whole.dump, found: await dumpOf(night.db) })).toEqual([]);
      },
    );
  });
});
