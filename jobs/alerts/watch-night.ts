/**
 * A night and what is told of it. Telling comes after the verdict and can neither delay nor fail it: what goes wrong with
 * it is a line of the log.
 */
import { BooksNotPulled, LockHeld, messageOf } from '../../src/core/errors.ts';
import type { Day } from '../../src/core/time.ts';
import { wasToldOf } from '../../src/store/alerts/alerts.ts';
import { findNightOf } from '../../src/store/alerts/night-facts.ts';
import { lastNight } from '../../src/store/runs/nights.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import { countAccountsWhy } from '../../src/store/alerts/night-facts.ts';
import type { Context } from '../context/context.ts';
import type { InboxFile } from '../inbox/take-inbox.ts';
import { isUntold, raiseVerdict } from './night-alert.ts';
import {
  isLateNow,
  raiseFailure,
  raiseMissed,
  raiseInbox,
  raiseLate,
  raisePull,
  raiseSettlements,
  raiseWriteOffs,
} from './other-alerts.ts';
import { channelsSet } from './raise.ts';
import type { Telling } from './raise.ts';
import { sendDue } from './send.ts';

/** Raises what there is to say of the night, however it ended; sends nothing. */
export async function watchedNight<T>(context: Context, day: Day, night: () => Promise<T>): Promise<T> {
  if (channelsSet(context.settings).length === 0) return night();
  try {
    const outcome = await night();
    await quietly(context, () => raiseOfNight(context, day));
    return outcome;
  } catch (error) {
    // A lock is waited out, a stop was asked for: neither says anything of the night.
    if (!(error instanceof LockHeld) && !context.signal.aborted) {
      const work = error instanceof BooksNotPulled ? raiseOfNight : raiseOfFailedNight;
      await quietly(context, () => work(context, day, error));
    }
    throw error;
  }
}

/** What was delivered, as it was found when the night began. */
export function tellOfInbox(context: Context, files: readonly InboxFile[]): Promise<void> {
  if (channelsSet(context.settings).length === 0) return Promise.resolve();
  return quietly(context, () => raiseInbox(context, files));
}

/** Why the night of that day begins without what the company's database has. */
export function tellOfPull(context: Context, of: { day: Day; error: unknown }): Promise<void> {
  if (channelsSet(context.settings).length === 0) return Promise.resolve();
  return quietly(context, () => raisePull(context, of));
}

/** Days that nobody will prove by himself. */
export async function tellMissed(context: Context, span: { from: Day; through: Day }): Promise<void> {
  context.log.warn({ event: 'schedule.days_skipped', ...span });
  if (channelsSet(context.settings).length > 0) await quietly(context, () => raiseMissed(context, span));
}

/** What is late is raised, and what is due is sent. */
export async function tell(context: Context): Promise<void> {
  if (channelsSet(context.settings).length === 0 || context.signal.aborted) return;
  await quietly(context, () => raiseUntold(context));
  await quietly(context, () => raiseLate(context));
  await quietly(context, async () => void (await sendDue(context)));
}

async function raiseOfNight(context: Telling, day: Day): Promise<void> {
  const run = await findNightOf(context.db, day);
  if (run !== undefined) await raiseOf(context, run);
}

async function raiseOf(context: Telling, run: Run): Promise<void> {
  await raiseVerdict(context, run);
  await raiseSettlements(context, run);
  await raiseWriteOffs(context, run);
}

/**
 * The last night, where whoever ran it ended between its verdict and the telling of it: once it is published, else at the
 * hour at which it is late, since until then somebody may go on with it.
 */
export async function raiseUntold(context: Telling): Promise<void> {
  const day = await lastNight(context.db);
  const run = day === undefined ? undefined : await findNightOf(context.db, day);
  if (run === undefined || (run.step !== 'published' && !isLateNow(context))) return;
  const isToldAsFailure =
    (await isBare(context, run)) && (await wasToldOf(context.db, run.to_day, ['run_failed']));
  if (!isToldAsFailure && (await isUntold(context, run))) await raiseOf(context, run);
}

/** A step after the proof may have failed; and of a night that was stopped its failure says it all. */
async function raiseOfFailedNight(context: Telling, day: Day, error: unknown): Promise<void> {
  const run = await findNightOf(context.db, day);
  const hasVerdict = run !== undefined && !(await isBare(context, run));
  if (hasVerdict) await raiseOf(context, run);
  await raiseFailure(context, { day, error, hasVerdict });
}

async function isBare({ db }: Telling, { run_id: runId }: Run): Promise<boolean> {
  const accounts = await countAccountsWhy(db, runId);
  return accounts.every(({ code }) => code === 'run_stopped');
}

async function quietly(context: Context, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error({ event: 'alerts.failed', reason: messageOf(error) });
  }
}
