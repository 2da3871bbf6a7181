/**
 * Kill -9 at ten moments of a backfill, then the same command to its end: the same tables and the same
 * cells as an uninterrupted run. The real executable against the real sandbox, on the database it would use.
 */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addDays, addMs } from '../../src/core/time.ts';
import { openEmbedded } from '../../src/store/database/database-embedded.ts';
import { migrateToLatest } from '../../src/store/database/migrate.ts';
import { onPostgres, testDatabase } from '../helpers/database.ts';
import type { TestDatabase } from '../helpers/database.ts';
import { startRecon } from '../helpers/child.ts';
import type { Child, Ended } from '../helpers/child.ts';
import { differencesOf, dumpOf } from '../helpers/dump.ts';
import { Night, at } from '../helpers/night.ts';
import { sayingsOf } from '../helpers/workbook-cells.ts';

const FROM = '2024-01-31';
const TO = '2025-04-30';
const NOW = '2025-05-02 02:00:00';
const RUN_DAY = '2025-05-02';
const ACCOUNTS = ['A1', 'A2', 'A3'];
/** First and last second of the day, and in between: turn by turn. */
const TIMES = ['00:00:00', '08:30:00', '23:59:59'];
const KILLS = onPostgres ? 6 : 5;
/** A process begins its clock a second after it was started, or some more on a busy machine. */
const START_MS = 1_000;

let night: Night;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'recon-kill-'));
});
afterEach(async () => {
  await night.close();
  await rm(folder, { recursive: true, force: true });
});

/** Where one history takes place. */
interface Place {
  home: string;
  /** Runs work on the history's database while no process has it. */
  withDatabase<T>(work: (database: TestDatabase) => Promise<T>): Promise<T>;
  settings: Record<string, string>;
  close(): Promise<void>;
}

async function openPlace(name: string): Promise<Place> {
  const home = path.join(folder, name);
  if (!onPostgres) {
    const withDatabase: Place['withDatabase'] = async (work) => {
      const database = { ...(await openEmbedded(path.join(home, 'db'))), url: undefined };
      try {
        await migrateToLatest(database.db);
        return await work(database);
      } finally {
        await database.close();
      }
    };
    return { home, withDatabase, settings: { RECON_HOME: home }, close: () => Promise.resolve() };
  }
  const database = await testDatabase();
  return {
    home,
    withDatabase: (work) => work(database),
    settings: { RECON_HOME: home, DATABASE_URL: database.url ?? '' },
    close: () => database.close(),
  };
}

/** Fifteen months of three accounts; a few entries are missing, wrong or too many. */
async function seed(place: Place, through: string): Promise<void> {
  await place.withDatabase(async (database) => {
    night = await Night.open({ now: NOW, database, workbooks: 'each' });
    const opening = { fen: 1_000_000n, at: `${FROM} 00:00:00` };
    await night.accounts(...ACCOUNTS.map((no) => ({ no, opening })));
    const records: { no: string; orderNo: string; time: string; fen: bigint }[] = [];
    for (let day = FROM; day <= through; day = addDays(day, 1)) {
      for (const no of ACCOUNTS) {
        const orderNo = `${no}D${String(records.length).padStart(5, '0')}`;
        const time = `${day} ${TIMES[(records.length % 7) % 3] ?? ''}`;
        records.push({ no, orderNo, time, fen: 1_000n + BigInt(records.length) });
      }
    }
    night.deposits(
      ...records.map(({ no, orderNo, time, fen }) => ({
        payeeAcctNo: no,
        orderNo,
        amountFen: fen,
        depositTime: time,
      })),
    );
    const entries = records.map(({ no, orderNo, time, fen }, at) => ({
      id: `E${orderNo}`,
      account: no,
      fen: at % 100 === 17 ? fen + 1n : fen,
      at: time,
      reference: at % 2 === 0 ? orderNo : '',
    }));
    await night.entries(entries.filter((_, at) => at % 100 !== 50));
  });
}

function start(place: Place): Child {
  night.moveTo(NOW);
  const clock = addMs(at(NOW), START_MS);
  // Vouchers have a kill test of their own (vouchers-kill), and their moments are not this one's.
  const args = [
    'backfill',
    '--from',
    FROM,
    '--to',
    TO,
    '--no-vouchers',
    '--clock',
    clock,
    '--log-level',
    'error',
  ];
  return startRecon(args, { ...night.environment(), ...place.settings });
}

/** A small generator with a seed, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** When a process is killed: so many milliseconds after its n-th call of that endpoint. */
interface Moment {
  endpoint: 'query/deposit' | 'acct/queryInfo';
  calls: number;
  afterMs: number;
}

/** Names of finished files: a killed process may leave one under a temporary name, never under a final one. */
async function reportsOf(place: Place): Promise<string[]> {
  const names = await readdir(path.join(place.home, 'reports'), { recursive: true });
  return names.filter((name) => !path.basename(name).startsWith('.tmp-')).toSorted();
}

/** Kills a process of the backfill at that moment; it may have ended before. */
async function kill(place: Place, moment: Moment): Promise<Ended> {
  const before = lastRequest();
  const child = start(place);
  while (isAlive(child) && callsSince(before, moment.endpoint) < moment.calls) await pause(2);
  await Promise.race([pause(moment.afterMs), child.ended]);
  child.process.kill('SIGKILL');
  return child.ended;
}

function isAlive({ process }: Child): boolean {
  return process.exitCode === null && process.signalCode === null;
}

function lastRequest(): number {
  return night.sandbox.requests().at(-1)?.no ?? 0;
}

function callsSince(no: number, endpoint: string): number {
  return night.sandbox.requests(no).filter(({ path }) => path.endsWith(endpoint)).length;
}

/** An uninterrupted run, and how long it worked after its last call. */
async function runWhole(place: Place): Promise<{ calls: number; afterwardsMs: number }> {
  const before = lastRequest();
  const child = start(place);
  let [last, lastAtMs] = [before, 0];
  while (isAlive(child)) {
    if (lastRequest() > last) [last, lastAtMs] = [lastRequest(), Date.now()];
    await pause(2);
  }
  expect(await child.ended).toMatchObject({ status: 0 });
  return { calls: callsSince(before, 'query/deposit'), afterwardsMs: Date.now() - lastAtMs };
}

async function workbookOf(place: Place): Promise<string[]> {
  const days = `${FROM}_${TO}`;
  return sayingsOf(path.join(place.home, 'reports', days, 'v1', `reconciliation-${days}.xlsx`), RUN_DAY);
}

test(
  `H1: killed at ${KILLS} moments and started again: the same tables and the same cells as without`,
  { timeout: 240_000 },
  async () => {
    const [whole, broken] = [await openPlace('whole'), await openPlace('broken')];
    try {
      await seed(whole, TO);
      if (onPostgres) {
        await night.close();
        await seed(broken, TO);
      } else await cp(whole.home, broken.home, { recursive: true });
      night.sandbox.addFault({ kind: 'delay', ms: 8, path: 'query/deposit', times: null });

      const { calls, afterwardsMs } = await runWhole(whole);
      const chance = seeded(20_240_131);
      let killed = 0;
      for (let moment = 0; killed < KILLS && moment < 2 * KILLS; moment++) {
        // Half of them fall into the reading, half into all that comes after it.
        const ended = await kill(
          broken,
          moment % 2 === 0
            ? {
                endpoint: 'query/deposit',
                calls: 1 + Math.floor(chance() * calls * 0.9),
                afterMs: chance() * 20,
              }
            : {
                endpoint: 'acct/queryInfo',
                calls: 2 * ACCOUNTS.length,
                afterMs: chance() * afterwardsMs * 0.8,
              },
        );
        if (ended.signal === 'SIGKILL') killed += 1;
      }
      expect(killed, 'one that ends before its moment is started once more').toBe(KILLS);
      expect(await start(broken).ended).toMatchObject({
        status: 0,
        stderr: expect.not.stringContaining('Bug') as string,
      });

      const expected = await whole.withDatabase(({ db }) => dumpOf(db));
      const found = await broken.withDatabase(({ db }) => dumpOf(db));
      expect(expected['deposit']).toHaveLength(1_368);
      expect(differencesOf({ expected, found })).toEqual([]);
      expect(await workbookOf(broken)).toEqual(await workbookOf(whole));
      expect(await reportsOf(broken)).toEqual(await reportsOf(whole));
    } finally {
      await whole.close();
      await broken.close();
    }
  },
);

test('M3: two processes at once: one does the work, the other says so and exits with 4', async () => {
  const place = await openPlace('both');
  try {
    await seed(place, '2024-02-10');
    night.sandbox.addFault({ kind: 'delay', ms: 100, path: 'query/deposit', times: null });
    const first = start(place);
    while (night.sandbox.requests().length < 3) await pause(5);
    const second = await start(place).ended;
    expect(second).toMatchObject({ status: 4, stdout: '' });
    expect(second.stderr).toMatch(/another (?:run holds the lock|recon process)/);
    expect(await first.ended).toMatchObject({ status: 0 });
    const runs = await place.withDatabase(({ db }) => db.selectFrom('run').select('run_id').execute());
    expect(runs).toHaveLength(1);
  } finally {
    await place.close();
  }
});
