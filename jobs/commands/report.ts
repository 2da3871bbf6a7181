/** `recon report`: writes the workbook of a proven run again, from tables alone; its verdict stays what it is. */
import { WrongInput } from '../../src/core/errors.ts';
import { isJsonObject, member } from '../../src/core/json.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import { findLatestRun, findRun, listStandingRuns } from '../../src/store/runs/runs.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions } from '../cli/command.ts';
import { parseDayOption } from '../context/day-arguments.ts';
import { publishRun } from '../night/publish/publish.ts';
import type { Published } from '../night/publish/publish.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { underLease } from '../context/under-lease.ts';

export interface ReportOptions extends CommonOptions {
  run?: string;
  day?: string;
}

type Wanted = { runId: string } | { day: Day };

export function reportCommand(options: ReportOptions): Promise<void> {
  const needs: CommandNeeds<Wanted> = { platform: false, arguments: () => wantedRun(options) };
  return withContext(options, needs, async (context, wanted) => {
    const run = await requireProvenRun(context.db, wanted);
    // A night that is at work may be writing the same files.
    const published = await underLease(context, RUN_LEASE, (at) =>
      publishRun(at, run.run_id, restatedBy(run)),
    );
    const { result, movedAside } = published;
    const document = movedAside.length === 0 ? result : { ...result, movedAside };
    return { status: 0, document, text: textOf(published) };
  });
}

function wantedRun({ run, day }: ReportOptions): Wanted {
  if (run !== undefined && day === undefined) return { runId: run };
  if (day !== undefined && run === undefined) return { day: parseDayOption('--day', day) };
  throw new WrongInput('name the run by one of --run ID and --day yyyy-MM-dd');
}

/** @throws WrongInput when there is no such run, or none that came to a verdict */
async function requireProvenRun(db: Db, wanted: Wanted): Promise<Run> {
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

/** What the run said then: it is part of its result and is not found out again. */
function restatedBy({ facts }: Run): { day: Day; version: number }[] {
  const listed = isJsonObject(facts) ? member(facts, 'restated') : undefined;
  if (!Array.isArray(listed)) return [];
  return listed.filter(isJsonObject).flatMap((entry) => {
    const [day, version] = [member(entry, 'day'), member(entry, 'version')];
    return typeof day === 'string' && typeof version === 'number' ? [{ day, version }] : [];
  });
}

function textOf({ result: { run, files }, movedAside }: Published): string {
  return [
    `${run.id}: ${run.verdict}`,
    ...files.map((file) => `written: ${file.path}`),
    ...movedAside.map((file) => `was there with other content and is kept: ${file.to}`),
  ].join('\n');
}
