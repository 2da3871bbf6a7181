/**
 * The nights that are due, oldest first: those missed since the last one that finished, those that began and
 * came to no end, and yesterday's. One round at a time; a call during a round makes another after it.
 */
import { LockHeld, messageOf } from '../../src/core/errors.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { requireFree } from '../../src/store/database/leases.ts';
import { lastNight, listUnfinishedNights } from '../../src/store/runs/nights.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { tellMissed } from '../alerts/watch-night.ts';
import type { Context } from '../context/context.ts';
import type { RangeOutcome } from '../night/night.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { countBreaks } from '../night/publish/result-lists.ts';

/** A longer standstill is for a person to look at; `recon backfill` takes any range. */
const DAYS_BACK_MAX = 31;

/** Whoever is killed is to be followed within a minute, of which a lease that nobody renews takes the most. */
const LOCK_PAUSE_MS = 5_000;

export type RunNight = (context: Context, day: Day) => Promise<RangeOutcome>;

/** `start`: what was missed; `firing`: the same, and yesterday whether or not it has been run already. */
export type Occasion = 'start' | 'firing';

export interface DueNights {
  /** Resolves when no round is left; nothing of a night is thrown. */
  run(occasion: Occasion): Promise<void>;
  /** Resolves when nothing is at work. */
  idle(): Promise<void>;
  failures(): number;
}

export function openDueNights(
  context: Context,
  options: {
    runNight: RunNight;
    /** Whether the schedule will still fire today: then yesterday's night has not been missed yet. */
    firesToday: () => boolean;
  },
): DueNights {
  let failures = 0;
  let round: Promise<void> | undefined;
  let next: Occasion | undefined;

  const runOne = async (day: Day): Promise<boolean> => {
    const ended = await runPatiently(context, day, options.runNight);
    if (ended === 'failed') failures += 1;
    return ended !== 'stopped';
  };

  const runRound = async (occasion: Occasion): Promise<void> => {
    const today = context.zone.dayOf(context.clock.wall());
    const isLeft = occasion === 'start' && options.firesToday();
    const through = addDays(today, isLeft ? -2 : -1);
    const { days, skipped } = await dueDays(context.db, { through, isFiring: occasion === 'firing' });
    if (skipped !== undefined) await tellMissed(context, skipped);
    if (days.length > 0) context.log.info({ event: 'schedule.nights_due', days });
    for (const day of days) if (!(await runOne(day))) return;
  };

  const runRounds = async (first: Occasion): Promise<void> => {
    for (let occasion: Occasion | undefined = first; occasion !== undefined; occasion = next) {
      next = undefined;
      try {
        await runRound(occasion);
      } catch (error) {
        failures += 1;
        context.log.error({ event: 'schedule.failed', error });
      }
      if (context.signal.aborted) return;
    }
  };

  return {
    run: (occasion) => {
      if (round !== undefined) next = occasion;
      else round = runRounds(occasion).finally(() => (round = undefined));
      return round;
    },
    idle: async () => round,
    failures: () => failures,
  };
}

export interface DueDays {
  days: Day[];
  /** Days that lie too far back, both included. */
  skipped: { from: Day; through: Day } | undefined;
}

/** @param until.through the last day whose night may run */
export async function dueDays(db: Db, until: { through: Day; isFiring: boolean }): Promise<DueDays> {
  const { through, isFiring } = until;
  const oldest = addDays(through, 1 - DAYS_BACK_MAX);
  const last = await lastNight(db);
  const firstMissing = last === undefined ? addDays(through, 1) : addDays(last, 1);
  const days = new Set(await listUnfinishedNights(db, { from: oldest, through }));
  const from = firstMissing < oldest ? oldest : firstMissing;
  for (let day = from; day <= through; day = addDays(day, 1)) days.add(day);
  if (isFiring) days.add(through);
  const isSkipping = firstMissing < oldest;
  return {
    days: [...days].toSorted(),
    skipped: isSkipping ? { from: firstMissing, through: addDays(oldest, -1) } : undefined,
  };
}

type Ending = 'finished' | 'failed' | 'stopped';

/**
 * A lock of another process is waited out for as long as that one lives: until it has ended, its night may have to be gone
 * on with. Every other error ends this night, not the schedule.
 */
async function runPatiently(context: Context, day: Day, runNight: RunNight): Promise<Ending> {
  const { db, zone, log, signal, realClock } = context;
  for (let isTold = false; ; isTold = true) {
    if (signal.aborted) return 'stopped';
    try {
      // Files, the company's database and the platform are left alone meanwhile.
      await requireFree(db, { name: RUN_LEASE, zone });
      const { result, isNew } = await runNight(context, day);
      const { verdict, version } = result.run;
      const breaks = await countBreaks(db, result.run.id);
      log.info({ event: 'night.ended', day, verdict, version, isNew, breaks });
      return 'finished';
    } catch (error) {
      if (signal.aborted) {
        log.warn({ event: 'night.stopped', day, reason: messageOf(error) });
        return 'stopped';
      }
      if (!(error instanceof LockHeld)) {
        log.error({ event: 'night.failed', day, error });
        return 'failed';
      }
      if (!isTold) log.warn({ event: 'night.locked', day, reason: error.message });
    }
    // A pause that is cut short means that we are stopped, which is looked at above.
    await realClock.sleep(LOCK_PAUSE_MS, signal).catch(() => undefined);
  }
}
