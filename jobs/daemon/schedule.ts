/**
 * `recon schedule`: stays running. The nights and the midnight snapshots by the clock of the service's zone,
 * what was missed is caught up at the start, the page, health and metrics on HEALTH_PORT, the platform's pushes on PUSH_PORT, and
 * a stop that loses nothing.
 */
import { schedule } from 'node-cron';
import type { Logger, ScheduledTask } from 'node-cron';
import { LockHeld, messageOf } from '../../src/core/errors.ts';
import type { Log } from '../../src/core/ports.ts';
import { instantOf } from '../../src/core/time.ts';
import type { Instant } from '../../src/core/time.ts';
import { withContext } from '../cli/command.ts';
import type { CommonOptions } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { openDueNights } from './due-nights.ts';
import type { RunNight } from './due-nights.ts';
import { healthRoutes } from './health.ts';
import { openListeners } from './listeners.ts';
import { metricsRoutes } from './metrics.ts';
import { tell } from '../alerts/watch-night.ts';
import { runNight } from '../commands/nightly.ts';
import { withOwnPlatform } from './own-platform.ts';
import { pageRoutes } from '../page/page-routes.ts';
import { openPushes } from './receive.ts';
import { takeSnapshots } from '../commands/snapshot.ts';
import { aborted } from '../context/stop-signals.ts';

/** What is done at the times of the schedule. */
export interface Duties {
  runNight: RunNight;
  takeSnapshots: (context: Context) => Promise<unknown>;
}

export function scheduleCommand(options: CommonOptions): Promise<void> {
  return withContext(options, { platform: true, isService: true }, async (context) => {
    if (options.clock !== undefined) {
      const hint = 'the schedule fires by the real clock; the days are those of --clock';
      context.log.warn({ event: 'schedule.rehearsed', hint });
    }
    await keepSchedule(context, { runNight, takeSnapshots });
    return { status: 0, document: { schema: 1, stopped: true }, text: '' };
  });
}

/** Runs until the context's signal is aborted and what was at work has ended. */
export async function keepSchedule(context: Context, duties: Duties): Promise<void> {
  const { settings, signal, log } = context;
  const snapshots = openSnapshots(context, duties);
  const nights = openDueNights(context, {
    runNight: (at, day) => withOwnPlatform(at, (own) => duties.runNight(own, day)),
    firesToday: () => isToday(context, nextRun(nightly)),
  });
  const failures = () => ({ nights: nights.failures(), snapshots: snapshots.failures() });
  const pushes = openPushes(context);
  const listeners = await openListeners(context, {
    health: [healthRoutes(context), metricsRoutes(context, failures, pushes.tally), pageRoutes(context)],
    pushes: pushes.routes,
    pushPort: settings.pushPort,
  });
  const worker = pushes.work();
  const nightly = openTask(context, {
    name: 'nightly',
    cron: settings.nightlyCron,
    work: () => nights.run('firing'),
  });
  const telling = openTelling(context);
  const teller = openTask(context, { name: 'alerts', cron: TELLING_CRON, work: telling.run });
  const midnight = openTask(context, { name: 'snapshot', cron: settings.snapshotCron, work: snapshots.run });
  try {
    log.info({ event: 'schedule.started', nextNight: nextRun(nightly), nextSnapshot: nextRun(midnight) });
    const caughtUp = nights.run('start');
    await aborted(signal);
    await caughtUp;
  } finally {
    await Promise.all([nightly.destroy(), midnight.destroy(), teller.destroy()]);
    await Promise.all([nights.idle(), snapshots.idle(), telling.idle()]);
    await listeners.close();
    await worker.close();
    log.info({ event: 'schedule.stopped' });
  }
}

/** Alerts that are due, and whether a night is late. */
const TELLING_CRON = '* * * * *';

/** One round at a time; a night never waits for it. */
function openTelling(context: Context) {
  let round: Promise<void> | undefined;
  return {
    run: () => (round ??= tell(context).finally(() => (round = undefined))),
    idle: async () => round,
  };
}

interface Timed {
  name: string;
  cron: string;
  /** Never rejects. */
  work: () => Promise<void>;
}

function openTask({ zone, log }: Context, { name, cron, work }: Timed): ScheduledTask {
  const task = schedule(cron, work, {
    name,
    timezone: zone.name,
    noOverlap: true,
    suppressMissedWarning: true,
    logger: loggerOf(log),
  });
  // A machine that slept, or work that took until the next time: the time is gone, what was due is not.
  for (const event of ['execution:missed', 'execution:overlap'] as const) {
    task.on(event, () => {
      log.warn({ event: event === 'execution:missed' ? 'schedule.missed' : 'schedule.overlap', task: name });
      void work();
    });
  }
  return task;
}

function loggerOf(log: Log): Logger {
  const write = (level: 'debug' | 'warn' | 'error') => (message: string | Error) =>
    log[level]({ event: 'schedule.timer', message: messageOf(message) });
  return { info: write('debug'), warn: write('warn'), error: write('error'), debug: write('debug') };
}

function nextRun(task: ScheduledTask): Instant | undefined {
  const at = task.getNextRun();
  return at === null ? undefined : instantOf(at.getTime());
}

/** By the real clock, which is the one the schedule fires by. */
function isToday({ zone, realClock }: Context, instant: Instant | undefined): boolean {
  return instant !== undefined && zone.dayOf(instant) === zone.dayOf(realClock.wall());
}

/** One at a time: a snapshot that is due while one is being taken is that one. */
function openSnapshots(context: Context, duties: Duties) {
  const { log, signal } = context;
  let failures = 0;
  let taking: Promise<void> | undefined;
  const take = async (): Promise<void> => {
    try {
      await withOwnPlatform(context, duties.takeSnapshots);
    } catch (error) {
      if (signal.aborted || error instanceof LockHeld) {
        log.warn({ event: 'snapshot.left', reason: messageOf(error) });
      } else {
        failures += 1;
        log.error({ event: 'snapshot.failed', error });
      }
    }
  };
  return {
    run: () => (taking ??= take().finally(() => (taking = undefined))),
    idle: async () => taking,
    failures: () => failures,
  };
}
