/** `recon report`: writes the workbook of a proven run again, from tables alone; its verdict stays what it is. */
import { WrongInput } from '../../src/core/errors.ts';
import { isJsonObject, member } from '../../src/core/json.ts';
import type { Day } from '../../src/core/time.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import { runJob, withContext } from '../cli/command.ts';
import type { CommandNeeds, CommonOptions, Job } from '../cli/command.ts';
import { parseRunOptions, requireProvenRun } from '../context/proven-run.ts';
import type { RunOptions, WantedRun } from '../context/proven-run.ts';
import { keptText } from '../night/publish/published-files.ts';
import { publishRun } from '../night/publish/publish.ts';
import type { Published } from '../night/publish/publish.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { monthReport, parseMonthReport } from '../month/month-report.ts';
import type { Period } from '../../src/store/periods/period.ts';
import { underLease } from '../context/under-lease.ts';

export interface ReportOptions extends CommonOptions, RunOptions {
  month?: string;
  allStatements?: boolean;
}

export function reportCommand(options: ReportOptions): Promise<void> {
  if (options.month === undefined) return runJob(options, reportJob(options));
  const needs: CommandNeeds<Period> = {
    platform: false,
    arguments: ({ zone, clock }) => parseMonthReport(options, zone.dayOf(clock.wall())),
  };
  return withContext(options, needs, (context, period) => monthReport(context, period, options));
}

type ReportResult = Published['result'] & { movedAside?: Published['movedAside'] };

export function reportJob(options: ReportOptions): Job<WantedRun, ReportResult> {
  const needs = { platform: false, arguments: () => wantedRun(options) };
  const work: ReturnType<typeof reportJob>['work'] = async (context, wanted) => {
    const run = await requireProvenRun(context.db, wanted);
    // A night that is at work may be writing the same files.
    const published = await underLease(context, RUN_LEASE, (at) =>
      publishRun(at, run.run_id, restatedBy(run), { allStatements: options.allStatements === true }),
    );
    const { result, movedAside } = published;
    const document = movedAside.length === 0 ? result : { ...result, movedAside };
    return { status: 0, document, text: textOf(published) };
  };
  return { needs, work };
}

function wantedRun(options: RunOptions): WantedRun {
  const wanted = parseRunOptions(options);
  if (wanted !== undefined) return wanted;
  throw new WrongInput('name the run by one of --run ID and --day yyyy-MM-dd, or a month by --month yyyy-MM');
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
    ...keptText(movedAside),
  ].join('\n');
}
