/** `recon report --month`: the roll-up of a month, from the tables of its runs alone; no verdict changes by it. */
import path from 'node:path';
import { WrongInput } from '../../src/core/errors.ts';
import { parseMonth } from '../context/month-argument.ts';
import type { Period } from '../../src/store/periods/period.ts';
import type { Verdict } from '../../src/store/schema/schema.ts';
import type { Outcome } from '../cli/command.ts';
import type { Context } from '../context/context.ts';
import { underLease } from '../context/under-lease.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { REPORTS } from '../night/publish/publish.ts';
import { keptText, neverOver } from '../night/publish/published-files.ts';
import type { MovedAside } from '../night/publish/published-files.ts';
import { monthVerdict } from '../../reports/month/read-month.ts';
import { findMonthRuns } from './month-runs.ts';

export interface MonthOptions {
  month?: string;
  run?: string;
  day?: string;
  allStatements?: boolean;
}

/** @throws WrongInput where options do not go together, or the month is not over */
export function parseMonthReport({ month, run, day }: MonthOptions, today: string): Period {
  if (run !== undefined || day !== undefined)
    throw new WrongInput('--month goes without --run and --day: it is made of the nights of the month');
  return parseMonth(month ?? '', today);
}

interface MonthDocument {
  schema: 1;
  month: string;
  verdict: Verdict;
  openingRun: string | null;
  closingRun: string;
  days: { day: string; run: string | null; verdict: Verdict | null }[];
  accounts: number;
  breaks: { atStart: number; opened: number; closed: number; atEnd: number };
  attention: number;
  timing: number;
  files: { path: string; sha256: string; bytes: number }[];
  movedAside: MovedAside[];
}

/** A night that is at work may be writing what is read. */
export function monthReport(
  context: Context,
  period: Period,
  options: Pick<MonthOptions, 'allStatements'>,
): Promise<Outcome> {
  return underLease(context, RUN_LEASE, (at) => writeMonth(at, period, options));
}

export async function writeMonth(
  context: Context,
  period: Period,
  { allStatements = false }: Pick<MonthOptions, 'allStatements'> = {},
): Promise<Outcome> {
  const { db, settings, profile, zone } = context;
  const found = await findMonthRuns(db, period);
  const { files, movedAside } = neverOver(context.files, context.log);
  const folder = path.join(settings.home, REPORTS, period.name);
  const target = path.join(folder, `month-${period.name}.xlsx`);
  await files.makeFolder(folder);
  const { publishMonth } = await import('../../reports/month-book.ts');
  const { items, accounts } = await publishMonth({
    ...found,
    period,
    db,
    zone,
    files,
    path: target,
    locale: settings.reportLocale,
    companyName: profile.company.name,
    serviceName: profile.service.name,
    allStatements,
  });
  const { atStart, opened, closed, atEnd } = items.break;
  const document: MonthDocument = {
    schema: 1,
    month: period.name,
    verdict: monthVerdict(found),
    openingRun: found.before?.run_id ?? null,
    closingRun: found.last.run_id,
    days: found.days.map(({ day, run }) => ({
      day,
      run: run?.run_id ?? null,
      verdict: run?.verdict ?? null,
    })),
    accounts: accounts.length,
    breaks: { atStart, opened, closed, atEnd },
    attention: items.attention.rows,
    timing: items.timing.rows,
    files: [{ path: target, sha256: await files.sha256(target), bytes: (await files.size(target)) ?? 0 }],
    movedAside,
  };
  context.log.info({ event: 'month.published', folder });
  return { status: 0, document, text: textOf(document) };
}

function textOf({ month, verdict, days, breaks, files, movedAside }: MonthDocument): string {
  const open = days
    .filter((one) => one.verdict === null || one.verdict === 'incomplete')
    .map(({ day }) => day);
  const { atStart, opened, closed, atEnd } = breaks;
  return [
    `${month}: ${verdict}`,
    ...(open.length === 0 ? [] : [`not proven: ${open.join(' ')}`]),
    `breaks: ${atStart} at the start, ${opened} opened, ${closed} closed, ${atEnd} at the end`,
    ...files.map((file) => `written: ${file.path}`),
    ...keptText(movedAside),
  ].join('\n');
}
