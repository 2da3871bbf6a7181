/** What was missed is caught up, oldest first; no error and no lock ends the schedule. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDueNights } from '../../../jobs/daemon/due-nights.ts';
import type { RunNight } from '../../../jobs/daemon/due-nights.ts';
import { runNight } from '../../../jobs/commands/nightly.ts';
import type { RangeOutcome } from '../../../jobs/night/night.ts';
import { RUN_LEASE } from '../../../jobs/night/prove/prove-run.ts';
import { LockHeld, Stopped } from '../../../src/core/errors.ts';
import { releaseLease, takeLease } from '../../../src/store/database/leases.ts';
import { Night } from '../../helpers/night.ts';
import type { Process } from '../../helpers/night.ts';
import { aRun } from '../../helpers/company/run-rows.ts';

let night: Night;
let job: Process;

beforeEach(async () => {
  night = await Night.open({ now: '2026-03-06 03:00:00' });
  job = await night.process();
});
afterEach(async () => {
  await job.close();
  await night.close();
});

/** Only what the schedule reads of an outcome. */
const outcome = (verdict: string): RangeOutcome =>
  ({ isNew: true, result: { run: { id: 'R', verdict, version: 1 } } }) as unknown as RangeOutcome;

/** Runs no night, notes its day and ends it as told: a verdict, or an error. */
function noting(endings: Readonly<Record<string, Error>> = {}) {
  const days: string[] = [];
  const run: RunNight = (_context, day) => {
    days.push(day);
    const ending = endings[day];
    return ending === undefined ? Promise.resolve(outcome('reconciled')) : Promise.reject(ending);
  };
  return { days, run };
}

/** Its pauses are cut short. */
const due = (run: RunNight, firesToday = false) =>
  openDueNights({ ...job, realClock: job.clock }, { runNight: run, firesToday: () => firesToday });

async function finished(day: string): Promise<void> {
  await aRun(night.db, { run_id: `nightly-${day}-v1`, from_day: day, to_day: day });
}

const events = (): string[] => job.log.lines.map(({ event }) => event);

describe('which nights are due', () => {
  test('at the start the days since the last finished night are caught up, oldest first', async () => {
    await finished('2026-03-01');
    await finished('2026-03-02');
    const nights = noting();
    await due(nights.run).run('start');
    expect(nights.days).toEqual(['2026-03-03', '2026-03-04', '2026-03-05']);
  });

  test('yesterday is left to the schedule when it still fires today', async () => {
    await finished('2026-03-02');
    const nights = noting();
    await due(nights.run, true).run('start');
    expect(nights.days).toEqual(['2026-03-03', '2026-03-04']);
  });

  test('where nothing was missed nothing is run at the start, and yesterday at its hour', async () => {
    const nights = noting();
    await due(nights.run).run('start');
    expect(nights.days).toEqual([]);
    await due(nights.run).run('firing');
    expect(nights.days).toEqual(['2026-03-05']);
    await finished('2026-03-05');
    await due(nights.run).run('firing');
    expect(nights.days, 'a finished night is read again when the schedule says so').toEqual([
      '2026-03-05',
      '2026-03-05',
    ]);
  });

  test('a night that died or stayed incomplete is run again by the next one', async () => {
    await aRun(night.db, {
      run_id: 'nightly-2026-03-02-v1',
      from_day: '2026-03-02',
      to_day: '2026-03-02',
      state: 'incomplete',
      verdict: 'incomplete',
    });
    await aRun(night.db, {
      run_id: 'nightly-2026-03-03-v1',
      from_day: '2026-03-03',
      to_day: '2026-03-03',
      state: 'open',
      verdict: null,
    });
    await finished('2026-03-04');
    const nights = noting();
    await due(nights.run).run('firing');
    expect(nights.days).toEqual(['2026-03-02', '2026-03-03', '2026-03-05']);
  });

  test('after a long standstill the last 31 days are caught up, and the others are named', async () => {
    await finished('2026-01-01');
    const nights = noting();
    await due(nights.run).run('start');
    expect(nights.days).toHaveLength(31);
    expect([nights.days[0], nights.days.at(-1)]).toEqual(['2026-02-03', '2026-03-05']);
    expect(job.log.lines).toContainEqual(
      expect.objectContaining({
        event: 'schedule.days_skipped',
        level: 'warn',
        from: '2026-01-02',
        through: '2026-02-02',
      }),
    );
  });

  test('the missed nights are really run: every day has its finished run', async () => {
    await night.accounts({ no: 'A1', opening: { fen: 100n, at: '2026-03-03 00:00:00' } });
    await finished('2026-03-02');
    await due(runNight).run('start');
    const runs = await night.db
      .selectFrom('run')
      .select(['to_day', 'state', 'version'])
      .where('to_day', '>', '2026-03-02')
      .orderBy('to_day')
      .execute();
    expect(runs).toEqual([
      { to_day: '2026-03-03', state: 'finished', version: 1 },
      { to_day: '2026-03-04', state: 'finished', version: 1 },
      { to_day: '2026-03-05', state: 'finished', version: 1 },
    ]);
  });
});

describe('what may go wrong', () => {
  test('an error ends its night and is logged; the next day is run', async () => {
    await finished('2026-03-03');
    const nights = noting({ '2026-03-04': new Stopped('the disk is full') });
    const schedule = due(nights.run);
    await schedule.run('start');
    expect(nights.days).toEqual(['2026-03-04', '2026-03-05']);
    expect(schedule.failures()).toBe(1);
    expect(events()).toEqual(['schedule.nights_due', 'night.failed', 'night.ended']);
  });

  test('M3: a lock that is found taken is waited out, and that is said once', async () => {
    await finished('2026-03-04');
    let tries = 0;
    const run: RunNight = () => {
      tries += 1;
      return tries < 9 ? Promise.reject(new LockHeld('held')) : Promise.resolve(outcome('breaks'));
    };
    const schedule = due(run);
    await schedule.run('start');
    expect([tries, schedule.failures()]).toEqual([9, 0]);
    expect(events()).toEqual(['schedule.nights_due', 'night.locked', 'night.ended']);
  });

  test('M3: a night that goes on elsewhere is waited for as long as it lives, and nothing is read meanwhile', async () => {
    await finished('2026-03-03');
    const lease = await takeLease(night.db, { name: RUN_LEASE, holder: 'another' });
    const nights = noting();
    const schedule = due(nights.run);
    const round = schedule.run('start');
    while (night.clock.cutShort.length < 9) await job.clock.sleep(5);
    expect(nights.days).toEqual([]);
    await releaseLease(night.db, lease);
    await round;
    expect(nights.days).toEqual(['2026-03-04', '2026-03-05']);
    expect(schedule.failures()).toBe(0);
    expect(Math.max(...night.clock.cutShort), 'one takes over within a minute').toBeLessThanOrEqual(5_000);
  });

  test('H2: a stop ends the round after the night at hand', async () => {
    await finished('2026-03-02');
    const stopping = new AbortController();
    const days: string[] = [];
    const schedule = openDueNights(
      { ...job, signal: stopping.signal },
      {
        firesToday: () => false,
        runNight: (_context, day) => {
          days.push(day);
          stopping.abort(new Error('stopped by SIGTERM'));
          return Promise.reject(new Error('stopped by SIGTERM'));
        },
      },
    );
    await schedule.run('start');
    expect(days).toEqual(['2026-03-03']);
    expect(schedule.failures()).toBe(0);
    expect(events()).toEqual(['schedule.nights_due', 'night.stopped']);
  });

  test('a call during a round makes one more round after it, and two nights never run at once', async () => {
    await finished('2026-03-03');
    let atWork = 0;
    const days: string[] = [];
    const schedule = due(async (_context, day) => {
      atWork += 1;
      expect(atWork).toBe(1);
      days.push(day);
      if (days.length === 1) void Promise.all([schedule.run('firing'), schedule.run('firing')]);
      await job.clock.sleep(5);
      await finished(day).catch(() => undefined);
      atWork -= 1;
      return outcome('reconciled');
    });
    await schedule.run('start');
    expect(days).toEqual(['2026-03-04', '2026-03-05', '2026-03-05']);
  });

  test('a database that is gone ends the round and not the process', async () => {
    const gone = new Error('gone');
    const db = new Proxy(job.db, {
      get: () => () => {
        throw gone;
      },
    });
    const schedule = openDueNights(
      { ...job, db },
      { firesToday: () => false, runNight: () => Promise.reject(gone) },
    );
    await schedule.run('firing');
    expect(schedule.failures()).toBe(1);
    expect(events()).toEqual(['schedule.failed']);
  });
});
