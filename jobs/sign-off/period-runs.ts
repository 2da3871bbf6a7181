/** The runs that prove a period, and what they leave open. */
import { WrongInput } from '../../src/core/errors.ts';
import { addDays } from '../../src/core/time.ts';
import type { Day } from '../../src/core/time.ts';
import type { Period } from '../../src/store/periods/period.ts';
import { listStandingRuns } from '../../src/store/runs/runs.ts';
import type { Run } from '../../src/store/runs/runs.ts';
import type { Db } from '../../src/store/schema/schema.ts';
import { requireProvenRun } from '../context/proven-run.ts';

export interface PeriodRuns {
  /** The nights, and backfills that have days without one, oldest day first; the last one proves the end of the period. */
  runs: [Run, ...Run[]];
  /** Days of a month that no finished run of all accounts has proven. */
  unproven: Day[];
}

/** @throws WrongInput where the last day of the period has no verdict, or is incomplete: there is nothing to sign */
export async function findPeriodRuns(db: Db, period: Period): Promise<PeriodRuns> {
  if (period.from === period.to)
    return { runs: [complete(await requireProvenRun(db, { day: period.to }))], unproven: [] };
  const standing = await listStandingRuns(db, { from: period.from, before: addDays(period.to, 1) });
  const whole = standing.filter((run) => run.accounts === '');
  const nights = whole.filter((run) => run.job === 'nightly');
  const days = daysOf(period);
  const unproven = days.filter((day) => !whole.some((run) => has(run, day)));
  const closing =
    nights.find((run) => run.to_day === period.to) ?? whole.find((run) => run.to_day === period.to);
  const last = complete(closing ?? (await requireProvenRun(db, { day: period.to })));
  const isOfANight = (day: Day): boolean => nights.some((run) => run.to_day === day);
  const others = whole.filter(
    (run) =>
      run.run_id !== last.run_id &&
      (run.job === 'nightly' || days.some((day) => has(run, day) && !isOfANight(day))),
  );
  const [first = last, ...more] = [...others, last];
  return { runs: [first, ...more], unproven };
}

function has(run: Run, day: Day): boolean {
  return run.from_day <= day && day <= run.to_day;
}

function complete(run: Run): Run {
  if (run.verdict !== null && run.verdict !== 'incomplete') return run;
  throw new WrongInput(
    `${run.run_id} is incomplete, and its figures cannot be signed: run it again (recon nightly --day ${run.to_day})`,
  );
}

function daysOf({ from, to }: Period): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}
