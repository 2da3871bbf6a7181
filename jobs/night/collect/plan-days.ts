/**
 * Which days of which account a run has to read: its own, the look back (U44, docs/reconciliation.md 3.6), and every
 * day between the account's opening and the cut that no run has proven yet. Days become windows of at most a month.
 */
import { sql } from 'kysely';
import { addDays, firstOfMonth } from '../../../src/core/time.ts';
import type { Day, Instant, Zone } from '../../../src/core/time.ts';
import { monthWalk } from '../../../src/core/window.ts';
import type { DaySpan, EndInclusive } from '../../../src/core/window.ts';
import { lastLinks } from '../../../src/store/runs/chain.ts';
import type { Db } from '../../../src/store/schema/schema.ts';

export interface DayRequest {
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  /** The running day; it is read with the balance, not here. */
  today: Day;
  lookbackDays: number;
  endInclusive: EndInclusive;
}

export interface OpenedAccount {
  accountNo: string;
  /** Where the stated opening in force lies; undefined: none was stated. */
  openingAt: Instant | undefined;
  /** Where that lies which the account list states now. */
  statedAt: Instant | undefined;
}

interface PlannedAccount {
  accountNo: string;
  /** The first day that may have to be read: what is asked again, or what no proof stands for yet. */
  from: Day;
  /** From here to the last day of the run everything is asked again. */
  always: Day;
  /** The day after the last that may have to be read. */
  before: Day;
}

/** On the first days of a month late records of the month before are still likely. */
const MONTH_BEFORE_UNTIL_DAY = '05';

/** By account, the spans to read, oldest first. */
export async function planDays(
  db: Db,
  zone: Zone,
  request: DayRequest,
  accounts: readonly OpenedAccount[],
): Promise<Map<string, DaySpan[]>> {
  const planned = await planAccounts(db, zone, request, accounts);
  const proven = await provenDays(db, planned);
  const plan = new Map<string, DaySpan[]>();
  for (const { accountNo, from, always, before } of planned) {
    const known = proven.get(accountNo) ?? new Set();
    const days: Day[] = [];
    for (let day = from; day < before; day = addDays(day, 1)) {
      const isAsked = day >= always && day <= request.toDay;
      if (isAsked || !known.has(day)) days.push(day);
    }
    plan.set(
      accountNo,
      contiguous(days).flatMap((span) => monthWalk(span, request.endInclusive)),
    );
  }
  return plan;
}

/** From which day on the run reads again what is known: its own first day, or the look back of a night. */
function rereadFrom(request: DayRequest, beginsAt: Day): Day {
  if (request.job === 'backfill') return request.fromDay;
  const recent = addDays(request.toDay, -request.lookbackDays);
  const isEarly = request.today.slice(8) <= MONTH_BEFORE_UNTIL_DAY;
  const monthBefore = firstOfMonth(addDays(firstOfMonth(request.today), -1));
  const from = isEarly && monthBefore < recent ? monthBefore : recent;
  return from > beginsAt ? from : beginsAt;
}

/** Of the days that these plans may ask for, those that a run has read in full. */
async function provenDays(db: Db, planned: readonly PlannedAccount[]): Promise<Map<string, Set<Day>>> {
  const proven = new Map<string, Set<Day>>();
  const { rows } = await sql<{ account_no: string; day: Day }>`
    select s.account_no, s.day
    from unnest(${planned.map(({ accountNo }) => accountNo)}::text[], ${planned.map(({ from }) => from)}::text[])
      p (account_no, from_day)
    join sync_day s on s.account_no = p.account_no and s.day >= p.from_day`.execute(db);
  for (const { account_no: accountNo, day } of rows) {
    const days = proven.get(accountNo) ?? new Set();
    proven.set(accountNo, days.add(day));
  }
  return proven;
}

function contiguous(days: readonly Day[]): DaySpan[] {
  const spans: DaySpan[] = [];
  for (const day of days) {
    const last = spans.at(-1);
    if (last !== undefined && last.to === day) last.to = addDays(day, 1);
    else spans.push({ from: day, to: addDays(day, 1) });
  }
  return spans;
}

/**
 * How far back each account must be read: to the closing it is proven from, else to its stated or kept baseline,
 * else to the run's own first day; never after that. The days after a backfill's are worth reading where the balance of
 * today can be rolled back over them, and those from an earlier opening that is stated by now, because it is held against
 * what they brought.
 */
async function planAccounts(
  db: Db,
  zone: Zone,
  request: DayRequest,
  accounts: readonly OpenedAccount[],
): Promise<PlannedAccount[]> {
  const numbers = accounts.map(({ accountNo }) => accountNo);
  const previous = await lastLinks(db, numbers, request.toDay);
  const kept = await baselines(db, numbers);
  const earlier = (day: Day | undefined): Day =>
    day !== undefined && day < request.fromDay ? day : request.fromDay;
  return accounts.map(({ accountNo, openingAt, statedAt }) => {
    const link = previous.get(accountNo);
    const baselineAt = openingAt ?? kept.get(accountNo);
    const baselineDay = baselineAt && zone.dayOf(baselineAt);
    const neededFrom = earlier(link === undefined ? baselineDay : addDays(link.toDay, 1));
    const isStatedEarlier = baselineAt !== undefined && statedAt !== undefined && statedAt < baselineAt;
    const comparedFrom = isStatedEarlier ? zone.dayOf(statedAt) : neededFrom;
    const always = rereadFrom(request, earlier(baselineDay));
    const isProvable =
      request.job === 'nightly' || (baselineDay !== undefined && baselineDay <= request.fromDay);
    return {
      accountNo,
      from: [always, neededFrom, comparedFrom].toSorted()[0] ?? always,
      always,
      before: isProvable ? request.today : addDays(request.toDay, 1),
    };
  });
}

async function baselines(db: Db, accounts: readonly string[]): Promise<Map<string, Instant>> {
  const rows = await db
    .selectFrom('account_baseline')
    .select(['account_no', 'at'])
    .where(sql<boolean>`account_no = any(${accounts}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.account_no, row.at]));
}
