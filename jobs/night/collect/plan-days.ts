/**
 * Which days of which account a run has to read: its own, the look back (U44, docs/reconciliation.md 3.6), and every
 * day between the account's opening and the cut that no run has proven yet. Days become windows of at most a month.
 */
import { addDays, firstOfMonth } from '../src/core/time.ts';
import type { Day, Zone } from '../src/core/time.ts';
import { monthWalk } from '../src/core/window.ts';
import type { DaySpan, EndInclusive } from '../src/core/window.ts';
import { lastLinks } from '../src/store/chain.ts';
import type { Db } from '../src/store/schema.ts';

export interface DayRequest {
  job: 'nightly' | 'backfill';
  fromDay: Day;
  toDay: Day;
  /** The running day; it is read with the balance, not here. */
  today: Day;
  lookbackDays: number;
  endInclusive: EndInclusive;
}

export interface PlannedAccount {
  accountNo: string;
  /** The day from which on nothing may be missing: of the opening, else of the run. */
  neededFrom: Day;
  /** The day the proof of the account begins with: nothing before it is ever looked at. */
  beginsAt: Day;
  /** The days after the run's are worth reading too: the balance of today can be rolled back over them. */
  isProvable: boolean;
}

/** On the first days of a month late records of the month before are still likely. */
const MONTH_BEFORE_UNTIL_DAY = '05';

/** By account, the spans to read, oldest first. */
export async function planDays(
  db: Db,
  request: DayRequest,
  accounts: readonly PlannedAccount[],
): Promise<Map<string, DaySpan[]>> {
  const proven = await provenDays(db, accounts);
  const plan = new Map<string, DaySpan[]>();
  for (const account of accounts) {
    const known = proven.get(account.accountNo) ?? new Set();
    const always = rereadFrom(request, account.beginsAt);
    const first = always < account.neededFrom ? always : account.neededFrom;
    const days: Day[] = [];
    const before = account.isProvable ? request.today : addDays(request.toDay, 1);
    for (let day = first; day < before; day = addDays(day, 1)) {
      const isAsked = day >= always && day <= request.toDay;
      if (isAsked || !known.has(day)) days.push(day);
    }
    plan.set(
      account.accountNo,
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

async function provenDays(db: Db, accounts: readonly PlannedAccount[]): Promise<Map<string, Set<Day>>> {
  const proven = new Map<string, Set<Day>>();
  const earliest = accounts.map(({ beginsAt }) => beginsAt).toSorted()[0];
  if (earliest === undefined) return proven;
  const rows = await db
    .selectFrom('sync_day')
    .select(['account_no', 'day'])
    .where('day', '>=', earliest)
    .execute();
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
 * How far back an account must be read: to the closing it is proven from, else to its stated or kept baseline,
 * else to the run's own first day; never after that.
 */
export async function planAccount(
  db: Db,
  zone: Zone,
  run: { job: 'nightly' | 'backfill'; fromDay: Day; toDay: Day },
  account: { accountNo: string; openingAt: string | undefined },
): Promise<PlannedAccount> {
  const previous = (await lastLinks(db, [account.accountNo], run.toDay)).get(account.accountNo);
  const kept = await db
    .selectFrom('account_baseline')
    .select('at')
    .where('account_no', '=', account.accountNo)
    .executeTakeFirst();
  const baselineAt = account.openingAt ?? kept?.at;
  const baselineDay = baselineAt && zone.dayOf(baselineAt);
  const openingDay = previous === undefined ? baselineDay : addDays(previous.toDay, 1);
  const earlier = (day: Day | undefined): Day => (day !== undefined && day < run.fromDay ? day : run.fromDay);
  return {
    accountNo: account.accountNo,
    neededFrom: earlier(openingDay),
    beginsAt: earlier(baselineDay),
    isProvable: run.job === 'nightly' || (baselineDay !== undefined && baselineDay <= run.fromDay),
  };
}
