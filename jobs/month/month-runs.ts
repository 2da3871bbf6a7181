/** The runs that a month's roll-up is made of: of each day the night that stands for it, or what proved it otherwise. */
import { WrongInput } from '../../src/core/errors.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { Period } from '../../src/store/periods/period.ts';
import { findStandingBefore } from '../../src/store/runs/standing-run.ts';
import { listProofs, listStandingRuns } from '../../src/store/runs/runs.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import type { MonthDay } from '../../reports/month/read-month.ts';

export interface MonthRuns {
  days: readonly MonthDay[];
  /** Of the last day. */
  last: Run;
  /** What the month begins with; undefined: nothing was proven before it. */
  before: Run | undefined;
}

/** @throws WrongInput where the last day of the month has no verdict: there is no closing to show */
export async function findMonthRuns(db: Db, period: Period): Promise<MonthRuns> {
  const span = { from: period.from, before: addDays(period.to, 1) };
  const ofAll = (runs: readonly Run[]): Run[] => runs.filter(({ accounts }) => accounts === '');
  const standing = ofAll(await listStandingRuns(db, span));
  const incomplete = ofAll(await listProofs(db, span)).filter(({ state }) => state === 'incomplete');
  const runOf = (day: Day): Run | undefined =>
    standing.find((run) => run.job === 'nightly' && run.to_day === day) ??
    standing.find((run) => run.to_day === day) ??
    standing.find((run) => run.from_day <= day && day <= run.to_day) ??
    incomplete.find((run) => run.job === 'nightly' && run.to_day === day);
  const days: MonthDay[] = [];
  for (let day = period.from; day <= period.to; day = addDays(day, 1)) days.push({ day, run: runOf(day) });
  const last = days.at(-1)?.run;
  if (last?.to_day === period.to) return { days, last, before: await findStandingBefore(db, period.from) };
  const proven = days.findLast(({ run }) => run !== undefined)?.day;
  throw new WrongInput(
    `no night has been run for ${period.to}, with which ${period.name} ends: there is no closing to show (recon nightly --day ${period.to})`,
    proven === undefined ? [] : [`the last day of it that has a night is ${proven}`],
  );
}
