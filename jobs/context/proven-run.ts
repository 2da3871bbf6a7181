/** Which run a command is about: the one that is named, or that of a day. */
import { WrongInput } from '../../src/core/errors.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { findLatestRun, findRun, listStandingRuns } from '../../src/store/runs/runs.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { parseDayOption } from './day-arguments.ts';

export interface RunOptions {
  run?: string;
  day?: string;
}

export type WantedRun = { runId: string } | { day: Day };

/** Undefined where neither is given. @throws WrongInput where both are */
export function parseRunOptions({ run, day }: RunOptions): WantedRun | undefined {
  if (run !== undefined && day !== undefined)
    throw new WrongInput('name the run by one of --run ID and --day yyyy-MM-dd');
  if (run !== undefined) return { runId: run };
  return day === undefined ? undefined : { day: parseDayOption('--day', day) };
}

/** @throws WrongInput when there is no such run, or none that came to a verdict */
export async function requireProvenRun(db: Db, wanted: WantedRun): Promise<Run> {
  const run = 'runId' in wanted ? await findRun(db, wanted.runId) : await findNight(db, wanted.day);
  if (run === undefined) {
    throw new WrongInput(
      'runId' in wanted
        ? `there is no run ${JSON.stringify(wanted.runId)}`
        : `no night has been run for ${wanted.day}`,
    );
  }
  if (run.verdict !== null && run.state !== 'open') return run;
  throw new WrongInput(`${run.run_id} has not come to a verdict yet: run it again first`);
}

/** The version that stands; where none was ever finished, the one that is incomplete. */
async function findNight(db: Db, day: Day): Promise<Run | undefined> {
  const standing = await listStandingRuns(db, { from: day, before: addDays(day, 1) });
  const subject = { job: 'nightly', fromDay: day, toDay: day, accounts: '' } as const;
  return (
    standing.find(({ job, accounts }) => job === 'nightly' && accounts === '') ??
    (await findLatestRun(db, subject))
  );
}
