/**
 * What the page shows, read in one transaction that can write nothing, over one connection and in a few statements that
 * read no history: whoever looks must not slow the night that is under way.
 */
import { sql } from 'kysely';
import { addDays, firstOfMonth } from '../../src/core/time.ts';
import type { Day, Instant, Zone } from '../../src/core/time.ts';
import { listUncertain } from '../../src/settlements/settle-uncertain.ts';
import type { UncertainAttempt } from '../../src/settlements/settle-uncertain.ts';
import {
  findFirstDay,
  findUnfinishedRun,
  listCalendar,
  listNightFiles,
  readGroups,
} from '../../src/store/runs/night-calendar.ts';
import type { CalendarNight, NightFile, UnfinishedRun } from '../../src/store/runs/night-calendar.ts';
import { findLatestNight } from '../../src/store/runs/nights.ts';
import { listOpenBreaks } from '../../src/store/runs/open-breaks.ts';
import type { OpenBreaks } from '../../src/store/runs/open-breaks.ts';
import type { Db, DbOrTransaction } from '../../src/store/schema/schema.ts';
import { countWantedVouchers } from '../../src/store/vouchers/voucher-wanted.ts';
import type { WantedVouchers } from '../../src/store/vouchers/voucher-wanted.ts';
import { RUN_LEASE } from '../night/prove/prove-run.ts';
import { SEVERITY } from '../../src/reconcile/balance/prove-account.ts';
import type { FiguresMemory, KnownFigures } from './night-figures.ts';

/** Months of the calendar; the charts show the same days. */
export const MONTHS = 6;
/** Runs whose files are listed where no day is chosen. */
const RUNS_SHOWN = 7;
/** Versions of a day that are listed. */
const VERSIONS_SHOWN = 20;
/** The last of the ages that are told apart begins before. */
const AGE_DAYS_MAX = 366;
/** More groups than that nobody finds in a row of links. */
const GROUPS_MAX = 100;
/** Whoever looks gives up before the night would notice. */
const STATEMENT_MS_MAX = 3_000;

export interface PageRequest {
  /** `yyyy-MM`: the last month of the calendar. */
  until: string | undefined;
  day: Day | undefined;
  /** Whose accounts the calendar and the charts show; undefined, or none that there is: of all. */
  group: string | undefined;
}

export interface PageData {
  now: Instant;
  today: Day;
  /** The first day of the first month, and the last day of the last. */
  from: Day;
  through: Day;
  /** The first day that has a night at all. */
  firstDay: Day | undefined;
  /** By which calendar and charts can be narrowed; empty: the list gathers no accounts. */
  groups: readonly string[];
  group: string | undefined;
  /** Of the group: those in which it had accounts, each with the worst of their verdicts. */
  nights: readonly CalendarNight[];
  figures: KnownFigures;
  /** Of all accounts, whatever the group. */
  figuresOfAll: KnownFigures;
  /** The last night there is, whatever the calendar shows. */
  latest: CalendarNight | undefined;
  /** The one that was asked for by its day. */
  chosen: { day: Day; night: CalendarNight | undefined } | undefined;
  unfinished: UnfinishedRun | undefined;
  breaks: readonly OpenBreaks[];
  uncertain: readonly UncertainAttempt[];
  vouchers: readonly WantedVouchers[];
  files: readonly NightFile[];
}

export interface PageSource {
  db: Db;
  zone: Zone;
  figures: FiguresMemory;
}

export function readPage(source: PageSource, request: PageRequest, now: Instant): Promise<PageData> {
  return source.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('statement_timeout', ${String(STATEMENT_MS_MAX)}, true)`.execute(trx);
      return readAll({ ...source, db: trx }, request, now);
    });
}

async function readAll(
  { db, zone, figures }: Omit<PageSource, 'db'> & { db: DbOrTransaction },
  { until, day, group: asked }: PageRequest,
  now: Instant,
): Promise<PageData> {
  const today = zone.dayOf(now);
  const span = spanOf(until, today);
  const nights = await listCalendar(db, span);
  const lastDay = (await findLatestNight(db))?.day;
  const latest = lastDay === undefined ? undefined : await nightOf(db, nights, lastDay);
  const night = day === undefined ? undefined : await nightOf(db, nights, day);
  const first = [latest, night].filter((one) => one !== undefined);
  const known = await figures.look(db, [...first, ...nights.filter((one) => !first.includes(one))]);
  const { names: groups, asOf } = await readGroups(db, GROUPS_MAX);
  const group = asked !== undefined && groups.includes(asked) ? asked : undefined;
  const ofGroup = group === undefined ? known : await figures.look(db, nights, { group, asOf });
  return {
    now,
    today,
    ...span,
    firstDay: await findFirstDay(db),
    groups,
    group,
    nights: group === undefined ? nights : nightsOf(nights, ofGroup),
    figures: ofGroup,
    figuresOfAll: known,
    latest,
    chosen: day === undefined ? undefined : { day, night },
    unfinished: await findUnfinishedRun(db, { since: lastDay ?? addDays(today, -1), lease: RUN_LEASE }),
    breaks: await listOpenBreaks(db, AGE_DAYS_MAX),
    uncertain: await listUncertain(db),
    vouchers: await countWantedVouchers(db),
    files: await listNightFiles(db, { day, runs: day === undefined ? RUNS_SHOWN : VERSIONS_SHOWN }),
  };
}

/** A night whose accounts of the group are not read yet is left to the next look. */
function nightsOf(nights: readonly CalendarNight[], figures: KnownFigures): CalendarNight[] {
  return nights.flatMap((night) => {
    const known = figures.of(night);
    if (known === undefined || known.accounts === 0) return [];
    const verdict = SEVERITY.findLast((one) => known.verdicts[one] > 0) ?? night.verdict;
    return [{ ...night, verdict }];
  });
}

function spanOf(until: string | undefined, today: Day): { from: Day; through: Day } {
  const lastMonth = until === undefined ? firstOfMonth(addDays(today, -1)) : `${until}-01`;
  return { from: monthBefore(lastMonth, MONTHS - 1), through: addDays(monthBefore(lastMonth, -1), -1) };
}

/** The first day of the month so many months before that of `first`; a negative number: after. */
export function monthBefore(first: Day, months: number): Day {
  const count = Number(first.slice(0, 4)) * 12 + Number(first.slice(5, 7)) - 1 - months;
  const [year, month] = [Math.floor(count / 12), (count % 12) + 1];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
}

async function nightOf(
  db: DbOrTransaction,
  nights: readonly CalendarNight[],
  day: Day,
): Promise<CalendarNight | undefined> {
  const shown = nights.find((night) => night.day === day);
  return shown ?? (await listCalendar(db, { from: day, through: day }))[0];
}
